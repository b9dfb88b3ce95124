"""The tables by which players are drawn give everybody the share of their weight."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from ratesim.jit import plain
from ratesim.worlds.pairings.drawing import muster, split


def shares(weight):
    """Return the probability of each player that Walker's tables amount to."""
    weight = np.asarray(weight, np.float64)[None, :]
    order, other, share = np.empty(weight.size, np.int32), np.empty(weight.size, np.int32), np.empty(weight.size)
    n, _ = plain(muster)(weight, 0, order)
    plain(split)(weight, 0, n, order, other, share)
    kept = np.minimum(share[:n], 1)
    found = np.zeros(weight.size)
    np.add.at(found, order[:n], kept / n)
    np.add.at(found, order[other[:n]], (1 - kept) / n)
    return found


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("exponent", [0.5, 0.8, 2])
def test_shares_are_weights_in_whatever_order_players_stand(exponent, seed):
    weight = np.random.default_rng(seed).permutation(np.arange(1, 41.0) ** -exponent)
    np.testing.assert_allclose(shares(weight), weight / weight.sum(), rtol=0, atol=1e-14)


@given(st.lists(st.floats(1e-3, 1e3) | st.just(0.0), min_size=2, max_size=30).filter(lambda each: max(each) > 0))
def test_shares_are_weights(weight):
    np.testing.assert_allclose(shares(weight), np.array(weight) / sum(weight), rtol=0, atol=1e-13)
