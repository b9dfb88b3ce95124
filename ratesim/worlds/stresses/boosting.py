"""Players whose ratings are pushed up by others who lose to them on purpose."""

from typing import Literal

import numpy as np

from ...rng import ROUND, Keys, Luck, unit
from ...spec import quantity
from ..base import STRESSES, Chances, Floats, Ints, Memory, Moment, Pairs
from ..compiled import compiled
from .some import Some


@STRESSES.add
class Boosting(Some):
    """Some players each have helpers, whom they meet instead of others in a share of their games, and who lose to them.

    Any game between a player and a helper of theirs is lost by the helper, who plays all other games fairly, and so
    wins back from the rest what was given away. Where no helper is there, the game stays as it was.
    """

    kind: Literal["boosting"] = "boosting"
    helpers: int = quantity(2, "helpers of each", unit="players", ge=1, le=10_000_000)
    share: float = quantity(
        0.5, "share of their games that are turned into ones with a helper", unit="share", gt=0, le=1
    )

    @property
    def pairs(self) -> bool:
        """It changes who meets whom."""
        return True

    @property
    def people(self) -> int:
        """Those who are boosted, and their helpers."""
        return self.count * (1 + self.helpers)

    def begin(self, luck: Luck, players: int) -> Memory:
        """Return `boss` (R, N), the number of the boosted player, for that player and the helpers; -1 for others."""
        place = super().begin(luck, players)["place"]
        return {"place": place, "boss": np.where(place < self.people, place % self.count, -1).astype(np.int32)}

    def pair(self, pairs: Pairs, weight: Floats, memory: Memory, luck: Luck, moment: Moment) -> None:
        """Bring in the helpers."""
        if self.on(moment):
            compiled(bring, "helpers")(
                memory["place"], memory["boss"], self.count, self.helpers, self.share, weight, luck.keys("helpers"),
                np.uint64(moment.round), *pairs,
            )  # fmt: skip

    def settle(self, pairs: Pairs, score: Floats, chances: Chances, memory: Memory, luck: Luck, moment: Moment) -> None:
        """Let the helpers lose."""
        if self.on(moment):
            compiled(yield_, "boosted results")(memory["place"], memory["boss"], self.count, *pairs, score, *chances)


def bring(
    place: Ints, boss: Ints, count: int, helpers: int, share: float, weight: Floats, keys: Keys, round_: np.uint64,
    first: Ints, second: Ints,
) -> None:  # fmt: skip
    """Put helpers in the place of opponents in a share of the games (R, M) of those who are boosted."""
    there, present = np.empty((count, helpers), np.int32), np.empty(count, np.int32)
    for r in range(first.shape[0]):
        row = min(r, weight.shape[0] - 1)
        present[:] = 0
        for i in range(place.shape[1]):
            if boss[r, i] >= 0 and place[r, i] >= count and weight[row, i] > 0.0:
                b = boss[r, i]
                there[b, present[b]] = i
                present[b] += 1
        for m in range(first.shape[1]):
            i, j = first[r, m], second[r, m]
            if i < 0 or min(place[r, i], place[r, j]) >= count:
                continue
            boosted = i if place[r, i] < count else j
            b = boss[r, boosted]
            counter = round_ * ROUND + np.uint64(2 * m)
            if present[b] == 0 or unit(keys[r], counter) >= share:
                continue
            helper = there[b, int(unit(keys[r], counter + np.uint64(1)) * present[b])]
            if boosted == i:
                second[r, m] = helper
            else:
                first[r, m] = helper


def yield_(
    place: Ints, boss: Ints, count: int, first: Ints, second: Ints, score: Floats, expected: Floats, draw: Floats
) -> None:
    """Give games (R, M) of a boosted player against a helper to the boosted one."""
    for r in range(first.shape[0]):
        for m in range(first.shape[1]):
            i, j = first[r, m], second[r, m]
            if i < 0 or boss[r, i] < 0 or boss[r, i] != boss[r, j]:
                continue
            mine, theirs = place[r, i] < count, place[r, j] < count
            if mine != theirs:
                score[r, m] = expected[r, m] = 1.0 if mine else 0.0
                draw[r, m] = 0.0
