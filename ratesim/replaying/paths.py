"""The way of some players' ratings through a replay, and what moved them at every step of it."""

import copy
from collections import defaultdict
from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..state import Floats
from ..visible import mentioned
from .believed import known
from .overrides import put
from .run import Run
from .session import Session

Places = NDArray[np.int64]
FIRST, LOST = "first rating", "unrated"
NONE: Mapping[int, list[int]] = MappingProxyType({})
COLUMNS: dict[str, pl.DataType | type[pl.DataType]] = {
    "player": pl.String, "pool": pl.String, "time": pl.Float64, "cause": pl.String, "games": pl.List(pl.Int64),
    "before": pl.Float64, "after": pl.Float64,
}  # fmt: skip


def paths(run: Run, players: Sequence[str]) -> pl.DataFrame:
    """Return every step of the ratings of some players in a run, one after the other, from nothing to `Run.ratings`.

    The run is played again for it, and stops at the rating periods of these players only.

    Parameters
    ----------
    run : of games in memory. players : names.

    Returns
    -------
    A row a step, player by player (and pool by pool where kept apart) in the order of the stream: player, pool (null
    where not kept apart), time (days since 1970-01-01), cause, games (by number in the stream, those that made the
    step), before and after (rating points, NaN unrated). Each `before` is the `after` of the row above to the bit, the
    first is NaN, and the last `after` is the final rating. A rating period with games is a row, even if they moved
    nothing.
    Causes:

    - first rating: from NaN to a rating, be it that of every newcomer, or earned; unrated: back to NaN;
    - games: what a period's games moved the rating by, floors and rounding included; at the close of the period;
    - override: a row of the start table that holds from some day on;
    - rule: what the system itself does to ratings as a period opens, such as FIDE's one-off changes;
    - season: what time does to a rating where a season has begun; time: what it does otherwise.

    Raises
    ------
    InputError : a player who is not in the stream, or a system that keeps no ratings.

    >>> import ratesim as rs
    >>> games = rs.GameStream.of(first=["A", "A"], second=["B", "B"], score=[1, 1], time=[0, 1])
    >>> steps = paths(rs.replay(rs.Elo(), games, policy=rs.Constant(20)), ["A"])
    >>> steps.select("cause", "games", "before").rows()
    [('first rating', [], nan), ('games', [0], 1500.0), ('games', [1], 1510.0)]
    """
    names = run.stream.players["player"]
    known(players, names)
    session = run.again()
    asked = np.flatnonzero(names.is_in(list(players)).to_numpy())
    walk = Walk(session, np.flatnonzero(np.isin(session.rows.player, asked)), run.order)
    for period in walk.periods():
        walk.visit(period)
    return walk.finish()


class Walk:
    """A replay that stops where something may happen to the ratings of some rows, and notes what did.

    The session itself is only ever advanced, so that it has the bits of the replay; copies of it show what there is to
    see on the way.

    Parameters
    ----------
    session : that has not begun. own : (n,) rows. order : in which the games are played, None as they stand.
    """

    def __init__(self, session: Session, own: Places, order: Places | None) -> None:
        self.session, self.own = session, own
        self.at, self.opens = session.schedule.at, session.schedule.opens
        into = self.at if session.schedule.into is None else session.schedule.into
        sides = np.concatenate([session.rows.first, session.rows.second])
        mine = np.flatnonzero(np.isin(sides, own))
        game, place = mine % len(self.at), np.searchsorted(own, sides[mine])
        self.judged, self.absorbed = Groups(), Groups()  # games of rows, by period
        for g, n in sorted(zip(game.tolist(), place.tolist(), strict=True)):
            number = g if order is None else int(order[g])
            self.judged[int(self.at[g])][n].append(number)
            self.absorbed[int(into[g])][n].append(number)
        drift = session.kernels.drift
        self.seasonal = drift is not None and "seasons" in mentioned(drift)
        self.season = np.full(len(own), session.season_before)  # in which each row last took part
        self.rating, self.found = np.full(len(own), np.nan), list[tuple[int, float, str, list[int], float, float]]()
        self._note("time", float(self.opens[0]), self._seen(session))

    def periods(self) -> list[int]:
        """Return the periods in which something may happen to these rows, in order."""
        session, end = self.session, self.session.schedule.base + len(self.opens)
        due = session.due.period[np.isin(session.due.said.row, self.own)]
        every = {*self.judged, *self.absorbed, *due.tolist(), *session.openings.periods.tolist()}
        return sorted(period for period in every if period < end)

    def visit(self, period: int) -> None:
        """Play a period, and note what its opening and its close do."""
        session, t = self.session, period - self.session.schedule.base
        opens, playing = float(self.opens[t]), self.judged.get(period, NONE)
        begin, end = np.searchsorted(self.at, [period, period + 1]).tolist()
        session.advance(begin)
        there = _closed(session, period)
        self._note("time", opens, self._seen(there))
        put(there.state, session.due, period, session.shape)
        self._note("override", opens, self._seen(there))
        if period in session.openings.periods:
            session.openings.open(period, there.state, session.shape, there.kept)
            self._note("rule", opens, self._seen(there))
        if session.kernels.drift is not None:
            self._pass(opens, t, there, list(playing))
        session.advance(end)
        closes, games = float(session.schedule.closes[t]), self.absorbed.get(period, NONE)
        self._note("games" if games else "time", closes, self._seen(_closed(session, period + 1)), games)

    def _pass(self, day: float, period: int, there: Session, playing: list[int]) -> None:
        """Note what time has done to those who play: of others nothing is brought up to date."""
        aged = self.rating.copy()
        aged[playing] = there.system.columns(there.aged(day, self.own[playing]).rows[:, : there.fields, 0])["rating"]
        self._note("time", day, aged, season=self._season(period))
        self.season[playing] = self._season(period)

    def _season(self, period: int) -> float:
        seasons = self.session.dates.season
        return float(seasons[period if len(seasons) > 1 else 0])

    def _seen(self, session: Session) -> Floats:
        """Return the ratings of these rows as they stand."""
        return session.system.columns(session.state.rows[self.own, : session.fields, 0])["rating"]

    def finish(self) -> pl.DataFrame:
        """Play on to the end, and return all that was noted."""
        session, rows = self.session, self.session.rows
        session.advance(len(session.stream))
        final = session.system.columns(session.finished().rows[self.own, : session.fields, 0])["rating"]
        self._note("time", float(session.stream.time[-1]), final, season=self._season(-1))
        player = session.stream.players["player"].gather(rows.player[self.own]).to_list()
        pool = [None] * len(self.own) if rows.pool is None else [session.stream.pools[p] for p in rows.pool[self.own]]
        found = [(player[n], pool[n], *step) for n, *step in sorted(self.found, key=lambda each: each[0])]
        return pl.DataFrame(found, schema=COLUMNS, orient="row").with_columns(
            time=pl.when(pl.int_range(pl.len()).over("player", "pool") == 0)
            .then(pl.col("time").shift(-1).over("player", "pool").fill_null(pl.col("time")))
            .otherwise("time")
        )

    def _note(
        self, cause: str, day: float, after: Floats, games: Mapping[int, list[int]] = NONE, season: float = np.nan
    ) -> None:
        """Note the steps of rows from the ratings that they had; those with games take one in any case."""
        moved = (after != self.rating) & ~(np.isnan(after) & np.isnan(self.rating))
        for n in sorted({*np.flatnonzero(moved).tolist(), *games}):
            was, now, some = float(self.rating[n]), float(after[n]), games.get(n, [])
            turned = self.seasonal and season > self.season[n]
            why = "season" if turned else "time" if cause == "games" and not some else cause
            if np.isnan(was) == np.isnan(now):
                self.found.append((n, day, why, some, was, now))
                continue
            if some:
                self.found.append((n, day, why, some, was, was))
            self.found.append((n, day, FIRST if np.isnan(was) else LOST, [], was, now))
        self.rating = after


class Groups(dict[int, defaultdict[int, list[int]]]):
    """Games by period and place."""

    def __missing__(self, period: int) -> defaultdict[int, list[int]]:
        """Begin a period."""
        self[period] = defaultdict(list)
        return self[period]


def _closed(session: Session, period: int) -> Session:
    """Return a copy of a session that has absorbed all before a period, and opened nothing more."""
    there = session.apart()
    there.openings = copy.copy(there.openings)
    there.openings.periods = there.openings.periods[:0]
    there.close(period)
    return there
