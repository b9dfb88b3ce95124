"""Players drawn by their activity, at the same cost however many there are."""

from functools import partial

from ...jit import kernel
from ..base import Floats, Ints

TRIES = 64  # of a draw that may have to be drawn again, before all who can be drawn are gone through
apart = partial(kernel, inline=False)  # what is called seldom


@kernel
def muster(weight: Floats, r: int, order: Ints) -> tuple[int, bool]:
    """Write down who is there; return how many, and whether they are all as likely to play."""
    n, alike = 0, True
    for i in range(weight.shape[1]):
        if weight[r, i] > 0.0:
            order[n] = i
            alike = alike and weight[r, i] == weight[r, order[0]]
            n += 1
    return n, alike


@kernel
def split(weight: Floats, r: int, n: int, order: Ints, other: Ints, share: Floats) -> None:
    """Make Walker's tables of the n players of an order: each place holds a share of its own player, and one other.

    One sweep over the places of at most the mean weight and one over the others (Hübschle-Schneider & Sanders, ESA
    2019, 59): who has more than a place fills up the next ones until less than a place is left.
    """
    mean = 0.0
    for k in range(n):
        mean += weight[r, order[k]] / n
    for k in range(n):
        share[k], other[k] = weight[r, order[k]] / mean, k
    light, heavy = next_light(weight, r, order, mean, 0, n), next_heavy(share, 0, n)
    left = share[heavy] if heavy < n else 0.0
    while heavy < n:
        if left > 1.0:
            if light == n:
                break
            other[light] = heavy
            left = left + share[light] - 1.0
            light = next_light(weight, r, order, mean, light + 1, n)
        else:
            richer = next_heavy(share, heavy + 1, n)
            if richer < n:
                other[heavy], share[heavy], left = richer, left, left + share[richer] - 1.0
            heavy = richer


@kernel
def next_light(weight: Floats, r: int, order: Ints, mean: float, at: int, n: int) -> int:
    """Return the next place of at most the mean weight; n where there is none. What is left of a heavy one is none."""
    while at < n and weight[r, order[at]] / mean > 1.0:
        at += 1
    return at


@kernel
def next_heavy(share: Floats, at: int, n: int) -> int:
    """Return the next place of more than the mean weight; n where there is none."""
    while at < n and share[at] <= 1.0:
        at += 1
    return at


@kernel
def pick(other: Ints, share: Floats, n: int, u: float) -> int:
    """Return the place in the order that u in (0, 1) falls into."""
    x = u * n
    k = int(x)
    return k if x - k < share[k] else other[k]


@apart
def two(weight: Floats, r: int, order: Ints, n: int, u: float, v: float) -> tuple[int, int]:
    """Return two different places in the order, the lower first, in proportion to the product of their weights.

    It goes through all, and adds up nothing but what is wanted: the smallest weight beside the greatest is not lost.
    """
    total = before = 0.0
    for k in range(n):
        total += weight[r, order[k]] * before
        before += weight[r, order[k]]
    later, passed, before = 0, 0.0, 0.0
    while later < n - 1 and passed <= u * total:
        before += weight[r, order[later]]
        later += 1
        passed += weight[r, order[later]] * before
    earlier, passed = 0, weight[r, order[0]]
    while earlier < later - 1 and passed <= v * before:
        earlier += 1
        passed += weight[r, order[earlier]]
    return earlier, later
