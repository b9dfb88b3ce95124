"""Results as the logistic curve has them, with any share of draws."""

import math
from typing import Literal

import numpy as np

from ...curves import Q, logistic_curve
from ...jit import kernel
from ...rng import Luck
from ...spec import quantity
from ..base import OUTCOMES, Chances, Floats, Meeting, Memory, Moment, Outcomes
from ..compiled import compiled


@OUTCOMES.add
class Logistic(Outcomes):
    """The expected score of first is *exactly* 1 / (1 + 10^(-gap / 400)), whatever the share of draws.

    A share d of draws leaves first E - d/2 wins. `draw` is the ν of Davidson (J. Am. Stat. Assoc. 65 (1970) 317), whose
    model gives d once its own strengths are set so that the expected score is E; see `draw_share`. With ν = 2 these are
    the strengths themselves.
    """

    kind: Literal["logistic"] = "logistic"
    draw: float = quantity(
        0.0, "Davidson's ν: equals draw ν / (2 + ν) of their games; 0 no draws", unit="ratio", ge=0, le=1e6
    )
    edge: float = quantity(0.0, "advantage of first", unit="rating points", ge=-1e5, le=1e5)

    def chances(self, meeting: Meeting, memory: Memory, luck: Luck, moment: Moment) -> Chances:
        """Return what can come of the games of a round."""
        found = Chances(np.empty(meeting.gap.shape), np.empty(meeting.gap.shape))
        compiled(expect, "logistic outcomes")(meeting.gap, self.edge, self.draw, found.expected, found.draw)
        return found


@kernel
def draw_share(expected: float, nu: float) -> float:
    """Return the probability of a draw of Davidson's model where the expected score is `expected`.

    The model has wins, draws and losses as x : ν : 1/x. Solve (x + ν/2) / (x + ν + 1/x) = E for x and put it into
    ν / (x + ν + 1/x): with v = E (1 - E), the share is 4 ν v / (ν + sqrt(ν² (1 - 4v) + 16 v)), never more than
    2 min(E, 1 - E).
    """
    v = expected * (1.0 - expected)
    return 4.0 * nu * v / (nu + math.sqrt(nu * nu * (1.0 - 4.0 * v) + 16.0 * v))


def expect(gap: Floats, edge: float, nu: float, expected: Floats, draw: Floats) -> None:
    """Write the expected score of first and the share of draws of each game (R, M)."""
    for r in range(gap.shape[0]):
        for m in range(gap.shape[1]):
            e = logistic_curve(Q, gap[r, m] + edge)
            expected[r, m] = e
            draw[r, m] = draw_share(e, nu)
