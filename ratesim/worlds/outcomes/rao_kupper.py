"""Rao and Kupper's draws: games that nobody is far enough ahead in."""

from typing import Literal

from ...curves import Q
from ...jit import kernel
from ...maths import log, logistic
from ...spec import quantity
from ..base import OUTCOMES, Outcomes
from ..laws import Law
from .drawn import ahead


@OUTCOMES.add
class RaoKupper(Outcomes):
    """First wins with 1 / (1 + θ e^(-z)) and loses with 1 / (1 + θ e^z), where z = gap ln 10 / 400.

    P. V. Rao, L. L. Kupper, J. Am. Stat. Assoc. 62 (1967) 194: whoever performs better by more than ln θ, in natural
    units, wins; else it is a draw. It is the ordered logit model with the cut points ±ln θ. The expected score is the
    logistic curve's only where θ = 1.
    """

    kind: Literal["rao-kupper"] = "rao-kupper"
    theta: float = quantity(
        2.0, "θ: equals draw (θ - 1) / (θ + 1) of their games; 1 no draws", unit="ratio", ge=1, le=1e6
    )

    @property
    def law(self) -> Law:
        """What can come of a game."""
        return Law(expect, (self.edge, self.edge_growth, self.theta), "Rao and Kupper's outcomes")


@kernel
def shares(z: float, theta: float) -> tuple[float, float]:
    """Return the expected score and the probability of a draw, for a lead of z in natural units.

    The draw is (θ² - 1) times the product of win and loss, which no cancellation harms.
    """
    cut = log(theta)
    win, loss = logistic(z - cut), logistic(-z - cut)
    draw = (theta * theta - 1.0) * win * loss
    return win + 0.5 * draw, draw


@kernel
def expect(gap: float, level: float, p: tuple[float, float, float]) -> tuple[float, float]:
    """Return the expected score of first and the share of draws."""
    edge, edge_growth, theta = p
    return shares(Q * ahead(gap, level, edge, edge_growth), theta)
