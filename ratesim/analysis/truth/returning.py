"""How far ratings are off of players who come back from a break."""

import numpy as np
import polars as pl

from .groups import Groups
from .measure import framed
from .reading import Floats, Ints, Reading, over, root

PAUSE = 180.0  # days without a game that make a break
SUMS = 6


class Returns:
    """A row a replicate and group of games since a break, of 180 days or more without a game as far as readings tell.

    That is from the last reading that showed a game to the next that does, with at least one between that shows none.

    Columns: replicate, from (where the group of games since begins), games (mean, since the last reading without one),
    players, away (mean length of the break, days), shifted (RMSE after the best shift of all listed), claimed (root
    mean square of deviations above 0) and z_rms (root mean square of error / deviation), null where none are claimed.
    A player enters each group once after each break.
    """

    name = "returns"

    def __init__(self, pause: float = PAUSE) -> None:
        self.pause = pause
        self.replicate: Ints = np.empty(0, dtype=np.int64)
        self.groups: Groups | None = None
        self.games: Floats = np.empty((0, 0))  # at the reading before
        self.day = -np.inf  # of the reading before
        self.seen: Floats = np.empty((0, 0))  # day of the last reading that showed a game, infinite before the first
        self.since: Floats = np.empty((0, 0))  # games played before the last break
        self.away: Floats = np.empty((0, 0))  # its length, 0 where there was none

    def see(self, reading: Reading) -> None:
        """Look who is back, and how far off those are who have been away."""
        if self.groups is None:
            shape = reading.rating.shape
            self.replicate, self.groups = reading.replicate.astype(np.int64), Groups(shape, SUMS)
            self.games, self.since, self.away = (np.zeros(shape) for _ in range(3))
            self.seen = np.full(shape, np.inf)
        gap = reading.day - self.seen
        plays = reading.games > self.games
        back = plays & (gap >= self.pause) & (self.seen < self.day)
        self.groups.leave(back)
        self.since, self.away = np.where(back, self.games, self.since), np.where(back, gap, self.away)
        self.seen, self.games = np.where(plays, reading.day, self.seen), reading.games
        self.day = reading.day
        since = reading.games - self.since
        new = self.groups.enter(since, reading.compared & (self.away > 0))
        error = reading.shifted[new]
        sure = reading.sure[new]
        claim = np.where(sure, 0.0 if reading.deviation is None else reading.deviation[new], 0.0)
        z = error / np.where(sure, claim, np.inf)
        self.groups.add(new, since[new], self.away[new], error * error, sure, claim * claim, z * z)

    def table(self) -> pl.DataFrame:
        """Return the rows, a replicate after the other."""
        row, begin, n, (games, away, square, sure, *claims) = (self.groups or Groups((0, 0), SUMS)).filled()
        claimed, z = (root(over(each, sure)) for each in claims)
        columns = {"replicate": self.replicate[row], "from": begin, "games": games, "players": n, "away": away}
        return framed(columns | {"shifted": root(square), "claimed": claimed, "z_rms": z})
