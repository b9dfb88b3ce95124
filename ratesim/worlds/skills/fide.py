"""Skills that lie as ratings do on FIDE's list."""

from typing import Literal

import numpy as np

from ...rng import Luck
from ...spec import quantity
from ..base import SKILLS, Floats, Skills
from ..bounds import FAR

# Shares of players and the ratings below which they stand, of players active on the standard list of September 2025
# (some 200,000; standard_sep25frl, as in TidyTuesday's data of 2025-09-23). Up to .99: quantiles to the nearest 5 of
# 480 of them, eight runs of 60 at even distances in the alphabet, whose standard error is 5 points at .05, 30 at the
# median and 40 at .95. Above: 3 in 1,000 from 2500 on and 1 in 10,000 from 2700 on (counted on the list of November
# 2019); first 2839.
SHARE = np.array((0.0, 0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.98, 0.99, 0.997, 0.9999, 1.0))
RATING = np.array((1400, 1410, 1445, 1485, 1570, 1715, 1900, 2060, 2200, 2330, 2390, 2500, 2700, 2839), np.float64)


@SKILLS.add
class Fide(Skills):
    """Skills drawn from the distribution of ratings on FIDE's standard list, straight lines between its quantiles.

    Its floor is 1400, its median 1715, its mean 1756 and its standard deviation 234; it leans to the right. A list is
    of ratings, which spread wider than the skills behind them.
    """

    kind: Literal["fide"] = "fide"
    shift: float = quantity(0.0, "added to all of them", unit="rating points", ge=-FAR, le=FAR)

    def draw(self, luck: Luck, players: int) -> Floats:
        """Return skills (R, N), rating points."""
        return self.shift + by_share(luck.uniform("skill", 0, players))


def by_share(share: Floats) -> Floats:
    """Return the rating below which a share of the players stands, for shares in (0, 1)."""
    k = np.searchsorted(SHARE, share, side="right") - 1
    slope = (RATING[1:] - RATING[:-1]) / (SHARE[1:] - SHARE[:-1])
    rating: Floats = RATING[k] + slope[k] * (share - SHARE[k])
    return rating
