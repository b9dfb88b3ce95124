"""Elo ratings with the logistic or the normal curve."""

import math
from typing import ClassVar, Literal, NamedTuple

import numpy as np

from ..curves import LN10, logistic_curve, normal_curve
from ..dates import date_on
from ..errors import InputError
from ..jit import kernel
from ..maths import log
from ..records import Clock, Game
from ..spec import choice, quantity
from .base import SYSTEMS, Floats, Games, Kernels, Start, System

LEAST = 0.2  # divisor of 538's multiplier, where the winner was 2000 points behind


class Params(NamedTuple):
    """What the kernels read."""

    q: float  # ln 10 / scale
    advantage: float
    cap: float
    floor: float
    reversion: float
    reversion_to: float


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
def evidence_538(p: Params, me: Belief, foe: Belief, game: Game, expected: float) -> Evidence:
    """Return (S - E) ln(|margin| + 1) 2.2 / (0.001 w + 2.2), w the winner's difference; of a draw, the divisor is 1."""
    gap = difference(p, me, foe, game)
    ahead = gap if game.score > 0.5 else -gap
    divisor = 1.0 if game.score == 0.5 else max(0.001 * ahead + 2.2, LEAST)
    margin = max(1.0, abs(game.margin))  # in this order, of a margin that is not known 1
    return Evidence(1.0, log(margin + 1.0) * (2.2 / divisor) * (game.score - expected))


@kernel
def revert(p: Params, me: Belief, clock: Clock) -> Belief:
    """Return R moved by a share of its way to the mean, where a season has begun since: once, however many have."""
    share = p.reversion if clock.seasons > 0.0 else 0.0
    return Belief(max(me.rating + share * (p.reversion_to - me.rating), p.floor))


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

    `margin = "538"` and `reversion` are what FiveThirtyEight rates teams of American football with
    (fivethirtyeight/nfl-elo-game, forecast.py): the surplus is multiplied by
    ln(max(|margin|, 1) + 1) 2.2 / (0.001 w + 2.2), where w is the winner's difference with the advantage in it, and the
    divisor is 1 in a draw; and R + (reversion_to - R) / 3 is what a team opens its next season with. Their formula
    divides by nothing where the winner was 2200 behind: here the divisor is 0.2 at least. A debut reverts nothing.
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
    margin: Literal["none", "538"] = choice("none", "what the margin does to the surplus: nothing, or what 538 has")
    reversion: float = quantity(
        0.0, "part of the way to the mean that a rating goes as a season begins, once for several", unit="share",
        ge=0, le=1,
    )  # fmt: skip
    reversion_to: float | None = quantity(
        None, "that mean; the rating of a newcomer if left out", unit="rating points", ge=-1e6, le=1e6
    )

    def kernels(self) -> Kernels:
        """Return the kernels of the chosen curve, with a floor, margins and reversion or without."""
        chosen = LOGISTIC if self.curve == "logistic" else NORMAL
        if self.floor is not None:
            chosen = chosen._replace(absorb=absorb_above)
        if self.margin == "538":
            chosen = chosen._replace(evidence=evidence_538)
        return chosen._replace(drift=revert) if self.reversion else chosen

    def params(self) -> tuple[float, ...]:
        """Return q, advantage, cap, floor, reversion, reversion_to."""
        cap = math.inf if self.cap is None else self.cap
        mean = self.start if self.reversion_to is None else self.reversion_to
        return (LN10 / self.scale, self.advantage, cap, self._floor, self.reversion, mean)

    def check(self, games: Games, beliefs: Floats) -> None:
        """Refuse a stream without the margins or the seasons that are to be looked at."""
        if self.reversion and games.season is None:
            raise InputError("the stream has no seasons", where="system elo, key reversion", expected="a column season")
        if self.margin == "none":
            return
        where = "system elo, key margin"
        if games.margin is None:
            expected = "a column margin, or points_first and points_second"
            raise InputError("the stream has no margins", where=where, expected=expected)
        unknown = np.isnan(games.margin) if games.weight is None else np.isnan(games.margin) & (games.weight != 0.0)
        if unknown.any():
            day = date_on(float(games.time[unknown.argmax()]))
            raise InputError(f"a game of {day} has no margin", where=where, expected="one, or weight 0")

    def belief(self, start: Start) -> tuple[float, ...]:
        """Return the start rating."""
        return (max(self.start if math.isnan(start.rating) else start.rating, self._floor),)

    def columns(self, beliefs: Floats) -> dict[str, Floats]:
        """Return the rating."""
        return {"rating": beliefs[:, 0]}

    @property
    def _floor(self) -> float:
        return -math.inf if self.floor is None else self.floor
