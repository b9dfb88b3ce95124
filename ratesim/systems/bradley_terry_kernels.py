"""The likelihood of counted results, its gradient and its curvature, in one pass over the pairs.

Unknowns x (n + 2,) in natural units: ratings less the prior's mean, what an edge of +1 is worth, the parameter of ties.
The last two are moved only where `free` (2,) is 1.
"""

import functools
from typing import NamedTuple

from ..jit import Function, specialise
from ..maths import logistic
from .base import Floats, Ints
from .ties import MODELS, half, half_chances

MODEL, CHANCES = half, half_chances  # what `specialise` binds another model in the place of
SLOPE, CURVE, RISE, ARCH, TWIST = range(5)


class Prior(NamedTuple):
    """What is believed of everybody beforehand, in natural units."""

    draws: float  # that everybody has against a player of rating 0
    ridge: float  # 1 / variance of a normal prior about 0

    @property
    def information(self) -> float:
        """The curvature at its top."""
        return 0.25 * self.draws + self.ridge


def survey(
    x: Floats, first: Ints, second: Ints, edge: Floats, counts: Floats, draws: float, ridge: float, free: Floats,
    gradient: Floats, diagonal: Floats, own: Floats, bend: Floats, twist: Floats,
) -> None:  # fmt: skip
    """Write the gradient and the diagonal of the curvature (n + 2,), and what the pairs add to the rest of it (P,).

    `own` (n,) is the prior's part of the diagonal.
    """
    n = x.size - 2
    worth, tie = x[n], x[n + 1]
    for i in range(n + 1):
        p = logistic(x[i])
        narrow = ridge if i < n else 0.0  # a spread is of ratings, not of an advantage
        gradient[i] = draws * (0.5 - p) - narrow * x[i]
        own[i] = draws * p * (1.0 - p) + narrow
        diagonal[i] = own[i]
    prior = MODEL(0.0, tie, draws / 3.0, draws / 3.0, draws / 3.0)
    gradient[n + 1], diagonal[n + 1] = prior[RISE], prior[ARCH]
    for k in range(first.size):
        i, j, e = first[k], second[k], edge[k]
        told = MODEL(x[i] - x[j] + worth * e, tie, counts[0, k], counts[1, k], counts[2, k])
        gradient[i] += told[SLOPE]
        gradient[j] -= told[SLOPE]
        gradient[n] += e * told[SLOPE]
        gradient[n + 1] += told[RISE]
        diagonal[i] += told[CURVE]
        diagonal[j] += told[CURVE]
        diagonal[n] += e * e * told[CURVE]
        diagonal[n + 1] += told[ARCH]
        bend[k], twist[k] = told[CURVE], told[TWIST]
    for k in range(2):
        gradient[n + k] *= free[k]


def bent(
    v: Floats, first: Ints, second: Ints, edge: Floats, own: Floats, bend: Floats, twist: Floats, arch: float,
    free: Floats, out: Floats,
) -> None:  # fmt: skip
    """Write the curvature times a direction v (n + 2,)."""
    n = v.size - 2
    for i in range(n + 1):
        out[i] = own[i] * v[i]
    out[n + 1] = arch * v[n + 1]
    for k in range(first.size):
        i, j, e = first[k], second[k], edge[k]
        along = v[i] - v[j] + e * v[n]
        push = bend[k] * along + twist[k] * v[n + 1]
        out[i] += push
        out[j] -= push
        out[n] += e * push
        out[n + 1] += twist[k] * along
    for k in range(2):
        out[n + k] *= free[k]


def foresee(gaps: Floats, tie: float, expected: Floats, draw: Floats) -> None:
    """Write the expected score and the chance of a draw of each gap, all (G,)."""
    for g in range(gaps.size):
        expected[g], draw[g] = CHANCES(gaps[g], tie)


@functools.cache
def compiled(ties: str) -> tuple[Function, Function, Function]:
    """Return `survey`, `bent` and `foresee` for one model of ties."""
    model, chances, _ = MODELS[ties]
    return (
        specialise(survey, f"bradley-terry, ties {ties}", MODEL=model),
        specialise(bent, "bradley-terry, curvature"),
        specialise(foresee, f"bradley-terry, forecasts, ties {ties}", CHANCES=chances),
    )
