"""Glicko-Boost: Glicko judged twice, with wider deviations for those who played above themselves."""

from typing import ClassVar, Literal

from ..curves import LN10
from ..jit import plain
from ..spec import quantity
from .base import SYSTEMS, Kernels, Start
from .deviating import Deviating
from .glicko_boost_kernels import KERNELS, Params, growth

ALPHA = (5.83733, -1.75374e-04, -7.080124e-05, 0.001733792, 0.00026706)  # a0 to a4, Table 1


@SYSTEMS.add
class GlickoBoost(Deviating):
    """Glicko-Boost: Glicko's update twice, the second time against the results of the first, for chess by months.

    M. E. Glickman, "Glicko-Boost" (glicko-boost.pdf), his entry to the Deloitte/FIDE challenge of 2012, sections 2.1 to
    2.4; the defaults are those of Table 1, tuned to FIDE's games. (1) All are updated from before the period; (2) again
    from before the period, against the opponents of (1); (3) whoever has Z above 1.96 against the opponents of (2) has
    the deviation before the period widened; (4) and (5) are (1) and (2) with those deviations. White has 30 points,
    where the games have an edge. A deviation grows in a period by a function of itself and of the rating.

    Departures
    ----------
    None from the text. Table 3 of the paper is not what the text gives: its deviations come out if White's advantage is
    left out of d^2, and the 153.1 that player H's deviation is reset to comes out of no reading; seven of eight players
    end within 3.4 points of it. Of several idle periods, each adds what the first does, and a duration for `per` its
    share.
    """

    breaks: ClassVar[dict[str, str]] = {"translation": "deviations grow by a function of the rating"}
    kind: Literal["glicko-boost"] = "glicko-boost"
    rating: float = quantity(1946.25, "rating of a newcomer", unit="rating points", ge=-1e6, le=1e6)
    deviation: float = quantity(250.0, "deviation of a newcomer", unit="rating points", gt=0, le=1e6)
    ceiling: float = quantity(250.0, "deviation never grows above this", unit="rating points", gt=0, le=1e6)
    advantage: float = quantity(30.0, "what an edge of +1 is worth (eta)", unit="rating points", ge=-1e4, le=1e4)
    exceptional: float = quantity(1.96, "Z above which a deviation is widened (k)", unit="standard deviations", ge=0)
    b1: float = quantity(0.20139, "widening by a Z of 1 more, as a share", unit="share", ge=0, le=10)
    b2: float = quantity(17.5, "widening besides", unit="rating points", ge=0, le=1e4)

    def kernels(self) -> Kernels:
        """Return the kernels."""
        return KERNELS

    def params(self) -> tuple[float, ...]:
        """Return q, eta, squares of ceiling and floor, k, B1, B2 and alpha."""
        bounds = (self.ceiling**2, self.floor**2)
        return (LN10 / 400.0, self.advantage, *bounds, self.exceptional, self.b1, self.b2, *ALPHA)

    def belief(self, start: Start) -> tuple[float, ...]:
        """Return rating and variance, both as opponents see them, the variance unboosted, its growth."""
        rating, variance = self.known(start)
        grown: float = plain(growth)(Params(*self.params()), rating, variance)
        return (rating, variance, rating, variance, variance, grown)
