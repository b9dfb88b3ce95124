"""A ladder: challenges to those a few places above."""

from typing import Literal

import numpy as np

from ...rng import ROUND, Keys, Luck, unit
from ...spec import quantity
from ..base import PAIRINGS, Floats, Ints, Memory, Moment, Pairing, Pairs, Pool
from ..compiled import compiled
from .present import attending, once


@PAIRINGS.add
class Ladder(Pairing):
    """Players challenge somebody a few places above them; who wins a challenge takes the place of the challenged.

    Lots are drawn for the first order. In a round, players come to challenge one by one, by their activity; each draws
    one of those within reach who are there and free, if there is one, so nobody plays twice. A coin says who is first.
    """

    kind: Literal["ladder"] = "ladder"
    reach: int = quantity(3, "how many places above can be challenged", unit="places", ge=1, le=10_000_000)

    def games(self, players: int, per_round: int) -> int:
        """Return how many games a round has room for, at most one of every two players."""
        return once(self.kind, players, per_round)

    def begin(self, luck: Luck, players: int, games: int) -> Memory:
        """Draw lots for the order: `place` (R, N) of each player, 0 at the top."""
        order = np.argsort(luck.uniform("lots", 0, players), axis=1, kind="stable")
        return {"place": np.argsort(order, axis=1, kind="stable").astype(np.int32)}

    def pair(self, pool: Pool, memory: Memory, luck: Luck, moment: Moment) -> Pairs:
        """Return the games of a round."""
        players, shape = pool.weight.shape[1], (len(luck), pool.games)
        who, count = attending(pool.weight, luck, moment.round, players)
        pairs = Pairs(np.full(shape, -1, np.int32), np.full(shape, -1, np.int32))
        compiled(challenge, "challenges")(
            luck.keys("challenges"), np.uint64(moment.round), pool.weight, who, count, memory["place"], self.reach,
            *pairs, np.empty(players, np.int32), np.empty(players, np.int32),
        )  # fmt: skip
        return pairs

    def learn(self, pairs: Pairs, score: Floats, memory: Memory) -> None:
        """Let those who beat somebody above them change places with them."""
        compiled(climb, "a ladder")(*pairs, score, memory["place"])


def challenge(
    keys: Keys, round_: np.uint64, weight: Floats, who: Ints, count: Ints, place: Ints, reach: int, first: Ints,
    second: Ints, holder: Ints, near: Ints,
) -> None:  # fmt: skip
    """Write the games (R, M) of players who come in an order (R, N); `near` and `holder` are room to work in (N,)."""
    for r in range(first.shape[0]):
        for i in range(place.shape[1]):
            holder[place[r, i]] = i if weight[r, i] > 0.0 else -1  # of each place, who is there and free
        m, counter = 0, round_ * ROUND
        for x in range(count[r]):
            i = who[r, x]
            if m == first.shape[1] or holder[place[r, i]] < 0:
                continue
            n = 0
            for at in range(max(place[r, i] - reach, 0), place[r, i]):
                if holder[at] >= 0:
                    near[n] = holder[at]
                    n += 1
            if n > 0:
                j = near[int(unit(keys[r], counter) * n)]
                coin = unit(keys[r], counter + np.uint64(1)) < 0.5
                counter += np.uint64(2)
                first[r, m], second[r, m] = (i, j) if coin else (j, i)
                holder[place[r, i]] = holder[place[r, j]] = -1
                m += 1


def climb(first: Ints, second: Ints, score: Floats, place: Ints) -> None:
    """Change the places (R, N) of two players where the lower one has won."""
    for r in range(first.shape[0]):
        for m in range(first.shape[1]):
            i, j = first[r, m], second[r, m]
            if i >= 0 and (place[r, i] > place[r, j]) == (score[r, m] > 0.5) and score[r, m] != 0.5:
                place[r, i], place[r, j] = place[r, j], place[r, i]
