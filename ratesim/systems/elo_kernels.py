"""The kernels of `elo`: curves, sums of a period, the way back to a mean, and Davidson's draws."""

from typing import NamedTuple

from ..curves import logistic_curve, normal_curve
from ..jit import kernel
from ..maths import exp
from ..records import Clock, Game


class Params(NamedTuple):
    """What the kernels read."""

    q: float  # ln 10 / scale
    advantage: float
    cap: float
    floor: float
    reversion: float
    reversion_to: float
    kappa: float  # of Davidson's draws


class Belief(NamedTuple):
    """A rating."""

    rating: float


class Evidence(NamedTuple):
    """Score above expectation."""

    games: float
    surplus: float


class Sums(NamedTuple):
    """Points and differences, of opponents who are taken as one."""

    games: float
    points: float
    ahead: float  # my rating, with the advantage, less the other's


@kernel
def difference(p: Params, me: Belief, foe: Belief, game: Game) -> float:
    """Return my rating, with the advantage, less the other's, held to the cap."""
    return min(max(me.rating - foe.rating + p.advantage * game.edge, -p.cap), p.cap)


@kernel
def predict_logistic(p: Params, me: Belief, foe: Belief, game: Game) -> float:
    """Return E = 1 / (1 + 10**(-difference / scale))."""
    return logistic_curve(p.q, difference(p, me, foe, game))


@kernel
def predict_normal(p: Params, me: Belief, foe: Belief, game: Game) -> float:
    """Return E = Phi(difference / sd)."""
    return normal_curve(p.q, difference(p, me, foe, game))


@kernel
def predict_davidson(p: Params, me: Belief, foe: Belief, game: Game) -> float:
    """Return E = (x + kappa / 2) / (x + kappa + 1 / x), where x = 10**(difference / (2 scale)).

    Both sides of the fraction are divided by the greater of x and 1 / x.
    """
    ahead = difference(p, me, foe, game)
    less = exp(-0.5 * p.q * abs(ahead))
    mine, its = (1.0, less * less) if ahead >= 0.0 else (less * less, 1.0)
    return (mine + 0.5 * p.kappa * less) / (mine + p.kappa * less + its)


@kernel
def draw_davidson(p: Params, me: Belief, foe: Belief, game: Game, expected: float) -> float:
    """Return kappa / (x + kappa + 1 / x)."""
    less = exp(-0.5 * p.q * abs(difference(p, me, foe, game)))
    return p.kappa * less / (1.0 + p.kappa * less + less * less)


@kernel
def evidence_summed(p: Params, me: Belief, foe: Belief, game: Game, expected: float) -> Sums:
    """Return S and the difference, of which the mean is looked up once for all games of the period."""
    return Sums(1.0, game.score, me.rating - foe.rating + p.advantage * game.edge)


@kernel
def revert(p: Params, me: Belief, clock: Clock) -> Belief:
    """Return R moved by a share of its way to the mean, where a season has begun since: once, however many have."""
    share = p.reversion if clock.seasons > 0.0 else 0.0
    return Belief(max(me.rating + share * (p.reversion_to - me.rating), p.floor))


@kernel
def absorb(p: Params, me: Belief, total: Evidence, gain: float, clock: Clock) -> Belief:
    """Return R + K sum(S - E)."""
    return Belief(me.rating + gain * total.surplus)


@kernel
def absorb_above(p: Params, me: Belief, total: Evidence, gain: float, clock: Clock) -> Belief:
    """Return the same, or the floor if that is more."""
    return Belief(max(me.rating + gain * total.surplus, p.floor))


@kernel
def mean_difference(p: Params, total: Sums) -> float:
    """Return my rating less the mean of my opponents', held to the cap."""
    mean = total.ahead / total.games if total.games > 0.0 else 0.0
    return min(max(mean, -p.cap), p.cap)


@kernel
def absorb_logistic(p: Params, me: Belief, total: Sums, gain: float, clock: Clock) -> Belief:
    """Return R + K (points - n E(mean difference)), or the floor if that is more."""
    expected = total.games * logistic_curve(p.q, mean_difference(p, total))
    return Belief(max(me.rating + gain * (total.points - expected), p.floor))


@kernel
def absorb_normal(p: Params, me: Belief, total: Sums, gain: float, clock: Clock) -> Belief:
    """Return the same by the normal curve."""
    expected = total.games * normal_curve(p.q, mean_difference(p, total))
    return Belief(max(me.rating + gain * (total.points - expected), p.floor))
