"""T1 and T2: what Elo keeps, in every run, whatever K and schedule."""

import math

from .ranges import inside, whole


def sum_change(k_first: float, k_second: float, score: float, expected: float) -> float:
    """Return what one game adds to the sum of all ratings, rating points: (K_first - K_second) (S - E), T1.

    Follows from R' = R + K (S - E) on both sides (Elo 1978). With one K for all the sum never changes.

    Parameters
    ----------
    score, expected : of first, 0 to 1.

    >>> sum_change(40, 20, 1, 0.25)
    15.0
    """
    inside(0, 1, closed=True, score=score, expected=expected)
    inside(-math.inf, k_first=k_first, k_second=k_second)
    return (k_first - k_second) * (score - expected)


def turnover_drift(entry: float, leaving: float, players: int) -> float:
    """Return what replacing a leaver by a newcomer adds to the mean rating of a pool, rating points, T1.

    Parameters
    ----------
    entry, leaving : ratings of the newcomer and of the leaver.
    players : in the pool, which keeps its size.

    >>> turnover_drift(1400, 1700, 100)
    -3.0
    """
    inside(-math.inf, entry=entry, leaving=leaving)
    whole(1, players=players)
    return (entry - leaving) / players


def energy_change(k: float, difference: float, score: float, expected: float) -> float:
    """Return what one game adds to the sum of all squared ratings: 2 K D (S - E) + 2 K^2 (S - E)^2, T2.

    Follows from (R + x)^2 + (Q - x)^2 - R^2 - Q^2 = 2 x (R - Q) + 2 x^2 with x = K (S - E). At rest its mean is 0,
    which is E[D (E - p)] = K E[(S - E)^2], T3.

    Parameters
    ----------
    k : of both.
    difference : D, rating of first less that of second.

    >>> energy_change(20, 100, 0.5, 0.75)
    -950.0
    """
    inside(0, 1, closed=True, score=score, expected=expected)
    inside(-math.inf, k=k, difference=difference)
    moved = k * (score - expected)
    return 2.0 * difference * moved + 2.0 * moved * moved
