"""What follows by arithmetic alone from losses of settings, summed over games that lie together (`sweep.Swept`)."""

from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from ..inference import ROUNDING, Interval, Paired, Sums, paired_of, student
from ..jit import Function, specialise
from ..rng import generator
from ..sweep import Swept, added
from .folds import Parts

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
AT_ONCE = 512  # settings that are resampled together, so that memory does not grow with their number
ROOM = 2**22  # means of resamples that are held together, so that it grows with that of the draws by little


def within(lost: Swept, parts: Parts, low: int, high: int) -> Swept:
    """Return the sums by period over blocks low to high - 1, of periods with a forecast of any of their games.

    Parameters
    ----------
    lost : of each setting, by bucket of `parts`.
    """
    here = (parts.block >= low) & (parts.block < high) & (lost.games > 0).any(axis=0)
    periods, where = np.unique(parts.period[here], return_inverse=True)
    found = [np.zeros((len(lost.total), len(periods))) for _ in lost]
    for sums, each in zip(found, lost, strict=True):
        for column, period in zip(np.flatnonzero(here), where, strict=True):
            sums[:, period] += each[:, column]
    return Swept(*found)


class Resampled(NamedTuple):
    """What comes of it when periods are drawn with replacement, each time anew."""

    winner: Ints  # (draws,) the setting that is then the best
    low: Floats  # (S,) ends of the interval of each setting's loss less that of the best
    high: Floats


def pick(lost: Swept, sign: int, rank: Ints) -> int:
    """Return the setting of the least mean loss; `sign` -1: of the greatest.

    Parameters
    ----------
    rank : of each setting (S,), all different: of those that are equal within rounding the least ranked is taken.
    """
    mean = sign * lost.mean
    mean = np.where(np.isnan(mean), np.inf, mean)
    return int(np.argmin(np.where(mean <= _bound(mean.min()), rank, len(rank))))


def ordered(mean: Floats, rank: Ints) -> Ints:
    """Return the order of means, none NaN, from the least on; those equal within rounding by rank."""
    by = np.argsort(mean, kind="stable")
    level = np.cumsum(np.append(False, mean[by][1:] > _bound(mean[by][:-1])))
    order: Ints = by[np.lexsort((rank[by], level))]
    return order


def tied(lost: Swept, best: int) -> Bools:
    """Return which settings have the mean loss of one of them, within rounding (S,)."""
    mean = lost.mean
    same: Bools = np.isclose(mean, mean[best], rtol=ROUNDING, atol=0)
    return same


def idle(lost: Swept, settings: Floats, n: int) -> bool:
    """Return whether one parameter changes no loss: settings (S, P) that differ in it alone lose alike everywhere."""
    others = np.delete(settings, n, axis=1)
    _, first, group = np.unique(others, axis=0, return_index=True, return_inverse=True)
    if len(first) == len(settings):
        return False  # no two differ in it alone
    same = lost.of(first[group.reshape(-1)])
    close = np.isclose(lost.total, same.total, rtol=ROUNDING, atol=ROUNDING * np.abs(lost.total).max())
    return bool(close.all()) and np.array_equal(lost.games, same.games)


def _bound(least: Any) -> Any:  # noqa: ANN401  # a number or an array of them
    """Return up to where losses are equal to the least."""
    return least + ROUNDING * np.abs(least)


def errors(lost: Swept) -> Floats:
    """Return the standard error of each mean (S,), as `inference.mean` makes it of one; NaN under two periods."""
    B, games = lost.total.shape[1], added(lost.games)
    if B < 2:
        return np.full(len(games), np.nan)
    error: Floats = np.sqrt(B / (B - 1) * added((lost.total - lost.mean[:, None] * lost.games) ** 2)) / games
    return error


def resampled(
    lost: Swept, best: int, *, sign: int, rank: Ints, seed: int, draws: int, level: float, kind: str
) -> Resampled:
    """Return which settings would have been the best, and intervals of differences to the one that is.

    Whole periods are drawn with replacement, the same ones for all settings, as `inference.paired` draws its blocks.
    `low` and `high` hold each setting against the best of all games, pair by pair; `winner` is chosen anew in each
    resample. The percentile interval of a minimum's place is not exact: it is as fine as the settings that were tried.
    Few settings at a time meet all draws, which are made anew for them, the same ones by their seed.

    Parameters
    ----------
    lost : by period; two or more.
    rank : as in `pick`.
    kind : of periods. Differences over replicates have Student's interval, those over months that of the bootstrap.
    """

    def means_of(some: slice) -> Floats:
        return sign * _means(lost.of(some), _drawn(lost.total.shape[1], seed, draws), draws)

    reference = means_of(slice(best, best + 1))[:, 0]
    held, winner = np.where(np.isnan(reference), np.inf, reference), np.full(draws, best)
    least = held  # of all so far; held: of the winner, which may be more by rounding
    low, high = np.empty(len(lost.total)), np.empty(len(lost.total))
    step = max(1, min(AT_ONCE, ROOM // draws))
    for begin in range(0, len(lost.total), step):
        here = slice(begin, begin + step)
        means = means_of(here)
        means = np.where(np.isnan(means), np.inf, means)
        least = np.minimum(least, means.min(axis=1))
        bound = _bound(least)
        place = np.argmin(np.where(means <= bound[:, None], rank[here], len(rank)), axis=1)
        value = means[np.arange(draws), place]
        better = (value <= bound) & ((held > bound) | (rank[place + begin] < rank[winner]))
        held, winner = np.where(better, value, held), np.where(better, place + begin, winner)
        ends = np.quantile(means - reference[:, None], [(1 - level) / 2, (1 + level) / 2], axis=0)
        low[here], high[here] = np.sort(sign * ends, axis=0)
    if kind == "replicate":
        low, high = _student(lost, best, level)
    return Resampled(winner, low, high)


def difference(lost: Swept, a: int, b: int, *, seed: int, draws: int, level: float, kind: str) -> Paired | None:
    """Return the mean of a's losses less b's, with its interval; None where they forecast different games."""
    if not np.array_equal(lost.games[a], lost.games[b]):
        return None
    there = lost.games[a] > 0
    sums = Sums((lost.total[a] - lost.total[b])[there], lost.games[a][there])
    interval: Interval = "student" if kind == "replicate" else "bootstrap"
    return paired_of(sums, seed=seed, level=level, draws=draws, interval=interval)


def _student(lost: Swept, best: int, level: float) -> tuple[Floats, Floats]:
    alike = np.divide(lost.games, lost.games[best], out=np.zeros(lost.games.shape), where=lost.games[best] > 0)
    less = Swept(lost.total - lost.total[best] * alike, lost.games)  # alike is 1 where both forecast the same games
    half = student(lost.total.shape[1] - 1, level) * errors(less)
    return less.mean - half, less.mean + half


def _drawn(periods: int, seed: int, draws: int) -> Iterator[Floats]:
    """Yield how often each period is drawn (some draws, periods), as `inference.paired` draws them."""
    random = generator(seed, 0, "block bootstrap")
    step = max(1, 2**17 // periods)
    for at in range(0, draws, step):
        drawn = random.integers(periods, size=(min(step, draws - at), periods))
        times = np.zeros(drawn.shape)
        np.add.at(times, (np.arange(len(drawn))[:, None], drawn), 1.0)
        yield times


def _means(lost: Swept, drawn: Iterator[Floats], draws: int) -> Floats:
    """Return the mean loss of each setting in each resample, (draws, S)."""
    out, begin = np.full((draws, len(lost.total)), np.nan), 0
    by_period = [np.ascontiguousarray(each.T) for each in lost]
    for times in drawn:
        total, games = np.zeros((2, len(times), len(lost.total)))
        for into, each in zip((total, games), by_period, strict=True):
            _loop()(times, each, into)
        end = begin + len(times)
        np.divide(total, games, out=out[begin:end], where=games > 0)
        begin = end
    return out


@cache
def _loop() -> Function:
    return specialise(cast("Function", _tally), "a bootstrap of settings")


def _tally(times: Floats, values: Floats, total: Floats) -> None:
    """Add to each draw (row) and setting (column) what its periods come to, one after the other.

    A product of matrices, for the same bits on any machine in a fixed order: no library promises one.
    """
    for draw in range(times.shape[0]):
        for period in range(times.shape[1]):
            n = times[draw, period]
            for setting in range(values.shape[1]):
                total[draw, setting] += n * values[period, setting]
