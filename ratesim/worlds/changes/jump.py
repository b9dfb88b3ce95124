"""Sudden changes."""

from typing import Literal

import numpy as np

from ...errors import InputError
from ...rng import Luck
from ...spec import Duration, quantity
from ..base import CHANGES, Change, Floats, Memory, Moment
from ..bounds import FAR, LONG
from ..chosen import chosen
from ..elementwise import exponential

MOST = 100.0  # jumps to be expected of a player in a round


@CHANGES.add
class Jump(Change):
    """A share of the players, drawn at random, jumps: once, all on one day, or again and again, each for themselves.

    A jump is normal with mean `points` and standard deviation `sd`. Those who jump again and again do so as a Poisson
    process: in time t, a change has mean points t / every and variance (points² + sd²) t / every. Nobody jumps before
    they have arrived.
    """

    kind: Literal["jump"] = "jump"
    points: float = quantity(200.0, "mean of a jump; less than 0 down", unit="rating points", ge=-FAR, le=FAR)
    sd: float = quantity(0.0, "standard deviation of a jump", unit="rating points", ge=0, le=FAR)
    share: float = quantity(0.1, "of players, to the nearest whole number of them", unit="share", ge=0, le=1)
    at: Duration = quantity(0.0, "day of the jump; it shows in the first round after", unit="days", ge=0, le=LONG)
    every: Duration = quantity(
        0.0, "mean time between a player's jumps, from `at` on; 0 they jump once", unit="days", ge=0, le=LONG
    )

    def check(self, days: float) -> None:
        """Refuse a world of so few days."""
        if self.at and self.at >= days:
            raise InputError(f"jump: at = {self.at:g}", expected=f"a day before the end, {days:g}")

    def begin(self, skill: Floats, age: Floats, luck: Luck, moment: Moment) -> Memory:
        """Return `who` (R, N) jumps; those who jump once, on the first day, have jumped.

        Raises
        ------
        InputError : more than 100 jumps of a player are to be expected in a round.
        """
        round_ = moment.span / moment.rounds
        if self.every and round_ > MOST * self.every:
            raise InputError(f"every = {self.every:g}", expected=f"at least {round_ / MOST:g} (days), or a walk")
        memory = {"who": chosen(luck, "who", self.share, skill.shape[1])}
        if not self.every and self.at <= moment.day:
            self._jump(skill, (memory["who"] & (age >= 0)).astype(np.float64), luck, moment)
        return memory

    def step(self, skill: Floats, age: Floats, memory: Memory, luck: Luck, moment: Moment) -> None:
        """Change skills (R, N) in place."""
        before = (moment.round - 1) * moment.days
        if self.every:
            time = np.clip(np.minimum(age, moment.day - self.at), 0.0, moment.days)
            mean = np.where(memory["who"], time / self.every, 0.0)
            jumps = poisson(luck.uniform("number", moment.round, skill.shape[1]), mean)
        elif before < self.at <= moment.day:
            jumps = (memory["who"] & (age >= 0)).astype(np.float64)
        else:
            return
        self._jump(skill, jumps, luck, moment)

    def _jump(self, skill: Floats, jumps: Floats, luck: Luck, moment: Moment) -> None:
        skill += self.points * jumps
        if self.sd:
            skill += self.sd * np.sqrt(jumps) * luck.normal("size", moment.round, skill.shape[1])


def poisson(u: Floats, mean: Floats) -> Floats:
    """Return Poisson numbers by inversion of uniform ones: how many partial sums of e^-m m^k / k! lie below u.

    Parameters
    ----------
    u : in (0, 1).
    mean : at most 100, of the shape of u.
    """
    term = exponential(-mean)
    total, number = term.copy(), np.zeros(u.shape)
    for k in range(1, 300):  # beyond 300 a number has probability 1e-50, however the sum is rounded
        below = u > total
        if not below.any():
            break
        number += below
        term *= mean / k
        total += term
    return number
