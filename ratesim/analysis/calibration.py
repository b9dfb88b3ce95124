"""How often what was forecast came true."""

import math
from collections.abc import Mapping

import numpy as np
import polars as pl
from numpy.typing import ArrayLike, NDArray

from ..errors import InputError
from .table import Z95, FigureTable, listed, meta_of

Floats = NDArray[np.float64]


def calibration(
    forecasts: Mapping[str, ArrayLike], score: ArrayLike, *, bins: int = 20, name: str = "calibration"
) -> FigureTable:
    """Return how often what was forecast came true.

    Parameters
    ----------
    forecasts : by label of the run, expected scores of first (G,), NaN where there is none.
    score : (G,) of first.
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
    missing = {label: int(np.isnan(forecast).sum()) for label, forecast in values.items()}
    frame = pl.concat([_binned(label, forecast, score, bins) for label, forecast in values.items()])
    if frame.is_empty():
        raise InputError("no game is forecast", where=f"figure {name}", expected="forecasts")
    left = [f"{count:,} by {label}" for label, count in missing.items() if count]
    caption = (
        f"Mean score of first against its forecast, over {len(score):,} games in {bins} bins of equal width, "
        f"for {listed(list(values))}. On the diagonal what was forecast came true; below it first scored less. "
        "Bars: 95 % Wilson intervals, too wide where games are drawn. "
        "Grey: the share of games in each bin, on the same scale. "
        + (f"Games without a forecast are left out: {listed(left)}." if left else "")
    )
    meta = meta_of("calibration", "Calibration", values) | {"bins": bins, "left_out": missing}
    return FigureTable(name, frame, caption.strip(), meta)


def _binned(label: str, forecast: Floats, score: Floats, bins: int) -> pl.DataFrame:
    there = ~np.isnan(forecast)
    forecast, score = forecast[there], score[there]
    into = np.minimum((forecast * bins).astype(np.int64), bins - 1)
    n = np.bincount(into, minlength=bins)
    kept = np.flatnonzero(n)
    means = [np.bincount(into, weights=column, minlength=bins)[kept] / n[kept] for column in (forecast, score)]
    bands = [wilson(m, int(k)) for m, k in zip(means[1], n[kept], strict=True)]
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


def wilson(share: float, n: int) -> tuple[float, float]:
    """Return the 95 % interval of a share of n by Wilson (JASA 22, 1927, 209).

    >>> [round(end, 4) for end in wilson(0.3, 10)]
    [0.1078, 0.6032]
    """
    z2 = Z95 * Z95
    middle = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = Z95 / (1 + z2 / n) * math.sqrt(share * (1 - share) / n + z2 / (4 * n * n))
    return max(0.0, middle - half), min(1.0, middle + half)
