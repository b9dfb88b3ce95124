"""The kernels of FIDE's Elo: tables in whole hundredths, whole ratings, tallies towards a first rating."""

import math

import numpy as np

from ..curves import Q, hundredths, logistic_curve
from ..jit import kernel
from ..records import Clock, Game
from ..rules import ENOUGH
from .base import Kernels
from .fide_first import GAMES, HALVES, PLACE, first_rating, games_of, halves_of, opponents_of, still
from .fide_records import BEGUN, UNRATED, Belief, Evidence, Params

MONTH = 365.2425 / 12.0  # days
MOST_GAMES = 1600.0  # of a tally, so that five of them can be added
HUNDREDTH = np.arange(101) / 100.0  # each the double nearest to it


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
    """Return the nearest whole number, half away from zero (8.3.4); NaN of NaN."""
    return math.copysign(math.floor(abs(x) + 0.5), x) if math.isfinite(x) else x


@kernel
def rate(p: Params, me: Belief, total: Evidence, gain: float) -> Belief:
    """Return R + round(K sum(S - PD)), rounded once; who falls below the floor is unrated."""
    rating = me.rating + away(gain * total.surplus / 100.0)
    return Belief(BEGUN if rating < p.floor and total.games > 0.0 else rating, 0.0, 0.0, 0.0, 0.0, 0.0)


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
