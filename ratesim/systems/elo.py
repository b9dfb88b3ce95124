"""Elo ratings with the logistic or the normal curve."""

import math
from typing import ClassVar, Literal, NamedTuple

from ..curves import LN10, logistic_curve, normal_curve
from ..jit import kernel
from ..records import Clock, Game
from ..spec import choice, quantity
from .base import SYSTEMS, Floats, Kernels, Start, System


class Params(NamedTuple):
    """What the kernels read."""

    q: float  # ln 10 / scale
    advantage: float
    cap: float
    floor: float


class Belief(NamedTuple):
    """A rating."""

    rating: float


class Evidence(NamedTuple):
    """Score above expectation."""

    games: float
    surplus: float


@kernel
def difference(p: Params, me: Belief, foe: Belief, game: Game) -> float:
    """Return my rating, with the advantage, less the other's, held to the cap."""
    return min(max(me.rating - foe.rating + p.advantage * game.edge, -p.cap), p.cap)


@kernel
def predict_logistic(p: Params, me: Belief, foe: Belief, game: Game) -> float:
    """Return E = 1 / (1 + 10**(-difference / scale))."""
    return logistic_curve(p.q, difference(p, me, foe, game))


@kernel
def predict_normal(p: Params, me: Belief, foe: Belief, game: Game) -> float:
    """Return E = Phi(difference / sd)."""
    return normal_curve(p.q, difference(p, me, foe, game))


@kernel
def evidence(p: Params, me: Belief, foe: Belief, game: Game, expected: float) -> Evidence:
    """Return S - E."""
    return Evidence(1.0, game.score - expected)


@kernel
def absorb(p: Params, me: Belief, total: Evidence, gain: float, clock: Clock) -> Belief:
    """Return R + K sum(S - E)."""
    return Belief(me.rating + gain * total.surplus)


@kernel
def absorb_above(p: Params, me: Belief, total: Evidence, gain: float, clock: Clock) -> Belief:
    """Return the same, or the floor if that is more."""
    return Belief(max(me.rating + gain * total.surplus, p.floor))


LOGISTIC = Kernels(Params, Belief, Evidence, predict_logistic, evidence, absorb, complement=True)
NORMAL = LOGISTIC._replace(predict=predict_normal)


@SYSTEMS.add
class Elo(System):
    """Elo: R' = R + K (S - E), the expected score E read off a curve over the rating difference.

    A. E. Elo, The Rating of Chessplayers, Past and Present, 1978. The logistic curve is 1 / (1 + 10**(-d / scale));
    the normal one has the standard deviation 5/7 of the scale, 2000/7 for 400, which FIDE's table was made with.

    Departures
    ----------
    None from the formula. Over a rating period the surplus is summed and absorbed once, as Elo's periodic formula has
    it. The cap holds the difference with the advantage in it. A floor, as some federations have one, holds ratings from
    below: what a loser does not lose at it enters the pool.
    """

    takes_policy: ClassVar[bool] = True
    kind: Literal["elo"] = "elo"
    curve: Literal["logistic", "normal"] = choice("logistic", "expected score over the rating difference")
    scale: float = quantity(400.0, "difference for odds of ten to one", unit="rating points", gt=0, le=1e6)
    start: float = quantity(1500.0, "rating of a newcomer", unit="rating points", ge=-1e6, le=1e6)
    advantage: float = quantity(0.0, "what an edge of +1 is worth", unit="rating points", ge=-1e4, le=1e4)
    cap: float | None = quantity(None, "a larger difference counts as this one", unit="rating points", gt=0)
    floor: float | None = quantity(
        None, "what no rating is below, from the start", unit="rating points", ge=-1e6, le=1e6
    )

    def kernels(self) -> Kernels:
        """Return the kernels of the chosen curve, with a floor or without."""
        curve = LOGISTIC if self.curve == "logistic" else NORMAL
        return curve if self.floor is None else curve._replace(absorb=absorb_above)

    def params(self) -> tuple[float, ...]:
        """Return q, advantage, cap, floor."""
        return (LN10 / self.scale, self.advantage, math.inf if self.cap is None else self.cap, self._floor)

    def belief(self, start: Start) -> tuple[float, ...]:
        """Return the start rating."""
        return (max(self.start if math.isnan(start.rating) else start.rating, self._floor),)

    def columns(self, beliefs: Floats) -> dict[str, Floats]:
        """Return the rating."""
        return {"rating": beliefs[:, 0]}

    @property
    def _floor(self) -> float:
        return -math.inf if self.floor is None else self.floor
