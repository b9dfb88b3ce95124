"""What foul play gains."""

import numpy as np
import polars as pl

from .measure import framed
from .reading import Reading, mean


class Foul:
    """A row a replicate and reading: how much higher than their due those stand who play foul.

    Columns: replicate, day, players (listed, of whom the world says that they are at it), rating, skill (their means),
    ahead (their mean error less that of all others listed), best (the highest of their errors less the same).
    """

    name = "foul"

    def __init__(self) -> None:
        self.rows: list[pl.DataFrame] = []

    def see(self, reading: Reading) -> None:
        """Measure those who are at it, beside those who are not."""
        if reading.foul is None:
            return
        some = reading.listed & reading.foul
        others = mean(reading.error, reading.listed & ~reading.foul)
        n = some.sum(axis=1)
        highest = np.max(np.where(some, reading.error, -np.inf), axis=1)
        columns = {"replicate": reading.replicate, "day": np.full(len(n), reading.day), "players": n}
        columns |= {name: mean(each, some) for name, each in (("rating", reading.rating), ("skill", reading.skill))}
        table = framed(columns | {"ahead": mean(reading.error, some) - others, "best": highest - others})
        self.rows.append(table.filter(pl.col("players") > 0))

    def table(self) -> pl.DataFrame:
        """Return the rows, a replicate after the other; none where nobody plays foul."""
        names = ("rating", "skill", "ahead", "best")
        schema = {"replicate": pl.Int64, "day": pl.Float64, "players": pl.Int64, **dict.fromkeys(names, pl.Float64)}
        return pl.concat([pl.DataFrame(schema=schema), *self.rows]).sort("replicate", "day")
