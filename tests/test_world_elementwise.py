"""What parts of worlds share: exponentials and logarithms with bits of their own, and players chosen at random."""

import math

import numpy as np
import pytest
from world_parts import near

from ratesim.jit import plain
from ratesim.maths import exp, log
from ratesim.rng import Luck
from ratesim.worlds.chosen import chosen, shuffled
from ratesim.worlds.elementwise import exponential, logarithm

X = np.concatenate([[-800.0, -1.0, 0.0, 1e-300, 700.0], np.linspace(-20, 20, 55)]).reshape(3, 20)


def test_arrays_have_the_bits_of_single_numbers():
    np.testing.assert_array_equal(exponential(X), np.vectorize(plain(exp))(X))
    np.testing.assert_array_equal(exponential(X.T), exponential(X).T)
    np.testing.assert_array_equal(logarithm(np.abs(X) + 1), np.vectorize(plain(log))(np.abs(X) + 1))
    np.testing.assert_allclose(exponential(X[1:]), np.exp(X[1:]), rtol=5e-16)
    assert exponential(np.zeros((1, 1))) == 1
    assert exponential(np.empty((2, 0))).shape == (2, 0)


@pytest.mark.parametrize(
    ("share", "players", "count"), [(0, 5, 0), (1, 5, 5), (0.29, 100, 29), (0.5, 5, 3), (0.1, 4, 0)]
)
def test_a_share_of_players_is_the_nearest_whole_number(share, players, count):
    assert (chosen(Luck(1, range(50)), "who", share, players).sum(axis=1) == count).all()


def test_all_are_as_likely_to_be_chosen():
    mask = chosen(Luck(1, range(20_000)), "who", 0.3, 10)
    assert near(mask.mean(axis=0), 0.3, math.sqrt(0.3 * 0.7 / 20_000), checks=10)
    together = (mask[:, :-1] & mask[:, 1:]).mean(axis=0)
    pair = 3 * 2 / (10 * 9)
    assert near(together, pair, math.sqrt(pair * (1 - pair) / 20_000), checks=9)


def test_places_are_a_permutation():
    assert (np.sort(shuffled(Luck(1, range(9)), "rank", 50), axis=1) == np.arange(50)).all()
