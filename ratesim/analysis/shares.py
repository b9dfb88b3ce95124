"""Wins, draws and losses at each forecast: an expected score is not a probability of winning."""

from collections.abc import Mapping

import numpy as np
import polars as pl
from numpy.typing import ArrayLike, NDArray

from ..errors import InputError
from ..inference import count
from .calibration import wilson
from .table import EmptyFigureError, FigureTable, counted, listed
from .truth.panels import Panel, meta_of_panels

Floats = NDArray[np.float64]
RESULTS = {"win": 1.0, "draw": 0.5, "loss": 0.0}
COLUMNS = {
    "panel": pl.String, "line": pl.String, "from": pl.Float64, "to": pl.Float64, "n": pl.Float64,
    **dict.fromkeys(("x", "y", "low", "high"), pl.Float64),
}  # fmt: skip


def shares(
    forecasts: Mapping[str, ArrayLike], score: ArrayLike, weight: ArrayLike | None = None, *, bins: int = 20,
    name: str = "shares",
) -> FigureTable:  # fmt: skip
    """Return what shares of games first won, drew and lost where so much was expected of first.

    Parameters
    ----------
    forecasts : by label of the run, expected scores of first (G,), NaN where there is none.
    score : (G,) of first; games of other scores than 0, 1/2 and 1 are left out.
    weight : (G,) at least 0, 1 where None: 2 is the game twice, 0 is no game.
    bins : of equal width over 0..1; the last holds 1.
    name : of the figure.

    Returns
    -------
    A row a system, result and bin with games: panel (the run), line ("win", "draw" or "loss"), from, to, n (all games
    of the bin), x (their mean forecast), y (the share of the result), and its 95 % band by Wilson (JASA 22, 1927, 209).
    Wins and half the draws together are the mean score, which `calibration` tells.

    Raises
    ------
    InputError : there is no bin, or no game with such a result is forecast.
    """
    if bins < 1:
        raise InputError(f"bins = {bins}", where=f"figure {name}", expected="at least 1")
    score = np.asarray(score, dtype=np.float64)
    values = {label: np.asarray(forecast, dtype=np.float64) for label, forecast in forecasts.items()}
    weights = np.ones(len(score)) if weight is None else np.asarray(weight, dtype=np.float64)
    weights = np.where(np.isin(score, list(RESULTS.values())), weights, 0.0)
    frame = pl.concat([_binned(label, each, score, weights, bins) for label, each in values.items()])
    if frame.is_empty():
        raise EmptyFigureError("no game won, drawn or lost is forecast", where=f"figure {name}", expected="forecasts")
    panels = [Panel(label, "", "x", "y", "forecast", "share of games", diagonal=True, floor=0.0) for label in values]
    judged = count(float(weights.sum()))
    caption = (
        f"Shares of games that first won, drew and lost over the score expected of first, by {listed(list(values))}, "
        f"in {bins} bins of equal width, over {counted(judged, 'game')}. "
        "The score, wins and half the draws, is to follow the grey line; wins would follow it only where nobody draws. "
        "Shaded: 95 % Wilson intervals."
    )
    return FigureTable(name, frame, caption, meta_of_panels("Wins, draws and losses by forecast", panels, [*RESULTS]))


def _binned(label: str, forecast: Floats, score: Floats, weights: Floats, bins: int) -> pl.DataFrame:
    there = ~np.isnan(forecast) & (weights > 0)
    forecast, score, weights = forecast[there], score[there], weights[there]
    into = np.minimum((forecast * bins).astype(np.int64), bins - 1)
    n = np.bincount(into, weights, bins)
    kept = np.flatnonzero(n)
    middle = np.bincount(into, weights * forecast, bins)[kept] / n[kept]
    rows = []
    for result, worth in RESULTS.items():
        share = np.bincount(into, weights * (score == worth), bins)[kept] / n[kept]
        for k, games, x, y in zip(*(each.tolist() for each in (kept, n[kept], middle, share)), strict=True):
            rows.append((label, result, k / bins, (k + 1) / bins, games, x, y, *wilson(y, games)))
    return pl.DataFrame(rows, schema=COLUMNS, orient="row")
