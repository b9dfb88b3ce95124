"""The win rate, shrunk to a half: what is known of players without a look at whom they played."""

import math
from typing import Any, ClassVar, Literal, NamedTuple

from ..curves import LN10
from ..errors import InputError
from ..jit import kernel
from ..maths import log, logistic
from ..records import Clock, Game
from ..spec import quantity
from .base import SYSTEMS, Floats, Kernels, Start, System

FURTHEST = 110_000.0  # points from the centre: the smaller share is 1e-275 there, and doubles end at 1e-308


class Params(NamedTuple):
    """What the kernels read."""

    q: float  # ln 10 / 400
    advantage: float
    centre: float


class Belief(NamedTuple):
    """The log odds of the rate as a rating, and the points won and lost that it is made of."""

    rating: float
    won: float
    lost: float


class Evidence(NamedTuple):
    """Games and points."""

    games: float
    points: float


@kernel
def predict(p: Params, me: Belief, foe: Belief, game: Game) -> float:
    """Return log5 of two rates, a (1 - b) / (a (1 - b) + b (1 - a)): the logistic curve of their log odds."""
    return logistic(p.q * (me.rating - foe.rating + p.advantage * game.edge))


@kernel
def evidence(p: Params, me: Belief, foe: Belief, game: Game, expected: float) -> Evidence:
    """Return the score."""
    return Evidence(1.0, game.score)


@kernel
def absorb(p: Params, me: Belief, total: Evidence, gain: float, clock: Clock) -> Belief:
    """Return the counts with the period's added."""
    won, lost = me.won + total.points, me.lost + (total.games - total.points)
    return Belief(p.centre + (log(won) - log(lost)) / p.q, won, lost)


KERNELS = Kernels(Params, Belief, Evidence, predict, evidence, absorb, complement=True, seen=1)


@SYSTEMS.add
class WinRate(System):
    """The share of points won so far, with `prior` games added of which half were won; a baseline.

    Rates meet by log5 (B. James, The Bill James Baseball Abstract, 1981): of two sides that win the shares a and b
    against equals, the first wins a (1 - b) / (a (1 - b) + b (1 - a)). That is Elo's curve over the log odds of the
    rates, which are therefore the ratings here: `centre` + 400 log10(rate / (1 - rate)). Also called winning
    percentage, win ratio and, for the shrinking, Laplace's (prior 2) or Agresti and Coull's (prior 4).

    A start in rating points counts as many games as the prior and its own `games` together.

    Departures
    ----------
    None. `advantage` is an addition that is off by default.
    """

    breaks: ClassVar[dict[str, str]] = {"translation": "a rate near its end is harder to move than one in the middle"}
    kind: Literal["win-rate"] = "win-rate"
    prior: float = quantity(4.0, "games added to everybody's, half of them won", unit="games", ge=1e-12, le=1e6)
    centre: float = quantity(1500.0, "rating of a rate of one half", unit="rating points", ge=-1e6, le=1e6)
    advantage: float = quantity(0.0, "what an edge of +1 is worth", unit="rating points", ge=-1e4, le=1e4)

    def kernels(self) -> Kernels:
        """Return the kernels."""
        return KERNELS

    def params(self) -> tuple[float, ...]:
        """Return q, the advantage and the centre."""
        return (LN10 / 400.0, self.advantage, self.centre)

    def belief(self, start: Start) -> tuple[float, ...]:
        """Return the log odds and the games that make them.

        Raises
        ------
        InputError : the rating is so far from the centre that no share of a game can be told from none.
        """
        rating = self.centre if math.isnan(start.rating) else start.rating
        if not abs(rating - self.centre) <= FURTHEST:
            expected = f"at most {FURTHEST:,.0f} points from centre {self.centre:g} of system {self.kind}"
            raise InputError(f"{rating:g}", where="start, column rating", expected=expected)
        games = self.prior + (0.0 if math.isnan(start.games) else start.games)
        ahead = LN10 / 400.0 * (rating - self.centre)
        return (rating, games * logistic(ahead), games * logistic(-ahead))

    def columns(self, beliefs: Floats) -> dict[str, Any]:
        """Return the log odds as a rating and the rate itself."""
        return {"rating": beliefs[:, 0], "rate": beliefs[:, 1] / (beliefs[:, 1] + beliefs[:, 2])}
