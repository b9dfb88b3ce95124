"""How far one game moves a rating: of newcomers, of players back from a break, of everybody else."""

import math
from collections.abc import Mapping

import polars as pl

from .table import Z95, EmptyFigureError, FigureTable, listed, meta_of, with_ratings, without_ratings

MOST = 20  # games after the first, or after a break, that are looked at
FEWEST = 10  # changes behind a point of the figure
COLUMNS = {
    "system": pl.String,
    "who": pl.String,
    "game": pl.Int64,
    "n": pl.Int64,
    **dict.fromkeys(("change", "low", "high"), pl.Float64),
}
NEWCOMERS, RETURNERS, OTHERS = "newcomers", "returners", "others"


def movement(
    histories: Mapping[str, pl.DataFrame],
    *,
    pause: float,
    starts: Mapping[str, float] | None = None,
    name: str = "movement",
) -> FigureTable:
    """Return how far one game moves a rating, by the games since a player's first or since a break.

    Only changes between two readings with exactly one game between them are looked at, so readings should be closer
    together than games, and the rating periods too.

    Parameters
    ----------
    histories : by label of the run, all players at times close together, as `history` takes them, with `games` played.
    pause : days without a game that make a break, as far as readings tell.
    starts : by label, the rating of newcomers before their first game; without, that game is left out.
    name : of the figure.

    Returns
    -------
    A row a system, group ("newcomers", "returners", "others") and number of the game in it, 1 to 20, null for others:
    n, and `change`, the mean change without sign, with a 95 % band.

    Raises
    ------
    InputError : no run keeps ratings, or no group has ten changes.
    """
    rated = with_ratings(histories)
    begin = starts or {}
    frame = pl.concat([_moving(label, frame, pause, begin.get(label)) for label, frame in rated.items()])
    if frame.is_empty():
        said = f"readings tell fewer than {FEWEST} changes by one game apart"
        raise EmptyFigureError(said, where=f"figure {name}", expected="more games, or readings closer together")
    caption = (
        f"How many points one game moves a rating, without sign, by {listed(list(rated))}: mean over players of each "
        f"of their first {MOST} games, and of the first {MOST} after a break of {pause:g} days or more, with 95 % "
        f"bands; dotted: all other games. {_first(frame)}{without_ratings(histories, rated)}"
    )
    return FigureTable(name, frame, caption.strip(), meta_of("movement", "Points that one game moves a rating", rated))


def _moving(label: str, history: pl.DataFrame, pause: float, start: float | None) -> pl.DataFrame:
    whose = [name for name in ("player", "pool") if name in history.columns]

    def before(column: pl.Expr) -> pl.Expr:
        return column.shift(1).over(whose)

    def latest(when: pl.Expr, value: pl.Expr) -> pl.Expr:
        return pl.when(when).then(value).forward_fill().over(whose)

    games, plays = pl.col("games"), pl.col("played") > 0
    change = pl.col("rating") - before(pl.col("rating")).fill_null(math.nan if start is None else start)
    moves = (
        history.sort(*whose, "time", maintain_order=True)
        .with_columns(played=games - before(games).fill_null(0), change=change.abs())
        .with_columns(seen=latest(plays, pl.col("time")))
        .with_columns(back=plays & (pl.col("time") - before(pl.col("seen")) >= pause))
        .with_columns(again=games - latest(pl.col("back"), games - pl.col("played")))
        .filter(pl.col("played") == 1, pl.col("change").is_not_nan())
        .select(
            "change",
            who=pl.when(pl.col("again") <= MOST)
            .then(pl.lit(RETURNERS))
            .when(games <= MOST)
            .then(pl.lit(NEWCOMERS))
            .otherwise(pl.lit(OTHERS)),
            game=pl.min_horizontal(games, pl.col("again")).cast(pl.Int64),
        )
        .with_columns(game=pl.when(pl.col("who") != OTHERS).then("game"))
        .sort("who", "game", maintain_order=True)
    )
    parts = [part for part in moves.partition_by("who", "game", maintain_order=True) if part.height >= FEWEST]
    return pl.DataFrame([(label, *_mean(part)) for part in parts], schema=COLUMNS, orient="row")


def _mean(part: pl.DataFrame) -> tuple[str, int | None, int, float, float, float]:
    """The mean change of one group's game, and its band: in NumPy, whose sums are the same with any number of cores."""
    change = part["change"].to_numpy()
    mean = float(change.mean())
    half = Z95 * float(change.std(ddof=1)) / math.sqrt(len(change))
    return part["who"][0], part["game"][0], len(change), mean, mean - half, mean + half


def _first(frame: pl.DataFrame) -> str:
    """What the first game of each group does, in words."""
    said = []
    for title, who, game in (
        ("First game", NEWCOMERS, 1),
        ("First game after a break", RETURNERS, 1),
        ("Other games", OTHERS, None),
    ):
        here = frame.filter(pl.col("who") == who, pl.col("game").eq_missing(pl.lit(game))).rows(named=True)
        changes = [f"{row['change']:.1f} by {row['system']}" for row in here]
        if changes:
            said.append(f"{title}: {listed(changes)}. ")
    return "".join(said)
