"""Where rating points come into a pool, and where they leave it."""

import numpy as np
import polars as pl

from .measure import framed
from .reading import Floats, Mask, Reading, total

NEWCOMER = 30.0  # games, up to which a player counts as one


class Ledger:
    """A row a replicate and reading: the points of all who are there and have a rating, and where they came from.

    Columns: replicate, day, players (there and with a rating, games or not), points (the sum of their ratings), skill
    (the sum of their skills); then counts and sums since the first reading: arrived, departed (players), arrivals
    (points that they brought with them), departures (points that they took away, negative), newcomers and others
    (points that games, rules, floors and age gave to players with up to 30 games at the reading before, and to all
    others). points = those of the first reading + arrivals + departures + newcomers + others. Where all have the same
    K, newcomers + others is 0: what one wins another loses; what is not 0 is made, or destroyed, by unequal K, floors
    and the like.
    """

    name = "ledger"

    def __init__(self, newcomer: float = NEWCOMER) -> None:
        self.newcomer = newcomer
        self.rating: Floats | None = None
        self.games: Floats = np.empty((0, 0))
        self.pool: Mask = np.empty((0, 0), dtype=np.bool_)
        self.sums: dict[str, Floats] = {}
        self.rows: list[dict[str, Floats]] = []

    def see(self, reading: Reading) -> None:
        """Enter what has happened since the reading before."""
        pool = np.isfinite(reading.skill) & np.isfinite(reading.rating)
        if self.rating is None:
            zero = np.zeros(len(reading.rating))
            names = ("arrived", "departed", "arrivals", "departures", "newcomers", "others")
            self.sums = {name: zero.copy() for name in names}
        else:
            self._enter(self.rating, reading, pool)
        self.rating, self.games, self.pool = reading.rating, reading.games, pool
        day = np.full(len(pool), reading.day)
        row = {"replicate": reading.replicate, "day": day, "players": pool.sum(axis=1)}
        row |= {"points": total(reading.rating, pool), "skill": total(reading.skill, pool)}
        self.rows.append(row | {name: each.copy() for name, each in self.sums.items()})

    def _enter(self, was: Floats, reading: Reading, pool: Mask) -> None:
        """Arrivals bring the rating they had before they played, departures take what they have in the end."""
        now = reading.rating
        begin, end = np.where(np.isfinite(was), was, now), np.where(np.isfinite(now), now, was)
        arrived, departed = pool & ~self.pool, self.pool & ~pool
        passed = ~pool & ~self.pool & (reading.games > self.games) & np.isfinite(end)  # came and went between readings
        change, new = end - begin, self.games <= self.newcomer
        some = pool | self.pool | passed
        entries = {
            "arrived": (arrived | passed).sum(axis=1),
            "departed": (departed | passed).sum(axis=1),
            "arrivals": total(begin, arrived | passed),
            "departures": -total(end, departed | passed),
            "newcomers": total(change, some & new),
            "others": total(change, some & ~new),
        }
        for name, entry in entries.items():
            self.sums[name] += entry

    def table(self) -> pl.DataFrame:
        """Return the rows, a replicate after the other."""
        columns = {name: np.concatenate([row[name] for row in self.rows]) for name in self.rows[0]}
        return framed(columns).sort("replicate", "day", maintain_order=True)
