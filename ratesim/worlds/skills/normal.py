"""Normal skills."""

from typing import Literal

from ...rng import Luck
from ...spec import quantity
from ..base import SKILLS, Floats, Skills
from ..bounds import FAR


@SKILLS.add
class Normal(Skills):
    """Skills drawn from a normal distribution."""

    kind: Literal["normal"] = "normal"
    mean: float = quantity(1500.0, "mean skill", unit="rating points", ge=-FAR, le=FAR)
    sd: float = quantity(200.0, "standard deviation of skills", unit="rating points", ge=0, le=FAR)

    def draw(self, luck: Luck, players: int) -> Floats:
        """Return skills (R, N), rating points."""
        skill = luck.normal("skill", 0, players)
        skill *= self.sd
        skill += self.mean
        return skill
