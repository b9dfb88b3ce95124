"""Pairs at random."""

from typing import Literal

import numpy as np

from ...errors import InputError
from ...jit import kernel
from ...rng import Keys, Luck, unit
from ..base import PAIRINGS, Floats, Ints, Memory, Moment, Pairing, Pairs, Pool
from ..compiled import compiled

ROUND = np.uint64(2**32)  # numbers of luck in a round


@PAIRINGS.add
class Uniform(Pairing):
    """Two different players at random, each in proportion to their activity; who is drawn first is first."""

    kind: Literal["uniform"] = "uniform"

    @property
    def blind(self) -> bool:
        """Whether it looks at nothing but who is there: it does not."""
        return True

    def pair(self, pool: Pool, memory: Memory, luck: Luck, moment: Moment) -> Pairs:
        """Return the games of a round.

        Raises
        ------
        InputError : fewer than two players are there.
        """
        shape = (len(luck), pool.games)
        pairs = Pairs(np.empty(shape, np.int32), np.empty(shape, np.int32))
        total = np.cumsum(pool.weight, axis=1)
        if (np.count_nonzero(pool.weight, axis=1) < 2).any():
            said = f"pairing uniform, round {moment.round}: fewer than two players are there"
            raise InputError(said, expected="two players in every round")
        compiled(draw_pairs, "random pairs")(
            luck.keys("pairs"), np.uint64(moment.round), total, pairs.first, pairs.second
        )
        return pairs


def draw_pairs(keys: Keys, round_: np.uint64, total: Floats, first: Ints, second: Ints) -> None:
    """Draw games (R, M) of two different players by cumulative weights (R, N), by bisection; a pair of one again."""
    n = total.shape[1]
    for r in range(first.shape[0]):
        counter = round_ * ROUND
        for m in range(first.shape[1]):
            i = j = 0
            while i == j:
                i = place(total, r, n, unit(keys[r], counter))
                j = place(total, r, n, unit(keys[r], counter + np.uint64(1)))
                counter += np.uint64(2)
            first[r, m], second[r, m] = i, j


@kernel
def place(total: Floats, r: int, n: int, u: float) -> int:
    """Return the player whose share of the total u falls into."""
    low, high, wanted = 0, n - 1, u * total[r, n - 1]
    while low < high:
        middle = (low + high) // 2
        if total[r, middle] > wanted:
            high = middle
        else:
            low = middle + 1
    return low
