"""Results as normal performances have them, of players who may differ in how steady they are."""

import math
from typing import Literal

import numpy as np

from ...curves import NORMAL_SD
from ...maths import normal
from ...rng import Luck
from ...spec import quantity
from ..base import OUTCOMES, Chances, Floats, Ints, Meeting, Memory, Moment
from ..compiled import compiled
from ..elementwise import exponential
from ..performing import Performances, lead, normals
from .drawn import Drawn, draw_share, ratio


@OUTCOMES.add
class Normal(Drawn):
    """The expected score is the normal distribution function of the gap over the deviation of the difference.

    With the default, 2000/7, it is the curve that FIDE's table 8.1.2 was made with. Each performance is independent
    normal noise about the strength (Thurstone's case III: Psychol. Rev. 34 (1927) 273), of deviation sd / √2 for all
    or, with `spread`, of that times e^(spread z) with a standard normal z of the player's own. Draws are those of
    `logistic`: they leave the expected score alone.
    """

    kind: Literal["normal"] = "normal"
    sd: float = quantity(
        NORMAL_SD, "standard deviation of the difference of two performances", unit="rating points", gt=0, le=1e5
    )
    spread: float = quantity(
        0.0, "how players differ in it: standard deviation of its logarithm", unit="natural log", ge=0, le=10
    )

    def begin(self, luck: Luck, players: int) -> Memory:
        """Return the deviation (R, N) of each player's performances; where all are alike, (1, 1)."""
        if not self.spread:
            return {"sd": np.full((1, 1), self.sd / math.sqrt(2.0))}
        own = exponential(self.spread * luck.normal("steadiness", 0, players))
        return {"sd": self.sd / math.sqrt(2.0) * own}

    def chances(self, meeting: Meeting, memory: Memory, luck: Luck, moment: Moment) -> Chances:
        """Return what can come of the games of a round."""
        found = Chances(np.empty(meeting.gap.shape), np.empty(meeting.gap.shape))
        mine, theirs = self._deviations(meeting, memory)
        ahead = lead(meeting.gap, meeting.level, self.edge, self.edge_growth)
        compiled(expect, "normal outcomes")(ahead, meeting.level, mine, theirs, self.draw, self.draw_growth, *found)
        return found

    def performances(self, meeting: Meeting, fate: Floats, memory: Memory, luck: Luck, moment: Moment) -> Performances:
        """Return independent normal performances."""
        ahead = lead(meeting.gap, meeting.level, self.edge, self.edge_growth)
        return normals(ahead, meeting.level, self._deviations(meeting, memory), fate, luck, moment.round)

    def _deviations(self, meeting: Meeting, memory: Memory) -> tuple[Floats, Floats]:
        """Return the deviations (R, M) of first and second."""
        mine, theirs = np.empty(meeting.gap.shape), np.empty(meeting.gap.shape)
        compiled(gather, "deviations of games")(memory["sd"], meeting.first, meeting.second, mine, theirs)
        return mine, theirs


def gather(sd: Floats, first: Ints, second: Ints, mine: Floats, theirs: Floats) -> None:
    """Write each side's deviation."""
    alike = sd.size == 1
    for r in range(first.shape[0]):
        row = 0 if alike else r
        for m in range(first.shape[1]):
            mine[r, m] = sd[row, 0 if alike else max(first[r, m], 0)]
            theirs[r, m] = sd[row, 0 if alike else max(second[r, m], 0)]


def expect(
    lead: Floats, level: Floats, mine: Floats, theirs: Floats, nu: float, growth: float, expected: Floats, draw: Floats
) -> None:
    """Write the expected score of first and the share of draws of each game (R, M)."""
    for r in range(lead.shape[0]):
        for m in range(lead.shape[1]):
            a, b = mine[r, m], theirs[r, m]
            e = normal(lead[r, m] / math.sqrt(a * a + b * b))
            expected[r, m] = e
            draw[r, m] = draw_share(e, ratio(nu, level[r, m], growth))
