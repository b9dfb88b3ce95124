"""Laws of outcomes: what can come of a game, told by how strong its two sides are and nothing else."""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..jit import Function, kernel
from ..rng import GOLDEN, ROUND, Keys, inside
from ..state import Floats, Ints
from .compiled import compiled

if TYPE_CHECKING:
    from ..slots import *  # noqa: F403  # the capitals: `compiled` binds them

TILE = 256  # games that are decided together, on numbers that lie nearest to the processor
NONE: Floats = np.empty((0, 0))
SLACK = 1e-12  # by which rounding may take a probability below 0


class Law(NamedTuple):
    """What can come of a game."""

    judge: Function  # kernel (gap, level, p) -> expected score of first, probability of a draw
    p: tuple[float, ...]
    label: str  # of the outcomes


class Decided(NamedTuple):
    """What came of the games of a round, (R, M); all but the score is empty where nobody asks for it."""

    score: Floats
    expected: Floats  # score of first
    skill_first: Floats
    skill_second: Floats


def judged(law: Law, gap: Floats, level: Floats) -> tuple[Floats, Floats]:
    """Return the expected score of first and the probability of a draw, (R, M), by gap and level of strength."""
    expected, draw = np.empty(gap.shape), np.empty(gap.shape)
    compiled(judge, law.label, JUDGE=law.judge)(gap, level, law.p, expected, draw)
    return expected, draw


def decided(
    law: Law, skill: Floats, first: Ints, second: Ints, keys: Keys, round_: int, *, truth: bool
) -> Decided | None:  # fmt: skip
    """Return what luck makes of the games (R, M) of a round, played by skills (R, N): the bits of step by step.

    None where the law gave chances that are none, if only where there is no game.

    Parameters
    ----------
    truth : whether more than the score is wanted.
    """
    score = np.empty(first.shape)
    known = [np.empty(first.shape) if truth else NONE for _ in range(3)]
    play = compiled(play_by_law, f"games: {law.label}", JUDGE=law.judge)
    sound = play(skill, first, second, law.p, keys, np.uint64(round_), score, *known)
    return Decided(score, *known) if sound else None


@kernel
def scored(u: float, expected: float, draw: float) -> float:
    """Return the score of first: a win below E - d/2, a draw up to E + d/2."""
    half = 0.5 * draw
    return (0.5 if u < expected - half else 0.0) + (0.5 if u < expected + half else 0.0)


@kernel
def possible(expected: float, draw: float) -> bool:
    """Return whether these are chances, NaN being none: without branches, so that several are looked at together."""
    return (draw >= -SLACK) & (draw <= 2.0 * min(expected, 1.0 - expected) + SLACK)  # so expected is in 0..1 too


def judge(gap: Floats, level: Floats, p: tuple[float, ...], expected: Floats, draw: Floats) -> None:
    """Write what can come of each game."""
    for r in range(gap.shape[0]):
        for m in range(gap.shape[1]):
            expected[r, m], draw[r, m] = JUDGE(gap[r, m], level[r, m], p)


def play_by_law(
    skill: Floats, first: Ints, second: Ints, p: tuple[float, ...], keys: Keys, round_: np.uint64, score: Floats,
    expected: Floats, mine: Floats, theirs: Floats,
) -> bool:  # fmt: skip
    """Write what `decided` returns: who meets, what can come of it and what does, a tile at a time; say if it can."""
    a, b, e, d = np.empty(TILE), np.empty(TILE), np.empty(TILE), np.empty(TILE)
    games, sound = first.shape[1], True
    for r in range(first.shape[0]):
        luck = keys[r] + round_ * ROUND * GOLDEN
        for begin in range(0, games, TILE):
            n = min(TILE, games - begin)
            for k in range(n):
                i, j = np.uint32(max(first[r, begin + k], 0)), np.uint32(max(second[r, begin + k], 0))
                a[k], b[k] = skill[r, i], skill[r, j]
            for k in range(n):
                e[k], d[k] = JUDGE(a[k] - b[k], 0.5 * (a[k] + b[k]), p)
            for k in range(n):
                sound &= possible(e[k], d[k])
            for k in range(n):
                luck += GOLDEN
                score[r, begin + k] = scored(inside(luck), e[k], d[k])
            if expected.size > 0:
                for k in range(n):
                    expected[r, begin + k], mine[r, begin + k], theirs[r, begin + k] = e[k], a[k], b[k]
    return sound
