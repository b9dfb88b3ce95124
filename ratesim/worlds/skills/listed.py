"""Skills out of a list."""

from typing import Annotated, Literal

import numpy as np
from pydantic import Field, StrictBool

from ...rng import Luck
from ..base import SKILLS, Floats, Skills
from ..bounds import FAR


@SKILLS.add
class Listed(Skills):
    """Skills that are given: in turn, over and over, so that every world has the same; or drawn with replacement."""

    kind: Literal["list"] = "list"
    values: tuple[Annotated[float, Field(strict=True, ge=-FAR, le=FAR)], ...] = Field(
        ..., description="skills, rating points", min_length=1
    )
    drawn: StrictBool = Field(
        default=False, description="whether each player's is drawn from the list; otherwise player n has value n"
    )

    def draw(self, luck: Luck, players: int) -> Floats:
        """Return skills (R, N), rating points."""
        values = np.array(self.values)
        if not self.drawn:
            return np.tile(np.resize(values, players), (len(luck), 1))
        # u < 1 keeps the product below len, but for lists so long that it rounds up
        place = (luck.uniform("skill", 0, players) * len(values)).astype(np.intp)
        return values[np.minimum(place, len(values) - 1)]
