"""Pairs of nearly equal strength."""

from typing import Literal

import numpy as np

from ...jit import kernel
from ...maths import exp
from ...rng import ROUND, Keys, Luck, unit
from ...spec import quantity
from ..base import PAIRINGS, Floats, Ints, Memory, Moment, Pairs, Pool
from ..compiled import compiled
from .drawing import TRIES, apart, muster, pick, split
from .present import two_at_least
from .strength import ByStrength


@PAIRINGS.add
class Closeness(ByStrength):
    """One player at random, and an opponent the likelier the closer: by a Gaussian kernel of their gap.

    One is drawn in proportion to activity a_i, the other with probability a_j exp(-gap² / (2 width²)) over the sum of
    that over all others; a coin says who is first. Of many players whose strengths are normal with standard deviation
    σ, the variance of gaps is σ²w² (σ² + 2w²) / (σ² + w²)², so w² where the width w is small, and 2σ² where it is
    large, as of pairs at random.
    """

    kind: Literal["closeness"] = "closeness"
    width: float = quantity(
        100.0, "standard deviation of the kernel: twice as large a gap as the width is 1/7 as likely as none",
        unit="rating points", gt=0, le=1e6,
    )  # fmt: skip

    def pair(self, pool: Pool, memory: Memory, luck: Luck, moment: Moment) -> Pairs:
        """Return the games of a round.

        Raises
        ------
        InputError : fewer than two players are there.
        """
        two_at_least(pool, self.kind, moment)
        n, shape = pool.weight.shape[1], (len(luck), pool.games)
        pairs = Pairs(np.empty(shape, np.int32), np.empty(shape, np.int32))
        compiled(draw_close, "pairs by closeness")(
            luck.keys("pairs"), np.uint64(moment.round), pool.weight, self.strength(pool), 1.0 / self.width, *pairs,
            np.empty(n, np.int32), np.empty(n, np.int32), np.empty(n),
        )  # fmt: skip
        return pairs


def draw_close(
    keys: Keys, round_: np.uint64, weight: Floats, strength: Floats, per: float, first: Ints, second: Ints,
    order: Ints, other: Ints, share: Floats,
) -> None:  # fmt: skip
    """Draw games (R, M): an opponent is drawn by activity and taken as often as the kernel says, or drawn again.

    Parameters
    ----------
    per : 1 / width. order, other, share : (N,) room to work in.
    """
    for r in range(first.shape[0]):
        key, counter = keys[r], round_ * ROUND
        n = seats(weight, r, order, other, share)
        for m in range(first.shape[1]):
            i = order[pick(other, share, n, unit(key, counter))]
            coin = unit(key, counter + np.uint64(1))
            j = -1
            for _ in range(TRIES):
                counter += np.uint64(2)
                k = order[pick(other, share, n, unit(key, counter))]
                x = 0.5 * ((strength[r, i] - strength[r, k]) * per) ** 2
                u = unit(key, counter + np.uint64(1))
                # exp(-x) is between 1 - x and 1 / (1 + x + x²/2), which spares most exponentials.
                if k != i and (u < 1.0 - x or (u * (1.0 + x + 0.5 * x * x) < 1.0 and u < exp(-x))):
                    j = k
                    break
            counter += np.uint64(2)
            if j < 0:
                j = neighbour(weight, strength, r, i, per, unit(key, counter))
                counter += np.uint64(1)
            first[r, m], second[r, m] = (i, j) if coin < 0.5 else (j, i)


@kernel
def seats(weight: Floats, r: int, order: Ints, other: Ints, share: Floats) -> int:
    """Make the tables to draw from by activity; return how many players are there."""
    n, alike = muster(weight, r, order)
    if alike:
        share[:n] = 1.0
    else:
        split(weight, r, n, order, other, share)
    return n


@apart
def neighbour(weight: Floats, strength: Floats, r: int, i: int, per: float, u: float) -> int:
    """Return an opponent of i by activity and kernel, both relative to the nearest one there."""
    n, nearest = weight.shape[1], np.inf
    for k in range(n):
        if k != i and weight[r, k] > 0.0:
            nearest = min(nearest, 0.5 * ((strength[r, i] - strength[r, k]) * per) ** 2)
    total = 0.0
    for k in range(n):
        if k != i and weight[r, k] > 0.0:
            total += weight[r, k] * exp(nearest - 0.5 * ((strength[r, i] - strength[r, k]) * per) ** 2)
    passed, last = 0.0, -1
    for k in range(n):
        if k != i and weight[r, k] > 0.0:
            last = k
            passed += weight[r, k] * exp(nearest - 0.5 * ((strength[r, i] - strength[r, k]) * per) ** 2)
            if passed > u * total:
                break
    return last
