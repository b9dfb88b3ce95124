"""The tags of a batch of games as columns: what each value means is worked out once, however many games have it."""

from collections.abc import Callable, Iterable
from typing import Any, Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

from .pgn_lines import NOTHING
from .pgn_store import Store
from .pgn_tags import TAG
from .pgn_words import NO_CLOCK, SILENT, clock_of, result_of, stamp_of

NULL: Final = pl.Series([None], dtype=pl.String)


class Words:
    """A tag of many games.

    Attributes
    ----------
    names : what is said, without blanks around it; null at the end, and where it says nothing.
    at : (G,) which of these each game says.
    """

    def __init__(self, names: pl.Series, at: NDArray[np.integer]) -> None:
        self.names, self.at = names, at

    @property
    def silent(self) -> bool:
        """Whether no game says anything."""
        return self.names.null_count() == len(self.names)

    def series(self) -> pl.Series:
        """Return what each game says."""
        return NULL.new_from_index(0, len(self.at)) if self.silent else self.names.gather(self.at)

    def numbers(self, meaning: Callable[[str], float], missing: float, dtype: type = np.float64) -> NDArray[Any]:
        """Return a number for what each game says, `missing` where it says nothing."""
        found = [missing if word is None else meaning(word) for word in self.names.to_list()]
        numbers: NDArray[Any] = np.array(found, dtype)[self.at]
        return numbers

    def mapped(self, meaning: Callable[[str], str | None]) -> "Words":
        """Return these games with other words."""
        if self.silent:
            return self
        return Words(_of(None if word is None else meaning(word) for word in self.names.to_list()), self.at)

    def under(self, other: "Words") -> "Words":
        """Return these games, with what `other` says wherever it says something."""
        if other.silent:
            return self
        return Words(*_over(other, self))


def _over(upper: Words, lower: Words) -> tuple[pl.Series, NDArray[np.integer]]:
    names = pl.concat([upper.names, lower.names])
    said = upper.names.is_not_null().to_numpy()[upper.at]
    return names, np.where(said, upper.at, lower.at + len(upper.names))


def _of(words: Iterable[str | None]) -> pl.Series:
    return pl.Series(list(words), dtype=pl.String)


class Table:
    """Tags of games by the number of their value (see `pgn_values.Values`)."""

    def __init__(self, rows: NDArray[np.int32], store: Store) -> None:
        self.rows = rows
        self.texts = pl.concat([texts_of(store).str.strip_chars(), NULL])
        self.silent = self.texts.is_in(SILENT).fill_null(value=True).to_numpy()
        self.known: dict[tuple[str, str], Words] = {}
        self.said = frozenset(
            tag for tag, row in enumerate(rows) if row.max(initial=-1) >= 0 or row.min(initial=-1) < -1
        )

    def __len__(self) -> int:
        return len(self.rows[0])

    def has(self, *tags: str) -> bool:
        """Whether a game has one of some tags."""
        return any(TAG[tag] in self.said for tag in tags)

    def words(self, tag: str, but: str = "") -> Words:
        """Return a tag, blanks and words that are `SILENT` taken away, `but` one if it is given."""
        if not self.has(tag):
            return self.nothing
        if (tag, but) not in self.known:
            silent = self.silent & (self.texts != but).fill_null(value=True).to_numpy() if but else self.silent
            self.known[tag, but] = self._words(self.rows[TAG[tag]], silent)
        return self.known[tag, but]

    @property
    def nothing(self) -> Words:
        """A tag that no game has."""
        return Words(NULL, np.zeros(len(self), np.int64))

    def plain(self, tag: str) -> pl.Series:
        """Return a tag that is another for each game; null where there is none, or a word that is `SILENT`."""
        if not self.has(tag):
            return NULL.new_from_index(0, len(self))
        numbers = self.rows[TAG[tag]]  # less than 0: the last text, which is null
        return self.texts.gather(np.where(self.silent[numbers], len(self.silent) - 1, numbers))

    def results(self) -> NDArray[np.int64]:
        """Return what `Result` says, see `pgn_words.result_of`."""
        words = self._words(self.rows[TAG["Result"]], self.texts.is_null().to_numpy())
        return words.numbers(result_of, NOTHING, np.int64)

    def clock(self, tag: str) -> NDArray[np.int64]:
        """Return the second of the day that a tag shows, `NO_CLOCK` where it shows none; see `clock_of`."""
        row = self.rows[TAG[tag]]
        seconds = np.where(row == -1, NO_CLOCK, row).astype(np.int64)
        if (odd := row < -1).any():
            words = self._words(np.where(odd, -2 - row, -1), self.silent)
            seconds[odd] = words.numbers(clock_of, NO_CLOCK, np.int64)[odd]
        return seconds

    def stamps(self) -> NDArray[np.float64]:
        """Return when `GameStartTime` says that games began, in days; NaN where it does not."""
        return self.words("GameStartTime").numbers(stamp_of, np.nan)

    def word(self, row: int, tag: str) -> str:
        """Return what one game says, or nothing."""
        number = self.rows[TAG[tag], row]
        return str(self.texts[int(number)]) if number >= 0 else ""

    def _words(self, numbers: NDArray[np.int32], silent: NDArray[np.bool_]) -> Words:
        """Return values, and null for those that are silent; as `Words` have it, null at the end."""
        none = len(self.silent) - 1
        there = np.zeros(none + 1, bool)
        there[numbers] = True
        there[none] = False
        which = np.flatnonzero(there)
        place = np.full(none + 1, len(which), np.int32)
        place[which] = np.arange(len(which), dtype=np.int32)
        kept = np.where(silent[which], none, which)
        return Words(self.texts.gather(np.append(kept, none)), place[numbers])


def texts_of(store: Store) -> pl.Series:
    """Return the values of a store: UTF-8, or each that is not, Latin-1 as the specification has it (3.2)."""
    content = store.text[: max(store.filled[0] - 1, 0)].tobytes()
    if not store.filled[1]:
        return pl.Series([], dtype=pl.String)
    try:
        return pl.Series([content.decode("utf-8")]).str.split("\n").explode()
    except UnicodeDecodeError:
        return pl.Series([decoded(each) for each in content.split(b"\n")], dtype=pl.String)


def decoded(value: bytes) -> str:
    """Return a value that may be of either."""
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        return value.decode("latin-1")
