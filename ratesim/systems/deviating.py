"""Systems whose ratings have a deviation, at the rim."""

import math
from typing import Any, ClassVar, Self

from pydantic import model_validator

from ..errors import InputError
from ..spec import quantity
from .base import Floats, Growing, Start


class Deviating(Growing):
    """What Glicko and its kin share at the rim: newcomers, floor and ceiling of the deviation, the advantage."""

    default_calendar: ClassVar[str] = "months"
    rating: float = quantity(1500.0, "rating of a newcomer", unit="rating points", ge=-1e6, le=1e6)
    deviation: float = quantity(350.0, "deviation of a newcomer", unit="rating points", gt=0, le=1e6)
    floor: float = quantity(0.0, "deviation never falls below this", unit="rating points", ge=0, le=1e6)
    ceiling: float = quantity(350.0, "deviation never grows above this", unit="rating points", gt=0, le=1e6)
    advantage: float = quantity(0.0, "what an edge of +1 is worth", unit="rating points", ge=-1e4, le=1e4)

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if not self.floor <= self.deviation <= self.ceiling:
            msg = f"deviation {self.deviation:g} is not between floor {self.floor:g} and ceiling {self.ceiling:g}"
            raise ValueError(msg)
        return self

    def known(self, start: Start) -> tuple[float, float]:
        """Return rating and variance of a player who has not played.

        Raises
        ------
        InputError : the deviation is not between floor and ceiling.
        """
        deviation = self.deviation if math.isnan(start.deviation) else start.deviation
        if not max(self.floor, 1e-9) <= deviation <= self.ceiling:
            expected = f"more than 0, between floor {self.floor:g} and ceiling {self.ceiling:g} of system {self.kind}"
            raise InputError(f"{deviation:g}", where="start, column deviation", expected=expected)
        return (self.rating if math.isnan(start.rating) else start.rating, deviation * deviation)

    def columns(self, beliefs: Floats) -> dict[str, Any]:
        """Return the rating and the deviation."""
        return {"rating": beliefs[:, 0], "deviation": beliefs[:, 1] ** 0.5}
