"""The steps of FIDE's K, and what a start table says of the careers they go by."""

from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from .errors import InputError
from .rules import Rules

Floats = NDArray[np.float64]
NEEDED = ("games", "peak", "born")


class FideParams(NamedTuple):
    """The steps of article 8.3.3."""

    new: float
    most: float
    top: float
    games: float
    ratchet: float
    age: float
    junior: float
    limit: float


STEPS = {
    "new": "k_new", "most": "k_most", "top": "k_top", "games": "k_games", "ratchet": "k_ratchet", "age": "k_age",
    "junior": "k_junior_below", "limit": "k_limit",
}  # fmt: skip


def k_params(found: Rules) -> FideParams:
    """Return the steps of a rule set."""
    return FideParams(**{step: getattr(found, name) for step, name in STEPS.items()})


def known(start: pl.DataFrame, q: FideParams, year: int, *, assume: bool) -> pl.DataFrame:
    """Return a start table in which everybody who is rated has games and a peak.

    Parameters
    ----------
    start : columns player, rating and any of games, peak, born (a year) and k, the K-factor as published.
    q : the steps in force. year : of the list.
    assume : whether those of whom nothing says it have `q.games` games and no peak above their rating.

    Raises
    ------
    InputError : a K that is no step, or, unless it is to be assumed, something that K depends on is not known.
    """
    rating, games, peak, born, k = (_column(start, name) for name in ("rating", "games", "peak", "born", "k"))
    rated = rating > 0.0
    if not rated.any():
        return start
    telling = len({q.new, q.most, q.top}) > 1
    if telling:
        _steps(start, k, q, rated)
        top, most = k == q.top, k == q.most
        peak = np.where(top, np.fmax(peak, np.fmax(rating, q.ratchet)), peak)
        games = np.where(top | most, np.fmax(games, q.games), games)
        peak = np.where(most & (year - born <= q.age), np.fmax(peak, q.junior), peak)
        peak = np.where((k == q.most) | (k == q.new), np.fmax(peak, rating), peak)
    if assume:
        games = np.where(np.isnan(games) & rated, np.where(k == q.new, 0.0, q.games), games)
        peak = np.where(np.isnan(peak) & rated, rating, peak)
    else:
        _complete(start, rated, games, peak)
    return start.with_columns(games=pl.Series(games), peak=pl.Series(np.fmax(peak, rating)))


def _column(start: pl.DataFrame, name: str) -> Floats:
    if name not in start.columns:
        return np.full(len(start), np.nan)
    return start[name].cast(pl.Float64).fill_null(np.nan).to_numpy()


def _steps(start: pl.DataFrame, k: Floats, q: FideParams, rated: NDArray[np.bool_]) -> None:
    odd = rated & ~np.isnan(k) & ~np.isin(k, (q.new, q.most, q.top))
    if odd.any():
        row = int(odd.argmax())
        raise InputError(
            f"K {k[row]:g} of {start['player'][row]}", where="start, column k",
            expected=f"{q.new:g}, {q.most:g} or {q.top:g}",
        )  # fmt: skip


def _complete(start: pl.DataFrame, rated: NDArray[np.bool_], games: Floats, peak: Floats) -> None:
    """Refuse a table that does not say what K depends on."""
    lacking = [name for name, values in (("games", games), ("peak", peak)) if (rated & np.isnan(values)).any()]
    lacking += ["born"] if "born" not in start.columns else []
    if not lacking:
        return
    row = int((rated & (np.isnan(games) | np.isnan(peak) | ("born" not in start.columns))).argmax())
    raise InputError(
        f"K of {start['player'][row]} depends on {' and '.join(lacking)}, which the table does not say", where="start",
        expected=f"columns {', '.join(NEEDED)}, or born and k (the K-factor as published), or `assume`",
    )  # fmt: skip
