"""FIDE's Elo: the table in whole hundredths, whole ratings, one rounding a list."""

import math
from typing import ClassVar, Literal, NamedTuple, Self

from pydantic import model_validator

from ..curves import Q, hundredths, logistic_curve
from ..jit import kernel
from ..records import Clock, Game
from ..spec import choice, quantity
from .base import SYSTEMS, Floats, Kernels, Start, System


class Params(NamedTuple):
    """What the kernels read; one row for each rule set, once there are several."""

    cap: float
    by_table: float  # 1 where the forecast is the table's, 0 where it is the logistic curve's


class Belief(NamedTuple):
    """The whole-number rating of the list in force."""

    rating: float


class Evidence(NamedTuple):
    """Score above expectation, in hundredths of a point."""

    games: float
    surplus: float


@kernel
def expected_hundredths(p: Params, me: Belief, foe: Belief) -> float:
    """Return PD of table 8.1.2 for the difference, held to the cap (8.3.1)."""
    return hundredths(min(max(me.rating - foe.rating, -p.cap), p.cap))


@kernel
def predict(p: Params, me: Belief, foe: Belief, game: Game) -> float:
    """Return the forecast: PD of the table, or the logistic curve over the whole difference."""
    table = 0.01 * expected_hundredths(p, me, foe)
    return table if p.by_table > 0.0 else logistic_curve(Q, me.rating - foe.rating)


@kernel
def evidence(p: Params, me: Belief, foe: Belief, game: Game, expected: float) -> Evidence:
    """Return 100 (S - PD), a whole number for the scores of chess."""
    return Evidence(1.0, 100.0 * game.score - expected_hundredths(p, me, foe))


@kernel
def away(x: float) -> float:
    """Return the nearest whole number, half away from zero (8.3.4)."""
    return math.copysign(math.floor(abs(x) + 0.5), x)


@kernel
def absorb(p: Params, me: Belief, total: Evidence, gain: float, clock: Clock) -> Belief:
    """Return R + round(K sum(S - PD)), rounded once."""
    return Belief(me.rating + away(gain * total.surplus / 100.0))


KERNELS = Kernels(Params, Belief, Evidence, predict, evidence, absorb, complement=True)


@SYSTEMS.add
class FideElo(System):
    """FIDE rating: table 8.1.2, the 400-point rule, one whole-number change a list.

    FIDE Rating Regulations effective 1 March 2024, articles 8.1 to 8.3. K, with its 700-point rule, is the policy
    `fide`. The system forecasts with its table, where a difference of more than the cap counts as the cap, or with
    the logistic curve over the whole difference; what it learns is the same.

    Departures
    ----------
    Newcomers begin at `start` instead of earning a first rating over five games. One rule set holds throughout: the
    exemption from the 400-point rule for players of 2650 and more (1 October 2025) and the floor of 1400 are left out.
    Time classes are not told apart. An edge (colour, home) is ignored, as the rules ignore it.
    """

    takes_policy: ClassVar[bool] = True
    breaks: ClassVar[dict[str, str]] = {"conservation": "each player's change of a list is rounded by itself"}
    default_policy: ClassVar[str] = "fide"
    default_calendar: ClassVar[str] = "months"
    kind: Literal["fide"] = "fide"
    start: float = quantity(1500.0, "rating of a newcomer, a whole number", unit="rating points", ge=-1e6, le=1e6)
    cap: float | None = quantity(400.0, "a larger difference counts as this one", unit="rating points", gt=0)
    forecast: Literal["table", "logistic"] = choice("table", "what forecasts are read off; learning is by the table")

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if self.start % 1:
            msg = f"start = {self.start}: a FIDE rating is a whole number"
            raise ValueError(msg)
        return self

    def kernels(self) -> Kernels:
        """Return the kernels."""
        return KERNELS

    def params(self) -> tuple[float, ...]:
        """Return cap, by_table."""
        return (math.inf if self.cap is None else self.cap, float(self.forecast == "table"))

    def belief(self, start: Start) -> tuple[float, ...]:
        """Return the start rating, rounded to a whole number."""
        return (self.start if math.isnan(start.rating) else math.floor(start.rating + 0.5),)

    def columns(self, beliefs: Floats) -> dict[str, Floats]:
        """Return the rating."""
        return {"rating": beliefs[:, 0]}
