"""Glicko's kernels: a rating and how well it is known, in rating points."""

import math
from typing import NamedTuple

from ..jit import kernel
from ..maths import logistic
from ..records import Clock, Game
from .base import Kernels


class Params(NamedTuple):
    """What the kernels read."""

    q: float  # ln 10 / scale
    advantage: float
    growth: float  # c squared
    ceiling: float  # of the variance
    floor: float  # of the variance
    least_k: float  # of one game


class Belief(NamedTuple):
    """A rating and its variance, in rating points and their square."""

    rating: float
    variance: float


class Evidence(NamedTuple):
    """First and second derivative of the log likelihood of the results."""

    games: float
    slope: float
    information: float


class Steps(NamedTuple):
    """The same, and what it takes to look at K: the sums of S - E and of q g."""

    games: float
    slope: float
    information: float
    surplus: float
    pull: float


@kernel
def shrink(q: float, variance: float) -> float:
    """Return g(RD) = 1 / sqrt(1 + 3 q^2 RD^2 / pi^2)."""
    return 1.0 / math.sqrt(1.0 + (3.0 / math.pi**2) * (q * q) * variance)


@kernel
def drift(p: Params, me: Belief, clock: Clock) -> Belief:
    """Return the belief at the onset of a period: RD = min(sqrt(RD^2 + c^2 t), ceiling)."""
    return Belief(me.rating, min(me.variance + p.growth * (clock.idle + clock.span), p.ceiling))


@kernel
def predict(p: Params, me: Belief, foe: Belief, game: Game) -> float:
    """Return the expected score with both deviations in g (Glickman 1999, equation 16)."""
    gap = me.rating - foe.rating + p.advantage * game.edge
    return logistic(p.q * shrink(p.q, me.variance + foe.variance) * gap)


@kernel
def evidence(p: Params, me: Belief, foe: Belief, game: Game, expected: float) -> Evidence:
    """Return q g (S - E) and q^2 g^2 E (1 - E), where E has the other's deviation only (Glickman 1999, section 3.3).

    E (1 - E) is held above 1e-70, which gaps of more than 28,000 points pass: its inverse is squared twice in Glicko-2.
    """
    k = p.q * shrink(p.q, foe.variance)
    e = logistic(k * (me.rating - foe.rating + p.advantage * game.edge))
    return Evidence(1.0, k * (game.score - e), k * k * max(e * (1.0 - e), 1e-70))


@kernel
def absorb(p: Params, me: Belief, total: Evidence, gain: float, clock: Clock) -> Belief:
    """Return RD'^2 = 1 / (1 / RD^2 + 1 / d^2) and r' = r + RD'^2 q sum(g (S - E))."""
    variance = me.variance / (1.0 + me.variance * total.information)
    return Belief(me.rating + variance * total.slope, max(variance, p.floor))


@kernel
def evidence_stepping(p: Params, me: Belief, foe: Belief, game: Game, expected: float) -> Steps:
    """Return the same with S - E and q g beside it."""
    k = p.q * shrink(p.q, foe.variance)
    e = logistic(k * (me.rating - foe.rating + p.advantage * game.edge))
    return Steps(1.0, k * (game.score - e), k * k * max(e * (1.0 - e), 1e-70), game.score - e, k)


@kernel
def absorb_stepping(p: Params, me: Belief, total: Steps, gain: float, clock: Clock) -> Belief:
    """Return the same, or r + K sum(S - E) with the least K where RD'^2 q g, the mean over the games, is below it."""
    variance = me.variance / (1.0 + me.variance * total.information)
    short = variance * total.pull < p.least_k * total.games
    change = p.least_k * total.surplus if short else variance * total.slope
    return Belief(me.rating + change, max(variance, p.floor))


KERNELS = Kernels(Params, Belief, Evidence, predict, evidence, absorb, drift)
STEPPING = KERNELS._replace(Evidence=Steps, evidence=evidence_stepping, absorb=absorb_stepping)
