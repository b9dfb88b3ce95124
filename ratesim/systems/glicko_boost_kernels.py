"""Glicko-Boost's kernels: a period is judged five times, once more where somebody played above themselves."""

import math
from typing import NamedTuple

from ..jit import kernel
from ..maths import exp, logistic
from ..records import Clock, Game
from .base import Kernels
from .glicko_kernels import Evidence, shrink

PASSES = 5


class Params(NamedTuple):
    """What the kernels read."""

    q: float  # ln 10 / 400
    advantage: float  # eta
    ceiling: float  # of the variance
    floor: float  # of the variance
    exceptional: float  # k
    b1: float
    b2: float
    a0: float
    a1: float
    a2: float
    a3: float
    a4: float


class Belief(NamedTuple):
    """A rating and its variance, those that opponents of the open period see, the boosted variance, the growth."""

    rating: float
    variance: float
    shown: float  # rating
    spread: float  # variance
    boosted: float  # variance
    growth: float  # of the variance, in a unit of time


@kernel
def growth(p: Params, rating: float, variance: float) -> float:
    """Return exp(a0 + a1 RD + a2 RD r + a3 r + a4 r^2), r in thousands: what a period adds to the variance."""
    deviation, r = math.sqrt(variance), rating / 1000.0
    return exp(p.a0 + p.a1 * deviation + p.a2 * deviation * r + p.a3 * r + p.a4 * r * r)


@kernel
def drift(p: Params, me: Belief, clock: Clock) -> Belief:
    """Return the belief at the onset of a period, the growth being that of the deviation after the last game."""
    variance = min(me.variance + me.growth * (clock.idle + clock.span), p.ceiling)
    return Belief(me.rating, variance, me.rating, variance, variance, me.growth)


@kernel
def predict(p: Params, me: Belief, foe: Belief, game: Game) -> float:
    """Return the expected score with both deviations in g."""
    gap = me.rating - foe.rating + p.advantage * game.edge
    return logistic(p.q * shrink(p.q, me.variance + foe.variance) * gap)


@kernel
def evidence(p: Params, me: Belief, foe: Belief, game: Game, expected: float) -> Evidence:
    """Return Glicko's, of my rating before the period and of the other's as it is shown."""
    k = p.q * shrink(p.q, foe.spread)
    e = logistic(k * (me.rating - foe.shown + p.advantage * game.edge))
    return Evidence(1.0, k * (game.score - e), k * k * max(e * (1.0 - e), 1e-70))


@kernel
def boost(p: Params, variance: float, total: Evidence) -> float:
    """Return ((1 + (Z - k) B1) RD + B2)^2 where Z = sum(g (S - E)) / sqrt(sum(g^2 E (1 - E))) is above k."""
    over = total.slope / math.sqrt(max(total.information, 1e-200)) - p.exceptional
    deviation = (1.0 + over * p.b1) * math.sqrt(variance) + p.b2
    return min(deviation * deviation, p.ceiling) if over > 0.0 else variance


@kernel
def between(p: Params, me: Belief, total: Evidence, n: float) -> Belief:
    """Return what opponents see after judging n: the update of 1 and 2, the boost of 3, the update of 4.

    Steps 1, 2, 4 and 5 start from the rating before the period. Z, of step 3, is judged against the results of step 2.
    """
    own = boost(p, me.variance, total) if n == 3 else me.boosted
    variance = own / (1.0 + own * total.information)
    updated = n != 3
    return Belief(
        me.rating,
        me.variance,
        me.rating + variance * total.slope if updated else me.rating,
        variance if updated else own,
        own,
        me.growth,
    )


@kernel
def absorb(p: Params, me: Belief, total: Evidence, gain: float, clock: Clock) -> Belief:
    """Return step 5: the update of the boosted belief against the results of step 4."""
    variance = max(me.boosted / (1.0 + me.boosted * total.information), p.floor)
    rating = me.rating + me.boosted / (1.0 + me.boosted * total.information) * total.slope
    return Belief(rating, variance, rating, variance, variance, growth(p, rating, variance))


KERNELS = Kernels(Params, Belief, Evidence, predict, evidence, absorb, drift, seen=4, between=between, passes=PASSES)
