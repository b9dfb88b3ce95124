"""Elo with a floor, by a loop of our own; what it pours into the pool, and what unequal K does."""

import numpy as np
import pytest

import ratesim as rs
from ratesim.errors import InputError
from ratesim.worlds import League

K, FLOOR = 32, 1400.0


@pytest.fixture(scope="module")
def games():
    return League(players=12, rounds=60, skills={"kind": "normal", "sd": 300}).simulate(3)


def by_hand(games, floor, k=lambda _: K, start=1500.0):
    """Return ratings, the points poured in at the floor, and those that unequal K made."""
    rating, poured, made = np.full(games.n_players, max(start, floor)), 0.0, 0.0
    for i, j, score in zip(games.first, games.second, games.score, strict=True):
        surplus = score - 1 / (1 + 10 ** ((rating[j] - rating[i]) / 400))
        made += (k(rating[i]) - k(rating[j])) * surplus
        for player, wanted in ((i, rating[i] + k(rating[i]) * surplus), (j, rating[j] - k(rating[j]) * surplus)):
            poured += max(floor - wanted, 0.0)
            rating[player] = max(wanted, floor)
    return rating, poured, made


def replayed(games, system, policy=None):
    run = rs.replay(system, games, policy=policy or rs.Constant(K))
    return dict(run.ratings().select("player", "rating").iter_rows())


def test_no_rating_is_below_the_floor(games):
    exact, poured, _ = by_hand(games, FLOOR)
    found = np.array([replayed(games, rs.Elo(floor=FLOOR))[name] for name in games.players["player"]])
    np.testing.assert_allclose(found, exact, rtol=1e-12)
    assert found.min() == FLOOR
    assert poured > 50
    assert found.sum() - 12 * 1500 == pytest.approx(poured, rel=1e-9)


def test_points_enter_by_unequal_k_and_at_the_floor(games):
    exact, poured, made = by_hand(games, FLOOR, k=lambda rating: 40 if rating < 1500 else 16)
    system, policy = rs.Elo(floor=FLOOR), rs.Steps(by="rating", k=(40.0, 16.0), at=(1500.0,))
    kept = replayed(games, system, policy)
    found = np.array([kept[name] for name in games.players["player"]])
    np.testing.assert_allclose(found, exact, rtol=1e-12)
    assert poured > 50
    assert abs(made) > 50
    assert found.sum() - 12 * 1500 == pytest.approx(poured + made, rel=1e-9)


def test_a_floor_that_nobody_meets_changes_no_bit(games):
    assert replayed(games, rs.Elo(floor=-1e6)) == replayed(games, rs.Elo())


def test_newcomers_begin_at_the_floor_at_least(games):
    exact, _, _ = by_hand(games, 1600.0)
    found = np.array([replayed(games, rs.Elo(floor=1600.0))[name] for name in games.players["player"]])
    np.testing.assert_allclose(found, exact, rtol=1e-12)


def test_the_normal_curve_has_a_floor_too(games):
    assert min(replayed(games, rs.Elo(curve="normal", floor=FLOOR)).values()) == FLOOR


@pytest.mark.parametrize("floor", ["1400", float("inf"), -1e7])
def test_a_wrong_floor_is_refused(floor):
    with pytest.raises(InputError, match="floor = "):
        rs.Elo(floor=floor)
