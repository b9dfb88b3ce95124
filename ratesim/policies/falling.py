"""K that falls with the games a player has had, as what they have shown grows."""

import math
from typing import Any, ClassVar, Literal, NamedTuple, Self

from pydantic import model_validator

from ..curves import Q
from ..errors import InputError
from ..jit import Function, kernel
from ..maths import exp, log
from ..records import Career
from ..spec import Duration, quantity
from ..theory.deviation import shrink
from .base import MOST, POLICIES, Policy, PolicyKernels


@kernel
def harmonic_gain(q: Any, rating: float, career: Career) -> float:
    """Return k / (1 + games / half), at least the least."""
    k: float = max(q.k / (1.0 + career.games / q.half), q.least)
    return k


@POLICIES.add
class Harmonic(Policy):
    """K that falls with the games played, k / (1 + n / half): the gain of averaging all results alike.

    Glicko without growth of the deviation, against opponents known exactly, has this K with half = 4 x 173.7 / K0
    games (Glickman 1999, equations for one game at a time).

    Departures
    ----------
    Players of a start table that does not say their games have had none.
    """

    gain: ClassVar[Function | None] = harmonic_gain
    sound: ClassVar[bool] = True
    kind: Literal["harmonic"] = "harmonic"
    k: float = quantity(120.0, "K of the first game", unit="rating points a game", ge=0, le=MOST)
    half: float = quantity(10.0, "games that halve it", unit="games", gt=0)
    least: float = quantity(0.0, "K never falls below this", unit="rating points a game", ge=0, le=MOST)


@kernel
def power_gain(q: Any, rating: float, career: Career) -> float:
    """Return k / (games + offset)^shape."""
    k: float = q.k * exp(-q.shape * log(career.games + q.offset))
    return k


@POLICIES.add
class FiveThirtyEight(Policy):
    """K that falls with a power of the games played, k / (n + offset)^shape: 538's of tennis, 250 / (n + 5)^0.4.

    Morris, Bialik and Boice, "How we're forecasting the 2016 U.S. Open", FiveThirtyEight 2016; Kovalchik, "Searching
    for the GOAT of tennis win prediction", Journal of Quantitative Analysis in Sports 12, 2016.

    Departures
    ----------
    Players of a start table that does not say their games have had none.
    """

    gain: ClassVar[Function | None] = power_gain
    sound: ClassVar[bool] = True
    kind: Literal["five-thirty-eight"] = "five-thirty-eight"
    k: float = quantity(250.0, "numerator", unit="rating points a game", ge=0, le=MOST)
    offset: float = quantity(5.0, "games added to those played", unit="games", gt=0)
    shape: float = quantity(0.4, "power of the games", unit="power", ge=0, le=10)

    @model_validator(mode="after")
    def _bounded(self) -> Self:
        if self.k > MOST * self.offset**self.shape:
            told = f"k = {self.k:g}, offset = {self.offset:g}, shape = {self.shape:g}"
            raise InputError(told, expected=f"a K of the first game, k / offset^shape, of at most {MOST:g}")
        return self


@kernel
def effective_games(rating: float, games: float) -> float:
    """Return N', the games that a rating is taken to rest on."""
    short = max(2569.0 - rating, 0.0)
    most = 50.0 / math.sqrt(0.662 + 0.00000739 * short * short) if rating <= 2355.0 else 50.0
    return min(games, most)


@kernel
def uscf_gain(q: Any, rating: float, career: Career) -> float:
    """Return k / (N' + m) for the m games of this period; 0 where there are none."""
    k: float = q.k / (effective_games(rating, career.games) + career.fresh) if career.fresh > 0.0 else 0.0
    return k


@POLICIES.add
class Uscf(Policy):
    """K of US Chess, 800 / (N' + m): N' effective games before an event, m games in it.

    N' is the number of games played, at most 50 / sqrt(.662 + .00000739 (2569 - R)^2), and at most 50 above a rating R
    of 2355 (Glickman and Doan, "The US Chess rating system", 2020).

    Departures
    ----------
    A rating period is taken for an event. The special formula of players with up to 8 games, or with nothing but wins
    or losses, the bonus of those who score far more than expected, and the smaller K of the highest rated in events
    that are rated twice are left out: they are no K of a player and an event alone. Players of a start table that does
    not say their games have had none.
    """

    gain: ClassVar[Function | None] = uscf_gain
    sound: ClassVar[bool] = True
    kind: Literal["uscf"] = "uscf"
    k: float = quantity(800.0, "numerator", unit="rating points", ge=0, le=MOST)


class DeviationParams(NamedTuple):
    """What a deviation goes by: variances in rating points squared."""

    precision: float  # 1 / RD0^2
    said: float  # of a game, q^2 g^2 / 4
    growth: float  # of the variance in a day, c^2 / per
    least: float
    most: float
    scale: float  # q g


@kernel
def deviation_gain(q: DeviationParams, rating: float, career: Career) -> float:
    """Return q g / (1 / RD^2 + m q^2 g^2 / 4) for the m games of this period."""
    rested = 1.0 / (q.precision + career.games * q.said) + q.growth * career.idle
    return q.scale / (1.0 / min(max(rested, q.least), q.most) + career.fresh * q.said)


@POLICIES.add
class GlickoEffective(Policy):
    """The K that Glicko comes to: of a deviation that games make smaller and idle time makes greater.

    The change of a rating in Glicko is K times the score above expectation with K = q g / (1 / RD^2 + 1 / d^2), where
    q = ln 10 / 400, g = 1 / sqrt(1 + 3 q^2 RD_foe^2 / pi^2) and 1 / d^2 = m q^2 g^2 / 4 for m games of a period between
    equals (Glickman 1999, "Parameter estimation in large dynamic paired comparison experiments", section 3.3); T12 of
    `ratesim.theory`. After n games 1 / RD^2 = 1 / RD0^2 + n q^2 g^2 / 4, and then RD^2 grows by c^2 in each `per`.
    With `floor` at `deviation` it is the constant K of that deviation, one game a period: 10, 20 and 40 are those of
    42.2, 60.3 and 87.4 among equals (`foe` the same).

    Departures
    ----------
    A policy sees how many games there were and how long ago the last was, no more: games are taken to be between
    equals, and growth between earlier games, which Glicko remembers, is left out; `floor` can stand for it, at
    `rs.theory.steady_deviation`. c is that of Glickman's example, from 50 back to 350 in five years. Players of a start
    table have `deviation`, less the games that it says they have had, whatever deviation it says.
    """

    kind: Literal["glicko-effective"] = "glicko-effective"
    deviation: float = quantity(350.0, "RD0 of newcomers, the greatest there is", unit="rating points", ge=1, le=MOST)
    c: float = quantity(63.2, "growth of the deviation", unit="rating points per square root of per", ge=0, le=MOST)
    per: Duration = quantity("2mo", "time in which the square of the deviation grows by c^2", unit="days", gt=0)
    foe: float = quantity(0.0, "deviation of all opponents", unit="rating points", ge=0, le=MOST)
    floor: float = quantity(0.0, "least deviation", unit="rating points", ge=0, le=MOST)

    def kernels(self) -> PolicyKernels:
        """Return the record of parameters and the kernel."""
        g = Q * shrink(self.foe)
        sound = min(g * self.deviation**2, 4.0 / g) <= MOST  # it is less than either
        return PolicyKernels(DeviationParams, deviation_gain, career=True, sound=sound)

    def params(self) -> tuple[float, ...]:
        """Return variances and what a game says."""
        g = shrink(self.foe)
        most = self.deviation**2
        said = (Q * g) ** 2 / 4.0
        return (1.0 / most, said, self.c**2 / self.per, min(self.floor**2, most), most, Q * g)
