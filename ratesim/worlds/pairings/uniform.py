"""Pairs at random."""

from typing import ClassVar, Literal

import numpy as np

from ...errors import InputError
from ...jit import kernel
from ...rng import GOLDEN, ROUND, Keys, Luck, inside, unit
from ..base import PAIRINGS, Floats, Ints, Memory, Moment, Pairing, Pairs, Pool
from ..compiled import compiled
from .drawing import TRIES, muster, pick, split, two

TWICE = np.uint64(2 * int(GOLDEN) % 2**64)  # two states further


@PAIRINGS.add
class Uniform(Pairing):
    """Two different players at random, in proportion to the product of their activities; who is drawn first is first.

    Of activities a with sum A, a player is in a share of the games that is in proportion to a (A - a): to a, where
    nobody has much of the whole.
    """

    blind: ClassVar[bool] = True
    kind: Literal["uniform"] = "uniform"

    def pair(self, pool: Pool, memory: Memory, luck: Luck, moment: Moment) -> Pairs:
        """Return the games of a round.

        Raises
        ------
        InputError : fewer than two players are there.
        """
        replicates, players = pool.weight.shape
        shape = (replicates, pool.games)
        pairs = Pairs(np.empty(shape, np.int32), np.empty(shape, np.int32))
        if pool.alike:
            compiled(draw_of_all, "random pairs of all")(
                luck.keys("pairs"), np.uint64(moment.round) * ROUND, players, *pairs
            )
            return pairs
        there, order, other = np.empty(replicates, np.int64), np.empty(players, np.int32), np.empty(players, np.int32)
        compiled(draw_pairs, "random pairs")(
            luck.keys("pairs"), np.uint64(moment.round) * ROUND, pool.weight, *pairs, there, order, other,
            np.empty(players),
        )  # fmt: skip
        if there.min() < 2:
            said = f"pairing uniform, round {moment.round}: fewer than two players are there"
            raise InputError(said, expected="two players in every round")
        return pairs


def draw_pairs(
    keys: Keys, start: np.uint64, weight: Floats, first: Ints, second: Ints, there: Ints, order: Ints, other: Ints,
    share: Floats,
) -> None:  # fmt: skip
    """Draw games (R, M) of two different players by weights (R, N), and count who is there, (R,).

    Parameters
    ----------
    start : of the numbers of luck. order, other, share : (N,) room to work in.
    """
    for r in range(first.shape[0]):
        n, alike = muster(weight, r, order)
        there[r] = n
        if n > 1 and alike:
            draw_alike(keys[r], start, r, n, order, first, second)
        elif n > 1:
            split(weight, r, n, order, other, share)
            draw_apart(keys[r], start, weight, r, n, order, other, share, first, second)


def draw_of_all(keys: Keys, start: np.uint64, n: int, first: Ints, second: Ints) -> None:
    """Draw games (R, M) of n players as likely to play: the bits of `draw_pairs`, without asking who is there."""
    for r in range(first.shape[0]):
        state = keys[r] + (start + np.uint64(1)) * GOLDEN
        for m in range(first.shape[1]):
            i, j = np.int32(inside(state) * n), np.int32(inside(state + GOLDEN) * (n - 1))
            first[r, m], second[r, m] = i, j + np.int32(j >= i)
            state += TWICE


@kernel
def draw_alike(key: np.uint64, start: np.uint64, r: int, n: int, order: Ints, first: Ints, second: Ints) -> None:
    """Draw games of n players as likely to play: the second is one of the others."""
    for m in range(first.shape[1]):
        counter = start + np.uint64(2 * m)
        i = int(unit(key, counter) * n)
        j = int(unit(key, counter + np.uint64(1)) * (n - 1))
        first[r, m], second[r, m] = order[i], order[j + (j >= i)]


@kernel
def draw_apart(
    key: np.uint64, start: np.uint64, weight: Floats, r: int, n: int, order: Ints, other: Ints, share: Floats,
    first: Ints, second: Ints,
) -> None:  # fmt: skip
    """Draw games of n players, each by their share of the tables; a pair of one and the same is drawn again."""
    counter = start
    for m in range(first.shape[1]):
        i = j = tries = 0
        while i == j and tries < TRIES:
            i = pick(other, share, n, unit(key, counter))
            j = pick(other, share, n, unit(key, counter + np.uint64(1)))
            counter += np.uint64(2)
            tries += 1
        if i == j:
            i, j = two(weight, r, order, n, unit(key, counter), unit(key, counter + np.uint64(1)))
            if unit(key, counter + np.uint64(2)) < 0.5:
                i, j = j, i
            counter += np.uint64(3)
        first[r, m], second[r, m] = order[i], order[j]
