"""The laws of each pairing: who meets whom, and how often."""

import math

import numpy as np
import pytest

from ratesim.errors import InputError
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


@pytest.mark.parametrize("width", [5.0, 60.0, 5000.0])
@pytest.mark.parametrize("weight", [[1, 1, 1, 1, 1, 1], [3, 0, 1, 2, 1, 0.5]])
def test_closeness_meets_by_activity_and_kernel(width, weight):
    skill, weight = np.array([1500.0, 1510, 1540, 1600, 1700, 1500]), np.array(weight)
    met = counts(drawn({"kind": "closeness", "width": width, "by": "skill"}, skill, weight, 60_000), 6)
    gap = skill[:, None] - skill
    share = np.where(weight > 0, weight * np.exp((nearest(gap, weight) - gap**2) / (2 * width**2)), 0)
    np.fill_diagonal(share, 0)
    law = (weight / weight.sum())[:, None] * share / share.sum(axis=1, keepdims=True)
    assert fits(met, (law + law.T) / 2)


def nearest(gap, weight):
    """Return the least square gap to another who is there, (N, 1), so that no kernel vanishes."""
    square = gap**2 + np.where(weight > 0, 0, np.inf)
    np.fill_diagonal(square, np.inf)
    return square.min(axis=1, keepdims=True)


def test_gaps_shrink_with_the_width_as_stated():
    rng, sd = np.random.default_rng(1), 200.0
    skill, ones = 1500 + sd * rng.standard_normal(4000), np.ones(4000)
    found = []
    for width in (20.0, 50, 100, 200, 1000, 1e5):
        pairs = drawn({"kind": "closeness", "width": width, "by": "skill"}, skill, ones, 40_000)
        gap = skill[pairs.first] - skill[pairs.second]
        stated = sd**2 * width**2 * (sd**2 + 2 * width**2) / (sd**2 + width**2) ** 2
        assert (gap**2).mean() == pytest.approx(stated, rel=0.06)
        found.append((gap**2).mean())
    assert found == sorted(found)


def test_closeness_goes_by_ratings_where_it_is_told_to():
    rating = np.array([[1000.0, 2000, 1000, 2000]])
    pairs = drawn({"kind": "closeness", "width": 10.0}, [1, 1, 9, 9], np.ones(4), 1000, rating=rating)
    assert (pairs.first % 2 == pairs.second % 2).all()
    assert (pairs.first != pairs.second).all()


@pytest.mark.parametrize("kind", ["uniform", "closeness"])
def test_chance_pairings_need_two_players(kind):
    with pytest.raises(InputError, match=f"pairing {kind}, round 7: fewer than two players are there"):
        drawn({"kind": kind, **({} if kind == "uniform" else {"by": "skill"})}, [1, 2, 3], [0, 1, 0], 5, number=7)
