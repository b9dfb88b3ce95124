"""Sweeps: many systems and policies over the same games, their losses summed while games are played."""

import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import Any, NamedTuple, Protocol

import numpy as np
import polars as pl
from numpy.typing import NDArray

from .calendars import Calendar
from .errors import InputError
from .inference import month_blocks
from .io.starts import read_starts
from .metrics import LogLoss, Metric, loss_of
from .replay import replay
from .replaying.losing import Losing
from .replaying.order import arranged
from .replaying.pairs import Pair, Starts, blocks, check_pairs, of_players, usual, variants_of
from .replaying.session import Session
from .state import SEATS, Floats
from .stream import GameStream
from .systems.base import WholeStream

Buckets = NDArray[np.int32]
NEAR = 2**20  # doubles of state in a block of lanes: what lies near the processor
FEW, MANY = 16, 64  # lanes of a block, unless there are fewer settings


class Swept(NamedTuple):
    """Losses of each setting over each bucket of games."""

    total: Floats  # (S, B) sums of losses, each times the weight of its game
    games: Floats  # (S, B) sums of weights of the games that have a forecast

    @property
    def mean(self) -> Floats:
        """The mean loss of each setting (S,), NaN of one that forecasts no game."""
        games = self.games.sum(axis=1)
        found: Floats = np.divide(self.total.sum(axis=1), games, out=np.full(len(games), np.nan), where=games > 0)
        return found


class Watch(Protocol):
    """Who is told how it goes."""

    def __call__(self, settings: int) -> None:
        """Hear that so many settings more are done."""


class Task(NamedTuple):
    """One block of settings, played side by side: all that another process has to know."""

    pairs: list[Pair]
    games: GameStream
    calendar: Calendar | None
    metric: Metric
    bucket: Buckets
    buckets: int
    start: pl.DataFrame | None
    by_pool: bool


def sweep(
    pairs: Sequence[Pair], games: GameStream, *, calendar: Calendar | None = None, metric: Metric | None = None,
    bucket: Buckets | None = None, start: Starts | None = None, by_pool: bool = False, workers: int | None = None,
    executor: Executor | None = None, block: int | None = None, watch: Watch | None = None,
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
    workers : threads; None: as many as there are cores.
    executor : what works in their place, such as a pool of processes or a cluster's.
    block : most lanes of a block; None: as many as are fast.
    watch : told of each block that is done.

    Raises
    ------
    InputError : as `replay`; no pairs; buckets that are not one a game, or none is judged.

    >>> import ratesim as rs
    >>> games = rs.GameStream.of(first=["A", "A"], second=["B", "B"], score=[1, 1], time=[0, 1])
    >>> rs.sweep([(rs.Elo(), rs.Constant(k)) for k in (0, 20, 40)], games).mean.round(4).tolist()
    [0.6931, 0.6789, 0.6651]
    """
    check_pairs(pairs, calendar)
    if not pairs:
        raise InputError("no settings to sweep over", expected="at least one pair of a system and a policy")
    for name, value in (("workers", workers), ("block", block)):
        if value is not None and value < 1:
            raise InputError(f"{name} = {value}", expected="at least 1")
    where, buckets = _buckets(bucket, games)
    table = None if start is None else read_starts(start)
    threads = workers or os.cpu_count() or 1
    some = _cut(pairs, games, calendar, threads, block)
    tasks = [
        Task([pairs[n] for n in members], games, calendar, metric or LogLoss(), where, buckets, table, by_pool)
        for members in some
    ]
    total, count = np.empty((len(pairs), buckets)), np.empty((len(pairs), buckets))
    for members, found in zip(some, _played(tasks, threads, executor), strict=True):
        total[members], count[members] = found
        if watch is not None:
            watch(len(members))
    return Swept(total, count)


def _buckets(bucket: Buckets | None, games: GameStream) -> tuple[Buckets, int]:
    """Return the bucket of each game, and how many there are."""
    if bucket is None:
        months = month_blocks(games.time)
        return months - months.min(), int(months.max() - months.min()) + 1
    found = np.ascontiguousarray(bucket, dtype=np.int32)
    if found.shape != (len(games),):
        raise InputError(f"{found.shape} buckets of {len(games)} games", expected="one a game")
    if (found < 0).all():
        raise InputError("no game is judged", expected="a bucket of 0 or more for some")
    return found, int(found.max()) + 1


def _cut(
    pairs: Sequence[Pair], games: GameStream, calendar: Calendar | None, workers: int, block: int | None
) -> list[list[int]]:
    """Return the places of the pairs in blocks: few enough lanes to stay near the processor, blocks for all workers."""
    near = min(max(NEAR // games.n_players, FEW), MANY)
    some = []
    for group in blocks(pairs, calendar):
        size = min(block or min(near, max(FEW, -(-len(group) // workers))), SEATS)
        some += [group[begin : begin + size] for begin in range(0, len(group), size)]
    return some


def _played(tasks: Sequence[Task], workers: int, executor: Executor | None) -> Iterable[tuple[Floats, Floats]]:
    if executor is not None:
        return executor.map(play, tasks)
    if min(workers, len(tasks)) == 1:
        return map(play, tasks)
    return _on_threads(play, tasks, workers)


def _on_threads(function: Callable[[Task], Any], tasks: Sequence[Task], workers: int) -> Iterable[Any]:
    with ThreadPoolExecutor(workers, "ratesim sweep") as pool:
        yield from pool.map(function, tasks)


def play(task: Task) -> tuple[Floats, Floats]:
    """Play one block of settings; return its sums of losses and of weights, both (lanes, buckets)."""
    system = task.pairs[0][0]
    calendar = task.calendar or usual(system)
    if isinstance(system, WholeStream):
        return _whole(system, calendar, task)
    start = None if task.start is None else of_players(task.start, task.games)
    played, order = arranged(task.games, calendar)
    bucket = task.bucket if order is None else task.bucket[order]
    session = Session(
        variants_of(task.pairs), played, calendar, start=start, by_pool=task.by_pool,
        losing=Losing(loss_of(task.metric), bucket, task.buckets),
    )  # fmt: skip
    session.advance(len(played))
    losses = session.state.losses
    return losses[:, 0].T, losses[:, 1].T


def _whole(system: WholeStream, calendar: Calendar, task: Task) -> tuple[Floats, Floats]:
    """Sum the losses of a system that forecasts a stream in one call."""
    games = task.games
    run = replay(system, games, calendar=calendar, start=task.start, by_pool=task.by_pool)
    loss = task.metric.each(run.forecast, games.score)
    judged = (task.bucket >= 0) & ~np.isnan(loss)
    weight = np.ones(len(games)) if games.weight is None else games.weight
    total, count = np.zeros((2, 1, task.buckets))
    np.add.at(total[0], task.bucket[judged], (weight * loss)[judged])
    np.add.at(count[0], task.bucket[judged], weight[judged])
    return total, count
