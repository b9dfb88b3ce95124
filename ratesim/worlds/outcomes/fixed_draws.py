"""A share of draws as the user has it, by gap and by level, under the logistic curve."""

from typing import Literal

import numpy as np

from ...curves import SCALE, Q, logistic_curve
from ...errors import InputError
from ...maths import exp
from ...rng import Luck
from ...spec import choice, quantity
from ..base import OUTCOMES, Chances, Floats, Meeting, Memory, Moment, Outcomes
from ..compiled import compiled
from ..performing import lead

LN2 = 0.6931471805599453
SLACK = 1e-12


@OUTCOMES.add
class FixedDraws(Outcomes):
    """The expected score E of first is *exactly* the logistic curve's, and draws are as many as is said.

    The share of draws is d = share · 2^(-(gap / half)²) · e^(growth (level - 1500) / 400), the edge being in the gap;
    first wins E - d/2 and loses 1 - E - d/2. That leaves room for 2 min(E, 1 - E) draws at the most: of a larger d,
    `beyond` makes that many, or an error.
    """

    kind: Literal["fixed-draws"] = "fixed-draws"
    share: float = quantity(0.4, "share of draws between equals at level 1500", unit="share", ge=0, le=1)
    half: float = quantity(
        0.0, "gap at which it is half of that; 0: the same at any gap", unit="rating points", ge=0, le=1e5
    )
    growth: float = quantity(
        0.0, "what is added to its logarithm for each 400 points that the mean strength of the two is above 1500",
        unit="natural log", ge=-100, le=100,
    )  # fmt: skip
    beyond: Literal["clip", "refuse"] = choice("clip", "what becomes of more draws than expected scores leave room for")

    def chances(self, meeting: Meeting, memory: Memory, luck: Luck, moment: Moment) -> Chances:
        """Return what can come of the games of a round.

        Raises
        ------
        InputError : there is no room for so many draws, and `beyond` is "refuse".
        """
        found = Chances(np.empty(meeting.gap.shape), np.empty(meeting.gap.shape))
        ahead = lead(meeting.gap, meeting.level, self.edge, self.edge_growth)
        fall = LN2 / self.half**2 if self.half else 0.0
        compiled(expect, "outcomes with fixed draws")(
            ahead, meeting.level, self.share, fall, self.growth / SCALE, *found
        )
        room = 2.0 * np.minimum(found.expected, 1.0 - found.expected)
        if self.beyond == "refuse" and (over := (meeting.first >= 0) & (found.draw > room + SLACK)).any():
            self._refuse(float(np.abs(ahead[over]).max()), float((found.draw - room)[over].max()), moment)
        np.minimum(found.draw, room, out=found.draw)
        return found

    def _refuse(self, gap: float, excess: float, moment: Moment) -> None:
        said = f"outcomes fixed-draws, round {moment.round}: up to {excess:.3g} more draws than there is room for"
        raise InputError(f"{said}, at gaps up to {gap:.0f}", expected="a smaller half or share, or beyond = 'clip'")


def expect(
    lead: Floats, level: Floats, share: float, fall: float, growth: float, expected: Floats, draw: Floats
) -> None:
    """Write the expected score of first and the wanted share of draws of each game (R, M)."""
    for r in range(lead.shape[0]):
        for m in range(lead.shape[1]):
            expected[r, m] = logistic_curve(Q, lead[r, m])
            draw[r, m] = share * exp(growth * (level[r, m] - 1500.0) - fall * lead[r, m] * lead[r, m])
