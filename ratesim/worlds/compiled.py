"""Loops over arrays of a world, compiled when they are first needed."""

from collections.abc import Callable
from functools import cache
from typing import Any

from ..jit import Function, specialise


@cache
def compiled(loop: Callable[..., Any], label: str, **parts: Function) -> Function:
    """Return a loop over arrays as `specialise` does; what it calls are kernels of its module.

    Parameters
    ----------
    label : what is said while it compiles ("random pairs"). parts : kernels that it calls by names in capitals.
    """
    return specialise(loop, label, **parts)
