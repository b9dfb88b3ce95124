"""Lichess's kernels: Glicko-2 without step 6, aged by the clock, within bounds."""

from typing import NamedTuple

from ..jit import kernel
from ..maths import exp
from ..records import Clock
from . import glicko2_kernels as glicko2
from .glicko2_kernels import Belief
from .glicko_kernels import Evidence


class Params(NamedTuple):
    """What the kernels read: Glicko-2's, and the bounds of a rating."""

    q: float  # 1 / 173.7178
    advantage: float
    weight: float  # 1 / tau^2
    ceiling: float  # of the variance
    floor: float  # of the variance
    top: float  # ln of the largest volatility squared
    cap: float  # the largest volatility squared
    iterations: float
    lowest: float
    most: float  # change
    regulator: float  # of gains


@kernel
def drift(p: Params, me: Belief, clock: Clock) -> Belief:
    """Return the belief at a moment: RD^2 grows by sigma^2 a unit of time, the span of what was played included."""
    grown = me.variance + (clock.idle + clock.span) * exp(me.noise) / (p.q * p.q)
    return Belief(me.rating, min(grown, p.ceiling), me.noise, 0.0)


@kernel
def glicko2_of(p: Params) -> glicko2.Params:
    """Return what Glicko-2's kernels read."""
    return glicko2.Params(p.q, p.advantage, p.weight, p.ceiling, p.floor, p.top, p.cap, p.iterations)


@kernel
def at(clock: Clock) -> Clock:
    """Return the moment without the span that step 6 would add."""
    return Clock(clock.now, clock.days, 0.0, 0.0, 0.0)


@kernel
def bounded(p: Params, me: Belief, after: Belief) -> Belief:
    """Return the belief after a game with the change of the rating, gains regulated, and the rating within bounds."""
    change = after.rating - me.rating
    change = min(max(change * p.regulator if change > 0.0 else change, -p.most), p.most)
    return Belief(max(me.rating + change, p.lowest), after.variance, after.noise, after.flags)


@kernel
def absorb(p: Params, me: Belief, total: Evidence, gain: float, clock: Clock) -> Belief:
    """Return steps 3 to 7 of Glicko-2 without step 6, within bounds."""
    return bounded(p, me, glicko2.absorb(glicko2_of(p), me, total, gain, at(clock)))


@kernel
def careful(p: Params, me: Belief, total: Evidence, clock: Clock) -> Belief:
    """Return the same with step 5 solved to the last digit."""
    return bounded(p, me, glicko2.careful(glicko2_of(p), me, total, at(clock)))


KERNELS = glicko2.KERNELS._replace(Params=Params, drift=drift, absorb=absorb, careful=careful)
