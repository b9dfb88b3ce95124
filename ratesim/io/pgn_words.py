"""What the values of PGN's tags mean, word by word: days, clocks, results, ratings, rates of play."""

import calendar
import functools
import math
import re
from datetime import date
from typing import Final

from ..dates import EPOCH
from ..rules import List
from .pgn_lines import BLACK, DRAW, NOTHING, UNKNOWN, WHITE
from .trf_words import coded_minutes, time_class, told_minutes

SILENT: Final = ("", "?", "-", "*")  # what a tag says that says nothing
FORFEIT, NO_RESULT = 6, 7  # beside what moves end with
RESULTS: Final = {
    "": NOTHING, "?": NOTHING, "*": UNKNOWN, "1-0": WHITE, "0-1": BLACK, "1/2-1/2": DRAW, "1/2": DRAW,
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
NO_CLOCK: Final = -(10**6)
CLOCK: Final = re.compile(
    r"([0-9]{1,2}):([0-9]{2})(?::([0-9]{2})(?:\.[0-9]+)?)?\s*(?:Z|UTC|([+-])([0-9]{2}):?([0-9]{2}))?"
)
STAMP: Final = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})(?:T|\s+)([0-9:.]+)\s*(\S.*)?")
RATING: Final = re.compile(r"[0-9]+(?:\.[0-9]+)?")
UNRATED: Final = re.compile(r"-+|unr(?:ated)?\.?", re.IGNORECASE)
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
    """Return the second of the day that a clock shows, or `NO_CLOCK`, as if there were no clock at all.

    A clock that says how far it is from universal time is turned into that, so that its second may be of the day
    before, less than 0, or of the day after.

    >>> [clock_of(text) for text in ("18:00:36", "9:30", "18:00:36.5Z", "01:00:00+02:00")]
    [64836, 34200, 64836, -3600]
    >>> {clock_of(text) for text in ("noon", "18", "1800", "24:00:00")} == {NO_CLOCK}
    True
    """
    found = CLOCK.fullmatch(text)
    if not found:
        return NO_CLOCK
    hour, minute, second, ahead, beside = (int(found[n] or 0) for n in (1, 2, 3, 5, 6))
    if hour > 23 or minute > 59 or second > 59 or ahead > 23 or beside > 59:
        return NO_CLOCK
    away = 3600 * ahead + 60 * beside
    return 3600 * hour + 60 * minute + second - (-away if found[4] == "-" else away)


def stamp_of(text: str) -> float:
    """Return a date and a clock as days since 1970-01-01, or NaN.

    Universal time, and what says how far it is from that, is exact; of any other zone the clock is taken as it stands.

    >>> stamp_of("1970-01-02T12:00:00.767 UTC"), stamp_of("1970-01-02T12:00:00 +1200"), stamp_of("1970-01-02 06:00 CET")
    (1.5, 1.0, 1.25)
    """
    found = STAMP.fullmatch(text)
    if not found:
        return math.nan
    code, seconds = day_code(found[1]), clock_of(f"{found[2]}{found[3] or ''}")
    if seconds == NO_CLOCK:
        seconds = clock_of(found[2])
    return math.nan if seconds == NO_CLOCK or code <= FALSE_DAY else code // PRECISIONS + seconds / 86400


def result_of(text: str) -> int:
    """Return what a result says: of `WHITE`, `BLACK`, `DRAW`, `UNKNOWN`, `NOTHING`, `FORFEIT`, or else `NO_RESULT`."""
    return RESULTS.get(text, NO_RESULT)


@functools.lru_cache(2**14)
def rating_of(text: str) -> float:
    """Return a rating; NaN: none; infinite: this is none.

    >>> [rating_of(text) for text in ("2412", "0", "----", "unr", "24l2", "-5", "1_500")]
    [2412.0, nan, nan, nan, inf, inf, inf]
    """
    if UNRATED.fullmatch(text):
        return math.nan
    rating = float(text) if RATING.fullmatch(text) else math.inf
    return (rating or math.nan) if rating < MOST else math.inf


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
