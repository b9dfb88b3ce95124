"""FIDE's rating lists: an event is judged by the list in force at its start, and counts on a later one."""

from datetime import date
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..dates import EPOCH, day_of
from ..errors import InputError
from ..rules import EVENT_DAYS, LATE_LISTS, REPORT_DAYS
from ..spec import choice
from ..stream import GameStream
from .base import CALENDARS, MOST, Before, Calendar, Floats, Schedule, date_of

Periods = NDArray[np.int64]
MONTHS = 12
# How many months lay between lists, and from when. Monthly since 2012 is FIDE's word; the rest is a reading, and the
# lists before 1981 came out when they were ready.
SPACING = (
    (date(1971, 1, 1), 12), (date(1981, 1, 1), 6), (date(2001, 1, 1), 3), (date(2009, 7, 1), 2), (date(2012, 7, 1), 1),
)  # fmt: skip


class Spells(NamedTuple):
    """What is known of the event of each game: (G,) days."""

    begins: Floats
    ends: Floats


@CALENDARS.add
class Lists(Calendar):
    """Monthly rating lists (FIDE Rating Regulations, 1 March 2024): a period is the time a list is in force.

    Each event, as the columns `event`, `event_start` and `event_end` tell it, is judged by the list in force at its
    start and counts on the first list that begins at least 3 days after its end, or on that of the column `rated_on`
    (the day of the list), which can be up to three lists later. An event of more than 30 days is judged, and counts,
    game by game. Without events, games count on the list that follows their own.

    Departures
    ----------
    No source at hand dates the lists before 2012: yearly to 1980, half-yearly to 2000, quarterly to June 2009 and every
    two months to June 2012 is a reading. A list more than four after the one that judges an event is refused, even if
    it is the third after the event's end.
    """

    kind: Literal["lists"] = "lists"
    spacing: Literal["monthly", "as-of"] = choice(
        "monthly", "lists every month throughout, or as they were: every 1, 2, 3, 6 or 12 months"
    )

    @property
    def depth(self) -> int:
        """How many lists ahead evidence can wait for its own, this one included."""
        return LATE_LISTS + 1

    def index(self, day: Floats) -> Periods:
        """Return the period in which each day falls: months since January 1970, or lists since 1971."""
        month = np.floor(day).astype("datetime64[D]").astype("datetime64[M]").astype(np.int64)
        return month if self.spacing == "monthly" else np.searchsorted(self._months(), month, side="right") - 1

    def opening(self, period: Periods) -> Floats:
        """Return the day of each list."""
        month = period if self.spacing == "monthly" else self._months()[period]
        return month.astype("datetime64[M]").astype("datetime64[D]").astype(np.float64)

    @staticmethod
    def _months() -> Periods:
        """Return the month of every list since 1971, to the end of the next century, as months since 1970."""
        begins = [(day.year - EPOCH.year) * MONTHS + day.month - 1 for day, _ in SPACING]
        ends = [*begins[1:], (2200 - EPOCH.year) * MONTHS]
        spans = zip(begins, ends, SPACING, strict=True)
        return np.concatenate([np.arange(begin, end, step) for begin, end, (_, step) in spans])

    def order(self, stream: GameStream) -> NDArray[np.int64] | None:
        """Return the games (G,) in the order of the lists that judge them; None where that is as they stand."""
        at = self.index(self._begun(stream))
        return np.argsort(at, kind="stable") if (at[1:] < at[:-1]).any() else None

    def schedule(self, stream: GameStream, before: Before | None = None) -> Schedule:
        """Return the lists of games in their `order`."""
        begun = self._begun(stream)
        if self.spacing == "as-of" and begun.min() < day_of(SPACING[0][0]):
            raise InputError(
                f"no lists on {date_of(begun.min())}, when a game or its event began", where="calendar",
                expected=f"games and events from {SPACING[0][0]} on, or spacing = 'monthly'",
            )  # fmt: skip
        at = self.index(begun)
        base = int(at[0]) if before is None else before.period
        if at[0] < base:
            raise InputError(
                f"an event began on {date_of(begun[0])}, under a list that the saved state has closed",
                where="state", expected=f"events from {date_of(self.opening(np.array([base]))[0])} on",
            )  # fmt: skip
        into = self._into(stream, at)
        waits = base if before is None or before.last is None else before.last
        last = int(max(at[-1], into.max(), waits))
        if last - base >= MOST or max(abs(base), abs(last)) >= np.iinfo(np.int32).max:
            raise InputError(f"{last - base + 1:,} lists", where="calendar", expected=f"at most {MOST:,}")
        bounds = self.opening(np.arange(base, last + 2))
        return Schedule(
            at.astype(np.int32), base, bounds[:-1], bounds[1:], singly=False, into=into.astype(np.int32)
        )  # fmt: skip

    def _begun(self, stream: GameStream) -> Floats:
        """Return the day whose list judges each game: that on which its event began."""
        begins, ends = _spells(stream)
        return np.where(ends - begins > EVENT_DAYS, stream.time, begins)

    def _into(self, stream: GameStream, at: Periods) -> Periods:
        """Return the period that absorbs each game: the last one before the list that it counts on."""
        begins, ends = _spells(stream)
        ends = np.where(ends - begins > EVENT_DAYS, stream.time, ends)
        into = at if stream.event is None else self.index(np.floor(ends) + (REPORT_DAYS - 1))
        if stream.rated_on is not None:
            told = np.where(np.isnan(stream.rated_on), self.opening(into + 1), stream.rated_on)
            into = self.index(told) - 1
            self._check_rated(stream, told, into, at, self.index(ends))
        return into

    def _check_rated(self, stream: GameStream, told: Floats, into: Periods, at: Periods, ended: Periods) -> None:
        """Refuse lists before the event was over, more than three after it, or that are none."""
        wrong = {
            "is no day of a list": told != self.opening(into + 1),
            "is not after the list that judges the game": into < at,
            f"is more than {LATE_LISTS} lists after the event": into - ended >= LATE_LISTS,
            f"is more than {LATE_LISTS + 1} lists after the one that judges the game": into - at > LATE_LISTS,
        }
        for what, bad in wrong.items():
            if bad.any():
                game = int(bad.argmax())
                raise InputError(
                    f"{date_of(told[game])} {what}, of {date_of(stream.time[game])}", where="column rated_on",
                    expected=f"the first of a month, up to {LATE_LISTS} lists after the event",
                )  # fmt: skip


def _spells(stream: GameStream) -> Spells:
    """Return when the event of each game begins and ends; a game without one is an event by itself."""
    if stream.event is None:
        return Spells(stream.time, stream.time)
    count = len(stream.events)
    begins, ends = np.full(count, np.inf), np.full(count, -np.inf)
    np.minimum.at(begins, stream.event, stream.time if stream.event_start is None else stream.event_start)
    np.maximum.at(ends, stream.event, stream.time)
    if stream.event_end is not None:
        np.fmax.at(ends, stream.event, stream.event_end)
    return Spells(begins[stream.event], ends[stream.event])
