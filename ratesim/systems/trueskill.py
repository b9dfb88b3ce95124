"""TrueSkill for two players."""

import math
from statistics import NormalDist
from typing import ClassVar, Literal, NamedTuple

from ..jit import kernel
from ..records import Clock, Game
from ..spec import quantity
from .base import SYSTEMS, Floats, Games, Kernels
from .gaussian import Belief, Gaussian, draw_chance, expected_score, only_halves, said


class Params(NamedTuple):
    """What the kernels read."""

    spread: float  # 2 beta^2
    noise: float  # tau^2
    margin: float  # of a draw, epsilon
    advantage: float


class Evidence(NamedTuple):
    """The product of the messages of games: precision-weighted distance from the rating, and precision."""

    games: float
    slope: float
    information: float


@kernel
def width(p: Params, me: Belief, foe: Belief) -> float:
    """Return c = sqrt(2 beta^2 + sigma^2 + sigma_j^2), where both sigma^2 have grown by tau^2."""
    return math.sqrt(p.spread + (me.variance + p.noise) + (foe.variance + p.noise))


@kernel
def predict(p: Params, me: Belief, foe: Belief, game: Game) -> float:
    """Return the chance of a win and half that of a draw."""
    c = width(p, me, foe)
    return expected_score((me.rating - foe.rating + p.advantage * game.edge) / c, p.margin / c)


@kernel
def draw(p: Params, me: Belief, foe: Belief, game: Game, expected: float) -> float:
    """Return the chance of a draw."""
    c = width(p, me, foe)
    return draw_chance((me.rating - foe.rating + p.advantage * game.edge) / c, p.margin / c)


@kernel
def evidence(p: Params, me: Belief, foe: Belief, game: Game, expected: float) -> Evidence:
    """Return the message of a game, which by itself makes mu + sigma^2 v / c and sigma^2 (1 - w sigma^2 / c^2)."""
    c = width(p, me, foe)
    told = said((me.rating - foe.rating + p.advantage * game.edge) / c, p.margin / c, game.score)
    rest = p.spread + (foe.variance + p.noise) + (me.variance + p.noise) * max(1.0 - told.w, 0.0)  # c^2 - w sigma^2
    return Evidence(1.0, told.v * c / rest, told.w / rest)


@kernel
def absorb(p: Params, me: Belief, total: Evidence, gain: float, clock: Clock) -> Belief:
    """Return the belief, grown by tau^2, times the messages."""
    variance = me.variance + p.noise
    variance = variance / (1.0 + variance * total.information)
    return Belief(me.rating + variance * total.slope, variance)


KERNELS = Kernels(Params, Belief, Evidence, predict, evidence, absorb, complement=True, draw=draw)


@SYSTEMS.add
class TrueSkill(Gaussian):
    """TrueSkill for two players: skills are normal, performances scatter about them, near ones are draws.

    R. Herbrich, T. Minka, T. Graepel, TrueSkill: A Bayesian skill rating system, NIPS 2006; also called TrueSkill 1, to
    tell it from Through Time and from TrueSkill 2. Defaults are the paper's: mu 25 (`rating`), sigma 25/3
    (`deviation`), beta 25/6, tau 25/300, and 10 % draws between equals (`p_draw`, elsewhere draw_probability), which
    make the draw margin epsilon = Phi^-1((p_draw + 1) / 2) sqrt(2) beta. A difference of beta is won in 76 % of games.

    The forecast is win + draw/2 and the chance of a draw is the model's own. Both know of tau, as the model has it:
    skills have moved by the time a game is played. `mu - 3 sigma`, which lists of players show, is a column's worth of
    arithmetic: rating - 3 deviation.

    Departures
    ----------
    Two players, no teams. The paper's updates come game after game. Of several games in one period each is judged by
    the opening beliefs, their messages are multiplied, and tau^2 is added once. A period of one game is the paper's.
    With p_draw 0 a draw is taken as the limit of ever rarer ones. `advantage` is an addition that is off by default.
    """

    point: ClassVar[float] = 25.0 / 6.0 / 200.0
    zero: ClassVar[float] = 25.0 - 1500.0 * (25.0 / 6.0 / 200.0)
    by_halves: ClassVar[bool] = True
    kind: Literal["trueskill"] = "trueskill"
    beta: float = quantity(25.0 / 6.0, "deviation of a performance", unit="rating points", gt=0, le=1e6)
    tau: float = quantity(25.0 / 300.0, "deviation that a period with games adds", unit="rating points", ge=0, le=1e6)
    p_draw: float = quantity(0.1, "draws between equals", unit="share", ge=0, le=0.99)

    def kernels(self) -> Kernels:
        """Return the kernels."""
        return KERNELS

    def params(self) -> tuple[float, ...]:
        """Return 2 beta^2, tau^2, the draw margin and the advantage."""
        margin = NormalDist().inv_cdf((self.p_draw + 1.0) / 2.0) * math.sqrt(2.0) * self.beta
        return (2.0 * self.beta**2, self.tau**2, margin, self.advantage)

    def check(self, games: Games, beliefs: Floats) -> None:
        """Refuse scores between a win, a draw and a loss."""
        only_halves(games, "system trueskill")
