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


def known(start: pl.DataFrame, published: FideParams, own: FideParams, year: int, *, assume: bool) -> pl.DataFrame:
    """Return a start table in which everybody who is rated has games and a peak.

    A published K of 10 stands for a peak at the ratchet, one of 20 for 30 games, and in a junior for a peak of 2300;
    one of 40 does not say how many games there were.

    Parameters
    ----------
    start : columns player, rating and any of games, peak, born (a year) and k, the K-factor as published.
    published : the steps that the rules had in force. own : those of the policy, which may ask for more.
    year : of the list.
    assume : whether those of whom nothing says it have a peak at their rating, and 30 games, none where their K is 40.

    Raises
    ------
    InputError : a K that is no step, or, unless it is to be assumed, something that K depends on is not known.
    """
    rating, games, peak, born, k, other = (
        _column(start, name) for name in ("rating", "games", "peak", "born", "k", "standard")
    )
    rated = rating > 0.0
    peak = np.where(~rated & ~np.isnan(other), 0.0, peak)  # a rating that another list lends is no peak of this one
    new = np.zeros(len(start), np.bool_)
    if len({published.new, published.most, published.top}) > 1:  # where all have one K, it says nothing
        _steps(start, k, published, rated)
        top, most, new = k == published.top, k == published.most, k == published.new
        if assume or own[3:7] == published[3:7]:  # for steps elsewhere, what K says of games and peak is not enough
            games = np.where(top | most, np.fmax(games, published.games), games)
            peak = np.where(top | most | new, np.fmax(peak, rating), peak)
            peak = np.where(top, np.fmax(peak, published.ratchet), peak)
            peak = np.where(most & (year - born <= published.age), np.fmax(peak, published.junior), peak)
    if assume:
        games = np.where(np.isnan(games) & rated, np.where(new, 0.0, published.games), games)
        peak = np.where(np.isnan(peak) & rated, rating, peak)
    else:
        _complete(start, rated, games, peak, new)
    return start.with_columns(games=pl.Series(games), peak=pl.Series(np.fmax(peak, np.where(rated, rating, np.nan))))


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


def _complete(
    start: pl.DataFrame, rated: NDArray[np.bool_], games: Floats, peak: Floats, new: NDArray[np.bool_]
) -> None:
    """Refuse a table that does not say what K depends on."""
    unknown = rated & (np.isnan(games) | np.isnan(peak) | ("born" not in start.columns))
    if not unknown.any():
        return
    row = int(unknown.argmax())
    lacking = [name for name, values in (("games", games), ("peak", peak)) if np.isnan(values[row])]
    lacking += ["born"] if "born" not in start.columns else []
    expected = f"columns {', '.join(NEEDED)}, or born and k (the K-factor as published), or `assume`"
    if new[row]:
        expected = f"column {' and '.join(lacking)} beside a k of {start['k'][row]:g}, or `assume`"
    raise InputError(
        f"K of {start['player'][row]} depends on {' and '.join(lacking)}, which the table does not say", where="start",
        expected=expected,
    )  # fmt: skip
