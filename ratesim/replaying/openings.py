"""What changes from period to period besides beliefs: parameters by date, and what a system does as a period opens."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from ..calendars import Before, Schedule
from ..errors import InputError
from ..policies import Policy
from ..state import Floats, Ints, State, fixed
from ..stream import GameStream
from ..systems.base import Kept, Opening, System

FIRST = fixed(np.zeros(1, np.int32))


class Variant(NamedTuple):
    """One lane: a system and the policy that it learns by."""

    system: System
    policy: Policy


class Shape(NamedTuple):
    """How many numbers a row has for a belief, a career and the evidence of one period."""

    fields: int
    past: int
    width: int


class Dated(NamedTuple):
    """Parameters by rule set, and the rule set of each period."""

    params: Floats  # (rules, fields, L)
    policy: Floats
    rule: Ints  # (T,), or (1,) where there is one rule set


def by_rule(variants: Sequence[Variant], opens: Floats) -> Dated:
    """Return the parameters of all lanes under every rule set in force between the first period and the last."""
    every = {day for variant in variants for spec in variant for day in spec.changes}
    days = np.array(sorted(day for day in every if opens[0] < day <= opens[-1]))
    moments = [float(opens[0]), *days.tolist()]
    system, policy = variants[0]
    return Dated(
        _lanes(system.kernels().Params, [[v.system.params_at(day) for v in variants] for day in moments]),
        _lanes(policy.kernels().Params, [[v.policy.params_at(day) for v in variants] for day in moments]),
        fixed(np.searchsorted(days, opens, side="right").astype(np.int32)) if len(days) else FIRST,
    )


def _lanes(record: type, values: Sequence[Sequence[tuple[float, ...]]]) -> Floats:
    """Return params as array[rule set, field, lane]; the record refuses a wrong number of them."""
    rows = np.array([[record(*lane) for lane in lanes] for lanes in values], dtype=np.float64)
    return fixed(rows.transpose(0, 2, 1))


def check_events(stream: GameStream, before: Before) -> None:
    """Refuse an event that a saved state has cut in two: its start and its marks are no longer to be seen.

    Raises
    ------
    InputError : there is one.
    """
    cut = set(stream.events) & set(before.events)
    if cut:
        raise InputError(
            f"event '{min(cut)}' goes on after the saved state", where="column event",
            expected="all games of an event on one side",
        )  # fmt: skip


class Openings:
    """The periods before which a system looks at the games to come, or changes beliefs.

    Parameters
    ----------
    system : of the one lane there is. schedule : of the games of `stream`, which stand in order of their periods.
    first, second : (G,) rows of the players.
    standard : (R,) ratings on another list, NaN unknown. kept : what the system has in mind from before.
    """

    def __init__(
        self, system: System, schedule: Schedule, stream: GameStream, first: Ints, second: Ints, standard: Floats,
        kept: Sequence[Floats],
    ) -> None:  # fmt: skip
        self.system, self.schedule, self.stream = system, schedule, stream
        self.first, self.second, self.standard = first, second, standard
        self.blank: bool | None = None  # whether somebody began with a first field of 0
        self.periods, self.extra = np.zeros(0, np.int64), fixed(np.full(1, np.nan))
        if not system.alone:
            return
        self.opens = np.append(schedule.opens, schedule.closes[-1])
        self.before = np.append(self.opens[:1], self.opens[:-1])  # nothing is crossed where the replay begins
        judging = np.zeros(len(self.opens), np.bool_)
        self.into = schedule.at if schedule.into is None else schedule.into
        judging[schedule.at - schedule.base] = judging[self.into - schedule.base] = True
        for block in kept:
            judging[block[:, Kept._fields.index("into")].astype(np.int64) - schedule.base] = True
        numbers = np.arange(schedule.base, schedule.base + len(self.opens) + 1, dtype=schedule.at.dtype)
        self.begins = np.searchsorted(schedule.at, numbers)  # first game of each period, and the end of them all
        self.periods = np.flatnonzero(system.attends(self.opens, self.before, judging)) + schedule.base
        self.extra = np.full(len(first), np.nan)

    def due(self, opened: int, upto: int) -> Iterator[int]:
        """Yield the periods after number `opened` and up to `upto` before which something is to be done."""
        begin, end = np.searchsorted(self.periods, [opened, upto], side="right")
        yield from self.periods[begin:end].tolist()

    def open(self, period: int, state: State, shape: Shape, kept: list[Floats]) -> None:
        """Let the system change the state and what it keeps in mind, and mark the games that this period judges."""
        beliefs = state.rows[:, : shape.fields, 0]
        if self.blank is None:
            self.blank = not beliefs[:, 0].all()
        t = period - self.schedule.base
        games = slice(int(self.begins[t]), int(self.begins[t + 1]))
        slot = shape.fields + shape.past + period % len(state.members) * shape.width
        stream = self.stream
        opening = Opening(
            period, float(self.opens[t]), float(self.before[t]), self.first[games], self.second[games],
            stream.score[games], self.into[games], state.rows[:, slot : slot + shape.width, 0], kept,
            None if stream.event is None else stream.event[games], stream.time[games],
            None if stream.weight is None else stream.weight[games], self.standard, self.blank,
            state.rows[:, shape.fields + 1, 0] if shape.past else None,
        )  # fmt: skip
        marks = self.system.open(beliefs, opening)
        if marks is not None:
            self.extra[games] = marks
