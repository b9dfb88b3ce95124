"""The drawings about ratings beside the truth."""

from typing import Any

import numpy as np
import polars as pl
from matplotlib import ticker
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ..analysis import FigureTable
from .style import GREY, Sheet, Style, look, shade, zero


def panels(table: FigureTable, style: Style) -> Figure:
    """Panels side by side, a line a run in each, with levels or the diagonal for comparison in grey."""
    told = table.meta["panels"]
    lines = {line: look(k) for k, line in enumerate(table.meta["lines"])}
    only = list(lines) if len(lines) == 1 else []
    sheet = Sheet(
        style, [each["name"] for each in told], aspect=0.75 if len(told) > 1 else 0.5, widest=3,
        title=": ".join([table.meta["title"], *only]), lines=lines, share_y=False, share_x=False,
    )  # fmt: skip
    for axes, each in zip(sheet.axes, told, strict=True):
        here = table.frame.filter(pl.col("panel") == each["name"])
        if each["level"] is not None:
            zero(axes, style, each["level"])
        for line, how in lines.items():
            points = here.filter(pl.col("line") == line).cast({"low": pl.Float64, "high": pl.Float64})
            axes.fill_between(points["x"], points["low"], points["high"], **shade(how))
            axes.plot(points["x"], points["y"], **how)
        _scaled(axes, each, here, sheet.panel_ems, style)
        axes.set(xlabel=each["across"], ylabel=each["up"])
    return sheet.figure


def _scaled(axes: Axes, told: dict[str, Any], points: pl.DataFrame, ems: float, style: Style) -> None:
    """Set the scales of a panel, as its table wants them."""
    axes.margins(x=0.01)
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
        axes.xaxis.set_major_locator(ticker.MaxNLocator(max(2, min(5, int(ems / 3.5)))))
    if told["floor"] is not None:
        axes.set_ylim(told["floor"], None)
    if told["ceiling"] is not None:
        axes.set_ylim(None, told["ceiling"])


def settling(table: FigureTable, style: Style) -> Figure:
    """A panel a measure, a row a run: a dot with a bar, and what is said of it at the right."""
    systems = table.meta["systems"]
    names = table.frame["panel"].unique(maintain_order=True).to_list()
    sheet = Sheet(
        style, names, aspect=0.2 + 0.12 * len(systems), widest=2, title=table.meta["title"], share_x=False
    )  # fmt: skip
    for axes, name in zip(sheet.axes, names, strict=True):
        here = table.frame.filter(pl.col("panel") == name)
        edge = 1.05 * max(
            (x for row in here.select("value", "low", "high").rows() for x in row if x is not None), default=1
        )
        for k, system in enumerate(systems):
            for row in here.filter(pl.col("system") == system).rows(named=True):
                _row(axes, k, row, edge, style)
        axes.set(xlim=(0, 1.3 * edge), ylim=(len(systems) - 0.5, -0.5), yticks=range(len(systems)), yticklabels=systems)
        axes.grid(visible=False, axis="y")
        axes.xaxis.set_major_locator(ticker.MaxNLocator(5))
    return sheet.figure


def _row(axes: Axes, k: int, row: dict[str, Any], edge: float, style: Style) -> None:
    how = look(k)
    low, high = row["low"], row["high"]
    if low is not None:
        axes.plot(
            [low, edge if high is None else high], [k, k], color=how["color"], linewidth=0.3 * style.font_pt, alpha=0.4
        )
    if row["value"] is not None:
        axes.plot([row["value"]], [k], "o", color=how["color"], markersize=0.5 * style.font_pt)
    axes.text(1.0, k, row["said"], va="center", ha="right", size="small", transform=axes.get_yaxis_transform())
