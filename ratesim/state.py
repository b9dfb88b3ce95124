"""What the engine reads and remembers: arrays, by player, game and period."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .records import Career

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]
Index = int | np.uint32  # of a row; unsigned, so that no compiled access asks whether it counts from the end
AHEAD = 8  # games or players: how early a row is asked for
LINE = 8  # doubles in a cache line
SEATS = 256  # of a desk; also the most lanes a call can have
DAY, UNITS, SPAN, SEASON, TARGET = range(5)  # columns of State.marks; from TARGET on one for each list in the making
COUNT, WHO, WHEN = range(3)  # second axis of State.flags
NOBODY = Career(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


class State(NamedTuple):
    """All that a replay remembers: save it anywhere, go on with the same bits."""

    rows: Floats  # (N, F + 3 + D E, L): belief, past, evidence by the period that will absorb it; see `Plan.own_weight`
    marks: Floats  # (N, 4 + D): day, units, span and season the belief was brought to, NaN before the debut; targets
    members: Ints  # (D, N) players with evidence waiting, in order of arrival
    waiting: NDArray[np.int64]  # (D,) how many
    cursor: NDArray[np.int64]  # (1,) the period now open
    losses: Floats  # (B, 2, L) sum and weight, by bucket of games
    flags: Floats  # (flags, 3, L) count, row of the first player, day on which the first period opened


class Past(NamedTuple):
    """What is kept of a career."""

    games: float
    peak: float
    last: float  # day


class Games(NamedTuple):
    """A chunk of games in order; a column the stream lacks has one element."""

    first: Ints  # (G,)
    second: Ints
    score: Floats  # (G, 1) or (G, L)
    weight: Floats  # (G or 1, 1 or L)
    edge: Floats  # (G,) or (1,)
    margin: Floats
    extra: Floats
    at: Ints  # (G,) period whose opening beliefs judge the game, non-decreasing
    into: Ints  # (G,) period that absorbs it, at to at + D - 1; (1,) where it is `at`
    bucket: Ints  # (G,) where its loss is added, -1 nowhere
    before: int = 0  # how many at the front were judged before: those of the open period, to be judged again


class Dates(NamedTuple):
    """By period, the first of which is `base`; in `singly` by game."""

    base: int
    day: Floats  # (T,) opening, days since 1970
    units: Floats  # (T,) the same in units of growth
    span: Floats  # (T,) or (1,) length in units of growth
    season: Floats  # (T,) or (1,)
    year: Floats  # (T,) or (1,)
    rule: Ints  # (T,) or (1,) row of params in force


def fixed(array: NDArray[Any]) -> NDArray[Any]:
    """Return a contiguous, read-only view: what the engine reads has one type, so that it is compiled once."""
    view = np.ascontiguousarray(array).view()
    view.flags.writeable = False
    return view


def copied(state: State) -> State:
    """Return a state that shares no array with another."""
    arrays: list[Any] = [array.copy() for array in state]
    return State(*arrays)
