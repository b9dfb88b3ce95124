"""More upsets than the logistic curve has: games that are a toss-up, or noise with heavy tails."""

import math
from typing import Literal

import numpy as np

from ...curves import Q, logistic_curve
from ...jit import kernel
from ...maths import log
from ...rng import Luck
from ...spec import quantity
from ..base import OUTCOMES, Floats, Meeting, Memory, Moment
from ..compiled import compiled
from ..laws import Law
from ..performing import Performances, gumbels, lead, students
from .drawn import Drawn, ahead, draw_share, ratio


@OUTCOMES.add
class Upsets(Drawn):
    """The logistic curve, but for a share of games in which skill is nothing.

    E = (1 - share) / (1 + 10^(-gap / 400)) + share / 2. However large the gap, the weaker side keeps share / 2 of the
    points. Nobody knows beforehand which games these are, so the truth of a game is E. Performances are Gumbel noise
    about strengths that are closer, as far apart as the logistic curve has it for E. Draws are those of `logistic`.
    """

    kind: Literal["upsets"] = "upsets"
    share: float = quantity(0.1, "share of games that are a toss-up", unit="share", gt=0, le=1)

    @property
    def law(self) -> Law:
        """What can come of a game."""
        return Law(toss, (self.edge, self.edge_growth, self.share, self.draw, self.draw_growth), "outcomes with upsets")

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

    @property
    def law(self) -> Law:
        """What can come of a game."""
        return Law(student, (self.edge, self.edge_growth, self.draw, self.draw_growth), "outcomes with heavy tails")

    def performances(self, meeting: Meeting, fate: Floats, memory: Memory, luck: Luck, moment: Moment) -> Performances:
        """Return performances, in some games wild ones."""
        ahead = lead(meeting.gap, meeting.level, self.edge, self.edge_growth)
        return students(ahead, meeting.level, fate, luck, moment.round)


@kernel
def mixed(lead: float, share: float) -> float:
    """Return the expected score where a share of games are a toss-up."""
    return (1.0 - share) * logistic_curve(Q, lead) + 0.5 * share


@kernel
def toss(gap: float, level: float, p: tuple[float, float, float, float, float]) -> tuple[float, float]:
    """Return the expected score of first and the share of draws."""
    edge, edge_growth, share, nu, growth = p
    e = mixed(ahead(gap, level, edge, edge_growth), share)
    return e, draw_share(e, ratio(nu, level, growth))


def closer(wide: Floats, share: float, lead: Floats) -> None:
    """Write the lead by which the logistic curve has the expected score."""
    for r in range(lead.shape[0]):
        for m in range(lead.shape[1]):
            e = mixed(wide[r, m], share)
            lead[r, m] = log(e / (1.0 - e)) / Q


@kernel
def student(gap: float, level: float, p: tuple[float, float, float, float]) -> tuple[float, float]:
    """Return the expected score of first and the share of draws."""
    edge, edge_growth, nu, growth = p
    z = Q * ahead(gap, level, edge, edge_growth)
    e = 0.5 + z / (2.0 * math.sqrt(4.0 + z * z))
    return e, draw_share(e, ratio(nu, level, growth))
