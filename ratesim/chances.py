"""Chances of a win, a draw and a loss, of systems that forecast the expected score alone.

A system that forecasts draws itself puts its own chance of a draw into `three_way`; all others have it from one model,
fitted for each to the games that came before (`draw_chances`).
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .arrays import check_lengths, judged, wholes
from .errors import InputError

Floats = NDArray[np.float64]
BINS = 1001  # of forecasts, in which games are counted: odd, so that one has equals in its middle
RESULTS = (1.0, 0.5, 0.0)  # scores of first: win, draw, loss
ROUNDING = 1e-12  # by which a chance may lie outside of what the others leave it


class Draws(NamedTuple):
    """What a draw model says of each game; both (G,)."""

    chance: Floats  # of a draw, NaN where there is no forecast
    nu: Floats  # Davidson's ν that it was made with


def davidson(expected: ArrayLike, nu: ArrayLike) -> Floats:
    """Return the chance of a draw where an expected score e leaves room for one.

    R. R. Davidson, J. Am. Stat. Assoc. 65 (1970) 317: draws are ν times the geometric mean of wins and losses,
    d = ν √(w l). With w + d/2 = e and w + d + l = 1, and v = e (1 - e), that is
    d = 4 ν v / (ν + √(ν² (1 - 4v) + 16 v)). Equals draw ν / (2 + ν) of their games.

    Parameters
    ----------
    expected : scores of first, 0..1. nu : ν, at least 0; one, or one a game.

    >>> davidson([0.5, 0.8, 1.0], 2.0).round(4).tolist()
    [0.5, 0.32, 0.0]
    """
    e, nu = np.asarray(expected, dtype=np.float64), np.asarray(nu, dtype=np.float64)
    v = e * (1.0 - e)
    bottom = nu + np.sqrt(nu * nu * (1.0 - 4.0 * v) + 16.0 * v)
    with np.errstate(invalid="ignore", divide="ignore"):
        found: Floats = np.where(bottom == 0.0, 0.0, 4.0 * nu * v / bottom)
    return found


def draw_chances(forecast: ArrayLike, score: ArrayLike, blocks: ArrayLike, weight: ArrayLike | None = None) -> Draws:
    """Return the chance of a draw of each game by Davidson's model, its ν fitted to the games of earlier blocks.

    ν is that of maximum likelihood over all games of earlier blocks that have a forecast and were won, drawn or lost,
    counted in 1,001 bins of the forecast, and three more between equals: one won, one drawn, one lost. So the games of
    the first block have ν = 1, and equals draw a third of them. Nothing of a game's own block or of later ones is used.

    Parameters
    ----------
    forecast : (G,) expected scores of first, 0..1, NaN where there is none.
    score : (G,) of first, 0..1; what is none of 0, 1/2 and 1 teaches nothing.
    blocks : (G,) whole numbers that rise with time, such as `rs.month_blocks(games.time)`.
    weight : (G,) at least 0, 1 where None.

    Raises
    ------
    InputError : lengths differ, a forecast or score lies outside 0..1, a weight is negative or missing, or a block is
        no whole number.

    >>> found = draw_chances([0.5, 0.5, 0.5], [0.5, 0.5, 1], [0, 0, 1])
    >>> found.nu.round(9).tolist(), found.chance.round(4).tolist()
    ([1.0, 1.0, 3.0], [0.3333, 0.3333, 0.6])
    """
    forecast, score, weights = judged(forecast, score, weight)
    blocks = wholes("blocks", blocks)
    check_lengths(score=score, blocks=blocks)
    order = np.argsort(blocks, kind="stable")
    cells = _cells(forecast, score)[order]
    nu, counts, fitted = np.ones(len(score)), _beforehand(), 1.0
    ends = np.flatnonzero(np.diff(blocks[order], append=np.iinfo(np.int64).max)) + 1
    for begin, end in zip([0, *ends.tolist()], ends.tolist(), strict=False):
        nu[order[begin:end]] = fitted
        some = cells[begin:end]
        if end < len(score) and (some >= 0).any():
            told = weights[order[begin:end]][some >= 0]
            counts += np.bincount(some[some >= 0], told, counts.size).reshape(counts.shape)
            fitted = _fit(counts, fitted)
    return Draws(davidson(forecast, nu), nu)


def three_way(forecast: ArrayLike, draw: ArrayLike) -> Floats:
    """Return the chances that first wins, draws and loses (G, 3): e - d/2, d and 1 - e - d/2.

    Parameters
    ----------
    forecast : (G,) expected scores e of first, 0..1, NaN where there is none.
    draw : chances d of a draw, one or (G,), of a system's own model or of `draw_chances`.

    Raises
    ------
    InputError : lengths differ, a number lies outside 0..1, or draws are more than twice the lesser of e and 1 - e.

    >>> three_way([0.5, 0.75], [0.2, 0.25]).tolist()
    [[0.4, 0.2, 0.4], [0.625, 0.25, 0.125]]
    """
    e, d = np.asarray(forecast, dtype=np.float64), np.asarray(draw, dtype=np.float64)
    if e.ndim != 1 or d.shape not in {(), e.shape}:
        raise InputError(f"forecasts {e.shape}, draws {d.shape}", expected="one of each a game, both (G,)")
    d = np.where(np.isnan(e), np.nan, d)
    room = 2.0 * np.minimum(e, 1.0 - e)
    wrong = ~np.isnan(e) & ~((e >= 0) & (e <= 1) & (d >= 0) & (d <= room + ROUNDING))
    if wrong.any():
        game = int(wrong.argmax())
        said = f"a draw of chance {d[game]} where {e[game]} is expected"
        raise InputError(said, where=f"game {game}", expected="0 to twice the lesser of that and what it leaves")
    d = np.minimum(d, np.maximum(room, 0.0))
    return np.stack([np.maximum(e - 0.5 * d, 0.0), d, np.maximum(1.0 - e - 0.5 * d, 0.0)], axis=1)


def _cells(forecast: Floats, score: Floats) -> NDArray[np.int64]:
    """Return where each game is counted, result by bin; -1 for nowhere."""
    there = ~np.isnan(forecast)
    into = np.minimum((np.where(there, forecast, 0.0) * BINS).astype(np.int64), BINS - 1)
    cells = np.full(len(score), -1)
    for n, result in enumerate(RESULTS):
        some = there & (score == result)
        cells[some] = n * BINS + into[some]
    return cells


def _beforehand() -> Floats:
    """Return counts (3, bins) of three games between equals."""
    counts = np.zeros((len(RESULTS), BINS))
    counts[:, BINS // 2] = 1.0
    return counts


def _fit(counts: Floats, nu: float) -> float:
    """Return the ν of maximum likelihood over counts (3, bins), sought from a value nearby.

    It is where the slope over ln ν is 0. Sums are exact, and nothing but + - * / and roots is done, for the same bits
    on any machine.
    """
    from scipy.optimize import brentq

    some = counts.sum(axis=0) > 0
    own, middle = counts[:, some], ((np.arange(BINS) + 0.5) / BINS)[some]
    low = high = nu
    while _slope(low, middle, own) < 0.0:
        low *= 0.5
    while _slope(high, middle, own) > 0.0:
        high *= 2.0
    return low if low == high else float(brentq(_slope, low, high, (middle, own), xtol=1e-12 * low, rtol=1e-12))


def _slope(nu: float, expected: Floats, counts: Floats) -> float:
    """Return the slope of the log-likelihood over ln ν: Σ d' (D/d - W/(2w) - L/(2l)) over bins with W, D and L games.

    There d' = dd / d ln ν = 1 / (1/d + 1/(4w) + 1/(4l)). The lesser of w and l is d² / ν² over the greater, which does
    not lose its digits as 1 - d does.
    """
    d, ahead = davidson(expected, nu), 2.0 * expected - 1.0
    greater = 0.5 * (1.0 - d + np.abs(ahead))
    lesser = d * d / (nu * nu * greater)
    w, less = np.where(ahead > 0.0, (greater, lesser), (lesser, greater))
    won, drawn, lost = counts
    return math.fsum((drawn / d - 0.5 * won / w - 0.5 * lost / less) / (1.0 / d + 0.25 / w + 0.25 / less))
