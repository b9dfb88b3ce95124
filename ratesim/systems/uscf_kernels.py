"""US Chess's kernels: K of effective games, a bonus, an average for beginners; an event is judged three times."""

import math
from typing import NamedTuple

from ..curves import Q, logistic_curve
from ..jit import kernel
from ..policies.falling import effective_games
from ..records import Clock, Game
from .base import Kernels

SPECIAL = 8.0  # games up to which a rating is an average
HIGHEST_SPECIAL = 2700.0  # no such average is more
PASSES = 3


class Params(NamedTuple):
    """What the kernels read. Rating points."""

    k: float  # numerator
    bonus: float  # B
    floor: float


class Belief(NamedTuple):
    """A rating, that which opponents of the open event see, and the games and points that it rests on."""

    rating: float
    shown: float
    games: float
    points: float


class Evidence(NamedTuple):
    """Score above expectation, score, and the sum of the opponents' ratings."""

    games: float
    surplus: float
    score: float
    foes: float


@kernel
def predict(p: Params, me: Belief, foe: Belief, game: Game) -> float:
    """Return the winning expectancy, 1 / (1 + 10**(-difference / 400))."""
    return logistic_curve(Q, me.rating - foe.rating)


@kernel
def evidence(p: Params, me: Belief, foe: Belief, game: Game, expected: float) -> Evidence:
    """Return S - E of my rating before the event against the other's as it is shown, S and that rating."""
    return Evidence(1.0, game.score - logistic_curve(Q, me.rating - foe.shown), game.score, foe.shown)


@kernel
def special(p: Params, rating: float, effective: float, total: Evidence) -> float:
    """Return (N' R + sum(R_j) + 400 (wins - losses)) / (N' + m), section 4.1 with nobody 400 points away."""
    ahead = 400.0 * (2.0 * total.score - total.games)
    count = max(effective + total.games, 1e-9)
    return min(max((effective * rating + total.foes + ahead) / count, p.floor), HIGHEST_SPECIAL)


@kernel
def standard(p: Params, rating: float, effective: float, total: Evidence) -> float:
    """Return R + K (S - E), and the bonus max(0, K (S - E) - B sqrt(max(m, 4))) of three games and more."""
    change = p.k / max(effective + total.games, 1e-9) * total.surplus
    bonus = max(change - p.bonus * math.sqrt(max(total.games, 4.0)), 0.0) if total.games >= 3.0 else 0.0
    return max(rating + change + bonus, p.floor)


@kernel
def rated(p: Params, me: Belief, total: Evidence) -> float:
    """Return the rating after an event, by the special formula up to 8 games and of all wins or all losses."""
    effective = effective_games(me.rating, me.games)
    average = me.games <= SPECIAL or me.points <= 0.0 or me.points >= me.games
    return special(p, me.rating, effective, total) if average else standard(p, me.rating, effective, total)


@kernel
def between(p: Params, me: Belief, total: Evidence, n: float) -> Belief:
    """Return what opponents see: after judging 1 a first rating of the unrated alone (step 3), then of all (step 4)."""
    first = special(p, me.rating, 1.0, total) if me.games <= 0.0 else me.rating
    return Belief(me.rating, first if n == 1 else rated(p, me, total), me.games, me.points)


@kernel
def absorb(p: Params, me: Belief, total: Evidence, gain: float, clock: Clock) -> Belief:
    """Return step 5: the rating before the event, updated against the opponents as they are shown."""
    rating = rated(p, me, total)
    return Belief(rating, rating, me.games + total.games, me.points + total.score)


ONE_STEP = Kernels(Params, Belief, Evidence, predict, evidence, absorb, seen=2)
FIVE_STEPS = ONE_STEP._replace(between=between, passes=PASSES)
