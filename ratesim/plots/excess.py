"""The drawing of what forecasts lose by not knowing the truth."""

import numpy as np
import polars as pl
from matplotlib.figure import Figure

from ..analysis import FigureTable
from .style import Sheet, Style, look, name_axes, wrapped

MARKERS = "os^DvP*X"  # of runs, so that they are told apart in grey
NAMES = 16.0  # room for the name of a stream, ems


def excess(table: FigureTable, style: Style) -> Figure:
    """A row a stream, a point a run with its interval, from 0."""
    streams, systems = table.meta["streams"], table.meta["systems"]
    lines = {
        name: look(k) | {"linestyle": "none", "marker": MARKERS[k % len(MARKERS)]} for k, name in enumerate(systems)
    }
    height = (len(streams) * (0.6 + 0.7 * len(systems)) + 1) / (style.ems - NAMES)
    sheet = Sheet(style, [""], aspect=height, widest=1, title=table.meta["title"], lines=lines, beside=NAMES)
    (axes,) = sheet.axes
    place = {name: k for k, name in enumerate(streams)}
    for k, (system, how) in enumerate(lines.items()):
        here = table.frame.filter(pl.col("system") == system)
        at = np.array([place[each] for each in here["stream"]]) + 0.6 * ((k + 0.5) / len(systems) - 0.5)
        value, low, high = (here[name].cast(pl.Float64).to_numpy() for name in ("excess", "low", "high"))
        room = np.nan_to_num([value - low, high - value])
        axes.errorbar(value, at, xerr=np.maximum(room, 0.0), markersize=0.4 * style.font_pt, **how)
    axes.set_yticks(range(len(streams)), [wrapped(name, NAMES - 2) for name in streams])
    luck = min(0.0, *table.frame["excess"].to_list(), *table.frame["low"].drop_nulls().to_list())
    axes.set(ylim=(len(streams) - 0.5, -0.5), xlim=(1.1 * luck, None))
    axes.axvline(0.0, color="0.5", linewidth=0.6)
    axes.grid(axis="x", linewidth=0.4, alpha=0.4)
    name_axes(sheet, "excess over the oracle", "")
    return sheet.figure
