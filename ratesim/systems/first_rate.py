"""The forecast of one who knows which side is named first, and nothing else."""

from typing import ClassVar, Literal

import numpy as np

from ..spec import quantity
from .base import SYSTEMS, Found, Games, WholeStream


@SYSTEMS.add
class FirstRate(WholeStream):
    """Expect of first what first has scored so far: the baseline that shows what the players' names are worth.

    The forecast of a game is (prior / 2 + sum of scores) / (prior + number of games) over the games of all earlier
    periods, weighted where games carry weights. The prior counts as that many drawn games.
    """

    breaks: ClassVar[dict[str, str]] = {
        "sides": "who stands first is all it knows",
        "complement": "it expects the same of first, whoever that is",
    }

    kind: Literal["first-rate"] = "first-rate"
    prior: float = quantity(1.0, "drawn games counted before the first one", unit="games", gt=0)

    def whole(self, games: Games) -> Found:
        """Return the running rate before each game's period (G,)."""
        weight = np.ones_like(games.score) if games.weight is None else games.weight
        opening = np.searchsorted(games.period, games.period)  # the first game of each game's period
        points, count = (np.concatenate([[0.0], np.cumsum(x)])[opening] for x in (weight * games.score, weight))
        return Found((0.5 * self.prior + points) / (self.prior + count))
