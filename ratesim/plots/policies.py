"""The drawings of what K policies do."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl
from matplotlib import patheffects, ticker
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ..analysis import FigureTable
from .style import FAINT, GREY, MARKERS, Sheet, Style, look, name_axes, shade, time_axis, wrapped, zero

MOST_NAMES = 16  # points of the frontier that have their names beside them
NARROWEST = 8.0  # ems of a panel beside another
LONGEST = 26  # letters of a player's name


def careers(table: FigureTable, style: Style) -> Figure:
    """K over games played of all players, then a panel a player over time."""
    names, lines = table.meta["panels"], _looks(table)
    only = list(lines) if len(lines) == 1 else []
    title = ": ".join([table.meta["title"], *only])
    aspect, widest = (0.62, 3) if len(names) > 2 else (0.75, 2)
    sheet = Sheet(style, names, aspect=aspect, widest=widest, title=title, lines=lines, share_x=False)
    for axes, name in zip(sheet.axes, names, strict=True):
        here, over_time = table.frame.filter(pl.col("panel") == name), name != "all players"
        for line, how in lines.items():
            _line(axes, here.filter(pl.col("line") == line), how)
        if over_time:
            time_axis(axes, sheet.panel_ems, days=table.meta["days"])
            axes.set_xlabel("time (days)" if table.meta["days"] else "date")
        else:
            axes.set_xscale("symlog", linthresh=1, linscale=0.4)
            axes.set_xlim(0, None)
            axes.xaxis.set_major_locator(ticker.FixedLocator([0, 1, 3, 10, 30, 100, 300, 1000, 3000, 10000]))
            axes.xaxis.set_major_formatter(ticker.StrMethodFormatter("{x:,.0f}"))
            axes.xaxis.set_minor_locator(ticker.NullLocator())
            axes.set_xlabel("games played before")
    if (table.frame["y"] > 0).all():
        sheet.axes[0].set_yscale("log")
        sheet.axes[0].yaxis.set_major_locator(ticker.LogLocator(subs=(1, 2, 5)))
        sheet.axes[0].yaxis.set_major_formatter(ticker.StrMethodFormatter("{x:g}"))
        sheet.axes[0].yaxis.set_minor_locator(ticker.NullLocator())
    sheet.figure.supylabel("K (points)", size="medium")
    return sheet.figure


def inflation(table: FigureTable, style: Style) -> Figure:
    """Mean and spread of ratings over time, a line a run."""
    names, lines = table.meta["panels"], _looks(table)
    only = list(lines) if len(lines) == 1 else []
    title = ": ".join([table.meta["title"], *only])
    sheet = Sheet(style, names, aspect=0.75, widest=2, title=title, lines=lines, share_y=False, beside=5.0)
    for axes, name in zip(sheet.axes, names, strict=True):
        here = table.frame.filter(pl.col("panel") == name)
        for line, how in lines.items():
            own = here.filter(pl.col("line") == line)
            axes.plot(own["x"], own["y"], **how)
        time_axis(axes, sheet.panel_ems, days=table.meta["days"])
    name_axes(sheet, "time (days)" if table.meta["days"] else "date", "rating points")
    return sheet.figure


def moved(table: FigureTable, style: Style) -> Figure:
    """The players moved most, a row each, and the mean change by rating."""
    players = table.frame.filter(pl.col("player").is_not_null())
    bands = table.frame.filter(pl.col("player").is_null())
    names = ["players moved most", *(["by rating"] if bands.height else [])]
    said = [f"{shorten(row['player'], LONGEST)} ({row['games']:,.0f})" for row in players.rows(named=True)]
    rows, beside = players.height, 0.55 * max(map(len, said)) + 2.0
    widest = 2 if style.ems / 2 - beside > NARROWEST else 1
    width = style.ems / min(widest, len(names)) - beside
    tall = max(0.75, 1.35 * (rows + 1) / width)
    sheet = Sheet(
        style, names, aspect=tall, widest=widest, title=table.meta["title"], share_y=False, share_x=False,
        beside=beside, heights=(1.0, min(1.0, 0.75 / tall)) if bands.height else (),
    )  # fmt: skip
    axes, size = sheet.axes[0], style.font_pt
    for k, row in enumerate(players.rows(named=True)):
        axes.plot([row["rating"], row["value"]], [k, k], color=GREY, linewidth=0.12 * size, zorder=2)
        axes.plot([row["rating"]], [k], "o", color=look(0)["color"], markersize=0.5 * size, fillstyle="none", zorder=3)
        axes.plot([row["value"]], [k], "o", color=look(0)["color"], markersize=0.5 * size, zorder=4)
    axes.set_yticks(range(rows), said)
    axes.set_ylim(rows - 0.4, -0.6)
    axes.set_xlabel(wrapped("rating (points); games in brackets", width))
    if bands.height:
        _by_rating(sheet.axes[1], bands, style)
    for each in sheet.axes:
        each.xaxis.set_major_locator(ticker.MaxNLocator(max(2, min(5, int(width / 4)))))
    return sheet.figure


def _by_rating(axes: Axes, bands: pl.DataFrame, style: Style) -> None:
    zero(axes, style)
    axes.fill_between(bands["rating"], bands["low"], bands["high"], **shade(look(0)))
    axes.plot(bands["rating"], bands["value"], marker="o", markersize=0.35 * style.font_pt, **look(0))
    axes.set_xlabel("rating before (points)")
    axes.set_ylabel("change (points)")


def frontier(table: FigureTable, style: Style) -> Figure:
    """A point a run on noise and lag, circles of equal error, and theory as a dashed line with its best K."""
    points, size, aspect = table.frame.filter(pl.col("kind") == "run"), style.font_pt, 0.72
    places = [table.meta["runs"].index(label) for label in points["label"]]
    looks = [
        {"color": look(k)["color"], "marker": MARKERS[k % len(MARKERS)], "linestyle": "none", "markersize": 0.6 * size}
        for k in places
    ]
    few = points.height <= MOST_NAMES
    beside = few and 0.5 * max(map(len, points["label"])) < 0.2 * (style.ems - 6.0)  # room for names at points
    legend = dict(zip(points["label"], looks, strict=True)) if few and not beside else {}
    sheet = Sheet(style, [""], aspect=aspect, widest=1, title=table.meta["title"], lines=legend, beside=6.0)
    (axes,) = sheet.axes
    far_x, far_y = _room(points["noise"], points["noise_high"]), _room(points["lag"], points["lag_high"])
    _circles(axes, far_x, far_y, style)
    _theory(axes, table.frame, (far_x, far_y), size)
    for row, how in zip(points.rows(named=True), looks, strict=True):
        _point(axes, row, how, size)
    if beside:
        best = table.frame.filter(pl.col("kind") == "best").select("noise", "lag").rows()
        _names(axes, points, (far_x, far_y), size, best)
    axes.set(xlim=(0, far_x), ylim=(0, far_y))
    axes.grid(visible=False)
    axes.set_xlabel(wrapped("noise: error at rest, RMS (points)", sheet.panel_ems))
    axes.set_ylabel(wrapped("lag: what change of skill adds, RMS (points)", aspect * sheet.panel_ems))
    return sheet.figure


def _point(axes: Axes, row: Mapping[str, Any], how: Mapping[str, Any], size: float) -> None:
    """Draw a run, and its intervals where it has them."""
    x, y, bar = row["noise"], row["lag"], {"color": how["color"], "linewidth": 0.1 * size, "zorder": 3}
    if row["noise_low"] is not None:
        axes.plot([row["noise_low"], row["noise_high"]], [y, y], **bar)
        axes.plot([x, x], [row["lag_low"], row["lag_high"]], **bar)
    axes.plot([x], [y], **how, zorder=4, clip_on=False)


def _names(
    axes: Axes, points: pl.DataFrame, far: tuple[float, float], size: float, best: Sequence[tuple[float, float]]
) -> None:
    """Write names beside points and the star, those of points that lie on each other in lines of their own."""
    halo = [patheffects.withStroke(linewidth=0.25 * size, foreground="white")]
    named: list[tuple[float, float]] = []
    for label, noise, lag in points.select("label", "noise", "lag").rows():
        x, y = noise / far[0], lag / far[1]
        same = sum(near(x, each[0]) and near(y, each[1]) for each in named)
        side, align = (-1, "right") if x > 0.7 else (1, "left")  # towards the middle
        starred = any(near(x, star[0] / far[0]) and near(y, star[1] / far[1]) for star in best)
        shift = ((1.3 if starred else 0.6) * size * side, ((0.3 if side > 0 else 1.5) - 1.1 * same) * size)
        axes.annotate(
            label, (noise, lag), xytext=shift, textcoords="offset points", ha=align, size="small", zorder=7,
            path_effects=halo,
        )  # fmt: skip
        named.append((x, y))


def near(one: float, two: float) -> bool:
    """Whether two places, as shares of an axis, are so near that names beside them would meet."""
    return abs(one - two) < 0.03  # a line of text


def _room(values: pl.Series, high: pl.Series) -> float:
    most = max(float(each.fill_null(0.0).to_numpy().max()) for each in (values, high.cast(pl.Float64)))
    return 1.12 * most or 1.0


def _circles(axes: Axes, far_x: float, far_y: float, style: Style) -> None:
    """Draw where the whole error, the distance from the corner, is the same."""
    angle = np.linspace(0, np.pi / 2, 91)
    steps = ticker.MaxNLocator(6).tick_values(0, float(np.hypot(far_x, far_y)))
    for error in np.asarray(steps)[1:].tolist():
        axes.plot(error * np.cos(angle), error * np.sin(angle), color=FAINT, linewidth=0.09 * style.font_pt, zorder=1)


def _theory(axes: Axes, frame: pl.DataFrame, far: tuple[float, float], size: float) -> None:
    """Draw the line of constants K, marks at some of them, and the best."""
    line = frame.filter(pl.col("kind") == "theory")
    axes.plot(line["noise"], line["lag"], color="black", linestyle=(0, (4, 2)), linewidth=0.09 * size, zorder=2)
    place: dict[str, Any] = {"textcoords": "offset points", "size": "small", "color": "#4d4d4d"}
    for k in (5, 10, 20, 40, 80, 160):
        for row in line.sort((pl.col("k") - k).abs()).head(1).rows(named=True):
            inside = row["noise"] < 0.97 * far[0] and row["lag"] < 0.97 * far[1]
            if inside and abs(row["k"] - k) < 0.03 * k:
                axes.plot([row["noise"]], [row["lag"]], "|", color="black", markersize=0.7 * size, zorder=2)
                axes.annotate(f"{k}", (row["noise"], row["lag"]), xytext=(-0.3 * size, -1.3 * size), **place)
    best = frame.filter(pl.col("kind") == "best")
    axes.plot(best["noise"], best["lag"], "*", color="black", markersize=2 * size, fillstyle="none", zorder=6)


def shorten(name: str, most: int) -> str:
    """Return a name, cut where it is longer.

    >>> shorten("Saint Pierre and Miquelon", 14), shorten("Spain", 14)
    ('Saint Pierre…', 'Spain')
    """
    return name if len(name) <= most else name[: most - 1].rstrip() + "…"


def _looks(table: FigureTable) -> dict[str, dict[str, Any]]:
    """Return how each line looks: as in other figures."""
    return {line: look(table.meta["runs"].index(line)) for line in table.meta["lines"]}


def _line(axes: Axes, points: pl.DataFrame, how: Mapping[str, Any]) -> None:
    """Draw a line, and its band where it has one."""
    if points["low"].is_not_null().any():
        axes.fill_between(points["x"], points["low"].cast(pl.Float64), points["high"].cast(pl.Float64), **shade(how))
    axes.plot(points["x"], points["y"], **how)
