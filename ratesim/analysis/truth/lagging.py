"""How far ratings are behind skills that change."""

import numpy as np
import polars as pl

from .groups import Groups
from .measure import framed
from .reading import Floats, Ints, Mask, Reading, mean

JUMP = 100.0  # rating points between two readings


class Before:
    """The skills and games (R, N) at the reading before."""

    def __init__(self) -> None:
        self.skill: Floats | None = None
        self.games: Floats = np.empty((0, 0))

    def change(self, reading: Reading) -> Floats:
        """Return how much skills have changed since the reading before, 0 where that is not known; move on."""
        was = reading.skill if self.skill is None else self.skill
        change: Floats = np.where(np.isfinite(reading.skill) & np.isfinite(was), reading.skill - was, 0.0)
        self.skill = reading.skill.copy()
        return change


class Lag:
    """A row a replicate, reading and direction: how far ratings are behind.

    Columns: replicate, day, who ("rising" or "falling": listed, and of higher or lower skill than at the reading
    before), players, lag (their mean of skill - rating, its sign turned for the falling: positive is behind), relative
    (the same after the best shift of all listed).
    """

    name = "lag"

    def __init__(self) -> None:
        self.before = Before()
        self.rows: list[pl.DataFrame] = []

    def see(self, reading: Reading) -> None:
        """Measure those who change."""
        change = self.before.change(reading)
        for who, sign in (("rising", 1.0), ("falling", -1.0)):
            some = reading.listed & (sign * change > 0)
            n = some.sum(axis=1)
            lag, relative = (mean(-sign * each, some) for each in (reading.error, reading.shifted))
            columns = {"replicate": reading.replicate, "day": np.full(len(n), reading.day), "players": n}
            table = framed(columns | {"lag": lag, "relative": relative}).filter(pl.col("players") > 0)
            self.rows.append(table.insert_column(2, pl.Series("who", [who] * len(table), dtype=pl.String)))

    def table(self) -> pl.DataFrame:
        """Return the rows, a replicate after the other."""
        return pl.concat(self.rows).sort("replicate", "who", "day", descending=[False, True, False])


class Jumps:
    """A row a replicate and group of games since a jump of skill, of 100 points or more between two readings.

    Columns: replicate, from (where the group of games since begins), games (mean, since the reading before the jump:
    by so much more than since the jump itself as readings lie apart), players, jump (mean size),
    lag (mean of skill - rating after the best shift, its sign turned where skills fell), left (lag / jump).
    A player enters each group once after each jump; those who jump again begin again.
    """

    name = "jumps"

    def __init__(self, jump: float = JUMP) -> None:
        self.jump = jump
        self.before = Before()
        self.replicate: Ints = np.empty(0, dtype=np.int64)
        self.groups: Groups | None = None
        self.size: Floats = np.empty((0, 0))  # of the last jump, 0 where there was none
        self.since: Floats = np.empty((0, 0))  # games played when it was first seen
        self.games: Floats = np.empty((0, 0))  # at the reading before

    def see(self, reading: Reading) -> None:
        """Look who has jumped, and how far those who have are behind."""
        change = self.before.change(reading)
        if self.groups is None:
            self.replicate = reading.replicate.astype(np.int64)
            self.groups = Groups(change.shape, 3)
            self.size, self.since = np.zeros(change.shape), np.zeros(change.shape)
            self.games = reading.games
        jumped: Mask = np.abs(change) >= self.jump
        self.groups.leave(jumped)
        self.size, self.since = np.where(jumped, change, self.size), np.where(jumped, self.games, self.since)
        self.games = reading.games
        new = self.groups.enter(reading.games - self.since, reading.compared & (self.size != 0))
        size = self.size[new]
        self.groups.add(new, (reading.games - self.since)[new], np.abs(size), -np.sign(size) * reading.shifted[new])

    def table(self) -> pl.DataFrame:
        """Return the rows, a replicate after the other."""
        row, begin, n, (games, size, lag) = (self.groups or Groups((0, 0), 3)).filled()
        columns = {"replicate": self.replicate[row], "from": begin, "games": games, "players": n, "jump": size}
        return framed(columns | {"lag": lag, "left": lag / size})
