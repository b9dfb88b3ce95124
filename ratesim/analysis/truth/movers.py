"""Those whose skill has changed, and those whose skill has not, side by side."""

import numpy as np
import polars as pl

from .errors import rms
from .measure import framed
from .reading import Floats, Mask, Reading, mean

CHANGED, UNCHANGED = "changed", "unchanged"


class Movers:
    """A row a replicate, reading and kind of player: how far ratings are off, and what systems believe of them.

    Columns: replicate, day, who ("changed": listed, and of another skill at any reading so far than where first read;
    "unchanged": all others listed), players, shifted (RMSE after the best shift of all listed), bias (mean of rating -
    skill after that shift), claimed (root mean square of deviations), volatility (mean, as the system has it); the last
    two null where the system has none.
    """

    name = "movers"

    def __init__(self) -> None:
        self.first: Floats | None = None  # skill where first read, NaN before
        self.changed: Mask = np.empty((0, 0), dtype=np.bool_)
        self.rows: list[pl.DataFrame] = []

    def see(self, reading: Reading) -> None:
        """Look whose skill is another than it was, and measure both kinds."""
        skill = reading.skill
        if self.first is None:
            self.first, self.changed = skill.copy(), np.zeros(skill.shape, dtype=np.bool_)
        self.first = np.where(np.isnan(self.first), skill, self.first)
        self.changed |= np.isfinite(skill) & (skill != self.first)
        for who, kind in ((CHANGED, self.changed), (UNCHANGED, ~self.changed)):
            some = reading.listed & kind
            n = some.sum(axis=1)
            unknown = np.full(len(n), np.nan)
            columns = {
                "replicate": reading.replicate, "day": np.full(len(n), reading.day), "players": n,
                "shifted": rms(reading.shifted, some), "bias": mean(reading.shifted, some),
                "claimed": unknown if reading.deviation is None else rms(reading.deviation, some),
                "volatility": unknown if reading.volatility is None else mean(reading.volatility, some),
            }  # fmt: skip
            table = framed(columns).filter(pl.col("players") > 0)
            self.rows.append(table.insert_column(2, pl.Series("who", [who] * len(table), dtype=pl.String)))

    def table(self) -> pl.DataFrame:
        """Return the rows, a replicate after the other."""
        return pl.concat(self.rows).sort("replicate", "who", "day")
