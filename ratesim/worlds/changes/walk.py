"""Random walks."""

import math
from typing import Literal

import numpy as np

from ...rng import Luck
from ...spec import Duration, quantity
from ..base import CHANGES, Change, Floats, Memory, Moment
from ..bounds import FAR, LONG


@CHANGES.add
class Walk(Change):
    """Skills do a random walk (Brownian motion) from each player's arrival on.

    After time t, a skill has changed by a normal deviate with variance sd² t / per; changes in different spans of time
    are independent. It is what Glicko expects, with c = sd in rating periods of length `per` (Glickman, Appl. Statist.
    48 (1999) 377).
    """

    kind: Literal["walk"] = "walk"
    sd: float = quantity(35.0, "standard deviation of the change in time `per`", unit="rating points", ge=0, le=FAR)
    per: Duration = quantity(30.0, "time in which skills change that much", unit="days", gt=0, le=LONG)

    def step(self, skill: Floats, age: Floats, memory: Memory, luck: Luck, moment: Moment) -> None:
        """Change skills (R, N) in place."""
        spread = self.sd / math.sqrt(self.per) * np.sqrt(np.clip(age, 0.0, moment.days))
        skill += spread * luck.normal("step", moment.round, skill.shape[1])
