"""What a win, a draw or a loss is worth, by how much stronger the opponent was."""

from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl

from ..errors import InputError
from ..given import check_games
from ..stream import GameStream
from .means import mean
from .table import EmptyFigureError, FigureTable, listed, with_ratings, without_ratings
from .truth.panels import Panel, meta_of_panels

FEWEST = 30  # changes behind a point of the figure
EVERY = "all games"
RESULTS = {"wins": 1.0, "draws": 0.5, "losses": 0.0, EVERY: None}
COLUMNS = {
    "panel": pl.String, "line": pl.String, "from": pl.Float64, "n": pl.Int64,
    **dict.fromkeys(("x", "y", "low", "high"), pl.Float64),
}  # fmt: skip


def upsets(
    histories: Mapping[str, pl.DataFrame], games: GameStream, *, width: float = 100.0, burn_in: int = 0,
    name: str = "upsets",
) -> FigureTable:  # fmt: skip
    """Return how far one game changes a rating, by its result and by how much higher the opponent was rated before it.

    Only changes between two readings with exactly one game of the player between them are looked at, so readings should
    be closer together than games, and the rating periods too. Ratings before the game are those of the first reading.

    Parameters
    ----------
    histories : by label of the run, all players at times close together, as `history` takes them, with `games` played.
    games : the stream.
    width : of the bands of rating differences, rating points.
    burn_in : games that both must have played before.
    name : of the figure.

    Returns
    -------
    A row a result ("wins", "draws", "losses", "all games"; panel), system (line) and band of thirty changes or more:
    from (where the band begins), n, x (mean rating of the opponent less that of the player), and y, the mean change,
    with a 95 % band. "all games" are those of any score: what results are worth there, as often as they come.

    Raises
    ------
    InputError : a width of no points, games carry weights, no run keeps ratings, or no band has thirty changes.
    """
    check_games(games)
    if not width > 0:
        raise InputError(f"width = {width}", where=f"figure {name}", expected="above 0 points")
    if games.weight is not None:
        raise EmptyFigureError("games carry weights", where=f"figure {name}", expected="games that count once each")
    rated = with_ratings(histories)
    played = _sides(games, _whose(next(iter(rated.values()))))
    changes = {label: _changes(frame, played, burn_in) for label, frame in rated.items()}
    frame = pl.concat([_banded(label, each, width) for label, each in changes.items()])
    if frame.is_empty():
        said = f"readings tell no {FEWEST} changes by one game against opponents {width:g} points apart"
        raise EmptyFigureError(said, where=f"figure {name}", expected="more games, or readings closer together")
    shown = [result for result in RESULTS if result in set(frame["panel"])]
    panels = [Panel(result, "", "x", "y", "opponent's lead (points)", "change (points)", level=0.0) for result in shown]
    kept = f", from game {burn_in + 1} of both on" if burn_in else ""
    caption = (
        f"How many points one game changes a rating, by how much higher the opponent was rated before it (negative: "
        f"lower), by {listed(list(rated))}: means in bands of {width:g} points{kept}, with 95 % bands. "
        f"{_ends(frame)}{without_ratings(histories, rated)}"
    )
    return FigureTable(name, frame, caption.strip(), meta_of_panels("What one game is worth", panels, list(rated)))


def _whose(history: pl.DataFrame) -> list[str]:
    return [name for name in ("player", "pool") if name in history.columns]


def _sides(games: GameStream, whose: Sequence[str]) -> pl.DataFrame:
    """Return a row a game and side: whose rating, points, number of the game among theirs, foe and the foe's number."""
    frame, own = games.to_frame(), whose[1:]
    sides = []
    for me, foe, points in (("first", "second", pl.col("score")), ("second", "first", 1 - pl.col("score"))):
        sides.append(frame.select(*own, player=me, foe=foe, points=points, game=pl.int_range(pl.len())))
    whole = pl.concat(sides).sort("game", maintain_order=True)
    whole = whole.with_columns(number=pl.col("game").cum_count().over(whose).cast(pl.Float64))
    theirs = whole.select("game", foe="player", foe_number="number")
    return whole.join(theirs, on=["game", "foe"], how="left", maintain_order="left")


def _changes(history: pl.DataFrame, sides: pl.DataFrame, burn_in: int) -> pl.DataFrame:
    """Return points, gap (rating of the foe less that of the player, before) and change of each game read by itself."""
    whose = _whose(history)
    before = pl.col("time", "rating", "games").shift(1).over(whose).name.prefix("was_")
    moved = (
        history.sort(*whose, "time", maintain_order=True)
        .with_columns(before)
        .filter(pl.col("games") - pl.col("was_games") == 1)
        .join(sides, left_on=[*whose, "games"], right_on=[*whose, "number"], how="inner", maintain_order="left")
    )
    foes = history.select(was_time="time", foe="player", theirs="rating", **{name: name for name in whose[1:]})
    return (
        moved.filter(pl.col("was_games") >= burn_in, pl.col("foe_number") > burn_in)
        .join(foes, on=["was_time", "foe", *whose[1:]], how="inner", maintain_order="left")
        .select("points", gap=pl.col("theirs") - pl.col("was_rating"), change=pl.col("rating") - pl.col("was_rating"))
        .drop_nans()
    )


def _banded(label: str, changes: pl.DataFrame, width: float) -> pl.DataFrame:
    points, gap, change = (changes[name].to_numpy() for name in ("points", "gap", "change"))
    band, rows = np.floor(gap / width), []
    for result, score in RESULTS.items():
        for each in np.unique(band):
            here = (band == each) if score is None else (band == each) & (points == score)
            if (n := int(here.sum())) >= FEWEST:
                rows.append((result, label, each * width, n, float(gap[here].mean()), *mean(change[here])))
    return pl.DataFrame(rows, schema=COLUMNS, orient="row")


def _ends(frame: pl.DataFrame) -> str:
    """What the greatest upsets are worth, in words."""
    said = []
    for result, verb, highest in (
        ("wins", "A win against the strongest", True),
        ("losses", "A loss to the weakest", False),
    ):
        here = frame.filter(panel=result).sort("from", maintain_order=True).group_by("line", maintain_order=True)
        ends = (here.last() if highest else here.first()).rows(named=True)
        told = [f"{_signed(row['y'], 1)} by {row['line']} ({_signed(row['x'], 0)})" for row in ends]
        if told:
            said.append(f"{verb}: {listed(told)}. ")
    return "".join(said)


def _signed(value: float, digits: int) -> str:
    return f"{value:+.{digits}f}".replace("-", "−")
