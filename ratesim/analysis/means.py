"""What several figures need: bands over players, groups of games played, skills at games."""

import math
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..stream import GameStream
from .table import Z95

Floats = NDArray[np.float64]


class Band(NamedTuple):
    """A statistic and its 95 % band."""

    value: float
    low: float
    high: float


def mean(values: Floats) -> Band:
    """Return the mean, in NumPy, whose sums are the same with any number of cores."""
    half = Z95 * float(values.std(ddof=1)) / math.sqrt(len(values))
    middle = float(values.mean())
    return Band(middle, middle - half, middle + half)


def rmse(error: Floats) -> Band:
    """Return the root mean square, with a band by the delta method."""
    middle, low, high = mean(error * error)
    return Band(math.sqrt(middle), math.sqrt(max(0.0, low)), math.sqrt(high))


def groups(most: int) -> list[int]:
    """Return where groups of games played begin, two to each doubling.

    >>> groups(50)
    [1, 2, 3, 4, 6, 8, 11, 16, 23, 32, 45]
    """
    return sorted({begin for k in range(2 * most.bit_length()) if (begin := round(2 ** (k / 2))) <= most})


def skills(games: GameStream) -> pl.DataFrame:
    """Return the skill of each player at each of their games, in order of time."""
    names = games.players["player"].gather(np.concatenate([games.first, games.second]))
    skill = np.concatenate([games.skill_first, games.skill_second])
    return pl.DataFrame({"player": names, "time": np.tile(games.time, 2), "skill": skill}).sort(
        "time", maintain_order=True
    )
