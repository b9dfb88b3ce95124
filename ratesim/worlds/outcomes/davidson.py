"""Davidson's draws, by his own strengths."""

from typing import Literal

from ...curves import Q
from ...jit import kernel
from ...maths import exp
from ..base import OUTCOMES
from ..laws import Law
from .drawn import Drawn, ahead, ratio


@OUTCOMES.add
class Davidson(Drawn):
    """Wins, draws and losses as e^(z/2) : ν : e^(-z/2), where z = gap ln 10 / 400.

    R. R. Davidson, J. Am. Stat. Assoc. 65 (1970) 317; `draw` is ν. The logistic curve holds for wins against losses,
    and for the expected score where ν = 0; with ν = 2 the expected score is that of half the gap, with others no
    logistic one. For the curve with such draws, see `logistic`.
    """

    kind: Literal["davidson"] = "davidson"

    @property
    def law(self) -> Law:
        """What can come of a game."""
        return Law(expect, (self.edge, self.edge_growth, self.draw, self.draw_growth), "Davidson's outcomes")


@kernel
def shares(z: float, nu: float) -> tuple[float, float]:
    """Return the expected score and the probability of a draw, for a gap of z in natural units."""
    x = exp(0.5 * z)
    whole = x + nu + 1.0 / x
    return (x + 0.5 * nu) / whole, nu / whole


@kernel
def expect(gap: float, level: float, p: tuple[float, float, float, float]) -> tuple[float, float]:
    """Return the expected score of first and the share of draws."""
    edge, edge_growth, nu, growth = p
    return shares(Q * ahead(gap, level, edge, edge_growth), ratio(nu, level, growth))
