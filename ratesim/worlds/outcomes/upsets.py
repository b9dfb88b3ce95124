"""More upsets than the logistic curve has: games that are a toss-up, or noise with heavy tails."""

import math
from typing import Literal

import numpy as np

from ...curves import Q, logistic_curve
from ...jit import kernel
from ...maths import log
from ...rng import Luck
from ...spec import quantity
from ..base import OUTCOMES, Chances, Floats, Meeting, Memory, Moment
from ..compiled import compiled
from ..performing import Performances, gumbels, lead, students
from .drawn import Drawn, draw_share, ratio


@OUTCOMES.add
class Upsets(Drawn):
    """The logistic curve, but for a share of games in which skill is nothing.

    E = (1 - share) / (1 + 10^(-gap / 400)) + share / 2. However large the gap, the weaker side keeps share / 2 of the
    points. Nobody knows beforehand which games these are, so the truth of a game is E. Performances are Gumbel noise
    about strengths that are closer, as far apart as the logistic curve has it for E. Draws are those of `logistic`.
    """

    kind: Literal["upsets"] = "upsets"
    share: float = quantity(0.1, "share of games that are a toss-up", unit="share", gt=0, le=1)

    def chances(self, meeting: Meeting, memory: Memory, luck: Luck, moment: Moment) -> Chances:
        """Return what can come of the games of a round."""
        found = Chances(np.empty(meeting.gap.shape), np.empty(meeting.gap.shape))
        ahead = lead(meeting.gap, meeting.level, self.edge, self.edge_growth)
        compiled(toss, "outcomes with upsets")(ahead, meeting.level, self.share, self.draw, self.draw_growth, *found)
        return found

    def performances(self, meeting: Meeting, fate: Floats, memory: Memory, luck: Luck, moment: Moment) -> Performances:
        """Return performances, closer than strengths are."""
        ahead = np.empty(meeting.gap.shape)
        wide = lead(meeting.gap, meeting.level, self.edge, self.edge_growth)
        compiled(closer, "performances with upsets")(wide, self.share, ahead)
        return gumbels(ahead, meeting.level, fate, luck, moment.round)


@OUTCOMES.add
class HeavyTails(Drawn):
    """Performances that differ by noise of Student's distribution with 2 degrees of freedom.

    E = 1/2 + z / (2 sqrt(4 + z²)), where z = gap ln 10 / 400. Between equals the curve is as steep as the logistic one;
    far out the chance of the weaker side falls as 1 / z² and not as e^(-z): 1.5 % and not 0.03 % at 1400 points. Draws
    are those of `logistic`.
    """

    kind: Literal["heavy-tails"] = "heavy-tails"

    def chances(self, meeting: Meeting, memory: Memory, luck: Luck, moment: Moment) -> Chances:
        """Return what can come of the games of a round."""
        found = Chances(np.empty(meeting.gap.shape), np.empty(meeting.gap.shape))
        ahead = lead(meeting.gap, meeting.level, self.edge, self.edge_growth)
        compiled(student, "outcomes with heavy tails")(ahead, meeting.level, self.draw, self.draw_growth, *found)
        return found

    def performances(self, meeting: Meeting, fate: Floats, memory: Memory, luck: Luck, moment: Moment) -> Performances:
        """Return performances, in some games wild ones."""
        ahead = lead(meeting.gap, meeting.level, self.edge, self.edge_growth)
        return students(ahead, meeting.level, fate, luck, moment.round)


@kernel
def mixed(lead: float, share: float) -> float:
    """Return the expected score where a share of games are a toss-up."""
    return (1.0 - share) * logistic_curve(Q, lead) + 0.5 * share


def toss(lead: Floats, level: Floats, share: float, nu: float, growth: float, expected: Floats, draw: Floats) -> None:
    """Write the expected score of first and the share of draws of each game (R, M)."""
    for r in range(lead.shape[0]):
        for m in range(lead.shape[1]):
            e = mixed(lead[r, m], share)
            expected[r, m] = e
            draw[r, m] = draw_share(e, ratio(nu, level[r, m], growth))


def closer(wide: Floats, share: float, lead: Floats) -> None:
    """Write the lead by which the logistic curve has the expected score."""
    for r in range(lead.shape[0]):
        for m in range(lead.shape[1]):
            e = mixed(wide[r, m], share)
            lead[r, m] = log(e / (1.0 - e)) / Q


def student(lead: Floats, level: Floats, nu: float, growth: float, expected: Floats, draw: Floats) -> None:
    """Write the expected score of first and the share of draws of each game (R, M)."""
    for r in range(lead.shape[0]):
        for m in range(lead.shape[1]):
            z = Q * lead[r, m]
            e = 0.5 + z / (2.0 * math.sqrt(4.0 + z * z))
            expected[r, m] = e
            draw[r, m] = draw_share(e, ratio(nu, level[r, m], growth))
