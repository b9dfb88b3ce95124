"""The tags of PGN that rating work needs, and how a scanner of bytes knows them."""

from typing import Final

import numpy as np

from ..jit import word

KEPT: Final = (
    "Event", "Site", "Date", "White", "Black", "Result", "UTCDate", "UTCTime", "Time", "EventDate",
    "WhiteElo", "BlackElo", "WhiteRatingDiff", "BlackRatingDiff", "WhiteTitle", "BlackTitle",
    "WhiteFideId", "BlackFideId", "WhiteFederation", "BlackFederation", "WhiteFed", "BlackFed",
    "TimeControl", "Termination", "Variant", "BroadcastName",
    "GameId", "LichessId", "GameURL", "Link", "FICSGamesDBGameNo", "GameStartTime",
)  # fmt: skip
PASSED: Final = (
    "Round", "ECO", "Opening", "Variation", "FEN", "SetUp", "PlyCount", "Annotator", "EventType", "EventCountry",
    "SourceDate", "Source", "NIC", "Board", "Mode", "StudyName", "ChapterName", "WhiteTeam", "BlackTeam",
)  # fmt: skip  # common ones: to be known at a glance is to be passed over quickly
TAG: Final = {name: number for number, name in enumerate(KEPT)}
# A bit for each tag of the seven of which a game has one (Edwards 8.1.1), by its number among all that are known.
ROSTER: Final = sum(
    1 << (*KEPT, *PASSED).index(name) for name in ("Event", "Site", "Date", "Round", "White", "Black", "Result")
)
CLOCKS: Final = (TAG["UTCTime"], TAG["Time"])
# What tells games apart is another word for each game, so there is no use in looking for it among words seen before.
OWN: Final = tuple(TAG[name] for name in (
    "Site", "GameId", "LichessId", "GameURL", "Link", "FICSGamesDBGameNo", "GameStartTime"
))  # fmt: skip

EIGHT: Final = 8
LOW: Final = 2**63 - 1  # keeps products of the machine's integers and of Python's alike
MIX: Final = 0x1E3779B97F4A7C15
ROOM: Final = 256  # of the table of names
SHORTEST_NAME, LONGEST_NAME = 2, 24


def spot(first: int, last: int, length: int) -> int:
    """Return where the search for a name begins."""
    return (((first + 31 * last + length) * MIX) & LOW) >> 55


def ends_of(text: np.ndarray, begin: int, end: int) -> tuple[int, int]:
    """Return the first eight bytes of a name as a number, and the last eight of one that is longer."""
    length = end - begin
    first = word(text, begin)
    if length < EIGHT:
        return first & ((1 << (EIGHT * length)) - 1), 0
    return first, word(text, end - EIGHT) if length > EIGHT else 0


def _table() -> np.ndarray:
    """Return rows of first bytes, last bytes, length, tag; a length of 0 is an empty row."""
    found = np.zeros((ROOM, 4), np.int64)
    for number, name in enumerate(KEPT + PASSED):
        bytes_ = name.encode()
        first, last = _number(bytes_[:EIGHT]), _number(bytes_[-EIGHT:]) if len(name) > EIGHT else 0
        at = spot(first, last, len(name))
        while found[at, 2]:
            at = (at + 1) % ROOM
        found[at] = first, last, len(name), number
    return found


def _number(name: bytes) -> int:
    return int.from_bytes(name, "little", signed=len(name) == EIGHT)


NAMES: Final = _table()
