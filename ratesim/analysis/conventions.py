"""Measures as others print them, to set our numbers beside theirs."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..arrays import check_lengths, judged, wholes
from ..metrics import LogLoss

Floats = NDArray[np.float64]
CAP = 0.01  # of PlayerRatings' deviance


def player_months(
    forecast: ArrayLike, score: ArrayLike, first: ArrayLike, second: ArrayLike, month: ArrayLike,
    weight: ArrayLike | None = None,
) -> float:  # fmt: skip
    """Return the root mean square over players and months of points forecast less points scored.

    The measure of "Chess ratings: Elo versus the rest of the world" (Kaggle, 2010): for each player and month with a
    game, the square of the sum over the player's games; all count alike, however many games they have.

    Parameters
    ----------
    forecast : (G,) expected scores of first, 0..1; games without one, NaN, are left out.
    score : (G,) of first, 0..1.
    first, second : (G,) players, whole numbers.
    month : (G,) whole numbers, such as `rs.month_blocks(games.time)`.
    weight : (G,) at least 0, 1 where None: 2 is the game twice, 0 is no game.

    Raises
    ------
    InputError : lengths differ, a forecast or score lies outside 0..1, a weight is negative or missing, or a player or
        a month is no whole number.

    >>> round(player_months([0.18, 0.35], [1, 1], [1, 1], [2, 3], [101, 101]), 6)  # squares 2.1609, .6724, .4225
    1.041761
    """
    e, s, w = judged(forecast, score, weight)
    one, other, when = wholes("first", first), wholes("second", second), wholes("month", month)
    check_lengths(score=s, first=one, second=other, month=when)
    there = ~np.isnan(e) & (w > 0)
    if not there.any():
        return math.nan
    missed = (w * (e - s))[there]
    whose = np.stack([np.concatenate([one[there], other[there]]), np.tile(when[there], 2)])
    _, row = np.unique(whose, axis=1, return_inverse=True)
    sums = np.bincount(row.ravel(), np.concatenate([missed, -missed]))
    return math.sqrt(math.fsum(sums * sums) / len(sums))


class Scaled(NamedTuple):
    """Measures in hundredths of what a forecast of one half scores: 100 is no information, less is better."""

    bdev: float  # binomial deviance, forecasts moved into .01.. .99
    mse: float  # root of the mean squared error
    mae: float  # mean absolute error


def scaled_metrics(forecast: ArrayLike, score: ArrayLike, weight: ArrayLike | None = None) -> Scaled:
    """Return the measures that `metrics` has in the R package PlayerRatings (Stephenson & Sonas), as usual.

    Parameters
    ----------
    forecast : (G,) expected scores of first, 0..1; games without one, NaN, are left out.
    score : (G,) of first, 0..1. weight : (G,) at least 0, 1 where None.

    Returns
    -------
    Scaled : NaN where no game is forecast; mse and mae are NaN too where all are drawn, which one half foretells.

    Raises
    ------
    InputError : lengths differ, a forecast or score lies outside 0..1, a weight is negative or missing.

    >>> [round(each, 6) for each in scaled_metrics([0.75, 0.5], [1, 1])]
    [70.751875, 79.056942, 75.0]
    """
    e, s, w = judged(forecast, score, weight)
    there = ~np.isnan(e) & (w > 0)
    e, s, w = e[there], s[there], w[there]
    deviance = LogLoss(clip=CAP)
    found = [_share(w, each, half) for each, half in (
        (deviance.each(e, s), deviance.each(0.5, s)), ((e - s) ** 2, (0.5 - s) ** 2), (np.abs(e - s), np.abs(0.5 - s)),
    )]  # fmt: skip
    return Scaled(100.0 * found[0], 100.0 * math.sqrt(found[1]), 100.0 * found[2])


def _share(w: Floats, loss: Floats, of: Floats) -> float:
    whole = math.fsum(w * of)
    return math.fsum(w * loss) / whole if whole else math.nan
