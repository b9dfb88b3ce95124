"""Ratings over time, and how far two runs are apart about the same players."""

from collections.abc import Mapping

import polars as pl

from ..errors import InputError
from .table import Z95, EmptyFigureError, FigureTable, counted, listed, meta_of, with_ratings, without_ratings


def history(histories: Mapping[str, pl.DataFrame], *, name: str = "history", days: bool = False) -> FigureTable:
    """Return ratings over time with the bands that systems with a deviation claim.

    Parameters
    ----------
    histories : by label of the run, what `Run.history` returns: time (days since 1970-01-01 UTC), player, rating and,
        where the system has one, deviation. A run that keeps no ratings is left out, and the caption says so. Players
        are shown in the order of its rows.
    name : of the figure.
    days : time is counted in days, as in a simulated stream, and not shown as dates.

    Returns
    -------
    A row a system, player and time: rating, and low and high = rating ± 1.96 deviations (null without).

    Raises
    ------
    InputError : no run keeps ratings.
    """
    rated = with_ratings(histories)
    frame = pl.concat([_banded(label, frame) for label, frame in rated.items()])
    players = frame["player"].unique(maintain_order=True).to_list()
    banded = [label for label in rated if "deviation" in rated[label].columns]
    caption = (
        f"Ratings over time of {listed(players)}, by {listed(list(rated))}. "
        "A line begins with the player's first game. "
        + (
            f"Shaded: rating ± 1.96 deviations, where a system is 95 % sure ({listed(banded)}); bands wider "
            "than the frame are cut. "
            if banded
            else ""
        )
        + without_ratings(histories, rated)
    )
    return FigureTable(name, frame, caption.strip(), meta_of("history", "Ratings over time", rated, players, days=days))


def difference(histories: Mapping[str, pl.DataFrame], *, name: str = "difference", days: bool = False) -> FigureTable:
    """Return how much higher the first of two runs rates the same players than the second, over time.

    Parameters
    ----------
    histories : two runs by label, as `history` takes them.
    name, days : as in `history`.

    Returns
    -------
    A row a player and time that both runs have: the ratings `a` and `b`, and difference = a - b.

    Raises
    ------
    InputError : there are not two runs, one keeps no ratings, or they share no player and time.
    """
    rated = with_ratings(histories)
    if len(rated) != 2:
        raise InputError(
            f"{counted(len(rated), 'run')} with ratings", where=f"figure {name}", expected="two, to be compared"
        )
    (first, a), (second, b) = rated.items()
    keys = ["player", "time"]
    frame = (
        _named(a)
        .select(*keys, a=pl.col("rating"))
        .join(_named(b).select(*keys, b=pl.col("rating")), on=keys, how="inner", maintain_order="left")
        .with_columns(difference=pl.col("a") - pl.col("b"))
    )
    if frame.is_empty():
        raise EmptyFigureError(
            "the two runs share no player and time", where=f"figure {name}", expected="the same games"
        )
    players = frame["player"].unique(maintain_order=True).to_list()
    caption = (
        f"Rating by {first} minus rating by {second} of the same players at the same time: {listed(players)}. "
        "Above zero the first rates the player higher."
    )
    title = f"{first} minus {second}"
    return FigureTable(name, frame, caption, meta_of("difference", title, rated, players, days=days))


def _named(frame: pl.DataFrame) -> pl.DataFrame:
    """A player of two pools is two lines."""
    if "pool" not in frame.columns:
        return frame
    return frame.with_columns(player=pl.format("{} ({})", "player", "pool"))


def _banded(label: str, frame: pl.DataFrame) -> pl.DataFrame:
    half = Z95 * pl.col("deviation") if "deviation" in frame.columns else pl.lit(None, dtype=pl.Float64)
    rating = pl.col("rating")
    return _named(frame).select(
        pl.lit(label).alias("system"), "player", "time", "rating", low=rating - half, high=rating + half
    )
