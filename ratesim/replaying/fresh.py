"""The state that a replay begins with: from what is known of players beforehand, or from an earlier session."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..calendars import Calendar, Regular, Schedule, date_of
from ..errors import InputError
from ..state import DAY, SEASON, SPAN, TARGET, UNITS, WHO, Floats, State
from ..stream import GameStream
from ..systems.base import Kept, Start, System
from .openings import Shape, Variant
from .rows import Rows
from .timing import units_at

EARLIER = 10**9  # taken off the codes of events of a session before, which are none of this stream
LONG_AGO = 400.0  # days before the first period in which one who is inactive then last played, at least


class Earlier(NamedTuple):
    """What an earlier session remembered, and the rows of this one where its rows belong."""

    state: State
    rows: NDArray[np.int64]
    games: Floats  # (R,) that counted
    born: Floats  # (R,) birth years
    standard: Floats  # (R,) ratings on the standard list, NaN unknown
    replaced: Floats  # (R,) day of the last override, -inf where none was
    kept: Floats  # (K, fields of Kept)

    def memory(self) -> list[Floats]:
        """Return what the system kept in mind, with events told apart from those to come."""
        kept = self.kept.copy()
        who, event = (Kept._fields.index(name) for name in ("who", "event"))
        kept[:, who] = self.rows[kept[:, who].astype(np.int64)]
        kept[:, event] -= EARLIER
        return [kept]


class Known(NamedTuple):
    """Tables of what is known of players beforehand, one a lane, and the row of each of their rows in the stream."""

    tables: Sequence[pl.DataFrame]
    place: NDArray[np.int64]
    stream: GameStream
    rows: Rows

    def of_rows(self, name: str, table: pl.DataFrame | None = None) -> Floats:
        """Return a column of the first lane's table, or of another, by row (R,); NaN where nothing is known."""
        return spread(self.tables[0] if table is None else table, self.place, name, self.stream, self.rows)

    def beliefs(self, systems: Sequence[System]) -> Iterator[Floats]:
        """Yield what is believed of each row, (R, F), or of all alike, (F,), lane by lane.

        Lanes beside each other that begin alike, as those of one system under many K do, are looked at once.
        """
        told: list[dict[str, Any]] | None = None
        found = np.empty(0)
        for lane, (system, table) in enumerate(zip(systems, self.tables, strict=True)):
            other = not lane or table is not self.tables[lane - 1]
            if other:
                told = self._told(table)
            if other or system != systems[lane - 1]:
                found = self._believed(system, told)
            yield found

    def _told(self, table: pl.DataFrame) -> list[dict[str, Any]] | None:
        """Return what a table tells of the players of the stream at their start; None where it has no such column."""
        given = [name for name in Start._fields if name in table.columns]
        if not given:
            return None
        shown = table.select("player", pl.col(given).cast(pl.Float64).fill_null(np.nan))
        return shown.filter(pl.Series(self.place >= 0)).to_dicts()

    def _believed(self, system: System, told: list[dict[str, Any]] | None) -> Floats:
        out = np.array(system.belief(Start()))
        if told is None:
            return out
        of_players = np.tile(out, (self.stream.n_players, 1))
        beliefs = [believed_of(system, **row) for row in told]
        of_players[self.place[self.place >= 0]] = np.array(beliefs).reshape(-1, len(out))
        return of_players[self.rows.player]


def spread(table: pl.DataFrame, place: NDArray[np.int64], name: str, stream: GameStream, rows: Rows) -> Floats:
    """Return a column of a table by row (R,); NaN where it says nothing."""
    values = np.full(stream.n_players, np.nan)
    if name in table.columns:
        values[place[place >= 0]] = table[name].cast(pl.Float64).fill_null(np.nan).to_numpy()[place >= 0]
    return values if rows.pool is None else np.ascontiguousarray(values[rows.player])


def fresh_state(
    variants: Sequence[Variant], known: Known, shape: Shape, calendar: Calendar, schedule: Schedule
) -> State:
    """Return the state before the first game.

    Raises
    ------
    InputError : a player starts as cannot be, or nobody knows how long ago a last game was.
    """
    system, depth, n = variants[0].system, calendar.depth, len(known.rows.player)
    kernels = system.kernels()
    rows = np.zeros((n, shape.fields + shape.past + depth * shape.width, len(variants)))
    for lane, beliefs in enumerate(known.beliefs([variant.system for variant in variants])):
        rows[:, : shape.fields, lane] = beliefs
    marks = np.full((n, TARGET + depth), np.nan)
    last = known.of_rows("last")
    if shape.past:
        games, peak = (
            np.stack([known.of_rows(name, table) for table in known.tables], axis=1) for name in ("games", "peak")
        )
        idle = known.of_rows("inactive") > 0.0
        rows[:, shape.fields] = np.nan_to_num(games)
        rows[:, shape.fields + 1] = np.where(np.isnan(peak), rows[:, 0], peak)
        at_most = schedule.opens[0] - np.where(idle, LONG_AGO, 0.0)
        rows[:, shape.fields + 2] = np.where(np.isnan(last), at_most, last)[:, None]
    there = ~np.isnan(last)
    if kernels.drift is not None and there.any():
        begins = float(known.stream.time[0])
        marks[there, DAY] = last[there]
        marks[there, UNITS] = [_units_of_last(day, begins, system, calendar, schedule) for day in last[there]]
        marks[there, SPAN] = float(system.unit is None)
        marks[there, SEASON] = 0.0
    flags = np.zeros((max(1, len(kernels.flags)), 3, len(variants)))
    cursor = schedule.base - schedule.singly
    members, waiting = np.zeros((depth, n), np.int32), np.zeros(depth, np.int64)
    return State(rows, marks, members, waiting, np.array([cursor]), np.zeros((1, 2, len(variants))), flags)


def _units_of_last(day: float, begins: float, system: System, calendar: Calendar, schedule: Schedule) -> float:
    if day > begins:
        raise InputError(
            f"a last game on {date_of(day)}", where="start, column last",
            expected=f"none after the first game of the stream, {date_of(begins)}",
        )  # fmt: skip
    if system.grows and system.unit is None and not isinstance(calendar, Regular):
        raise InputError(
            f"under '{calendar.kind}' nobody knows how many periods ago a last game was",
            where="start, column last", expected="per, a duration, or calendar every or months",
        )  # fmt: skip
    return units_at(day, system, calendar, schedule)


def believed_of(system: System, player: str, **start: float) -> tuple[float, ...]:
    """Return what is believed of a player who starts so.

    Raises
    ------
    InputError : it cannot be, and the player is named.
    """
    try:
        return system.belief(Start(**start))
    except InputError as error:
        raise error.inside(f"start, {player}") from None


def recalled(told: Floats, earlier: Floats, rows: NDArray[np.int64]) -> Floats:
    """Return what is told (R,), and where nothing is, what an earlier session was told of the same rows."""
    known = told.copy()
    known[rows] = np.where(np.isnan(told[rows]), earlier, told[rows])
    return known


def resumed(fresh: State, earlier: Earlier) -> State:
    """Return a fresh state, changed in place, with the rows of an earlier one in their places."""
    old, place = earlier.state, earlier.rows
    flags = old.flags.copy()
    flags[:, WHO] = place[old.flags[:, WHO].astype(np.int64)]
    fresh.rows[place], fresh.marks[place] = old.rows, old.marks
    fresh.members[:, : old.members.shape[1]] = place[old.members]
    few = {name: getattr(old, name).copy() for name in ("waiting", "cursor", "losses")}
    return fresh._replace(flags=flags, **few)
