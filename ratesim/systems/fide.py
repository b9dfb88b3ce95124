"""FIDE's Elo: tables in whole hundredths, whole ratings, one rounding a list, and the life of a player."""

import math
from collections.abc import Mapping
from datetime import date
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, Self

import numpy as np
from pydantic import BeforeValidator, Field, model_validator

from ..curves import DIFFERENCES, Q, hundredths, logistic_curve
from ..dates import date_on, day_of
from ..errors import InputError
from ..jit import kernel
from ..policies import Fide, Policy
from ..records import Clock, Game
from ..rules import COMPRESSION, ENOUGH, FIRST, LATEST, LISTS, RAISE, WINDOW, List, Rules, changes, rules
from ..spec import choice, quantity
from . import fide_openings as openings
from .base import SYSTEMS, Floats, Games, Kernels, Mask, Opening, Start, System

HYPOTHETICAL = 1800.0  # rating of the opponents that rules from 2024 on add to a first rating
UNRATED, BEGUN = openings.UNRATED, openings.BEGUN
MONTH = 365.2425 / 12.0  # days
PLACE = 4096.0  # of one month among the four
MOST_GAMES = 1600.0  # of a tally, so that five of them can be added
GAMES, HALVES = 2.0**39, 2.0**25  # places of games and half points in a tally, above the sum of opponents
HIGHEST = 4000.0  # no rating is higher
OFF = math.inf
CAP = 0  # place of the cap among the parameters


class Params(NamedTuple):
    """What the kernels read; one row for each rule set in force. Rating points."""

    cap: float
    exempt: float
    one_upgrade: float
    far: float
    top: float
    floor: float
    draws: float
    bonus: float
    highest: float
    by_table: float  # 1 where the forecast is the table's, 0 where it is the logistic curve's


class Belief(NamedTuple):
    """The whole-number rating of the list in force, or what is gathered towards a first one.

    A tally is what the games of one list say: their number, half points and the sum of the opponents' ratings, as the
    digits of one number, so that tallies add. `months` holds the lists' months alike, that of tally1 lowest.
    """

    rating: float  # UNRATED or BEGUN before the first list
    months: float
    tally1: float  # newest
    tally2: float
    tally3: float
    tally4: float  # all that is older


class Evidence(NamedTuple):
    """Score above expectation of a rated player, or the tally of an unrated one."""

    games: float
    surplus: float  # hundredths of a point
    tally: float


@kernel
def counted(p: Params, mine: float, theirs: float, upgrade: float) -> float:
    """Return the difference mine - theirs as article 8.3.1 counts it.

    From 2650 on the true one; under the rules of 2022 the true one for the higher rated too, but in the one game of
    the event that carries the upgrade (1; NaN: nobody has looked, and every game does).
    """
    gap = mine - theirs
    free = mine >= p.exempt or (p.one_upgrade > 0.0 and upgrade == 0.0 and gap > 0.0)
    return gap if free else min(max(gap, -p.cap), p.cap)


@kernel
def rateable(p: Params, mine: float, theirs: float) -> bool:
    """Return whether a game of two rated players is rated: rapid and blitz have the 600-point rule."""
    return not (abs(mine - theirs) >= p.far and max(mine, theirs) > p.top)


@kernel
def predict(p: Params, me: Belief, foe: Belief, game: Game) -> float:
    """Return the forecast: PD of the table, or the logistic curve over the whole difference; NaN of the unrated."""
    if me.rating <= 0.0 or foe.rating <= 0.0:
        return math.nan
    gap = me.rating - foe.rating
    if p.by_table <= 0.0:
        return logistic_curve(Q, gap)
    free = max(me.rating, foe.rating) >= p.exempt
    return hundredths(gap if free else min(max(gap, -p.cap), p.cap)) / 100.0


@kernel
def evidence(p: Params, me: Belief, foe: Belief, game: Game, expected: float) -> Evidence:
    """Return 100 (S - PD) of a rated player, the tally of an unrated one; nothing against an unrated opponent.

    An unrated player's game of a first event without a point is marked 0.
    """
    if foe.rating <= 0.0:
        return Evidence(0.0, 0.0, 0.0)
    if me.rating <= 0.0:
        counts = 0.0 if game.extra == 0.0 else 1.0
        return Evidence(counts, 0.0, counts * (GAMES + HALVES * 2.0 * game.score + foe.rating))
    if not rateable(p, me.rating, foe.rating):
        return Evidence(0.0, 0.0, 0.0)
    pd = hundredths(counted(p, me.rating, foe.rating, game.extra))
    return Evidence(1.0, 100.0 * game.score - pd, 0.0)


@kernel
def away(x: float) -> float:
    """Return the nearest whole number, half away from zero (8.3.4)."""
    return math.copysign(math.floor(abs(x) + 0.5), x)


@kernel
def games_of(tally: float) -> float:
    """Return the number of games in a tally."""
    return math.floor(tally / GAMES)


@kernel
def halves_of(tally: float) -> float:
    """Return the half points in a tally."""
    return math.floor((tally - GAMES * games_of(tally)) / HALVES)


@kernel
def opponents_of(tally: float) -> float:
    """Return the sum of the opponents' ratings in a tally."""
    return tally - GAMES * games_of(tally) - HALVES * halves_of(tally)


@kernel
def first_share(p: Params, games: float, halves: float) -> float:
    """Return the fractional score of a first rating in hundredths, half up, hypothetical draws included."""
    n = games + p.draws
    return math.floor((100.0 * (halves + p.draws) + n) / (2.0 * n))


@kernel
def first_rating(p: Params, games: float, halves: float, opponents: float) -> float:
    """Return a first rating (8.2), half up, before the floor is asked: Ru = Ra + dp, or Ra + 20 for each half point."""
    n = games + p.draws
    total = opponents + HYPOTHETICAL * p.draws
    if p.bonus > 0.0 and halves >= games:
        return min(math.floor((2.0 * total + n) / (2.0 * n) + p.bonus * (halves - games)), p.highest)
    difference = float(DIFFERENCES[int(first_share(p, games, halves))])
    return min(math.floor((2.0 * total + n) / (2.0 * n)) + difference, p.highest)


@kernel
def rate(p: Params, me: Belief, total: Evidence, gain: float) -> Belief:
    """Return R + round(K sum(S - PD)), rounded once; who falls below the floor is unrated."""
    surplus = total.surplus
    games = games_of(total.tally)
    if games > 0.0:  # of an event that began before the first list: against its average opponent
        average = math.floor(opponents_of(total.tally) / games + 0.5)
        surplus += 50.0 * halves_of(total.tally) - games * hundredths(counted(p, me.rating, average, math.nan))
    rating = me.rating + away(gain * surplus / 100.0)
    return Belief(rating if rating >= p.floor or total.games <= 0.0 else BEGUN, 0.0, 0.0, 0.0, 0.0, 0.0)


@kernel
def still(tally: float, months: float, place: float, now: float) -> float:
    """Return a tally if its month, at that place of `months`, lies in the window that ends now; 0 if not."""
    month = math.floor(months / place) % PLACE
    return tally if (now - month) % PLACE < WINDOW else 0.0


@kernel
def absorb(p: Params, me: Belief, total: Evidence, gain: float, clock: Clock) -> Belief:
    """Return the rating on the next list, or what is gathered towards one."""
    if me.rating > 0.0:
        return rate(p, me, total, gain)
    now = math.floor(clock.now / MONTH + 0.5) % PLACE  # months since 1970, exact on the first of one
    tally1 = still(me.tally1, me.months, 1.0, now)
    tally2 = still(me.tally2, me.months, PLACE, now)
    tally3 = still(me.tally3, me.months, PLACE**2, now)
    tally4 = still(me.tally4, me.months, PLACE**3, now)
    void = me.rating == UNRATED and halves_of(total.tally) <= 0.0  # a first event, where events have no names
    if total.tally <= 0.0 or void:
        return Belief(BEGUN if total.tally > 0.0 else me.rating, me.months, tally1, tally2, tally3, tally4)
    whole = tally1 + tally2 + tally3 + tally4 + total.tally
    if games_of(whole) >= ENOUGH:
        rating = first_rating(p, games_of(whole), halves_of(whole), opponents_of(whole))
        if rating >= p.floor:
            return Belief(rating, 0.0, 0.0, 0.0, 0.0, 0.0)
    months = PLACE * (me.months - PLACE**3 * math.floor(me.months / PLACE**3)) + now
    older = tally3 + tally4 if games_of(tally3) + games_of(tally4) <= MOST_GAMES else tally3
    return Belief(BEGUN, months, total.tally, tally1, tally2, older)


KERNELS = Kernels(Params, Belief, Evidence, predict, evidence, absorb, complement=True, seen=1)


def params_of(found: Rules, *, by_table: bool = True) -> Params:
    """Return what the kernels read of a rule set."""
    common = {name: float(getattr(found, name)) for name in Params._fields[:-1]}
    return Params(**common, by_table=float(by_table))


def said(value: object) -> object:
    """Return what stands for no bound where the command line gives nothing for one."""
    return "none" if value is None else value


Bound = Annotated[
    Annotated[float, Field(gt=0, le=1e6)] | Literal["by-rules", "none"], BeforeValidator(said)
]  # rating points


@SYSTEMS.add
class FideElo(System):
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
    - One who is first rated while an event still waits is rated for it against its average opponent.
    - The compression of 1 March 2024 is of all three lists, rounded to the nearest.
    - The standard rating that rapid and blitz fall back on (7.2.1, and the raise of October 2022) is the start
      table's throughout.
    - A forecast, one for both sides, is over the true difference where either is exempt, and otherwise capped in
      every game.
    - The time control a standard game must have, by ratings, is not checked. An edge (colour, home) is ignored, as
      the rules ignore it.
    """

    takes_policy: ClassVar[bool] = True
    by_halves: ClassVar[bool] = True
    breaks: ClassVar[dict[str, str]] = {
        "conservation": "each player's change of a list is rounded by itself",
        "finite": "ratings are whole numbers from 0 to 4000",
    }
    default_policy: ClassVar[str] = "fide"
    default_calendar: ClassVar[str] = "lists"
    kind: Literal["fide"] = "fide"
    list: List = choice("standard", "whose rules: each list has its own")
    rules: date | Literal["as-of"] = choice(LATEST, "date whose rules hold throughout, or as-of: those of each event")
    start: float | None = quantity(
        None, "rating of all newcomers, a whole number; left out, they earn one", unit="rating points", gt=0, le=HIGHEST
    )
    cap: Bound = choice("by-rules", "a larger difference counts as this one; none: it never does")
    exempt: Bound = choice("by-rules", "own rating from which the true difference counts; none: nobody's")
    floor: Bound = choice("by-rules", "who falls below is unrated; none: nobody is")
    forecast: Literal["table", "logistic"] = choice("table", "what forecasts are read off; learning is by the table")

    @model_validator(mode="after")
    def _sound(self) -> Self:
        if self.start is not None and self.start % 1:
            msg = f"start = {self.start}: a FIDE rating is a whole number"
            raise ValueError(msg)
        if isinstance(self.rules, date) and self.rules < FIRST:
            msg = f"rules = {self.rules}: FIDE's ratings began on {FIRST}"
            raise ValueError(msg)
        return self

    def kernels(self) -> Kernels:
        """Return the kernels."""
        return KERNELS

    def params(self) -> tuple[float, ...]:
        """Return what the rules say, those of today where they go by date."""
        return self.params_at(day_of(LATEST))

    def params_at(self, day: float) -> tuple[float, ...]:
        """Return what the rules in force on a day say."""
        found = params_of(self._rules(day), by_table=self.forecast == "table")
        none = {"cap": OFF, "exempt": OFF, "floor": 1.0}
        own = {name: off if getattr(self, name) == "none" else getattr(self, name) for name, off in none.items()}
        return found._replace(**{name: value for name, value in own.items() if value != "by-rules"})

    def _rules(self, day: float) -> Rules:
        return rules(max(date_on(day), FIRST) if self.rules == "as-of" else self.rules, self.list)

    @property
    def changes(self) -> tuple[float, ...]:
        """Days on which the rules change."""
        dates = changes(self.list) if self.rules == "as-of" else ()
        return tuple(map(day_of, dates))

    @property
    def usual_calendar(self) -> Mapping[str, Any]:
        """FIDE's lists, as they were where the rules go by date."""
        return {"kind": "lists", "spacing": "as-of" if self.rules == "as-of" else "monthly"}

    def learning(self, policy: Policy) -> Policy:
        """Return the policy under the system's own rules, where it goes by rules and names none."""
        return policy.under(self.rules, self.list) if isinstance(policy, Fide) else policy

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
        openings.check(games, beliefs[:, 0] <= 0.0)
        others = [name for name in games.pools if name in LISTS and name != self.list]
        if others:
            raise InputError(
                f"games of {' and '.join(others)} under the rules of {self.list}", where="system fide, key list",
                expected=f"games of one list, and list = '{others[0]}' for those of it",
            )  # fmt: skip
        if self.rules == "as-of":
            openings.check_dates(games)
        if self.start is None and not (beliefs[:, 0] > 0.0).any():
            raise InputError(
                "nobody is rated when the stream begins, so nobody ever will be", where="system fide",
                expected="a start table with ratings, or start = 1500",
            )  # fmt: skip

    @property
    def alone(self) -> bool:
        """Whether there are first ratings, or rules that change or go by event."""
        return self.start is None or self.rules == "as-of" or self._rules(0.0).one_upgrade

    def attends(self, opens: Floats, before: Floats, judging: Mask) -> Mask | None:
        """Return the periods (T,) before which something is to be done: see `open`."""
        if not self.alone:
            return None
        if self.rules != "as-of":
            return judging
        moments = (-math.inf, *self.changes)
        cut = np.array([self._rules(max(day, day_of(FIRST))).one_upgrade for day in moments])
        found = judging & ((self.start is None) | cut[np.searchsorted(self.changes, opens, side="right")])
        for each in map(day_of, (COMPRESSION, RAISE)):
            found |= (before < each) & (opens >= each)
        return found

    def open(self, beliefs: Floats, opening: Opening) -> Floats | None:
        """Make the one-off changes of a list; return the marks (n,) of the games about to be judged by it."""
        rating = beliefs[:, 0]
        if self.rules == "as-of":
            openings.one_offs(rating, opening, self.list)
        lost = openings.lost_first_events(rating, opening)
        spare = openings.NONE
        if self._rules(opening.day).one_upgrade:
            spare = openings.spare_upgrades(rating, opening, self.params_at(opening.day)[CAP])
        if not len(lost) and not len(spare):
            return None
        marks = np.full(len(opening.first), np.nan)
        marks[lost] = marks[spare] = 0.0
        return marks
