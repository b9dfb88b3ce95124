"""T4 and T9: where mean ratings go, and how."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..curves import Q
from ..errors import InputError
from .ranges import inside

Floats = NDArray[np.float64]


def mean_field(
    skill: ArrayLike, meetings: ArrayLike, k: float, games: Sequence[float], start: ArrayLike | None = None
) -> Floats:
    """Return mean ratings over games, (T, N), rating points, to first order in K, T9.

    dR_i/dt = K sum_j w_ij (sig((rho_i - rho_j) / s) - sig((R_i - R_j) / s)): P.-E. Jabin and S. Junca, A continuous
    model for ratings, SIAM J. Appl. Math. 75 (2015) 420.

    Parameters
    ----------
    skill : (N,) true skills rho, rating points.
    meetings : (N, N) symmetric, w_ij: games of i with j in each game of the pool, 2 / (N (N - 1)) where pairs are
        drawn at random.
    games : (T,) rising, at least 0, of the pool.
    start : (N,) ratings at the start; None: all the mean skill.

    Raises
    ------
    InputError : shapes do not agree, or K or games are out of range.
    """
    from scipy.integrate import solve_ivp

    rho, w, at = (np.asarray(each, np.float64) for each in (skill, meetings, games))
    begin = np.full(rho.shape, rho.mean()) if start is None else np.asarray(start, np.float64)
    inside(0, k=k)
    _check(rho, w, begin)
    if at.ndim != 1 or not at.size or not (np.isfinite(at).all() and at[0] >= 0 and (np.diff(at) > 0).all()):
        raise InputError(f"games = {games}", expected="rising numbers at least 0, one or more")
    true = _expected(rho)
    found = solve_ivp(
        lambda _, rating: k * (w * (true - _expected(rating))).sum(axis=1), (0.0, at[-1] or 1.0), begin,
        t_eval=at, rtol=1e-8, atol=1e-6,
    )  # fmt: skip
    rating: Floats = np.ascontiguousarray(found.y.T)
    return rating


def zero_drift(expected: ArrayLike, meetings: ArrayLike, mean: float = 0.0) -> Floats:
    """Return the ratings (N,) at which nobody's mean rating moves, rating points, T4.

    They solve sum_j w_ij (e_ij - sig((R_i - R_j) / s)) = 0 for all i, which is Bradley and Terry's likelihood equation
    of the pairs that are met, whatever the chances are: also where they go in circles, and then who meets whom
    decides. Found by Newton's method.

    Parameters
    ----------
    expected : (N, N) true expected score of i against j; e_ji = 1 - e_ij.
    meetings : (N, N) symmetric, at least 0: how often i meets j.
    mean : of the ratings.

    Raises
    ------
    InputError : players fall into groups that do not meet, or some beat all others always.
    """
    e, w = np.asarray(expected, np.float64), np.asarray(meetings, np.float64)
    rating = np.zeros(len(e))
    for _ in range(100):
        believed = _expected(rating)
        slope = w * believed * (1.0 - believed) * Q
        np.fill_diagonal(slope, 0.0)
        surplus = (w * (e - believed)).sum(axis=1)
        step = np.linalg.lstsq(np.diag(slope.sum(axis=1)) - slope, surplus, rcond=None)[0]
        rating += np.clip(step, -400.0, 400.0)
        if np.abs(step).max() < 1e-10 * max(1.0, np.abs(rating).max()) and np.abs(surplus).max() < 1e-12 * w.max():
            rating += mean - rating.mean()
            return rating
    said = "no finite ratings: some players never meet, or always win"
    raise InputError(said, expected="pairs that tie all players together, and nobody who beats all others always")


def _check(skill: Floats, meetings: Floats, start: Floats) -> None:
    """Raise where shapes do not agree, or numbers are missing."""
    n = len(skill) if skill.ndim == 1 else 0
    if not n or meetings.shape != (n, n) or start.shape != (n,):
        said = f"skill {skill.shape}, meetings {meetings.shape}, start {start.shape}"
        raise InputError(said, expected="shapes (N,), (N, N), (N,)")
    if not all(np.isfinite(each).all() for each in (skill, meetings, start)) or (meetings < 0).any():
        raise InputError("skill, meetings or start has a missing number", expected="numbers, of meetings at least 0")


def _expected(rating: Floats) -> Floats:
    """Return the expected score (N, N) of i against j."""
    expected: Floats = 1.0 / (1.0 + np.exp(-Q * np.subtract.outer(rating, rating)))
    return expected
