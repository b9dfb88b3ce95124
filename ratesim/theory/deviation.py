"""T12 and T13: Glicko's deviation on paper, and what it is worth."""

import math
from typing import NamedTuple

import numpy as np

from ..curves import Q
from .ranges import inside, whole

MOST = 1000  # games of a period: beyond, chances are no longer told apart from 0


def deviation_after(games: float, start: float = 350.0) -> float:
    """Return the deviation after games against equals who are known exactly, with no ageing, T12.

    1 / RD'^2 = 1 / RD^2 + n q^2 / 4, q = ln 10 / 400 (Glickman 1999, section 3.3, with g = 1 and E = 1/2).

    >>> [round(deviation_after(n), 2) for n in (1, 10, 100)]
    [246.58, 104.83, 34.57]
    """
    inside(0, start=start)
    inside(0, closed=True, games=games)
    return 1.0 / math.sqrt(1.0 / start**2 + games * Q**2 / 4.0)


def steady_deviation(c: float, games: float) -> float:
    """Return the deviation that ageing and games bring about, as it is after a period, T12.

    RD^2 = (-c^2 + sqrt(c^4 + 4 c^2 d^2 / n)) / 2 with d = 2 / q: the fixed point of `deviation_after` from
    sqrt(RD^2 + c^2).

    Parameters
    ----------
    c : growth of the deviation, rating points per square root of a period.
    games : n, in each period, against equals who are known exactly.

    >>> round(steady_deviation(15, 1), 2), round(steady_deviation(63.2, 5), 2)
    (71.42, 89.58)
    """
    inside(0, closed=True, c=c)
    inside(0, games=games)
    square = c * c
    return math.sqrt((-square + math.sqrt(square * square + 4.0 * square * (2.0 / Q) ** 2 / games)) / 2.0)


def gain(deviation: float, foe: float = 0.0, expected: float = 0.5) -> float:
    """Return the K of Glicko's first game of a period, rating points: q g / (1 / RD^2 + 1 / d^2), T12.

    1 / d^2 = q^2 g^2 E (1 - E), and g = 1 / sqrt(1 + 3 q^2 RD_foe^2 / pi^2) (Glickman 1999, section 3.3). Against known
    equals and without ageing it falls as K_n = K_0 / (1 + K_0 n / (4 s)).

    Parameters
    ----------
    deviation, foe : of the player and of the opponent.

    >>> round(gain(50), 2), round(gain(350, 350), 1)
    (14.1, 324.4)
    """
    inside(0, deviation=deviation)
    inside(0, 1, closed=True, expected=expected)
    g = shrink(foe)
    return Q * g / (1.0 / deviation**2 + Q**2 * g * g * expected * (1.0 - expected))


def shrink(deviation: float) -> float:
    """Return g(RD) = 1 / sqrt(1 + 3 q^2 RD^2 / pi^2)."""
    inside(0, closed=True, deviation=deviation)
    return 1.0 / math.sqrt(1.0 + 3.0 * (Q * deviation / math.pi) ** 2)


class FirstPeriod(NamedTuple):
    """What Glicko believes after one period of newcomers, beside the truth."""

    sd_z: float  # of (rating - skill) / deviation; 1 if the deviation were what it claims
    coverage: float  # share of skills within 1.96 deviations
    slope: float  # of rating on skill, 1 if ratings were neither stretched nor compressed


def first_period(skill_sd: float, deviation: float, games: int) -> FirstPeriod:
    """Return how well calibrated Glicko's deviation is after a first period, T13.

    Everybody is rated alike with one deviation, skills are normal, and each plays n games against opponents drawn at
    random: E is 1/2, RD'^2 = 1 / (1 / RD^2 + n q^2 g^2 / 4) and R' = R + RD'^2 q g (W - n / 2) for W wins, which are
    binomial given the skill. By quadrature over skills and over opponents.

    Parameters
    ----------
    skill_sd : of skills, rating points. deviation : of newcomers. games : n, up to 1,000.

    Raises
    ------
    InputError : a value is out of its range.

    >>> round(first_period(350, 350, 5).sd_z, 2)
    1.18
    """
    inside(0, skill_sd=skill_sd, deviation=deviation)
    whole(0, MOST, games=games)
    grid = np.linspace(-8.0, 8.0, 2001)  # of a normal density: the trapezoid rule is exact to all digits here
    weight = np.exp(-grid * grid / 2.0)
    weight /= weight.sum()
    skill = (skill_sd * grid)[:, None]
    win = ((1.0 / (1.0 + np.exp(-Q * (skill - skill.T)))) @ weight)[:, None]
    g = shrink(deviation)
    variance = 1.0 / (1.0 / deviation**2 + games * (Q * g) ** 2 / 4.0)
    wins = np.arange(games + 1)
    ways = np.array([float(math.comb(games, w)) for w in wins.tolist()])
    chance = weight[:, None] * ways * win**wins * (1.0 - win) ** (games - wins)
    rating = variance * Q * g * (wins - games / 2.0)
    z = (rating - skill) / math.sqrt(variance)
    return FirstPeriod(
        math.sqrt(float((chance * z * z).sum())),
        float((chance * (np.abs(z) < 1.96)).sum()),
        float((chance * rating * skill).sum()) / skill_sd**2,
    )
