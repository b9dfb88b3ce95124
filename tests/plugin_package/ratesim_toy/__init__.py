"""A system as a third party writes it, a straight line instead of a curve, and a K policy."""

import math
from typing import ClassVar, Literal, NamedTuple

from ratesim.jit import kernel
from ratesim.policies import Policy
from ratesim.spec import quantity
from ratesim.systems.base import Floats, Kernels, Start, System


class Params(NamedTuple):
    slope: float
    step: float


class Belief(NamedTuple):
    rating: float


class Evidence(NamedTuple):
    games: float
    surplus: float


@kernel
def predict(p, me, foe, game):
    """Expected score of me: a straight line, held to 0..1."""
    return min(max(0.5 + p.slope * (me.rating - foe.rating), 0.0), 1.0)


@kernel
def evidence(p, me, foe, game, expected):
    return Evidence(1.0, game.score - expected)


@kernel
def absorb(p, me, total, gain, clock):
    return Belief(me.rating + p.step * total.surplus)


class Ladder(System):
    """A ladder: so many points for each half point above expectation."""

    kind: Literal["ladder"] = "ladder"
    breaks: ClassVar[dict[str, str]] = {}
    width: float = quantity(800.0, "gap from no chance to certainty", unit="rating points", gt=0)
    step: float = quantity(24.0, "points for a point above expectation", unit="rating points", ge=0)

    def kernels(self) -> Kernels:
        return Kernels(Params, Belief, Evidence, predict, evidence, absorb, complement=True)

    def params(self) -> tuple[float, ...]:
        return (1.0 / self.width, self.step)

    def belief(self, start: Start) -> tuple[float, ...]:
        return (1500.0 if math.isnan(start.rating) else start.rating,)

    def columns(self, beliefs: Floats) -> dict[str, Floats]:
        return {"rating": beliefs[:, 0]}


@kernel
def rested(q, rating, career):
    return q.k * (1.0 + career.idle / q.days)


class Rested(Policy):
    """K that grows while a player rests."""

    gain: ClassVar = rested
    kind: Literal["rested"] = "rested"
    k: float = quantity(20.0, "K of who has just played", unit="rating points a game", ge=0)
    days: float = quantity(365.0, "time that doubles it", unit="days", gt=0)
