"""vElo: Elo with a variance by Laplace's approximation."""

from typing import Literal, NamedTuple, Self

from pydantic import model_validator

from ..curves import Q
from ..jit import kernel
from ..maths import exp, log, logistic
from ..records import Clock, Game
from ..spec import quantity
from .base import SYSTEMS, Kernels
from .gaussian import Belief, Gaussian


class Params(NamedTuple):
    """What the kernels read."""

    b: float  # ln 10 / scale
    advantage: float
    reduction: float  # A
    least: float  # B^2


class Evidence(NamedTuple):
    """Sums over games: of (s - p) b C, and of the logarithm of the share of the variance that each leaves."""

    games: float
    slope: float
    left: float


@kernel
def ahead(p: Params, me: Belief, foe: Belief, game: Game) -> float:
    """Return my rating, with the advantage, less the other's."""
    return me.rating - foe.rating + p.advantage * game.edge


@kernel
def predict(p: Params, me: Belief, foe: Belief, game: Game) -> float:
    """Return 1 / (1 + e^(-b gap))."""
    return logistic(p.b * ahead(p, me, foe, game))


@kernel
def curvature(p: Params, e: float, both: float) -> float:
    """Return b^2 p (1 - p) C, where C = 1 / (1 + b^2 p (1 - p) (sigma^2 + sigma_j^2))."""
    h = p.b * p.b * (e * (1.0 - e))
    return h / (1.0 + h * both)


@kernel
def evidence(p: Params, me: Belief, foe: Belief, game: Game, expected: float) -> Evidence:
    """Return the step of a game, and ln(1 - A sigma^2 b^2 p' (1 - p') C') at the forecast p' that both steps make."""
    both = me.variance + foe.variance
    step = p.b * (game.score - expected) * (1.0 - both * curvature(p, expected, both))
    after = logistic(p.b * (ahead(p, me, foe, game) + both * step))
    left = 1.0 - p.reduction * (me.variance * curvature(p, after, both))
    return Evidence(1.0, step, log(max(left, 1e-16)))


@kernel
def absorb(p: Params, me: Belief, total: Evidence, gain: float, clock: Clock) -> Belief:
    """Return mu + sigma^2 slope and the share of sigma^2 that is left, B^2 at least."""
    return Belief(me.rating + me.variance * total.slope, max(me.variance * exp(total.left), p.least))


KERNELS = Kernels(Params, Belief, Evidence, predict, evidence, absorb, complement=True)


@SYSTEMS.add
class Velo(Gaussian):
    """vElo: Elo whose K is sigma^2 b C, and whose sigma shrinks with each game down to a bound.

    H.-F. Hua, C.-J. Chang, T.-C. Lin, R. C. Weng, Rating of players by Laplace approximation and dynamic modeling,
    International Journal of Forecasting (2024), arXiv:2310.10386; also called variance incorporated Elo. A
    (`reduction`) is how much of the shrinking that the posterior asks for is done, since strengths move as well; B
    (`floor`) is the bound. Defaults 1500, 200, A 1/5, B 100 and b = ln 10 / 400 are those of the package riix.

    Departures
    ----------
    Of several games in one period each is judged by the opening beliefs, steps add and shares of the variance multiply;
    a period of one game is the paper's. `advantage` is an addition that is off by default.
    """

    kind: Literal["velo"] = "velo"
    rating: float = quantity(1500.0, "rating of a newcomer", unit="rating points", ge=-1e6, le=1e6)
    deviation: float = quantity(200.0, "deviation of a newcomer", unit="rating points", gt=0, le=1e6)
    reduction: float = quantity(0.2, "A: part of the shrinking of the variance that is done", unit="share", ge=0, le=1)
    floor: float = quantity(100.0, "B: deviation never falls below this", unit="rating points", gt=0, le=1e6)

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.deviation < self.floor:
            msg = f"deviation {self.deviation:g} is below floor {self.floor:g}"
            raise ValueError(msg)
        return self

    def kernels(self) -> Kernels:
        """Return the kernels."""
        return KERNELS

    def params(self) -> tuple[float, ...]:
        """Return b, the advantage, A and the square of B."""
        return (Q, self.advantage, self.reduction, self.floor**2)
