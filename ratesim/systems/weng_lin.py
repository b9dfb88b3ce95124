"""Weng and Lin's Bayesian approximation, for two players."""

import math
from typing import ClassVar, Literal, NamedTuple, Self

from pydantic import model_validator

from ..jit import kernel
from ..maths import logistic
from ..records import Game
from ..spec import choice, quantity
from .base import SYSTEMS, Floats, Games, Kernels
from .gaussian import Belief, Gaussian, draw_chance, expected_score, only_halves, said
from .trueskill import Evidence, absorb


class Params(NamedTuple):
    """What the kernels read."""

    spread: float  # 2 beta^2
    noise: float  # tau^2
    margin: float  # of a draw, epsilon
    advantage: float
    kappa: float


@kernel
def width(p: Params, me: Belief, foe: Belief) -> float:
    """Return c = sqrt(2 beta^2 + sigma^2 + sigma_q^2), where both sigma^2 have grown by tau^2."""
    return math.sqrt(p.spread + (me.variance + p.noise) + (foe.variance + p.noise))


@kernel
def ahead(p: Params, me: Belief, foe: Belief, game: Game) -> float:
    """Return my rating, with the advantage, less the other's."""
    return me.rating - foe.rating + p.advantage * game.edge


@kernel
def message(p: Params, me: Belief, c: float, v: float, w: float) -> Evidence:
    """Return what by itself makes mu + sigma^2 v / c and sigma^2 max(1 - gamma (sigma / c)^2 w, kappa)."""
    variance = me.variance + p.noise
    share = math.sqrt(variance) / c
    gone = min(share * share * share * w, 1.0 - p.kappa)
    left = 1.0 - gone
    return Evidence(1.0, v / (c * left), gone / (left * variance))


@kernel
def predict_logistic(p: Params, me: Belief, foe: Belief, game: Game) -> float:
    """Return 1 / (1 + e^(-gap / c))."""
    return logistic(ahead(p, me, foe, game) / width(p, me, foe))


@kernel
def evidence_logistic(p: Params, me: Belief, foe: Belief, game: Game, expected: float) -> Evidence:
    """Return the message of s - p and p (1 - p) (algorithm 1)."""
    c = width(p, me, foe)
    return message(p, me, c, game.score - expected, expected * (1.0 - expected))


@kernel
def predict_normal(p: Params, me: Belief, foe: Belief, game: Game) -> float:
    """Return the chance of a win and half that of a draw."""
    c = width(p, me, foe)
    return expected_score(ahead(p, me, foe, game) / c, p.margin / c)


@kernel
def draw_normal(p: Params, me: Belief, foe: Belief, game: Game, expected: float) -> float:
    """Return the chance of a draw."""
    c = width(p, me, foe)
    return draw_chance(ahead(p, me, foe, game) / c, p.margin / c)


@kernel
def evidence_normal(p: Params, me: Belief, foe: Belief, game: Game, expected: float) -> Evidence:
    """Return the message of V and W (algorithm 3)."""
    c = width(p, me, foe)
    told = said(ahead(p, me, foe, game) / c, p.margin / c, game.score)
    return message(p, me, c, told.v, told.w)


LOGISTIC = Kernels(Params, Belief, Evidence, predict_logistic, evidence_logistic, absorb, complement=True)
NORMAL = LOGISTIC._replace(predict=predict_normal, evidence=evidence_normal, draw=draw_normal)


@SYSTEMS.add
class WengLin(Gaussian):
    """Weng-Lin: one step of a moment match in closed form, in the place of TrueSkill's messages.

    R. C. Weng, C.-J. Lin, A Bayesian approximation method for online ranking, JMLR 12 (2011) 267; also called OpenSkill
    after a package, and Bayesian approximation method (BAM). `model = "bradley-terry"` is algorithm 1 with full pairs,
    `"thurstone-mosteller"` algorithm 3. mu, sigma, beta, tau and kappa are the paper's with its gamma = sigma / c;
    epsilon, the draw margin of Thurstone-Mosteller alone, is 0.1 as in openskill.

    The forecast is each model's own, of skills that have moved by tau. Thurstone-Mosteller has its own chance of a
    draw, Bradley-Terry's draw is half a win.

    Departures
    ----------
    Two players, no teams. Of several games in one period each is judged by the opening beliefs, and what it says is
    multiplied, as in TrueSkill. The paper's sums, over opponents in one game of many, would leave newcomers no variance
    after a few games. tau^2, which is openskill's and not the
    paper's, is added once a period. V and W are exact far out, where openskill has limits. `advantage` is off at first.
    """

    point: ClassVar[float] = 25.0 / 6.0 / 200.0
    zero: ClassVar[float] = 25.0 - 1500.0 * (25.0 / 6.0 / 200.0)
    by_halves: ClassVar[bool] = True
    kind: Literal["weng-lin"] = "weng-lin"
    model: Literal["bradley-terry", "thurstone-mosteller"] = choice("bradley-terry", "curve of the expected score")
    beta: float = quantity(25.0 / 6.0, "deviation of a performance", unit="rating points", gt=0, le=1e6)
    tau: float = quantity(25.0 / 300.0, "deviation that a period with games adds", unit="rating points", ge=0, le=1e6)
    kappa: float = quantity(1e-4, "the least share of a variance that a game leaves", unit="share", gt=0, le=1)
    epsilon: float | None = quantity(
        None, "draw margin of thurstone-mosteller, 0.1 if left out", unit="rating points", ge=0, le=1e6
    )

    @model_validator(mode="after")
    def _of_its_model(self) -> Self:
        if self.epsilon is not None and self.model == "bradley-terry":
            msg = "epsilon is of model = 'thurstone-mosteller' alone"
            raise ValueError(msg)
        return self

    def kernels(self) -> Kernels:
        """Return the kernels of the model."""
        return LOGISTIC if self.model == "bradley-terry" else NORMAL

    def params(self) -> tuple[float, ...]:
        """Return 2 beta^2, tau^2, epsilon, the advantage and kappa."""
        margin = 0.1 if self.epsilon is None else self.epsilon
        return (2.0 * self.beta**2, self.tau**2, margin, self.advantage, self.kappa)

    def check(self, games: Games, beliefs: Floats) -> None:
        """Refuse scores that Thurstone and Mosteller's model has no place for."""
        if self.model == "thurstone-mosteller":
            only_halves(games, "system weng-lin, model thurstone-mosteller")
