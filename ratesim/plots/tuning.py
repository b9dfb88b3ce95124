"""The drawings of what tuning found."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import polars as pl
from matplotlib import ticker
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.tri import Triangulation

from ..analysis import FigureTable
from .style import FAINT, GREY, Sheet, Style, flat, look, shade, wrapped

Parameter = Mapping[str, Any]
MOST_DOTS = 60  # settings on a line; of more, the line alone
LEVELS = 8  # of contours
ROOM = 0.05  # about a loss that nothing changes, as a share of it


def response(table: FigureTable, style: Style) -> Figure:
    """A panel a parameter: loss over its values, the best with its interval, and what cannot be told from it."""
    parameters = table.meta["parameters"]
    names = [each["name"] for each in parameters]
    sheet = Sheet(
        style, names, aspect=0.5 if len(names) == 1 else 0.75, widest=3, title=table.meta["title"], share_x=False,
        beside=6.0, lines=_meanings(table, style),
    )  # fmt: skip
    for axes, each in zip(sheet.axes, parameters, strict=True):
        here = table.frame.filter(pl.col("parameter") == each["name"])
        _curve(axes, here, each, style)
        _along(axes.xaxis, axes.set_xscale, each, sheet.panel_ems)
        axes.set_ylabel(wrapped(table.meta["metric"], 0.5 * sheet.panel_ems))
    if len(names) == 1:
        sheet.axes[0].set_xlabel(names[0])
    return sheet.figure


def _meanings(table: FigureTable, style: Style) -> dict[str, dict[str, Any]]:
    """Return what the legend has: what each mark is called, and how it looks; only what some panel shows."""
    parameters, size, best = table.meta["parameters"], style.font_pt, look(1)["color"]
    level, nothing = f"{100 * table.meta['level']:g} %", {"linestyle": "none"}
    square = {**nothing, "marker": "s", "markersize": 0.8 * size, "markeredgewidth": 0}
    marks: dict[str, tuple[bool, dict[str, Any]]] = {
        "loss": (True, look(0)),
        f"paired error, {level}": (
            bool(table.frame["low"].is_not_null().any()), {**square, "color": shade(look(0))["color"], "alpha": 0.3},
        ),
        "best": (True, {**nothing, "marker": "o", "color": best, "markersize": 0.7 * size}),
        f"its interval, {level}": (
            any(each["interval"] is not None for each in parameters), {"color": best, "linewidth": 0.25 * size},
        ),
        "not told from it": (True, {**square, "color": FAINT}),
        "usual": (any(map(_usual, parameters)), _dashed(size)),
    }  # fmt: skip
    return {name: how for name, (shown, how) in marks.items() if shown}


def _usual(parameter: Parameter) -> bool:
    """Whether the usual value lies in the range."""
    return parameter["usual"] is not None and bool(parameter["low"] <= parameter["usual"] <= parameter["high"])


def _dashed(size: float) -> dict[str, Any]:
    return {"color": GREY, "linewidth": 0.1 * size, "linestyle": (0, (3, 2))}


def surface(table: FigureTable, style: Style) -> Figure:
    """Contours of what is lost beyond the best of two parameters, over the settings that were tried."""
    across, up = table.meta["parameters"]
    sheet = Sheet(style, [""], aspect=0.6, widest=1, title=table.meta["title"], beside=6.0)
    (axes,) = sheet.axes
    frame, size = table.frame, style.font_pt
    x, y, z = (frame[name].to_numpy() for name in ("x", "y", "difference"))
    where = [np.log(v) if each["scale"] == "log" else v for v, each in ((x, across), (y, up))]
    if flat(z[np.isfinite(z)]):
        _nothing(axes)
    elif len(x) >= 3 and all(np.ptp(v) > 0 for v in where):
        mesh = Triangulation(x, y, Triangulation(*(v / np.ptp(v) for v in where)).triangles)
        drawn = axes.tricontourf(mesh, z, levels=_levels(z), cmap="Blues", extend="both")
        bar = sheet.figure.colorbar(drawn, ax=axes, format="%.3g")
        bar.set_label(f"more {table.meta['metric']} than the best")
    alike = frame.filter("alike")
    axes.plot(x, y, ".", color=GREY, markersize=0.2 * size, zorder=2)
    axes.plot(alike["x"], alike["y"], "o", color=look(1)["color"], markersize=0.3 * size, zorder=3, fillstyle="none")
    axes.plot([across["best"]], [up["best"]], "o", color=look(1)["color"], markersize=0.7 * size, zorder=4)
    _along(axes.xaxis, axes.set_xscale, across, sheet.panel_ems)
    _along(axes.yaxis, axes.set_yscale, up, 0.6 * sheet.panel_ems)
    axes.set(xlim=(across["low"], across["high"]), ylim=(up["low"], up["high"]))
    axes.set_xlabel(across["name"])
    axes.set_ylabel(up["name"])
    return sheet.figure


def _curve(axes: Axes, here: pl.DataFrame, parameter: Parameter, style: Style) -> None:
    how, size = look(0), style.font_pt
    value, loss = here["value"].to_numpy(), here["loss"].to_numpy()
    least = loss - here["difference"].to_numpy()
    axes.axvspan(*parameter["alike"], color=FAINT, alpha=0.6, linewidth=0, zorder=0)
    if here["low"].is_not_null().any():
        low, high = (here[end].cast(pl.Float64).to_numpy() for end in ("low", "high"))
        axes.fill_between(value, least + low, least + high, **shade(how))
    axes.plot(value, loss, marker="." if len(value) <= MOST_DOTS else "", markersize=0.5 * size, **how)
    best = look(1)["color"]
    at = float(loss[np.argmin(np.abs(here["difference"].to_numpy()))])
    axes.plot([parameter["best"]], [at], "o", color=best, markersize=0.7 * size, zorder=4)
    if parameter["interval"] is not None:
        place = axes.get_xaxis_transform()
        axes.plot(parameter["interval"], [0.96, 0.96], color=best, linewidth=0.25 * size, transform=place, zorder=4)
    if _usual(parameter):
        axes.axvline(parameter["usual"], **_dashed(size), zorder=1)
    if flat(loss[np.isfinite(loss)]):
        axes.set_ylim(at * (1 - ROOM), at * (1 + ROOM))
        _nothing(axes)
        return
    ends = [loss, *((least + here[end].cast(pl.Float64).to_numpy()) for end in ("low", "high"))]  # the band whole
    lowest, highest = (float(f([f(each) for each in map(_finite, ends) if each.size])) for f in (np.min, np.max))
    edge = 0.05 * max(highest - lowest, 1e-6)
    axes.set_ylim(lowest - 2 * edge, highest + 3 * edge)


def _finite(values: Any) -> np.ndarray[Any, np.dtype[np.float64]]:  # noqa: ANN401  # what polars makes of a column
    some = np.asarray(values, dtype=np.float64)
    return some[np.isfinite(some)]


def _nothing(axes: Axes) -> None:
    """Say that losses are all one."""
    axes.text(0.5, 0.75, "changes nothing here", ha="center", va="center", transform=axes.transAxes)


def _levels(z: np.ndarray[Any, np.dtype[np.float64]]) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return levels that lie closer where less is lost."""
    most = float(np.quantile(np.abs(z), 0.9)) or 1e-9
    levels = most * np.linspace(0, 1, LEVELS + 1)[1:] ** 2
    return levels if z.max() > 0 else -levels[::-1]


def _along(axis: Any, scale: Any, parameter: Parameter, ems: float) -> None:  # noqa: ANN401  # matplotlib's own
    """Set the scale of an axis to that of a parameter."""
    if parameter["scale"] == "log":
        scale("log")
        axis.set_major_locator(ticker.LogLocator(subs=(1, 2, 5)))
        axis.set_minor_locator(ticker.NullLocator())
    else:
        axis.set_major_locator(ticker.MaxNLocator(max(2, min(6, int(ems / 3.5)))))
    axis.set_major_formatter(ticker.StrMethodFormatter("{x:g}"))
