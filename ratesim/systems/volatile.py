"""Systems whose players have a volatility, at the rim."""

import math
from typing import Self

import numpy as np
from pydantic import model_validator

from ..errors import InputError
from ..spec import Bound, quantity
from .base import Floats, Start
from .deviating import Deviating

MOST = 1e6  # the most that doubles bear; no equation in reach has a root there
SCALE = 173.7178  # as the paper prints it; 400 / ln 10 = 173.71779 moves a deviation by 1e-6


class Volatile(Deviating):
    """What Glicko-2 and Lichess share at the rim: tau, the volatility of newcomers and its cap."""

    tau: float = quantity(0.5, "how freely volatility moves, 0.3 to 1.2 in the paper", unit="natural log", gt=0, le=10)
    volatility: float = quantity(0.06, "volatility of a newcomer", unit="per sqrt(per), on the scale of 173.7", gt=0)
    volatility_cap: Bound = quantity(
        0.1, "volatility never exceeds this; none: a million", unit="as volatility", gt=0, le=1e6
    )
    iterations: int = quantity(100, "most steps of the volatility equation", unit="steps", ge=1, le=10_000)

    @model_validator(mode="after")
    def _capped(self) -> Self:
        if self.volatility_cap is not None and self.volatility > self.volatility_cap:
            msg = f"volatility {self.volatility} is above volatility_cap {self.volatility_cap}"
            raise ValueError(msg)
        return self

    def params(self) -> tuple[float, ...]:
        """Return q, advantage, 1 / tau^2, squares of ceiling and floor, ln of the squared cap, it, iterations."""
        bounds = (self.ceiling**2, self.floor**2, 2.0 * math.log(self._cap), self._cap**2)
        return (1.0 / SCALE, self.advantage, self.tau**-2.0, *bounds, float(self.iterations))

    def belief(self, start: Start) -> tuple[float, ...]:
        """Return rating, variance, ln of the volatility squared, no flags."""
        volatility = self.volatility if math.isnan(start.volatility) else start.volatility
        if not 0.0 < volatility <= self._cap:
            expected = f"more than 0 and at most volatility_cap {self._cap:g} of system {self.kind}"
            raise InputError(f"{volatility:g}", where="start, column volatility", expected=expected)
        return (*self.known(start), 2.0 * math.log(volatility), 0.0)

    def columns(self, beliefs: Floats) -> dict[str, Floats]:
        """Return rating, deviation, volatility."""
        return {**super().columns(beliefs), "volatility": np.minimum(np.exp(beliefs[:, 2] / 2.0), self._cap)}

    @property
    def _cap(self) -> float:
        return MOST if self.volatility_cap is None else self.volatility_cap
