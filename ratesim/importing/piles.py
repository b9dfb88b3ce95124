"""Rows that wait for a later step: in memory while they are few, then on disk."""

import io
import itertools
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..files import writing
from ..io.batch import SIZE

MEMORY: Final = 2**28  # bytes of rows that a shelf holds before it writes them

NUMBERS: Final = itertools.count()  # names of files, never one twice in a process


class Block(NamedTuple):
    """Some rows of a pile, in memory or at a place of its file."""

    rows: int
    columns: list[str]
    frame: pl.DataFrame | None
    start: int = 0  # in the file
    size: int = 0  # bytes


class Shelf:
    """Piles that share a folder and a bound on memory.

    Parameters
    ----------
    folder : where rows go that memory has no place for; there already.
    wanted : the file for whose sake all this is done, for messages.
    memory : bytes of rows held before all are written.
    """

    def __init__(self, folder: Path, wanted: Path, memory: int = MEMORY) -> None:
        self._folder, self._wanted, self._memory = folder, wanted, memory
        self._piles: list[Pile] = []
        self._held = 0

    def pile(self) -> "Pile":
        """Return a new pile."""
        self._piles.append(Pile(self, self._folder / f"{next(NUMBERS)}.arrow"))
        return self._piles[-1]

    def piles(self, count: int) -> list["Pile"]:
        """Return new piles."""
        return [self.pile() for _ in range(count)]

    def grown(self, size: int) -> None:
        """Take note of rows held; write all that are, where they are too many.

        Raises
        ------
        InputError : the disk is full.
        """
        self._held += size
        if self._held > self._memory:
            with writing(self._wanted):
                for pile in self._piles:
                    self._held -= pile.spill()

    def forget(self, pile: "Pile", held: int) -> None:
        """Let a pile go that held some bytes."""
        self._piles.remove(pile)
        self._held -= held


class Pile:
    """Rows in the order in which they were added; frames may differ in columns."""

    def __init__(self, shelf: Shelf, path: Path) -> None:
        self._shelf, self._path = shelf, path
        self._blocks: list[Block] = []
        self._held = self.rows = 0

    def add(self, frame: pl.DataFrame, size: int | None = None) -> None:
        """Put rows on top, of which it may be known how many bytes they take."""
        if not len(frame):
            return
        self._blocks.append(Block(len(frame), frame.columns, frame))
        size = int(frame.estimated_size()) if size is None else size
        self._held += size
        self.rows += len(frame)
        self._shelf.grown(size)

    def frames(
        self, columns: Collection[str] | None = None, holding: NDArray[np.int64] | None = None
    ) -> Iterator[tuple[int, pl.DataFrame]]:
        """Yield the rows as frames, each with the number of its first row.

        Parameters
        ----------
        columns : those to read, of which a frame has those that it was added with; None: all.
        holding : numbers of rows, ascending: frames without any of them are passed over.
        """
        first = 0
        for block in self._blocks:
            low, high = (0, 1) if holding is None else np.searchsorted(holding, (first, first + block.rows))
            if low < high:
                yield first, self._read(block, [each for each in block.columns if columns is None or each in columns])
            first += block.rows

    def whole(self) -> pl.DataFrame:
        """Return all rows as one frame."""
        return pl.concat([frame for _, frame in self.frames()], how="diagonal")

    def spill(self) -> int:
        """Write what is in memory; return how many bytes of memory that frees."""
        self._blocks, blocks = [], self._blocks
        waiting: list[pl.DataFrame] = []
        for block in blocks:
            if block.frame is None:
                self._blocks.append(block)
            else:
                waiting.append(block.frame)
                if sum(map(len, waiting)) >= SIZE:
                    self._write(waiting)
        self._write(waiting)
        freed, self._held = self._held, 0
        return freed

    def drop(self) -> None:
        """Forget the rows and remove their file."""
        self._shelf.forget(self, self._held)
        self._blocks = []
        self._path.unlink(missing_ok=True)

    def _write(self, waiting: list[pl.DataFrame]) -> None:
        """Move frames to the file, as one."""
        if not waiting:
            return
        frame = pl.concat(waiting, how="diagonal")
        waiting.clear()
        packed = io.BytesIO()
        frame.write_ipc_stream(packed, compression="lz4")
        with self._path.open("ab") as file:
            start = file.tell()
            file.write(packed.getbuffer())
        self._blocks.append(Block(len(frame), frame.columns, None, start, packed.tell()))

    def _read(self, block: Block, columns: list[str]) -> pl.DataFrame:
        if block.frame is not None:
            return block.frame.select(columns)
        with self._path.open("rb") as file:
            file.seek(block.start)
            return pl.read_ipc_stream(io.BytesIO(file.read(block.size)), columns=columns)


def scatter(frame: pl.DataFrame, to: NDArray[Any], piles: Sequence[Pile]) -> None:
    """Put each row of a frame on the pile of its number, (rows,) of `to`, in the order of the frame."""
    if len(piles) == 1:
        piles[0].add(frame)
        return
    order = np.argsort(to, kind="stable")
    bounds = np.searchsorted(to[order], np.arange(len(piles) + 1))
    sorted_rows, share = frame[order], frame.estimated_size() / max(1, len(frame))
    for pile, start, end in zip(piles, bounds[:-1], bounds[1:], strict=True):
        pile.add(sorted_rows[int(start) : int(end)], int(share * (end - start)))
