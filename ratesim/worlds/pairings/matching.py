"""Greatest matchings: as many pairs as there can be of those who have not met."""

from functools import partial

import numpy as np

from ...jit import kernel
from ..base import Ints, Mask

apart = partial(kernel, inline=False)  # what is called seldom, or is long


@kernel
def has_met(met: Ints, r: int, i: int, j: int) -> bool:
    """Whether players i and j have met, by the opponents (R, N, K) of each, -1 where there is none yet."""
    found = False
    for k in range(met.shape[2]):
        if met[r, i, k] < 0:
            break
        found = found or met[r, i, k] == j
    return found


@apart
def augment(met: Ints, r: int, line: Ints, n: int, partner: Ints, root: int) -> None:
    """Find a partner for place `root` among n players of a line, for which others may change theirs, or change nothing.

    Edmonds, Can. J. Math. 17 (1965) 449: an alternating tree, its blossoms shrunk to their bases. Once no place can be
    helped there is no greater matching.
    """
    parent, base, queue = np.full(n, -1, np.int32), np.empty(n, np.int32), np.empty(n, np.int32)
    reached, flower = np.zeros(n, np.bool_), np.zeros(n, np.bool_)
    for x in range(n):
        base[x] = x
    reached[root], queue[0] = True, root
    begin, end, last = 0, 1, -1
    while begin < end and last < 0:
        v = queue[begin]
        begin += 1
        for w in range(n - 1, -1, -1):  # from the bottom, where changes do least harm
            if last >= 0 or base[v] == base[w] or partner[v] == w or has_met(met, r, line[v], line[w]):
                continue
            if w == root or (partner[w] >= 0 and parent[partner[w]] >= 0):
                end = shrink(base, partner, parent, flower, reached, queue, end, v, w)
            elif parent[w] < 0:
                parent[w] = v
                if partner[w] < 0:
                    last = w
                else:
                    reached[partner[w]], queue[end] = True, partner[w]
                    end += 1
    exchange(partner, parent, last)


@kernel
def exchange(partner: Ints, parent: Ints, last: int) -> None:
    """Give everybody on the path that ends at `last` the other neighbour for a partner."""
    while last >= 0:
        before = parent[last]
        following = partner[before]
        partner[last], partner[before] = before, last
        last = following


@apart
def shrink(
    base: Ints, partner: Ints, parent: Ints, flower: Mask, reached: Mask, queue: Ints, end: int, v: int, w: int
) -> int:
    """Make one vertex of the blossom that the edge of v and w closes; return the end of the queue, which has grown."""
    stem = common(base, partner, parent, v, w)
    flower[:] = False
    lead_around(base, partner, parent, flower, v, stem, w)
    lead_around(base, partner, parent, flower, w, stem, v)
    for x in range(len(base)):
        if flower[base[x]]:
            base[x] = stem
            if not reached[x]:
                reached[x], queue[end] = True, x
                end += 1
    return end


@kernel
def common(base: Ints, partner: Ints, parent: Ints, v: int, w: int) -> int:
    """Return the base at which the paths of two to the root meet."""
    passed = np.zeros(len(base), np.bool_)
    v = base[v]
    passed[v] = True
    while partner[v] >= 0:
        v = base[parent[partner[v]]]
        passed[v] = True
    w = base[w]
    while not passed[w]:
        w = base[parent[partner[w]]]
    return w


@kernel
def lead_around(base: Ints, partner: Ints, parent: Ints, flower: Mask, v: int, stem: int, child: int) -> None:
    """Mark one side of a blossom, from v down to its stem, and let its paths lead around it."""
    while base[v] != stem:
        flower[base[v]] = flower[base[partner[v]]] = True
        parent[v] = child
        child = partner[v]
        v = parent[child]
