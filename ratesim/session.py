"""A system under a calendar over a stream, and all that it remembers, between two calls of the engine."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from .assembly import Engine, Plan, ageing, build
from .calendars import Before, Calendar, Regular, Schedule, date_of
from .dates import date_on
from .errors import InputError
from .openings import FIRST, Dated, Openings, Shape, Variant, by_rule, check_events
from .state import DAY, SEASON, SEATS, SPAN, TARGET, UNITS, WHO, Dates, Floats, Games, Ints, Past, State, copied, fixed
from .stream import GameStream
from .systems.base import Games as Columns, Kept, Start, System

NOTHING, UNKNOWN = fixed(np.zeros(1)), fixed(np.full(1, np.nan))
ONE = fixed(np.ones((1, 1)))
EARLIER = 10**9  # taken off the codes of events of a session before, which are none of this stream
LONG_AGO = 400.0  # days before the first period in which one who is inactive then last played, at least


class Rows(NamedTuple):
    """What the engine keeps a row for: players, or players in a pool."""

    first: Ints  # (G,)
    second: Ints
    player: NDArray[np.int64]  # (R,) of each row
    pool: NDArray[np.int64] | None  # (R,)


def check_growth(system: System, calendar: Calendar) -> None:
    """Refuse a system whose deviations grow by the period, where no period has a length.

    Raises
    ------
    InputError : so it is; the key `per` is named.
    """
    if system.grows and system.unit is None and not calendar.lasting:
        raise InputError(
            f"under '{calendar.kind}' no period has a length that growth could go by",
            where=f"system {system.kind}, key per", expected="a duration, such as per = '30d'",
        )  # fmt: skip


def rows_of(stream: GameStream, *, by_pool: bool) -> Rows:
    """Return the rows of a stream: its players, or every player in every pool, in that order."""
    players = np.arange(stream.n_players)
    if not by_pool:
        return Rows(stream.first, stream.second, players, None)
    if stream.pool is None:
        raise InputError("by_pool needs a column 'pool'", where="columns", expected="pool = ...")
    n = len(stream.pools)
    first, second = stream.first * n + stream.pool, stream.second * n + stream.pool
    return Rows(first, second, np.repeat(players, n), np.tile(np.arange(n), stream.n_players))


class Session:
    """Lanes of one system's kernels over one stream.

    Parameters
    ----------
    variants : a lane each, at most 256; all of one system's kernels, unit of growth and kind of policy.
    stream, calendar : the games and their periods.
    start : what is known of players beforehand, as `io.read_starts` returns it; None: what `stream.players` says.
    by_pool : whether a player has a belief for each pool.
    earlier, before : what an earlier session remembered, and where its calendar stood.

    Raises
    ------
    InputError : growth has no unit under this calendar, or the stream lacks a column.
    """

    def __init__(
        self, variants: Sequence[Variant], stream: GameStream, calendar: Calendar, *,
        start: pl.DataFrame | None = None, by_pool: bool = False,
        earlier: "Earlier | None" = None, before: Before | None = None,
    ) -> None:  # fmt: skip
        if not 0 < len(variants) <= SEATS:
            raise ValueError(f"{len(variants)} lanes; expected 1 to {SEATS}")
        self.variants, self.stream, self.calendar = list(variants), stream, calendar
        self.system, policy = variants[0]
        if self.system.alone and len(variants) > 1:
            raise ValueError(f"system {self.system.kind} attends to openings; expected one lane")
        self.kernels, self.gains = self.system.kernels(), policy.kernels()
        self.fields = len(self.kernels.Belief._fields)  # type: ignore[attr-defined]  # a NamedTuple
        past, width = len(Past._fields) if self.gains.career else 0, len(self.kernels.Evidence._fields)  # type: ignore[attr-defined]  # the same
        self.shape = Shape(self.fields, past, width)
        self.rows = rows_of(stream, by_pool=by_pool)
        if before is not None and (self.system.alone or calendar.depth > 1):
            check_events(stream, before)
        self.schedule = calendar.schedule(stream, before)
        self.dated = by_rule(variants, self.schedule.opens)
        self.dates = self._dates()._replace(rule=self.dated.rule)
        given, opens = stream.players if start is None else start, float(self.schedule.opens[0])
        place = np.arange(stream.n_players) if start is None else _places(given, stream)
        tables = [policy.known(given, opens) for _, policy in variants]
        table = tables[0]
        of_stream = self._of_rows(stream.players, np.arange(stream.n_players), "born")
        told = self._of_rows(table, place, "born")
        self.born = fixed(np.where(np.isnan(told), of_stream, told))
        self._check_born()
        self.standard = self._of_rows(table, place, "standard")
        self.brought = np.nan_to_num(self._of_rows(table, place, "games"))
        self.state = self._fresh(tables, place)
        if earlier is not None:
            self.state = resumed(self.state, earlier)
            self.brought[earlier.rows] = earlier.games
            self.born = fixed(_recalled(self.born, earlier.born, earlier.rows))
            self.standard = _recalled(self.standard, earlier.standard, earlier.rows)
        self.kept = [] if earlier is None else earlier.memory()
        self.openings = Openings(
            self.system, self.schedule, stream, self.rows.first, self.rows.second, self.standard, self.kept
        )  # fmt: skip
        self.system.check(self._columns(), self.state.rows[:, : self.fields, 0])
        self.engine = engine_of(self.variants, calendar, self.schedule, self.dated)
        self.played, self.opened = 0, self.schedule.base - 1
        self._finished: State | None = None

    def go_on_in_periods(self) -> None:
        """Play what comes period by period, with the same bits, although every game is one of its own."""
        self.schedule = self.schedule._replace(singly=False)
        self.state.cursor[0] += 1
        self.engine = engine_of(self.variants, self.calendar, self.schedule, self.dated)

    def advance(self, upto: int) -> Floats:
        """Play on to game number `upto` of the stream; return the forecasts of the games played, (games, L)."""
        chunk, self.played, self._finished = slice(self.played, upto), upto, None
        out = np.empty((chunk.stop - chunk.start, len(self.variants)))
        self._run(self.state, chunk, out, self.schedule.base)  # closes none but those that games go past
        return out

    def close(self, period: int) -> None:
        """Absorb the evidence of all periods before number `period`."""
        self._finished = None
        self._run(self.state, slice(0, 0), np.empty((0, len(self.variants))), period)

    def finished(self) -> State:
        """Return a copy of the state as it is when the last period has closed, for those too who sat it out.

        Lanes share it: it is kept until the session goes on.
        """
        if self._finished is not None:
            return self._finished
        state = copied(self.state)
        end = self.schedule.base + len(self.schedule.opens)
        if self.kernels.drift is not None and not self.calendar.lasting:
            self._age(state, float(self.dates.day[-1]), float(self.dates.units[-1]))
        self._run(state, slice(0, 0), np.empty((0, len(self.variants))), end, last=self.calendar.lasting)
        if len(self.variants) > 1:
            self._finished = state
        return state

    def aged(self, day: float) -> State:
        """Return a copy of the state as it stands at `day`, a moment after all that was absorbed."""
        state = copied(self.state)
        if self.kernels.drift is not None:
            self._age(state, day, self._units(day))
        return state

    def _age(self, state: State, day: float, units: float) -> None:
        season = 0.0
        if self.dates.season.size > 1:
            season = float(self.dates.season[max(int(np.searchsorted(self.dates.day, day, side="right")) - 1, 0)])
        ageing(self.kernels, self._label("ageing"))(self.dated.params, state.rows, state.marks, 0, day, units, season)

    def _label(self, work: str) -> str:
        return f"{self.system.kind} {work}"

    def _run(self, state: State, chunk: slice, out: Floats, until: int, *, last: bool = False) -> None:
        """Play a chunk of games, then close all periods before `until`, opening on the way what is to be opened."""
        begin, opened, kept = chunk.start, self.opened, self.kept if state is self.state else [*self.kept]
        reached = max(until, int(self.schedule.at[chunk.stop - 1]) if chunk.stop > chunk.start else until)
        for period in self.openings.due(opened, reached):
            end = max(begin, min(int(self.openings.begins[period - self.schedule.base]), chunk.stop))
            self._play(state, slice(begin, end), out[begin - chunk.start : end - chunk.start], period)
            self.openings.open(period, state, self.shape, kept)
            begin, opened = end, period
        self._play(state, slice(begin, chunk.stop), out[begin - chunk.start :], until, last=last)
        if state is self.state:
            self.opened = opened

    def _play(self, state: State, chunk: slice, out: Floats, until: int, *, last: bool = False) -> None:
        stream, into, extra = self.stream, self.schedule.into, self.openings.extra
        games = Games(
            fixed(self.rows.first[chunk]), fixed(self.rows.second[chunk]), fixed(stream.score[chunk][:, None]),
            ONE if stream.weight is None else fixed(stream.weight[chunk][:, None]),
            NOTHING if stream.edge is None else fixed(stream.edge[chunk]),
            UNKNOWN if stream.margin is None else fixed(stream.margin[chunk]),
            fixed(extra[chunk] if extra.size == len(stream) else extra),
            fixed(self.schedule.at[chunk]), FIRST if into is None else fixed(into[chunk]), FIRST,
        )  # fmt: skip
        dates = self.dates
        if self.schedule.singly:
            by_game = {k: x[chunk] for k, x in dates._asdict().items() if k != "base" and x.size == len(stream)}
            dates = dates._replace(**by_game)
        params, policy, _ = self.dated
        self.engine(params, policy, state, games, dates, self.born, out, until, last)

    def _columns(self) -> Columns:
        """Return what a system may look at before anything is played."""
        stream = self.stream
        return Columns(
            self.rows.first, self.rows.second, stream.score, stream.time, self.schedule.at, len(self.rows.player),
            stream.published_first, stream.published_second, stream.weight, _pools(stream),
        )  # fmt: skip

    def _dates(self) -> Dates:
        base, opens, closes = self.schedule.base, self.schedule.opens, self.schedule.closes
        unit, units, span = self.system.unit, opens, NOTHING
        ages = self.kernels.drift is not None
        check_growth(self.system, self.calendar)
        if unit is not None:
            units = opens / unit
            span = (closes - opens) / unit if self.calendar.lasting else NOTHING
        elif self.calendar.lasting:
            units, span = np.arange(base, base + len(opens), dtype=np.float64), np.ones(1)
        season = NOTHING
        if ages and self.stream.season is not None:
            seen = np.searchsorted(self.schedule.at, np.arange(base, base + len(opens)), side="right") - 1
            season = self.stream.season[np.maximum(seen, 0)].astype(np.float64)
        year = NOTHING
        if self.gains.career:
            year = np.floor(opens).astype("datetime64[D]").astype("datetime64[Y]").astype(np.float64) + 1970
        return Dates(base, *map(fixed, (opens, units, span, season, year, FIRST)))

    def _units(self, day: float) -> float:
        """Return a moment in units of growth."""
        if self.system.unit is not None:
            return day / self.system.unit
        if not self.calendar.lasting:
            return day
        try:
            return float(self.calendar.index(np.array([day]))[0])
        except InputError:
            opens, last = self.schedule.opens, self.schedule.closes[-1]
            return float(self.schedule.base + np.searchsorted(opens, day, side="right") - (day < last))

    def _check_born(self) -> None:
        """Refuse birth years of players after the last game, which would make juniors of them."""
        if not self.gains.career or np.isnan(self.born).all():
            return
        last = date_on(float(self.schedule.closes[-1])).year
        playing = np.zeros(len(self.born), np.bool_)
        playing[self.rows.first] = playing[self.rows.second] = True
        late = np.flatnonzero(playing & (self.born > last))
        if late.size:
            player = self.stream.players["player"][int(self.rows.player[late[0]])]
            raise InputError(
                f"born {self.born[late[0]]:.0f}", where=f"players, {player}",
                expected=f"a year up to {last}, of the last games",
            )  # fmt: skip

    def _fresh(self, tables: Sequence[pl.DataFrame], place: NDArray[np.int64]) -> State:
        kernels, lanes, n = self.kernels, len(self.variants), len(self.rows.player)
        (fields, past, width), depth = self.shape, self.calendar.depth
        rows = np.zeros((n, fields + past + depth * width, lanes))
        for lane, (system, _) in enumerate(self.variants):
            rows[:, :fields, lane] = self._beliefs(system, tables[lane], place)
        marks = np.full((n, TARGET + depth), np.nan)
        last = self._of_rows(tables[0], place, "last")
        if past:
            games, peak = (
                np.stack([self._of_rows(table, place, name) for table in tables], axis=1) for name in ("games", "peak")
            )
            idle = self._of_rows(tables[0], place, "inactive") > 0.0
            rows[:, fields] = np.nan_to_num(games)
            rows[:, fields + 1] = np.where(np.isnan(peak), rows[:, 0], peak)
            at_most = self.schedule.opens[0] - np.where(idle, LONG_AGO, 0.0)
            rows[:, fields + 2] = np.where(np.isnan(last), at_most, last)[:, None]
        known = ~np.isnan(last)
        if kernels.drift is not None and known.any():
            marks[known, DAY] = last[known]
            marks[known, UNITS] = [self._units_of_last(day) for day in last[known]]
            marks[known, SPAN] = float(self.system.unit is None)
            marks[known, SEASON] = 0.0
        flags = np.zeros((max(1, len(kernels.flags)), 3, lanes))
        cursor = self.schedule.base - self.schedule.singly
        members, waiting = np.zeros((depth, n), np.int32), np.zeros(depth, np.int64)
        return State(rows, marks, members, waiting, np.array([cursor]), np.zeros((1, 2, lanes)), flags)

    def _units_of_last(self, day: float) -> float:
        if day > self.stream.time[0]:
            raise InputError(
                f"a last game on {date_of(day)}", where="start, column last",
                expected=f"none after the first game of the stream, {date_of(self.stream.time[0])}",
            )  # fmt: skip
        if self.system.unit is None and not isinstance(self.calendar, Regular):
            raise InputError(
                f"under '{self.calendar.kind}' nobody knows how many periods ago a last game was",
                where="start, column last", expected="per, a duration, or calendar every or months",
            )  # fmt: skip
        return self._units(day)

    def _beliefs(self, system: System, table: pl.DataFrame, place: NDArray[np.int64]) -> Floats:
        """Return what is believed of each row, (R, F), or of all alike, (F,)."""
        out = np.array(system.belief(Start()))
        given = [name for name in Start._fields if name in table.columns]
        if given:
            known = place >= 0
            shown = table.select("player", pl.col(given).cast(pl.Float64).fill_null(np.nan)).filter(pl.Series(known))
            beliefs = np.array([_believed(system, **row) for row in shown.iter_rows(named=True)]).reshape(-1, len(out))
            of_players = np.tile(system.belief(Start()), (self.stream.n_players, 1))
            of_players[place[known]] = beliefs
            out = of_players[self.rows.player]
        return out

    def _of_rows(self, table: pl.DataFrame, place: NDArray[np.int64], name: str) -> Floats:
        values = np.full(self.stream.n_players, np.nan)
        if name in table.columns:
            values[place[place >= 0]] = table[name].cast(pl.Float64).fill_null(np.nan).to_numpy()[place >= 0]
        return np.ascontiguousarray(values[self.rows.player])


def engine_of(variants: Sequence[Variant], calendar: Calendar, schedule: Schedule, dated: Dated) -> Engine:
    """Return the engine that plays these lanes, compiled or not."""
    system, policy = variants[0]
    label = f"{system.kind} {'per game' if schedule.singly else 'in periods'}"
    label += f" with K {policy.kind}" if system.takes_policy else ""
    plan = Plan(
        singly=schedule.singly, alone=len(variants) == 1, depth=calendar.depth, rules=dated.params.shape[0] > 1
    )  # fmt: skip
    return build(system.kernels(), policy.kernels(), plan, label=label)


class Earlier(NamedTuple):
    """What an earlier session remembered, and the rows of this one where its rows belong."""

    state: State
    rows: NDArray[np.int64]
    games: Floats  # (R,) that counted
    born: Floats  # (R,) birth years
    standard: Floats  # (R,) ratings on the standard list, NaN unknown
    kept: Floats  # (K, fields of Kept)

    def memory(self) -> list[Floats]:
        """Return what the system kept in mind, with events told apart from those to come."""
        kept = self.kept.copy()
        who, event = (Kept._fields.index(name) for name in ("who", "event"))
        kept[:, who] = self.rows[kept[:, who].astype(np.int64)]
        kept[:, event] -= EARLIER
        return [kept]


def _believed(system: System, player: str, **start: float) -> tuple[float, ...]:
    """Return what is believed of a player who starts so; a mistake names the player."""
    try:
        return system.belief(Start(**start))
    except InputError as error:
        raise error.inside(f"start, {player}") from None


def _pools(stream: GameStream) -> tuple[str, ...]:
    """Return the names of the pools that have games."""
    return () if stream.pool is None else tuple(stream.pools[code] for code in np.unique(stream.pool))


def _recalled(told: Floats, earlier: Floats, rows: NDArray[np.int64]) -> Floats:
    """Return what is told (R,), and where nothing is, what an earlier session was told of the same rows."""
    known = told.copy()
    known[rows] = np.where(np.isnan(told[rows]), earlier, told[rows])
    return known


def resumed(fresh: State, earlier: Earlier) -> State:
    """Return a fresh state with the rows of an earlier one in their places."""
    old, place = earlier.state, earlier.rows
    rows, marks, members, flags = fresh.rows.copy(), fresh.marks.copy(), fresh.members.copy(), old.flags.copy()
    flags[:, WHO] = place[old.flags[:, WHO].astype(np.int64)]
    rows[place], marks[place] = old.rows, old.marks
    members[:, : old.members.shape[1]] = place[old.members]
    return copied(old)._replace(rows=rows, marks=marks, members=members, flags=flags)


def _places(table: pl.DataFrame, stream: GameStream) -> NDArray[np.int64]:
    """Return the row of each player of a table among those of the stream, -1 for those who have no game."""
    players = pl.DataFrame({"player": stream.players["player"], "row": np.arange(stream.n_players)})
    found = table.select(pl.col("player").cast(pl.String)).join(players, on="player", how="left", maintain_order="left")
    return found["row"].fill_null(-1).to_numpy()
