"""How much of a baseline's loss a system takes away."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import InputError
from ..inference import Interval, Sums, block_sums, count, resampled, student
from .compare import Asked

Floats = NDArray[np.float64]


class Skill(NamedTuple):
    """A skill score, 1 - loss / loss of a baseline: 0 is no better than it, 1 never wrong, below 0 worse."""

    skill: float  # NaN where no game has both, or the baseline loses nothing
    se: float  # standard error by blocks, NaN under two blocks
    low: float  # ends of the interval, NaN under two blocks
    high: float
    n: float  # games that both forecast
    level: float  # of the interval


def skill_score(
    loss: ArrayLike, baseline: ArrayLike, blocks: ArrayLike, weight: ArrayLike | None = None, *,
    seed: int, level: float = 0.95, draws: int = 2000, interval: Interval = "bootstrap",
) -> Skill:  # fmt: skip
    """Return the skill score of a system against a baseline, over the games that both forecast.

    Murphy, Weather and Forecasting 8 (1993) 281. Both are drawn in the same blocks, so what makes a month hard for all
    is in neither end of the interval.

    Parameters
    ----------
    loss, baseline : (G,) losses per game, at least 0, NaN where there is no forecast.
    blocks : (G,) whole numbers, such as `rs.month_blocks(games.time)`.
    weight : (G,) at least 0, 1 where None.
    seed, level, draws, interval : as of `rs.paired`.

    Raises
    ------
    InputError : lengths differ.

    >>> round(skill_score([.2, .3, .4], [.4, .4, .4], [0, 1, 2], seed=1).skill, 9)
    0.25
    """
    a, b = np.asarray(loss, dtype=np.float64), np.asarray(baseline, dtype=np.float64)
    if a.shape != b.shape:
        raise InputError(f"losses of {a.shape} and {b.shape} games", expected="the same games")
    missing = np.isnan(a + b)
    own, other = (block_sums(np.where(missing, np.nan, each), blocks, weight) for each in (a, b))
    return skill_of(own, other, Asked(seed, level, draws, interval))


def skill_of(own: Sums, other: Sums, asked: Asked) -> Skill:
    """Return the skill score from sums by block of the losses of a system and of a baseline, see `skill_score`."""
    whole, n, B = math.fsum(other.total), float(own.games.sum()), len(own.games)
    if not whole:
        return Skill(math.nan, math.nan, math.nan, math.nan, count(n), asked.level)
    share, se, low, high = math.fsum(own.total) / whole, math.nan, math.nan, math.nan
    if B > 1:
        left = own.total - share * other.total
        se = math.sqrt(B / (B - 1) * math.fsum(left * left)) / whole
    if B > 1 and asked.interval == "student":
        half = student(B - 1, asked.level) * se
        low, high = share - half, share + half
    elif B > 1:
        drawn = resampled(Sums(own.total, other.total), asked.seed, asked.draws)
        low, high = (float(q) for q in np.nanquantile(drawn, [(1 - asked.level) / 2, (1 + asked.level) / 2]))
    return Skill(1.0 - share, se, 1.0 - high, 1.0 - low, count(n), asked.level)
