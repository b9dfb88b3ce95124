"""Glicko: a rating and how well it is known."""

import math
from typing import Any, ClassVar, Literal, NamedTuple, Self

from pydantic import model_validator

from ..curves import LN10
from ..errors import InputError
from ..jit import kernel
from ..maths import logistic
from ..records import Clock, Game
from ..spec import quantity
from .base import SYSTEMS, Floats, Growing, Kernels, Start


class Params(NamedTuple):
    """What the kernels read."""

    q: float  # ln 10 / scale
    advantage: float
    growth: float  # c squared
    ceiling: float  # of the variance
    floor: float  # of the variance


class Belief(NamedTuple):
    """A rating and its variance, in rating points and their square."""

    rating: float
    variance: float


class Evidence(NamedTuple):
    """First and second derivative of the log likelihood of the results."""

    games: float
    slope: float
    information: float


@kernel
def shrink(q: float, variance: float) -> float:
    """Return g(RD) = 1 / sqrt(1 + 3 q^2 RD^2 / pi^2)."""
    return 1.0 / math.sqrt(1.0 + (3.0 / math.pi**2) * (q * q) * variance)


@kernel
def drift(p: Params, me: Belief, clock: Clock) -> Belief:
    """Return the belief at the onset of a period: RD = min(sqrt(RD^2 + c^2 t), ceiling)."""
    return Belief(me.rating, min(me.variance + p.growth * (clock.idle + clock.span), p.ceiling))


@kernel
def predict(p: Params, me: Belief, foe: Belief, game: Game) -> float:
    """Return the expected score with both deviations in g (Glickman 1999, equation 16)."""
    gap = me.rating - foe.rating + p.advantage * game.edge
    return logistic(p.q * shrink(p.q, me.variance + foe.variance) * gap)


@kernel
def evidence(p: Params, me: Belief, foe: Belief, game: Game, expected: float) -> Evidence:
    """Return q g (S - E) and q^2 g^2 E (1 - E), where E has the other's deviation only (Glickman 1999, section 3.3).

    E (1 - E) is held above 1e-70, which gaps of more than 28,000 points pass: its inverse is squared twice in Glicko-2.
    """
    k = p.q * shrink(p.q, foe.variance)
    e = logistic(k * (me.rating - foe.rating + p.advantage * game.edge))
    return Evidence(1.0, k * (game.score - e), k * k * max(e * (1.0 - e), 1e-70))


@kernel
def absorb(p: Params, me: Belief, total: Evidence, gain: float, clock: Clock) -> Belief:
    """Return RD'^2 = 1 / (1 / RD^2 + 1 / d^2) and r' = r + RD'^2 q sum(g (S - E))."""
    variance = me.variance / (1.0 + me.variance * total.information)
    return Belief(me.rating + variance * total.slope, max(variance, p.floor))


KERNELS = Kernels(Params, Belief, Evidence, predict, evidence, absorb, drift)


class Deviating(Growing):
    """What Glicko and Glicko-2 share at the rim: newcomers, floor and ceiling of the deviation, the advantage."""

    default_calendar: ClassVar[str] = "months"
    rating: float = quantity(1500.0, "rating of a newcomer", unit="rating points", ge=-1e6, le=1e6)
    deviation: float = quantity(350.0, "deviation of a newcomer", unit="rating points", gt=0, le=1e6)
    floor: float = quantity(0.0, "deviation never falls below this", unit="rating points", ge=0, le=1e6)
    ceiling: float = quantity(350.0, "deviation never grows above this", unit="rating points", gt=0, le=1e6)
    advantage: float = quantity(0.0, "what an edge of +1 is worth", unit="rating points", ge=-1e4, le=1e4)

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if not self.floor <= self.deviation <= self.ceiling:
            msg = f"deviation {self.deviation:g} is not between floor {self.floor:g} and ceiling {self.ceiling:g}"
            raise ValueError(msg)
        return self

    def known(self, start: Start) -> tuple[float, float]:
        """Return rating and variance of a player who has not played.

        Raises
        ------
        InputError : the deviation is not between floor and ceiling.
        """
        deviation = self.deviation if math.isnan(start.deviation) else start.deviation
        if not max(self.floor, 1e-9) <= deviation <= self.ceiling:
            expected = f"more than 0, between floor {self.floor:g} and ceiling {self.ceiling:g} of system {self.kind}"
            raise InputError(f"{deviation:g}", where="start, column deviation", expected=expected)
        return (self.rating if math.isnan(start.rating) else start.rating, deviation * deviation)

    def columns(self, beliefs: Floats) -> dict[str, Any]:
        """Return the rating and the deviation."""
        return {"rating": beliefs[:, 0], "deviation": beliefs[:, 1] ** 0.5}


@SYSTEMS.add
class Glicko(Deviating):
    """Glicko: every rating has a deviation, which games narrow and time widens.

    M. E. Glickman, Parameter estimation in large dynamic paired comparison experiments, Applied Statistics 48 (1999);
    "The Glicko system" (glicko.pdf), steps 1 and 2. c is 63.2, the paper's example: a deviation of 50 is back at 350
    after 30 periods.

    Departures
    ----------
    None. `floor` (the paper recommends 30), `advantage` and durations for `per` are additions that are off by default.
    """

    kind: Literal["glicko"] = "glicko"
    c: float = quantity((4000.0) ** 0.5, "growth of the deviation", unit="rating points per sqrt(per)", ge=0, le=1e6)

    def kernels(self) -> Kernels:
        """Return the kernels."""
        return KERNELS

    @property
    def grows(self) -> bool:
        """Whether the deviation grows at all."""
        return self.c > 0.0

    def params(self) -> tuple[float, ...]:
        """Return q, advantage and the squares of c, ceiling and floor."""
        return (LN10 / 400.0, self.advantage, self.c**2, self.ceiling**2, self.floor**2)

    def belief(self, start: Start) -> tuple[float, ...]:
        """Return rating and variance."""
        return self.known(start)
