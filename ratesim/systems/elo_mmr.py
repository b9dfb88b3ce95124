"""Elo-MMR for two players, in the form whose beliefs are normal."""

import math
from typing import ClassVar, Literal, NamedTuple

from ..jit import kernel
from ..maths import excess, hazard, normal
from ..records import Clock, Game
from ..spec import quantity
from .base import SYSTEMS, Floats, Games, Kernels
from .gaussian import Belief, Gaussian, only_halves

STEPS = 60  # of Newton's method, which takes a dozen where deviations differ by a factor of a thousand
CLOSE = 1e-14  # relative step at which it ends


class Params(NamedTuple):
    """What the kernels read."""

    spread: float  # beta^2, the variance of a performance
    noise: float  # variance that a period with games adds
    advantage: float


class Evidence(NamedTuple):
    """Sums over games: of performances less the rating, over beta^2, and of 1 / beta^2."""

    games: float
    slope: float
    information: float


@kernel
def predict(p: Params, me: Belief, foe: Belief, game: Game) -> float:
    """Return the chance of the better performance, Phi(gap / sqrt(delta^2 + delta_j^2))."""
    both = 2.0 * (p.spread + p.noise) + me.variance + foe.variance
    return normal((me.rating - foe.rating + p.advantage * game.edge) / math.sqrt(both))


@kernel
def shown(ahead: float, ratio: float) -> float:
    """Return h(u) where u + ahead + ratio h(u) = 0: how far above the rating a winner has most likely performed.

    That is in delta^2 / delta_j; h is the hazard of the normal. The left side is convex and rises with u, and is not
    below 0 at -ahead, from where Newton's method goes down to the zero without a step too far.
    """
    u = -ahead
    for _ in range(STEPS):
        h = hazard(u)
        step = (u + ahead + ratio * h) / (1.0 + ratio * h * excess(u))
        u -= step
        if step <= CLOSE * (1.0 + abs(u)):
            break
    return hazard(u)


@kernel
def evidence(p: Params, me: Belief, foe: Belief, game: Game, expected: float) -> Evidence:
    """Return the performance that the result makes most likely, less my rating, and its weight.

    After a draw both have performed alike: where the product of both densities has its peak.
    """
    own = me.variance + p.noise + p.spread  # delta^2
    other = foe.variance + p.noise + p.spread
    gap = me.rating - foe.rating + p.advantage * game.edge
    side = 1.0 if game.score > 0.5 else -1.0
    if game.score == 0.5:
        above = -gap * (own / (own + other))
    else:
        wide = math.sqrt(other)
        above = side * (own / wide) * shown(side * gap / wide, own / other)
    return Evidence(1.0, above / p.spread, 1.0 / p.spread)


@kernel
def absorb(p: Params, me: Belief, total: Evidence, gain: float, clock: Clock) -> Belief:
    """Return the mean of the rating and the performances, each by its precision."""
    variance = me.variance + p.noise
    variance = variance / (1.0 + variance * total.information)
    return Belief(me.rating + variance * total.slope, variance)


KERNELS = Kernels(Params, Belief, Evidence, predict, evidence, absorb, complement=True)


@SYSTEMS.add
class EloMmr(Gaussian):
    """Elo-MMR in its form chi: a result is turned into a performance, a rating is the mean of performances.

    A. Ebtekar, P. Liu, Elo-MMR: a rating system for massive multiplayer competitions, WWW 2021, arXiv:2101.00400; also
    called Elo-R, and Elo-MMX in this form. Here performances and beliefs are normal, so that a rating and a deviation
    are all there is to remember and games add up. The form rho remembers every performance and weighs those that stick
    out less; it is not here. Defaults are those of the authors' program: 1500, 350, a weight of 0.2 and a limit of 80,
    so beta = 80 sqrt(6) = 196.0 and 35.8 points of drift a period; its ties are not split.

    Departures
    ----------
    A game is a competition of two. Of several games in one period each has a performance by the opening beliefs, and
    the drift is added once; a period of one game is the paper's. Time brings no drift and newcomers have no delay.
    `advantage` is an addition that is off by default.
    """

    by_halves: ClassVar[bool] = True
    kind: Literal["elo-mmr"] = "elo-mmr"
    rating: float = quantity(1500.0, "rating of a newcomer", unit="rating points", ge=-1e6, le=1e6)
    deviation: float = quantity(350.0, "deviation of a newcomer", unit="rating points", gt=0, le=1e6)
    weight: float = quantity(0.2, "what a game weighs in the long run, against all before", unit="share", gt=0, le=100)
    limit: float = quantity(80.0, "deviation after very many games", unit="rating points", gt=0, le=1e6)

    def kernels(self) -> Kernels:
        """Return the kernels."""
        return KERNELS

    def params(self) -> tuple[float, ...]:
        """Return beta^2 = (1 + 1 / weight) limit^2, the drift weight limit^2 and the advantage."""
        return ((1.0 + 1.0 / self.weight) * self.limit**2, self.weight * self.limit**2, self.advantage)

    def check(self, games: Games, beliefs: Floats) -> None:
        """Refuse scores between a win, a draw and a loss."""
        only_halves(games, "system elo-mmr")
