"""DWZ: Germany's Elo, with a K of rating, age and number of events."""

import math
from typing import ClassVar, Literal, NamedTuple

from ..jit import kernel
from ..maths import exp, normal
from ..records import Clock, Game
from ..spec import choice, quantity
from .base import SYSTEMS, Floats, Kernels, Start, System

SD = 200.0 * math.sqrt(2.0)  # of the difference of two performances
AGES = {"youth": 5.0, "junior": 10.0, "senior": 15.0}  # J: up to 20, from 21 to 25, from 26 on


class Params(NamedTuple):
    """What the kernels read."""

    j: float
    youth: float  # 1 up to an age of 20, else 0


class Belief(NamedTuple):
    """A rating, and the events that it rests on, its index."""

    rating: float
    events: float


class Evidence(NamedTuple):
    """Score above expectation, W - We."""

    games: float
    surplus: float


@kernel
def predict(p: Params, me: Belief, foe: Belief, game: Game) -> float:
    """Return P(D), the normal distribution of a standard deviation of 200 sqrt(2)."""
    return normal((me.rating - foe.rating) / SD)


@kernel
def evidence(p: Params, me: Belief, foe: Belief, game: Game, expected: float) -> Evidence:
    """Return W - P(D)."""
    return Evidence(1.0, game.score - expected)


@kernel
def development(p: Params, me: Belief, surplus: float) -> float:
    """Return E = ((R / 1000)^4 + J) fB + SBr, a whole number from 5 to 30 and 5 x index, or to 150 with SBr."""
    thousands = min(max(me.rating, -1e4), 1e4) / 1000.0
    squared = thousands * thousands
    factor = min(max(me.rating / 2000.0, 0.5), 1.0) if p.youth > 0.0 else 1.0
    slow = p.youth > 0.0 and me.rating < 1300.0 and surplus <= 0.0
    brake = exp((1300.0 - me.rating) / 150.0) - 1.0 if slow else 0.0
    most = 150.0 if slow else min(30.0, 5.0 * max(me.events, 1.0))
    return min(max(float(math.floor((squared * squared + p.j) * factor + brake + 0.5)), 5.0), most)


@kernel
def absorb(p: Params, me: Belief, total: Evidence, gain: float, clock: Clock) -> Belief:
    """Return R + 800 (W - We) / (E + n)."""
    change = 800.0 * total.surplus / (development(p, me, total.surplus) + total.games)
    return Belief(me.rating + change, me.events + (1.0 if total.games > 0.0 else 0.0))


KERNELS = Kernels(Params, Belief, Evidence, predict, evidence, absorb, complement=True, seen=1)


@SYSTEMS.add
class Dwz(System):
    """DWZ, Deutsche Wertungszahl: the rating of the German Chess Federation, event by event.

    Wertungsordnung of the Deutscher Schachbund, 3.3 and 3.5 and the appendix on E (2.4 of the edition that
    schachbund.de has). A period is an event. R' = R + 800 (W - We) / (E + n), where E grows with the rating, with
    age (J is 5, 10 or 15) and with the number of events; up to an age of 20 it is smaller below a rating of 2000,
    and large for those below 1300 who do not do better than expected. Expected scores are normal with a standard
    deviation of 200 sqrt(2), as they have been since 2013; before, they were those of FIDE's table.

    Departures
    ----------
    First ratings, which are performances against five rated opponents at least, found together for all newcomers of
    an event, are left out: newcomers begin at `start` with an index of 0, of which the order makes 1. All players
    are of one `age`. Ratings are not rounded to whole numbers; the special rating of article 3.6.3 is left out.
    Games of a start table are taken for events, ten games each.
    """

    breaks: ClassVar[dict[str, str]] = {"translation": "E depends on the rating"}
    default_calendar: ClassVar[str] = "months"
    kind: Literal["dwz"] = "dwz"
    start: float = quantity(1500.0, "rating of a newcomer", unit="rating points", ge=-1e6, le=1e6)
    age: Literal["youth", "junior", "senior"] = choice("senior", "of all players: to 20, 21 to 25, from 26")

    def kernels(self) -> Kernels:
        """Return the kernels."""
        return KERNELS

    def params(self) -> tuple[float, ...]:
        """Return J and whether it is the youth's."""
        return (AGES[self.age], float(self.age == "youth"))

    def belief(self, start: Start) -> tuple[float, ...]:
        """Return the rating and its index."""
        rating = self.start if math.isnan(start.rating) else start.rating
        return (rating, 0.0 if math.isnan(start.games) else start.games / 10.0)

    def columns(self, beliefs: Floats) -> dict[str, Floats]:
        """Return rating and index."""
        return {"rating": beliefs[:, 0], "index": beliefs[:, 1]}
