"""How often what was forecast came true."""

import math
from collections.abc import Mapping

import numpy as np
import polars as pl
from numpy.typing import ArrayLike, NDArray

from ..errors import InputError
from ..inference import count
from .table import Z95, EmptyFigureError, FigureTable, counted, listed, meta_of

Floats = NDArray[np.float64]


def calibration(
    forecasts: Mapping[str, ArrayLike], score: ArrayLike, weight: ArrayLike | None = None, *, bins: int = 20,
    name: str = "calibration",
) -> FigureTable:  # fmt: skip
    """Return how often what was forecast came true.

    Parameters
    ----------
    forecasts : by label of the run, expected scores of first (G,), NaN where there is none.
    score : (G,) of first.
    weight : (G,) at least 0, 1 where None: 2 is the game twice, 0 is no game.
    bins : of equal width over 0..1; the last holds 1.
    name : of the figure.

    Returns
    -------
    A row a system and bin with games: n, their mean forecast and mean score, and the 95 % band of the latter by
    Wilson (JASA 22, 1927, 209). Draws vary less than wins and losses do: with them
    the band is too wide, not too narrow.

    Raises
    ------
    InputError : there is no bin, or no game is forecast.
    """
    if bins < 1:
        raise InputError(f"bins = {bins}", where=f"figure {name}", expected="at least 1")
    score = np.asarray(score, dtype=np.float64)
    values = {label: np.asarray(forecast, dtype=np.float64) for label, forecast in forecasts.items()}
    weights = None if weight is None else np.asarray(weight, dtype=np.float64)
    missing = {label: _games(np.isnan(forecast), weights) for label, forecast in values.items()}
    frame = pl.concat([_binned(label, forecast, score, weights, bins) for label, forecast in values.items()])
    if frame.is_empty():
        raise EmptyFigureError("no game is forecast", where=f"figure {name}", expected="forecasts")
    left = [f"{games:,} by {label}" for label, games in missing.items() if games]
    judged = _games(score >= 0, weights)
    caption = (
        f"Mean score of first against its forecast, over {counted(judged, 'game')} in {bins} bins of equal width, "
        f"for {listed(list(values))}. On the diagonal what was forecast came true; below it first scored less. "
        "Bars: 95 % Wilson intervals, too wide where games are drawn. "
        "Grey: the share of games in each bin, on the same scale. "
        + (f"Games without a forecast are left out: {listed(left)}." if left else "")
    )
    meta = meta_of("calibration", "Calibration", values) | {"bins": bins, "left_out": missing}
    return FigureTable(name, frame, caption.strip(), meta)


def _games(some: NDArray[np.bool_], weights: Floats | None) -> float:
    """Count some of the games, by their weights if they have any."""
    return count(float(some.sum() if weights is None else weights[some].sum()))


def _binned(label: str, forecast: Floats, score: Floats, weights: Floats | None, bins: int) -> pl.DataFrame:
    there = ~np.isnan(forecast)
    forecast, score = forecast[there], score[there]
    weights = None if weights is None else weights[there]
    into = np.minimum((forecast * bins).astype(np.int64), bins - 1)
    n = np.bincount(into, weights, bins)
    kept = np.flatnonzero(n)
    columns = [column if weights is None else weights * column for column in (forecast, score)]
    means = [np.bincount(into, weights=column, minlength=bins)[kept] / n[kept] for column in columns]
    bands = [wilson(m, k) for m, k in zip(means[1].tolist(), n[kept].tolist(), strict=True)]
    return pl.DataFrame(
        {
            "system": pl.Series([label] * len(kept), dtype=pl.String),
            "from": kept / bins,
            "to": (kept + 1) / bins,
            "n": n[kept],
            "forecast": means[0],
            "score": means[1],
            "low": pl.Series([low for low, _ in bands], dtype=pl.Float64),
            "high": pl.Series([high for _, high in bands], dtype=pl.Float64),
        }
    )


def wilson(share: float, n: float) -> tuple[float, float]:
    """Return the 95 % interval of a share of n by Wilson (JASA 22, 1927, 209).

    >>> [round(end, 4) for end in wilson(0.3, 10)]
    [0.1078, 0.6032]
    """
    z2 = Z95 * Z95
    middle = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = Z95 / (1 + z2 / n) * math.sqrt(share * (1 - share) / n + z2 / (4 * n * n))
    return max(0.0, middle - half), min(1.0, middle + half)
