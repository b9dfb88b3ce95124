"""Steady improvement."""

from typing import Literal

import numpy as np

from ...rng import Luck
from ...spec import Duration, quantity
from ..base import CHANGES, Change, Floats, Memory, Moment
from ..bounds import FAR, LONG
from ..chosen import chosen


@CHANGES.add
class Improve(Change):
    """A share of the players, drawn at random, gains the same in every span of time, from arrival on.

    Ratings lag behind such players by a constant once they keep pace: see `theory`.
    """

    kind: Literal["improve"] = "improve"
    points: float = quantity(10.0, "gained in time `per`; less than 0 lost", unit="rating points", ge=-FAR, le=FAR)
    per: Duration = quantity(30.0, "time in which they gain that much", unit="days", gt=0, le=LONG)
    share: float = quantity(1.0, "of players, to the nearest whole number of them", unit="share", ge=0, le=1)

    def begin(self, skill: Floats, age: Floats, luck: Luck, moment: Moment) -> Memory:
        """Return `who` (R, N) improves."""
        return {"who": chosen(luck, "who", self.share, skill.shape[1])}

    def step(self, skill: Floats, age: Floats, memory: Memory, luck: Luck, moment: Moment) -> None:
        """Change skills (R, N) in place."""
        skill += np.where(memory["who"], self.points / self.per * np.clip(age, 0.0, moment.days), 0.0)
