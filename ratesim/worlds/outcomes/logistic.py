"""Results as the logistic curve has them, with any share of draws."""

from typing import Literal

import numpy as np

from ...curves import Q, logistic_curve
from ...rng import Luck
from ..base import OUTCOMES, Chances, Floats, Meeting, Memory, Moment
from ..compiled import compiled
from .drawn import Drawn, ahead, draw_share, ratio


@OUTCOMES.add
class Logistic(Drawn):
    """The expected score of first is *exactly* 1 / (1 + 10^(-gap / 400)), whatever the share of draws.

    A share d of draws leaves first E - d/2 wins. `draw` is the ν of Davidson (J. Am. Stat. Assoc. 65 (1970) 317), whose
    model gives d once its own strengths are set so that the expected score is E; see `draw_share`. With ν = 2 these are
    the strengths themselves. Performances are independent Gumbel noise about the strengths.
    """

    kind: Literal["logistic"] = "logistic"

    def chances(self, meeting: Meeting, memory: Memory, luck: Luck, moment: Moment) -> Chances:
        """Return what can come of the games of a round."""
        found = Chances(np.empty(meeting.gap.shape), np.empty(meeting.gap.shape))
        compiled(expect, "logistic outcomes")(
            meeting.gap, meeting.level, self.edge, self.edge_growth, self.draw, self.draw_growth, *found
        )
        return found


def expect(
    gap: Floats, level: Floats, edge: float, edge_growth: float, nu: float, growth: float, expected: Floats,
    draw: Floats,
) -> None:  # fmt: skip
    """Write the expected score of first and the share of draws of each game (R, M)."""
    level_matters = edge_growth != 0.0 or growth != 0.0
    for r in range(gap.shape[0]):
        if level_matters:
            for m in range(gap.shape[1]):
                e = logistic_curve(Q, ahead(gap[r, m], level[r, m], edge, edge_growth))
                expected[r, m], draw[r, m] = e, draw_share(e, ratio(nu, level[r, m], growth))
        else:  # the same bits, without an exponential more
            for m in range(gap.shape[1]):
                e = logistic_curve(Q, gap[r, m] + edge)
                expected[r, m], draw[r, m] = e, draw_share(e, nu)
