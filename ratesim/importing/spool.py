"""All games of an import, as they came: names as numbers, rows in memory or on disk, counted as they pass."""

from collections.abc import Collection, Iterator
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..files import scratch
from ..io.batch import GAMES
from ..io.kinds import NAMES, kept_names
from .piles import MEMORY, Shelf
from .sorting import Times

Rows = NDArray[np.int64]  # numbers of rows, ascending

SOURCE: Final = "source"
COLUMNS: Final[dict[str, pl.DataType]] = {SOURCE: pl.UInt32(), **GAMES}


class Spool:
    """Games of an import in the order in which they were added; gone at the end of its block.

    Rows are numbered from 0 in that order. Memory holds the names, and rows up to a bound; others go to a hidden folder
    beside the file that is to be made.

    Parameters
    ----------
    beside : the file that is to be made.
    memory : bytes of rows that are held before they go to disk.

    Attributes
    ----------
    folder : the hidden one, inside the block. rows : how many there are. times : what is known of their times.
    filled : how many rows fill each column.

    Raises
    ------
    InputError : its folder cannot be written; in `add`, the disk is full.
    """

    def __init__(self, beside: Path, memory: int = MEMORY) -> None:
        self._wanted, self._memory = beside, memory
        self._stack = ExitStack()
        self.times = Times()
        self.filled = dict.fromkeys(COLUMNS, 0)
        self._counts = np.zeros(0, np.int64)
        self._sources: set[int] = set()

    def __enter__(self) -> Self:
        self.folder = self._stack.enter_context(scratch(self._wanted))
        self._stack.enter_context(kept_names())
        self._pile = self.shelf().pile()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._pile.drop()
        self._stack.close()

    @property
    def rows(self) -> int:
        """How many there are."""
        return self._pile.rows

    @property
    def columns(self) -> list[str]:
        """Columns that some row fills, in the order of `COLUMNS`."""
        return [name for name, count in self.filled.items() if count]

    @property
    def sources(self) -> int:
        """How many sources they come from."""
        return len(self._sources)

    @property
    def players(self) -> pl.Series:
        """Names (N,) of players by their numbers, which are the physical values of first and second.

        Names of another import under way in the same process are among them, without games.
        """
        return NAMES["first"].categories.to_series().cast(pl.String).alias("player")

    @property
    def counts(self) -> NDArray[np.int64]:
        """How many games (N,) each of `players` has."""
        counts = np.zeros(len(self.players), np.int64)
        counts[: len(self._counts)] = self._counts
        return counts

    def shelf(self) -> Shelf:
        """Return room for further rows in the same folder, under the same bound."""
        return Shelf(self.folder, self._wanted, self._memory)

    def add(self, games: pl.DataFrame) -> None:
        """Add games: columns of `GAMES`, any but first, second, score and time left out, and `source`, its number.

        Raises
        ------
        InputError : the disk is full.
        """
        typed = {name: NAMES.get(name, COLUMNS[name]) for name in COLUMNS if name in games.columns}
        frame = games.select(pl.col(name).cast(dtype) for name, dtype in typed.items())
        frame = frame.with_columns(pl.col(name).to_physical() for name in typed if name in NAMES)
        for name, count in zip(frame.columns, frame.select(pl.all().count()).row(0), strict=True):
            self.filled[name] += count
        self.times.hear(frame["time"].to_numpy())
        self._count(frame["first"].to_numpy(), frame["second"].to_numpy())
        if SOURCE in typed:
            self._sources.update(frame[SOURCE].unique())
        self._pile.add(frame)

    def frames(
        self, columns: Collection[str] | None = None, leave_out: Rows | None = None, only: Rows | None = None
    ) -> Iterator[tuple[Rows, pl.DataFrame]]:
        """Yield the rows, their numbers first, with numbers in place of names; the columns are the same for all frames.

        Parameters
        ----------
        columns : those to read; None: all that some row fills.
        leave_out : numbers of rows, ascending, that are not wanted.
        only : numbers of rows, ascending, that alone are wanted.
        """
        read = [name for name in self.columns if columns is None or name in columns]
        for first, some in self._pile.frames(read, only):
            missing = [pl.lit(None, _stored(name)).alias(name) for name in read if name not in some.columns]
            frame = some.with_columns(missing).select(read)
            kept = np.full(len(frame), only is None)
            if only is not None:
                kept[_within(only, first, len(frame))] = True
            if leave_out is not None:
                kept[_within(leave_out, first, len(frame))] = False
            yield first + np.flatnonzero(kept), frame if kept.all() else frame.filter(kept)

    def take(self, rows: Rows) -> pl.DataFrame:
        """Return rows by their numbers, in any order, with names."""
        wanted, back = np.unique(rows, return_inverse=True)
        return self.named(pl.concat([frame for _, frame in self.frames(only=wanted)])[back])

    def named(self, frame: pl.DataFrame) -> pl.DataFrame:
        """Return a frame with names in place of their numbers."""
        return frame.with_columns(pl.col(name).cat.to(NAMES[name]) for name in frame.columns if name in NAMES)

    def _count(self, *sides: NDArray[np.uint32]) -> None:
        for side in sides:
            counts = np.bincount(side, minlength=len(self._counts))
            counts[: len(self._counts)] += self._counts
            self._counts = counts


def _stored(column: str) -> pl.DataType:
    return pl.UInt32() if column in NAMES else COLUMNS[column]


def _within(rows: Rows, first: int, count: int) -> Rows:
    """Return those of some rows that are among `count` from `first` on, counted from there."""
    return rows[slice(*np.searchsorted(rows, (first, first + count)))] - first
