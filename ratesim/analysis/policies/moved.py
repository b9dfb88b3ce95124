"""Whom a change of policy moves: players, and bands of rating."""

from collections.abc import Mapping

import numpy as np
import polars as pl

from ...errors import InputError
from ..table import EmptyFigureError, FigureTable, counted, with_ratings

FAR = 50.0  # rating points
FEWEST = 10  # players behind a band of the figure
COLUMNS = {
    "from": pl.Float64, "n": pl.Int64,
    **dict.fromkeys(("rating", "mean", "absolute", "low", "high", "raised", "lowered"), pl.Float64),
}  # fmt: skip
PLAYERS, BANDS = "players moved most", "by rating"


def players_moved(base: pl.DataFrame, new: pl.DataFrame) -> pl.DataFrame:
    """Return how far each player stands elsewhere under another policy, those moved most first.

    Parameters
    ----------
    base, new : what `Run.ratings` returns of two runs over the same games; those not rated by both, or
        without a game, are absent.

    Returns
    -------
    Columns: player (pool where kept apart), base, new (rating points), difference (new - base), games (that counted by
    `new`). Among players moved equally far, the earlier in `base` is first.
    """
    whose = [name for name in ("player", "pool") if name in base.columns]
    theirs = new.select(*whose, new="rating", games="games")
    return (
        base.select(*whose, base="rating")
        .join(theirs, on=whose, how="inner", maintain_order="left")
        .select(*whose, "base", "new", (pl.col("new") - pl.col("base")).alias("difference"), "games")
        .filter(pl.col("difference").is_not_nan(), pl.col("games") > 0)
        .sort(pl.col("difference").abs(), descending=True, maintain_order=True)
    )


def bands_moved(moved: pl.DataFrame, *, width: float = 100.0, far: float = FAR) -> pl.DataFrame:
    """Return how far players are moved, by bands of the rating under the old policy.

    Parameters
    ----------
    moved : from `players_moved`. width : of bands, rating points. far : what counts as far, rating points.

    Returns
    -------
    A row a band with players: from, n, rating (mean under the old policy), mean (of the difference), absolute (mean
    without sign), low and high (quantiles .1 and .9 of the difference), raised and lowered (shares of players who are
    moved by more than `far`).

    Raises
    ------
    InputError : a width that is not above 0.
    """
    if not width > 0:
        raise InputError(f"width = {width}", expected="above 0 points")
    into = np.floor(moved["base"].to_numpy() / width)
    rows = []
    for band in np.unique(into).tolist():
        here = moved.filter(into == band)
        change = here["difference"].to_numpy()
        low, high = np.quantile(change, [0.1, 0.9]).tolist()
        means = (float(each.mean()) for each in (here["base"].to_numpy(), change, np.abs(change)))
        shares = (float((sign * change > far).mean()) for sign in (1, -1))
        rows.append((band * width, len(here), *means, low, high, *shares))
    return pl.DataFrame(rows, schema=COLUMNS, orient="row")


def moved(
    ratings: Mapping[str, pl.DataFrame], *, most: int = 20, width: float = 100.0, far: float = FAR, name: str = "moved"
) -> FigureTable:
    """Return who is moved most by a change from one policy to another, and how far by rating.

    Parameters
    ----------
    ratings : two runs by label, the old policy's first: what `Run.ratings` returns.
    most : players shown.
    width : of the bands of ratings, rating points.
    far : what counts as far, rating points.
    name : of the figure.

    Returns
    -------
    Rows of the panel "players moved most": player, rating (under the old policy), value (under the new one), games.
    Rows of the panel "by rating", bands of ten players and more: rating (mean under the old policy), value (mean of new
    - old), low and high (its quantiles .1 and .9 over players), n.

    Raises
    ------
    InputError : there are not two runs that keep ratings, or nobody is rated by both.
    """
    rated = with_ratings(ratings)
    if len(rated) != 2:
        raise EmptyFigureError(f"{counted(len(rated), 'run')} with ratings", where=f"figure {name}", expected="two")
    (old, base), (fresh, new) = rated.items()
    players = players_moved(base, new)
    if players.is_empty():
        raise EmptyFigureError("nobody is rated by both", where=f"figure {name}", expected="the same players")
    bands = bands_moved(players, width=width).filter(pl.col("n") >= FEWEST)
    none = pl.lit(None, dtype=pl.Float64)
    named = pl.col("player") if "pool" not in players.columns else pl.format("{} ({})", "player", "pool")
    some = players.head(most).select(
        panel=pl.lit(PLAYERS), player=named, rating="base", value="new", low=none, high=none, games="games",
        n=pl.lit(None, dtype=pl.Int64),
    )  # fmt: skip
    banded = bands.select(
        panel=pl.lit(BANDS), player=pl.lit(None, dtype=pl.String), rating="rating", value="mean", low="low",
        high="high", games=none, n="n",
    )  # fmt: skip
    change = players["difference"].to_numpy()
    caption = (
        f"Ratings at the end by {fresh} against those by {old}, of the same {counted(len(players), 'player')}. "
        f"{_shown(len(players), most)}, from {old} (ring) to {fresh} (dot), with the games that they have. "
        + (
            f"By rating: {fresh} less {old} in bands of {width:g} points by the rating that {old} gives, mean (line) "
            f"and the middle eight tenths of players (band), where they are {FEWEST} or more. "
            if bands.height
            else ""
        )
        + f"On average ratings move by {change.mean():+.1f} points, "
        f"{np.abs(change).mean():.1f} without sign; {100 * (np.abs(change) > far).mean():.1f} % of players by more "
        f"than {far:g}."
    )
    meta = {"drawing": "moved", "title": f"From {old} to {fresh}", "old": old, "new": fresh, "width": width}
    return FigureTable(name, pl.concat([some, banded]), caption, meta)


def _shown(players: int, most: int) -> str:
    return f"The {most:,} moved most" if players > most else "All of them, those moved most first"
