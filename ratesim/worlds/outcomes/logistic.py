"""Results as the logistic curve has them, with any share of draws."""

from typing import Literal

from ...curves import Q, logistic_curve
from ...jit import kernel
from ..base import OUTCOMES
from ..laws import Law
from .drawn import Drawn, ahead, draw_share, ratio


@OUTCOMES.add
class Logistic(Drawn):
    """The expected score of first is *exactly* 1 / (1 + 10^(-gap / 400)), whatever the share of draws.

    A share d of draws leaves first E - d/2 wins. `draw` is the ν of Davidson (J. Am. Stat. Assoc. 65 (1970) 317), whose
    model gives d once its own strengths are set so that the expected score is E; see `draw_share`. With ν = 2 these are
    the strengths themselves. Performances are independent Gumbel noise about the strengths.
    """

    kind: Literal["logistic"] = "logistic"

    @property
    def law(self) -> Law:
        """What can come of a game: without what depends on the level, an exponential less."""
        if self.edge_growth or self.draw_growth:
            return Law(expect_by_level, (self.edge, self.edge_growth, self.draw, self.draw_growth), "logistic outcomes")
        return Law(expect, (self.edge, self.draw), "logistic outcomes")


@kernel
def expect(gap: float, level: float, p: tuple[float, float]) -> tuple[float, float]:
    """Return the expected score of first and the share of draws."""
    edge, nu = p
    e = logistic_curve(Q, gap + edge)
    return e, draw_share(e, nu)


@kernel
def expect_by_level(gap: float, level: float, p: tuple[float, float, float, float]) -> tuple[float, float]:
    """Return the same where edge and draws depend on the level."""
    edge, edge_growth, nu, growth = p
    e = logistic_curve(Q, ahead(gap, level, edge, edge_growth))
    return e, draw_share(e, ratio(nu, level, growth))
