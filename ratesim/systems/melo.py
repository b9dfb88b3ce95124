"""Multidimensional Elo: a rating, and a place on a disc on which a cycle of players can lie."""

import math
from typing import Any, ClassVar, Literal, NamedTuple

from ..curves import LN10
from ..jit import kernel
from ..maths import logistic
from ..records import Clock, Game
from ..spec import quantity
from .base import SYSTEMS, Floats, Kernels, Start, System


class Params(NamedTuple):
    """What the kernels read."""

    q: float  # ln 10 / scale
    advantage: float
    pace: float  # eta_c


class Belief(NamedTuple):
    """A rating and a place on the disc, in natural units."""

    rating: float
    x: float
    y: float


class Evidence(NamedTuple):
    """Score above expectation, and that times the derivative of the forecast's logit by my place."""

    games: float
    surplus: float
    x: float
    y: float


@kernel
def predict(p: Params, me: Belief, foe: Belief, game: Game) -> float:
    """Return 1 / (1 + e^-z), z = q gap + c' Omega c_j, where Omega turns the disc by a quarter."""
    gap = me.rating - foe.rating + p.advantage * game.edge
    return logistic(p.q * gap + (me.x * foe.y - me.y * foe.x))


@kernel
def evidence(p: Params, me: Belief, foe: Belief, game: Game, expected: float) -> Evidence:
    """Return S - E and (S - E) Omega c_j."""
    surplus = game.score - expected
    return Evidence(1.0, surplus, surplus * foe.y, -surplus * foe.x)


@kernel
def absorb(p: Params, me: Belief, total: Evidence, gain: float, clock: Clock) -> Belief:
    """Return R + K sum(S - E) and c + eta_c sum((S - E) Omega c_j)."""
    return Belief(me.rating + gain * total.surplus, me.x + p.pace * total.x, me.y + p.pace * total.y)


KERNELS = Kernels(Params, Belief, Evidence, predict, evidence, absorb, complement=True)


@SYSTEMS.add
class Melo(System):
    """mElo: Elo, and who beats whom beyond it, as on a disc where everybody beats those a quarter turn ahead.

    D. Balduzzi, K. Tuyls, J. Perolat, T. Graepel, Re-evaluating evaluation, NeurIPS 2018; also called multidimensional
    Elo, mElo2 and mElo2k with k = 1. It is for worlds that are not transitive, as rock, paper and scissors are not. The
    pace eta_c is 1/8 and K that of the policy.

    Departures
    ----------
    One disc. The paper begins at random places; here every newcomer begins at (`reach`, 0). Equal places say nothing of
    each other, and the first results part them, since the place where all are the same is no stable one in a world
    with cycles. `advantage` is an addition that is off by default.

    A game moves a place by up to the pace times the other's distance from the middle: beyond 1 all would run away from
    it, and no more is taken. The games of a period add up, so that a pace of many games a period must be the smaller.
    """

    takes_policy: ClassVar[bool] = True
    kind: Literal["melo"] = "melo"
    scale: float = quantity(400.0, "difference for odds of ten to one", unit="rating points", gt=0, le=1e6)
    start: float = quantity(1500.0, "rating of a newcomer", unit="rating points", ge=-1e6, le=1e6)
    advantage: float = quantity(0.0, "what an edge of +1 is worth", unit="rating points", ge=-1e4, le=1e4)
    pace: float = quantity(0.125, "eta_c: how far a game moves a place on the disc", unit="natural log", ge=0, le=1)
    reach: float = quantity(0.5, "how far from the middle a newcomer is", unit="natural log", ge=0, le=100)

    def kernels(self) -> Kernels:
        """Return the kernels."""
        return KERNELS

    def params(self) -> tuple[float, ...]:
        """Return q, the advantage and the pace."""
        return (LN10 / self.scale, self.advantage, self.pace)

    def belief(self, start: Start) -> tuple[float, ...]:
        """Return the start rating and the newcomers' place."""
        return (self.start if math.isnan(start.rating) else start.rating, self.reach, 0.0)

    def columns(self, beliefs: Floats) -> dict[str, Any]:
        """Return the rating and the place on the disc."""
        return {"rating": beliefs[:, 0], "disc_x": beliefs[:, 1], "disc_y": beliefs[:, 2]}
