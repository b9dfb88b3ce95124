"""Replays: a system meets a stream of games in order of time."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from .calendars import CALENDARS, Calendar, PerGame
from .errors import InputError, nearest
from .io.starts import read_starts
from .jit import cold
from .openings import Variant, by_rule
from .order import Order, arranged, restored
from .policies import POLICIES, Constant, Policy
from .saved import Saved, join, write_state
from .session import Rows, Session, engine_of
from .state import SEATS, Floats, Ints, State
from .stream import GameStream
from .systems.base import Rater, System, WholeStream
from .whole import columns_of

log = logging.getLogger("ratesim")
Starts = str | Path | pl.DataFrame | Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True)
class Diagnostic:
    """Something a system noted while it learned."""

    name: str
    count: int  # of players and periods
    player: str  # the first it happened to
    time: float  # opening of the period in which it did, days since 1970-01-01 UTC


@dataclass(frozen=True, eq=False)
class Run:
    """What a replay found.

    Attributes
    ----------
    system, policy, calendar, stream : what was replayed; policy is None where K means nothing to the system.
    forecast : (G,) expected score of first before each game, NaN where the system has none.
    noted : what a whole-stream system noted; see `diagnostics`.
    """

    system: Rater
    policy: Policy | None
    calendar: Calendar
    stream: GameStream = field(repr=False)
    forecast: Floats = field(repr=False)
    start: pl.DataFrame | None = field(default=None, repr=False)
    by_pool: bool = False
    noted: list[Diagnostic] = field(default_factory=list, repr=False)
    session: Session | None = field(default=None, repr=False)
    lane: int = field(default=0, repr=False)
    saved: Saved | None = field(default=None, repr=False)
    columns: dict[str, Floats] = field(default_factory=dict, repr=False)
    order: Order | None = field(default=None, repr=False)  # in which the games were played, None as they stand

    @cached_property
    def diagnostics(self) -> list[Diagnostic]:
        """What the system noted while it learned, only what happened at all."""
        if self.session is None or not self.session.kernels.flags:
            return self.noted
        return _diagnostics(self.session, self.session.finished().flags[:, :, self.lane])

    @cached_property
    def period(self) -> Ints:
        """(G,) rating period of each game; numbers rise with time."""
        played = self.stream if self.order is None else self.stream.in_order(self.order)
        at = self.calendar.schedule(played).at if self.session is None else self.session.schedule.at
        return restored(at, self.order)

    def ratings(self) -> pl.DataFrame:
        """Return what is believed after the last period, a row for each player (and pool), in the stream's order.

        Columns: player, pool where kept apart, rating (rating points), games (that counted), then the system's own.
        A baseline that keeps no ratings has the column player only.
        """
        if self.session is None:
            return pl.DataFrame({"player": self.stream.players["player"], **self.columns})
        rows, upto = self.session.rows, len(self.stream)
        everybody = np.ones(len(rows.player), np.bool_)
        shown = everybody if rows.pool is None else _counted(self.session.stream, rows, upto) + self.session.brought > 0
        return self._table(self.session, self.session.finished(), upto, shown)

    def history(self, times: Sequence[float] | Floats, players: Sequence[str] | None = None) -> pl.DataFrame:
        """Return the ratings as of given moments, deviations aged to them; nothing is changed.

        Parameters
        ----------
        times : (M,) days since 1970-01-01 UTC; a moment sees the periods that closed up to it.
        players : names, all who have played by then where None.

        Returns
        -------
        Long table: time, player, then as `ratings`; players who have not played are absent, and everybody is for a
        whole-stream system.

        Raises
        ------
        InputError : a player who is not in the stream.
        """
        if players is not None:
            _known(players, self.stream)
        if self.session is None:
            return pl.DataFrame(schema={"time": pl.Float64, "player": pl.String, "rating": pl.Float64})
        session = self.again()
        closes, at = session.schedule.closes, session.schedule.at
        tables = []
        moments = np.unique(np.asarray(times, dtype=np.float64))
        for time in moments:
            closed = int(np.searchsorted(closes, time, side="right"))
            upto = max(int(np.searchsorted(at, session.schedule.base + closed)), session.played)
            session.advance(upto)
            session.close(session.schedule.base + closed)
            seen = _counted(session.stream, session.rows, upto) > 0
            table = self._table(session, session.aged(float(time)), upto, seen)
            if players is not None:
                table = table.filter(pl.col("player").is_in(list(players)))
            tables.append(table.select(pl.lit(float(time)).alias("time"), pl.all()))
        return pl.concat(tables or [self.ratings().clear().select(pl.lit(0.0).alias("time"), pl.all())])

    def save(self, path: str | Path) -> None:
        """Write all that the replay remembers, the evidence of the open period included.

        `replay(..., state=load_state(path))` goes on with later games, with the same bits as if there had been no cut.

        Raises
        ------
        InputError : the system is a whole-stream one, or was replayed beside others.
        """
        if self.session is None or len(self.session.variants) > 1:
            raise InputError(f"system '{self.system.kind}' has no state of its own to save")
        games = self.session.brought + _counted(self.session.stream, self.session.rows, len(self.stream))
        write_state(path, self._left_open(), games, by_pool=self.by_pool)

    def _left_open(self) -> Session:
        """Return a session at the end of the stream whose last period is still open to later games of its time."""
        assert self.session is not None  # noqa: S101  # the caller has looked
        if not self.session.schedule.singly:
            return self.session
        session = self.again()
        session.advance(len(self.stream) - 1)
        session.go_on_in_periods()
        session.advance(len(self.stream))
        return session

    def again(self) -> Session:
        """Return a session of the same replay that has played nothing yet.

        Raises
        ------
        InputError : a whole-stream system has none.
        """
        if self.session is None:
            raise InputError(f"system '{self.system.kind}' forecasts whole streams only", expected="one with ratings")
        variant = self.session.variants[self.lane]
        old = self.saved
        return Session(
            [variant], self.session.stream, self.calendar, start=self.start, by_pool=self.by_pool,
            earlier=old.earlier(self.session.stream) if old else None, before=old.before if old else None,
        )  # fmt: skip

    def _table(self, session: Session, state: State, upto: int, shown: NDArray[np.bool_]) -> pl.DataFrame:
        rows = session.rows
        system = session.variants[0].system
        fields = len(session.kernels.Belief._fields)  # type: ignore[attr-defined]  # a NamedTuple
        lane = self.lane if state.rows.shape[2] > 1 else 0
        columns = system.columns(state.rows[:, :fields, lane])
        if session.gains.career:
            games = state.rows[:, fields, lane]
        else:
            games = session.brought + _counted(session.stream, rows, upto)
        pool = {} if rows.pool is None else {"pool": pl.Series(list(self.stream.pools)).gather(rows.pool)}
        table = pl.DataFrame(
            {
                "player": self.stream.players["player"].gather(rows.player),
                **pool,
                "rating": columns.pop("rating"),
                "games": games,
                **columns,
            }
        )
        return table.filter(pl.Series(shown))


def replay(
    system: Rater, games: GameStream, *, policy: Policy | None = None, calendar: Calendar | None = None,
    start: Starts | None = None, by_pool: bool = False, state: Saved | None = None,
) -> Run:  # fmt: skip
    """Play a stream of games through a system.

    Parameters
    ----------
    system : any rating system or baseline.
    games : the stream.
    policy : K; None is the system's own default, and systems that take no policy accept no other.
    calendar : rating periods; None is the system's own default.
    start : what is known of players beforehand: a table with the columns of `io.read_starts`, or a mapping
        `{"A": {"rating": 1500, "deviation": 200}}`.
    by_pool : keep a belief for each player and pool.
    state : what an earlier replay of the same system saved; the games must be later ones.

    Raises
    ------
    InputError : the stream lacks what system or calendar need, growth has no unit under the calendar, a policy is
        given to a system without K, the state is of another system, policy or calendar.

    >>> import ratesim as rs
    >>> games = rs.GameStream.of(first=["A"], second=["B"], score=[1], time=[0])
    >>> rs.replay(rs.Elo(), games, policy=rs.Constant(20)).ratings()["rating"].to_list()
    [1510.0, 1490.0]
    """
    pairs = [(system, policy)]
    return replay_many(pairs, games, calendar=calendar, start=start, by_pool=by_pool, state=state)[0]


def replay_many(
    pairs: Sequence[tuple[Rater, Policy | None]], games: GameStream, *, calendar: Calendar | None = None,
    start: Starts | None = None, by_pool: bool = False, state: Saved | None = None,
) -> list[Run]:  # fmt: skip
    """Play a stream of games through several systems and policies, those with the same kernels side by side in lanes.

    Parameters and errors as in `replay`; the results are bit for bit those of replays one by one.
    """
    for system, policy in pairs:
        _instance(system, Rater, "a system such as rs.Elo()")
        _instance(policy or Constant(), Policy, "a policy such as rs.Constant(20)")
    _instance(calendar or PerGame(), Calendar, "a calendar such as rs.Months()")
    table = None if start is None else read_starts(start)
    groups: dict[Any, list[int]] = {}
    for n, (system, policy) in enumerate(pairs):
        if policy is not None and not system.takes_policy:
            raise InputError(f"system '{system.kind}' learns without K", where=f"policy {policy.kind}", expected="none")
        groups.setdefault(_group(system, policy, calendar, n), []).append(n)
    runs: dict[int, Run] = {}
    for members in groups.values():
        for begin in range(0, len(members), SEATS):
            block = members[begin : begin + SEATS]
            found = _side_by_side([pairs[n] for n in block], games, calendar, table, by_pool=by_pool, saved=state)
            runs.update(zip(block, found, strict=True))
    return [runs[n] for n in range(len(pairs))]


def _instance(value: object, cls: type, expected: str) -> None:
    if not isinstance(value, cls):
        raise InputError(f"{value!r} is no {cls.__name__.lower()}", expected=expected)


def _of_players(start: pl.DataFrame, games: GameStream) -> pl.DataFrame:
    """Return the rows of a start table whose players are in the stream, and say how many are not."""
    table = start.filter(pl.col("player").is_in(games.players["player"].implode()))
    absent = len(start) - len(table)
    if not len(table):
        raise InputError(
            f"none of its {absent:,} players has a game", where="start", expected="the names of the stream"
        )
    if absent:
        log.info("start: %s of %s players have no game", f"{absent:,}", f"{len(start):,}")
    if new := games.n_players - len(table):
        log.info("start: %s of %s players of the stream are not in it", f"{new:,}", f"{games.n_players:,}")
    return table


def check(
    system: Rater, games: GameStream, *, policy: Policy | None, calendar: Calendar, start: pl.DataFrame | None,
    by_pool: bool,
) -> None:  # fmt: skip
    """Refuse what `replay` would, before anything is played or compiled.

    Raises
    ------
    InputError : as `replay`.
    """
    if isinstance(system, WholeStream):
        columns_of(system, arranged(games, calendar).stream, calendar, start, by_pool=by_pool, saved=None)
    elif isinstance(system, System):
        table = None if start is None else _of_players(start, games)
        played, _ = arranged(games, calendar)
        Session([Variant(system, _learning(system, policy))], played, calendar, start=table, by_pool=by_pool)


def compiles(system: Rater, games: GameStream, *, policy: Policy | None, calendar: Calendar) -> str | None:
    """Return the name of what a replay would have to compile first, None where the machine has it."""
    if not isinstance(system, System):
        return None
    games, _ = arranged(games, calendar)
    schedule, variants = calendar.schedule(games), [Variant(system, _learning(system, policy))]
    engine = engine_of(variants, calendar, schedule, by_rule(variants, schedule.opens))
    return engine.__qualname__ if cold(engine) else None


def _group(system: Rater, policy: Policy | None, calendar: Calendar | None, n: int) -> Any:
    if not isinstance(system, System):
        return n
    learning = _learning(system, policy)
    if system.alone:
        return n
    return (
        system.kernels(),
        learning.kernels(),
        system.unit,
        system.grows,
        (calendar or _usual(system)).label,
    )


def _learning(system: Rater, policy: Policy | None) -> Policy:
    return system.learning(policy or POLICIES.build(system.default_policy if system.takes_policy else "constant"))


def _usual(system: Rater) -> Calendar:
    return CALENDARS.build(system.usual_calendar)


def _side_by_side(
    pairs: Sequence[tuple[Rater, Policy | None]], games: GameStream, calendar: Calendar | None,
    start: pl.DataFrame | None, *, by_pool: bool, saved: Saved | None,
) -> list[Run]:  # fmt: skip
    first = pairs[0][0]
    calendar = calendar or _usual(first)
    if isinstance(first, WholeStream):
        return [_whole(first, games, calendar, start, by_pool=by_pool, saved=saved)]
    variants = [Variant(s, _learning(s, p)) for s, p in pairs if isinstance(s, System)]
    earlier = before = None
    if saved is not None:
        games = join(saved, games, variants, calendar, by_pool=by_pool)
        earlier, before = saved.earlier(games), saved.before
    start = None if start is None else _of_players(start, games)
    played, order = arranged(games, calendar)
    session = Session(variants, played, calendar, start=start, by_pool=by_pool, earlier=earlier, before=before)
    forecast = session.advance(len(games))
    return [
        Run(
            system, variants[lane].policy if system.takes_policy else None, calendar, games,
            restored(forecast[:, lane], order), start, by_pool, session=session, lane=lane, saved=saved, order=order,
        )
        for lane, (system, _) in enumerate(pairs)
    ]  # fmt: skip


def _whole(
    system: WholeStream, games: GameStream, calendar: Calendar, start: pl.DataFrame | None, *, by_pool: bool,
    saved: Saved | None,
) -> Run:  # fmt: skip
    played, order = arranged(games, calendar)
    schedule, columns = columns_of(system, played, calendar, start, by_pool=by_pool, saved=saved)
    found = system.whole(columns)
    names = games.players["player"]
    noted = [
        Diagnostic(name, times, names[player], float(schedule.opens[period - schedule.base]))
        for name, times, player, period in found.noted
    ]
    forecast = restored(found.forecast, order)
    return Run(system, None, calendar, games, forecast, noted=noted, columns=dict(found.columns), order=order)


def _diagnostics(session: Session, flags: Floats) -> list[Diagnostic]:
    """Return what a lane noted, from its counts (flags, 3)."""
    names = session.stream.players["player"]
    found = []
    for name, (count, row, day) in zip(session.kernels.flags, flags.tolist(), strict=False):
        if count:
            found.append(Diagnostic(name, int(count), names[int(session.rows.player[int(row)])], day))
    return found


def _counted(stream: GameStream, rows: Rows, upto: int) -> NDArray[np.float64]:
    """Return the games that counted for each row among the first `upto`."""
    weight = None if stream.weight is None else stream.weight[:upto]
    counts = (np.bincount(side[:upto], weight, len(rows.player)) for side in (rows.first, rows.second))
    return np.asarray(np.sum(list(counts), axis=0, dtype=np.float64))


def _known(players: Sequence[str], stream: GameStream) -> None:
    names = stream.players["player"].to_list()
    strange = sorted(set(players) - set(names))
    if strange:
        raise InputError(f"no player '{strange[0]}' in the stream", near=nearest(strange[0], names))
