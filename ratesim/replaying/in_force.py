"""The K in force for players on their way: the policy's own kernel over a replay, Glicko's by its formula."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..state import Floats
from ..theory import gain
from .believed import believed, known, nothing
from .gains import gains
from .overrides import put
from .rows import add_games
from .run import Run
from .session import Session

Places = NDArray[np.int64]


def k_in_force(run: Run, times: Sequence[float] | Floats, players: Sequence[str] | None = None) -> pl.DataFrame:
    """Return the K that games at given moments have, by rating and career as they stand when their period opens.

    The run is played again for it, and K is what the policy's kernel says of a period with one game. Where K means
    nothing to the system but it has deviations, K is the effective one of a game with an equal of the same deviation,
    q g / (1 / RD^2 + q^2 g^2 / 4) (`rs.theory.gain`).

    Parameters
    ----------
    run : of games in memory.
    times : (M,) days since 1970-01-01 UTC; a moment sees what the period that is open then has opened with, between
        games without periods the games before it.
    players : names, at all moments after their first game; None: at each moment those who have a game from then on and
        before the next moment, newcomers included.

    Returns
    -------
    Long table: time, player (pool where kept apart), rating, games before, the system's own columns, k. Players who are
    not rated are absent, and so is everybody of a system with neither K nor deviations.

    Raises
    ------
    InputError : a player who is not in the stream.

    >>> import ratesim as rs
    >>> games = rs.GameStream.of(first=["A", "A"], second=["B", "B"], score=[1, 1], time=[0, 1])
    >>> run = rs.replay(rs.Elo(), games, policy=rs.Harmonic(k=100, half=1))
    >>> rs.k_in_force(run, [0, 1]).select("time", "player", "games", "k").rows()
    [(0.0, 'A', 0.0, 100.0), (0.0, 'B', 0.0, 100.0), (1.0, 'A', 1.0, 50.0), (1.0, 'B', 1.0, 50.0)]
    """
    if players is not None:
        known(players, run.stream.players["player"])
    session = None if run.session is None else run.again()
    days = np.unique(np.asarray(times, dtype=np.float64))
    if session is None or not len(days):
        return nothing().with_columns(k=pl.lit(None, dtype=pl.Float64))
    if players is None:
        found = list(_openings(session, days, _due(session, days)))
    else:
        own = _rows_of(session, players)
        found = [each.only(session) for each in _openings(session, days, [own] * len(days))]
    return _told(session, found).filter(pl.col("rating").is_not_nan(), pl.col("k").is_not_nan())


class Opening(NamedTuple):
    """What games of some players at a moment begin with."""

    day: float  # that was asked for
    now: float  # opening of the period, days since 1970-01-01
    rule: int  # row of parameters in force
    places: Places  # (n,) which rows of the session
    rows: Floats  # (n, fields and more, L) of the state, aged to the opening
    games: Floats  # (n,) that counted

    def only(self, session: Session) -> "Opening":
        """Return the same of those who have played."""
        some = self.games > session.brought[self.places]
        return self._replace(places=self.places[some], rows=self.rows[some], games=self.games[some])


def _openings(session: Session, days: Floats, places: Sequence[Places]) -> Iterator[Opening]:
    """Play a session that has not begun, and yield what games of some players on rising days begin with."""
    schedule, games, rules = session.schedule, session.brought.copy(), session.dated.rule
    for day, some in zip(days.tolist(), places, strict=True):
        period, now = int(np.searchsorted(schedule.opens, day)), day
        if period == len(schedule.opens) or schedule.opens[period] != day:
            begun = period > 0 and day < schedule.closes[period - 1]
            period, now = (period - 1, float(schedule.opens[period - 1])) if begun else (period, day)
        begin, number = session.played, schedule.base + period
        upto = max(int(np.searchsorted(schedule.at, number)), begin)
        session.advance(upto)
        session.close(number)
        if period < len(schedule.opens) and schedule.opens[period] == now:  # and is put again as its games are played
            put(session.state, session.due, number, session.shape)
        add_games(games, session.stream, session.rows, upto, begin)
        rule = int(rules[min(period, len(rules) - 1)])
        yield Opening(day, now, rule, some, session.aged(now, some).rows, games[some])


def _rows_of(session: Session, players: Sequence[str]) -> Places:
    """Return the rows of players, in their order."""
    names = session.stream.players["player"]
    where = {name: n for n, name in enumerate(names.to_list())}
    asked = np.array([where[name] for name in players], dtype=np.int64)
    order = np.argsort(session.rows.player, kind="stable")
    begin, end = (np.searchsorted(session.rows.player[order], asked, side=side) for side in ("left", "right"))
    return np.concatenate([order[a:b] for a, b in zip(begin, end, strict=True)])


def _due(session: Session, days: Floats) -> list[Places]:
    """Return the rows that have a game from each day on and before the next, in order."""
    rows = session.rows
    at = np.searchsorted(days, session.stream.time, side="right").astype(np.int64) - 1
    size = np.int64(len(rows.player))
    meeting = np.unique(np.concatenate([at * size + rows.first, at * size + rows.second]))
    cut = np.searchsorted(meeting, np.arange(len(days) + 1) * size)
    return [meeting[a:b] % size for a, b in pairwise(cut)]


def _told(session: Session, found: Sequence[Opening]) -> pl.DataFrame:
    """Return what is believed at openings, and K."""
    count = [len(each.places) for each in found]
    day, now, rule = (np.repeat([getattr(each, name) for each in found], count) for name in ("day", "now", "rule"))
    places, rows, games = (
        np.concatenate([getattr(each, name) for each in found]) for name in ("places", "rows", "games")
    )
    table = believed(session, rows, 0, games, places)
    k = np.full(len(table), np.nan)
    if session.system.takes_policy:
        k = gains(session, rows[:, :, 0], places, rule, now, np.ones(len(table)))
    elif "deviation" in table.columns:
        k = np.array([gain(each, each) if each > 0 else 0.0 for each in table["deviation"].to_list()])
    return table.select(pl.Series("time", day), pl.all(), pl.Series("k", k, dtype=pl.Float64))
