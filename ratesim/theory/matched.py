"""T5 and T10: one player against opponents who are rated like him, and rated right."""

import math

import numpy as np
from numpy.typing import NDArray

from ..curves import Q
from ..errors import InputError
from .ranges import inside

Floats = NDArray[np.float64]


def matched_law(k: float) -> tuple[Floats, Floats]:
    """Return the stationary law of rating less skill as points (n,), rating points, and their probabilities (n,), T5.

    Opponents are rated like the player, and rated right: E is 1/2, and the error walks in steps of K/2 with the chance
    sig(-x / s) to rise. Detailed balance gives pi(x + K/2) / pi(x) = (1 + e^{-(x + K/2) / s}) / (1 + e^{x / s}). Points
    are x = n K/2; of other starts the law is that of a shifted lattice. Odd and even points take turns: it is the law
    over two games.

    Parameters
    ----------
    k : above 0.
    """
    inside(0, k=k)
    step = k / 2.0
    n = math.ceil(12.0 * math.sqrt(k / (2.0 * Q)) / step) + 40  # twelve standard deviations
    up = np.arange(n) * step * Q  # in units of s
    ratio = np.log1p(np.exp(-(up + step * Q))) - np.log1p(np.exp(up))
    half = np.exp(np.concatenate([[0.0], np.cumsum(ratio)]))
    law: Floats = np.concatenate([half[:0:-1], half])
    law /= law.sum()
    points: Floats = np.arange(-n, n + 1, dtype=np.float64) * step
    return points, law


def matched_sd(k: float) -> float:
    """Return the standard deviation of `matched_law`, rating points.

    >>> round(matched_sd(20), 4)
    41.9783
    """
    points, law = matched_law(k)
    return math.sqrt(float((points * points * law).sum()))


def first_passage(k: float, below: float) -> float:
    """Return the mean number of games until one who is rated too low first stands at his skill, T5.

    Opponents as in `matched_law`. From x the mean until x + K/2 is m(x) = (1 + q(x) m(x - K/2)) / p(x), p being the
    chance to rise and q = 1 - p.

    Parameters
    ----------
    below : how much too low, rating points: a multiple of K/2, above 0.

    Raises
    ------
    InputError : `below` is no multiple of K/2.

    >>> round(first_passage(20, 100), 3)
    55.369
    """
    inside(0, k=k, below=below)
    step = k / 2.0
    steps = round(below / step)
    if steps < 1 or not math.isclose(steps * step, below, rel_tol=1e-9):
        raise InputError(f"below = {below} is no multiple of K/2 = {step:g}", expected="so many whole steps of K/2")
    deep = steps + math.ceil(40.0 / (step * Q))  # from where nobody falls
    games, mean = 0.0, 1.0
    for n in range(deep, 0, -1):
        rise = 1.0 / (1.0 + math.exp(-n * step * Q))
        mean = (1.0 + (1.0 - rise) * mean) / rise
        games += mean if n <= steps else 0.0
    return games


def convergence_games(k: float, start: float, end: float) -> float:
    """Return the games in which the mean error falls from `start` to `end`, T10.

    n = (4 s / K) ln(sinh(|start| / 2s) / sinh(|end| / 2s)), which solves dx/dn = -(K / 2) tanh(x / 2s): the drift of
    one who meets opponents rated like him, or of his own strength, that are rated right.

    Parameters
    ----------
    start, end : errors, rating points, of which `end` is the smaller and not 0.

    Raises
    ------
    InputError : they are not, or K is not above 0.

    >>> round(convergence_games(20, 400, 50), 1)
    79.5
    """
    inside(-math.inf, start=start)
    inside(0, end=abs(end))
    if abs(end) > abs(start):
        raise InputError(f"end = {end}", expected=f"an error no larger than that at the start, {start}")
    far, near = abs(start) * Q / 2.0, abs(end) * Q / 2.0
    return time_constant(k) * (far - near + math.log(math.expm1(-2.0 * far) / math.expm1(-2.0 * near)))


def time_constant(k: float) -> float:
    """Return the games in which a small error falls to 1/e, 4 s / K: beta h with h = 1/4 is lost each game, T10.

    >>> round(time_constant(20), 1)
    34.7
    """
    inside(0, k=k)
    return 4.0 / (Q * k)
