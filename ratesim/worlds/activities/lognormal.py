"""Games per player that are log-normal."""

from typing import ClassVar, Literal

from ...rng import Luck
from ...spec import quantity
from ..base import ACTIVITIES, Activity, Floats, Memory, Moment
from ..elementwise import exponential


@ACTIVITIES.add
class LogNormal(Activity):
    """A player plays in proportion to e^(sigma z - sigma²/2), z standard normal: mean 1, variance e^(sigma²) - 1.

    Where a pairing lets each play once a round, all who are there do so if there is room for them.
    """

    graded: ClassVar[bool] = True
    kind: Literal["lognormal"] = "lognormal"
    sigma: float = quantity(1.0, "standard deviation of the logarithm; 0 all alike", unit="natural log", ge=0, le=10)

    def begin(self, luck: Luck, players: int, moment: Moment) -> Memory:
        """Return the weights (R, N) of all rounds."""
        half = 0.5 * self.sigma * self.sigma
        return {"weight": exponential(self.sigma * luck.normal("weight", 0, players) - half)}

    def weight(self, memory: Memory, luck: Luck, moment: Moment) -> Floats:
        """Return relative chances (R, N) to play in this round."""
        weight: Floats = memory["weight"]
        return weight
