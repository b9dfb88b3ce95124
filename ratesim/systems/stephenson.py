"""Stephenson's system: Glicko with a bonus for playing, a pull towards opponents and a growth of games."""

from typing import Literal, NamedTuple

from ..curves import LN10
from ..jit import kernel
from ..maths import logistic
from ..records import Clock, Game
from ..spec import quantity
from .base import SYSTEMS, Kernels, Start
from .deviating import Deviating
from .glicko_kernels import Belief, drift, shrink


class Params(NamedTuple):
    """What the kernels read."""

    q: float  # ln 10 / 400
    advantage: float
    growth: float  # c squared
    ceiling: float  # of the variance
    floor: float  # of the variance
    growth_of_game: float  # h squared
    bonus: float  # b / 100, in points of score
    pull: float  # lambda / 100
    forecast_advantage: float


class Evidence(NamedTuple):
    """Glicko's, with the bonus, and how far the opponents are above."""

    games: float
    slope: float
    information: float
    above: float


@kernel
def predict(p: Params, me: Belief, foe: Belief, game: Game) -> float:
    """Return the expected score with both deviations in k, and an advantage of its own."""
    gap = me.rating - foe.rating + p.forecast_advantage * game.edge
    return logistic(p.q * shrink(p.q, me.variance + foe.variance) * gap)


@kernel
def evidence(p: Params, me: Belief, foe: Belief, game: Game, expected: float) -> Evidence:
    """Return q k (S - E + b / 100), q^2 k^2 E (1 - E) and r_j - r, where E has the other's deviation only."""
    k = p.q * shrink(p.q, foe.variance)
    e = logistic(k * (me.rating - foe.rating + p.advantage * game.edge))
    return Evidence(1.0, k * (game.score - e + p.bonus), k * k * max(e * (1.0 - e), 1e-70), foe.rating - me.rating)


@kernel
def absorb(p: Params, me: Belief, total: Evidence, gain: float, clock: Clock) -> Belief:
    """Return v* = 1 / (1 / (v + m h^2) + d) and r* = r + q v* sum(k (S - E + b)) + lambda mean(r_j - r)."""
    wide = me.variance + total.games * p.growth_of_game
    variance = min(wide / (1.0 + wide * total.information), p.ceiling)
    above = total.above / total.games if total.games > 0.0 else 0.0
    return Belief(me.rating + variance * total.slope + p.pull * above, max(variance, p.floor))


KERNELS = Kernels(Params, Belief, Evidence, predict, evidence, absorb, drift)


@SYSTEMS.add
class Stephenson(Deviating):
    """Stephenson's system, also called Sticko: Glicko, tuned to chess, which won the Deloitte/FIDE challenge of 2012.

    A. Stephenson & J. Sonas, PlayerRatings (R), `steph` and `predict`, whose defaults these are: newcomers 2200/300,
    c = h = 10, b = 0, lambda = 2, periods of a month, deviations up to 350; c = h = 9 won the challenge. In addition to
    Glicko, every game adds h^2 to the variance and b hundredths of a point to its score, and lambda hundredths of the
    way to the mean of the opponents is gone. Names: c `cval`, h `hval`, bonus `bval`, neighbourhood `lambda`, advantage
    `gamma` of the update and forecast_advantage `gamma` of `predict`. With h, bonus and neighbourhood 0, and one
    advantage, it is Glicko.

    Departures
    ----------
    None from PlayerRatings. Skillratings' `sticko` takes h for a variance, and bonus and neighbourhood without the
    hundredth.
    """

    kind: Literal["stephenson"] = "stephenson"
    rating: float = quantity(2200.0, "rating of a newcomer", unit="rating points", ge=-1e6, le=1e6)
    deviation: float = quantity(300.0, "deviation of a newcomer", unit="rating points", gt=0, le=1e6)
    c: float = quantity(10.0, "growth of the deviation", unit="rating points per sqrt(per)", ge=0, le=1e6)
    h: float = quantity(10.0, "growth of the deviation by a game", unit="rating points per sqrt(game)", ge=0, le=1e6)
    bonus: float = quantity(0.0, "added to the score of a game (b)", unit="hundredths of a point", ge=-100, le=100)
    neighbourhood: float = quantity(
        2.0, "part of the way to the mean opponent (lambda)", unit="hundredths", ge=0, le=100
    )
    forecast_advantage: float = quantity(
        30.0, "what an edge of +1 is worth in forecasts", unit="rating points", ge=-1e4, le=1e4
    )

    def kernels(self) -> Kernels:
        """Return the kernels."""
        return KERNELS

    @property
    def grows(self) -> bool:
        """Whether the deviation grows at all with time."""
        return self.c > 0.0

    def params(self) -> tuple[float, ...]:
        """Return q, advantage, squares of c, ceiling, floor and h, b and lambda as shares, forecasts' advantage."""
        bounds = (self.c**2, self.ceiling**2, self.floor**2, self.h**2)
        own = (self.bonus / 100.0, self.neighbourhood / 100.0, self.forecast_advantage)
        return (LN10 / 400.0, self.advantage, *bounds, *own)

    def belief(self, start: Start) -> tuple[float, ...]:
        """Return rating and variance."""
        return self.known(start)
