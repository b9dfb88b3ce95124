"""Errors by players: games that share a player share that player's luck."""

import math
from functools import cache
from typing import Literal, NamedTuple, cast, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..arrays import weights
from ..errors import InputError
from ..inference import check_draws, student
from ..jit import Function, specialise
from ..rng import generator

Floats = NDArray[np.float64]
Ints = NDArray[np.integer]
Method = Literal["dyadic", "bootstrap"]
LANES = 16  # draws of one pass over the games


class Players(NamedTuple):
    """How sure a mean over games is, where games of one player hang together."""

    se: float  # NaN under two players
    low: float  # ends of the interval, NaN likewise
    high: float
    players: int  # with a game


class Couples(NamedTuple):
    """Who met whom."""

    first: Ints  # (G,) 0..players-1
    second: Ints
    couple: Ints  # (G,) 0..couples-1, whoever was first
    players: int
    couples: int


def by_players(
    values: ArrayLike, first: ArrayLike, second: ArrayLike, weight: ArrayLike | None = None, *,
    level: float = 0.95, method: Method = "dyadic", seed: int = 0, draws: int = 1000,
) -> Players:  # fmt: skip
    """Return the error of the mean over games, whose luck is taken to hang together where they share a player.

    "dyadic": with u what a game lies above the mean, the variance of Σu is the sum of u u' over all pairs of games that
    share a player (Fafchamps & Gubert, J. Dev. Econ. 83 (2007) 326; Aronow, Samii & Assenova, Political Analysis 23
    (2015) 564): over players Σ_i (Σu)², less over couples Σ_ij (Σu)², whose games that counts twice; never less than
    Σu², what games have that share nothing. N / (N - 1) for small samples, Student's t of N - 1 degrees of freedom.

    "bootstrap": players are drawn with replacement, and a game counts as often as both of its players together (the
    pigeonhole bootstrap, Owen, Ann. Appl. Stat. 1 (2007) 386); percentiles of the means. A game's own luck is then
    drawn three times over: it is never too sure, and of games that hang together little it is too unsure by up to √3.

    Parameters
    ----------
    values : (G,) one a game, such as a difference of losses; NaN is left out.
    first, second : (G,) players, whole numbers from 0.
    weight : (G,) at least 0, 1 where None.
    level : of the interval. seed, draws : of the bootstrap.

    Raises
    ------
    InputError : they differ in length, a weight is negative, or there is no such method or level.
    """
    values = np.asarray(values, dtype=np.float64)
    if not np.shape(first) == np.shape(second) == values.shape:
        said = f"{values.shape} values, players {np.shape(first)} and {np.shape(second)}"
        raise InputError(said, expected="two players a game, all (G,)")
    seats = couples(first, second)
    check_draws(level, draws)
    if method not in get_args(Method):
        raise InputError(f"method = '{method}'", expected=" or ".join(get_args(Method)))
    counts = weights(weight, len(values))
    if method == "dyadic":
        return dyadic(values, seats, counts, level=level)
    there = ~np.isnan(values) & (counts > 0)
    used = couples(seats.first[there], seats.second[there])
    if used.players < 2:
        return Players(math.nan, math.nan, math.nan, used.players)
    means = _drawn(values[there], used, counts[there], seed, draws)
    low, high = np.nanquantile(means, [(1 - level) / 2, (1 + level) / 2])
    return Players(float(np.nanstd(means, ddof=1)), float(low), float(high), used.players)


def couples(first: ArrayLike, second: ArrayLike) -> Couples:
    """Return who met whom, as numbers without gaps; both (G,)."""
    seats = np.stack([np.asarray(first, dtype=np.int64), np.asarray(second, dtype=np.int64)])
    players, own = np.unique(seats, return_inverse=True)
    own = own.reshape(seats.shape)
    met, couple = np.unique(own.min(axis=0) * len(players) + own.max(axis=0), return_inverse=True)
    return Couples(own[0], own[1], couple, len(players), len(met))


def dyadic(values: Floats, seats: Couples, weight: Floats, *, level: float) -> Players:
    """Return the error of a mean over games by pairs of games that share a player, see `by_players`."""
    weight = np.where(np.isnan(values), 0.0, weight)
    played = np.bincount(seats.first, weight, seats.players) + np.bincount(seats.second, weight, seats.players)
    N, n = int(np.count_nonzero(played)), float(weight.sum())
    if N < 2:
        return Players(math.nan, math.nan, math.nan, N)
    values = np.where(weight > 0, values, 0.0)
    middle = float((weight * values).sum()) / n
    left = weight * (values - middle)
    by_player = np.bincount(seats.first, left, seats.players) + np.bincount(seats.second, left, seats.players)
    by_couple = np.bincount(seats.couple, left, seats.couples)
    shared = float(np.square(by_player).sum() - np.square(by_couple).sum())
    se = math.sqrt(N / (N - 1) * max(shared, float(np.square(left).sum()))) / n
    half = student(N - 1, level) * se
    return Players(se, middle - half, middle + half, N)


def _drawn(values: Floats, seats: Couples, weight: Floats, seed: int, draws: int) -> Floats:
    """Return the mean in each draw of players (draws,), NaN where no game is drawn."""
    random, means, N = generator(seed, 0, "bootstrap of players"), np.empty(draws), seats.players
    for at in range(0, draws, LANES):
        times = np.stack([np.bincount(random.integers(N, size=N), minlength=N) for _ in range(LANES)], axis=1)
        total, games = np.zeros(LANES), np.zeros(LANES)
        _loop()(values, seats.first, seats.second, weight, times.astype(np.float64), total, games)
        here = min(LANES, draws - at)
        with np.errstate(invalid="ignore"):
            means[at : at + here] = (total / games)[:here]
    return means


@cache
def _loop() -> Function:
    return specialise(cast("Function", _tally), "a bootstrap of players")


def _tally(
    values: Floats, first: Ints, second: Ints, weight: Floats, times: Floats, total: Floats, games: Floats
) -> None:
    """Add to each draw (lane) what games come to there, and how many they are."""
    for g in range(len(values)):
        i, j = first[g], second[g]
        for lane in range(len(total)):
            count = times[i, lane] * times[j, lane] * weight[g]
            games[lane] += count
            total[lane] += count * values[g]
