"""Games per player that fall as a power of rank."""

from typing import ClassVar, Literal

import numpy as np

from ...rng import Luck
from ...spec import quantity
from ..base import ACTIVITIES, Activity, Floats, Memory, Moment
from ..chosen import shuffled
from ..elementwise import exponential, logarithm


@ACTIVITIES.add
class Zipf(Activity):
    """The player of rank n plays in proportion to n^-exponent (Zipf's law); ranks are dealt at random.

    Rank is of activity and has nothing to do with skill. Where a pairing lets each play once a round, all who are there
    do so if there is room for them, however active they are.
    """

    graded: ClassVar[bool] = True
    kind: Literal["zipf"] = "zipf"
    exponent: float = quantity(1.0, "0 all alike, 1 the classic law", unit="exponent", ge=0, le=10)

    def begin(self, luck: Luck, players: int, moment: Moment) -> Memory:
        """Return the weights (R, N) of all rounds."""
        by_rank = exponential(-self.exponent * logarithm(np.arange(1.0, players + 1)))
        return {"weight": by_rank[shuffled(luck, "rank", players)]}

    def weight(self, memory: Memory, luck: Luck, moment: Moment) -> Floats:
        """Return relative chances (R, N) to play in this round."""
        weight: Floats = memory["weight"]
        return weight
