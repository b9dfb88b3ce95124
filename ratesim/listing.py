"""The lists that a replay of FIDE's system publishes, one after the other."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from .careers import FideParams
from .dates import date_on
from .errors import InputError
from .jit import plain
from .policies import Fide, fide_base
from .records import Career
from .replay import Run
from .rules import rules
from .session import Session
from .state import Floats, Past
from .systems.fide import FideElo

ATTRIBUTES = ("name", "federation", "sex", "title")
SCHEMA = {
    "list": pl.Date, "player": pl.String, "rating": pl.Int64, "change": pl.Int64, "games": pl.Int64, "k": pl.Float64,
    "born": pl.Int64, "inactive": pl.Boolean,
}  # fmt: skip


class Careers(NamedTuple):
    """What is kept of players besides ratings; each (R,)."""

    games: Floats
    peak: Floats
    last: Floats  # days


def rating_lists(run: Run) -> pl.DataFrame:
    """Return every list from the first after the stream began to the one that its last games count on.

    Parameters
    ----------
    run : of system `fide` with policy `fide`, all players in one pool.

    Returns
    -------
    A row for each list and player rated on it, best first: list (date), player, those of name, federation, sex and
    title that the stream has, rating, change (since the list before; null where there was no rating), games (rated
    for this list), k (as published: the 700-point rule comes later), born (year, null unknown), inactive (no game
    rated in the year before; 24 months in the pandemic).

    Raises
    ------
    InputError : the run is of another system or policy, or by pool.
    """
    if not (isinstance(run.system, FideElo) and isinstance(run.policy, Fide)) or run.by_pool:
        raise InputError("lists are published by system 'fide' with policy 'fide'", expected="such a run, not by pool")
    session = run.again()
    lists = pl.concat([pl.DataFrame(rows, SCHEMA, orient="row") for rows in _lists(session)])
    known = run.stream.players.select("player", *(name for name in ATTRIBUTES if name in run.stream.players.columns))
    named = lists.join(known, on="player", how="left").select("list", *known.columns, *list(SCHEMA)[2:])
    return named.sort(["list", "rating", "player"], descending=[False, True, False])


def _lists(session: Session) -> Iterator[list[tuple[Any, ...]]]:
    """Yield the rows of each list as it is published."""
    before, played = _ratings(session), _careers(session).games
    names, schedule = session.stream.players["player"].to_list(), session.schedule
    for period, day in enumerate(schedule.closes, schedule.base):
        session.advance(max(session.played, int(np.searchsorted(schedule.at, period, side="right"))))
        session.close(period + 1)
        rating, careers = _ratings(session), _careers(session)
        k, idle = _steps(session, careers, float(day)), _months(day) - _months(careers.last)
        longest = rules(date_on(float(day)), session.system.list).idle  # type: ignore[attr-defined]  # of FideElo
        yield [
            (
                date_on(float(day)), names[i], int(rating[i]), int(rating[i] - before[i]) if before[i] > 0.0 else None,
                int(careers.games[i] - played[i]), k[i], None if np.isnan(session.born[i]) else int(session.born[i]),
                bool(idle[i] > longest),
            )
            for i in np.flatnonzero(rating > 0.0)
        ]  # fmt: skip
        before, played = rating, careers.games


def _ratings(session: Session) -> Floats:
    return session.state.rows[:, 0, 0].copy()


def _careers(session: Session) -> Careers:
    return Careers(*session.state.rows[:, session.fields : session.fields + len(Past._fields), 0].T.copy())


def _steps(session: Session, careers: Careers, day: float) -> list[float]:
    """Return the K of each player on a list."""
    q, year, base = FideParams(*session.variants[0].policy.params_at(day)), date_on(day).year, plain(fide_base)
    each = zip(careers.games.tolist(), careers.peak.tolist(), session.born.tolist(), strict=True)
    return [base(q, Career(games, 0.0, peak, 0.0, born, year)) for games, peak, born in each]


def _months(day: Floats) -> NDArray[np.int64]:
    return np.floor(day).astype("datetime64[D]").astype("datetime64[M]").astype(np.int64)
