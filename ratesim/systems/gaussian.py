"""What systems share that believe in a rating with a normal error: the rim, and two performances with a draw margin."""

import math
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ..errors import InputError
from ..jit import kernel
from ..maths import excess, exp, hazard, normal
from ..spec import quantity
from .base import Floats, Games, Start, System

NARROW = 1e-4  # width of a draw, times 1 + the gap, below which its normal is as good as flat


class Belief(NamedTuple):
    """A rating and its variance, in rating points and their square."""

    rating: float
    variance: float


class Said(NamedTuple):
    """What a result says of the difference of two performances, in their joint standard deviations."""

    v: float  # how far its mean moves
    w: float  # the share of its variance that is gone, 0..1


@kernel
def expected_score(t: float, margin: float) -> float:
    """Return win + draw/2 = (Phi(t - margin) + Phi(t + margin)) / 2."""
    return 0.5 * (normal(t - margin) + normal(t + margin))


@kernel
def draw_chance(t: float, margin: float) -> float:
    """Return Phi(margin - |t|) - Phi(-margin - |t|), which is at most twice the weaker side's expected score."""
    return max(normal(margin - abs(t)) - normal(-margin - abs(t)), 0.0)


@kernel
def won(t: float, margin: float) -> Said:
    """Return v = phi(t - margin) / Phi(t - margin) and w = v (v + t - margin)."""
    v = hazard(margin - t)
    return Said(v, v * excess(margin - t))


@kernel
def drawn(t: float, margin: float) -> Said:
    """Return v and w of a difference that was within the margin; v is that of the stronger side, its sign changed.

    Both are of a normal between `low` and `high`, divided by the density at `low`, so that nothing vanishes far out.
    """
    a = abs(t)
    low, high = a - margin, a + margin
    if 2.0 * margin * (1.0 + a) < NARROW:
        return Said(a * (1.0 - margin * margin / 3.0), 1.0 - margin * margin / 3.0)
    nearer, further, fall = 1.0 / hazard(low), 1.0 / hazard(high), exp(-2.0 * a * margin)
    mass = nearer - fall * further
    beyond = (nearer * excess(low) - fall * further * (excess(high) + 2.0 * margin)) / mass
    v = low + beyond
    return Said(v, v * beyond + 2.0 * margin * fall / mass)


@kernel
def said(t: float, margin: float, score: float) -> Said:
    """Return what the result says of me, who am t ahead of the other: v with its sign, and w."""
    if score == 0.5:
        middle = drawn(t, margin)
        return Said(-middle.v if t > 0.0 else middle.v, middle.w)
    side = 1.0 if score > 0.5 else -1.0
    end = won(side * t, margin)
    return Said(side * end.v, end.w)


class Gaussian(System):
    """The rim of such a system."""

    rating: float = quantity(25.0, "rating of a newcomer, mu", unit="rating points", ge=-1e6, le=1e6)
    deviation: float = quantity(25.0 / 3.0, "deviation of a newcomer, sigma", unit="rating points", gt=0, le=1e6)
    advantage: float = quantity(0.0, "what an edge of +1 is worth", unit="rating points", ge=-1e4, le=1e4)

    least: ClassVar[float] = 1e-9  # deviation of anybody

    def belief(self, start: Start) -> tuple[float, ...]:
        """Return rating and variance.

        Raises
        ------
        InputError : the deviation is too small, or no number.
        """
        deviation = self.deviation if math.isnan(start.deviation) else start.deviation
        least = getattr(self, "floor", self.least)
        if not least <= deviation < math.inf:
            expected = f"at least {least:g}, as system {self.kind} has it"
            raise InputError(f"{deviation:g}", where="start, column deviation", expected=expected)
        return (self.rating if math.isnan(start.rating) else start.rating, deviation * deviation)

    def columns(self, beliefs: Floats) -> dict[str, Any]:
        """Return the rating and the deviation."""
        return {"rating": beliefs[:, 0], "deviation": beliefs[:, 1] ** 0.5}


def only_halves(games: Games, where: str) -> None:
    """Refuse a game that counts and was neither won, nor drawn, nor lost.

    Raises
    ------
    InputError : there is one.
    """
    odd = ~np.isin(games.score, (0.0, 0.5, 1.0))
    if games.weight is not None:
        odd &= games.weight != 0.0
    if odd.any():
        raise InputError(f"a score of {games.score[odd.argmax()]:g}", where=where, expected="0, 0.5 or 1")
