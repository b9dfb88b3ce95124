"""Bridges of a graph: edges without which it falls into more parts.

SciPy's csgraph has components and no bridges. Networks of millions of players are far deeper than Python recurses, and
the search touches each edge twice, so it is a compiled loop.
"""

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from ..jit import specialise

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FunctionType

Ints = NDArray[np.int32]


class Bridges(NamedTuple):
    """The bridges of a graph, in no particular order.

    Attributes
    ----------
    near, far : (B,) vertices at both ends.
    beyond : (B,) vertices on the side of `far`.
    """

    near: Ints
    far: Ints
    beyond: Ints


def bridges(start: Ints, neighbour: Ints) -> Bridges:
    """Return the bridges of an undirected graph, by depth-first search (Tarjan, Inf. Process. Lett. 2, 1974, 160).

    Parameters
    ----------
    start : (N + 1,) where the neighbours of each vertex begin in `neighbour`.
    neighbour : (2 E,) each edge from both its ends, no edge twice and none from a vertex to itself.

    >>> import numpy as np  # a triangle 0, 1, 2 with 3 behind 2
    >>> found = bridges(np.array([0, 2, 4, 7, 8], np.int32), np.array([1, 2, 0, 2, 0, 1, 3, 2], np.int32))
    >>> found.near.tolist(), found.far.tolist(), found.beyond.tolist()
    ([2], [3], [1])
    """
    above, seen, low, below = (np.full(len(start) - 1, fill, np.int32) for fill in (-1, -1, 0, 1))
    start, neighbour = (np.ascontiguousarray(each, np.int32) for each in (start, neighbour))
    _compiled()(start, neighbour, start[:-1].copy(), above, seen, low, below)
    far = np.flatnonzero((above >= 0) & (low == seen)).astype(np.int32)
    return Bridges(above[far], far, below[far])


@cache
def _compiled() -> "Callable[..., Any]":
    return specialise(cast("FunctionType", _search), "the search for bridges")


def _search(start: Ints, neighbour: Ints, at: Ints, above: Ints, seen: Ints, low: Ints, below: Ints) -> None:
    """Walk the graph in depth: `low` is the earliest vertex seen that a vertex and all below it reach otherwise."""
    clock = 0
    for root in range(len(at)):
        if seen[root] >= 0:
            continue
        vertex = root
        seen[root] = low[root] = clock
        clock += 1
        while vertex >= 0:
            if at[vertex] < start[vertex + 1]:
                other = neighbour[at[vertex]]
                at[vertex] += 1
                if seen[other] < 0:
                    above[other] = vertex
                    seen[other] = low[other] = clock
                    clock += 1
                    vertex = other
                elif other != above[vertex]:
                    low[vertex] = min(low[vertex], seen[other])
            else:
                parent = above[vertex]
                if parent >= 0:
                    low[parent] = min(low[parent], low[vertex])
                    below[parent] += below[vertex]
                vertex = parent
