"""FIDE's K: steps by games, age and peak, as they are in force on any date."""

import math
from datetime import date
from typing import Literal, Self

import polars as pl
from pydantic import StrictBool

from ..careers import STEPS, FideParams, k_params, known
from ..dates import date_on, day_of
from ..jit import kernel
from ..records import Career
from ..rules import FIRST, LATEST, List, Rules, changes, rules
from ..spec import choice, quantity
from .base import MOST, POLICIES, Policy, PolicyKernels


@kernel
def held_down(k: float, games: float, limit: float) -> float:
    """Return K, whole and smaller where K times the games of a period were more than the limit."""
    return math.floor(limit / games) if k * games > limit else k


@kernel
def fide_base(q: FideParams, career: Career) -> float:
    """Return K by games, age and peak, as it is published."""
    young = career.year - career.born <= q.age and career.peak < q.junior
    return q.top if career.peak >= q.ratchet else q.new if young or career.games < q.games else q.most


@kernel
def fide_gain(q: FideParams, rating: float, career: Career) -> float:
    """Return K, held down so that K times the games of the period is at most the limit."""
    return held_down(fide_base(q, career), career.fresh, q.limit)


@POLICIES.add
class Fide(Policy):
    """FIDE's steps: 40 until 30 games or for juniors, 20, and 10 for ever once 2400 was reached; 30/15/10 before 2014.

    FIDE Rating Regulations of 1 March 2024, article 8.3.3, and those before: `ratesim.rules` is the table. K x n is at
    most 700 for the n games of a rating period. The order of precedence, which the text leaves open, is the one found
    in FIDE's own lists: the 2400 ratchet first, then juniors never published at 2300, then fewer than 30 games.

    Departures
    ----------
    Where no birth year is known nobody is a junior. Games against rated opponents count before the first list too. K
    goes by the period in which an event is rated, also where it began under an older list. The 700-point rule and the
    end of a junior's year are taken to be as old as the steps they go with.
    K of new players was 25, on 1 July 2009 too (FIDE's news of 13 July 2009), and 30 from 2011 on (Stephenson and
    Sonas, package PlayerRatings, `kfide`). From 1 July is a reading: what was decided a year before holds from then.
    A start table says how K goes on: games, peak and born, or born and the published k. A K of 10 then stands for a
    peak of 2400, one of 20 for 30 games, and in a junior for a peak of 2300.
    """

    kind: Literal["fide"] = "fide"
    rules: date | Literal["as-of"] | None = choice(
        None, "date whose rules hold, or as-of: those of each period; left out, the system's, or those of today"
    )
    list: List | None = choice(None, "whose rules: standard, rapid or blitz; left out, the system's, or standard")
    assume: StrictBool = choice(
        default=False,
        about="whether those of a start table that lacks it have no higher peak and 30 games, none where their k is 40",
    )
    new: float | None = quantity(
        None, "K of new players and juniors; none: by the rules", unit="rating points a game", ge=0, le=MOST
    )
    most: float | None = quantity(
        None, "K of everybody else; none: by the rules", unit="rating points a game", ge=0, le=MOST
    )
    top: float | None = quantity(
        None, "K once the ratchet was reached; none: by the rules", unit="rating points a game", ge=0, le=MOST
    )
    games: float | None = quantity(
        None, "rated games after which a player is no longer new; none: by the rules", unit="games", ge=0
    )
    ratchet: float | None = quantity(
        None, "rating that brings the lowest K for ever; none: by the rules", unit="rating points"
    )
    age: float | None = quantity(
        None, "a junior until the end of the year of this birthday; none: by the rules", unit="years", ge=0
    )
    junior: float | None = quantity(
        None, "rating from which a junior is one no longer; none: by the rules", unit="rating points"
    )
    limit: float | None = quantity(
        None, "most that K times the games of a period can be; none: by the rules", unit="rating points", gt=0
    )

    def kernels(self) -> PolicyKernels:
        """Return the record of parameters and the kernel."""
        return PolicyKernels(FideParams, fide_gain, career=True, sound=True)

    def params(self) -> tuple[float, ...]:
        """Return the steps in the order of the record, those of today where they go by date."""
        return self.params_at(day_of(LATEST))

    def params_at(self, day: float) -> tuple[float, ...]:
        """Return the steps in force on a day; what is left out is as the rules say."""
        own = {step: getattr(self, step) for step in STEPS}
        return k_params(self._rules(day))._replace(**{step: value for step, value in own.items() if value is not None})

    @property
    def changes(self) -> tuple[float, ...]:
        """Days on which the rules change."""
        dates = changes(self.list or "standard") if self.rules == "as-of" else ()
        return tuple(map(day_of, dates))

    def under(self, rules: date | Literal["as-of"], of: List) -> Self:
        """Return the same under the rules and the list of a system, where it names none of its own."""
        return self.model_copy(update={"rules": self.rules or rules, "list": self.list or of})

    def _rules(self, day: float) -> Rules:
        on = max(date_on(day), FIRST) if self.rules == "as-of" else self.rules
        return rules(on or LATEST, self.list or "standard")

    def known(self, start: pl.DataFrame, day: float) -> pl.DataFrame:
        """Return a start table with the games and the peak of all who are rated in it.

        Raises
        ------
        InputError : somebody's are not known, and nothing is to be assumed.
        """
        own = FideParams(*self.params_at(day))
        return known(start, k_params(self._rules(day)), own, date_on(day).year, assume=self.assume)
