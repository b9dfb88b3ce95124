"""Form that comes and goes."""

import math
from typing import Literal

from ...jit import plain
from ...maths import exp
from ...rng import Luck
from ...spec import Duration, quantity
from ..base import CHANGES, Change, Floats, Memory, Moment
from ..bounds import FAR, LONG

LN2 = math.log(2.0)


@CHANGES.add
class OrnsteinUhlenbeck(Change):
    """Form wanders about each player's own level and is drawn back to it (Uhlenbeck & Ornstein, Phys. Rev. 36, 1930).

    Form is normal with standard deviation sd at all times, from the first round on; forms at times t apart correlate by
    2^(-t / half_life). Steps are exact, however long: x' = a x + sd sqrt(1 - a²) z, where a is that correlation. Skills
    that are drawn back to the mean of all have their whole spread here and none in `skills`.
    """

    kind: Literal["ornstein-uhlenbeck"] = "ornstein-uhlenbeck"
    sd: float = quantity(50.0, "standard deviation of form", unit="rating points", ge=0, le=FAR)
    half_life: Duration = quantity(90.0, "time in which half of a form is lost", unit="days", gt=0, le=LONG)

    def begin(self, skill: Floats, age: Floats, luck: Luck, moment: Moment) -> Memory:
        """Return the forms (R, N), which are added to skills."""
        form = self.sd * luck.normal("form", 0, skill.shape[1])
        skill += form
        return {"form": form}

    def step(self, skill: Floats, age: Floats, memory: Memory, luck: Luck, moment: Moment) -> None:
        """Change skills (R, N) in place."""
        kept = plain(exp)(-LN2 * moment.days / self.half_life)
        fresh = self.sd * math.sqrt(1.0 - kept * kept)
        form = kept * memory["form"] + fresh * luck.normal("step", moment.round, skill.shape[1])
        skill += form - memory["form"]
        memory["form"] = form
