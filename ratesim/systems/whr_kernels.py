"""Whole-history rating's arithmetic: one Newton step of a player's history, and what all histories together need.

A node is a player's rating on one day; a player's nodes lie side by side in order of time, `start` the first and
`length` those that have games so far. The games of node k are begin[k]..end[k] of `rows`, told from its side. Ratings
r, slopes and curvatures are in natural units; `tie` (K,) is 1 / variance of the Wiener process from a node to the next.
"""

import functools
from typing import NamedTuple

from ..jit import Function, part, specialise
from ..maths import log, logistic
from .base import Floats, Ints


class Rows(NamedTuple):
    """Games as each of their two sides sees them, (E,)."""

    foe: Ints  # node
    lead: Floats  # what the edge is worth to me
    score: Floats
    weight: Floats


def judge(
    r: Floats, k: int, debut: bool, rows: Rows, begin: Ints, end: Ints, draws: float, ridge: float, bend: Floats
) -> tuple[float, float]:
    """Return slope and curvature of the likelihood in one node, the prior of a first day included; note each game's."""
    slope = curve = 0.0
    if debut:
        p = logistic(r[k])
        slope = draws * (0.5 - p) - ridge * r[k]
        curve = draws * p * (1.0 - p) + ridge
    for g in range(begin[k], end[k]):
        z = r[k] - r[rows.foe[g]] + rows.lead[g]  # its two sides get the same bits, of opposite signs
        p, q = logistic(z), logistic(-z)
        bend[g] = rows.weight[g] * (p * q)
        slope += rows.weight[g] * (rows.score[g] * q - (1.0 - rows.score[g]) * p)
        curve += bend[g]
    return slope, curve


def look(
    r: Floats, a: int, b: int, tie: Floats, rows: Rows, begin: Ints, end: Ints, draws: float, ridge: float,
    bend: Floats, slope: Floats, curve: Floats,
) -> None:  # fmt: skip
    """Write the gradient of one player's nodes a..b, and what games and prior add to the diagonal of its curvature."""
    for k in range(a, b):
        slope[k], curve[k] = JUDGE(r, k, k == a, rows, begin, end, draws, ridge, bend)
    for k in range(a + 1, b):
        pull = tie[k - 1] * (r[k] - r[k - 1])
        slope[k] -= pull
        slope[k - 1] += pull


def survey(
    r: Floats, start: Ints, length: Ints, tie: Floats, rows: Rows, begin: Ints, end: Ints, draws: float, ridge: float,
    bend: Floats, slope: Floats, curve: Floats, pivot: Floats,
) -> None:  # fmt: skip
    """Write gradient (K,), section 2.2 of the paper, and of the curvature each node's own (K,) and game's (E,)."""
    for i in range(start.size):
        LOOK(r, start[i], start[i] + length[i], tie, rows, begin, end, draws, ridge, bend, slope, curve)
        FACTOR(curve, tie, start[i], start[i] + length[i], pivot)


def factor(curve: Floats, tie: Floats, a: int, b: int, pivot: Floats) -> None:
    """Write 1 / pivot of the tridiagonal curvature of nodes a..b; the paper's appendix B, a Gaussian elimination.

    A pivot is what is known by a node and those before, and its tie to the next: huge ties leave all digits of games.
    """
    known = 0.0
    for k in range(a, b):
        known = curve[k] + (known * (tie[k - 1] * pivot[k - 1]) if k > a else 0.0)
        pivot[k] = 1.0 / (known + (tie[k] if k < b - 1 else 0.0))


def solve(slope: Floats, tie: Floats, a: int, b: int, pivot: Floats, out: Floats) -> None:
    """Write the curvature undone on a gradient, from what `factor` left."""
    for k in range(a, b):
        out[k] = slope[k] + (tie[k - 1] * pivot[k - 1] * out[k - 1] if k > a else 0.0)
    for k in range(b - 1, a - 1, -1):
        out[k] = (out[k] + (tie[k] * out[k + 1] if k < b - 1 else 0.0)) * pivot[k]


def sweep(
    r: Floats, start: Ints, length: Ints, tie: Floats, rows: Rows, begin: Ints, end: Ints, draws: float, ridge: float,
    bend: Floats, slope: Floats, curve: Floats, pivot: Floats, step: Floats,
) -> float:  # fmt: skip
    """Take one step of Newton's method for each player in turn; return the largest change of a rating.

    A step that changes a rating by d is shortened by ln(1 + d) / d, so that it always climbs.
    """
    most = 0.0
    for i in range(start.size):
        a, b = start[i], start[i] + length[i]
        LOOK(r, a, b, tie, rows, begin, end, draws, ridge, bend, slope, curve)
        FACTOR(curve, tie, a, b, pivot)
        SOLVE(slope, tie, a, b, pivot, step)
        far = 0.0
        for k in range(a, b):
            far = max(far, abs(step[k]))
        short = log(1.0 + far) / far if far > 1e-6 else 1.0
        for k in range(a, b):
            r[k] += short * step[k]
        most = max(most, far)
    return most


def bent(
    v: Floats, start: Ints, length: Ints, tie: Floats, foe: Ints, begin: Ints, end: Ints, curve: Floats, bend: Floats,
    out: Floats,
) -> None:  # fmt: skip
    """Write the curvature times a direction v (K,), from what `survey` left."""
    for i in range(start.size):
        a, b = start[i], start[i] + length[i]
        for k in range(a, b):
            total = curve[k] * v[k]
            for g in range(begin[k], end[k]):
                total -= bend[g] * v[foe[g]]
            if k > a:
                total += tie[k - 1] * (v[k] - v[k - 1])
            if k + 1 < b:
                total += tie[k] * (v[k] - v[k + 1])
            out[k] = total


def ease(slope: Floats, start: Ints, length: Ints, tie: Floats, pivot: Floats, out: Floats) -> None:
    """Write each player's own Newton step: the preconditioner."""
    for i in range(start.size):
        SOLVE(slope, tie, start[i], start[i] + length[i], pivot, out)


SOLVE, FACTOR, JUDGE = part(solve), part(factor), part(judge)
LOOK = part(look)


class Compiled(NamedTuple):
    """The kernels, compiled."""

    survey: Function
    sweep: Function
    bent: Function
    ease: Function


@functools.cache
def compiled() -> Compiled:
    """Return them."""
    return Compiled(*(specialise(each, f"whr, {each.__name__}") for each in (survey, sweep, bent, ease)))
