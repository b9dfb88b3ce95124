"""Glicko-2: Glicko with a volatility, found by one equation in one unknown."""

import math
from typing import Literal, NamedTuple, Self

import numpy as np
from pydantic import model_validator

from ..errors import InputError
from ..jit import kernel
from ..maths import exp
from ..records import Clock
from ..spec import quantity
from .base import SYSTEMS, Floats, Kernels, Start
from .glicko import Deviating, Evidence, evidence, predict

MOST = 1e6  # the most that doubles bear; no equation in reach has a root there
SCALE = 173.7178  # as the paper prints it; 400 / ln 10 = 173.71779 moves a deviation by 1e-6


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


class Riddle(NamedTuple):
    """f(x) = e^x (gap - e^x) / (2 (spread + e^x)^2) - (x - a) weight, step 5.1 of the paper."""

    a: float
    gap: float  # Delta^2 - phi^2 - v
    spread: float  # phi^2 + v
    weight: float  # 1 / tau^2


FLAGS = ("volatility capped", "several roots of the volatility equation", "iterations exhausted")
CAPPED, SEVERAL, EXHAUSTED, OPEN = 1.0, 2.0, 4.0, 8.0


@kernel
def drift(p: Params, me: Belief, clock: Clock) -> Belief:
    """Return the belief after idle time: RD^2 grows by sigma^2 a period; step 6 of the played one is in `absorb`."""
    grown = me.variance + clock.idle * exp(me.noise) / (p.q * p.q)
    return Belief(me.rating, min(grown, p.ceiling), me.noise, 0.0)


@kernel
def slope_and_value(r: Riddle, x: float) -> tuple[float, float]:
    """Return f'(x) and f(x)."""
    u = exp(x)
    w = 1.0 / (r.spread + u)
    y = u * w
    h = 0.5 * y * (r.gap - u) * w
    return h - 0.5 * y * y - 2.0 * h * y - r.weight, h - (x - r.a) * r.weight


@kernel
def hump_of(r: Riddle) -> float:
    """Return the largest value of f + (x - a) weight, where gap is positive."""
    return r.gap * r.gap / (8.0 * r.spread * max(r.spread + r.gap, 1e-300))


@kernel
def newton(r: Riddle, x: float, falls: bool) -> tuple[float, bool]:
    """Return one Newton step from x, at most 50 long, and whether f fell wherever one was taken so far."""
    d, f = slope_and_value(r, x)
    return x - min(max(f / min(d, -1e-300), -50.0), 50.0), falls and d < 0.0


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


@SYSTEMS.add
class Glicko2(Deviating):
    """Glicko-2: rating, deviation and volatility, updated by rating periods.

    M. E. Glickman, "Example of the Glicko-2 system" (glicko2.pdf), 22 March 2022, steps 1 to 8. Forecasts use both
    deviations, as Glicko's do.

    Departures
    ----------
    The equation of step 5 can have three roots: the one nearest the old volatility is taken, to the last digit rather
    than to 1e-6, and `diagnostics` counts the periods that had several. Volatility is held to `volatility_cap`, without
    which it explodes for players who play on for ever. A period with no games only widens the deviation, as the paper
    says; with `per` a duration, step 6 adds the share of `per` that the period lasted.
    """

    kind: Literal["glicko2"] = "glicko2"
    tau: float = quantity(0.5, "how freely volatility moves, 0.3 to 1.2 in the paper", unit="natural log", gt=0, le=10)
    volatility: float = quantity(0.06, "volatility of a newcomer", unit="per sqrt(per), on the scale of 173.7", gt=0)
    volatility_cap: float | None = quantity(
        0.1, "volatility never exceeds this; none: a million", unit="as volatility", gt=0, le=1e6
    )
    iterations: int = quantity(100, "most steps of the volatility equation", unit="steps", ge=1, le=10_000)

    @model_validator(mode="after")
    def _capped(self) -> Self:
        if self.volatility_cap is not None and self.volatility > self.volatility_cap:
            msg = f"volatility {self.volatility} is above volatility_cap {self.volatility_cap}"
            raise ValueError(msg)
        return self

    def kernels(self) -> Kernels:
        """Return the kernels."""
        return KERNELS

    def params(self) -> tuple[float, ...]:
        """Return q, advantage, 1 / tau^2, squares of ceiling and floor, ln of the squared cap, it, iterations."""
        cap = MOST if self.volatility_cap is None else self.volatility_cap
        bounds = (self.ceiling**2, self.floor**2, 2.0 * math.log(cap), cap**2)
        return (1.0 / SCALE, self.advantage, self.tau**-2.0, *bounds, float(self.iterations))

    def belief(self, start: Start) -> tuple[float, ...]:
        """Return rating, variance, ln of the volatility squared, no flags."""
        volatility = self.volatility if math.isnan(start.volatility) else start.volatility
        cap = MOST if self.volatility_cap is None else self.volatility_cap
        if not 0.0 < volatility <= cap:
            expected = f"more than 0 and at most volatility_cap {cap:g} of system {self.kind}"
            raise InputError(f"{volatility:g}", where="start, column volatility", expected=expected)
        return (*self.known(start), 2.0 * math.log(volatility), 0.0)

    def columns(self, beliefs: Floats) -> dict[str, Floats]:
        """Return rating, deviation, volatility."""
        cap = MOST if self.volatility_cap is None else self.volatility_cap
        return {**super().columns(beliefs), "volatility": np.minimum(np.exp(beliefs[:, 2] / 2.0), cap)}
