"""How far ratings move in a month, and how wrong they are after it, by the games played in it."""

from collections.abc import Mapping

import numpy as np
import polars as pl

from ..given import check_games
from ..stream import GameStream
from .means import groups, rmse, skills
from .table import EmptyFigureError, FigureTable, listed, meta_of, with_ratings, without_ratings

FEWEST = 10  # player-months behind a point of the figure
COLUMNS = {
    "system": pl.String,
    "from": pl.Int64,
    "n": pl.Int64,
    "games": pl.Float64,
    **{f"{name}{end}": pl.Float64 for name in ("change", "error") for end in ("", "_low", "_high")},
}


def monthly(histories: Mapping[str, pl.DataFrame], games: GameStream, *, name: str = "monthly") -> FigureTable:
    """Return how far ratings move in a month, by the games that a player has in it.

    Parameters
    ----------
    histories : by label of the run, all players on the first of each month, as `history` takes them, with `games`
        played.
    games : the stream; where it is simulated, errors are told too.
    name : of the figure.

    Returns
    -------
    A row a system and group of at least ten player-months with 1, 2, 3, 4-5, 6-7, 8-10, 11-15, ... games: from, n,
    games (their mean), and the root mean square of the change in the month and of the error after it, each with a
    95 % band (null where skills are not known). The mean error of all players on a list is taken off first.

    Raises
    ------
    InputError : no run keeps ratings, or no group has ten player-months.
    """
    check_games(games)
    rated = with_ratings(histories)
    frame = pl.concat([_grouped(label, _months(each, games)) for label, each in rated.items()])
    if frame.is_empty():
        said = f"no {FEWEST} players have equally many games in a month"
        raise EmptyFigureError(said, where=f"figure {name}", expected="a stream of more months or games")
    last = frame.group_by("system", maintain_order=True).last().rows(named=True)
    ends = [f"{row['change']:.0f} by {row['system']}" for row in last]
    caption = (
        f"How many rating points a month moves a rating, by the games that the player has in it, by "
        f"{listed(list(rated))}: root mean square, with 95 % bands over players and months"
        + ("" if games.skill_first is None else "; and the error of the rating after that month")
        + f". With {last[0]['from']} games or more: {listed(ends)}. {without_ratings(histories, rated)}"
    )
    return FigureTable(name, frame, caption.strip(), meta_of("monthly", "How far a month moves ratings", rated))


def _months(history: pl.DataFrame, games: GameStream) -> pl.DataFrame:
    """Return the months in which a player who was rated before had games: played, change, error after it."""
    whose = [name for name in ("player", "pool") if name in history.columns]
    read = history.sort("time", maintain_order=True)
    if games.skill_first is None:
        read = read.with_columns(error=pl.lit(None, dtype=pl.Float64))
    else:
        error = pl.col("rating") - pl.col("skill")
        read = read.join_asof(skills(games), on="time", by="player", check_sortedness=False)
        read = read.drop_nulls("skill")  # of those whose first game is to come, in an event that has begun
        read = read.with_columns(error=error - error.mean().over("time"))
    return (
        read.sort(*whose, "time", maintain_order=True)
        .with_columns(pl.col("games", "rating") - pl.col("games", "rating").shift(1).over(whose))
        .filter(pl.col("games") >= 1)
        .select("error", played="games", change="rating")
    )


def _grouped(label: str, months: pl.DataFrame) -> pl.DataFrame:
    played = months["played"].to_numpy()
    begins = groups(int(played.max(initial=0)))
    into = np.searchsorted(begins, played, side="right")
    rows = []
    for k, begin in enumerate(begins, 1):
        here = months.filter(into == k)
        if len(here) >= FEWEST:
            change = rmse(here["change"].to_numpy())
            error = (None, None, None) if here["error"].has_nulls() else rmse(here["error"].to_numpy())
            rows.append((label, begin, len(here), float(here["played"].to_numpy().mean()), *change, *error))
    return pl.DataFrame(rows, schema=COLUMNS, orient="row")
