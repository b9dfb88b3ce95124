"""The periods of a calendar in units of growth, and moments in them."""

import numpy as np

from ..calendars import Before, Calendar, Schedule
from ..errors import InputError
from ..state import Dates, Floats, fixed
from ..stream import GameStream
from ..systems.base import System
from .openings import FIRST

NOTHING = fixed(np.zeros(1))


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


def dates_of(
    system: System, calendar: Calendar, schedule: Schedule, stream: GameStream, before: Before | None, *, career: bool
) -> Dates:
    """Return what the engine is told of each period.

    Parameters
    ----------
    before : where the calendar stood before the stream. career : whether the policy looks at careers.

    Raises
    ------
    InputError : growth has no unit under this calendar.
    """
    check_growth(system, calendar)
    base, opens, closes = schedule.base, schedule.opens, schedule.closes
    unit, units, span = system.unit, opens, NOTHING
    if unit is not None:
        units = opens / unit
        span = (closes - opens) / unit if calendar.lasting else NOTHING
    elif calendar.lasting:
        units, span = np.arange(base, base + len(opens), dtype=np.float64), np.ones(1)
    season = NOTHING
    if system.kernels().drift is not None and stream.season is not None:
        season = _seasons(schedule, stream, before)
    year = NOTHING
    if career:
        year = np.floor(opens).astype("datetime64[D]").astype("datetime64[Y]").astype(np.float64) + 1970
    return Dates(base, *map(fixed, (opens, units, span, season, year, FIRST)))


def _seasons(schedule: Schedule, stream: GameStream, before: Before | None) -> Floats:
    """Return the season in which each period opens: of its first game, or of the last game before it."""
    assert stream.season is not None  # noqa: S101  # the caller has looked
    period = np.arange(schedule.base, schedule.base + len(schedule.opens))
    game = np.searchsorted(schedule.at, period)
    game -= (game == len(stream)) | (schedule.at[np.minimum(game, len(stream) - 1)] != period)
    season = np.where(game < 0, season_before(stream, before), stream.season[game]).astype(np.float64)
    if before is not None and before.opened is not None and before.period == schedule.base:
        season[0] = stream.seasons.index(before.opened)
    return season


def season_before(stream: GameStream, before: Before | None) -> float:
    """Return the code of the season before the first game of a stream with seasons; its own where nothing was."""
    if stream.season is None:
        return 0.0
    if before is None or before.season is None:
        return float(stream.season[0])
    return float(stream.seasons.index(before.season))


def units_at(day: float, system: System, calendar: Calendar, schedule: Schedule) -> float:
    """Return a moment in units of growth."""
    if system.unit is not None:
        return day / system.unit
    if not calendar.lasting:
        return day
    try:
        return float(calendar.index(np.array([day]))[0])
    except InputError:
        last = schedule.closes[-1]
        return float(schedule.base + np.searchsorted(schedule.opens, day, side="right") - (day < last))
