"""The few loops over the games of a round that every world needs."""

import numpy as np

from ..jit import kernel
from ..rng import GOLDEN, ROUND, Keys, inside, unit
from .base import Chances, Floats, Ints, Pairs
from .compiled import compiled
from .laws import possible, scored

TINY = 2.0**-53  # fates are inside (0, 1)


def gaps(skill: Floats, strength: Floats, pairs: Pairs) -> tuple[Floats, Floats, Floats, Floats]:
    """Return gap and level of strength, and the skills of first and second, (R, M) each."""
    gap, level, mine, theirs = (np.empty(pairs.first.shape) for _ in range(4))
    compiled(meet, "the games of a world")(skill, strength, pairs.first, pairs.second, gap, level, mine, theirs)
    return gap, level, mine, theirs


def results(chances: Chances, keys: Keys, round_: int) -> tuple[Floats, bool]:
    """Return the scores (R, M) that luck makes of what can come of games, and whether all that can come can be."""
    score = np.empty(chances.expected.shape)
    sound = compiled(decide, "results")(chances.expected, chances.draw, keys, np.uint64(round_), score)
    return score, bool(sound)


def fates(fair: Chances, score: Floats, keys: Keys, round_: int) -> Floats:
    """Return the number (R, M) in (0, 1) that each result hung on: that of `results`, if it leads to this score.

    Else it is moved to where it stands among those of its own result, but among the numbers that do: a loss on purpose
    looks like a lost game, and is as even or uneven as lost games of such chances are.
    """
    fate = np.empty(score.shape)
    compiled(reckon, "performances")(fair.expected, fair.draw, score, keys, np.uint64(round_), fate)
    return fate


def meet(
    skill: Floats, strength: Floats, first: Ints, second: Ints, gap: Floats, level: Floats, mine: Floats, theirs: Floats
) -> None:
    """Write down who is how strong in each game."""
    for r in range(first.shape[0]):
        for m in range(first.shape[1]):
            i, j = max(first[r, m], 0), max(second[r, m], 0)
            a, b = strength[r, i], strength[r, j]
            gap[r, m], level[r, m] = a - b, 0.5 * (a + b)
            mine[r, m], theirs[r, m] = skill[r, i], skill[r, j]


def decide(expected: Floats, draw: Floats, keys: Keys, round_: np.uint64, score: Floats) -> bool:
    """Write scores, as `scored` has them; return whether all chances are possible."""
    sound = True
    for r in range(score.shape[0]):
        state = keys[r] + round_ * ROUND * GOLDEN
        for m in range(score.shape[1]):
            state += GOLDEN
            score[r, m] = scored(inside(state), expected[r, m], draw[r, m])
            sound &= possible(expected[r, m], draw[r, m])
    return sound


def reckon(expected: Floats, draw: Floats, score: Floats, keys: Keys, round_: np.uint64, fate: Floats) -> None:
    """Write what `fates` returns."""
    for r in range(score.shape[0]):
        key = keys[r]
        for m in range(score.shape[1]):
            u = unit(key, round_ * ROUND + np.uint64(m))
            half, s = 0.5 * draw[r, m], score[r, m]
            win, unlost = expected[r, m] - half, expected[r, m] + half
            fair = 0.5 * (int(u < win) + int(u < unlost))
            if fair != s:
                (low, high), (bottom, top) = between(fair, win, unlost), between(s, win, unlost)
                u = min(max(bottom + (top - bottom) * ((u - low) / (high - low)), TINY), 1.0 - TINY)
            fate[r, m] = u


@kernel
def between(score: float, win: float, unlost: float) -> tuple[float, float]:
    """Return from where to where the numbers lead to a score: to a win below `win`, to no loss below `unlost`."""
    low = 0.0 if score == 1.0 else win if score == 0.5 else unlost
    high = win if score == 1.0 else unlost if score == 0.5 else 1.0
    return low, high
