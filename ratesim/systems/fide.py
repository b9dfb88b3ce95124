"""FIDE's Elo, from the first five games to the monthly list, by the rules of any date."""

import math
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from ..dates import day_of
from ..errors import InputError
from ..policies import Policy
from ..rules import COMPRESSION, FIRST, RAISE
from . import fide_checks as checks, fide_openings as openings, fide_waiting as waiting
from .base import SYSTEMS, Floats, Games, Kernels, Mask, Opening, Start
from .fide_kernels import LOGISTIC, TABLE
from .fide_parameters import HIGHEST, FideParameters
from .fide_records import BEGUN, CAP, UNRATED, Params


@SYSTEMS.add
class FideElo(FideParameters):
    """FIDE rating, from the first five games to the monthly list, under the rules of any date since 1971.

    FIDE Rating Regulations effective 1 March 2024 with the note of 1 October 2025, articles 8.1 to 8.3, their rapid
    and blitz counterparts, and those before them: `ratesim.rules` is the table. K, with its 700-point rule, is the
    policy `fide`. Events are judged by the list in force at their start under the calendar `lists`. The system
    forecasts with its table, or with the logistic curve over the whole difference; what it learns is the same.

    Departures
    ----------
    Where the rules are silent or unconfirmed, the reading taken is this.

    - A change of the 400-point rule holds for events that start under a list of its date or later; first ratings
      and K go by the rules of the period in which they are rated.
    - An event of more than 30 days is judged game by game. Of an event that several periods judge (such a one; any,
      under other calendars than `lists`) each period's part is an event by itself.
    - Under the rules of 2022, for rapid and blitz too, the lower rated side's differences stay capped, and of the
      higher rated side's only the greatest of an event is.
    - An event waits at most four lists after that of its start.
    - Ties of a first rating round half up. Before 2022 it adds 12.5 points for each half point above half the
      games, its floor is 1000, and round robins are no case of their own.
    - The first event is the first with a rated opponent; two first played in at one time are one. Where the stream
      names no events, a period is one event of each player; a void one then counts towards the games of K.
    - Games towards a first rating are kept apart for the last four lists that had some; older ones, of players who
      stay below the floor, leave the window of 26 months together.
    - After a fall below the floor nothing gathered is kept and what still waits changes nothing; games and peak
      live on, for K.
    - One who is first rated while an event still waits is rated for it, under the rules of its start, with the
      rating of the list that it waits for.
    - The compression of 1 March 2024 is of all three lists, rounded to the nearest.
    - The standard rating that rapid and blitz fall back on (7.2.1, and the raise of October 2022) is the start
      table's throughout.
    - A forecast, one for both sides, is over the true difference where either is exempt, and otherwise capped in
      every game.
    - The time control a standard game must have, by ratings, is not checked. An edge (colour, home) is ignored, as
      the rules ignore it.
    """

    by_halves: ClassVar[bool] = True
    surplus_in: ClassVar[float] = 0.01  # as FIDE's table has expected scores
    breaks: ClassVar[dict[str, str]] = {
        "conservation": "each player's change of a list is rounded by itself",
        "finite": "ratings are whole numbers from 0 to 4000",
    }
    held: ClassVar[bool] = False
    default_policy: ClassVar[str] = "fide"
    default_calendar: ClassVar[str] = "lists"

    def kernels(self) -> Kernels:
        """Return the kernels, which differ by the forecast."""
        return TABLE if self.forecast == "table" else LOGISTIC

    @property
    def usual_calendar(self) -> Mapping[str, Any]:
        """FIDE's lists, as they were where the rules go by date."""
        return {"kind": "lists", "spacing": "as-of" if self.rules == "as-of" else "monthly"}

    def learning(self, policy: Policy) -> Policy:
        """Return the policy under the system's own rules, where it goes by rules and names none."""
        return policy.under(self.rules, self.list)

    def belief(self, start: Start) -> tuple[float, ...]:
        """Return the rating, for rapid and blitz where there is none the standard one; one of 0 is none.

        Raises
        ------
        InputError : no whole number from 0 to 4000.
        """
        other = start.standard if self.list != "standard" else UNRATED
        known = (x for x in (start.rating, other, self.start or UNRATED) if x and not math.isnan(x))
        rating = next(known, UNRATED)
        if rating % 1 or not 0 <= rating <= HIGHEST:
            raise InputError(f"rating {rating:g}", expected=f"a whole number from 0 to {HIGHEST:.0f}")
        return (rating or (BEGUN if start.games > 0 else UNRATED), 0.0, 0.0, 0.0, 0.0, 0.0)

    def columns(self, beliefs: Floats) -> dict[str, Floats]:
        """Return the rating, NaN of the unrated."""
        return {"rating": np.where(beliefs[:, 0] > 0.0, beliefs[:, 0], np.nan)}

    def check(self, games: Games, beliefs: Floats) -> None:
        """Refuse scores and weights that no FIDE game has, and a stream in which nobody is or gets rated."""
        unrated = beliefs[:, 0] <= 0.0
        checks.check(games, unrated)
        checks.check_list(games, self.list)
        if self.rules == "as-of":
            checks.check_dates(games)
        if self.start is None:
            checks.check_rated(unrated)

    @property
    def alone(self) -> bool:
        """Whether anybody can be unrated, or rules change or go by event."""
        return self.start is None or self.floor != "none" or self.rules == "as-of" or self.rules_on(0.0).one_upgrade

    def attends(self, opens: Floats, before: Floats, judging: Mask) -> Mask:
        """Return the periods (T,) before which something is to be done: see `open`."""
        if self.rules != "as-of":
            return judging
        moments = (-math.inf, *self.changes)
        cut = np.array([self.rules_on(max(day, day_of(FIRST))).one_upgrade for day in moments])
        found = judging & (
            (self.start is None or self.floor != "none") | cut[np.searchsorted(self.changes, opens, side="right")]
        )
        for each in map(day_of, (COMPRESSION, RAISE)):
            found |= (before < each) & (opens >= each)
        return found

    def open(self, beliefs: Floats, opening: Opening) -> Floats | None:
        """Make the one-off changes of a list, judge what waited for a first rating, mark the games to come.

        Returns
        -------
        (n,) marks of the games that the list is about to judge: 0 where one does not count, or has no upgrade.
        """
        rating = beliefs[:, 0]
        if self.rules == "as-of":
            openings.one_offs(rating, opening, self.list)
        waiting.rate_kept(rating, opening, lambda day: Params(*self.params_at(day)))
        lost = openings.lost_first_events(rating, opening)
        spare = openings.NONE
        if self.rules_on(opening.day).one_upgrade:
            spare = openings.spare_upgrades(rating, opening, self.params_at(opening.day)[CAP])
        waiting.keep_unrated(rating, opening, lost)
        if not len(lost) and not len(spare):
            return None
        marks = np.full(len(opening.first), np.nan)
        marks[lost] = marks[spare] = 0.0
        return marks
