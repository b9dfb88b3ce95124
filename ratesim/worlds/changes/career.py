"""Careers: juniors rise, veterans fall."""

from typing import Literal, Self

import numpy as np
from pydantic import model_validator

from ...errors import InputError
from ...rng import Luck
from ...spec import quantity
from ..base import CHANGES, Change, Floats, Memory, Moment
from ..bounds import FAR, YEAR
from ..elementwise import exponential


@CHANGES.add
class Career(Change):
    """Skill follows age: a logistic learning curve, and a steady decline from some age on.

    What `skills` draws is a player's full strength. At age a it is less by

        rise / (1 + e^((a - middle) / width)) + decline x max(0, a - turn).

    Those who are there at first have ages drawn uniformly from youngest to oldest; all others arrive at the youngest.
    The learning curve is that of the documentation of TrueSkill Through Time; best years about 36: Elo, J. Gerontology
    20 (1965) 289. How much is gained and lost is ours to choose.
    """

    kind: Literal["career"] = "career"
    youngest: float = quantity(8.0, "age of arrivals, lowest of the first", unit="years", ge=0, le=150)
    oldest: float = quantity(70.0, "highest age of the first", unit="years", ge=0, le=150)
    rise: float = quantity(800.0, "what is learnt in a life", unit="rating points", ge=0, le=FAR)
    middle: float = quantity(12.0, "age at which half of it is", unit="years", ge=0, le=150)
    width: float = quantity(
        2.0, "of the learning curve, which is steepest at rise / (4 width)", unit="years", gt=0, le=150
    )
    turn: float = quantity(36.0, "age from which on strength is lost", unit="years", ge=0, le=150)
    decline: float = quantity(5.0, "lost a year from then on", unit="rating points", ge=0, le=FAR)

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.youngest > self.oldest:
            raise InputError(f"youngest = {self.youngest:g}", expected=f"at most oldest = {self.oldest:g} (years)")
        return self

    def lacking(self, years: Floats) -> Floats:
        """Return what players of some age (years) lack of their full strength, rating points."""
        learnt = 1.0 + exponential((years - self.middle) / self.width)
        lack: Floats = self.rise / learnt + self.decline * np.maximum(years - self.turn, 0.0)
        return lack

    def begin(self, skill: Floats, age: Floats, luck: Luck, moment: Moment) -> Memory:
        """Return `came`, the age (R, N) at arrival in years, and what is `lacking`, which is taken off."""
        ages = self.youngest + (self.oldest - self.youngest) * luck.uniform("age", 0, skill.shape[1])
        came = np.where(age < 0, self.youngest, ages)
        lack = self.lacking(came)
        skill -= lack
        return {"came": came, "lacking": lack}

    def step(self, skill: Floats, age: Floats, memory: Memory, luck: Luck, moment: Moment) -> None:
        """Change skills (R, N) in place."""
        lack = self.lacking(memory["came"] + np.maximum(age, 0.0) / YEAR)
        skill += memory["lacking"] - lack
        memory["lacking"] = lack
