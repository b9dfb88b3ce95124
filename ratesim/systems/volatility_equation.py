"""The equation in one unknown that Glicko-2 finds a volatility by."""

from typing import NamedTuple

from ..jit import kernel
from ..maths import exp


class Riddle(NamedTuple):
    """f(x) = e^x (gap - e^x) / (2 (spread + e^x)^2) - (x - a) weight, step 5.1 of the paper."""

    a: float
    gap: float  # Delta^2 - phi^2 - v
    spread: float  # phi^2 + v
    weight: float  # 1 / tau^2


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
