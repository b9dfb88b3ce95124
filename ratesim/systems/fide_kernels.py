"""The kernels of FIDE's Elo: tables in whole hundredths, whole ratings, tallies towards a first rating."""

import math
from typing import NamedTuple

import numpy as np

from ..curves import DIFFERENCES, Q, hundredths, logistic_curve
from ..jit import kernel
from ..records import Clock, Game
from ..rules import ENOUGH, WINDOW, Rules
from .base import Kernels

HYPOTHETICAL = 1800.0  # rating of the opponents that rules from 2024 on add to a first rating
UNRATED, BEGUN = 0.0, -1.0  # in place of a rating: no event yet that counted, and some
MONTH = 365.2425 / 12.0  # days
PLACE = 4096.0  # of one month among the four
MOST_GAMES = 1600.0  # of a tally, so that five of them can be added
HUNDREDTH = np.arange(101) / 100.0  # each the double nearest to it
GAMES, HALVES = 2.0**39, 2.0**25  # places of games and half points in a tally, above the sum of opponents


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
def predict_table(p: Params, me: Belief, foe: Belief, game: Game) -> float:
    """Return PD of the table, over the true difference where either side is exempt; NaN of the unrated."""
    if me.rating <= 0.0 or foe.rating <= 0.0:
        return math.nan
    gap = me.rating - foe.rating
    free = max(me.rating, foe.rating) >= p.exempt
    return float(HUNDREDTH[int(hundredths(gap if free else min(max(gap, -p.cap), p.cap)))])


@kernel
def predict_logistic(p: Params, me: Belief, foe: Belief, game: Game) -> float:
    """Return the logistic curve over the whole difference; NaN of the unrated."""
    if me.rating <= 0.0 or foe.rating <= 0.0:
        return math.nan
    return logistic_curve(Q, me.rating - foe.rating)


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
    rating = me.rating + away(gain * total.surplus / 100.0)
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


TABLE = Kernels(Params, Belief, Evidence, predict_table, evidence, absorb, complement=True, seen=1)
LOGISTIC = TABLE._replace(predict=predict_logistic)


def params_of(found: Rules) -> Params:
    """Return what the kernels read of a rule set."""
    return Params(*(float(getattr(found, name)) for name in Params._fields))
