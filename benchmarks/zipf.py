"""The stream of games that everybody plays: few players meet often, most of them seldom."""

from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

import ratesim as rs

EXPONENT = 0.7  # the n-th player's share of the games goes with n**-0.7
PERIODS = 100
DAYS = 3000  # so that a period is 30 days


class Columns(NamedTuple):
    """A stream as bare arrays, for those who take no other."""

    first: NDArray[np.int32]  # (G,)
    second: NDArray[np.int32]
    score: NDArray[np.float64]  # (G,) 1, .5 or 0
    time: NDArray[np.float64]  # (G,) days, each game at its own moment
    players: int

    def prefix(self, games: int) -> "Columns":
        """Return the first games, of the same players."""
        return Columns(*(column[:games].copy() for column in self[:4]), self.players)

    def stream(self) -> rs.GameStream:
        """Return them as the package has them."""
        names = pl.DataFrame({"player": np.arange(self.players).astype(str)})
        return rs.GameStream(names, self.first, self.second, self.score, self.time)


def columns(games: int, players: int, seed: int = 0) -> Columns:
    """Draw a stream: first by activity, second at random, a tenth of the games drawn."""
    rng = np.random.default_rng(seed)
    share = np.arange(1, players + 1) ** -EXPONENT
    first = rng.choice(players, games, p=share / share.sum()).astype(np.int32)
    second = ((first + rng.integers(1, players, games)) % players).astype(np.int32)
    score = rng.choice([0.0, 0.5, 1.0], games, p=[0.45, 0.1, 0.45])
    return Columns(first, second, score, np.arange(games) * (DAYS / games), players)
