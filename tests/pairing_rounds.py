"""Rounds of one pairing, for the tests of each."""

import math

import numpy as np

from ratesim.rng import Luck
from ratesim.worlds import League
from ratesim.worlds.base import PAIRINGS, Moment, Pool


def rounds_of(pairing, players=12, rounds=20, replicates=range(2), seed=3, **world):
    return list(League(players=players, rounds=rounds, pairing=pairing, **world).play(seed, replicates))


def drawn(pairing, skill, weight, games, number=0, replicates=(0,), rating=None):
    """Return one round (R, M) of a pairing that remembers nothing, for skills and weights of all replicates alike."""

    def all_of(values):
        return np.tile(np.asarray(values, dtype=float), (len(replicates), 1))

    luck = Luck(11, replicates)
    pool = Pool(all_of(weight), all_of(skill), rating, games)
    return PAIRINGS.build(pairing).pair(pool, {}, luck, Moment(number, 100, 0.0, 0.0, 1.0))


def counts(pairs, n):
    met = np.zeros((n, n))
    np.add.at(met, (pairs.first.ravel(), pairs.second.ravel()), 1)
    return met


def fits(met, chance):
    """Whether counts are those of the chances: chi square within 5 standard deviations of its mean."""
    expected = met.sum() * chance
    inside = expected > 0
    assert (met[~inside] == 0).all()
    degrees = inside.sum() - 1
    square = ((met[inside] - expected[inside]) ** 2 / expected[inside]).sum()
    return abs(square - degrees) < 5 * math.sqrt(2 * degrees)


def laid(played, n):
    """Return the games of one replicate of some rounds: (round, first, second, score of first) each."""
    return [
        (each.moment.round, int(i), int(j), float(s))
        for each in played
        for i, j, s in zip(each.first[0], each.second[0], each.score[0], strict=True)
        if i >= 0
    ]
