"""Arrivals and departures."""

from typing import Literal

import numpy as np

from ...rng import Luck
from ...spec import Duration, quantity
from ..base import ACTIVITIES, Activity, Floats, Memory, Moment
from ..bounds import LONG
from ..chosen import chosen
from ..elementwise import logarithm


@ACTIVITIES.add
class Turnover(Activity):
    """A share of the players, drawn at random, arrives later; everybody leaves after a time and does not come back.

    Times of arrival are uniform, as those of a Poisson process of given number are: newcomers x players / span a day.
    Time there is exponential with mean `stay`. Of N players, with share c of newcomers and span T, on day t

        N (1 - c) e^(-t / stay) + N c (stay / T) (1 - e^(-t / stay))

    are to be expected there; as many all the time where stay = T (1 - c) / c.
    """

    kind: Literal["turnover"] = "turnover"
    newcomers: float = quantity(
        0.5, "share of players who arrive later, to the nearest whole number of them", unit="share", ge=0, le=1
    )
    stay: Duration = quantity(0.0, "mean time from arrival to departure; 0 nobody leaves", unit="days", ge=0, le=LONG)

    def begin(self, luck: Luck, players: int, moment: Moment) -> Memory:
        """Return `arrives`, 0 for those who are there first, and `leaves`, infinite for those who stay: days (R, N)."""
        later = chosen(luck, "who", self.newcomers, players)
        arrives = np.where(later, moment.span * luck.uniform("arrives", 0, players), 0.0)
        if not self.stay:
            return {"arrives": arrives, "leaves": np.full(arrives.shape, np.inf)}
        return {"arrives": arrives, "leaves": arrives - self.stay * logarithm(luck.uniform("stays", 0, players))}

    def weight(self, memory: Memory, luck: Luck, moment: Moment) -> Floats:
        """Return 1 (R, N) for those who are there, 0 for all others."""
        there = (memory["arrives"] <= moment.day) & (moment.day < memory["leaves"])
        weight: Floats = there.astype(np.float64)
        return weight
