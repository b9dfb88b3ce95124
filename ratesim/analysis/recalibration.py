"""How far forecasts are from what came true, as one line in log odds, and bin by bin."""

import math
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import ArrayLike, NDArray

from ..arrays import check_lengths, judged, wholes
from ..errors import InputError
from .calibration import wilson

Floats = NDArray[np.float64]
CLIP = 1e-6  # forecasts are moved into CLIP..1 - CLIP, for log odds to be numbers
POINTS = 400.0 / math.log(10.0)  # rating points in one of log odds, of the logistic curve


class Recalibration(NamedTuple):
    """The line in log odds that would put forecasts right; errors are standard errors."""

    slope: float  # below 1 forecasts are too sure of themselves, above it not sure enough
    slope_se: float
    intercept: float  # above 0 first scores more than forecast
    intercept_se: float
    n: float  # games, by weight


def recalibration(
    forecast: ArrayLike, score: ArrayLike, weight: ArrayLike | None = None, blocks: ArrayLike | None = None
) -> Recalibration:
    """Return slope and intercept of a logistic regression of the score on the log odds of its forecast.

    Cox, Biometrika 45 (1958) 562: logit E(s) = a + b logit e; what is calibrated has a = 0 and b = 1. Scores between 0
    and 1 are fitted alike (Papke & Wooldridge, J. Appl. Econometrics 11 (1996) 619); errors are the sandwich of
    sums over blocks, with B / (B - 1) for small samples, so they ask nothing of how draws vary.

    Parameters
    ----------
    forecast : (G,) expected scores of first, 0..1, NaN where there is none; moved into 1e-6..1 - 1e-6.
    score : (G,) of first, 0..1.
    weight : (G,) at least 0, 1 where None.
    blocks : (G,) whole numbers, games that are taken as one in errors; None: each by itself.

    Returns
    -------
    Recalibration : all NaN where forecasts do not differ, or scores that they divide perfectly leave no best line.

    Raises
    ------
    InputError : lengths differ, a forecast or score lies outside 0..1, a weight is negative or missing, or a block is
        no whole number.

    >>> found = recalibration([0.25, 0.25, 0.75, 0.75, 0.75, 0.75], [0, 0.5, 1, 0.5, 1, 0.5])
    >>> round(found.slope, 6), round(found.intercept, 6)
    (1.0, 0.0)
    """
    e, s, w, block = _there(forecast, score, weight, blocks)
    n = float(w.sum())
    x = np.stack([np.ones(len(e)), _log_odds(e)])
    if not n or np.ptp(x[1]) == 0.0:
        return Recalibration(math.nan, math.nan, math.nan, math.nan, n)
    line, information = _fitted(x, s, w)
    if information is None:
        return Recalibration(math.nan, math.nan, math.nan, math.nan, n)
    errors = np.array([math.nan, math.nan])
    left = w * (s - _expected(line, x)) * x
    _, into = np.unique(block, return_inverse=True)
    sums = np.stack([np.bincount(into, each) for each in left])
    B = sums.shape[1]
    if B > 1:
        bread = np.linalg.inv(information)
        filling = np.array([[math.fsum(a * b) for a in sums] for b in sums])
        errors = np.sqrt(np.diagonal(bread @ filling @ bread) * B / (B - 1))
    return Recalibration(float(line[1]), float(errors[1]), float(line[0]), float(errors[0]), n)


def calibration_error(
    forecast: ArrayLike, score: ArrayLike, weight: ArrayLike | None = None, *, bins: int = 10
) -> float:
    """Return the expected calibration error, 0..1: the mean over games of |mean forecast - mean score| of their bin.

    Naeini, Cooper & Hauskrecht, AAAI (2015) 2901, of forecasts of first's score as they stand, not of the favourite's.

    Parameters
    ----------
    forecast : (G,) expected scores of first, 0..1, NaN where there is none.
    score : (G,) of first, 0..1.
    weight : (G,) at least 0, 1 where None.
    bins : of equal width over 0..1; the last holds 1.

    Raises
    ------
    InputError : lengths differ, a forecast or score lies outside 0..1, a weight is negative or missing, or there is no
        bin.

    >>> round(calibration_error([0.11, 0.19, 0.95], [0, 1, 1]), 6)
    0.25
    """
    if bins < 1:
        raise InputError(f"bins = {bins}", where="calibration_error", expected="at least 1")
    e, s, w, _ = _there(forecast, score, weight, None)
    into = np.minimum((e * bins).astype(np.int64), bins - 1)
    apart = np.abs(np.bincount(into, w * (e - s), bins))
    return math.fsum(apart) / math.fsum(w) if w.sum() else math.nan


def reliability(
    forecasts: Mapping[str, ArrayLike], score: ArrayLike, weight: ArrayLike | None = None, *, width: float = 100.0
) -> pl.DataFrame:
    """Return what favourites scored beside what was forecast of them, by how far ahead they were said to be.

    Parameters
    ----------
    forecasts : by label of the run, expected scores of first (G,), 0..1, NaN where there is none.
    score : (G,) of first, 0..1.
    weight : (G,) at least 0, 1 where None.
    width : of the bands of gaps, rating points.

    Returns
    -------
    A row a system and band with games: system, from, to (rating points of the logistic curve, 400 log10 e / (1 - e), by
    which the favourite is ahead), n, forecast and score (means of the favourite's), low and high (95 % band of the
    score by Wilson, too wide where games are drawn).

    Raises
    ------
    InputError : lengths differ, a forecast or score lies outside 0..1, a weight is negative or missing, or a width of
        no points; there are no forecasts.
    """
    if not width > 0:
        raise InputError(f"width = {width}", where="reliability", expected="above 0 points")
    if not forecasts:
        raise InputError("forecasts = {}", where="reliability", expected="those of a run or more")
    frames = [_by_gap(label, *_there(each, score, weight, None)[:3], width) for label, each in forecasts.items()]
    return pl.concat(frames)


def _there(
    forecast: ArrayLike, score: ArrayLike, weight: ArrayLike | None, blocks: ArrayLike | None
) -> tuple[Floats, Floats, Floats, NDArray[np.int64]]:
    """Return forecasts, scores, weights and blocks of the games that have a forecast."""
    e, s, w = judged(forecast, score, weight)
    block = np.arange(len(s)) if blocks is None else wholes("blocks", blocks)
    check_lengths(score=s, blocks=block)
    there = ~np.isnan(e) & (w > 0)
    return e[there], s[there], w[there], block[there]


def _log_odds(e: Floats) -> Floats:
    e = np.clip(e, CLIP, 1.0 - CLIP)
    found: Floats = np.log(e / (1.0 - e))
    return found


def _expected(line: Floats, x: Floats) -> Floats:
    found: Floats = 1.0 / (1.0 + np.exp(-np.clip(line[0] + line[1] * x[1], -700.0, 700.0)))
    return found


def _fitted(x: Floats, s: Floats, w: Floats) -> tuple[Floats, Floats | None]:
    """Return the line (2,) by Newton's method, and the information (2, 2), None where there is no best line."""
    line = np.array([0.0, 1.0])
    for _ in range(50):
        p = _expected(line, x)
        slope = (w * (s - p) * x).sum(axis=1)
        information = np.array([[(w * p * (1.0 - p) * a * b).sum() for a in x] for b in x])
        if np.linalg.det(information) <= 1e-12 * information[0, 0] * information[1, 1]:
            break
        step = np.linalg.solve(information, slope)
        line = line + np.clip(step, -2.0, 2.0)
        if np.abs(step).max() < 1e-10:
            return line, information
    return line, None


def _by_gap(label: str, e: Floats, s: Floats, w: Floats, width: float) -> pl.DataFrame:
    ahead = e >= 0.5
    e, s = np.where(ahead, e, 1.0 - e), np.where(ahead, s, 1.0 - s)
    into = np.floor(POINTS * _log_odds(e) / width).astype(np.int64)
    rows = []
    for band in np.unique(into).tolist():
        here = into == band
        n, forecast, score = w[here].sum(), *(float((w * each)[here].sum() / w[here].sum()) for each in (e, s))
        rows.append((label, band * width, (band + 1) * width, float(n), forecast, score, *wilson(score, float(n))))
    names = ("from", "to", "n", "forecast", "score", "low", "high")
    return pl.DataFrame(rows, schema={"system": pl.String, **dict.fromkeys(names, pl.Float64)}, orient="row")
