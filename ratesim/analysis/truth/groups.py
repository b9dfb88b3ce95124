"""Players put together by how many games they have played: 1, 2, 3, 4-5, 6-7, 8-10, 11-15, ..."""

import numpy as np

from ..means import groups
from .reading import Floats, Ints, Mask

BEGINS = np.array(groups(2**40))  # up to more games than anybody plays


class Groups:
    """Sums of what players have when they enter each group of games: each enters one once, where it is first read."""

    def __init__(self, shape: tuple[int, ...], sums: int) -> None:
        self.last = np.zeros(shape, dtype=np.int64)  # group that each has entered, 0 none
        self.sums = np.zeros((sums, shape[0], len(BEGINS) + 1))
        self.count = np.zeros((shape[0], len(BEGINS) + 1), dtype=np.int64)

    def leave(self, some: Mask) -> None:
        """Let some players (R, N) begin again."""
        self.last[some] = 0

    def enter(self, games: Floats, some: Mask) -> Mask:
        """Return who of some players (R, N) is now read in a group for the first time."""
        group = np.searchsorted(BEGINS, np.where(some, games, 0.0), side="right")
        new: Mask = some & (group > self.last)
        self.last[new] = group[new]
        return new

    def add(self, new: Mask, *values: Floats | Mask) -> None:
        """Add what those have who enter, (K,) each in the order of the mask (R, N)."""
        cells = self.count.shape[1]
        where = np.nonzero(new)[0] * cells + self.last[new]
        shape, size = self.count.shape, self.count.size
        self.count += np.bincount(where, minlength=size).reshape(shape)
        self.sums += np.array([np.bincount(where, each, size).reshape(shape) for each in values])

    def filled(self) -> tuple[Ints, Ints, Ints, Floats]:
        """Return of each group that has players: row of the replicate, where it begins, players, mean values (S, K)."""
        row, group = np.nonzero(self.count)
        count = self.count[row, group]
        return row, BEGINS[group - 1], count, self.sums[:, row, group] / count
