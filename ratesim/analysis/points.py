"""FiveThirtyEight's points for forecasts of American football."""

import numpy as np
import polars as pl
from numpy.typing import ArrayLike

from ..errors import InputError


def season_points(
    forecast: ArrayLike, score: ArrayLike, season: ArrayLike, playoff: ArrayLike | None = None
) -> pl.DataFrame:
    """Return the points that forecasts earned, season by season, as FiveThirtyEight counts them.

    A forecast is rounded to hundredths, earns 25 - 100 (e - s)², rounded to tenths, halves up, and twice that in a
    play-off. Ties earn nothing. (fivethirtyeight/nfl-elo-game, eval.py.)

    Parameters
    ----------
    forecast : (G,) expected scores of first, 0..1; games without one, NaN, earn nothing.
    score : (G,) of first.
    season : (G,) whole numbers.
    playoff : (G,) whether the game is a play-off; None: none is.

    Returns
    -------
    A row a season with a game that is neither tied nor without a forecast: season, n (such games), points.

    Raises
    ------
    InputError : lengths differ.

    >>> season_points([0.35, 0.35, 0.5, 0.81], [0, 1, 0.5, 1], [2020, 2020, 2020, 2021], [0, 0, 0, 1]).rows()
    [(2020, 2, -4.4), (2021, 1, 42.8)]
    """
    e, s = np.asarray(forecast, dtype=np.float64), np.asarray(score, dtype=np.float64)
    when = np.asarray(season, dtype=np.int64)
    twice = np.zeros(len(s), dtype=bool) if playoff is None else np.asarray(playoff, dtype=bool)
    if not e.shape == s.shape == when.shape == twice.shape:
        shapes = ", ".join(str(each.shape) for each in (e, s, when, twice))
        raise InputError(f"arrays {shapes}", where="season_points", expected="one of each a game, all (G,)")
    there = ~np.isnan(e) & (s != 0.5)
    missed = np.floor(100 * e[there] + 0.5) - 100 * s[there]  # whole hundredths, so that halves are exact
    tenths = np.floor((2500 - missed * missed) / 10 + 0.5) * np.where(twice[there], 2, 1)
    seasons, row = np.unique(when[there], return_inverse=True)
    n, points = np.bincount(row), np.bincount(row, tenths) / 10
    return pl.DataFrame({"season": seasons, "n": n, "points": points})
