"""Davidson's draws, by his own strengths."""

from typing import Literal

import numpy as np

from ...curves import Q
from ...jit import kernel
from ...maths import exp
from ...rng import Luck
from ..base import OUTCOMES, Chances, Floats, Meeting, Memory, Moment
from ..compiled import compiled
from .drawn import Drawn, ahead, ratio


@OUTCOMES.add
class Davidson(Drawn):
    """Wins, draws and losses as e^(z/2) : ν : e^(-z/2), where z = gap ln 10 / 400.

    R. R. Davidson, J. Am. Stat. Assoc. 65 (1970) 317; `draw` is ν. The logistic curve holds for wins against losses,
    and for the expected score where ν = 0; with ν = 2 the expected score is that of half the gap, with others no
    logistic one. For the curve with such draws, see `logistic`.
    """

    kind: Literal["davidson"] = "davidson"

    def chances(self, meeting: Meeting, memory: Memory, luck: Luck, moment: Moment) -> Chances:
        """Return what can come of the games of a round."""
        found = Chances(np.empty(meeting.gap.shape), np.empty(meeting.gap.shape))
        compiled(expect, "Davidson's outcomes")(
            meeting.gap, meeting.level, self.edge, self.edge_growth, self.draw, self.draw_growth, *found
        )
        return found


@kernel
def shares(z: float, nu: float) -> tuple[float, float]:
    """Return the expected score and the probability of a draw, for a gap of z in natural units."""
    x = exp(0.5 * z)
    whole = x + nu + 1.0 / x
    return (x + 0.5 * nu) / whole, nu / whole


def expect(
    gap: Floats, level: Floats, edge: float, edge_growth: float, nu: float, growth: float, expected: Floats,
    draw: Floats,
) -> None:  # fmt: skip
    """Write the expected score of first and the share of draws of each game (R, M)."""
    for r in range(gap.shape[0]):
        for m in range(gap.shape[1]):
            z = Q * ahead(gap[r, m], level[r, m], edge, edge_growth)
            expected[r, m], draw[r, m] = shares(z, ratio(nu, level[r, m], growth))
