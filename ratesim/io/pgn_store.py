"""The values of tags, each kept once and called by a number: found by hash, and compared byte by byte on a hit."""

from functools import partial
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..jit import kernel, word
from .pgn_tags import EIGHT, LOW, MIX

lean = partial(kernel, counted=False)  # to count who holds an array costs more than all else that is done here
apart = partial(kernel, inline=False, counted=False)  # what is called seldom, or is long

LINE_FEED: Final = 10
BACKSLASH: Final = 92
QUOTE: Final = 34
LONGEST: Final = 2**16  # bytes of a line of tags; a longer line is none
BYTES: Final = 2**26  # kept before a batch is full
VALUES: Final = 2**22
WORDS: Final = 2**18  # values told apart
MOST: Final = 2**16  # tags found at a time, and
SPARE: Final = LONGEST // 5  # those that the longest line can add: [A""]


class Store(NamedTuple):
    """Values one after the other, each followed by a line feed."""

    text: NDArray[np.uint8]
    starts: NDArray[np.int64]  # value n is text[starts[n] : starts[n + 1] - 1]
    slots: NDArray[np.int64]  # (., 2): half a hash over number + 1, 0: empty; start over length
    taken: NDArray[np.int64]  # which slots are not empty
    filled: NDArray[np.int64]  # bytes, values, values told apart, bytes of lines as they stand


def new_store(spare: int) -> Store:
    """Return a store of nothing, with room for `spare` bytes and the values found at a time when it `is_full`."""
    slots = 1 << max(2 * WORDS - 1, WORDS + MOST + SPARE).bit_length()
    return Store(
        np.zeros(BYTES + spare, np.uint8), np.zeros(VALUES + MOST + SPARE + 1, np.int64),
        np.zeros((slots, 2), np.int64), np.zeros(slots, np.int64), np.zeros(4, np.int64),
    )  # fmt: skip


def clear(store: Store) -> None:
    """Forget all values, in time that goes with how many there are."""
    store.slots[store.taken[: store.filled[2]]] = 0
    store.filled[:] = 0


def is_full(store: Store) -> bool:
    """Whether the values of one more piece of text might find no room."""
    used, values, words, raw = store.filled.tolist()
    return bool(used > BYTES or values > VALUES or words > WORDS or raw > BYTES)


@lean
def keep(store: Store, text: np.ndarray, begin: int, end: int) -> int:
    """Put text[begin:end] among the values; return its number."""
    used, number = store.filled[0], store.filled[1]
    for k in range(end - begin):
        store.text[used + k] = text[begin + k]
    used += end - begin
    store.text[used] = LINE_FEED
    store.filled[0] = store.starts[number + 1] = used + 1
    store.filled[1] = number + 1
    return number


@lean
def _hash(text: np.ndarray, begin: int, end: int) -> int:
    h = end - begin
    while begin + EIGHT <= end:
        h = ((h ^ word(text, begin)) * MIX) & LOW
        h ^= h >> 29
        begin += EIGHT
    if begin < end:
        h = ((h ^ (word(text, begin) & ((1 << (EIGHT * (end - begin))) - 1))) * MIX) & LOW
        h ^= h >> 29
    return (h * MIX) & LOW


@lean
def _same(store: Store, place: int, text: np.ndarray, begin: int, end: int) -> bool:
    """Whether a value, by where it starts and its length, is text[begin:end]."""
    if place & 0xFFFFFFFF != end - begin:
        return False
    at = place >> 32
    while begin + EIGHT <= end:
        if word(store.text, at) != word(text, begin):
            return False
        begin += EIGHT
        at += EIGHT
    part = (1 << (EIGHT * (end - begin))) - 1
    return (word(store.text, at) & part) == (word(text, begin) & part)


@lean
def find_or_keep(store: Store, text: np.ndarray, begin: int, end: int) -> int:
    """Return the number of the value text[begin:end], which is kept if it is new."""
    slots = store.slots
    last = len(slots) - 1
    h = _hash(text, begin, end)
    at = (h >> 32) & last
    while slots[at, 0] != 0:
        if (slots[at, 0] ^ h) >> 32 == 0 and _same(store, slots[at, 1], text, begin, end):
            return (slots[at, 0] & 0xFFFFFFFF) - 1
        at = (at + 1) & last
    number = keep(store, text, begin, end)
    store.taken[store.filled[2]] = at
    store.filled[2] += 1
    slots[at, 0] = ((h >> 32) << 32) | (number + 1)
    slots[at, 1] = (store.starts[number] << 32) | (end - begin)
    return number


@apart
def unescaped(store: Store, text: np.ndarray, begin: int, end: int) -> int:
    r"""Write text[begin:end] behind the values, with \" and \\ as one character each; return where that ends."""
    at = store.filled[0]
    while begin < end:
        if text[begin] == BACKSLASH and begin + 1 < end and (text[begin + 1] == QUOTE or text[begin + 1] == BACKSLASH):
            begin += 1
        store.text[at] = text[begin]
        at += 1
        begin += 1
    return at
