"""Replicates in blocks, blocks on threads."""

import os
import threading
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from ..analysis.truth import losses_by_replicate, truth_tables
from ..calendars import Calendar
from ..errors import InputError
from ..metrics import Brier, LogLoss, Metric
from ..replaying.pairs import Pair, check_pairs
from ..rng import check_counts, check_seed
from ..state import SEATS
from ..systems.base import Rater
from ..worlds.league import League
from ..worlds.telling import Room, told
from .rating import Group, block_of, groups_of, rate
from .sessions import Sessions
from .sharing import shared_by
from .study import Part, Study, study_of

NEAR = 20_000  # players, or games of a round, of a block: what lies near the processor
GAMES = 2_000_000  # of a block at the most, but for one replicate of more
LANES = 32  # replicates of a block that share a schedule
METRICS: Mapping[str, Metric] = {"log_loss": LogLoss(), "brier": Brier()}


class Plan(NamedTuple):
    """What is to be done with each block."""

    world: League
    groups: list[Group]  # of the runs
    seed: int
    by_pool: bool
    truth: bool
    metrics: Mapping[str, Metric]


def monte_carlo(
    world: League, runs: Mapping[str, Rater | Pair], *, seed: int = 0, replicates: int = 100, first: int = 0,
    calendar: Calendar | None = None, by_pool: bool = False, truth: bool = True,
    metrics: Mapping[str, Metric] = METRICS, workers: int | None = None, block: int | None = None,
) -> Study:  # fmt: skip
    """Simulate replicates of a world and rate each by some systems: the same as `replay` over `world.simulate`.

    Memory is that of a few blocks of replicates, however many there are. The bits depend on nothing but world, seed and
    number of the replicate.

    Parameters
    ----------
    world : simulated replicate by replicate.
    runs : by label, a system, or a system and its policy (None: the system's own default).
    seed, first : at least 0; `first` is the number of the first replicate.
    replicates : at least 1.
    calendar : rating periods; None is each system's own default.
    by_pool : whether players have a belief for each pool.
    truth : whether ratings are read at up to 60 moments and compared with skills.
    metrics : losses of forecasts, by name.
    workers : threads; None: as many as there are cores.
    block : replicates that are simulated and rated together; None: as many as are fast.

    Raises
    ------
    InputError : as `replay` and `simulate`, or no league, replicates, runs or workers.

    >>> import ratesim as rs
    >>> from ratesim.worlds import League
    >>> study = rs.monte_carlo(League(players=20, rounds=30), {"elo": rs.Elo()}, seed=1, replicates=3)
    >>> study.losses.columns
    ['system', 'replicate', 'metric', 'mean', 'oracle', 'n']
    """
    pairs = _pairs(world, runs)
    check_pairs(list(pairs.values()), calendar)
    check_counts(replicates=replicates, workers=workers, block=block)
    check_seed(seed, first)
    check_seed(seed, first + replicates - 1)
    plan = Plan(world, groups_of(pairs, calendar), seed, by_pool, truth, metrics)
    threads = workers or os.cpu_count() or 1
    size = min(block or block_size(world, replicates, threads), SEATS)
    ends = first + replicates
    some = [range(begin, min(begin + size, ends)) for begin in range(first, ends, size)]
    return study_of(world, list(pairs), _played(plan, some, threads))


def _pairs(world: League, runs: Mapping[str, Rater | Pair]) -> dict[str, Pair]:
    """Return systems with their policies by label.

    Raises
    ------
    InputError : there is no such world, and no runs.
    """
    given: object = world
    if not isinstance(given, League):
        raise InputError(f"world = {given!r}", expected="a league, such as ratesim.worlds.League()")
    some: object = runs
    if not isinstance(some, Mapping) or not some:
        raise InputError(f"runs = {some!r}", expected='systems by label, such as {"elo": rs.Elo()}')
    pairs = {label: run if isinstance(run, tuple) else (run, None) for label, run in runs.items()}
    for label, pair in pairs.items():
        if len(pair) != 2:
            raise InputError(f"runs['{label}'] = {pair!r}", expected="a system, or a system and its policy")
    return pairs


def block_size(world: League, replicates: int, workers: int) -> int:
    """Return how many replicates are best played together: few that stay near the processor, enough for all workers."""
    fast = LANES if world.shared else NEAR // max(world.players, world.games)
    most = min(SEATS, GAMES // (world.games * world.rounds), -(-replicates // workers))
    return max(1, min(fast, most))


def _played(plan: Plan, blocks: list[range], workers: int) -> list[Part]:
    here = threading.local()

    def play(block: range) -> Part:
        if not hasattr(here, "room"):
            here.room, here.sessions = Room(plan.world, truth=bool(plan.metrics)), Sessions()
        return _part(plan, block, here.room, here.sessions)

    if min(workers, len(blocks)) == 1:
        return [play(block) for block in blocks]
    with ThreadPoolExecutor(workers) as pool:
        return list(pool.map(play, blocks))


def _part(plan: Plan, block: range, room: Room, sessions: Sessions) -> Part:
    """Return what one block says; room and sessions are kept for the next."""
    stream = told(plan.world, plan.seed, block, room, bare=not (plan.truth or plan.metrics))
    shared = shared_by(stream, len(block)) if plan.world.shared else None
    games = block_of(stream, shared, by_pool=plan.by_pool, truth=plan.truth)
    rated = rate(plan.groups, games, sessions)
    tables = {label: truth_tables(each.snapshots) for label, each in rated.items() if each.snapshots}
    if not plan.metrics:
        return Part(tables, {})
    losses = {label: losses_by_replicate(stream, each.forecast, plan.metrics) for label, each in rated.items()}
    return Part(tables, losses)
