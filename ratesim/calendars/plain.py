"""Calendars that look at nothing but the time of games, or at their season."""

from datetime import date
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from ..dates import day_of
from ..errors import InputError
from ..spec import Duration, choice, quantity
from ..stream import GameStream
from .base import CALENDARS, Before, Calendar, Floats, Regular, Schedule, date_of


@CALENDARS.add
class Every(Regular):
    """Periods of equal length: every 7 days, say, from a Monday."""

    kind: Literal["every"] = "every"
    days: Duration = quantity(7.0, "length of a period", unit="days", gt=0, le=1e6)
    origin: date = choice(date(1970, 1, 5), "the day from which periods are counted, a Monday")

    def index(self, day: Floats) -> NDArray[np.int64]:
        """Return the period in which each day falls."""
        return np.floor((day - day_of(self.origin)) / self.days).astype(np.int64)

    def opening(self, period: NDArray[np.int64]) -> Floats:
        """Return the day on which each period opens."""
        return period.astype(np.float64) * self.days + float(day_of(self.origin))


@CALENDARS.add
class Months(Regular):
    """Calendar months, in UTC."""

    kind: Literal["months"] = "months"

    def index(self, day: Floats) -> NDArray[np.int64]:
        """Return the months since January 1970."""
        return np.floor(day).astype("datetime64[D]").astype("datetime64[M]").astype(np.int64)

    def opening(self, period: NDArray[np.int64]) -> Floats:
        """Return the first day of each month."""
        return period.astype("datetime64[M]").astype("datetime64[D]").astype(np.float64)


@CALENDARS.add
class PerGame(Calendar):
    """Every game is judged and absorbed by itself.

    Games that share a time stamp have no order: they form one period, unless `ties` says to trust the file's.
    """

    lasting: ClassVar[bool] = False
    kind: Literal["per-game"] = "per-game"
    ties: Literal["period", "file"] = choice("period", "games of one time stamp: one period, or in the file's order")

    def schedule(self, stream: GameStream, before: Before | None = None) -> Schedule:
        """Return a period for each time stamp, or for each game."""
        time = stream.time
        goes_on = before is not None and self.ties == "period" and bool(time[0] == before.opens)
        if goes_on and before is not None and not before.unfinished:
            raise InputError(
                "the games begin at the time stamp with which the saved state ended, and it has absorbed that period",
                expected="later games, or ties = 'file'",
            )
        base = 0 if before is None else before.period
        start = base if before is None or goes_on else base + 1
        fresh = np.ones(len(time), dtype=np.bool_)
        if self.ties == "period":
            np.not_equal(time[1:], time[:-1], out=fresh[1:])
        singly = bool(fresh.all()) and not (before is not None and before.unfinished)
        if singly:
            return Schedule(np.arange(start, start + len(time), dtype=np.int32), start, time, time, singly)
        at = np.cumsum(fresh, dtype=np.int32)
        at += start - 1
        opens = time[fresh]
        if before is not None and not goes_on:
            opens = np.concatenate([[before.opens], opens])
        return Schedule(at, base, opens, opens, singly)


@CALENDARS.add
class Seasons(Calendar):
    """One period a season: a run of games with one label in the stream's `season` column."""

    kind: Literal["seasons"] = "seasons"

    def schedule(self, stream: GameStream, before: Before | None = None) -> Schedule:
        """Return the seasons, each from its first game to the first of the next."""
        if stream.season is None:
            raise InputError("calendar 'seasons' needs a column 'season'", where="columns", expected="season = ...")
        season = stream.season
        back = np.flatnonzero(np.diff(season) < 0)
        if back.size:
            late, day = stream.seasons[season[back[0] + 1]], date_of(stream.time[back[0] + 1])
            raise InputError(
                f"season '{late}' has a game on {day}, after a later season began", where="column season",
                expected="seasons that follow each other",
            )  # fmt: skip
        fresh = np.append(True, np.diff(season) > 0)
        if before is None:
            base, first = 0, 0
            opens = stream.time[fresh]
        else:
            goes_on = stream.seasons[season[0]] == before.season
            if before.season in stream.seasons and season[0] < stream.seasons.index(before.season):
                raise InputError(
                    f"season '{stream.seasons[season[0]]}' goes on after the saved state's '{before.season}' began",
                    where="column season", expected="seasons that follow each other",
                )  # fmt: skip
            base, first = before.period, before.period + (not goes_on)
            opens = np.append(before.opens, stream.time[fresh][int(goes_on) :])
        at = (first + np.cumsum(fresh) - 1).astype(np.int32)
        return Schedule(at, base, opens, np.append(opens[1:], stream.time[-1]), singly=False)


@CALENDARS.add
class Whole(Calendar):
    """All games at once: one period."""

    kind: Literal["whole"] = "whole"

    def schedule(self, stream: GameStream, before: Before | None = None) -> Schedule:
        """Return one period, from the first game to the last."""
        opens = stream.time[:1] if before is None else np.array([before.opens])
        return Schedule(np.zeros(len(stream), np.int32), 0, opens, stream.time[-1:], singly=False)
