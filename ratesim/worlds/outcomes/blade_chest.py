"""Who beats whom is not in one number: A may beat B, B beat C and C beat A."""

import math
from typing import Literal

import numpy as np

from ...curves import Q, logistic_curve
from ...rng import Luck
from ...spec import quantity
from ..base import OUTCOMES, Chances, Floats, Ints, Meeting, Memory, Moment
from ..compiled import compiled
from ..performing import Performances, gumbels, lead
from .drawn import Drawn, draw_share, ratio


@OUTCOMES.add
class BladeChest(Drawn):
    """The logistic curve of gap + blade of first · chest of second - blade of second · chest of first.

    S. Chen, T. Joachims, WSDM 2016, the inner product model; with one trait it is mElo of rank 2 (Balduzzi and others,
    NeurIPS 2018). Blades and chests are vectors of `traits` normal numbers of each player's own, scaled so that what
    they add to a gap has the standard deviation `size` over pairs of players. Draws are those of `logistic`. What is
    added is half in the performance of each.
    """

    kind: Literal["blade-chest"] = "blade-chest"
    size: float = quantity(
        200.0, "standard deviation, over pairs, of what is added to the gap", unit="rating points", ge=0, le=1e5
    )
    traits: int = quantity(1, "length of a player's blade, and of the chest", unit="numbers", ge=1, le=100)

    def begin(self, luck: Luck, players: int) -> Memory:
        """Return blades and chests, (R, N, traits) each."""
        shape = (len(luck), players, self.traits)
        return {name: luck.normal(name, 0, players * self.traits).reshape(shape) for name in ("blade", "chest")}

    def chances(self, meeting: Meeting, memory: Memory, luck: Luck, moment: Moment) -> Chances:
        """Return what can come of the games of a round."""
        found = Chances(np.empty(meeting.gap.shape), np.empty(meeting.gap.shape))
        compiled(expect, "intransitive outcomes")(
            self._lead(meeting, memory), meeting.level, self.draw, self.draw_growth, *found
        )
        return found

    def performances(self, meeting: Meeting, fate: Floats, memory: Memory, luck: Luck, moment: Moment) -> Performances:
        """Return performances against this very opponent."""
        return gumbels(self._lead(meeting, memory), meeting.level, fate, luck, moment.round)

    def _lead(self, meeting: Meeting, memory: Memory) -> Floats:
        """Return the gap (R, M) with edge and traits."""
        ahead = lead(meeting.gap, meeting.level, self.edge, self.edge_growth).copy()
        scale = self.size / math.sqrt(2.0 * self.traits)
        compiled(clash, "blades and chests")(
            memory["blade"], memory["chest"], meeting.first, meeting.second, scale, ahead
        )
        return ahead


def clash(blade: Floats, chest: Floats, first: Ints, second: Ints, scale: float, lead: Floats) -> None:
    """Add what blades and chests do to the gaps."""
    for r in range(lead.shape[0]):
        for m in range(lead.shape[1]):
            i, j = max(first[r, m], 0), max(second[r, m], 0)
            total = 0.0
            for k in range(blade.shape[2]):
                total += blade[r, i, k] * chest[r, j, k] - blade[r, j, k] * chest[r, i, k]
            lead[r, m] += scale * total


def expect(lead: Floats, level: Floats, nu: float, growth: float, expected: Floats, draw: Floats) -> None:
    """Write the expected score of first and the share of draws of each game (R, M)."""
    for r in range(lead.shape[0]):
        for m in range(lead.shape[1]):
            e = logistic_curve(Q, lead[r, m])
            expected[r, m] = e
            draw[r, m] = draw_share(e, ratio(nu, level[r, m], growth))
