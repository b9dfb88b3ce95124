"""FIDE's rules by date: one table of dated facts, and the rule set in force on a day.

Rating Regulations of 1 January 2022, of 1 March 2024 with the note of 1 October 2025, their rapid and blitz
counterparts, and what federations quote of older texts. Points that no text settles are marked "reading" here and
listed under Departures of `systems.fide.FideElo` and `policies.Fide`.
"""

import math
from datetime import date
from typing import Any, Literal, NamedTuple

from .errors import InputError

List = Literal["standard", "rapid", "blitz"]
LISTS: tuple[List, ...] = ("standard", "rapid", "blitz")
FIRST = date(1971, 1, 1)  # FIDE's first list is of 1971
LATEST = date(2025, 10, 1)  # the last change this table knows
NEVER = math.inf
EVENT_DAYS = 30  # a longer event is judged game by game (reading)
REPORT_DAYS = 3  # an event that ended later than this before a list is rated for the next one
LATE_LISTS = 3  # lists after the end of an event for which it can still be reported
WINDOW = 26  # months in which games are gathered towards a first rating
ENOUGH = 5  # games against rated opponents


class Rules(NamedTuple):
    """What the rules of one list say on one day; rating points where nothing else is said."""

    cap: float  # a larger difference counts as this one
    exempt: float  # from this own rating on, the true difference counts
    one_upgrade: bool  # an event caps one difference of the higher rated side: its greatest
    far: float  # from this difference on, games of one rated above `top` are not rated
    top: float
    floor: float  # lowest published rating
    draws: float  # games drawn against 1800, added to a first rating's
    bonus: float  # points for each half point above half the games, in place of table 8.1.1
    highest: float  # first rating
    k_new: float  # also of juniors
    k_most: float
    k_top: float
    k_games: float  # games after which a player is no longer new
    k_ratchet: float  # a rating that brings the lowest K for ever
    k_age: float  # juniors until the end of the year of this birthday
    k_junior_below: float  # a junior is one no longer from this rating on
    k_limit: float  # most that K times the games of a period can be
    idle: float  # months without a rated game after which a player is inactive


# From when, on which lists, what. A list is as its last line says.
BOTH: tuple[List, ...] = ("rapid", "blitz")
FACTS: tuple[tuple[date, tuple[List, ...], dict[str, Any]], ...] = (
    (FIRST, LISTS, {
        "exempt": NEVER, "one_upgrade": False, "far": NEVER, "top": NEVER,
        "floor": 1000.0, "draws": 0.0, "bonus": 12.5, "highest": NEVER,  # readings before 2012
        "k_games": 30.0, "k_ratchet": 2400.0, "k_age": 18.0, "k_junior_below": 2300.0, "k_limit": 700.0,
        "idle": 12.0,
    }),
    (FIRST, ("standard",), {"cap": 350.0, "k_new": 25.0, "k_most": 15.0, "k_top": 10.0, "k_age": -NEVER}),
    (FIRST, BOTH, {"cap": NEVER, "k_new": 20.0, "k_most": 20.0, "k_top": 20.0}),
    (date(2009, 7, 1), ("standard",), {"cap": 400.0}),
    (date(2011, 7, 1), ("standard",), {"k_new": 30.0}),  # some day of 2011 (reading)
    (date(2014, 7, 1), ("standard",), {"k_new": 40.0, "k_most": 20.0, "k_age": 18.0}),  # to the year's end (reading)
    (date(2020, 11, 1), LISTS, {"idle": 24.0}),  # the pandemic
    (date(2022, 1, 1), LISTS, {"idle": 12.0}),  # when that ended (reading)
    (date(2022, 1, 1), LISTS, {"cap": 400.0, "one_upgrade": True, "bonus": 20.0}),
    (date(2022, 10, 1), BOTH, {"k_new": 40.0, "k_top": 10.0}),
    (date(2024, 3, 1), LISTS, {
        "one_upgrade": False, "floor": 1400.0, "draws": 2.0, "bonus": 0.0, "highest": 2200.0,
    }),
    (date(2024, 12, 1), BOTH, {"far": 600.0, "top": 2600.0}),
    (date(2025, 10, 1), ("standard",), {"exempt": 2650.0}),
)  # fmt: skip

# One-off changes, on the opening of that list, to all who are on it.
COMPRESSION = date(2024, 3, 1)  # below 2000: four tenths of the way up to 2000; on all three lists (reading)
COMPRESSED_BELOW, COMPRESSED_BY = 2000.0, 0.4
RAISE = date(2022, 10, 1)  # rapid and blitz more than 100 below standard: up to standard - 100
RAISED_TO = -100.0


def rules(day: date, of: List = "standard") -> Rules:
    """Return the rules of a list in force on a day.

    Raises
    ------
    InputError : there were no ratings yet.

    >>> rules(date(2025, 10, 1)).exempt, rules(date(2025, 9, 30)).exempt
    (2650.0, inf)
    """
    if day < FIRST:
        raise InputError(f"no rules on {day}", expected=f"a date from {FIRST} on, when FIDE's ratings began")
    found: dict[str, Any] = {}
    for begins, lists, says in FACTS:
        if begins <= day and of in lists:
            found |= says
    return Rules(**found)


def changes(of: List = "standard") -> tuple[date, ...]:
    """Return the days on which the rules of a list changed, in order."""
    return tuple(sorted({begins for begins, lists, _ in FACTS if of in lists and begins > FIRST}))
