"""Bytes of PGN looked at: where lines end, what a line of tags holds, how moves end."""

from typing import Final

import numpy as np

from ..jit import lowest, where, word
from .pgn_store import BACKSLASH, LINE_FEED, QUOTE, apart, lean
from .pgn_tags import EIGHT, LONGEST_NAME, NAMES, ROOM, SHORTEST_NAME, ends_of, spot

RETURN: Final = 13
SPACE: Final = 32
TAB, LINE_TAB, PAGE = 9, 11, 12
OPENS, CLOSES = 91, 93  # brackets
BRACE, END_BRACE, SEMICOLON, PERCENT, STAR, DASH, SLASH, DOT = 123, 125, 59, 37, 42, 45, 47, 46
PARENTHESIS, DOLLAR, UNDERLINE = 41, 36, 95
ZERO, ONE, TWO, NINE = 48, 49, 50, 57
BLOCK: Final = 64
NOTHING, OTHER, UNKNOWN, WHITE, BLACK, DRAW = range(6)  # what moves end with: nothing, a move, *, 1-0, 0-1, 1/2-1/2
# The address of a game of Lichess, in overlapping parts.
HTTPS, LICHESS, ORG = (int.from_bytes(part, "little") for part in (b"https://", b"lichess.", b"ess.org/"))
SIGN: Final = -(2**63)  # numbers with it turned over compare as those without signs do

first_eight = lean(ends_of)
first_spot = lean(spot)


@lean
def find(text: np.ndarray, at: int, end: int, one: int, two: int, three: int, four: int) -> int:
    """Return where the first of four bytes is in text[at:end], or `end`."""
    while at < end:
        bits = where(text, at, one, two, three, four)
        if bits != 0:
            return min(at + lowest(bits), end)
        at += BLOCK
    return end


@lean
def is_blank(c: int) -> bool:
    """Whether a byte is a blank within a line."""
    return (c == SPACE) | (c == TAB) | (c == LINE_TAB) | (c == PAGE)


@lean
def past_blanks(text: np.ndarray, at: int, end: int) -> int:
    """Return where in text[at:end] something stands that is no blank, or `end`."""
    while at < end and is_blank(text[at]):
        at += 1
    return at


@lean
def is_line_end(c: int) -> bool:
    """Whether a byte ends a line."""
    return (c == LINE_FEED) | (c == RETURN)


@lean
def is_word(c: int) -> bool:
    """Whether a byte can be part of the name of a tag."""
    return (97 <= c <= 122) or (65 <= c <= 90) or (ZERO <= c <= NINE) or c == UNDERLINE or c >= 128


@lean
def tag_of(text: np.ndarray, begin: int, end: int) -> int:
    """Return the number of a tag by its name, -1 if it is none of those known."""
    length = end - begin
    if length < SHORTEST_NAME or length > LONGEST_NAME:
        return -1
    first, last = first_eight(text, begin, end)
    at = first_spot(first, last, length)
    while NAMES[at, 2] != 0:
        if NAMES[at, 0] == first and NAMES[at, 1] == last and NAMES[at, 2] == length:
            return NAMES[at, 3]
        at = (at + 1) % ROOM
    return -1


@apart
def opening_of(text: np.ndarray, at: int, stop: int) -> tuple[int, int, int]:
    r"""Return where the name of a tag begins and ends, and its value begins: `\s*\[\s*(\w+)\s*"`; -1: there is none."""
    at = past_blanks(text, at, stop)
    if at == stop or text[at] != OPENS:
        return -1, -1, -1
    begin = past_blanks(text, at + 1, stop)
    end = begin
    while end < stop and is_word(text[end]):
        end += 1
    at = past_blanks(text, end, stop)
    if end == begin or at == stop or text[at] != QUOTE:
        return -1, -1, -1
    return begin, end, at + 1


@apart
def closing_of(text: np.ndarray, at: int, stop: int) -> tuple[int, int]:
    r"""Return where a value ends and what stands behind its tag: `((?:[^"\\]|\\.)*)"\s*\]\s*`; -1: it is not so."""
    while True:
        at = find(text, at, stop, QUOTE, BACKSLASH, QUOTE, QUOTE)
        if at >= stop:
            return -1, -1
        if text[at] == QUOTE:
            break
        at += 2
    behind = past_blanks(text, at + 1, stop)
    if behind == stop or text[behind] != CLOSES:
        return -1, -1
    return at, past_blanks(text, behind + 1, stop)


@apart
def behind_comment(text: np.ndarray, at: int, stop: int) -> int:
    """Return `stop` if text[at:stop] is a comment, `; ...` or `{...}`; `at` if it is none."""
    if at < 0 or at >= stop:
        return at
    if text[at] == BRACE:
        close = find(text, at, stop, END_BRACE, END_BRACE, END_BRACE, END_BRACE)
        return stop if close < stop and past_blanks(text, close + 1, stop) == stop else at
    return stop if text[at] == SEMICOLON else at


@apart
def loose_closing(text: np.ndarray, at: int, stop: int) -> int:
    r"""Return where a value ends that is followed by `"\s*\]\s*` and the end of the line, whatever it holds; or -1."""
    stop -= 1
    while stop >= at and is_blank(text[stop]):
        stop -= 1
    if stop < at or text[stop] != CLOSES:
        return -1
    stop -= 1
    while stop >= at and is_blank(text[stop]):
        stop -= 1
    return stop if stop >= at and text[stop] == QUOTE else -1


@apart
def is_loose(text: np.ndarray, at: int, stop: int) -> bool:
    """Whether a line is not of tags one after the other with all escaped that has to be."""
    while at < stop:
        value = opening_of(text, at, stop)[2]
        at = behind_comment(text, closing_of(text, value, stop)[1], stop) if value >= 0 else -1
        if at < 0:
            return True
    return False


@apart
def is_lichess(text: np.ndarray, begin: int, end: int) -> bool:
    """Whether a site is surely the address of a game of Lichess, as no page of Lichess has capitals or digits."""
    if end - begin != 28 or word(text, begin) != HTTPS or word(text, begin + EIGHT) != LICHESS:
        return False
    lower = 0
    for k in range(end - EIGHT, end):
        if not is_word(text[k]) or text[k] >= 128 or text[k] == UNDERLINE:
            return False
        lower += text[k] >= 97
    return lower < EIGHT and word(text, begin + 12) == ORG


@apart
def is_numbered(text: np.ndarray, at: int, end: int) -> bool:
    """Whether moves begin at `at`, with their number: `12.`."""
    begin = at
    while at < end and at < begin + EIGHT - 2 and ZERO <= text[at] <= NINE:
        at += 1
    return at > begin and at < end and text[at] == DOT


@lean
def _parts(c: int) -> bool:
    """Whether a byte can stand before a result."""
    return is_blank(c) | is_line_end(c) | (c == END_BRACE) | (c == PARENTHESIS) | (c == DOT)


@apart
def ending_of(text: np.ndarray, end: int) -> int:
    """Return what moves end with that end right before `end`."""
    c = text[end - 1]
    if c == STAR and _parts(text[end - 2]):
        return UNKNOWN
    if text[end - 2] == DASH and _parts(text[end - 4]):
        if c == ZERO and text[end - 3] == ONE:
            return WHITE
        if c == ONE and text[end - 3] == ZERO:
            return BLACK
    if c == TWO and text[end - 2] == SLASH and text[end - 3] == ONE:
        whole = text[end - 4] == DASH and text[end - 5] == TWO and text[end - 6] == SLASH and text[end - 7] == ONE
        if _parts(text[end - 8 if whole else end - 4]):
            return DRAW
    return OTHER


@lean
def _before_glyph(text: np.ndarray, end: int) -> int:
    """Return where a glyph such as $12 begins that ends right before `end`; `end` if there is none."""
    at = end - 1
    while at > end - EIGHT and ZERO <= text[at] <= NINE:
        at -= 1
    return at if text[at] == DOLLAR else end


@lean
def moves_before(text: np.ndarray, begin: int, end: int) -> int:
    """Return where the moves or the result in text[begin:end] end; -1 if only blanks, glyphs or a comment are last."""
    while True:
        while end > begin and is_blank(text[end - 1]):
            end -= 1
        if end <= begin or text[end - 1] == END_BRACE:
            return -1
        glyph = _before_glyph(text, end)
        if glyph == end:
            return end
        end = glyph


@lean
def skip(text: np.ndarray, at: int, end: int, comment: int) -> tuple[int, int]:
    """Pass over blocks of moves in which no line ends; return where, and whether a comment is open there.

    Whatever came before, a comment is open behind the last brace if that is an opening one, unless a semicolon made
    the braces behind it part of another.
    """
    while at + BLOCK <= end and where(text, at, LINE_FEED, RETURN, SEMICOLON, SEMICOLON) == 0:
        opens = where(text, at, BRACE, BRACE, BRACE, BRACE)
        closes = where(text, at, END_BRACE, END_BRACE, END_BRACE, END_BRACE)
        if opens | closes != 0:
            comment = 1 if (opens ^ SIGN) > (closes ^ SIGN) else 0
        at += BLOCK
    return at, comment


@apart
def follow(text: np.ndarray, begin: int, at: int, end: int, comment: int) -> tuple[int, int, int]:
    """Follow the comments of text[at:end] up to where the line ends or has a semicolon, or to `end`.

    Returns that place, whether a comment is open there, and where the last moves in text[begin:] before it end, as far
    as they can be told from text[at:]; or -1. What comes before `begin` has been seen to.
    """
    mark = -1
    while at < end:
        lines = where(text, at, LINE_FEED, RETURN, LINE_FEED, RETURN)
        opens = where(text, at, BRACE, SEMICOLON, BRACE, SEMICOLON) | lines
        closes = where(text, at, END_BRACE, END_BRACE, END_BRACE, END_BRACE) | lines
        p = 0
        while p < BLOCK:
            bits = (closes if comment != 0 else opens) >> p
            if bits == 0:
                break
            p += lowest(bits)
            if at + p >= end:
                break
            c = text[at + p]
            if comment == 0:
                mark = max(mark, moves_before(text, begin, at + p))
            if is_line_end(c) or (c == SEMICOLON):
                return at + p, comment, mark
            comment = 1 - comment
            p += 1
        at += BLOCK
    if comment == 0:
        mark = max(mark, moves_before(text, begin, end))
    return end, comment, mark
