"""How much ratings wander where skills stand still."""

import numpy as np
import polars as pl

from .measure import framed
from .reading import Floats, Ints, Reading, mean, root

REST = 100.0  # games played
FEWEST = 3  # readings


class Jitter:
    """A row a replicate: the unrest of ratings at rest.

    A player is at rest who has played 100 games or more with the skill that he now has, which was his at the reading
    before; those read at rest three times or more are looked at.

    Columns: replicate, players, readings (mean of each at rest), jitter (root mean square over players of the standard
    deviation of rating - skill within each), lasting (standard deviation over players of their mean errors: what does
    not go away by waiting, chance of the jitter included; null of one alone).
    """

    name = "jitter"

    def __init__(self, rest: float = REST) -> None:
        self.rest = rest
        self.replicate: Ints = np.empty(0, dtype=np.int64)
        self.skill: Floats | None = None  # at the reading before
        self.since: Floats = np.empty((0, 0))  # games played when skill was first read as it is
        self.count: Floats = np.empty((0, 0))
        self.middle: Floats = np.empty((0, 0))
        self.square: Floats = np.empty((0, 0))  # sum of squares about the middle

    def see(self, reading: Reading) -> None:
        """Take in those at rest, by Welford's recurrence."""
        if self.skill is None:
            self.replicate, self.skill = reading.replicate.astype(np.int64), np.full(reading.skill.shape, np.nan)
            self.since, self.count, self.middle, self.square = (np.zeros(reading.skill.shape) for _ in range(4))
        self.since = np.where(np.isfinite(self.skill) & (reading.skill != self.skill), reading.games, self.since)
        some = reading.listed & (reading.skill == self.skill) & (reading.games - self.since >= self.rest)
        self.skill = reading.skill.copy()
        self.count = self.count + some
        off = np.where(some, reading.error - self.middle, 0.0)
        self.middle = self.middle + off / np.maximum(self.count, 1)
        self.square = self.square + np.where(some, off * (reading.error - self.middle), 0.0)

    def table(self) -> pl.DataFrame:
        """Return the rows; there is none of a replicate where nobody rests."""
        some = self.count >= FEWEST
        within = mean(self.square / np.maximum(self.count - 1, 1), some)
        centred = self.middle - mean(self.middle, some)[:, None]
        n = some.sum(axis=1)
        columns = {"replicate": self.replicate, "players": n, "readings": mean(self.count, some)}
        spread = np.where(n > 1, root(mean(centred * centred, some)), np.nan)
        return framed(columns | {"jitter": root(within), "lasting": spread}).filter(pl.Series(n > 0))
