"""Glicko-2's kernels: Glicko with a volatility, found by one equation in one unknown."""

import math
from typing import NamedTuple

from ..jit import kernel
from ..maths import exp
from ..records import Clock
from .base import Kernels
from .glicko_kernels import Evidence, evidence, predict
from .volatility_equation import Riddle, hump_of, newton, slope_and_value


class Params(NamedTuple):
    """What the kernels read."""

    q: float  # 1 / 173.7178
    advantage: float
    weight: float  # 1 / tau^2
    ceiling: float  # of the variance
    floor: float  # of the variance
    top: float  # ln of the largest volatility squared
    cap: float  # the largest volatility squared
    iterations: float


class Belief(NamedTuple):
    """Rating, variance in rating points squared, ln of the volatility squared, flags of the last absorb."""

    rating: float
    variance: float
    noise: float
    flags: float


FLAGS = ("volatility capped", "several roots of the volatility equation", "iterations exhausted")
CAPPED, SEVERAL, EXHAUSTED, OPEN = 1.0, 2.0, 4.0, 8.0


@kernel
def drift(p: Params, me: Belief, clock: Clock) -> Belief:
    """Return the belief after idle time: RD^2 grows by sigma^2 a period; step 6 of the played one is in `absorb`."""
    grown = me.variance + clock.idle * exp(me.noise) / (p.q * p.q)
    return Belief(me.rating, min(grown, p.ceiling), me.noise, 0.0)


@kernel
def riddle(p: Params, me: Belief, total: Evidence) -> Riddle:
    """Return the equation that the evidence of a period poses; v and Delta as in steps 3 and 4."""
    v = p.q * p.q / max(total.information, 1e-100)
    surprise = v * total.slope / p.q
    spread = p.q * p.q * me.variance + v
    return Riddle(me.noise, surprise * surprise - spread, spread, p.weight)


@kernel
def settle(p: Params, me: Belief, total: Evidence, span: float, r: Riddle, root: float, flags: float) -> Belief:
    """Return steps 6 and 7 with the volatility found, and the flags that it raises."""
    found = exp(root)
    # f at u*, the top of its hump: positive there, beyond the root found, means two roots more
    top = r.spread * r.gap / (2.0 * r.spread + r.gap)
    several = r.gap > 0.0 and top > found and exp(r.a + hump_of(r) / r.weight) > top
    flags += (CAPPED if root > p.top else 0.0) + (SEVERAL if several else 0.0)
    wide = me.variance + span * min(found, p.cap) / (p.q * p.q)
    variance = wide / (1.0 + wide * total.information)
    return Belief(me.rating + variance * total.slope, max(min(variance, p.ceiling), p.floor), min(root, p.top), flags)


@kernel
def quiet(p: Params, me: Belief, span: float) -> Belief:
    """Return step 6 alone: a period without evidence."""
    grown = me.variance + span * exp(me.noise) / (p.q * p.q)
    return Belief(me.rating, min(grown, p.ceiling), me.noise, 0.0)


@kernel
def absorb(p: Params, me: Belief, total: Evidence, gain: float, clock: Clock) -> Belief:
    """Return steps 3 to 7 with three Newton steps for step 5, flagged OPEN where they were not enough.

    f is convex from a to the nearest root above it, and falls from there to the only root below a, so Newton's steps
    from a come to the nearest root from one side, as long as f falls where they set out.
    """
    some = total.information > 0.0
    r = riddle(p, me, total)
    x, falls = newton(r, me.noise, True)
    y, falls = newton(r, x, falls)
    z, falls = newton(r, y, falls)
    after = settle(p, me, total, clock.span, r, z, 0.0)
    still = quiet(p, me, clock.span)
    done = falls and abs(z - y) <= 1e-8
    return Belief(
        after.rating if some else still.rating,
        after.variance if some else still.variance,
        after.noise if some else still.noise,
        (after.flags if done else OPEN) if some else 0.0,
    )


@kernel
def careful(p: Params, me: Belief, total: Evidence, clock: Clock) -> Belief:
    """Return the same with step 5 solved to the last digit: Newton inside a bracket that holds the nearest root.

    |f + (x - a) / tau^2| is at most 1/2 below a and at most the hump above it, which bounds the root; the bracket is
    halved only where f rises or Newton leaves it, and the nearest root cannot lie behind either.
    """
    r = riddle(p, me, total)
    above = r.gap > exp(r.a)
    low = r.a if above else r.a - 0.5 / r.weight
    high = r.a + hump_of(r) / r.weight if above else r.a
    x = r.a
    n = 0.0
    moved = math.inf
    while n < p.iterations and moved > 4e-16 * max(abs(x), 1.0):
        d, f = slope_and_value(r, x)
        low, high = (x, high) if f > 0.0 else (low, x)
        new = x - f / d
        if d >= 0.0 or new < low or new > high:
            new = 0.5 * (low + high)
        moved = abs(new - x)
        x = new
        n += 1.0
    return settle(p, me, total, clock.span, r, x, EXHAUSTED if moved > 1e-9 else 0.0)


KERNELS = Kernels(Params, Belief, Evidence, predict, evidence, absorb, drift, flags=FLAGS, seen=2, careful=careful)
