"""What holds of the calculator whatever is asked of it."""

import math
from datetime import date
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, strategies as st

import ratesim as rs
from ratesim.calculator import elo, fide
from ratesim.careers import k_params
from ratesim.policies import fide_gain
from ratesim.records import Career
from ratesim.rules import LISTS, changes, rules

ratings = st.integers(1400, 2900)
scores = st.sampled_from([0, 0.5, 1])
results = st.lists(st.tuples(ratings, scores), min_size=1, max_size=12)
days = st.sampled_from(["1990-01-01", "2012-01-01", "2021-06-01", "2022-10-15", "2024-06-01", "2025-11-01"])


@given(st.integers(-4000, 4000), days, st.sampled_from(LISTS))
def test_both_sides_expect_one_point(gap, day, list_):
    found = fide.expected(gap, date=day, list=list_)
    assert found.expected + found.opponent == 1
    assert fide.expected(-gap, date=day, list=list_).expected == found.opponent


@given(ratings, results, days, st.randoms())
def test_the_order_of_games_never_matters(rating, games, day, random):
    shuffled = random.sample(games, len(games))
    one, other = (fide.change(rating, each, 20, date=day) for each in (games, shuffled))
    assert (one.sum, one.change, one.new_rating) == (other.sum, other.change, other.new_rating)
    assert fide.performance(games) == fide.performance(shuffled)


@given(ratings, ratings, scores, st.sampled_from(["2024-06-01", "2025-09-30"]))
def test_what_one_side_wins_the_other_loses(mine, theirs, score, day):
    one = fide.change(mine, [(theirs, score)], 20, date=day)
    other = fide.change(theirs, [(mine, 1 - score)], 20, date=day)
    assert one.change == -other.change
    assert one.new_rating - mine == theirs - other.new_rating


@given(st.integers(-800, 800), scores, st.sampled_from(elo.CURVES))
def test_what_one_side_wins_the_other_loses_by_formula(gap, score, curve):
    one = elo.change(1500 + gap, [(1500, score)], 20, curve=curve)
    other = elo.change(1500, [(1500 + gap, 1 - score)], 20, curve=curve)
    assert one.change == pytest.approx(-other.change, abs=1e-13)
    assert abs(one.change) <= 20


@given(ratings, results, st.integers(0, 40))
def test_games_against_the_unrated_move_nobody(rating, games, n):
    with_them = [*games, *[(None, 1)] * n]
    assert fide.change(rating, games, 20).new_rating == fide.change(rating, with_them, 20).new_rating


@given(ratings, st.integers(0, 60), st.integers(1930, 2020), st.integers(0, 400), st.integers(1, 200), days)
def test_k_times_games_is_at_most_700_and_k_no_smaller_than_it_must_be(rating, games, born, above, n, day):
    born = min(born, int(day[:4]))
    found = fide.k_factor(rating, games=games, born=born, peak=rating + above, period_games=n, date=day)
    assert found.k * n <= 700
    assert found.k == found.base or (found.k + 1) * n > 700
    assert found.k <= found.base


@pytest.mark.parametrize("list_", LISTS)
def test_the_rule_said_is_the_rule_that_gave_k(list_):
    """Each reason has the K of its step, for every way through the steps under every rule set."""
    for day in (date(1999, 1, 1), *changes(list_)):
        found = rules(day, list_)
        steps = {"once": found.k_top, "junior": found.k_new, "fewer": found.k_new, "30": found.k_most}
        for games in (0, 29, 30):
            for born in (day.year - 18, day.year - 19):
                for peak in (2299, 2300, 2399, 2400):
                    told = fide.k_factor(1500, games=games, born=born, peak=peak, date=day, list=list_)
                    career = Career(games, 1.0, peak, 0.0, born, day.year)
                    word = told.reason.split()[0]
                    assert told.k == fide_gain.py_func(k_params(found), 1500.0, career)
                    assert told.k == (20 if word == "the" else steps[word])


@given(st.lists(ratings, min_size=1, max_size=9), st.integers(0, 18), days, st.sampled_from(LISTS))
def test_a_first_rating_is_the_sum_of_its_parts(opponents, halves, day, list_):
    found = fide.initial(opponents, min(halves / 2, len(opponents)), date=day, list=list_)
    parts = found.average + (found.dp or 0) + (found.bonus or 0)
    assert found.raw == parts
    assert found.rating == min(math.floor(parts + Fraction(1, 2)), rules(date.fromisoformat(day), list_).highest)
    assert found.published == (found.reason is None)


@given(results)
def test_a_performance_lies_within_800_points_of_the_average(games):
    found = fide.performance(games)
    assert found.performance == found.average + found.dp
    assert abs(found.dp) <= 800
    mirrored = fide.performance([(foe, 1 - score) for foe, score in games])
    assert mirrored.dp == -found.dp or found.p + mirrored.p > 1  # both sides of half a percent are rounded up


@pytest.mark.parametrize("list_", LISTS)
@pytest.mark.parametrize("day", ["2008-06-01", "2022-10-15", "2024-06-01", "2025-11-01"])
def test_the_engine_comes_to_the_same_ratings(day, list_):
    """A hundred players, each against opponents of their own, in one event."""
    rng = np.random.default_rng([int(day[:4]), LISTS.index(list_)])
    players = {f"P{n}": int(rng.integers(1500, 2900)) for n in range(100)}
    games = [(name, f"{name}.{n}", rng.integers(3) / 2) for name in players for n in range(rng.integers(1, 9))]
    foes = {foe: int(rng.integers(1400, 2900)) for _, foe, _ in games}
    first, second, score = zip(*games, strict=True)
    columns = {"time": [0.0] * len(games), "event": ["open"] * len(games)}
    stream = rs.GameStream.of(first=first, second=second, score=score, **columns)
    run = rs.replay(
        rs.FideElo(list=list_, rules=day), stream, policy=rs.Constant(20), calendar=rs.Whole(),
        start={name: {"rating": float(rating)} for name, rating in (players | foes).items()},
    )  # fmt: skip
    found = dict(run.ratings().select("player", "rating").iter_rows())
    for name, rating in players.items():
        own = [(foes[foe], points) for who, foe, points in games if who == name]
        by_hand = fide.change(rating, own, 20, date=day, list=list_)
        assert found[name] == by_hand.new_rating
        assert by_hand.published
