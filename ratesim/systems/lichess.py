"""Lichess: Glicko-2 game by game and by the clock, within bounds."""

import math
from datetime import date
from typing import ClassVar, Literal

from ..dates import day_of
from ..spec import Duration, choice, quantity
from .base import SYSTEMS, Kernels, Start
from .lichess_kernels import KERNELS, Params
from .volatile import Volatile

FIRST_MOVE = date(2025, 11, 18)  # lila pull request 18629 was still open on the day before, and merged after it
PROVISIONAL = 110.0  # deviation from which a rating has a question mark


@SYSTEMS.add
class Lichess(Volatile):
    """Lichess's ratings: Glicko-2 after every game, without step 6, deviations grown by the clock, within bounds.

    lichess-org/scalachess `rating/glicko` and lichess-org/lila `modules/rating`, as of November 2025: tau .75,
    newcomers 1500/500/.09, deviations from 45 to 500, volatilities up to .1, ratings of 400 and more, 700 points a game
    at most. RD^2 grows by 0.21436 sigma^2 a day, from 60 to 110 in a year with a volatility of .06. At the floor a game
    moves a rating by 11.35 (S - E).

    The first move has counted since late 2025 (scalachess pull request 755, lila 18629): 11.782457 points in standard
    chess, 20.30966 in crazyhouse, none in other variants. `first_move = "by-date"` has it from 18 November 2025, the
    first day on which it can have been in force. Newcomers had 350/.06 until pull request 7309 of September 2020. A bot
    begins at 2000 and a pupil at 800/400: such go into a start table, whose figures are held to the bounds. `regulator`
    multiplies gains, never losses; by lila's factors 1.01 in bullet and classical, 1.005 in blitz, 1.015 in rapid, 1.02
    in atomic and antichess. The 700 points are a bound of the multiplied gain (lila `PerfsUpdater`: `RatingRegulator`,
    then `addOrReset`); older versions bounded the gain first and multiplied it then.

    `shown` is the rating as the site shows it, with a question mark from a deviation of 110.

    Departures
    ----------
    The equation of step 5 is solved to the last digit rather than to 1e-6, and of several roots the one nearest the
    old volatility is taken. Forecasts use both deviations, as Glicko's do; the site makes none. In a period of several
    games the bounds hold for all of them together. Games against bots, which count half for people, count whole.
    """

    default_calendar: ClassVar[str] = "per-game"
    kind: Literal["lichess"] = "lichess"
    tau: float = quantity(0.75, "how freely volatility moves", unit="natural log", gt=0, le=10)
    volatility: float = quantity(0.09, "volatility of a newcomer", unit="per sqrt(per), on the scale of 173.7", gt=0)
    deviation: float = quantity(500.0, "deviation of a newcomer", unit="rating points", gt=0, le=1e6)
    floor: float = quantity(45.0, "deviation never falls below this", unit="rating points", ge=0, le=1e6)
    ceiling: float = quantity(500.0, "deviation never grows above this", unit="rating points", gt=0, le=1e6)
    per: Duration | None = quantity(
        1.0 / 0.21436, "unit of growth, in which RD^2 grows by sigma^2; none: one period", unit="days", gt=0, le=1e6
    )
    advantage: float = quantity(11.782457, "what an edge of +1 is worth", unit="rating points", ge=-1e4, le=1e4)
    first_move: Literal["by-date", "on", "off"] = choice("by-date", "whether the advantage counts")
    lowest_rating: float = quantity(400.0, "rating never falls below this", unit="rating points", ge=-1e6, le=1e6)
    most_change: float = quantity(700.0, "what a rating moves by at most in a game", unit="rating points", gt=0)
    regulator: float = quantity(1.0, "what a gain is multiplied by", unit="factor", gt=0, le=2)

    def kernels(self) -> Kernels:
        """Return the kernels."""
        return KERNELS

    def params(self) -> tuple[float, ...]:
        """Return what is in force now."""
        return self.params_at(math.inf)

    def params_at(self, day: float) -> tuple[float, ...]:
        """Return Glicko-2's with the advantage in force on a day, the lowest rating, the most change, the regulator."""
        counts = self.first_move == "on" or (self.first_move == "by-date" and day >= day_of(FIRST_MOVE))
        own = (self.lowest_rating, self.most_change, self.regulator)
        return Params._make((*super().params(), *own))._replace(advantage=self.advantage if counts else 0.0)

    @property
    def changes(self) -> tuple[float, ...]:
        """The day on which the first move began to count."""
        return (day_of(FIRST_MOVE),) if self.first_move == "by-date" else ()

    def belief(self, start: Start) -> tuple[float, ...]:
        """Return rating, variance, ln of the volatility squared, no flags; all held to the bounds, as lila's `cap`."""
        deviation, volatility = start.deviation, min(start.volatility, self._cap)  # NaN stays NaN
        if deviation > 0.0:
            deviation = min(max(deviation, self.floor), self.ceiling)
        rating, *rest = super().belief(start._replace(deviation=deviation, volatility=volatility))
        return (max(rating, self.lowest_rating), *rest)

    @property
    def lowest(self) -> float | None:
        """The lowest rating."""
        return self.lowest_rating

    @staticmethod
    def shown(rating: float, deviation: float) -> str:
        """Return a rating as the site shows it: cut to a whole number, `?` from a deviation of 110.

        >>> Lichess.shown(1662.2, 290.2), Lichess.shown(1517.9, 78.1)
        ('1662?', '1517')
        """
        return f"{int(rating)}{'?' if deviation >= PROVISIONAL else ''}"
