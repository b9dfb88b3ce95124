"""Parts of worlds on their own, and what chance allows: 4 standard errors, which is wrong once in 16,000."""

import numpy as np
from scipy import stats

from ratesim.rng import Luck
from ratesim.worlds.base import Moment

RARE = 6.334e-5  # the p-value of 4 standard errors


def near(found, expected, error, checks=1):
    """Whether all of so many numbers are within 4 standard errors; of many, as many more as keep it as rare."""
    allowed = stats.norm.isf(RARE / 2 / checks) * np.asarray(error)
    return bool((np.abs(np.asarray(found) - expected) <= allowed + 1e-12).all())  # for errors of rounding alone


def moment(number, rounds, span):
    """Return the opening of a round, as leagues have it."""
    days = span / rounds
    return Moment(number, rounds, number * days, days if number else 0.0, span)


def paths(change, rounds, span, replicates=1, players=1, seed=1, start=0.0, arrives=0.0):
    """Return skills (T, R, N) under one change, of players who all begin with `start`."""
    luck = Luck(seed, replicates if isinstance(replicates, range) else range(replicates))
    skill = np.full((len(luck), players), start)
    arrives, opening = np.reshape(arrives, (1, -1)) if np.ndim(arrives) < 2 else arrives, moment(0, rounds, span)
    memory = change.begin(skill, opening.day - arrives, luck, opening)
    path = [skill.copy()]
    for number in range(1, rounds):
        now = moment(number, rounds, span)
        change.step(skill, now.day - arrives, memory, luck, now)
        path.append(skill.copy())
    return np.array(path)
