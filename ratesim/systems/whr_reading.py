"""Reading a history of ratings at any moment: between its nodes, before and after them."""

import functools
from typing import NamedTuple

import numpy as np

from ..jit import Function, specialise
from .base import Floats, Ints


class History(NamedTuple):
    """Nodes of all players, in natural units."""

    start: Ints  # (N,) first node of each player
    length: Ints  # (N,) nodes
    day: Floats  # (K,) whole days
    r: Floats  # (K,)
    variance: Floats  # (K,)
    link: Floats  # (K,) covariance with the next node
    drift: float  # variance of a day
    unknown: float  # variance of who has no node


def uncertainty(
    start: Ints, length: Ints, tie: Floats, curve: Floats, ahead: Floats, variance: Floats, link: Floats
) -> None:
    """Write variances, and covariances of neighbours, (K,): the inverse of each player's tridiagonal curvature.

    From an elimination forwards, `ahead`, and one backwards: the paper's appendix B, both of what is known of a node by
    itself and those on one side, so that nothing is subtracted.
    """
    for i in range(start.size):
        a, b = start[i], start[i] + length[i]
        for k in range(a, b):
            ahead[k] = curve[k] + (ahead[k - 1] * (tie[k - 1] / (ahead[k - 1] + tie[k - 1])) if k > a else 0.0)
        behind = 0.0
        for k in range(b - 1, a - 1, -1):
            later = behind * (tie[k] / (behind + tie[k])) if k < b - 1 else 0.0
            variance[k] = 1.0 / (ahead[k] + later)
            link[k] = tie[k] / (ahead[k] + tie[k]) * variance[k + 1] if k < b - 1 else 0.0
            behind = curve[k] + later


def read(
    player: Ints, when: Floats, start: Ints, length: Ints, day: Floats, r: Floats, variance: Floats, link: Floats,
    drift: float, unknown: float, rating: Floats, spread: Floats,
) -> None:  # fmt: skip
    """Write the rating and its variance of each player at each moment, all (q,).

    Between two nodes the process is a bridge; before the first and after the last only its variance grows.
    """
    for q in range(player.size):
        i = player[q]
        if i < 0 or length[i] == 0:
            rating[q], spread[q] = 0.0, unknown
            continue
        a, b = start[i], start[i] + length[i]
        k = a + np.searchsorted(day[a:b], when[q], side="right") - 1  # the last node by then
        if k < a or k == b - 1:
            k = max(k, a)
            rating[q], spread[q] = r[k], variance[k] + drift * abs(when[q] - day[k])
            continue
        gap = day[k + 1] - day[k]
        x = (when[q] - day[k]) / gap
        rating[q] = (1.0 - x) * r[k] + x * r[k + 1]
        own = (1.0 - x) * (1.0 - x) * variance[k] + x * x * variance[k + 1]
        spread[q] = own + x * (1.0 - x) * (2.0 * link[k] + drift * gap)


@functools.cache
def compiled() -> tuple[Function, Function]:
    """Return `uncertainty` and `read`, compiled."""
    return specialise(uncertainty, "whr, uncertainty"), specialise(read, "whr, reading")


def at(history: History, player: Ints, when: Floats) -> tuple[Floats, Floats]:
    """Return ratings and variances (q,) of players, -1 for those who are not in it, at moments in days."""
    rating, spread = np.empty((2, len(player)))
    compiled()[1](player, np.floor(when), *history, rating, spread)
    return rating, spread
