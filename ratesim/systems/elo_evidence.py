"""What one game says in `elo`: score above expectation, by how much it was won, and what it was played for."""

from ..jit import kernel
from ..maths import log
from ..records import Game
from .base import Kernels
from .elo_kernels import (
    Belief,
    Evidence,
    Params,
    Sums,
    absorb,
    absorb_logistic,
    absorb_normal,
    difference,
    draw_davidson,
    evidence_summed,
    predict_davidson,
    predict_logistic,
    predict_normal,
)

LEAST = 0.2  # divisor of 538's multiplier, where the winner was 2000 points behind


@kernel
def evidence(p: Params, me: Belief, foe: Belief, game: Game, expected: float) -> Evidence:
    """Return S - E."""
    return Evidence(1.0, game.score - expected)


@kernel
def times_538(p: Params, me: Belief, foe: Belief, game: Game) -> float:
    """Return ln(|margin| + 1) 2.2 / (0.001 w + 2.2), w the winner's difference; of a draw, the divisor is 1."""
    gap = difference(p, me, foe, game)
    ahead = gap if game.score > 0.5 else -gap
    divisor = 1.0 if game.score == 0.5 else max(0.001 * ahead + 2.2, LEAST)
    margin = max(1.0, abs(game.margin))  # in this order, of a margin that is not known 1
    return log(margin + 1.0) * (2.2 / divisor)


@kernel
def times_goals(game: Game) -> float:
    """Return 1 up to a goal's difference, 1.5 of two, (11 + N) / 8 of N from three on."""
    goals = abs(game.margin)
    return (11.0 + goals) / 8.0 if goals >= 3.0 else 1.5 if goals >= 2.0 else 1.0


@kernel
def evidence_538(p: Params, me: Belief, foe: Belief, game: Game, expected: float) -> Evidence:
    """Return 538's multiple of S - E."""
    return Evidence(1.0, times_538(p, me, foe, game) * (game.score - expected))


@kernel
def evidence_goals(p: Params, me: Belief, foe: Belief, game: Game, expected: float) -> Evidence:
    """Return World Football's multiple of S - E."""
    return Evidence(1.0, times_goals(game) * (game.score - expected))


@kernel
def staged(p: Params, me: Belief, foe: Belief, game: Game, expected: float) -> Evidence:
    """Return S - E times the factor of the game's stage."""
    return Evidence(1.0, game.extra * (game.score - expected))


@kernel
def staged_538(p: Params, me: Belief, foe: Belief, game: Game, expected: float) -> Evidence:
    """Return 538's multiple of it."""
    return Evidence(1.0, game.extra * (times_538(p, me, foe, game) * (game.score - expected)))


@kernel
def staged_goals(p: Params, me: Belief, foe: Belief, game: Game, expected: float) -> Evidence:
    """Return World Football's multiple of it."""
    return Evidence(1.0, game.extra * (times_goals(game) * (game.score - expected)))


BY_MARGIN = {"none": evidence, "538": evidence_538, "football": evidence_goals}
BY_STAGE = {"none": staged, "538": staged_538, "football": staged_goals}

LOGISTIC = Kernels(Params, Belief, Evidence, predict_logistic, evidence, absorb, complement=True)
NORMAL = LOGISTIC._replace(predict=predict_normal)
DAVIDSON = LOGISTIC._replace(predict=predict_davidson, draw=draw_davidson)
AVERAGE = {
    "logistic": LOGISTIC._replace(Evidence=Sums, evidence=evidence_summed, absorb=absorb_logistic),
    "normal": NORMAL._replace(Evidence=Sums, evidence=evidence_summed, absorb=absorb_normal),
}
