"""From a table to a drawing, and from a drawing to a file."""

import logging
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Literal

import numpy as np
import polars as pl
from matplotlib import ticker
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ..analysis import EmptyFigureError, FigureTable, counted
from ..errors import InputError, nearest
from ..inference import count
from .cold_start import cold_start
from .excess import excess
from .overview import overview
from .policies import careers, frontier, inflation, moved
from .reasons import parting, ranks, scales
from .style import FAINT, GREY, Sheet, Style, lacking, look, name_axes, settings, shade, time_axis, zero
from .truth import panels, settling
from .tuning import response, surface

log = logging.getLogger("ratesim")
FORMATS: dict[str, dict[str, Any]] = {
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
    "png": {"Software": None},
}
CAPTION = {"svg": "Description", "pdf": "Subject", "png": "Description"}  # what each form calls it
CLAIMED = {"color": GREY, "linestyle": (0, (1, 1.5))}
THEORY: dict[str, Any] = {"color": "black", "linestyle": (0, (4, 2)), "linewidth": 0.8}
MOST_LINES = 7  # of systems in one panel; more are drawn a panel each


def draw(table: FigureTable, style: Style | None = None) -> Figure:
    """Draw a table.

    Parameters
    ----------
    table : from `ratesim.analysis`, or read back from its files.
    style : width and size of text.

    Raises
    ------
    InputError : its `meta` names no drawing that there is, or it is empty.
    """
    style = style or Style()
    drawing = table.meta.get("drawing", "")
    if drawing not in DRAWINGS:
        near = nearest(str(drawing), DRAWINGS)
        expected = "" if near else f"one of {', '.join(DRAWINGS)}"
        raise InputError(f"unknown drawing '{drawing}'", where=f"figure {table.name}", expected=expected, near=near)
    if table.frame.is_empty():
        raise EmptyFigureError("an empty table", where=f"figure {table.name}", expected="a row at least")
    with settings(style), lacking() as letters:
        figure = DRAWINGS[drawing](table, style)
        _settle(figure)
    if letters:
        _say("".join(sorted(letters)))
    return figure


def _settle(figure: Figure) -> None:
    """Make layout and ticks now, by the settings in force and not those of who saves it, and nothing twice.

    A figure that keeps a layout engine, even one that does nothing more, is drawn an extra time as it is saved.
    """
    layout = figure.get_layout_engine()
    assert layout is not None  # noqa: S101  # each is made with one
    layout.execute(figure)
    figure.set_layout_engine(None)
    for axes in figure.axes:
        axes.get_xticklabels()
        axes.get_yticklabels()


def save(figure: Figure, path: Path, format: Literal["svg", "pdf", "png"] = "svg", caption: str = "") -> None:  # noqa: A002  # matplotlib's name
    """Write a drawing: the same bytes for the same drawing, on any day.

    Parameters
    ----------
    caption : goes with the file, as its description (SVG, PNG) or subject (PDF).

    Raises
    ------
    InputError : no such format.
    """
    if format not in FORMATS:
        raise InputError(f"format '{format}'", where=str(path), expected=f"one of {', '.join(FORMATS)}")
    about = FORMATS[format] | ({CAPTION[format]: caption} if caption else {})
    with settings(Style()), lacking():
        figure.savefig(path, format=format, dpi=200, metadata=about)


def history(table: FigureTable, style: Style) -> Figure:
    """A panel a player and a line a system; with many systems, or one, a panel a system and a line a player."""
    systems, players = table.meta["systems"], table.meta["players"]
    by_player = 1 < len(systems) <= MOST_LINES
    panels, lines = (players, systems) if by_player else (systems, players)
    panel, line = ("player", "system") if by_player else ("system", "player")
    alone = [names[0] for names in (panels, lines) if len(names) == 1]
    sheet = Sheet(
        style,
        panels,
        aspect=0.62 if len(panels) > 1 else 0.5,
        widest=3,
        title=": ".join([table.meta["title"], *alone]),
        lines={name: look(k) for k, name in enumerate(lines)},
    )
    for axes, name in zip(sheet.axes, panels, strict=True):
        here = table.frame.filter(pl.col(panel) == name)
        for k, each in enumerate(lines):
            _banded_line(axes, here.filter(pl.col(line) == each), k)
    sheet.axes[0].set_ylim(_limits(table.frame))
    _time_axis(sheet, days=table.meta["days"])
    name_axes(sheet, _time_name(table), "rating (points)")
    return sheet.figure


def difference(table: FigureTable, style: Style) -> Figure:
    """A line a player, about zero."""
    players = table.meta["players"]
    title = ": ".join([table.meta["title"], *(players if len(players) == 1 else [])])
    lines = {player: look(k) for k, player in enumerate(players)}
    sheet = Sheet(style, [""], aspect=0.5, widest=1, title=title, lines=lines)
    (axes,) = sheet.axes
    zero(axes, style)
    for player, how in lines.items():
        here = table.frame.filter(pl.col("player") == player)
        axes.plot(here["time"], here["difference"], **how)
    _time_axis(sheet, days=table.meta["days"])
    name_axes(sheet, _time_name(table), "rating difference (points)")
    return sheet.figure


def calibration(table: FigureTable, style: Style) -> Figure:
    """A square panel a system: the score against the forecast, the diagonal, the share of games below."""
    systems, width = table.meta["systems"], 1 / table.meta["bins"]
    alone = systems if len(systems) == 1 else []
    sheet = Sheet(style, systems, aspect=1.0, widest=4, title=": ".join([table.meta["title"], *alone]))
    for axes, system in zip(sheet.axes, systems, strict=True):
        here = table.frame.filter(pl.col("system") == system)
        n, score = here["n"], here["score"]
        axes.bar(here["from"], n / n.sum(), width, align="edge", color=FAINT)
        axes.plot([0, 1], [0, 1], color=GREY, linewidth=0.1 * style.font_pt)
        axes.errorbar(
            here["forecast"],
            score,
            yerr=[(score - here["low"]).clip(0), (here["high"] - score).clip(0)],
            fmt="o",
            color=look(0)["color"],
            markersize=0.3 * style.font_pt,
            elinewidth=0.1 * style.font_pt,
            clip_on=False,
        )
        axes.text(0.04, 0.96, counted(count(float(n.sum())), "game"), va="top", transform=axes.transAxes)
        axes.set(xlim=(0, 1), ylim=(0, 1), aspect="equal")
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_locator(ticker.MultipleLocator(0.25 if sheet.panel_ems > 16 else 0.5))
    name_axes(sheet, "forecast of the score of first", "mean score of first")
    return sheet.figure


def convergence(table: FigureTable, style: Style) -> Figure:
    """Error and correlation (where skills differ) by games played; what systems claim is dotted, theory dashed."""
    lines = {system: look(k) for k, system in enumerate(table.meta["systems"])}
    claims: dict[str, dict[str, Any]] = {}
    claims |= {"claimed by deviations": CLAIMED} if table.frame["claimed"].is_not_null().any() else {}
    on_paper = table.frame["theory"].is_not_null().any()
    claims |= {"theory": THEORY} if on_paper else {}
    shown = ["rmse", "correlation"] if table.frame["correlation"].is_finite().any() else ["rmse"]
    aspect, widest = 0.75 if len(shown) > 1 else 0.5, max(1, int(style.ems / 16))  # panels as high as names are long
    sheet = Sheet(
        style, [""] * len(shown), aspect=aspect, widest=widest,
        title=table.meta["title"], lines=lines | claims, share_y=False,
    )  # fmt: skip
    error = sheet.axes[0]
    for system, how in lines.items():
        here = table.frame.filter(pl.col("system") == system)
        for axes, what in zip(sheet.axes, shown, strict=True):
            axes.fill_between(here["games"], here[f"{what}_low"], here[f"{what}_high"], **shade(how))
            axes.plot(here["games"], here[what], **how)
        error.plot(here["games"], here["claimed"].cast(pl.Float64), **(CLAIMED | {"color": how["color"]}))
        if on_paper:
            error.plot(here["games"], here["theory"].cast(pl.Float64), **THEORY, zorder=4)
    games = table.frame["games"].to_numpy()
    labels = 3 * np.log10(games.max() / games.min()) + 1
    for axes in sheet.axes:
        axes.set_xscale("log")
        axes.xaxis.set_major_locator(ticker.LogLocator(subs=(1, 2, 5) if 3.2 * labels < sheet.panel_ems else (1,)))
        axes.xaxis.set_major_formatter(ticker.StrMethodFormatter("{x:,.0f}"))
        axes.xaxis.set_minor_locator(ticker.NullLocator())
    error.set(ylabel="error of ratings, RMS (points)", ylim=(0, None))
    for correlation in sheet.axes[1:]:
        correlation.set(ylabel="correlation of rating and skill", ylim=(None, 1))
    name_axes(sheet, "games played", "")
    return sheet.figure


def curves(table: FigureTable, style: Style) -> Figure:
    """The curves, and below them how far they are from the logistic one."""
    lines = {name: look(k) for k, name in enumerate(table.meta["curves"])}
    title = table.meta["title"]
    sheet = Sheet(style, ["", ""], aspect=0.33, widest=1, title=title, lines=lines, share_y=False)
    expected, more = sheet.axes
    for name, how in lines.items():
        here = table.frame.filter(pl.col("curve") == name)
        expected.plot(here["gap"], here["expected"], **how)
        more.plot(here["gap"], 100 * here["more"], **how)
    expected.set(ylabel="expected score")
    more.set(ylabel="more than logistic\n(hundredths)")
    more.margins(x=0)
    name_axes(sheet, "rating difference (points)", "")
    return sheet.figure


def movement(table: FigureTable, style: Style) -> Figure:
    """Newcomers and players back from a break side by side; all other games are a dotted level."""
    lines = {system: look(k) for k, system in enumerate(table.meta["systems"])}
    title, panels = table.meta["title"], {"newcomers": "first games", "returners": "first games after a break"}
    other = {"all other games": CLAIMED}
    sheet = Sheet(style, list(panels.values()), aspect=0.75, widest=2, title=title, lines=lines | other)
    for axes, who in zip(sheet.axes, panels, strict=True):
        for system, how in lines.items():
            here = table.frame.filter(pl.col("system") == system, pl.col("who") == who)
            axes.fill_between(here["game"], here["low"], here["high"], **shade(how))
            axes.plot(here["game"], here["change"], **how)
            for level in table.frame.filter(pl.col("system") == system, pl.col("who") == "others")["change"]:
                axes.axhline(level, **(CLAIMED | {"color": how["color"]}))
        axes.xaxis.set_major_locator(ticker.MaxNLocator(integer=True))
        if (table.frame["change"] > 0).any():
            axes.set_yscale("log")
            axes.yaxis.set_major_locator(ticker.LogLocator(subs=(1, 2, 5)))
            axes.yaxis.set_major_formatter(ticker.StrMethodFormatter("{x:,.0f}"))
            axes.yaxis.set_minor_locator(ticker.NullLocator())
    name_axes(sheet, "which game", "change by one game (points)")
    return sheet.figure


def bands(table: FigureTable, style: Style) -> Figure:
    """A line a run, about zero, over the rating."""
    lines = {system: look(k) for k, system in enumerate(table.meta["systems"])}
    only = list(lines) if len(lines) == 1 else []
    title = ": ".join([table.meta["title"], *only])
    sheet = Sheet(style, [""], aspect=0.5, widest=1, title=title, lines=lines)
    (axes,) = sheet.axes
    zero(axes, style)
    for system, how in lines.items():
        here = table.frame.filter(pl.col("system") == system)
        axes.fill_between(here["rating"], here["low"], here["high"], **shade(how))
        axes.plot(here["rating"], here["more"], **how)
    name_axes(sheet, "rating (points)", "difference (points)")
    return sheet.figure


def monthly(table: FigureTable, style: Style) -> Figure:
    """Change in a month and, where skills are known, error after it, side by side."""
    lines = {system: look(k) for k, system in enumerate(table.meta["systems"])}
    shown = {"change": "change in a month", "error": "error after it"}
    if not table.frame["error"].is_not_null().any():
        del shown["error"]
    aspect, title = 0.75 if len(shown) > 1 else 0.5, table.meta["title"]
    sheet = Sheet(style, list(shown.values()), aspect=aspect, widest=2, title=title, lines=lines, share_y=False)
    for axes, what in zip(sheet.axes, shown, strict=True):
        for system, how in lines.items():
            here = table.frame.filter(pl.col("system") == system)
            axes.fill_between(here["games"], here[f"{what}_low"], here[f"{what}_high"], **shade(how))
            axes.plot(here["games"], here[what], **how)
        axes.set_ylim(0, None)
        axes.margins(x=0.01)
    name_axes(sheet, "games in the month", "root mean square (points)")
    return sheet.figure


def initial(table: FigureTable, style: Style) -> Figure:
    """First ratings minus skill about zero, and their root mean square error, over skill."""
    lines = {system: look(k) for k, system in enumerate(table.meta["systems"])}
    title, panels = table.meta["title"], ["first rating minus skill", "its root mean square"]
    sheet = Sheet(style, panels, aspect=0.75, widest=2, title=title, lines=lines, share_y=False)
    error, size = sheet.axes
    zero(error, style)
    for system, how in lines.items():
        here = table.frame.filter(pl.col("system") == system)
        error.fill_between(here["skill"], here["low"], here["high"], **shade(how))
        error.plot(here["skill"], here["error"], **how)
        size.plot(here["skill"], here["rmse"], **how)
    size.set_ylim(0, None)
    name_axes(sheet, "skill (points)", "points")
    return sheet.figure


DRAWINGS: dict[str, Callable[[FigureTable, Style], Figure]] = {
    each.__name__: each
    for each in (
        history,
        difference,
        calibration,
        cold_start,
        convergence,
        curves,
        excess,
        movement,
        bands,
        monthly,
        initial,
        overview,
        panels,
        settling,
        response,
        surface,
        careers,
        moved,
        inflation,
        frontier,
        parting,
        scales,
        ranks,
    )
}


@cache
def _say(letters: str) -> None:
    """Say once, not for every figure, what is not drawn."""
    some = " ".join(each if each.isprintable() else f"U+{ord(each):04X}" for each in letters[:8])
    log.warning("figures: no font here has %d of the letters (%s); boxes stand for them", len(letters), some)


def _banded_line(axes: Axes, points: pl.DataFrame, k: int) -> None:
    axes.plot(points["time"], points["rating"], **look(k), zorder=3)
    if points["low"].is_not_null().any():
        axes.fill_between(points["time"], points["low"], points["high"], **shade(look(k)), zorder=2)


def _limits(frame: pl.DataFrame) -> tuple[float, float]:
    """Room for all ratings and most of the bands: a newcomer's band would flatten everybody else's history."""
    rating = frame["rating"].to_numpy()
    room = 0.4 * float(np.ptp(rating)) + 50
    bands = frame.select("low", "high", "rating")
    low = max(float(rating.min()) - room, float(bands.min_horizontal().to_numpy().min()))
    high = min(float(rating.max()) + room, float(bands.max_horizontal().to_numpy().max()))
    edge = 0.03 * (high - low) + 1
    return low - edge, high + edge


def _time_axis(sheet: Sheet, *, days: bool) -> None:
    for axes in sheet.axes:
        time_axis(axes, sheet.panel_ems, days=days)


def _time_name(table: FigureTable) -> str:
    return "time (days)" if table.meta["days"] else "date"
