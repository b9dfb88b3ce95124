"""Breaks and returns."""

from typing import Literal

import numpy as np

from ...errors import InputError
from ...rng import Luck
from ...spec import Duration, choice, quantity
from ..base import ACTIVITIES, Activity, Floats, Memory, Moment
from ..bounds import LONG
from ..chosen import chosen


@ACTIVITIES.add
class Breaks(Activity):
    """A share of the players, drawn at random, takes one break each and plays in no round that opens within it."""

    kind: Literal["breaks"] = "breaks"
    share: float = quantity(0.2, "of players, to the nearest whole number of them", unit="share", ge=0, le=1)
    length: Duration = quantity(365.0, "of a break, from its first moment on", unit="days", ge=0, le=LONG)
    when: Literal["middle", "random"] = choice(
        "middle", "middle: all in the middle of the time; random: each anywhere in it, uniformly, to end before it does"
    )

    def begin(self, luck: Luck, players: int, moment: Moment) -> Memory:
        """Return `away`, the day (R, N) on which each break begins, infinite where there is none.

        Raises
        ------
        InputError : a break is longer than the time of the world.
        """
        room = moment.span - self.length
        if room < 0:
            raise InputError(f"length = {self.length:g}", expected=f"at most the {moment.span:g} days of the world")
        part = luck.uniform("when", 0, players) if self.when == "random" else 0.5
        taken = chosen(luck, "who", self.share, players)
        return {"away": np.where(taken, part * room, np.inf)}

    def weight(self, memory: Memory, luck: Luck, moment: Moment) -> Floats:
        """Return 0 (R, N) for those on a break, 1 for all others."""
        since = moment.day - memory["away"]
        weight: Floats = ((since < 0) | (since >= self.length)).astype(np.float64)
        return weight
