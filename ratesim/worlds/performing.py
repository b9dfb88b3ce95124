"""The strength that players show in one game: what the result hides.

The performance of first less that of second is their `lead` plus noise, and the noise falls as `fate` rises, the number
that the result hangs on: of two games with the same chances, the better result goes with the larger difference. Without
draws whoever performs better wins. All functions below take

lead, level : (R, M) how far first is ahead on average, edge and all, and the mean of both, rating points.
fate : (R, M) uniform in (0, 1).
luck, round_ : what else is drawn for both.
"""

import math
from typing import NamedTuple

import numpy as np

from ..curves import Q
from ..jit import kernel
from ..maths import log
from ..rng import ROUND, Floats, Keys, Luck, quantile, unit
from .compiled import compiled

EULER = 0.57721566490153286  # mean of the standard Gumbel distribution


class Performances(NamedTuple):
    """What both showed, (R, M), rating points."""

    first: Floats
    second: Floats


def lead(gap: Floats, level: Floats, edge: float, growth: float) -> Floats:
    """Return the gap with the edge in it, (R, M): `edge`, and `growth` more for each 400 points of level above 1500."""
    ahead: Floats = gap + edge
    return ahead + growth * ((level - 1500.0) / 400.0) if growth else ahead


def gumbels(lead: Floats, level: Floats, fate: Floats, luck: Luck, round_: int) -> Performances:
    """Return performances of independent Gumbel noise, whose difference is logistic with odds of ten to one at 400.

    Each has mean 0 and standard deviation 222.8: the logistic curve as a matter of who performs better (Yellott,
    J. Math. Psychol. 15 (1977) 109). Given that the logistic difference has its quantile at 1 - u, the two are
    -log u - log g and -log(1 - u) - log g with g of the Gamma(2) distribution.
    """
    found = Performances(np.empty(fate.shape), np.empty(fate.shape))
    compiled(fill_gumbels, "logistic performances")(lead, level, fate, *_source(luck, round_), *found)
    return found


def normals(
    lead: Floats, level: Floats, sds: tuple[Floats, Floats], fate: Floats, luck: Luck, round_: int
) -> Performances:
    """Return performances of independent normal noise, with the standard deviations (R, M) of first and second."""
    found = Performances(np.empty(fate.shape), np.empty(fate.shape))
    compiled(fill_normals, "normal performances")(lead, level, *sds, fate, *_source(luck, round_), *found)
    return found


def students(lead: Floats, level: Floats, fate: Floats, luck: Luck, round_: int) -> Performances:
    """Return performances whose difference has Student's distribution with 2 degrees of freedom, scale sqrt(2) / q.

    Some games are wilder than others: noise is independent normal over the square root of one exponential for both, so
    that each performance by itself has that distribution too, with the scale 1 / q = 173.7. Given the difference t,
    in its own scale, the exponential is of the Gamma(3/2) distribution over 1 + t²/2.
    """
    found = Performances(np.empty(fate.shape), np.empty(fate.shape))
    compiled(fill_students, "heavy-tailed performances")(lead, level, fate, *_source(luck, round_), *found)
    return found


def _source(luck: Luck, round_: int) -> tuple[Keys, np.uint64]:
    return luck.keys("performances"), np.uint64(round_)


@kernel
def draw(key: np.uint64, round_: np.uint64, m: int, k: int) -> float:
    """Return number k (of 3) of game m, uniform in (0, 1)."""
    number: float = unit(key, round_ * ROUND + np.uint64(3 * m + k))
    return number


def fill_gumbels(
    lead: Floats, level: Floats, fate: Floats, keys: Keys, round_: np.uint64, first: Floats, second: Floats
) -> None:
    """Write both performances."""
    for r in range(fate.shape[0]):
        for m in range(fate.shape[1]):
            u = fate[r, m]
            gamma = -log(draw(keys[r], round_, m, 0)) - log(draw(keys[r], round_, m, 1))
            shared = -log(gamma) - EULER
            first[r, m] = level[r, m] + 0.5 * lead[r, m] + (shared - log(u)) / Q
            second[r, m] = level[r, m] - 0.5 * lead[r, m] + (shared - log(1.0 - u)) / Q


def fill_normals(
    lead: Floats, level: Floats, mine: Floats, theirs: Floats, fate: Floats, keys: Keys, round_: np.uint64,
    first: Floats, second: Floats,
) -> None:  # fmt: skip
    """Write both performances."""
    for r in range(fate.shape[0]):
        for m in range(fate.shape[1]):
            a, b = mine[r, m], theirs[r, m]
            whole = math.sqrt(a * a + b * b)
            apart = -quantile(fate[r, m])
            shared = a * b * quantile(draw(keys[r], round_, m, 0))
            first[r, m] = level[r, m] + 0.5 * lead[r, m] + (a * a * apart + shared) / whole
            second[r, m] = level[r, m] - 0.5 * lead[r, m] + (shared - b * b * apart) / whole


def fill_students(
    lead: Floats, level: Floats, fate: Floats, keys: Keys, round_: np.uint64, first: Floats, second: Floats
) -> None:
    """Write both performances."""
    for r in range(fate.shape[0]):
        for m in range(fate.shape[1]):
            u = fate[r, m]
            t = (1.0 - 2.0 * u) / math.sqrt(2.0 * u * (1.0 - u))
            normal = quantile(draw(keys[r], round_, m, 1))
            gamma = 0.5 * normal * normal - log(draw(keys[r], round_, m, 0))
            shared = quantile(draw(keys[r], round_, m, 2)) / math.sqrt(gamma / (1.0 + 0.5 * t * t))
            scale = math.sqrt(0.5) / Q
            first[r, m] = level[r, m] + 0.5 * lead[r, m] + scale * (shared + t)
            second[r, m] = level[r, m] - 0.5 * lead[r, m] + scale * (shared - t)
