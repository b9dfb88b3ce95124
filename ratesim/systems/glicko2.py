"""Glicko-2: Glicko with a volatility."""

from typing import Literal

from .base import SYSTEMS, Kernels
from .glicko2_kernels import KERNELS
from .volatile import Volatile


@SYSTEMS.add
class Glicko2(Volatile):
    """Glicko-2: rating, deviation and volatility, updated by rating periods.

    M. E. Glickman, "Example of the Glicko-2 system" (glicko2.pdf), 22 March 2022, steps 1 to 8. Forecasts use both
    deviations, as Glicko's do.

    Departures
    ----------
    The equation of step 5 can have three roots: the one nearest the old volatility is taken, to the last digit rather
    than to 1e-6, and `diagnostics` counts the periods that had several. Volatility is held to `volatility_cap`, without
    which it explodes for players who play on for ever. A period with no games only widens the deviation, as the paper
    says; with `per` a duration, step 6 adds the share of `per` that the period lasted.
    """

    kind: Literal["glicko2"] = "glicko2"

    def kernels(self) -> Kernels:
        """Return the kernels."""
        return KERNELS
