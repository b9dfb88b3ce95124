"""How forecasts stand to the truth, by how far apart the skills of the two are."""

from collections.abc import Mapping

import numpy as np
import polars as pl
from numpy.typing import ArrayLike, NDArray

from ...errors import InputError
from ...given import check_games
from ...inference import Mean, mean, student
from ...metrics import LogLoss
from ...stream import GameStream
from ..table import EmptyFigureError, FigureTable, counted, listed
from .gathering import UNDER_ONE
from .panels import SCHEMA, Panel, meta_of_panels

Floats = NDArray[np.float64]
FEWEST = 100  # games of all replicates together behind a point
COLUMNS = {**SCHEMA, "from": pl.Float64, "n": pl.Float64}
GAP = "gap of skills (points)"
PANELS = (
    Panel("too much of the stronger", "", "x", "y", GAP, "forecast − truth (hundredths)", level=0.0, factor=100.0),
    Panel("what it costs", "", "x", "y", GAP, "log loss beyond the oracle (0.001)", floor=0.0, factor=1000.0),
)


def gaps(
    forecasts: Mapping[str, ArrayLike], stream: GameStream, *, width: float = 100.0, name: str = "gaps"
) -> FigureTable:
    """Return how much more of the stronger is forecast than the truth, and what that costs, by the gap of skills.

    Parameters
    ----------
    forecasts : by label of the run, expected scores of first (G,), NaN where there is none.
    stream : the games (G,) that are judged, simulated.
    width : of the bands of gaps, rating points.
    name : of the figure.

    Returns
    -------
    A row a panel, run and band of at least a hundred games: panel, line (the run), x (mean gap), y with its 95 % band
    by Student's t over replicates (null of one; of the second panel cut at 0), from (where the band begins), n. Of the
    first panel y is the mean of f - e in hundredths of a point, f the forecast and e the true expected score of the
    stronger. Of the second it is the mean of e ln(e / f) + (1 - e) ln((1 - e) / (1 - f)) in thousandths: the log loss
    beyond the oracle's that is to be expected, free of the luck of results.

    Raises
    ------
    InputError : a width of no points, the stream has no truth, or no band has a hundred games.
    """
    check_games(stream)
    if not width > 0:
        raise InputError(f"width = {width}", where=f"figure {name}", expected="above 0 points")
    replicate = stream.replicate
    if stream.truth is None or stream.skill_first is None or stream.skill_second is None or replicate is None:
        raise EmptyFigureError("no truth", where=f"figure {name}", expected="a stream that a world simulated")
    gap = stream.skill_first - stream.skill_second
    measured = {label: _measured(np.asarray(each, np.float64), stream.truth, gap) for label, each in forecasts.items()}
    weight = np.ones(len(stream)) if stream.weight is None else stream.weight
    rows = []
    for k, panel in enumerate(PANELS):
        for label, measures in measured.items():
            for begin, x, found in _banded(measures[k], np.abs(gap), replicate, weight, width):
                ends = [panel.factor * each for each in _ends(found, panel.floor)]
                rows.append((panel.name, label, x, panel.factor * found.mean, *ends, begin, found.n))
    if not rows:
        raise EmptyFigureError(f"no band has {FEWEST} games", where=f"figure {name}", expected="more, or wider bands")
    frame = pl.DataFrame(rows, schema=COLUMNS, orient="row").with_columns(pl.col("low", "high").fill_nan(None))
    whole = {label: mean(measures[1], replicate, weight) for label, measures in measured.items()}
    shared = bool(stream.source.get("world", {}).get("shared"))
    caption = _caption(whole, width, len(np.unique(replicate)), shared=shared)
    return FigureTable(name, frame, caption, meta_of_panels("Forecasts beside the truth by gap", PANELS, [*measured]))


def _measured(forecast: Floats, truth: Floats, gap: Floats) -> tuple[Floats, Floats]:
    """Return forecast - truth of the stronger's score, and the expected cost of the difference, both (G,)."""
    loss = LogLoss()
    return np.sign(gap) * (forecast - truth), loss.each(forecast, truth) - loss.each(truth, truth)


def _banded(
    values: Floats, gap: Floats, replicate: NDArray[np.int32], weight: Floats, width: float
) -> list[tuple[float, float, Mean]]:
    """Return where each band begins, its mean gap, and the mean of values in it."""
    there = ~np.isnan(values)
    values, gap, replicate, weight = values[there], gap[there], replicate[there], weight[there]
    into = np.floor(gap / width)
    found = []
    for band in np.unique(into):
        here = into == band
        middle = mean(values[here], replicate[here], weight[here])
        if middle.n >= FEWEST:
            found.append((float(band * width), mean(gap[here], replicate[here], weight[here]).mean, middle))
    return found


def _ends(found: Mean, least: float | None) -> tuple[float, float]:
    """Return the ends of Student's 95 % interval over replicates, cut at the least that can be; NaN of one."""
    half = student(max(found.blocks - 1, 1), 0.95) * found.se
    low = found.mean - half
    return low if least is None else float(np.maximum(low, least)), found.mean + half


def _caption(whole: Mapping[str, Mean], width: float, replicates: int, *, shared: bool) -> str:
    ends = {label: (each, *_ends(each, 0.0)) for label, each in whole.items()}
    costs = [f"{each.mean:.5f} ({low:.5f} to {high:.5f}) by {label}" for label, (each, low, high) in ends.items()]
    if replicates < 2:
        costs = [f"{each.mean:.5f} by {label}" for label, each in whole.items()]
    bands = "one replicate, so no bands" if replicates < 2 else "shaded: 95 % bands over replicates (Student's t)"
    return (
        f"Forecasts by {listed(list(whole))} beside the true expected score, in bands of {width:g} points by how far "
        "the skills of the two are apart. Left: how much more of the stronger is forecast than the truth, in "
        "hundredths of a point. Right: the log loss beyond that of the oracle, who knows the truth, which is to be "
        f"expected of it, in thousandths a game. Over all games it is {listed(costs)}. "
        f"Means of {counted(replicates, 'replicate')} of the world; {bands}."
        + (f" {UNDER_ONE}" if shared and replicates > 1 else "")
    )
