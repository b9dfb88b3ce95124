"""The figure of the ledger: what moves the mean rating of a pool, by cause."""

import polars as pl

from ..replicates import over_replicates
from ..table import EmptyFigureError, FigureTable, listed
from .gathering import Runs, fewer, replicated
from .panels import COUNTED, Panel, meta_of_panels

NOTHING = 1e-6  # points a player
LINES = {
    "rating": "mean rating",
    "skill": "mean skill",
    "arrivals": "by arrivals",
    "departures": "by departures",
    "newcomers": "by games of newcomers",
    "others": "by other games",
}


def ledger(runs: Runs, *, name: str = "ledger") -> FigureTable:
    """Return how the mean rating of the pool has changed since the first reading, and by what.

    Points are counted above the mean rating of the first reading, and divided by the players who are there: one who
    arrives with that rating changes nothing.

    Returns
    -------
    Rows panel (label of the run), line (mean rating; mean skill; and the causes, whose sum the change of the mean
    rating is), x (days), y (points a player), low, high, replicates (behind the point). Causes of nothing are left out.

    Raises
    ------
    InputError : nobody is ever there.
    """
    frames = [_entries(label, tables["ledger"]) for label, tables in runs.items() if tables["ledger"].height]
    frame = pl.concat([pl.DataFrame(schema=COUNTED), *frames])
    if frame.is_empty():
        raise EmptyFigureError("nobody is there", where=f"figure {name}", expected="a world with players")
    moving = frame.filter(pl.col("y").abs() > NOTHING)["line"].unique().to_list()
    lines = [line for line in LINES.values() if line in moving or line == LINES["rating"]]
    frame = frame.filter(pl.col("line").is_in(lines))
    panels = [Panel(label, "ledger", "", "", "time (days)", "points a player", level=0) for label in runs]
    caption = (
        f"What moves the mean rating of all players who are there, for {listed(list(runs))}: its change since the "
        "first reading, that of the mean skill, and the causes of the former, which add up to it. Arrivals and "
        "departures count by how far their ratings are from the first mean; games count by the points that they give "
        "to newcomers (up to 30 games) and to all others, and where all have one K the two cancel: what remains is "
        f"made or destroyed by unequal K, floors and the like. {_ends(frame)}{replicated(runs)}"
    )
    told = caption.strip() + fewer(frame)
    return FigureTable(name, frame, told, meta_of_panels("Where rating points come from", panels, lines))


def _entries(label: str, table: pl.DataFrame) -> pl.DataFrame:
    """Return the lines of one run, means over replicates."""
    there = table.filter(pl.col("players") > 0)
    n, base = pl.col("players"), _first(pl.col("points") / pl.col("players"))
    each = there.with_columns(
        rating=pl.col("points") / n - base,
        skill=pl.col("skill") / n - _first(pl.col("skill") / n),
        arrivals=_since(pl.col("arrivals") - base * pl.col("arrived")) / n,
        departures=_since(pl.col("departures") + base * pl.col("departed")) / n,
        newcomers=_since(pl.col("newcomers")) / n,
        others=_since(pl.col("others")) / n,
    ).select("replicate", "day", *LINES)
    means = over_replicates(each, ["day"])
    parts = [
        means.select(
            panel=pl.lit(label), line=pl.lit(line), x="day", y=name, low=f"{name}_low", high=f"{name}_high",
            replicates="replicates",
        )
        for name, line in LINES.items()
    ]  # fmt: skip
    return pl.concat(parts).with_columns(pl.col("x").cast(pl.Float64)) if parts else pl.DataFrame(schema=COUNTED)


def _since(sums: pl.Expr) -> pl.Expr:
    """Return what has come since the first reading that anybody is at."""
    return sums - _first(sums)


def _first(each: pl.Expr) -> pl.Expr:
    return each.first().over("replicate")


def _ends(frame: pl.DataFrame) -> str:
    last = frame.filter(line=LINES["rating"]).group_by("panel", maintain_order=True).last().rows(named=True)
    said = [f"{row['y']:+.1f} by {row['panel']}" for row in last]
    return f"Mean rating at the end: {listed(said)}. "
