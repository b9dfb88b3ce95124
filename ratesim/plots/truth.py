"""The drawings about ratings beside the truth."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl
from matplotlib import ticker
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ..analysis import FigureTable
from .style import GREY, MARKERS, Sheet, Style, look, plain, shade, tallest, wrapped, zero


def panels(table: FigureTable, style: Style) -> Figure:
    """Panels side by side, a line a run in each, with levels or the diagonal for comparison in grey."""
    told = table.meta["panels"]
    runs = table.meta.get("runs", table.meta["lines"])  # whose order gives the colours
    lines = {line: look(runs.index(line)) for line in table.meta["lines"]}
    only = list(lines) if len(lines) == 1 else []
    aspect, widest = 0.75 if len(told) > 1 else 0.5, max(1, int(style.ems / 16))
    sheet = Sheet(
        style, [each["name"] for each in told], aspect=aspect, widest=widest,
        title=": ".join([table.meta["title"], *only]), lines=lines, share_y=False, share_x=False,
        beside=6.0,
    )  # fmt: skip
    years = _years(table.frame, [each["name"] for each in told if each.get("whole")])
    for axes, each in zip(sheet.axes, told, strict=True):
        here = table.frame.filter(pl.col("panel") == each["name"])
        if each["level"] is not None:
            zero(axes, style, each["level"])
        for line, how in lines.items():
            points = here.filter(pl.col("line") == line).cast({"low": pl.Float64, "high": pl.Float64})
            axes.fill_between(points["x"], points["low"], points["high"], **shade(how))
            axes.plot(points["x"], points["y"], **how, **(_dot(runs.index(line)) if len(points) == 1 else {}))
        _scaled(axes, each, here, sheet.panel_ems, style)
        if each.get("whole"):
            axes.set_xlim(*years)
        axes.set_xlabel(wrapped(each["across"], sheet.panel_ems))
        axes.set_ylabel(wrapped(each["up"], aspect * sheet.panel_ems))
    return sheet.figure


def _scaled(axes: Axes, told: dict[str, Any], points: pl.DataFrame, ems: float, style: Style) -> None:
    """Set the scales of a panel, as its table wants them."""
    axes.margins(x=0.01)
    plain(axes, [each for end in ("y", "low", "high") for each in points[end].drop_nulls()])
    if told["diagonal"]:
        ends = [float(points["x"].to_numpy().min()), float(points["x"].to_numpy().max())]
        axes.plot(ends, ends, color=GREY, linewidth=0.1 * style.font_pt, zorder=1)
    if told["log"]:
        axes.set_xscale("log")
        x = points["x"].to_numpy()
        fine = 3.2 * (3 * np.log10(x.max() / x.min()) + 1) < ems
        axes.xaxis.set_major_locator(ticker.LogLocator(subs=(1, 2, 5) if fine else (1,)))
        axes.xaxis.set_major_formatter(ticker.StrMethodFormatter("{x:,.0f}"))
        axes.xaxis.set_minor_locator(ticker.NullLocator())
    else:
        whole = told.get("whole", False)
        axes.xaxis.set_major_locator(ticker.MaxNLocator(max(2, min(5, int(ems / 3.5))), integer=whole))
        if whole:  # as years are, which have no commas and no share in common
            axes.xaxis.set_major_formatter(ticker.StrMethodFormatter("{x:.0f}"))
    if told["floor"] is not None:
        axes.set_ylim(told["floor"], None)
    if told["ceiling"] is not None:
        axes.set_ylim(None, told["ceiling"])


def _dot(k: int) -> dict[str, Any]:
    """Return how a line of one point, which would not be seen, is marked: two on each other are told apart."""
    return {"marker": MARKERS[k % len(MARKERS)], "fillstyle": "none", "clip_on": False}


def _years(frame: pl.DataFrame, names: Sequence[str]) -> tuple[float, float]:
    """Return the ends of axes of whole years, which all such panels share: one that lacks the first is not wider."""
    x = frame.filter(pl.col("panel").is_in(list(names)))["x"].to_numpy()
    first, last = (float(x.min()), float(x.max())) if x.size else (0.0, 1.0)
    room = 0.01 * (last - first) or 1.0
    return first - room, last + room


def settling(table: FigureTable, style: Style) -> Figure:
    """A panel a measure, a row a run: a dot on a bar, and over it what it is."""
    systems, ems = table.meta["systems"], style.ems
    widest = 2 if ems > 40 else 1
    names = table.frame["panel"].unique(maintain_order=True).to_list()
    said = [wrapped(each, 1.15 * (ems / widest - 4)) for each in table.frame["said"]]
    frame = table.frame.with_columns(said=pl.Series(said, dtype=pl.String))
    tall = 1.3 * tallest(said) + 1.5  # of a row, ems
    sheet = Sheet(
        style, names, aspect=tall * len(systems) / (ems / widest - 3.5), widest=widest, title=table.meta["title"],
        share_x=False,
    )  # fmt: skip
    for axes, name in zip(sheet.axes, names, strict=True):
        rows = frame.filter(pl.col("panel") == name).rows(named=True)
        numbers = [row[each] for row in rows for each in ("value", "low", "high") if row[each] is not None]
        edge = max(numbers, default=1.0)
        for row in rows:
            _row(axes, systems.index(row["system"]), row, edge, style)
        axes.set(xlim=(0, 1.03 * edge), ylim=(len(systems) - 1 + 1.0 / tall, 1.0 / tall - 1), yticks=[])
        axes.spines["left"].set_visible(False)
        axes.xaxis.set_major_locator(ticker.MaxNLocator(5))
        axes.xaxis.set_major_formatter(ticker.StrMethodFormatter("{x:g}"))
    return sheet.figure


def _row(axes: Axes, k: int, row: dict[str, Any], edge: float, style: Style) -> None:
    """Draw a dot on a bar; a bar without an end goes on to the edge."""
    colour, low, size = look(k)["color"], row["low"], style.font_pt
    place: dict[str, Any] = {"xytext": (0, 0.4 * size), "textcoords": "offset points", "va": "bottom", "size": "small"}
    axes.annotate(row["said"], (0, k), **place)
    if low is not None:
        high = edge if row["high"] is None else row["high"]
        axes.plot([low, high], [k, k], color=colour, linewidth=0.4 * size, alpha=0.35, solid_capstyle="butt")
    if row["value"] is not None:
        axes.plot([row["value"]], [k], "o", color=colour, markersize=0.5 * size, clip_on=False)
