"""T6, T7 and T11: how far ratings stray at rest, how they stretch, and how they follow skills that change."""

import math
from typing import Literal

from ..curves import Q, logistic_curve
from ..errors import InputError
from .ranges import inside


def score_variance(expected: float, draw: float = 0.0) -> float:
    """Return the variance of the score of a game, p (1 - p) - d / 4.

    Parameters
    ----------
    expected : p, true expected score.
    draw : d, probability of a draw, at most 2 min(p, 1 - p).
    """
    inside(0, 1, closed=True, expected=expected)
    inside(0, 2.0 * min(expected, 1.0 - expected), closed=True, draw=draw)
    return expected * (1.0 - expected) - draw / 4.0


def stationary_sd(k: float, expected: float = 0.5, draw: float = 0.0) -> float:
    """Return the standard deviation at rest of one rating among opponents that are known, rating points, T6.

    Var = s^2 beta Var(S) / (h (2 - beta h)): the stationary variance of x' = (1 - beta h) x + beta (S - p), the
    update linear in the error. To first order in K it is K s Var(S) / (2 h).

    Parameters
    ----------
    k : above 0, below 2 s / h.
    expected : p, true expected score against them.
    draw : probability of a draw, at most 2 min(p, 1 - p).

    Raises
    ------
    InputError : a value is out of its range.

    >>> round(stationary_sd(20), 1), round(stationary_sd(20, draw=0.5), 1)
    (42.0, 29.7)
    """
    h = _slope(expected)
    inside(0, 2.0 / (h * Q), k=k)
    beta = k * Q
    return math.sqrt(beta * score_variance(expected, draw) / (h * (2.0 - beta * h))) / Q


def stretch(k: float, gap: float, foe: Literal["known", "rated"] = "rated") -> float:
    """Return by how much the mean rating difference exceeds the true one at rest, rating points, T7.

    The curve bends: E[E(D)] = p at rest (T3) leaves a mean error of -E'' Var(D) / (2 E') = (2p - 1) Var(D) / (2 s),
    where Var(D) is K s / 2 against a known opponent, K s between two players who only meet each other.

    Parameters
    ----------
    gap : true difference of skill, rating points.
    foe : whether the opponent's rating is known and stands, or moves as one's own does.

    >>> round(stretch(40, 400), 2), round(stretch(40, 400, "known"), 2)
    (16.36, 8.18)
    """
    inside(0, k=k)
    inside(-math.inf, gap=gap)
    if foe not in {"known", "rated"}:
        raise InputError(f"foe = {foe!r}", expected="'known' or 'rated'")
    favour = 2.0 * logistic_curve(Q, gap) - 1.0
    return k * favour / (2.0 if foe == "rated" else 4.0)


def tracking_mse(k: float, walk: float, expected: float = 0.5) -> float:
    """Return the mean squared error of a rating that follows a random walk of the skill, rating points squared, T11.

    K s / 2 + walk^2 s / (2 K h): the noise of results, and what the walk runs ahead.

    Parameters
    ----------
    walk : standard deviation of the change of skill between two games, rating points.

    >>> round(tracking_mse(10, 5))
    1737
    """
    h = _slope(expected)
    inside(0, k=k)
    inside(0, closed=True, walk=walk)
    return k / (2.0 * Q) + walk * walk / (2.0 * k * h * Q)


def linear_tracking_mse(k: float, walk: float, expected: float = 0.5) -> float:
    """Return the same without leaving out higher orders of K, in the middle between before and after a game, T11.

    x' = (1 - beta h)(x + walk) + beta (S - p) has P = ((1 - beta h)^2 q^2 + beta^2 h) / (1 - (1 - beta h)^2) after a
    game and P + q^2 before the next one, in units of s^2, with q for the walk and opponents that are known.

    >>> round(linear_tracking_mse(20, 5))
    2191
    """
    h, beta, q = _slope(expected), k * Q, walk * Q
    inside(0, 2.0 / (h * Q), k=k)
    inside(0, closed=True, walk=walk)
    keep = (1.0 - beta * h) ** 2
    return ((keep * q * q + beta * beta * h) / (1.0 - keep) + q * q / 2.0) / Q**2


def best_k_walking(walk: float, expected: float = 0.5) -> float:
    """Return the K of the least `tracking_mse`, walk / sqrt(h): twice the walk among equals, T11.

    The error is then s walk / sqrt(h).

    >>> best_k_walking(5)
    10.0
    """
    inside(0, closed=True, walk=walk)
    return walk / math.sqrt(_slope(expected))


def tracking_lag(k: float, improvement: float) -> float:
    """Return how far the mean rating stays behind a skill that improves steadily, rating points, T11.

    L = 2 s atanh(2 d / K), where the drift (K / 2) tanh(L / 2s) keeps pace with d points a game; about 4 s d / K.

    Parameters
    ----------
    improvement : d, rating points a game, less than K / 2: no rating can follow more.

    Raises
    ------
    InputError : the skill outruns the rating.

    >>> round(tracking_lag(20, 2), 1)
    70.4
    """
    inside(0, k=k)
    inside(-math.inf, improvement=improvement)
    if not abs(improvement) < k / 2.0:
        said = f"no rating with K = {k} follows {improvement} points a game"
        raise InputError(said, expected=f"improvement less than K / 2 = {k / 2:g}")
    return 2.0 * math.atanh(2.0 * improvement / k) / Q


def best_k_improving(improvement: float) -> float:
    """Return the K of the least squared error under steady improvement, 4 (s d^2)^(1/3), T11.

    It minimises (4 s d / K)^2 + K s / 2.

    >>> round(best_k_improving(1), 1), round(best_k_improving(2), 1)
    (22.3, 35.4)
    """
    inside(-math.inf, improvement=improvement)
    return 4.0 * math.cbrt(improvement * improvement / Q)


def _slope(expected: float) -> float:
    """Return h = p (1 - p)."""
    inside(0, 1, expected=expected)
    return expected * (1.0 - expected)
