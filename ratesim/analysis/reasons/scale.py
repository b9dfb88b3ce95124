"""One scale for the ratings of two systems: the rising curve that tells ratings of one in points of the other."""

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import ArrayLike, NDArray

from ...errors import InputError
from ..table import EmptyFigureError, counted

Floats = NDArray[np.float64]
MIN_GAMES = 10
BEGUN = "rated by both after"


@dataclass(frozen=True, eq=False)
class ScaleMap:
    """What ratings of another system are in points of one; made by `scale_map`.

    Both ways it is a rising line from knot to knot, and the one is the inverse of the other. Outside of what the
    players behind it cover it is not known: ratings there are told as the nearest end (`covers` says which).

    Attributes
    ----------
    other : (M,) knots on the scale of the other system, rising. rating : (M,) the same on that of the one, rising.
    n : players behind it. games : what these have played together by the one. min_games : that each had at least.
    spread : root mean square of a rating less what the map makes of the other's, weighted by games (rating points).
    """

    other: Floats
    rating: Floats
    n: int
    games: float
    min_games: float
    spread: float

    @property
    def covered(self) -> tuple[float, float]:
        """Ends of the other system's ratings between which the map is known."""
        return float(self.other[0]), float(self.other[-1])

    def covers(self, other: ArrayLike) -> NDArray[np.bool_]:
        """Whether ratings of the other system lie between the ends."""
        values, (low, high) = np.asarray(other, dtype=np.float64), self.covered
        return (values >= low) & (values <= high)

    def told(self, other: ArrayLike) -> Floats:
        """Return ratings of the other system in points of the one; NaN stays NaN."""
        return np.interp(np.asarray(other, dtype=np.float64), self.other, self.rating)

    def back(self, rating: ArrayLike) -> Floats:
        """Return ratings of the one in points of the other; NaN stays NaN."""
        return np.interp(np.asarray(rating, dtype=np.float64), self.rating, self.other)

    def ratings(self, other: pl.DataFrame) -> pl.DataFrame:
        """Return a table of the other's ratings in points of the one.

        Parameters
        ----------
        other : what `Run.ratings` or `Run.history` returns.

        Returns
        -------
        Its columns player, pool, time and games where it has them, rating (rating points of the one), and covered.
        """
        kept = [name for name in ("time", "player", "pool", "games") if name in other.columns]
        values = other["rating"].to_numpy()
        return other.select(
            *kept, pl.Series("rating", self.told(values)), pl.Series("covered", self.covers(values))
        )  # fmt: skip


def rated_by_both(ratings: pl.DataFrame, other: pl.DataFrame, min_games: float) -> pl.DataFrame:
    """Return the players whom two runs rate, with at least so many games by both.

    Returns
    -------
    Columns: player (pool where kept apart), rating, other (rating points, each on its own scale), games (by the first).

    Raises
    ------
    InputError : a run keeps no ratings, or only one keeps them by pool.
    """
    for table in (ratings, other):
        if "rating" not in table.columns:
            raise EmptyFigureError("a run keeps no ratings", expected="two that do")
    if ("pool" in ratings.columns) != ("pool" in other.columns):
        raise InputError("one run keeps ratings by pool, the other does not", expected="two of a kind")
    whose = [name for name in ("player", "pool") if name in ratings.columns]
    theirs = other.select(*whose, other="rating", played="games")
    enough = (pl.col("games") >= min_games) & (pl.col("played") >= min_games)
    return (
        ratings.select(*whose, "rating", "games")
        .join(theirs, on=whose, how="inner", maintain_order="left")
        .filter(enough, pl.col("games") > 0, pl.col("rating").is_not_nan(), pl.col("other").is_not_nan())
        .select(*whose, "rating", "other", "games")
    )


def scale_map(ratings: pl.DataFrame, other: pl.DataFrame, *, min_games: float = MIN_GAMES) -> ScaleMap:
    """Return the map from the ratings of another system to those of one, by the players whom both rate.

    It is the isotonic regression of the one on the other, weighted by games: the rising step function nearest in
    squares. Steps are drawn together to their means and joined by straight lines, so that the map has an inverse.

    Parameters
    ----------
    ratings, other : what `Run.ratings` returns of the one run, and of the other, over the same games.
    min_games : that a player has had at least.

    Raises
    ------
    InputError : a run keeps no ratings, fewer than two players are rated by both, or where the other rates higher the
        one does not.

    References
    ----------
    Barlow, Bartholomew, Bremner and Brunk, Statistical Inference under Order Restrictions, 1972; pool adjacent
    violators as of `scipy.optimize.isotonic_regression`.

    >>> names = ["A", "B", "C", "D"]
    >>> one = pl.DataFrame({"player": names, "rating": [1400.0, 1500.0, 1600.0, 1700.0], "games": 20.0})
    >>> other = pl.DataFrame({"player": names, "rating": [24.0, 26.0, 25.0, 30.0], "games": 20.0})
    >>> scale = scale_map(one, other)
    >>> scale.told([24, 25.5, 29, 35]).round(3).tolist(), scale.back([1625]).round(3).tolist(), round(scale.spread, 3)
    ([1400.0, 1550.0, 1666.667, 1700.0], [27.75], 60.093)
    """
    from scipy.optimize import isotonic_regression  # slow to import

    both = rated_by_both(ratings, other, min_games).sort("other", maintain_order=True)
    if both.height < 2:
        raise EmptyFigureError(
            f"{counted(both.height, 'player')} {BEGUN} {counted(min_games, 'game')}", expected="two or more"
        )
    x, y, weight = (both[name].to_numpy() for name in ("other", "rating", "games"))
    distinct, group = np.unique(x, return_inverse=True)  # players whom the other rates alike are one
    heavy = np.bincount(group, weight)
    fitted = isotonic_regression(np.bincount(group, weight * y) / heavy, weights=heavy).x
    step = np.cumsum(np.diff(fitted, prepend=fitted[0]) > 0)
    over = np.bincount(step, heavy)
    knots, heights = np.bincount(step, heavy * distinct) / over, np.bincount(step, heavy * fitted) / over
    if len(knots) < 2:
        raise EmptyFigureError(
            "who is rated higher by the one is not by the other", expected="ratings that rise together"
        )
    error = y - np.interp(x, knots, heights)
    spread = float(np.sqrt((weight * error**2).sum() / weight.sum()))
    return ScaleMap(knots, heights, both.height, float(weight.sum()), min_games, spread)
