"""Tags out of the bytes of PGN, in one pass.

Our own scanner is right here and only here: no library reads tags alone at the speed of the disk. python-chess, though
asked for the tags alone, takes some thirty times as long, one regular expression over the file more than twice as long
(`benchmarks/reading.py`), and neither survives all files that people have. Tables, JSON, packing and Parquet are left
to libraries.

A line is of tags, or of moves. Lines of tags are at most `LONGEST` bytes long and seen whole; moves are passed over
piece by piece, so a line of any length needs no memory, and whatever pieces the bytes come in, the games are the same.
A game begins with a tag behind moves; with a tag of the roster (`pgn_tags.ROSTER`) that the open game has had; behind a
blank line, with `Event` or any known tag that it has had; or, where no tags are, with the number of a move that follows
a blank line behind a result. Comments, escapes and lines that begin as a tag but are none do not part tags.
Comments in braces can hold anything but a tag of the roster at the head of a line after a blank one: a brace that
nobody closed costs the rest of one game, not the file.
"""

import functools
from collections.abc import Callable
from typing import Any, Final, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from ..jit import lowest, specialise, where
from .pgn_lines import (
    BLOCK,
    CLOSES,
    NOTHING,
    OPENS,
    PERCENT,
    RETURN,
    SEMICOLON,
    SPACE,
    UNKNOWN,
    behind_comment,
    closing_of,
    ending_of,
    find,
    follow,
    is_blank,
    is_lichess,
    is_line_end,
    is_loose,
    is_numbered,
    is_word,
    loose_closing,
    opening_of,
    past_blanks,
    skip,
    tag_of,
)
from .pgn_store import BACKSLASH, LINE_FEED, LONGEST, MOST, QUOTE, SPARE, apart, lean
from .pgn_tags import EIGHT, KEPT, LOW, ROSTER, TAG

# Where the scanner is, in `Scan.state`.
LINE: Final = 0  # its number, from 1
INSIDE: Final = 1  # a line of moves, part of which is gone
COMMENT: Final = 2  # in braces
REST: Final = 3  # of the line is passed over: 1 behind a semicolon, 2 behind a percent sign, 3 of what is nearly a tag
SOLID: Final = 4  # something in the line is no blank
BLANK: Final = 5  # the line before had nothing
CLOSED: Final = 6  # moves have followed the tags of the open game
OPEN: Final = 7  # a game: 1 without tags, 2 with tags
HAD: Final = 8  # a bit for each known tag that the open game has had
ENDING: Final = 9  # what its moves end with so far
DONE: Final = 10  # games that have ended
FULL: Final = 11  # there is no room for one more game
FOUND: Final = 12  # how many are in `Scan.found`
RAW: Final = 13  # whether lines of tags are wanted as they stand
ENDED: Final = 14  # the moves of the open game have, with a result and a blank line
PRINTED: Final = 15  # whether fingerprints are wanted
PRINT: Final = 16  # of the open game so far
NAMED: Final = 17  # the site of the open game is surely its id, so that nobody asks for its fingerprint
PAUSED: Final = 18  # a blank line has followed the tags
ROOM: Final = 19  # for so many games
STATE: Final = 20
PRIME: Final = 1099511628211  # of FNV-1a (Fowler, Noll, Vo), here of 63 bits
FIRST: Final = 64  # blanks before the number of a move in a game without tags
IS_EVENT: Final = TAG["Event"]
IS_SITE: Final = TAG["Site"]
WHOLE: Final = len(KEPT)  # in place of a tag: the line as it stands
ESCAPED: Final = 64  # on top of a tag: backslashes are in its value


class Scan(NamedTuple):
    """Where a scanner is, and what it has found."""

    state: NDArray[np.int64]
    lines: NDArray[np.int64]  # (G,) of the first tag
    endings: NDArray[np.int64]  # (G,) what moves end with
    prints: NDArray[np.int64]  # (G,) fingerprints
    found: NDArray[np.int64]  # (., 4): the game's row, the tag, and where in the text its value begins and ends


def new_scan(games: int, *, raw: bool = False, prints: bool = False) -> Scan:
    """Return the scan of a source that has yet to begin, with room for so many games at a time."""
    lines, endings, fingerprints = (np.zeros(games, np.int64) for _ in range(3))
    scan = Scan(np.zeros(STATE, np.int64), lines, endings, fingerprints, np.zeros((MOST + SPARE, 4), np.int64))
    scan.state[RAW], scan.state[PRINTED] = raw, prints
    start(scan, games)
    return scan


def start(scan: Scan, games: int) -> None:
    """Be ready for another source, with room for so many games at a time, no more than the scan was made with."""
    state = scan.state
    asked = state[RAW], state[PRINTED]
    state[:] = 0
    state[RAW], state[PRINTED] = asked
    state[LINE], state[CLOSED], state[ROOM] = 1, 1, games


@apart
def _print(s: np.ndarray, text: np.ndarray, begin: int, end: int) -> None:
    """Have the fingerprint of the open game tell of text[begin:end]; how moves are parted into lines is no matter."""
    h = s[PRINT]
    for k in range(begin, end):
        if text[k] > SPACE:
            h = ((h ^ text[k]) * PRIME) & LOW
    s[PRINT] = h


@lean
def _open(scan: Scan, how: int) -> bool:
    """Begin a game, which ends the one before; return whether there was room."""
    s = scan.state
    if s[OPEN] != 0:
        scan.endings[s[DONE]], scan.prints[s[DONE]] = s[ENDING], s[PRINT]
        s[DONE] += 1
        s[OPEN] = 0
    if s[DONE] == s[ROOM]:
        s[FULL] = 1
        return False
    scan.lines[s[DONE]] = s[LINE]
    s[OPEN], s[HAD], s[ENDING], s[ENDED], s[PRINT], s[NAMED] = how, 0, NOTHING, 0, 0, 0
    return True


@lean
def _goes_on(scan: Scan, tag: int) -> bool:
    """Make sure that a game is open to which a line of tags belongs; return whether there was room."""
    s = scan.state
    if s[OPEN] == 2 and s[CLOSED] == 0 and not _begins(s, tag):
        return True
    return _open(scan, 2)


@lean
def _begins(s: np.ndarray, tag: int) -> bool:
    """Whether a tag that follows others is the first of another game."""
    if tag < 0:
        return False
    had = (s[HAD] >> tag) & 1 != 0
    return (had and (s[PAUSED] != 0 or (ROSTER >> tag) & 1 != 0)) or (tag == IS_EVENT and s[PAUSED] != 0)


@lean
def _put(scan: Scan, text: np.ndarray, tag: int, begin: int, end: int) -> None:
    """Note a tag of the open game."""
    s, k = scan.state, scan.state[FOUND]
    if s[PRINTED] != 0 and tag == IS_SITE and is_lichess(text, begin, end):
        s[NAMED] = 1
    scan.found[k, 0], scan.found[k, 1], scan.found[k, 2], scan.found[k, 3] = s[DONE], tag, begin, end
    s[FOUND] = k + 1


@lean
def _plain_tag(scan: Scan, text: np.ndarray, at: int, stop: int) -> int:
    """Take the tag of a line as nearly all are, `[Name "value"]`; return 1, 0: it is not so, -1: there is no room."""
    if stop - at < EIGHT or text[at] != OPENS or text[stop - 1] != CLOSES or text[stop - 2] != QUOTE:
        return 0
    bits = where(text, at, QUOTE, BACKSLASH, QUOTE, QUOTE)
    quote = at + lowest(bits) if bits != 0 else stop
    if quote >= stop - 2 or text[quote] != QUOTE or text[quote - 1] != SPACE:
        return 0
    bits = (bits >> (quote - at)) >> 1
    second = quote + 1 + lowest(bits) if bits != 0 else find(text, at + BLOCK, stop, QUOTE, BACKSLASH, QUOTE, QUOTE)
    tag = tag_of(text, at + 1, quote - 1) if second == stop - 2 else -1
    if tag < 0:
        return 0
    if not _goes_on(scan, tag):
        return -1
    scan.state[HAD] |= 1 << tag
    if tag < len(KEPT):
        _put(scan, text, tag, quote + 1, stop - 2)
    return 1


@apart
def _any_tags(scan: Scan, text: np.ndarray, at: int, stop: int) -> int:
    """Take the tags of any line of tags; return 1, 0 if it is of moves, -1 if there is no room."""
    begin, end, value = opening_of(text, at, stop)
    if begin < 0:
        return 0
    loose = is_loose(text, at, stop)
    finish = loose_closing(text, value, stop)
    if loose and finish < 0:
        return 0
    if not _goes_on(scan, tag_of(text, begin, end)):
        return -1
    while at < stop:
        begin, end, value = opening_of(text, at, stop)
        at = stop
        if not loose:
            finish, at = closing_of(text, value, stop)
            at = behind_comment(text, at, stop)
        tag = tag_of(text, begin, end)
        if tag >= 0:
            scan.state[HAD] |= 1 << tag
        if 0 <= tag < len(KEPT):
            escaped = find(text, value, finish, BACKSLASH, BACKSLASH, BACKSLASH, BACKSLASH) < finish
            _put(scan, text, tag + ESCAPED if escaped else tag, value, finish)
    return 1


@apart
def _is_roster(text: np.ndarray, at: int, stop: int) -> bool:
    begin, end, _ = opening_of(text, at, stop)
    tag = tag_of(text, begin, end) if begin >= 0 else -1
    return tag >= 0 and (ROSTER >> tag) & 1 != 0


@lean
def _tags(scan: Scan, text: np.ndarray, at: int, stop: int) -> int:
    """Take a line of tags; return 1, 0 if it is of moves, -1 if there is no room."""
    s = scan.state
    comment, closed = s[COMMENT], s[CLOSED]
    if comment != 0:
        if not _is_roster(text, at, stop):
            return 0
        s[COMMENT], s[CLOSED] = 0, 1
    taken = _plain_tag(scan, text, at, stop)
    if taken == 0:
        taken = _any_tags(scan, text, at, stop)
    if taken == 1:
        if s[RAW] != 0:
            _put(scan, text, WHOLE, at, stop)
        if s[PRINTED] != 0:
            _print(s, text, at, stop)
        s[BLANK] = s[CLOSED] = s[PAUSED] = 0
        s[LINE] += 1
    else:
        s[COMMENT], s[CLOSED] = comment, closed
    return taken


@lean
def _begin_moves(scan: Scan, text: np.ndarray, at: int, first: int, end: int) -> bool:
    """Begin a line of moves, and a game if none is open that it can belong to; return whether there was room."""
    s = scan.state
    s[SOLID] = s[REST] = 0
    if s[COMMENT] == 0:
        free = s[OPEN] == 0 or s[ENDED] != 0
        near = first - at < FIRST and first < end
        if text[at] == PERCENT:
            s[REST] = 2
        elif near and s[CLOSED] == 0 and text[first] == OPENS and is_word(text[first + 1]):
            s[REST] = 3
        elif near and free and is_numbered(text, first, end) and not _open(scan, 1):
            return False
    s[INSIDE] = 1
    return True


@lean
def _end_line(s: np.ndarray) -> None:
    if s[REST] != 2:
        s[BLANK] = 1 - s[SOLID]
        if s[SOLID] == 0 and s[COMMENT] == 0:
            s[PAUSED] = 1
            if s[ENDING] >= UNKNOWN:
                s[ENDED] = 1
    s[LINE] += 1
    s[INSIDE] = s[REST] = 0


@lean
def _comments(s: np.ndarray, text: np.ndarray, at: int, end: int) -> int:
    """Follow the comments of a line, and note what its moves end with; return as `follow` does."""
    begin, began = at, s[COMMENT]
    at, comment = skip(text, at, end, began)
    stop, s[COMMENT], mark = follow(text, begin, at, end, comment)
    if mark < 0 and begin < at:
        mark = follow(text, begin, begin, end, began)[2]  # nothing but comments stood in the last block
    if mark >= 0:
        s[CLOSED] = 1
        if s[ENDED] == 0:
            s[ENDING] = ending_of(text, mark)
    return stop


@lean
def _moves(s: np.ndarray, text: np.ndarray, at: int, end: int) -> int:
    """Pass over moves up to the next line, or as far as they are there; return where that is."""
    begin = at
    if s[SOLID] == 0:
        at = past_blanks(text, at, end)
        if at < end and not is_line_end(text[at]):
            s[SOLID] = 1
    if s[REST] == 0 and s[SOLID] != 0:
        at = _comments(s, text, at, end)
        if at < end and text[at] == SEMICOLON:
            s[REST] = 1
    if s[REST] != 0:
        at = find(text, at, end, LINE_FEED, RETURN, LINE_FEED, RETURN)
    if s[PRINTED] != 0 and s[NAMED] == 0 and s[ENDED] == 0:
        _print(s, text, begin, at)
    if at < end:
        _end_line(s)
        at += 1
    return at


@apart
def _more(text: np.ndarray, at: int, first: int, end: int) -> bool:
    """Whether a line is not there far enough to tell what it is."""
    if end - at > LONGEST:
        return False
    return find(text, first, end, LINE_FEED, RETURN, LINE_FEED, RETURN) == end


@lean
def _line(scan: Scan, text: np.ndarray, at: int, end: int) -> int:
    """Begin a line; return where to go on: at `at` in a line of moves, behind a line of tags, -1: nowhere for now."""
    s = scan.state
    first = past_blanks(text, at, end) if is_blank(text[at]) else at
    if end - first < EIGHT and _more(text, at, first, end):
        return -1
    if text[first] == 0xEF and first == at and text[at + 1] == 0xBB and text[at + 2] == 0xBF:
        return at + 3  # a byte order mark, at the head of a file or of one put behind another
    if first < end and text[first] == OPENS and (s[COMMENT] == 0 or (s[BLANK] != 0 and first == at)):
        stop = find(text, first, end, LINE_FEED, RETURN, LINE_FEED, RETURN)
        if stop == end and end - at <= LONGEST:
            return -1
        taken = _tags(scan, text, at, stop) if stop - at <= LONGEST else 0
        if taken != 0:
            return stop + 1 if taken == 1 else -1
    return at if _begin_moves(scan, text, at, first, end) else -1


@lean
def _scan(scan: Scan, text: np.ndarray, at: int, end: int) -> int:
    s = scan.state
    while at < end and s[FOUND] < MOST:
        if s[INSIDE] != 0:
            at = _moves(s, text, at, end)
        elif text[at] == LINE_FEED and text[at - 1] == RETURN:
            at += 1
        else:
            next_ = _line(scan, text, at, end)
            if next_ < 0:
                return at
            at = next_
    return at


def scan_text(scan, text, at, end):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN201  # compiled
    """Find the tags in text[at:end]; return up to where: all but the last line, or less where there is no room.

    The 64 bytes before `at` are of the text before it, or line feeds; as many behind `end` can be read.
    """
    return _scan(scan, text, at, end)


@functools.cache
def scanner() -> Callable[..., Any]:
    """Return `scan_text`, compiled."""
    return specialise(cast("Any", scan_text), "the scanner of PGN")


def finish(scan: Scan) -> None:
    """End the game that is open at the end of a source."""
    s = scan.state
    if s[OPEN]:
        scan.endings[s[DONE]], scan.prints[s[DONE]] = s[ENDING], s[PRINT]
        s[DONE] += 1
        s[OPEN] = 0
