"""Newton's method for concave problems of many unknowns, each step by conjugate gradients.

The steps are damped by what the likelihoods of results allow: along any line their third derivative is at most their
second times the change of the gap, so that a step which changes no gap by more than d, shortened by ln(1 + d) / d,
always climbs (T. Sun & Q. Tran-Dinh, Generalized self-concordant functions, Math. Program. 178, 2019, theorem 2).
No value of the likelihood is compared, which of a million games has too few digits to find the top by. Sums are in
order, without BLAS, so that answers have the same bits on any machine.
"""

import functools
import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ..jit import Function, specialise
from ..maths import logistic
from .base import Floats

SMALL = 1e-13  # natural units: what is left to do when a climb ends
ROUNDED = 1e-6  # a step below this that is no smaller than the last is made of rounding
MOST = 200  # steps of Newton's method
ROUGH, FINE = 1e-3, 1e-5  # error of a step, relative to it: far from the top and close to it
TURNS = 2000  # of conjugate gradients in one of them


class Local(NamedTuple):
    """What is seen from one point: all arrays are (n,)."""

    gradient: Floats
    curve: Callable[[Floats], Floats]  # the curvature, negative Hessian, times a direction
    ease: Callable[[Floats], Floats]  # the same undone, about: the preconditioner


class Top(NamedTuple):
    """Where a climb ended."""

    x: Floats
    steps: int
    reached: bool


class Reach(NamedTuple):
    """How far a step goes."""

    far: float  # by how much it changes a gap between players, at most
    most: float = 1.0  # the part of it that may be taken


def climb(x: Floats, look: Callable[[Floats], Local], reach: Callable[[Floats, Floats], Reach]) -> Top:
    """Return the maximum of a concave function.

    A rough step sees little of a way that is nearly flat, such as that of all players together under a weak prior: a
    climb ends where the step and the gradient are small, or after two small steps.

    Parameters
    ----------
    x : (n,) where to begin. look : gradient and curvature at a point. reach : how far a step from there goes.
    """
    last, calm = math.inf, 0
    for count in range(MOST):
        here = look(x)
        if calm > 1 or (calm and np.abs(here.ease(here.gradient)).max(initial=0.0) <= SMALL):
            return Top(x, count, reached=True)
        tolerance = min(max(float(np.abs(here.gradient).max(initial=0.0)), FINE), ROUGH)
        step = conjugate(here, tolerance)
        far, most = reach(x, step)
        x = x + step * min(1.0 if far < 1e-6 else math.log1p(far) / far, most)
        rest = far * max(far, tolerance)  # about what a step more would do
        calm = calm + 1 if rest <= SMALL or last <= far <= ROUNDED else 0
        last = far
    return Top(x, MOST, reached=False)


def conjugate(here: Local, tolerance: float) -> Floats:
    """Return the step of Newton's method: the curvature undone on the gradient, by preconditioned conjugate gradients.

    M. R. Hestenes & E. Stiefel, J. Res. Natl. Bur. Stand. 49 (1952) 409.
    """
    inner = sums()
    step, rest = np.zeros_like(here.gradient), here.gradient.copy()
    eased = here.ease(rest)
    way, left = eased.copy(), inner(rest, eased)
    enough = left * tolerance * tolerance
    for _ in range(TURNS):
        bent = here.curve(way)
        across = inner(way, bent)
        if left <= enough or across <= 0.0:
            break
        along = left / across
        step += along * way
        rest -= along * bent
        eased = here.ease(rest)
        before, left = left, inner(rest, eased)
        way = eased + (left / before) * way
    return step


def product(a: Floats, b: Floats) -> float:
    """Return the inner product of two vectors, summed in order."""
    total = 0.0
    for k in range(a.size):
        total += a[k] * b[k]
    return total


@functools.cache
def sums() -> Function:
    """Return `product`, compiled."""
    return specialise(product, "sums of fits")


def expected(gaps: Floats) -> None:
    """Put the expected score in the place of each gap."""
    for g in range(gaps.size):
        gaps[g] = logistic(gaps[g])


@functools.cache
def reading() -> Function:
    """Return `expected`, compiled."""
    return specialise(expected, "expected scores of fits")


def scores(gaps: Floats) -> Floats:
    """Return the expected scores (G,) of gaps in natural units."""
    found = gaps.copy()
    reading()(found)
    return found
