"""Glicko-2 as the package `glicko2` on PyPI has it: a peer to compare with, its fault included."""

from typing import ClassVar, Literal

from ..errors import InputError
from ..spec import quantity
from .base import SYSTEMS, Found, Games, WholeStream
from .glicko2_pypi_played import Snapshot, played


@SYSTEMS.add
class Glicko2PyPI(WholeStream):
    """The PyPI package `glicko2` (Ryan Kirkman, deepy/glicko2), driven player by player, period by period.

    All games of a period are judged by the ratings before it, both sides from the same snapshot. A player who sat
    out a period gets the package's `did_not_compete`. Ratings are kept as in Glickman, Example of the Glicko-2
    system (2013).

    Departures
    ----------
    The package departs from the paper in step 5: where the function of the volatility squares the deviation, the
    package squares the player's rating. The two agree only where the rating is as far from 1500 as the deviation is
    large, so results change when all ratings are shifted. The paper's example gives a volatility of .0599934 instead
    of .0599960; over random periods the rating was up to 1146 points off.

    The package does not forecast. Here it does by the Glicko expectation with the deviations of both sides
    (Glickman, The Glicko system, 1999), those before the period.

    A step 5 that the package cannot solve (no bracket, an overflow, more than a thousand evaluations) leaves the
    player as one who did not compete in that period; a diagnostic counts such cases and names the first.

    The package has no weights, edge or starts per player, so neither has this: a weighted stream is refused.
    """

    default_calendar: ClassVar[str] = "months"
    keeps_ratings: ClassVar[bool] = True
    depends: ClassVar[tuple[str, ...]] = ("glicko2",)
    breaks: ClassVar[dict[str, str]] = {
        "translation": "step 5 squares the rating where the paper squares the deviation",
        "weights": "the package has no weights",
    }

    kind: Literal["glicko2-pypi"] = "glicko2-pypi"
    tau: float = quantity(0.5, "how freely the volatility moves", unit="natural log of volatility", gt=0)
    rating: float = quantity(1500.0, "rating of a new player", unit="rating points")
    deviation: float = quantity(350.0, "deviation of a new player", unit="rating points", gt=0)
    volatility: float = quantity(0.06, "volatility of a new player", unit="Glicko-2's own scale", gt=0)

    @property
    def grows(self) -> bool:
        """The deviation of those who sit a period out does."""
        return True

    def check(self, games: Games) -> None:
        """Refuse games that have weights."""
        if games.weight is not None and (games.weight != 1).any():
            raise InputError(f"system '{self.kind}' has no weights", where="column weight", expected="1 for every game")

    def whole(self, games: Games) -> Found:
        """Return forecasts by the ratings before each period; rating, deviation and volatility after the last.

        The columns are NaN for those who never played.
        """
        return played(self.tau, Snapshot(self.rating, self.deviation, self.volatility), games)
