"""The drawing of a data set at a glance."""

import numpy as np
import polars as pl
from matplotlib import ticker
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ..analysis import FigureTable, counted
from .style import COLOURS, FAINT, Sheet, Style, time_axis

TITLES = {
    "players": "Games per player",
    "ties": "Share of players",
    "results": "Mean score of first (grey: drawn)",
}
RESULTS = {1.0: ("won", COLOURS[0], "white"), 0.5: ("drawn", FAINT, "black"), 0.0: ("lost", COLOURS[1], "white")}
TALL = 0.42  # of a bar, rows being 1 apart
FEWEST = 4  # rows for which a panel has room, so that bars look alike

FINE = 50  # largest over smallest on a logarithmic scale, up to which 2 and 5 are marked too


def overview(table: FigureTable, style: Style) -> Figure:
    """Games over time and per player above, what ties players together and results by edge below."""
    parts = {panel: table.frame.filter(pl.col("panel") == panel) for panel in ("games", *TITLES)}
    step, title = table.meta["step"], table.meta["title"]
    titles = [f"Games by {step}", *TITLES.values()]
    sheet = Sheet(
        style, titles, aspect=0.62, widest=2 if style.width_mm * 2.83 > 40 * style.font_pt else 1, title=title,
        share_y=False, share_x=False,
    )  # fmt: skip
    games, players, ties, results = sheet.axes
    _over_time(games, parts["games"], sheet.panel_ems, step, days=table.meta["days"])
    _per_player(players, parts["players"])
    _ties(ties, parts["ties"])
    _results(results, parts["results"], sheet.panel_ems)
    return sheet.figure


def _over_time(axes: Axes, games: pl.DataFrame, ems: float, step: str, *, days: bool) -> None:
    begins = games["x"].to_numpy().astype("datetime64[D]")
    ends = (begins.astype(f"datetime64[{step[0].upper()}]") + 1).astype("datetime64[D]")
    axes.bar(games["x"], games["y"], (ends - begins).astype(np.float64), align="edge", color=COLOURS[0], linewidth=0)
    axes.set(ylabel="games", xlabel="days" if days else "")
    axes.yaxis.set_major_locator(ticker.MaxNLocator(5, integer=True))
    axes.yaxis.set_major_formatter(ticker.StrMethodFormatter("{x:,.0f}"))
    time_axis(axes, ems, days=days)


def _per_player(axes: Axes, players: pl.DataFrame) -> None:
    x, y = players["x"].to_list(), players["y"].to_list()
    axes.step([1, *x], [1, *y], where="pre", color=COLOURS[0])  # all have one game or more
    axes.plot(x[-1:], y[-1:], "o", color=COLOURS[0], markersize=3)
    axes.set(xscale="log", yscale="log", xlabel="this many games or more", ylabel="share of players")
    axes.set(xlim=(0.85, 1.2 * max(2, x[-1])), ylim=(0.8 * min(0.5, y[-1]), 1.25))
    for axis, widest in ((axes.xaxis, x[-1]), (axes.yaxis, 1 / y[-1])):
        axis.set_major_locator(ticker.LogLocator(subs=(1,) if widest > FINE else (1, 2, 5), numticks=5))
        axis.set_minor_locator(ticker.NullLocator())
    axes.xaxis.set_major_formatter(ticker.StrMethodFormatter("{x:,.0f}"))
    axes.yaxis.set_major_formatter(lambda share, _: f"{100 * share:g} %")


def _ties(axes: Axes, ties: pl.DataFrame) -> None:
    place = np.arange(len(ties))
    axes.barh(place, ties["y"], TALL, color=COLOURS[0])
    axes.barh(place, 1 - ties["y"], TALL, left=ties["y"], color=FAINT)
    labels = [f"{label}: {_percent(y)}" for label, y in ties.select("label", "y").rows()]
    _rows(axes, labels)


def _results(axes: Axes, results: pl.DataFrame, ems: float) -> None:
    """Draw a bar of three parts for each label; a part says what it is where it has room."""
    labels = []
    for k, part in enumerate(results.partition_by("label", maintain_order=True)):
        label, score = part.select("label", "score").row(0)
        labels.append(f"{label}, {counted(sum(part['n'].to_list()), 'game')}: {score:.3f}")
        left = 0.0
        for x, y in part.select("x", "y").rows():
            name, colour, ink = RESULTS[x]
            axes.barh(k, y, TALL, left=left, color=colour)
            said = f"{name} {_percent(y)}"
            if 0.5 * len(said) + 0.6 < y * (ems - 3.5):
                axes.text(left + y / 2, k, said, ha="center", va="center", color=ink, size="small")
            left += y
    _rows(axes, labels)


def _rows(axes: Axes, labels: list[str]) -> None:
    """Write over each bar what it is, from the top down."""
    for k, label in enumerate(labels):
        axes.text(0, k - 0.28, label, va="bottom", size="small")
    axes.set(xlim=(0, 1), ylim=(max(FEWEST, len(labels)) - 0.6, -0.85), yticks=[])
    axes.grid(visible=False)
    axes.spines["left"].set_visible(False)
    axes.xaxis.set_major_locator(ticker.MultipleLocator(0.25))
    axes.xaxis.set_major_formatter(ticker.PercentFormatter(1, symbol=" %"))


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %" if share in {0, 1} or 0.005 <= share < 0.995 else f"{100 * share:.2f} %"
