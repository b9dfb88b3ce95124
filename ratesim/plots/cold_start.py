"""The drawing of what forecasts cost while players are new."""

import polars as pl
from matplotlib import ticker
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ..analysis import FigureTable
from .style import FAINT, Sheet, Style, look, shade, wrapped, zero

PLAYED = (0, 1, 3, 10, 30, 100, 300, 1000, 3000, 10_000)


def cold_start(table: FigureTable, style: Style) -> Figure:
    """Loss over games played before, a line a system, and beside it how far it is from the best one's."""
    systems, best, metric = (table.meta[key] for key in ("systems", "best", "metric"))
    lines = {system: look(k) for k, system in enumerate(systems)}
    names = [metric, f"{metric}: difference from {best}"][: len(systems)]
    only = systems if len(systems) == 1 else []
    aspect, widest = 0.75, max(1, int(style.ems / 18))
    sheet = Sheet(
        style, names, aspect=aspect, widest=widest, title=": ".join([table.meta["title"], *only]), lines=lines,
        share_y=False, share_x=False, beside=5.0,
    )  # fmt: skip
    for axes, what in zip(sheet.axes, ("loss", "difference"), strict=False):
        _shares(axes, table)
        for system, how in lines.items():
            here = table.frame.filter(pl.col("system") == system)
            if what == "difference":
                axes.fill_between(here["before"], here["low"], here["high"], **shade(how))
            axes.plot(here["before"], here[what], marker="o", markersize=0.3 * style.font_pt, **how)
        axes.set_xscale("symlog", linthresh=1, linscale=0.4)
        axes.xaxis.set_major_locator(ticker.FixedLocator(PLAYED[:: 1 if sheet.panel_ems > 16 else 2]))
        axes.xaxis.set_major_formatter(ticker.StrMethodFormatter("{x:,.0f}"))
        axes.xaxis.set_minor_locator(ticker.NullLocator())
        axes.set_xlim(-0.5, 1.3 * float(table.frame["to"].to_numpy().max()))
        axes.set_xlabel(wrapped("games the less experienced had played", sheet.panel_ems))
    for axes in sheet.axes[1:]:
        zero(axes, style)
    return sheet.figure


def _shares(axes: Axes, table: FigureTable) -> None:
    """Draw the share of games of each bin from the bottom of the panel, whose height is all of them."""
    bins = table.frame.filter(pl.col("system") == table.meta["systems"][0])
    begin, end = bins["from"].to_numpy(), bins["to"].to_numpy()
    left, right = begin - 0.4, end + 0.4
    place = axes.get_xaxis_transform()
    axes.bar(left, table.meta["share"], right - left, align="edge", color=FAINT, transform=place, zorder=0)
