"""Skills that are as likely anywhere between two bounds."""

from typing import Literal, Self

from pydantic import model_validator

from ...errors import InputError
from ...rng import Luck
from ...spec import quantity
from ..base import SKILLS, Floats, Skills
from ..bounds import FAR


@SKILLS.add
class UniformSkills(Skills):
    """Skills drawn from the uniform distribution between `low` and `high`: mean (low + high) / 2, sd width / √12."""

    kind: Literal["uniform"] = "uniform"
    low: float = quantity(1200.0, "lowest skill", unit="rating points", ge=-FAR, le=FAR)
    high: float = quantity(1800.0, "highest skill", unit="rating points", ge=-FAR, le=FAR)

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.low > self.high:
            raise InputError(f"low = {self.low:g}", expected=f"at most high = {self.high:g} (rating points)")
        return self

    def draw(self, luck: Luck, players: int) -> Floats:
        """Return skills (R, N), rating points."""
        skill: Floats = self.low + (self.high - self.low) * luck.uniform("skill", 0, players)
        return skill
