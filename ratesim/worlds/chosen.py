"""Some of the players, at random."""

import numpy as np

from ..rng import Luck
from .base import Ints, Mask


def chosen(luck: Luck, purpose: str, share: float, players: int) -> Mask:
    """Return a share of the players of each replicate, (R, N), to the nearest whole number of them."""
    mask: Mask = shuffled(luck, purpose, players) < int(share * players + 0.5)
    return mask


def shuffled(luck: Luck, purpose: str, players: int) -> Ints:
    """Return the place 0..N-1 of each player (R, N) in a random order."""
    order = np.argsort(luck.uniform(purpose, 0, players), axis=1, kind="stable")
    place = np.empty(order.shape, np.int32)
    np.put_along_axis(place, order, np.arange(players, dtype=np.int32)[None, :], axis=1)
    return place
