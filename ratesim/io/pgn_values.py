"""What a scanner has found, taken out of the text: a table of numbers of values, a row a game."""

import functools
from collections.abc import Callable
from typing import Any, Final, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from ..jit import specialise
from .pgn_scan import ESCAPED, WHOLE
from .pgn_store import BYTES, LINE_FEED, Store, apart, clear, find_or_keep, keep, lean, new_store, unescaped
from .pgn_tags import CLOCKS, EIGHT, KEPT, OWN

COLON: Final = 58
IS_CLOCK: Final = np.isin(np.arange(WHOLE + 1), CLOCKS)
IS_OWN: Final = np.isin(np.arange(WHOLE + 1), (*OWN, WHOLE))
NONE: Final = -1  # no such tag


class Values(NamedTuple):
    """Tags of games by the number of their value in a store; a clock is its second of the day, or -2 less a number."""

    rows: NDArray[np.int32]  # (tags, G)
    store: Store
    raw: NDArray[np.uint8]  # lines of tags as they stand, one game after the other; empty: not kept
    raws: NDArray[np.int64]  # (G,) where those of each game end


def new_values(games: int, spare: int, *, raw: bool) -> Values:
    """Return room for the tags of so many games, and when it `is_full` for `spare` bytes of text."""
    rows = np.full((len(KEPT), games), NONE, np.int32)
    return Values(rows, new_store(spare), np.zeros((BYTES + spare) * raw, np.uint8), np.zeros(games, np.int64))


@lean
def _clock(text: np.ndarray, begin: int, end: int) -> int:
    """Return the second of the day of `hh:mm:ss`, -1 if it is not so."""
    if end - begin != EIGHT or text[begin + 2] != COLON or text[begin + 5] != COLON:
        return -1
    seconds: Any = 0
    for k in range(3):
        high, low = text[begin + 3 * k], text[begin + 3 * k + 1]
        if not (48 <= high <= 57 and 48 <= low <= 57):
            return -1
        part = 10 * (np.int64(high) - 48) + np.int64(low) - 48
        if part >= (24 if k == 0 else 60):
            return -1
        seconds = 60 * seconds + part
    return seconds


@apart
def _take_escaped(values: Values, row: int, tag: int, text: np.ndarray, begin: int, end: int) -> None:
    store = values.store
    used = store.filled[0]
    number = find_or_keep(store, store.text, used, unescaped(store, text, begin, end))
    values.rows[tag, row] = -2 - number if IS_CLOCK[tag] else number


@apart
def _take_line(values: Values, row: int, text: np.ndarray, begin: int, end: int) -> None:
    used = values.store.filled[3]
    for k in range(end - begin):
        values.raw[used + k] = text[begin + k]
    values.raw[used + end - begin] = LINE_FEED
    values.store.filled[3] = values.raws[row] = used + end - begin + 1


@lean
def _take(values: Values, found: np.ndarray, count: int, text: np.ndarray) -> None:
    rows, store = values.rows, values.store
    for k in range(count):
        row, tag, begin, end = found[k, 0], found[k, 1], found[k, 2], found[k, 3]
        if tag == WHOLE:
            _take_line(values, row, text, begin, end)
        elif tag >= ESCAPED:
            _take_escaped(values, row, tag - ESCAPED, text, begin, end)
        elif IS_OWN[tag]:
            rows[tag, row] = keep(store, text, begin, end)
        else:
            seconds = _clock(text, begin, end) if IS_CLOCK[tag] else -1
            if seconds >= 0:
                rows[tag, row] = seconds
            else:
                number = find_or_keep(store, text, begin, end)
                rows[tag, row] = -2 - number if IS_CLOCK[tag] else number


def take_found(values, found, count, text):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN201  # compiled
    """Take the first so many tags that were found in a text."""
    _take(values, found, count, text)


@functools.cache
def taker() -> Callable[..., Any]:
    """Return `take_found`, compiled."""
    return specialise(cast("Any", take_found), "the values of PGN's tags")


def start_over(values: Values, done: int, *, opened: bool) -> None:
    """Forget the games that have ended; one that is open goes on in the first row."""
    rows, store = values.rows, values.store
    row = rows[:, done].copy() if opened else np.full(len(rows), NONE)
    words = {tag: word_of(store, _number(tag, row[tag])) for tag in range(len(row)) if _number(tag, row[tag]) >= 0}
    lines = raw_of(values, done)[: BYTES // 2] if opened and len(values.raw) else np.zeros(0, np.uint8)
    rows[:, : done + 1] = NONE
    rows[:, 0] = row
    clear(store)
    for tag, text in words.items():
        number = keep(store, text, 0, len(text))
        rows[tag, 0] = -2 - number if IS_CLOCK[tag] else number
    values.raws[: done + 1] = 0
    values.raw[: len(lines)] = lines
    values.raws[0] = store.filled[3] = len(lines)


def word_of(store: Store, number: int) -> NDArray[np.uint8]:
    """Return the bytes of a value."""
    return store.text[store.starts[number] : store.starts[number + 1] - 1].copy()


def raw_of(values: Values, row: int) -> NDArray[np.uint8]:
    """Return the lines of tags of a game as they stand."""
    begin = values.raws[:row].max(initial=0)
    return values.raw[begin : max(begin, values.raws[row])].copy()


def _number(tag: int, held: int) -> int:
    """Return the number of the value that a row holds, or less than 0."""
    return -2 - held if IS_CLOCK[tag] else held
