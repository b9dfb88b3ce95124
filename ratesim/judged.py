"""Games with all that losses of their forecasts are made of, as a folder keeps them beside forecasts."""

from collections.abc import Sequence
from typing import NamedTuple, Self

import numpy as np
import polars as pl
from numpy.typing import NDArray

from .chances import draw_chances, three_way
from .inference import month_blocks
from .metrics import Metric

Floats = NDArray[np.float64]


class Scored(NamedTuple):
    """Games of a stream, those judged marked; arrays are (G,)."""

    score: Floats
    time: Floats  # days since 1970-01-01 UTC
    first: NDArray[np.integer]
    second: NDArray[np.integer]
    weight: Floats | None
    mask: NDArray[np.bool_]  # the games that are judged
    block: NDArray[np.integer]  # of games that are taken as one in errors; of those not judged, nothing
    replicate: NDArray[np.integer] | None = None  # of a simulated stream; their players never meet

    def losses(self, metric: Metric, forecast: Floats, draw: Floats | None = None) -> Floats:
        """Return the loss of each game judged, NaN without a forecast.

        Where it judges wins, draws and losses, draws are the system's own, `draw` (G,), if it tells them. Else they are
        those of `draw_chances`, fitted to the months before: in each replicate by itself, for players of two never
        meet.
        """
        if not metric.three_way:
            return metric.each(forecast[self.mask], self.score[self.mask])
        draw = self._draws(forecast) if draw is None else draw
        return metric.each(three_way(forecast, draw)[self.mask], self.score[self.mask])

    def _draws(self, forecast: Floats) -> Floats:
        """Return the chance of a draw of each game."""
        months, found = month_blocks(self.time), np.empty(len(forecast))
        for games in self._apart():
            weight = None if self.weight is None else self.weight[games]
            found[games] = draw_chances(forecast[games], self.score[games], months[games], weight).chance
        return found

    def _apart(self) -> Sequence[NDArray[np.int64]]:
        """Return the games of each replicate, in the order of the stream."""
        if self.replicate is None:
            return [np.arange(len(self.score))]
        order = np.argsort(self.replicate, kind="stable")
        return np.split(order, np.flatnonzero(np.diff(self.replicate[order])) + 1)

    def frame(self) -> pl.DataFrame:
        """Return the games as a table, a row a game in the order of the stream."""
        arrays = {key: value for key, value in self._asdict().items() if value is not None}
        small = [pl.col("first", "second").cast(pl.UInt32), pl.col("block").cast(pl.Int32)]
        return pl.DataFrame(arrays).with_columns(small)

    @classmethod
    def of(cls, frame: pl.DataFrame) -> Self:
        """Return the games of such a table."""
        score, time, first, second, mask, block = (
            frame[name].to_numpy() for name in ("score", "time", "first", "second", "mask", "block")
        )
        weight, replicate = (
            frame[name].to_numpy() if name in frame.columns else None for name in ("weight", "replicate")
        )
        return cls(score, time, first, second, weight, mask, block, replicate)
