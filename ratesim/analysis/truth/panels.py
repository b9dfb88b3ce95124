"""Figures of lines side by side: what a panel shows, and the table behind them."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import polars as pl

from ..remaining import enough
from ..table import EmptyFigureError, FigureTable
from .gathering import Runs, behind, fewer, gathered

SCHEMA = {"panel": pl.String, "line": pl.String, **dict.fromkeys(("x", "y", "low", "high"), pl.Float64)}
COUNTED = {**SCHEMA, "replicates": pl.Int64}


class Panel(NamedTuple):
    """One panel."""

    name: str  # over it
    table: str  # of `truth_tables`
    x: str  # columns of the table
    y: str
    across: str  # what the axes are called
    up: str
    level: float | None = None  # a grey line there
    diagonal: bool = False  # a grey line of x = y
    log: bool = False  # whether the horizontal axis is logarithmic
    floor: float | None = None  # where the vertical axis begins
    ceiling: float | None = None
    factor: float = 1.0  # of y
    where: Mapping[str, Any] | None = None  # values of columns that rows must have
    fewest: int = 0  # players of all replicates together behind a point, where any point has so many
    strict: bool = False  # whether panels are empty where none has
    ends: bool = False  # whether lines end where few of their players are left


def lined(runs: Runs, panels: Sequence[Panel], *, name: str, title: str, caption: str) -> FigureTable:
    """Return a figure of panels, a line a run: rows panel, line (label of the run), x, y, low, high, replicates.

    `replicates` says how many stand behind a point; the caption says so where it is not all of them.
    The place of a run among all tells its colour, here as in other figures, also where some have nothing to show.

    Panels that would be empty are left out, and points behind which stand too few players.

    Raises
    ------
    InputError : all would be.
    """
    tables = [_points(runs, panel) for panel in panels]
    kept = [panel for panel, table in zip(panels, tables, strict=True) if table.height]
    frame = pl.concat(tables)
    if frame.is_empty():
        raise EmptyFigureError("nothing to show", where=f"figure {name}", expected="runs over a world that has it")
    there = set(frame["line"])
    meta = meta_of_panels(title, kept, [label for label in runs if label in there])
    return FigureTable(name, frame, caption.strip() + fewer(frame), meta | {"runs": list(runs)})


def meta_of_panels(title: str, panels: Sequence[Panel], lines: Sequence[str]) -> dict[str, Any]:
    """Return what the drawing of panels needs besides numbers."""
    told = ("name", "across", "up", "level", "diagonal", "log", "floor", "ceiling")
    said = [{each: getattr(panel, each) for each in told} for panel in panels]
    return {"drawing": "panels", "title": title, "panels": said, "lines": list(lines)}


def _points(runs: Runs, panel: Panel) -> pl.DataFrame:
    frame = gathered(runs, panel.table)
    if frame.is_empty():
        return pl.DataFrame(schema=COUNTED)
    if panel.where:
        frame = frame.filter(**panel.where)
    players = frame["players"] * frame["replicates"]
    most = float(players.to_numpy().max(initial=0))
    fewest = int(panel.fewest if panel.strict else min(panel.fewest, most))
    number = pl.col("players") * pl.col("replicates")
    frame = frame.filter(enough(number, fewest=fewest) if panel.ends else number >= fewest)
    frame = behind(frame, runs, panel.table, panel.y)
    values = {end: pl.col(f"{panel.y}{end}") * panel.factor for end in ("", "_low", "_high")}
    return frame.select(
        panel=pl.lit(panel.name), line=pl.col("system"), x=pl.col(panel.x).cast(pl.Float64), y=values[""],
        low=values["_low"], high=values["_high"], replicates="replicates",
    ).filter(pl.col("y").is_not_null())  # fmt: skip
