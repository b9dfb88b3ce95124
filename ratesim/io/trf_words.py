"""How tournament reports write days, titles and rates of play."""

import re
from datetime import date
from typing import Final

from ..rules import List

TITLES: Final = {
    "g": "GM",
    "m": "IM",
    "f": "FM",
    "c": "CM",
    "wg": "WGM",
    "wm": "WIM",
    "wi": "WIM",
    "wf": "WFM",
    "wc": "WCM",
}
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
PIVOT = 70  # two digits from here on are of the 1900s: FIDE's first list is of 1971
MOVES = 60  # by which a rate of play is judged
NAMED_MONTH = re.compile(r"(?:(\d{1,2})\.? )?([a-z]{3})[a-z]*\.?(?: (\d{1,2}))?,? (\d{4})")
PIECE = re.compile(
    r"(?:(\d+) ?(?:min|mins|minutes?|'|′)\.?(?:(?: ?/ ?| for )\d+ moves)?"
    r"|(\d+) ?(?:sec|secs|seconds?|s|''|\"|″)\.?(?: increment)?(?: ?/ ?moves?| (?:per|a|each) move)?)"
)


def title_of(text: str) -> str:
    """Return a title as FIDE writes it today; one that is not of chess players as it stands.

    >>> title_of("g"), title_of("wm"), title_of("IM"), title_of("")
    ('GM', 'WIM', 'IM', '')
    """
    return TITLES.get(text.lower(), text)


def day(text: str) -> date | None:
    """Return the day that a header means, or None where it says none that is sure.

    Year first, or day first as FIDE writes; two numbers that could both be the month are day first.

    >>> [str(day(text)) for text in ("2010/09/24", "24/09/2010", "28. 07. 2005", "May 29, 2020", "soon")]
    ['2010-09-24', '2010-09-24', '2005-07-28', '2020-05-29', 'None']
    """
    plain = re.sub(r"\s*([./-])\s*", r"\1", text.strip())
    if found := re.fullmatch(r"(\d{4})[./-](\d{1,2})[./-](\d{1,2})", plain):
        return _day(found[1], found[2], found[3])
    if found := re.fullmatch(r"(\d{1,2})[./-](\d{1,2})[./-](\d{4})", plain):
        return _day(found[3], found[2], found[1])
    found = NAMED_MONTH.fullmatch(text.strip().lower())
    if not found or found[2] not in MONTHS or bool(found[1]) == bool(found[3]):
        return None
    return _day(found[4], MONTHS.index(found[2]) + 1, found[1] or found[3])


def is_either_way(text: str) -> bool:
    """Return whether a day could have its month first too.

    >>> is_either_way("05/06/2010"), is_either_way("24/09/2010"), is_either_way("2010/05/06")
    (True, False, False)
    """
    found = re.fullmatch(r"\s*(\d{1,2})\s*/\s*(\d{1,2})\s*/\s*\d{4}\s*", text)
    return found is not None and found[1] != found[2] and int(found[1]) <= 12 >= int(found[2])


def round_day(text: str) -> date | None:
    """Return the day of a round, YY/MM/DD.

    >>> str(round_day("10/09/24")), str(round_day("98.01.31")), round_day("24/13/01")
    ('2010-09-24', '1998-01-31', None)
    """
    found = re.fullmatch(r"(\d\d)[./-](\d\d)[./-](\d\d)", text)
    if not found:
        return None
    year = int(found[1])
    return _day(year + (1900 if year >= PIVOT else 2000), found[2], found[3])


def _day(year: str | int, month: str | int, day_of_month: str | int) -> date | None:
    try:
        return date(int(year), int(month), int(day_of_month))
    except ValueError:
        return None


def time_class(minutes: float) -> List | None:
    """Return the list on which games of this length are rated: base and 60 increments, for each player.

    FIDE Laws of Chess, Appendices A.1 and B.1: rapid is more than 10 and less than 60 minutes, blitz more than 3.

    >>> time_class(60), time_class(59.5), time_class(10), time_class(3)
    ('standard', 'rapid', 'blitz', None)
    """
    if minutes >= 60:
        return "standard"
    if minutes > 10:
        return "rapid"
    return "blitz" if minutes > 3 else None


def coded_minutes(text: str) -> float | None:
    """Return the minutes for 60 moves of a rate of play as TRF26 codes it, in seconds.

    >>> coded_minutes("5400+30"), coded_minutes("40/6000+30:900+30"), coded_minutes("W300-B240")
    (120.0, 145.0, None)
    """
    left, seconds = MOVES, 0.0
    for period in text.split(":"):
        found = re.fullmatch(r"\s*(?:(\d+)/)?(\d+)(?:\+(\d+))?\s*", period)
        if not found:
            return None
        moves = min(int(found[1] or left), left)
        seconds += int(found[2]) + moves * int(found[3] or 0)
        left -= moves
        if not left:
            return seconds / 60
    return None


def told_minutes(text: str) -> float | None:
    """Return the minutes for 60 moves of a rate of play in words, where each number says its unit.

    >>> told_minutes("90 min + 30 sec"), told_minutes("90'/40 moves + 30' + 30''/move"), told_minutes("3+2")
    (120.0, 150.0, None)
    >>> told_minutes("15 minutes + 10 seconds increment per move, starting from move 1")
    25.0
    """
    total = 0.0
    everywhere = re.sub(r",? (?:starting )?from move (?:1|one)$", "", text.strip().lower())
    for piece in re.split(r"\s*[+,]\s*", everywhere):
        found = PIECE.fullmatch(piece)
        if not found:
            return None
        minutes, seconds = found.groups()
        total += float(minutes or 0) + float(seconds or 0) * MOVES / 60
    return total or None


def list_of(code: str, words: str) -> List | None:
    """Return the list on which games count, by TRF26's code of the rate of play (222) or else by its words (122).

    Bare numbers in 122 are seconds only where they cannot be minutes.

    >>> list_of("900+10", ""), list_of("", "5400+30"), list_of("", "90+30"), list_of("W300-B240", "5 min")
    ('rapid', 'standard', None, None)
    """
    minutes = coded_minutes(code) if code else told_minutes(words)
    if not code and re.search(r"(?:^|/)\d{4}", words):
        minutes = coded_minutes(words)
    return None if minutes is None else time_class(minutes)
