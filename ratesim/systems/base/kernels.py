"""What a system is made of: four pure functions on records of floats."""

from collections.abc import Callable
from typing import Any, NamedTuple

Kernel = Callable[..., Any]


class Kernels(NamedTuple):
    """The four functions of a system and the records they speak.

    Records are NamedTuples of floats. `evidence` is additive over a period; its first field, `games`, says whether
    a game counts. A system with flags keeps them as a bit field in the last field of its belief.
    """

    Params: type
    Belief: type
    Evidence: type
    predict: Kernel  # (p, me, foe, game) -> expected score of me, before the game
    evidence: Kernel  # (p, me, foe, game, expected) -> Evidence
    absorb: Kernel  # (p, me, total, gain, clock) -> Belief, once per period
    drift: Kernel | None = None  # (p, me, clock) -> Belief: time passes; None where nothing does
    complement: bool = False  # the foe's expectation is exactly 1 minus mine
    flags: tuple[str, ...] = ()  # diagnostics, lowest bit first
    seen: int | None = None  # leading fields of a belief that predict and evidence look at; None: all
    careful: Kernel | None = None  # (p, me, total, clock): absorb again where absorb raised the bit above its flags
    draw: Kernel | None = (
        None  # (p, me, foe, game, expected) -> chance of a draw, where a system has a model of its own
    )
    passes: int = 1  # times that the games of a period are judged; its forecasts are those of the first
    between: Kernel | None = None  # (p, me, total, n) -> Belief after the n-th judging, which the next one looks at
