"""A ladder with a model of draws of its own, whose periods are judged twice."""

from typing import Literal, NamedTuple

from ratesim.jit import kernel
from ratesim.systems.base import Kernels

from . import Evidence, Ladder, Params, predict


class Belief(NamedTuple):
    rating: float  # as opponents see it
    before: float  # as the period opened


@kernel
def draw(p, me, foe, game, expected):
    """A draw is likeliest between equals."""
    return min(expected, 1.0 - expected)


@kernel
def evidence(p, me, foe, game, expected):
    return Evidence(1.0, game.score - expected)


@kernel
def between(p, me, total, n):
    """The second judging is by what the first has made of everybody."""
    return Belief(me.before + p.step * total.surplus, me.before)


@kernel
def absorb(p, me, total, gain, clock):
    rating = me.before + p.step * total.surplus
    return Belief(rating, rating)


class DrawingLadder(Ladder):
    """A ladder that says how likely draws are, and judges each period again by what came of it."""

    kind: Literal["drawing-ladder"] = "drawing-ladder"

    def kernels(self) -> Kernels:
        return Kernels(
            Params, Belief, Evidence, predict, evidence, absorb, complement=True, draw=draw, between=between, passes=2,
        )  # fmt: skip

    def belief(self, start):
        return super().belief(start) * 2
