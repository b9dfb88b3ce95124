"""Games in order of time, however many: a stable sort in pieces that memory has room for."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

from .piles import Shelf, scatter

if TYPE_CHECKING:
    from .spool import Rows, Spool

ROOM: Final = 1_000_000  # rows that are sorted at once
STEP: Final = 64  # of so many rows one tells when the others are


class Times:
    """When rows are, as far as a sort has to know: whether they are in order, and a sample of them.

    >>> times = Times()
    >>> times.hear(np.array([1.0, 2.0]))
    >>> times.hear(np.array([2.0, 3.0]))
    >>> times.in_order
    True
    """

    def __init__(self) -> None:
        self.in_order = True
        self.rows = 0
        self._last = -np.inf
        self._sample: list[NDArray[np.float64]] = []

    def hear(self, time: NDArray[np.float64]) -> None:
        """Take note of further rows, in days."""
        if not len(time):
            return
        self.in_order = self.in_order and bool(time[0] >= self._last and (time[1:] >= time[:-1]).all())
        self._last = time[-1]
        self._sample.append(time[-self.rows % STEP :: STEP].copy())
        self.rows += len(time)

    def edges(self, room: int) -> NDArray[np.float64]:
        """Return times, ascending, that cut the rows into pieces of about half of `room`, or of a single time.

        A row at an edge belongs to the piece after it. Pieces of games that share their time need no sorting, so they
        may be of any size.
        """
        pieces = 2 * self.rows // room + 2
        sample = np.sort(np.concatenate(self._sample))
        cuts = sample[np.linspace(0, len(sample) - 1, pieces + 1).astype(np.int64)]
        crowded = np.nextafter(cuts[1:][cuts[1:] == cuts[:-1]], np.inf)
        return np.unique(np.concatenate([cuts, crowded]))


def by_time(spool: "Spool", *, leave_out: "Rows | None" = None, room: int = ROOM) -> Iterator[pl.DataFrame]:
    """Yield the rows of a spool in order of time, those of one time in the order in which they were added.

    Rows that stand in order already pass as they are. Others are put on piles by time, each with room in memory, on
    disk where all together have none, and each pile is sorted when its turn comes.

    Parameters
    ----------
    leave_out : numbers of rows, ascending, that are not wanted.
    room : rows that are sorted at once.

    Raises
    ------
    InputError : the disk is full.
    """
    frames = (frame for _, frame in spool.frames(leave_out=leave_out))
    if spool.times.in_order:
        yield from map(spool.named, frames)
        return
    shelf = spool.shelf()
    for frame in _sorted(frames, spool.times, shelf, room):
        yield spool.named(frame)


def _sorted(frames: Iterator[pl.DataFrame], times: Times, shelf: Shelf, room: int) -> Iterator[pl.DataFrame]:
    if times.rows <= room:
        whole = list(frames)
        if whole:
            yield pl.concat(whole).sort("time", maintain_order=True)
        return
    edges = times.edges(room)
    piles = [(shelf.pile(), Times()) for _ in range(len(edges) + 1)]
    for frame in frames:
        time = frame["time"].to_numpy()
        to = np.searchsorted(edges, time, side="right").astype(np.uint16)
        for n in np.unique(to):
            piles[n][1].hear(time[to == n])
        scatter(frame, to, [pile for pile, _ in piles])
    for pile, within in piles:
        inside = (frame for _, frame in pile.frames())
        yield from inside if within.in_order else _sorted(inside, within, shelf, room)
        pile.drop()
