"""Differences of losses as a series in time: the test of Diebold and Mariano."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..inference import Sums

Floats = NDArray[np.float64]


class Tested(NamedTuple):
    """A mean difference against its error where blocks hang together."""

    se: float  # of the mean difference, NaN under two blocks
    statistic: float  # difference / se
    p: float  # two-sided, by Student's t
    degrees: int  # of freedom


def diebold_mariano(sums: Sums, *, independent: bool = False) -> Tested:
    """Return the test that two systems lose alike, from differences of losses summed by block in order of time.

    Diebold & Mariano, J. Bus. Econ. Stat. 13 (1995) 253, on blocks: with S_b over n_b games in each of B blocks and
    m = ΣS / Σn, the variance of Σu, u_b = S_b - m n_b, is B times the mean of the squares of ν cosine terms,
    √(2/B) Σ u_b cos(π j (b - 1/2) / B), j = 1..ν, and the statistic has Student's t of ν degrees of freedom
    (equal-weighted cosines: Lazarus, Lewis, Stock & Watson, J. Bus. Econ. Stat. 36 (2018) 541). Where blocks are
    independent, normal and of one size, that is so exactly for any ν: a test is not too sure because blocks are few.
    ν = B^(2/3), rounded down: their rate; their factor .4 is for series that hang together as quarters of an economy
    do, and of blocks that are months of games little is left to hang together.

    Parameters
    ----------
    sums : blocks in order of time, those without games left out, as `block_sums` gives them.
    independent : blocks do not hang together at all, as replicates do not: all B - 1 terms, the error of `mean`.
    """
    B, n = len(sums.games), float(sums.games.sum())
    if B < 2:
        return Tested(math.nan, math.nan, math.nan, 0)
    middle = math.fsum(sums.total) / n
    left = sums.total - middle * sums.games
    if independent:
        degrees, variance = B - 1, B / (B - 1) * math.fsum(left * left)
    else:
        degrees = max(1, math.floor(B ** (2 / 3) + 1e-9))  # a cube root that is whole may come out below itself
        variance = B * math.fsum(term * term for term in _cosines(left, degrees)) / degrees
    se = math.sqrt(variance) / n
    return Tested(se, *_against(middle, se, degrees), degrees)


def _cosines(left: Floats, terms: int) -> list[float]:
    """Return the terms of lowest frequency of a series."""
    place = (np.arange(len(left)) + 0.5) * (math.pi / len(left))
    return [math.sqrt(2 / len(left)) * math.fsum(left * np.cos(j * place)) for j in range(1, terms + 1)]


def _against(middle: float, se: float, degrees: int) -> tuple[float, float]:
    """Return the statistic and its p value; two systems that never differ are alike for sure."""
    from scipy.special import stdtr

    if se == 0.0:
        return (0.0, 1.0) if middle == 0.0 else (math.copysign(math.inf, middle), 0.0)
    return middle / se, float(2 * stdtr(degrees, -abs(middle / se)))
