"""Calendars: which games are judged and absorbed together."""

from .base import CALENDARS, Before, Calendar, Regular, Schedule, date_of
from .lists import Lists
from .plain import Every, Months, PerGame, Seasons, Whole

__all__ = [
    "CALENDARS", "Before", "Calendar", "Every", "Lists", "Months", "PerGame", "Regular", "Schedule", "Seasons",
    "Whole", "date_of",
]  # fmt: skip
