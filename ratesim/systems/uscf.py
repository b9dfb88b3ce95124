"""US Chess: Elo with K of effective games, a bonus, and beginners by averages."""

import math
from datetime import date
from typing import ClassVar, Literal

from ..dates import day_of
from ..spec import choice, quantity
from .base import SYSTEMS, Floats, Kernels, Start, System
from .uscf_kernels import FIVE_STEPS, ONE_STEP, Params

# From the first day on which an event may end: news of US Chess of 2017, 30 October 2023 and 2025. Before that, 12.
BONUS = ((date(2017, 5, 1), 14.0), (date(2023, 2, 1), 12.0), (date(2025, 1, 1), 10.0))
BEFORE = 12.0


@SYSTEMS.add
class UscfElo(System):
    """US Chess ratings, also called USCF ratings, event by event.

    M. E. Glickman & T. Doan, "The US Chess rating system", 2 September 2020, sections 1 to 4. A period is an event.
    Of players with more than 8 games, R' = R + K (S - E), K = 800 / (N' + m), N' the effective games before the
    event and m those of it; with three games and more, what K (S - E) is beyond B sqrt(max(m, 4)) counts twice.
    With up to 8 games, or nothing but wins or losses, a rating is (N' R + sum(R_j) + 400 (wins - losses)) / (N' +
    m). An event is rated in five steps: players without a game get a first rating (3), then all an intermediate one
    (4), and against those of their opponents all are rated (5). `steps = "one"` takes opponents as they were before
    the event, as the "Approximating formulas" of April 2017 do.

    B was 12 in the document of June 2015, 14 for events that ended from 1 May 2017 on, 12 from 1 February 2023 and
    10 from 2025 (news of US Chess). A newcomer of age 2 to 26 begins at 50 x age: such go into a start table; all
    others at 1300.

    Departures
    ----------
    The special formula is the approximate one: exact as long as nobody is 400 points from its result. Left out are
    the smaller K above 2200 of events that are rated twice, matches, the bonus's condition that nobody was met more
    than twice, floors above 100, and first ratings from other federations. Before May 2017 B is 12 throughout; it
    was 6 from 2008 to 2012. Players of a start table that says their games have had both wins and losses; where it
    does not, ratings are initial ones, of no game.
    """

    breaks: ClassVar[dict[str, str]] = {"translation": "effective games depend on the rating"}
    default_calendar: ClassVar[str] = "months"
    kind: Literal["uscf"] = "uscf"
    start: float = quantity(1300.0, "initial rating of a newcomer", unit="rating points", ge=-1e6, le=1e6)
    k: float = quantity(800.0, "numerator of K", unit="rating points", ge=0, le=1e6)
    bonus: float | None = quantity(
        None, "B, which the bonus begins beyond; by date if left out", unit="rating points", ge=0, le=1e6
    )
    floor: float = quantity(100.0, "no rating is below this", unit="rating points", ge=-1e6, le=2700)
    steps: Literal["five", "one"] = choice("five", "opponents as the event shows them, or as they were before it")

    def kernels(self) -> Kernels:
        """Return the kernels of five steps or of one."""
        return FIVE_STEPS if self.steps == "five" else ONE_STEP

    def params(self) -> tuple[float, ...]:
        """Return what is in force now."""
        return self.params_at(math.inf)

    def params_at(self, day: float) -> tuple[float, ...]:
        """Return k, B and floor on a day."""
        passed = [value for since, value in BONUS if day_of(since) <= day]
        by_date = passed[-1] if passed else BEFORE
        return Params(self.k, by_date if self.bonus is None else self.bonus, self.floor)

    @property
    def changes(self) -> tuple[float, ...]:
        """Days on which B changes."""
        return tuple(day_of(since) for since, _ in BONUS) if self.bonus is None else ()

    def belief(self, start: Start) -> tuple[float, ...]:
        """Return the rating, as opponents see it too, the games, and half of them as points."""
        rating = max(self.start if math.isnan(start.rating) else start.rating, self.floor)
        games = 0.0 if math.isnan(start.games) else start.games
        return (rating, rating, games, games / 2.0)

    def columns(self, beliefs: Floats) -> dict[str, Floats]:
        """Return the rating."""
        return {"rating": beliefs[:, 0]}

    @property
    def lowest(self) -> float | None:
        """The floor."""
        return self.floor
