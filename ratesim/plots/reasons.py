"""The drawings of two systems against each other."""

import numpy as np
import polars as pl
from matplotlib import ticker
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ..analysis import FigureTable
from .policies import LONGEST, shorten
from .style import GREY, Sheet, Style, look, name_axes, time_axis, wrapped

WIDE = 40.0  # ems of a figure with two panels side by side


def parting(table: FigureTable, style: Style) -> Figure:
    """A panel a player with a line a run; games that parted the two are numbered at a line through both."""
    names, lines = table.meta["players"], {label: look(k) for k, label in enumerate(table.meta["lines"])}
    alone = names if len(names) == 1 else []
    title, widest = ": ".join([table.meta["title"], *alone]), 2 if style.ems > WIDE else 1
    sheet = Sheet(
        style, names, aspect=0.5, widest=widest, title=title, lines=lines, share_x=False, share_y=False, beside=5.0
    )
    for axes, player in zip(sheet.axes, names, strict=True):
        here = table.frame.filter(pl.col("player") == player)
        for label, how in lines.items():
            own = here.filter(pl.col("line") == label)
            axes.plot(own["time"], own["rating"], drawstyle="steps-post", **how)
        time_axis(axes, sheet.panel_ems, days=table.meta["days"])
        _numbered(axes, here, sheet.panel_ems, style)
    name_axes(sheet, "time (days)" if table.meta["days"] else "date", "rating (points of the first)")
    return sheet.figure


def _numbered(axes: Axes, steps: pl.DataFrame, ems: float, style: Style) -> None:
    """Draw lines at marked steps with their numbers at the top, side by side where they would meet."""
    marked = steps.filter(pl.col("mark").is_not_null()).unique("mark", keep="first").sort("time", "mark")
    low, high = axes.get_xlim()
    beyond = -np.inf
    for row in marked.rows(named=True):
        axes.axvline(row["time"], color=GREY, linewidth=0.08 * style.font_pt, zorder=1)
        at = max((row["time"] - low) / (high - low) * ems + 0.2, beyond)
        beyond = at + 0.8
        axes.text(
            at / ems, 1.0, f"{row['mark']}", transform=axes.transAxes, ha="left", va="top", zorder=5,
            fontsize=0.8 * style.font_pt,
        )  # fmt: skip


def scales(table: FigureTable, style: Style) -> Figure:
    """A point a player, the larger the more games, and the rising line."""
    one, two = table.meta["runs"]
    sheet = Sheet(style, [""], aspect=0.7, widest=1, title=table.meta["title"], beside=5.0)
    (axes,) = sheet.axes
    points, fit = (table.frame.filter(pl.col("kind") == kind) for kind in ("player", "map"))
    games = points["games"].to_numpy()
    area = (0.2 + 0.4 * np.sqrt(games / games.max())) * style.font_pt
    axes.scatter(
        points["other"], points["rating"], s=area**2, color=look(0)["color"], alpha=0.35, linewidths=0, zorder=2
    )
    axes.plot(fit["other"], fit["rating"], color="black", linewidth=0.14 * style.font_pt, zorder=3)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(ticker.MaxNLocator(max(3, min(7, int(sheet.panel_ems / 4)))))
    axes.set_xlabel(wrapped(f"rating by {two} (points)", 0.85 * sheet.panel_ems))
    axes.set_ylabel(wrapped(f"rating by {one} (points)", 0.7 * sheet.panel_ems))
    return sheet.figure


def ranks(table: FigureTable, style: Style) -> Figure:
    """The players moved most, a row each: a ring at the one rank, a dot at the other."""
    players = table.frame.rows(named=True)
    said = [f"{shorten(row['player'], LONGEST)} ({row['games']:,.0f})" for row in players]
    beside = 0.55 * max(map(len, said)) + 3.0
    width = style.ems - beside
    sheet = Sheet(
        style, [""], aspect=max(0.3, 1.35 * (len(said) + 1) / width), widest=1, title=table.meta["title"], beside=beside
    )
    (axes,) = sheet.axes
    how, size = {"color": look(0)["color"], "markersize": 0.5 * style.font_pt}, style.font_pt
    for k, row in enumerate(players):
        axes.plot([row["rank"], row["rank_other"]], [k, k], color=GREY, linewidth=0.12 * size, zorder=2)
        axes.plot([row["rank"]], [k], "o", **how, fillstyle="none", zorder=3)
        axes.plot([row["rank_other"]], [k], "o", **how, zorder=4)
    axes.set_yticks(range(len(said)), said)
    axes.set_ylim(len(said) - 0.4, -0.6)
    axes.invert_xaxis()
    axes.xaxis.set_major_locator(ticker.MaxNLocator(max(2, min(8, int(width / 4))), integer=True))
    axes.set_xlabel(wrapped("rank, 1 at the right; games in brackets", width))
    return sheet.figure
