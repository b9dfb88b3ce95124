"""Neighbours by strength."""

from typing import Literal

import numpy as np

from ...rng import Luck
from ...spec import quantity
from ..base import PAIRINGS, Memory, Moment, Pairs, Pool
from .present import attending, once
from .strength import ByStrength


@PAIRINGS.add
class Nearest(ByStrength):
    """Neighbours in the order of strength meet, each plays once a round; a coin says who is first.

    Noise, new in each round, makes others of them neighbours. Of an odd number one sits out by lot.
    """

    kind: Literal["nearest"] = "nearest"
    noise: float = quantity(
        50.0, "standard deviation of what is added to the strength of each for the order", unit="rating points",
        ge=0, le=1e6,
    )  # fmt: skip

    def games(self, players: int, per_round: int) -> int:
        """Return how many games a round has room for, at most one of every two players."""
        return once(self.kind, players, per_round)

    def all_play(self, players: int, games: int) -> bool:
        """Return whether all who are there play in a round of so many games, however active they are."""
        return 2 * games >= players

    def pair(self, pool: Pool, memory: Memory, luck: Luck, moment: Moment) -> Pairs:
        """Return the games of a round."""
        who, count = attending(pool.weight, luck, moment.round, 2 * pool.games)
        strength = self.strength(pool) + self.noise * luck.normal("noise", moment.round, pool.weight.shape[1])
        strength = np.take_along_axis(strength, who, axis=1)
        strength[np.arange(who.shape[1]) >= count[:, None] // 2 * 2] = np.inf  # away, or the odd one out
        who = np.take_along_axis(who, np.argsort(strength, axis=1, kind="stable"), axis=1).astype(np.int32)
        who[np.arange(who.shape[1]) >= count[:, None] // 2 * 2] = -1
        coin = luck.uniform("colour", moment.round, pool.games) < 0.5
        a, b = who[:, ::2], who[:, 1::2]
        return Pairs(np.where(coin, a, b), np.where(coin, b, a))
