"""Rows of a start table that hold from some day on: before which games they replace what is believed."""

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..calendars import Schedule
from ..state import TARGET, Floats, Ints, State
from ..stream import GameStream
from ..systems.base import Start
from .fresh import believed_of
from .openings import Shape, Variant
from .rows import Rows, places

NEVER = -np.inf
SIDES: tuple[Literal["left"], Literal["right"]] = ("left", "right")
Whole = NDArray[np.int64]


class Overrides(NamedTuple):
    """What is said of rows of the state, in order of `since`."""

    row: Whole  # (K,)
    since: Floats  # (K,) days
    beliefs: Floats  # (K, F, L)


class Due(NamedTuple):
    """Overrides of a stream's games, in the order in which they come about."""

    period: Whole  # (K,)
    game: Whole  # (K,) the first game of that period
    said: Overrides


def split(table: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return the rows of a start table that players begin with, and those that hold from some day on."""
    if "since" not in table.columns:
        return table, table.clear()
    later = pl.col("since").is_not_nan()
    return table.filter(~later).drop("since"), table.filter(later).sort("since", maintain_order=True)


def overrides_of(table: pl.DataFrame, variants: Sequence[Variant], stream: GameStream, rows: Rows) -> Overrides:
    """Return what rows that hold from some day on say, of every row that the state has of their players.

    All of these players are among those of the stream.
    """
    fields = len(variants[0].system.belief(Start()))
    if not len(table):
        return Overrides(np.empty(0, np.int64), np.empty(0), np.empty((0, fields, len(variants))))
    each = 1 if rows.pool is None else len(stream.pools)  # rows of a player, which stand side by side
    said = np.repeat(np.arange(len(table)), each)
    row = (places(table, stream)[:, None] * each + np.arange(each)).reshape(-1)
    given = table.select("player", *(name for name in Start._fields if name in table.columns))
    lanes = np.array([[believed_of(v.system, **known) for known in given.iter_rows(named=True)] for v in variants])
    return Overrides(row, table["since"].to_numpy()[said], lanes.transpose(1, 2, 0)[said])


def due(overrides: Overrides, done: Floats, schedule: Schedule, rows: Rows) -> Due:
    """Return which overrides come about in the games of a stream, and when.

    That is before the player's first game in a period that opens on the day or later: what was known of games before is
    not known from later ones. Of several before one game the last one holds.

    Parameters
    ----------
    done : (R,) the day of the last override that came about before the stream.
    """
    if not len(overrides.row):  # as nearly always: no game is looked at
        return Due(np.empty(0, np.int64), np.empty(0, np.int64), overrides)
    seat, period = _periods_of_rows(overrides.row, len(done), schedule, rows)
    opens = schedule.opens[period - schedule.base]
    begin, end = (np.searchsorted(seat, overrides.row, side=side) for side in SIDES)
    found: dict[tuple[int, int], int] = {}
    for k, (row, since) in enumerate(zip(overrides.row.tolist(), overrides.since.tolist(), strict=True)):
        first = begin[k] + int(np.searchsorted(opens[begin[k] : end[k]], since))
        if since > done[row] and first < end[k]:
            found[int(period[first]), row] = k  # later days come later
    keys = sorted(found)
    periods, chosen = np.array([p for p, _ in keys], np.int64), np.array([found[key] for key in keys], np.int64)
    said = Overrides(overrides.row[chosen], overrides.since[chosen], overrides.beliefs[chosen])
    return Due(periods, np.searchsorted(schedule.at, periods), said)


def _periods_of_rows(wanted: Whole, n: int, schedule: Schedule, rows: Rows) -> tuple[Whole, Ints]:
    """Return the periods in which some of n rows play: row and period, by row and then in order."""
    some = np.zeros(n, np.bool_)
    some[wanted] = True
    seat, period = np.concatenate([rows.first, rows.second]), np.tile(schedule.at, 2)
    seat, period = seat[some[seat]].astype(np.int64), period[some[seat]]
    order = np.lexsort((period, seat))
    return seat[order], period[order]


def periods_of(due: Due, games: slice) -> Iterator[int]:
    """Yield the periods whose opening some override changes, of those that begin with one of the games."""
    begin, end = np.searchsorted(due.game, [games.start, games.stop])
    yield from np.unique(due.period[begin:end]).tolist()


def put(state: State, due: Due, period: int, shape: Shape, *, apart: bool = False) -> None:
    """Put what is said of a period's players in the place of what is believed, as if they had not played before.

    Parameters
    ----------
    apart : whether lanes have debuts of their own.
    """
    here = slice(*np.searchsorted(due.period, [period, period + 1]))
    row, beliefs = due.said.row[here], due.said.beliefs[here]
    state.rows[row, : shape.fields] = beliefs
    state.marks[row, :TARGET] = np.nan  # the clock starts with the next game that counts
    if apart:
        state.rows[row, -1] = np.nan
    if shape.past:  # a rating that is said is one that is held
        peak = shape.fields + 1
        state.rows[row, peak] = np.maximum(state.rows[row, peak], beliefs[:, 0])


def done_by(done: Floats, due: Due, played: int) -> Floats:
    """Return the day of the last override of each row (R,) that came about before, or before game number `played`."""
    after = done.copy()
    now = due.game < played
    np.maximum.at(after, due.said.row[now], due.said.since[now])
    return after
