"""What the values of PGN's tags mean, word by word: days, clocks, results, ratings, rates of play."""

import calendar
import functools
import math
import re
from datetime import date, time
from typing import Final

from ..dates import EPOCH
from ..rules import List
from .pgn_lines import BLACK, DRAW, NOTHING, UNKNOWN, WHITE
from .trf_words import coded_minutes, time_class, told_minutes

SILENT: Final = ("", "?", "-", "*")  # what a tag says that says nothing
FORFEIT, NO_RESULT = 6, 7  # beside what moves end with
RESULTS: Final = {
    "": NOTHING, "*": UNKNOWN, "1-0": WHITE, "0-1": BLACK, "1/2-1/2": DRAW, "1/2": DRAW,
    "0-0": FORFEIT, "+/-": FORFEIT, "-/+": FORFEIT, "-/-": FORFEIT, "+--": FORFEIT, "--+": FORFEIT, "---": FORFEIT,
}  # fmt: skip  # a point without play is no game to rate (FIDE Rating Regulations 2024, 5.1), nor is none for both
SCORES: Final = {WHITE: 1.0, BLACK: 0.0, DRAW: 0.5}
SAID: Final = {WHITE: "1-0", BLACK: "0-1", DRAW: "1/2-1/2"}
MOST: Final = 6000.0  # no site or engine list has a rating as high
SHORTEST: Final = 180  # a rate of play of fewer seconds may be one of minutes, written as PGN does not
WORDY: Final = 200  # characters: no rate of play
DAY, MONTH, YEAR, PRECISIONS = 1, 2, 3, 8  # how well a day is known, and by what days are multiplied beside it
NO_DAY: Final = -(2**62)  # said to be unknown, or not said
FALSE_DAY: Final = NO_DAY + 1  # of no calendar
NO_CLOCK: Final = -1
DATE: Final = re.compile(r"(\d{4})(?:[./-](\d{1,2}|\?+)(?:[./-](\d{1,2}|\?+))?)?")


@functools.lru_cache(2**15)
def day_code(text: str) -> int:
    """Return the last day that a date can mean, as 8 x days since 1970-01-01 + how well it is known.

    >>> [divmod(day_code(text), 8) for text in ("1970.01.02", "1970.01.??", "1970.??.??", "1970")]
    [(1, 1), (30, 2), (364, 3), (364, 3)]
    >>> day_code("????.??.??") == NO_DAY, day_code("2023.02.30") == FALSE_DAY
    (True, True)
    """
    if not text.strip("?.-/ "):
        return NO_DAY
    found = DATE.fullmatch(text)
    if not found:
        return NO_DAY if text.startswith("?") else FALSE_DAY
    year, month, day = (int(part) if part and part.isdecimal() else 0 for part in found.groups())
    known = DAY if month and day else MONTH if month else YEAR
    try:
        month = month or 12
        when = date(year, month, day if known == DAY else calendar.monthrange(year, month)[1])
    except (ValueError, calendar.IllegalMonthError):
        return FALSE_DAY
    return PRECISIONS * (when - EPOCH).days + known


def clock_of(text: str) -> int:
    """Return the second of the day that a clock shows, or -1.

    >>> clock_of("18:00:36"), clock_of("09:30"), clock_of("noon")
    (64836, 34200, -1)
    """
    try:
        clock = time.fromisoformat(text)
    except ValueError:
        return NO_CLOCK
    return clock.hour * 3600 + clock.minute * 60 + clock.second


def result_of(text: str) -> int:
    """Return what a result says: of `WHITE`, `BLACK`, `DRAW`, `UNKNOWN`, `NOTHING`, `FORFEIT`, or else `NO_RESULT`."""
    return RESULTS.get(text, NO_RESULT)


@functools.lru_cache(2**14)
def rating_of(text: str) -> float:
    """Return a rating; NaN: none; infinite: this is none.

    >>> rating_of("2412"), rating_of("0"), rating_of("24l2"), rating_of("-5")
    (2412.0, nan, inf, inf)
    """
    try:
        rating = float(text)
    except ValueError:
        return math.inf
    return (rating or math.nan) if 0 <= rating < MOST else math.inf


@functools.lru_cache(2**12)
def change_of(text: str) -> float:
    """Return by how much a rating changed, or NaN."""
    try:
        change = float(text)
    except ValueError:
        return math.nan
    return change if math.isfinite(change) else math.nan


def id_of(text: str) -> str | None:
    """Return a FIDE id without zeros before it, or None.

    >>> id_of("0900001"), id_of("0"), id_of("n/a")
    ('900001', None, None)
    """
    number = text.lstrip("0")
    return number if number.isascii() and number.isdecimal() else None


@functools.lru_cache(2**12)
def list_of(rate: str) -> List | None:
    """Return the list on which games of a `TimeControl` are rated; None where that is not sure.

    >>> list_of("900+10"), list_of("40/7200:3600"), list_of("15 min. + 10 s. per move"), list_of("90+30"), list_of("60")
    ('rapid', 'standard', 'rapid', None, None)
    """
    if len(rate) > WORDY:
        return None
    base = re.match(r"(?:\d+/)?(\d+)", rate)
    minutes = coded_minutes(rate) if base and int(base[1]) >= SHORTEST else told_minutes(rate)
    return None if minutes is None else time_class(minutes)
