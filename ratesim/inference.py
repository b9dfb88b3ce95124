"""How sure a mean loss is: errors by blocks of games, and two systems on the same games.

Games of one month share players and form, so their losses are not independent. Blocks of them nearly are: every
error here is made from sums over blocks, whatever calendar the system itself ran under; where form lasts for a season,
blocks of seasons or years are. Replicates of a simulated world
are independent by construction: blocks of them are exactly so, and few of them do for Student's interval.

A game of weight 2 is two games here, and one of weight 0 is not there: counts of games are sums of weights.
"""

import math
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .arrays import weights
from .errors import InputError, nearest
from .rng import generator

Floats = NDArray[np.float64]
Interval = Literal["bootstrap", "student"]
ROUNDING = 1e-12  # of what either of two lost: less between them is none
Span = Literal["week", "month", "year"]


class Mean(NamedTuple):
    """A mean over games that have a value."""

    mean: float  # NaN where no game has one
    se: float  # standard error by blocks, NaN under two blocks
    n: float  # games with a value, a whole number unless weights are not
    left_out: float  # games without one: NaN
    blocks: int  # blocks with a game


class Paired(NamedTuple):
    """Mean of a - b over the games where both have a value; negative where a loses less."""

    difference: float  # NaN where no game has both
    se: float  # standard error by blocks, NaN under two blocks
    low: float  # ends of the interval, NaN under two blocks
    high: float
    n: float  # games with both values, a whole number unless weights are not
    left_out: float  # games without one of them
    blocks: int  # blocks with a game
    level: float  # of the interval


class Sums(NamedTuple):
    """Values summed by block, for blocks that have any; both (B,)."""

    total: Floats
    games: Floats
    left_out: float = 0.0  # games that have no value


def time_blocks(time: ArrayLike, by: Span = "month") -> NDArray[np.int32]:
    """Return the calendar week, month or year (UTC) of each game, as a number since that of 1970-01-01.

    Parameters
    ----------
    time : (G,) days since 1970-01-01 UTC.
    by : week (from Monday), month or year.

    >>> days = [-0.5, 0, 4, 31, 365]
    >>> [time_blocks(days, by).tolist() for by in ("week", "month", "year")]
    [[0, 0, 1, 4, 52], [-1, 0, 0, 1, 12], [-1, 0, 0, 0, 1]]
    """
    day = np.floor(np.asarray(time, dtype=np.float64))
    if by == "week":
        return ((day + 3) // 7).astype(np.int32)  # 1970-01-01 was a Thursday
    unit = {"month": "datetime64[M]", "year": "datetime64[Y]"}[by]
    return day.astype("datetime64[D]").astype(unit).astype(np.int32)


def month_blocks(time: ArrayLike) -> NDArray[np.int32]:
    """Return the calendar month (UTC) of each game, see `time_blocks`."""
    return time_blocks(time, "month")


def block_sums(values: ArrayLike, blocks: ArrayLike, weight: ArrayLike | None = None) -> Sums:
    """Return weighted sum of values and sum of weights by block, NaN left out.

    Parameters
    ----------
    values : (G,) one per game.
    blocks : (G,) whole numbers that lie close together, such as months; in any order.
    weight : (G,) at least 0, 1 where None.

    Raises
    ------
    InputError : they differ in length, or a weight is negative or missing.
    """
    value, block = np.asarray(values, dtype=np.float64), np.asarray(blocks, dtype=np.int64)
    if value.shape != block.shape or value.ndim != 1:
        raise InputError(f"{value.shape} values, {block.shape} blocks", expected="one block a value, both (G,)")
    counts = None if weight is None else weights(weight, len(value))
    missing = np.isnan(value)
    left_out = float(np.count_nonzero(missing) if counts is None else counts[missing].sum())
    there = ~missing if counts is None else ~missing & (counts > 0)
    if not there.any():
        return Sums(np.empty(0), np.empty(0), left_out)
    if not there.all():
        value, block, counts = value[there], block[there], None if counts is None else counts[there]
    where = block - block.min()
    games: Floats = np.bincount(where, counts).astype(np.float64)
    total: Floats = np.bincount(where, value if counts is None else counts * value).astype(np.float64)
    return Sums(total[games > 0], games[games > 0], left_out)


def count(games: float) -> float:
    """Return a sum of weights as games: a whole number wherever it is one."""
    return int(games) if games.is_integer() else round(games, 9)


def mean(values: ArrayLike, blocks: ArrayLike, weight: ArrayLike | None = None) -> Mean:
    """Return the mean over games and its standard error by blocks.

    With sums S_b over n_b games, both weighted, in each of B blocks, m = ΣS / Σn is a ratio of sums, and
    se² = B / (B - 1) Σ(S_b - m n_b)² / (Σn)², the linearised error of a ratio estimate over clusters
    (Cochran, Sampling Techniques, 3rd ed. 1977, ch. 6).

    Parameters
    ----------
    values : (G,) one per game; NaN is left out and counted.
    blocks : (G,) whole numbers, such as `month_blocks(games.time)`.
    weight : (G,) at least 0, 1 where None: 2 is the game twice, 0 is no game.

    Raises
    ------
    InputError : they differ in length, or a weight is negative or missing.

    >>> mean([1, 0, 1, float("nan")], [0, 0, 1, 1])
    Mean(mean=0.666..., se=0.222..., n=3, left_out=1, blocks=2)
    """
    return mean_of(block_sums(values, blocks, weight))


def mean_of(sums: Sums) -> Mean:
    """Return the mean and its error from sums by block, see `mean`."""
    n = float(sums.games.sum())
    middle = math.fsum(sums.total) / n if n else math.nan
    return Mean(middle, _error(sums, middle), count(n), count(sums.left_out), len(sums.games))


def paired(
    a: ArrayLike, b: ArrayLike, blocks: ArrayLike, weight: ArrayLike | None = None, *,
    seed: int, level: float = 0.95, draws: int = 2000, interval: Interval = "bootstrap",
) -> Paired:  # fmt: skip
    """Return the mean difference of two systems' losses over the same games, with an interval by blocks.

    "bootstrap": whole blocks are drawn with replacement, as many as there are, and the difference is the ratio of their
    sums: the percentile interval of Efron and Tibshirani (An Introduction to the Bootstrap, 1993, ch. 13) over blocks.
    The same seed meets the same luck for every pair of systems on one stream. It needs many blocks: of two, whole or
    none of the interval is luck. "student": the difference ± t se, t of B - 1 degrees of freedom, which holds for few
    blocks as well, where they are alike and independent, as replicates of a world are.

    Parameters
    ----------
    a, b : (G,) losses per game; a game where either is NaN is left out and counted.
    blocks : (G,) whole numbers, such as `month_blocks(games.time)`, or `games.replicate` of a simulated stream.
    weight : (G,) at least 0, 1 where None, as for `mean`.
    seed : of the resampling.
    level : of the interval, 0..1.
    draws : resamples.
    interval : how it is made.

    Raises
    ------
    InputError : lengths differ, or a weight, `level` or `draws` is out of range.

    >>> paired([.6, .7, .5, .9], [.7, .7, .7, .8], [0, 0, 1, 1], seed=1).n
    4
    """
    a, b = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    if a.shape != b.shape:
        raise InputError(f"losses of {a.shape} and {b.shape} games", expected="the same games")
    return paired_of(
        block_sums(difference(a, b), blocks, weight), seed=seed, level=level, draws=draws, interval=interval
    )


def paired_of(
    sums: Sums, *, seed: int, level: float = 0.95, draws: int = 2000, interval: Interval = "bootstrap"
) -> Paired:
    """Return the mean difference from sums of differences by block, see `paired`.

    Raises
    ------
    InputError : `level` or `draws` is out of range.
    """
    check_draws(level, draws, interval)
    n, B = float(sums.games.sum()), len(sums.games)
    middle = math.fsum(sums.total) / n if n else math.nan
    low, high, se = math.nan, math.nan, _error(sums, middle)
    if B > 1 and interval == "student":
        half = student(B - 1, level) * se
        low, high = middle - half, middle + half
    elif B > 1:
        means = resampled(sums, seed, draws)
        low, high = (float(q) for q in np.quantile(means, [(1 - level) / 2, (1 + level) / 2]))
    return Paired(middle, se, low, high, count(n), count(sums.left_out), B, level)


def check_draws(level: float, draws: int, interval: Interval = "bootstrap") -> None:
    """Refuse an interval that cannot be made.

    Raises
    ------
    InputError : `level` lies outside of 0..1, `draws` is under 1, or there is no such `interval`.
    """
    if not 0 < level < 1:
        raise InputError(f"level = {level}", expected="a number more than 0 and less than 1")
    if draws < 1:
        raise InputError(f"draws = {draws}", expected="at least 1")
    if interval not in get_args(Interval):
        near = nearest(interval, get_args(Interval))
        raise InputError(f"interval = '{interval}'", expected=" or ".join(get_args(Interval)), near=near)


def difference(a: Floats, b: Floats) -> Floats:
    """Return what one has more than the other; 1e-12 of either, or less, is rounding, and none.

    >>> difference(np.array([0.3, 0.5]), np.array([0.1 + 0.2, 0.4])).round(12).tolist()
    [0.0, 0.1]
    """
    found: Floats = a - b
    return np.where(np.abs(found) <= ROUNDING * np.maximum(np.abs(a), np.abs(b)), 0.0, found)


def student(degrees: int, level: float) -> float:
    """Return half the width of Student's interval, in standard errors.

    >>> [round(student(degrees, 0.95), 3) for degrees in (1, 9, 99)]
    [12.706, 2.262, 1.984]
    """
    from scipy.special import stdtrit

    return float(stdtrit(degrees, (1 + level) / 2))


def _error(sums: Sums, middle: float) -> float:
    B = len(sums.games)
    if B < 2:
        return math.nan
    squares = math.fsum((sums.total - middle * sums.games) ** 2)
    return math.sqrt(B / (B - 1) * squares) / float(sums.games.sum())


def resampled(sums: Sums, seed: int, draws: int) -> Floats:
    """Return the ratio of sums in each draw of as many blocks, with replacement (draws,).

    The same seed and number of blocks meet the same draws, whatever their sums.
    """
    B = len(sums.games)
    random = generator(seed, 0, "block bootstrap")
    out = np.empty(draws)
    step = max(1, 2**17 // B)  # a megabyte of indices at a time
    for at in range(0, draws, step):
        drawn = random.integers(B, size=(min(step, draws - at), B))
        out[at : at + step] = sums.total[drawn].sum(axis=1) / sums.games[drawn].sum(axis=1)
    return out
