"""Ratings from how well players played, whatever came of it: a mean of noisy readings of their performances."""

import math
from typing import ClassVar, Literal, NamedTuple

import numpy as np

from ..curves import LN10, logistic_curve
from ..errors import InputError
from ..jit import kernel, to_bits
from ..records import Clock, Game
from ..rng import bits, quantile, unit
from ..spec import Bound, quantity
from .base import SYSTEMS, Floats, Games, Kernels, Start, System, Told

FIRST = np.uint64(0)


class Params(NamedTuple):
    """What the kernels read."""

    q: float  # ln 10 / 400
    advantage: float
    noise: float
    prior: float
    memory: float
    seed: float


class Belief(NamedTuple):
    """A rating, and how many readings it is the mean of."""

    rating: float
    readings: float


class Evidence(NamedTuple):
    """Readings less the rating."""

    games: float
    surplus: float


@kernel
def predict(p: Params, me: Belief, foe: Belief, game: Game) -> float:
    """Return E = 1 / (1 + 10**(-difference / 400))."""
    return logistic_curve(p.q, me.rating - foe.rating + p.advantage * game.edge)


@kernel
def evidence(p: Params, me: Belief, foe: Belief, game: Game, expected: float) -> Evidence:
    """Return how far the reading of my performance is above my rating; its noise hangs on what is read alone."""
    shown = game.extra + 0.5 * game.margin
    key = bits(np.uint64(np.int64(to_bits(shown))) ^ np.uint64(p.seed), FIRST)
    reading = shown - 0.5 * p.advantage * game.edge + p.noise * quantile(unit(key, FIRST))
    return Evidence(1.0, reading - me.rating)


@kernel
def absorb(p: Params, me: Belief, total: Evidence, gain: float, clock: Clock) -> Belief:
    """Return the mean of all readings, the start counting as `prior` of them and the last `memory` in the main."""
    readings = me.readings + total.games
    count = max(min(p.prior + readings, p.memory), total.games)
    return Belief(me.rating + total.surplus / count, readings)


KERNELS = Kernels(Params, Belief, Evidence, predict, evidence, absorb, complement=True)


@SYSTEMS.add
class Readings(System):
    """A rating that is the mean of readings of the player's performances: moves instead of results.

    R' = R + sum(reading - R) / n, where a reading is the performance that a player showed in a game, plus normal noise,
    and n counts all of them, the start as `prior`. Results are never looked at. With the variance v of performances
    about the skill, a reading is worth what 4 / (q² (v + noise²)) wins and losses against equals tell, q = ln 10 / 400.
    Ratings of moves are those of K. W. Regan & G. Haworth, Intrinsic chess ratings, AAAI 2011; here the performance is
    known, as worlds with `performances = true` keep it, and what an engine's judgement of moves misses is the noise.

    Departures
    ----------
    Forecasts take the rating as it stands: that few readings say little is not in them.
    """

    breaks: ClassVar[dict[str, str]] = {"translation": "performances stay where they are"}
    kind: Literal["readings"] = "readings"
    start: float = quantity(1500.0, "rating of a newcomer", unit="rating points", ge=-1e6, le=1e6)
    noise: float = quantity(0.0, "standard deviation of a reading's error", unit="rating points", ge=0, le=1e6)
    prior: float = quantity(1.0, "readings that the start counts as", unit="readings", gt=0, le=1e6)
    memory: Bound = quantity(
        None, "with more readings than this the mean goes on as if there were so many; left out, all count alike",
        unit="readings", ge=1,
    )  # fmt: skip
    advantage: float = quantity(0.0, "what an edge of +1 is worth", unit="rating points", ge=-1e4, le=1e4)
    seed: int = quantity(1, "of the noise", unit="whole number", ge=0, le=2**53)

    def kernels(self) -> Kernels:
        """Return the kernels."""
        return KERNELS

    def params(self) -> tuple[float, ...]:
        """Return q, advantage, noise, prior, memory and seed."""
        memory = math.inf if self.memory is None else self.memory
        return (LN10 / 400.0, self.advantage, self.noise, self.prior, memory, float(self.seed))

    def belief(self, start: Start) -> tuple[float, ...]:
        """Return the start rating, and the games that it rests on as readings."""
        rating = self.start if math.isnan(start.rating) else start.rating
        return (rating, 0.0 if math.isnan(start.games) else start.games)

    def columns(self, beliefs: Floats) -> dict[str, Floats]:
        """Return the rating and the readings that it rests on."""
        return {"rating": beliefs[:, 0], "readings": beliefs[:, 1]}

    def told(self, games: Games) -> Told:
        """Return half the sum of both performances, and how far first's is above the other.

        Raises
        ------
        InputError : the stream has no performances.
        """
        first, second = games.performance_first, games.performance_second
        if first is None or second is None:
            expected = "columns performance_first and performance_second, or a world with performances = true"
            raise InputError("the stream has no performances", where="system readings", expected=expected)
        return Told(margin=first - second, extra=0.5 * (first + second))
