"""A Kalman filter that forgets covariances: Elo, Glicko and TrueSkill as one family."""

from typing import ClassVar, Literal, NamedTuple

from ..curves import Q
from ..jit import kernel
from ..maths import exp, log, logistic
from ..records import Clock, Game
from ..spec import quantity
from .base import SYSTEMS, Growing, Kernels
from .gaussian import Belief, Gaussian


class Params(NamedTuple):
    """What the kernels read."""

    scale: float  # s
    advantage: float
    epsilon: float
    fade: float  # ln beta
    centre: float


class Evidence(NamedTuple):
    """First derivative of the log likelihood and its precision, the other's rating integrated out."""

    games: float
    slope: float
    information: float


@kernel
def drift(p: Params, me: Belief, clock: Clock) -> Belief:
    """Return beta^t mu and beta^2t v + epsilon t."""
    time = clock.idle + clock.span
    kept = exp(p.fade * time)
    return Belief(p.centre + kept * (me.rating - p.centre), kept * kept * me.variance + p.epsilon * time)


@kernel
def predict(p: Params, me: Belief, foe: Belief, game: Game) -> float:
    """Return 1 / (1 + e^(-gap / s))."""
    return logistic((me.rating - foe.rating + p.advantage * game.edge) / p.scale)


@kernel
def evidence(p: Params, me: Belief, foe: Belief, game: Game, expected: float) -> Evidence:
    """Return what by itself makes mu + v s g / (s^2 + h omega) and v (1 - v h / (s^2 + h omega)).

    There g = y - p, h = p (1 - p) and omega is the sum of both variances.
    """
    h = expected * (1.0 - expected)
    rest = p.scale * p.scale + h * foe.variance
    return Evidence(1.0, p.scale * (game.score - expected) / rest, h / rest)


@kernel
def absorb(p: Params, me: Belief, total: Evidence, gain: float, clock: Clock) -> Belief:
    """Return 1 / v' = 1 / v + information and mu + v' slope."""
    variance = me.variance / (1.0 + me.variance * total.information)
    return Belief(me.rating + variance * total.slope, variance)


KERNELS = Kernels(Params, Belief, Evidence, predict, evidence, absorb, drift, complement=True)


@SYSTEMS.add
class Vskf(Gaussian, Growing):
    """vSKF: the simplified Kalman filter with a variance for each player.

    L. Szczecinski, R. Tihon, Simplified Kalman filter for on-line rating: one-fits-all approach, J. Quant. Anal. Sports
    19 (2023); also called the vector-covariance simplified Kalman filter. In base e, with the logistic curve. Defaults
    are mu0 0 (`rating`), v0 1 (`deviation` is its square root), beta 1, s 1 and epsilon 0.01 a period, in natural
    units: an Elo point is ln 10 / 400 = 0.0058 of them. For ratings that look like Elo's, s is 173.7, `deviation`
    173.7 times as much, and epsilon, which is of points squared, 173.7^2 = 30,178 times.

    Where v is constant and far below s^2, it is Elo with K = v / s. With beta below 1 ratings go back to `rating`, and
    growth in two steps is not quite that of one, as the paper's formula has it.

    Departures
    ----------
    Of several games in one period each is judged by the opening beliefs, and precisions add; a period of one game is
    the paper's. The paper's mean is 0. `advantage` is in rating points and off by default.
    """

    default_calendar: ClassVar[str] = "months"
    point: ClassVar[float] = Q
    kind: Literal["vskf"] = "vskf"
    rating: float = quantity(0.0, "rating of a newcomer", unit="rating points", ge=-1e6, le=1e6)
    deviation: float = quantity(1.0, "deviation of a newcomer", unit="rating points", gt=0, le=1e6)
    scale: float = quantity(1.0, "s: difference for odds of e to one", unit="rating points", gt=0, le=1e6)
    epsilon: float = quantity(0.01, "growth of the variance", unit="rating points squared per `per`", ge=0, le=1e9)
    beta: float = quantity(1.0, "part of a rating that is left after one `per`", unit="share", gt=0, le=1)

    @property
    def grows(self) -> bool:
        """Whether time changes anything at all."""
        return self.epsilon > 0.0 or self.beta < 1.0

    def kernels(self) -> Kernels:
        """Return the kernels."""
        return KERNELS

    def params(self) -> tuple[float, ...]:
        """Return s, the advantage, epsilon, ln beta and the mean."""
        return (self.scale, self.advantage, self.epsilon, log(self.beta), self.rating)
