"""Exponentials and logarithms of arrays, with the bits of `maths`: numpy's differ from machine to machine."""

import numpy as np

from ..jit import Function
from ..maths import exp, log
from .base import Floats
from .compiled import compiled


def exponential(x: Floats) -> Floats:
    """Return e**x, for x held to [-708, 709]."""
    return _each(compiled(exponentials, "exponentials"), x)


def logarithm(x: Floats) -> Floats:
    """Return the natural logarithm of positive numbers."""
    return _each(compiled(logarithms, "logarithms"), x)


def exponentials(x: Floats, out: Floats) -> None:
    """Write e**x of each number (n,)."""
    for k in range(len(x)):
        out[k] = exp(x[k])


def logarithms(x: Floats, out: Floats) -> None:
    """Write the natural logarithm of each number (n,)."""
    for k in range(len(x)):
        out[k] = log(x[k])


def _each(loop: Function, x: Floats) -> Floats:
    out = np.empty(x.shape)
    loop(np.ascontiguousarray(x).ravel(), out.ravel())
    return out
