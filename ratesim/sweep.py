"""Sweeps: many systems and policies over the same games, their losses summed while games are played."""

import os
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Executor
from itertools import chain, pairwise
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np
import polars as pl
from numpy.typing import NDArray

from . import spreading
from .calendars import CALENDARS, Calendar
from .errors import InputError, shown
from .given import check_games
from .inference import month_blocks
from .io.starts import read_starts
from .metrics import METRICS, LogLoss, Metric, loss_of
from .policies import POLICIES
from .registry import plugin_files
from .replay import replay
from .replaying.losing import Losing
from .replaying.order import arranged
from .replaying.pairs import Pair, Starts, blocks as groups, check_pairs, of_players, usual, variants_of
from .replaying.session import Session
from .rng import check_counts
from .state import Floats
from .stream import GameStream
from .systems.base import SYSTEMS, Refit, WholeStream

Buckets = NDArray[np.int32]
Plugins = str | Path | Sequence[str | Path]
Tables = Sequence[tuple[dict[str, Any], dict[str, Any] | None]]  # canonical forms
NEAR = 2**20  # doubles of state in a block of lanes: what lies near the processor
BUCKETS = 100_000  # that few games may have too: the first games of a stream whose buckets are those of the whole
MANY = 64  # lanes of a block
GRAIN = 16  # lanes that compiled loops take at a step: others go one by one


class Swept(NamedTuple):
    """Losses of each setting over each bucket of games.

    Sums over buckets run one after the other, in a fixed order and without a library's own way of adding, so that they
    have the same bits on any machine.
    """

    total: Floats  # (S, B) sums of losses, each times the weight of its game
    games: Floats  # (S, B) sums of weights of the games that have a forecast

    @property
    def mean(self) -> Floats:
        """The mean loss of each setting (S,), NaN of one that forecasts no game."""
        total, games = added(self.total), added(self.games)
        found: Floats = np.divide(total, games, out=np.full(len(games), np.nan), where=games > 0)
        return found

    def of(self, settings: NDArray[np.int64] | slice) -> "Swept":
        """Return the same of some settings."""
        return Swept(self.total[settings], self.games[settings])


def added(values: Floats) -> Floats:
    """Return the sums of rows (S,), column after column."""
    total = np.zeros(len(values))
    for column in range(values.shape[1]):
        total += values[:, column]
    return total


class Watch(Protocol):
    """Who is told how it goes."""

    def __call__(self, settings: int) -> None:
        """Hear that so many settings more are done."""


class Settings(NamedTuple):
    """The pairs of a block, as another process can read them."""

    tables: Tables
    origin: spreading.Origin


class Asked(NamedTuple):
    """What is asked of every block of settings, as another process can read it."""

    calendar: dict[str, Any] | None
    metric: dict[str, Any]
    buckets: int
    start: pl.DataFrame | None
    by_pool: bool
    plugins: tuple[str, ...]


def sweep(
    pairs: Iterable[Pair], games: GameStream, *, calendar: Calendar | None = None, metric: Metric | None = None,
    bucket: Buckets | None = None, start: Starts | None = None, by_pool: bool = False,
    executor: str | Executor = "threads", workers: int | None = None,
    plugins: Plugins = (), block: int | None = None, watch: Watch | None = None,
) -> Swept:  # fmt: skip
    """Play many systems and policies over the same games, and return what their forecasts lost.

    Those with the same kernels are lanes of one pass; blocks of lanes go to the workers. No forecast is stored: memory
    is players x fields x lanes of the blocks at work and the stream, however many settings there are. The sums are
    those of the forecasts of `replay`, game by game in the order of play, bit for bit, whatever the blocks and workers.

    Parameters
    ----------
    pairs : systems and their policies; a policy None is the system's own default.
    games : the stream.
    calendar : rating periods; None is each system's own default.
    metric : the loss; None is `LogLoss()`.
    bucket : (G,) the sum to which each game's loss goes, 0, 1, ...; a negative one is not judged. None: the months.
    start, by_pool : as in `replay`.
    executor : who plays the blocks, as in `rs.run`: threads, processes, a cluster, or one's own. Processes
        load the script that starts them: with `executor = "processes"` it needs `if __name__ == "__main__":` around its
        calls.
    workers : threads or processes; None: as many as there are cores.
    plugins : files that define systems, policies or the metric, for other processes to load.
    block : most lanes of a block; None: as many as are fast.
    watch : told of each block that is done.

    Raises
    ------
    InputError : as `replay`; no pairs; buckets that are not one a game, or none is judged; what is of a wrong type.

    >>> import ratesim as rs
    >>> games = rs.GameStream.of(first=["A", "A"], second=["B", "B"], score=[1, 1], time=[0, 1])
    >>> rs.sweep([(rs.Elo(), rs.Constant(k)) for k in (0, 20, 40)], games).mean.round(4).tolist()
    [0.6931, 0.6652, 0.6389]
    """
    pairs = check_pairs(pairs, calendar)
    if not pairs:
        raise InputError("no settings to sweep over", expected="at least one pair of a system and a policy")
    found = Swept(np.empty((0, 0)), np.empty((0, 0)))
    for members, some in by_block(
        pairs, games, calendar=calendar, metric=metric, bucket=bucket, start=start, by_pool=by_pool, executor=executor,
        workers=workers, plugins=plugins, block=block,
    ):  # fmt: skip
        if not len(found.total):
            found = Swept(*(np.empty((len(pairs), each.shape[1])) for each in some))
        found.total[members], found.games[members] = some
        if watch is not None:
            watch(len(members))
    return found


def by_block(
    pairs: Sequence[Pair], games: GameStream, *, calendar: Calendar | None, metric: Metric | None,
    bucket: Buckets | None, start: Starts | None, by_pool: bool, executor: str | Executor, workers: int | None,
    plugins: Plugins, block: int | None = None,
) -> Iterator[tuple[list[int], Swept]]:  # fmt: skip
    """Yield what some of the settings lost, and which they are, block by block as each is done; raises as `sweep`."""
    check_given(games, metric)
    check_counts(block=block)
    cores = os.cpu_count() or 1 if workers is None else workers
    spreading.check(executor, cores)
    where, buckets = _buckets(bucket, games)
    asked = asked_of(calendar, metric, buckets, start, plugins, by_pool=by_pool)
    with spreading.executor(executor, cores) as pool, spreading.shared(pool, [games, where]) as common:
        most = block or near(games)
        blocks = [[group[n] for n in some] for group in groups(pairs, calendar)
                  for some in shares(len(group), most, spreading.slots(pool))]  # fmt: skip
        tasks = [task(number, [pairs[n] for n in members], asked, *common) for number, members in enumerate(blocks)]
        for done, (total, count) in spreading.finish(pool, play, tasks):
            yield blocks[int(done.id)], Swept(total, count)


def asked_of(
    calendar: Calendar | None, metric: Metric | None, buckets: int, start: Starts | None, plugins: Plugins, *,
    by_pool: bool,
) -> Asked:  # fmt: skip
    """Return what is asked of every block of settings.

    Raises
    ------
    InputError : a table of starts or a plugin is wrong.
    """
    return Asked(
        None if calendar is None else calendar.canonical(), (metric or LogLoss()).canonical(), buckets,
        None if start is None else read_starts(start), by_pool, tuple(map(str, plugin_files(plugins))),
    )  # fmt: skip


def check_given(games: GameStream, metric: Metric | None) -> None:
    """Refuse what is no stream in memory, and what is no metric.

    Raises
    ------
    InputError : it is so.
    """
    check_games(games)
    if not isinstance(metric, Metric | None):
        raise InputError(f"metric = {shown(metric)}", expected="a metric such as rs.Brier()")


def task(number: int, pairs: Sequence[Pair], asked: Asked, *arguments: Any) -> spreading.Task:  # noqa: ANN401  # what `play` takes
    """Return the call that plays some pairs, as another process can read it."""
    tables = [(system.canonical(), policy.canonical() if policy else None) for system, policy in pairs]
    specs = (*chain.from_iterable(pairs), METRICS.build(asked.metric))
    settings = Settings(tables, spreading.Origin.of(specs, asked.plugins))
    return spreading.Task(str(number), f"settings of {pairs[0][0].kind}", (settings, asked, *arguments))


def made(settings: Settings, asked: Asked) -> tuple[list[Pair], Metric]:
    """Return the pairs and the metric of a task, made anew.

    Raises
    ------
    InputError : they are made of other files here.
    """
    settings.origin.load()
    metric = METRICS.build(asked.metric)
    pairs: list[Pair] = [
        (SYSTEMS.build(system), POLICIES.build(policy) if policy else None) for system, policy in settings.tables
    ]
    settings.origin.check(*chain.from_iterable(pairs), metric)
    return pairs, metric


def near(games: GameStream) -> int:
    """Return how many lanes lie near the processor, in whole grains."""
    return min(max(NEAR // games.n_players // GRAIN, 1) * GRAIN, MANY)


def shares(n: int, most: int, workers: int, grain: int = GRAIN) -> list[range]:
    """Return 0 to n - 1 in ranges of at most `most`: as even as whole grains let them be, as many for each worker.

    >>> [len(some) for some in shares(256, 48, workers=2)], [len(some) for some in shares(40, 48, workers=2)]
    ([32, 48, 48, 32, 48, 48], [16, 24])
    """
    grain = min(grain, most)
    grains = -(-n // grain)
    ranges = -(-grains // (most // grain))
    ranges = min(-(-ranges // workers) * workers, grains)
    ends = [min(grain * (grains * k // ranges), n) for k in range(ranges + 1)]
    return [range(*each) for each in pairwise(ends)]


def _buckets(bucket: Buckets | None, games: GameStream) -> tuple[Buckets, int]:
    """Return the bucket of each game, and how many there are."""
    if bucket is None:
        months = month_blocks(games.time)
        return months - months.min(), int(months.max() - months.min()) + 1
    found = np.asarray(bucket)
    if found.shape != (len(games),):
        raise InputError(f"{found.shape} buckets of {len(games)} games", expected="one a game")
    if not np.issubdtype(found.dtype, np.integer):
        raise InputError(f"buckets of type {found.dtype}", expected="whole numbers")
    if (found < 0).all():
        raise InputError("no game is judged", expected="a bucket of 0 or more for some")
    most = max(len(games), BUCKETS)
    if (last := int(found.max())) >= most:
        raise InputError(f"bucket {last:,} of {len(games):,} games", expected=f"less than {most:,}")
    return found.astype(np.int64).clip(-1).astype(np.int32), last + 1


def play(settings: Settings, asked: Asked, games: GameStream, bucket: Buckets) -> tuple[Floats, Floats]:
    """Play one block of settings; return its sums of losses and of weights, both (lanes, buckets)."""
    pairs, metric = made(settings, asked)
    system = pairs[0][0]
    calendar = CALENDARS.build(asked.calendar) if asked.calendar else usual(system)
    if isinstance(system, WholeStream | Refit):
        return _whole(system, calendar, metric, asked, games, bucket)
    start = None if asked.start is None else of_players(asked.start, games)
    played, order = arranged(games, calendar)
    losing = Losing(loss_of(metric), bucket if order is None else bucket[order], asked.buckets)
    session = Session(variants_of(pairs), played, calendar, start=start, by_pool=asked.by_pool, losing=losing)
    session.advance(len(played))
    losses = session.state.losses
    return losses[:, 0].T, losses[:, 1].T


def _whole(
    system: WholeStream | Refit, calendar: Calendar, metric: Metric, asked: Asked, games: GameStream, bucket: Buckets
) -> tuple[Floats, Floats]:
    """Sum the losses of a system that forecasts a stream in one call."""
    run = replay(system, games, calendar=calendar, start=asked.start, by_pool=asked.by_pool)
    loss = metric.each(run.forecast, games.score)
    judged = (bucket >= 0) & ~np.isnan(loss)
    weight = np.ones(len(games)) if games.weight is None else games.weight
    total, count = np.zeros((2, 1, asked.buckets))
    np.add.at(total[0], bucket[judged], (weight * loss)[judged])
    np.add.at(count[0], bucket[judged], weight[judged])
    return total, count
