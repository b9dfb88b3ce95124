"""Intervals of whole replays: months of games drawn with replacement, and all ratings learned anew from each draw."""

import os
from collections.abc import Iterable, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from math import gcd
from typing import Literal, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import ArrayLike

from . import spreading
from .calendars import CALENDARS, Calendar
from .errors import InputError, shown
from .inference import month_blocks
from .metrics import LogLoss, Metric, loss_of
from .replaying.losing import Losing, Weights
from .replaying.order import arranged
from .replaying.pairs import Pair, Starts, blocks as groups, check_pairs, of_players, usual, variants_of
from .replaying.session import Session
from .rng import check_counts, check_seed, generator
from .state import SEATS, Floats, Ints
from .stream import GameStream
from .sweep import (
    GRAIN,
    Asked,
    Plugins,
    Settings,
    asked_of,
    check_given,
    made,
    near,
    play as swept,
    shares,
    task,
)
from .systems.base import System

PIECE = 2**14  # games whose weights are written out at a time


class Bootstrap(NamedTuple):
    """The mean loss of each setting, on the games as they are and on every draw of them."""

    mean: Floats  # (S,) of the plain replay
    drawn: Floats  # (S, draws) of the replays of the draws, NaN where a draw has no game that is judged
    against: int  # the setting that the others are held to
    level: float  # of the intervals

    @property
    def interval(self) -> Floats:
        """The interval of each mean (S, 2)."""
        return self._around(self.mean, self.drawn)

    @property
    def difference(self) -> Floats:
        """The mean loss of each setting less that of `against` (S,)."""
        found: Floats = self.mean - self.mean[self.against]
        return found

    @property
    def difference_interval(self) -> Floats:
        """The interval of each difference (S, 2), from differences draw by draw."""
        return self._around(self.difference, self.drawn - self.drawn[self.against])

    @property
    def shift(self) -> Floats:
        """How much more a setting loses in a mean draw than on the games as they are (S,)."""
        found: Floats = np.nanmean(self.drawn, axis=1) - self.mean
        return found

    def table(self) -> pl.DataFrame:
        """Return a row a setting: mean, low, high, shift, and difference with its low and high."""
        low, high = self.interval.T
        less, more = self.difference_interval.T
        return pl.DataFrame(
            {
                "setting": np.arange(len(self.mean)), "mean": self.mean, "low": low, "high": high, "shift": self.shift,
                "difference": self.difference, "difference_low": less, "difference_high": more,
            }
        )  # fmt: skip

    def _around(self, middle: Floats, drawn: Floats) -> Floats:
        spread = drawn - np.nanmean(drawn, axis=1, keepdims=True)
        tails = np.nanquantile(spread, [(1 - self.level) / 2, (1 + self.level) / 2], axis=1)
        found: Floats = (middle + tails).T
        return found


class Drawing(NamedTuple):
    """Where draws come from: draw 0 is all blocks once, each other as many of them as there are, with replacement."""

    seed: int
    blocks: int

    def times(self, draws: range) -> Floats:
        """Return how often each block stands in some draws (B, draws)."""
        return np.stack([self._one(draw) for draw in draws], axis=1)

    def _one(self, draw: int) -> Floats:
        if draw == 0:
            return np.ones(self.blocks)
        drawn = generator(self.seed, draw - 1, "bootstrap of replays").integers(self.blocks, size=self.blocks)
        return np.bincount(drawn, minlength=self.blocks).astype(np.float64)


def bootstrap(
    pairs: Iterable[Pair], games: GameStream, *, seed: int, draws: int = 200, calendar: Calendar | None = None,
    metric: Metric | None = None, blocks: ArrayLike | None = None, judged: ArrayLike | None = None,
    start: Starts | None = None, by_pool: bool = False, against: int | Literal["best"] = 0, level: float = 0.95,
    executor: str | Executor = "threads", workers: int | None = None,
    plugins: Plugins = (), block: int | None = None,
) -> Bootstrap:  # fmt: skip
    """Return the mean losses of systems and policies with intervals of the whole replay.

    Blocks of games, which are months, are drawn with replacement, as many as there are (Efron & Tibshirani, An
    Introduction to the Bootstrap, 1993, ch. 8.6 and 13; blocks of a series: Kuensch, Ann. Statist. 17 (1989) 1217). In
    each draw the stream is played anew: games of a block that was drawn twice have weight 2, those of a block that was
    not have weight 0, both in what is learned from them and in what they cost. So intervals hold the luck of what
    ratings were learned from, where `paired` has only that of the games they were judged by. Every setting meets the
    same draws.

    A draw is bit for bit `replay` of the stream with these weights: time keeps its order, a month that was not drawn is
    one in which games are forecast and nobody learns, players make their debut with the first game that counts. What
    changes from year to year, or from one set of players to another, is not in it. Learning from games twice, or with
    gaps, forecasts worse than learning from all of them once: draws lose more than the plain replay by `shift`, so that
    intervals are the quantiles of draws about their own mean, moved to that of the plain replay.

    Draws are lanes of one pass, beside settings. Memory: players x fields x lanes of the passes at work, the stream.

    Parameters
    ----------
    pairs : systems and their policies; a policy None is the system's own default.
    games : the stream, not of several replicates: nobody learns across them, and `paired` by replicate is exact.
    seed : of the draws; draw d is the same however many there are.
    draws : how many, at least 2.
    calendar, start, by_pool, metric, executor, workers, plugins : as in `sweep`.
    blocks : (G,) whole numbers, what is drawn as a whole; None: the months.
    judged : (G,) whether a game is judged; None: all are. Games that are not are drawn, too, and learned from.
    against : the setting that differences are to: its place, or "best", the one whose plain replay is.
    level : of the intervals, 0..1.
    block : most lanes of a pass; None: as many as are fast.

    Raises
    ------
    InputError : as `sweep`; fewer than two blocks have a game that is judged; a number is out of range.

    >>> import ratesim as rs
    >>> games = rs.League(players=20, rounds=40, days=300).simulate(seed=1)
    >>> found = rs.bootstrap([(rs.Elo(), rs.Constant(k)) for k in (10, 20)], games, draws=50, seed=1)
    >>> found.drawn.shape, found.table().columns[:4]
    ((2, 50), ['setting', 'mean', 'low', 'high'])
    """
    cores = os.cpu_count() or 1 if workers is None else workers
    pairs = check_pairs(pairs, calendar)
    _check(pairs, against, level, seed, draws, block=block, workers=workers)
    check_given(games, metric)
    spreading.check(executor, cores)
    where, drawing = _blocks(blocks, games, seed)
    bucket = _judged(judged, games, where)
    asked = asked_of(calendar, metric, 1, start, plugins, by_pool=by_pool)
    means = np.empty((len(pairs), draws + 1))
    with spreading.executor(executor, cores) as pool, spreading.shared(pool, [games, where, bucket]) as common:
        cut = _cut(pairs, calendar, draws + 1, min(block or near(games), SEATS), spreading.slots(pool))
        tasks = [
            task(n, [pairs[m] for m in members], asked, drawing, some, *common) for n, (members, some) in enumerate(cut)
        ]
        for done, found in spreading.finish(pool, play, tasks):
            members, some = cut[int(done.id)]
            means[members, some.start : some.stop] = found
    return Bootstrap(means[:, 0], means[:, 1:], _place(against, means[:, 0], metric or LogLoss()), level)


def _check(
    pairs: Sequence[Pair], against: int | str, level: float, seed: int, draws: int | None, **counts: int | None
) -> None:
    check_seed(seed)
    if draws is None:
        raise InputError("draws = None", expected="a whole number, at least 2")
    check_counts(2, draws=draws)
    check_counts(**counts)
    if not pairs:
        raise InputError("no settings to draw games for", expected="at least one pair of a system and a policy")
    place = isinstance(against, int | np.integer) and not isinstance(against, bool) and against in range(len(pairs))
    if not place and not (isinstance(against, str) and against == "best"):
        raise InputError(f"against = {shown(against)}", expected=f"best, or the place of a pair, 0 to {len(pairs) - 1}")
    share: object = level
    if not isinstance(share, float | int) or not 0 < share < 1:
        raise InputError(f"level = {shown(level)}", expected="a number more than 0 and less than 1")


def _blocks(blocks: ArrayLike | None, games: GameStream, seed: int) -> tuple[Ints, Drawing]:
    """Return the block of each game (G,), numbered without gaps."""
    if blocks is None and games.replicate is not None and games.replicate.min() < games.replicate.max():
        raise InputError(
            "games of several replicates", where="bootstrap",
            expected="those of one, or rs.paired by replicate: what one learns is nothing to the others",
        )  # fmt: skip
    given = month_blocks(games.time) if blocks is None else np.asarray(blocks)
    if given.shape != (len(games),) or not np.issubdtype(given.dtype, np.integer):
        raise InputError(f"{given.shape} blocks of {len(games)} games", expected="a whole number for each")
    names, where = np.unique(given, return_inverse=True)
    return where.astype(np.int32), Drawing(seed, len(names))


def _judged(judged: ArrayLike | None, games: GameStream, where: Ints) -> Ints:
    """Return 0 for each game that is judged, -1 for others."""
    given = np.ones(len(games), np.bool_) if judged is None else np.asarray(judged)
    if given.shape != (len(games),) or given.dtype != np.bool_:
        raise InputError(f"judged {given.shape} of {len(games)} games", expected="true or false for each")
    counts = given if games.weight is None else given & (games.weight > 0.0)
    if len(np.unique(where[counts])) < 2:
        raise InputError(
            "fewer than two blocks have a game that is judged", where="bootstrap", expected="games of several months"
        )
    return np.where(given, 0, -1).astype(np.int32)


def _cut(
    pairs: Sequence[Pair], calendar: Calendar | None, draws: int, most: int, workers: int
) -> list[tuple[list[int], range]]:
    """Return blocks of lanes: the places of some pairs, and the draws that they meet."""
    some = []
    for group in groups(pairs, calendar):
        for begin in range(0, len(group), most):
            members = group[begin : begin + most]
            lanes = len(members)
            some += [(members, each) for each in shares(draws, most // lanes, workers, GRAIN // gcd(GRAIN, lanes))]
    return some


def _place(against: int | Literal["best"], mean: Floats, metric: Metric) -> int:
    if against != "best":
        return int(against)
    return int(np.nanargmin(mean if metric.lower_is_better else -mean))


def play(
    settings: Settings, asked: Asked, drawing: Drawing, draws: range, games: GameStream, where: Ints, bucket: Ints
) -> Floats:
    """Play some settings in some draws; return their mean losses (S, draws)."""
    pairs, metric = made(settings, asked)
    system = pairs[0][0]
    calendar = CALENDARS.build(asked.calendar) if asked.calendar else usual(system)
    times = drawing.times(draws)
    if isinstance(system, System) and _in_lanes(system, calendar):
        total, count = _lanes(pairs, metric, asked, calendar, times, games, where, bucket)
    else:
        base = np.ones(len(games)) if games.weight is None else games.weight
        streams = (replace(games, weight=base * each[where]) for each in times.T)
        found = [swept(settings, asked, stream, bucket) for stream in streams]
        total, count = (np.concatenate(each, axis=1) for each in zip(*found, strict=True))
    means: Floats = np.divide(total, count, out=np.full(total.shape, np.nan), where=count > 0)
    return means


def _in_lanes(system: System, calendar: Calendar) -> bool:
    """Return whether lanes can have weights of their own: not where evidence waits while deviations grow."""
    return not system.alone and (system.kernels().drift is None or calendar.depth == 1)


def _lanes(
    pairs: Sequence[Pair], metric: Metric, asked: Asked, calendar: Calendar, times: Floats, games: GameStream,
    where: Ints, bucket: Ints,
) -> tuple[Floats, Floats]:  # fmt: skip
    """Play settings and draws side by side; return sums of losses and of weights, both (S, draws)."""
    shape = (len(pairs), times.shape[1])
    start = None if asked.start is None else of_players(asked.start, games)
    played, order = arranged(games, calendar)
    if order is not None:
        where, bucket = where[order], bucket[order]
    variants = [variant for variant in variants_of(pairs) for _ in range(shape[1])]
    session = Session(
        variants, played, calendar, start=start, by_pool=asked.by_pool,
        weights=Weights(where, np.tile(times, (1, shape[0]))),
        losing=Losing(loss_of(metric), bucket, 1),
    )  # fmt: skip
    for begin in range(0, len(played), PIECE):
        session.advance(min(begin + PIECE, len(played)))
    total, count = session.state.losses[0]
    return total.reshape(shape), count.reshape(shape)
