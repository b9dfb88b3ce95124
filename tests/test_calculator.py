"""The calculator in Python: examples worked out by hand from the rules, and what is refused.

FIDE Rating Regulations of 1 March 2024 with the note of 1 October 2025, 8.1 to 8.3; of 1 January 2022.
"""

import math
from dataclasses import astuple
from datetime import date
from decimal import Decimal
from fractions import Fraction

import pytest

import ratesim as rs
from ratesim.calculator import elo, fide


def d(text):
    return Decimal(text)


@pytest.mark.parametrize(
    ("gap", "score", "row"),
    [(0, "0.50", (0, 3)), (3, "0.50", (0, 3)), (4, "0.51", (4, 10)), (-4, "0.49", (4, 10)), (100, "0.64", (99, 106)),
     (400, "0.92", (392, 411)), (401, "0.92", (392, 411)), (-4000, "0.08", (392, 411))],
)  # fmt: skip
def test_expected(gap, score, row):
    found = fide.expected(gap)
    assert (found.expected, found.opponent) == (d(score), 1 - d(score))
    assert (found.d_min, found.d_max) == row
    assert (found.difference, found.capped) == (gap, abs(gap) > 400)


def test_from_2650_on_the_true_difference_counts_for_the_player_alone():
    found = fide.expected(413, rating=2813)
    assert (found.counted, found.expected, found.opponent) == (413, d("0.93"), d("0.08"))
    assert fide.expected(-413, rating=2400).opponent == d("0.93")
    assert fide.expected(413, rating=2649).expected == d("0.92")
    assert fide.expected(413, rating=2650).expected == d("0.93")
    assert fide.expected(413, rating=2813, date="2025-09-30").expected == d("0.92")
    assert fide.expected(413, rating=2813, list="rapid").expected == d("0.92")
    assert astuple(fide.expected(736, rating=2700))[2:6] == (d("1.00"), d("0.08"), 736, None)


@pytest.mark.parametrize(
    ("day", "list_", "score"),
    [("2009-06-30", "standard", "0.89"), ("2009-07-01", "standard", "0.92"), ("2021-12-31", "rapid", "0.96"),
     ("2022-01-01", "rapid", "0.92"), ("2022-01-01", "standard", "0.92")],
)  # fmt: skip
def test_the_cap_goes_by_date_and_list(day, list_, score):
    """350 points, .89, before July 2009; none, 500 points, .96, in rapid before 2022."""
    assert fide.expected(500, date=day, list=list_).expected == d(score)


def test_a_change_by_hand():
    """.36 + .14 - .43 = .07; 20 times that is 1.4."""
    found = fide.change(1500, [(1400, 1), (1600, 0.5), (1550, 0)], 20, date=date(2025, 11, 1))
    assert [each.expected for each in found.games] == [d("0.64"), d("0.36"), d("0.43")]
    assert [each.change for each in found.games] == [d("7.2"), d("2.8"), d("-8.6")]
    assert (found.sum, found.change, found.new_rating) == (d("0.07"), d("1.4"), 1501)
    assert (found.k, found.k_reason, found.doubts, found.published) == (20, None, (), True)


@pytest.mark.parametrize(
    ("k", "foe", "score", "new"),
    [(5, 1500, 1, 1503), (5, 1500, 0, 1497), (10, 1557, 1, 1506), (10, 1443, 0, 1494), (10, 1496, 1, 1505)],
)
def test_half_a_point_is_rounded_away_from_zero(k, foe, score, new):
    """2.50 is 3 and -2.50 is -3; 5.8 is 6; 4.9 is 5."""
    assert fide.change(1500, [(foe, score)], k).new_rating == new


def test_one_rounding_for_all_events_of_a_period():
    """8.3 - 2.6 = 5.7, which is 6, where 8 - 3 is 5."""
    found = fide.change(1500, [(1500, 1)], d("16.6"), other_events="-2.6")
    assert (found.change, found.new_rating) == (d("8.3"), 1506)


def test_one_upgrade_an_event_from_2022_to_february_2024():
    """2000 beats 1500 and 1450: .96 for 500, .92 for the greater 550 as 400; or .92 twice."""
    games = [(1500, 1), (1450, 1), (1900, 1)]
    for day, counts in (
        ("2022-01-01", (500, 400, 100)),
        ("2024-02-29", (500, 400, 100)),
        ("2024-03-01", (400, 400, 100)),
    ):
        assert tuple(each.counted for each in fide.change(2000, games, 20, date=day).games) == counts
    lower = fide.change(1450, [(2000, 0), (1990, 0)], 20, date="2022-01-01")
    assert [each.counted for each in lower.games] == [-400, -400]


def test_two_equal_greatest_differences_are_one_upgrade():
    found = fide.change(2000, [(1500, 1), (1500, 0.5)], 20, date="2022-01-01")
    assert sorted(each.counted for each in found.games) == [400, 500]
    assert found.sum == d("-0.38")  # 1.5 - .92 - .96


def test_games_that_are_not_rated_move_nothing():
    found = fide.change(2605, [(2005, 0), (2006, 0), (None, 0), ("unrated", 1)], 10, list="blitz")
    assert [each.change for each in found.games] == [None, d("-9.2"), None, None]
    assert [bool(each.reason) for each in found.games] == [True, False, True, True]
    assert (found.new_rating, found.sum) == (2596, d("-0.92"))
    assert fide.change(2600, [(2000, 0)], 10, list="blitz").games[0].reason is None
    assert fide.change(2605, [(2005, 0)], 10, list="blitz", date="2024-11-30").games[0].reason is None
    assert fide.change(2605, [(2005, 0)], 10).games[0].reason is None


def test_nothing_rated_is_no_change():
    found = fide.change(1500, [(None, 1)], games=50, peak=1500, born=1980)
    assert (found.k, found.sum, found.change, found.new_rating) == (20, 0, 0, 1500)


def test_who_falls_below_the_floor_is_told():
    assert not fide.change(1400, [(1400, 0)], 20).published
    assert fide.change(1400, [(1400, 0)], 20, date="2024-02-29").published


def test_k_is_worked_out_and_reduced_by_the_games_given():
    found = fide.change(1500, [(1500, 1)] * 20, games=3, peak=1500)
    assert (found.k, found.change) == (35, 350)
    assert "fewer than 30 games" in found.k_reason
    assert "700" in found.k_reason
    assert fide.change(1500, [(1500, 1)], games=3, peak=1500, period_games=21).k == 33
    assert fide.change(1500, [(1500, 1)] * 20 + [(None, 1)], games=3, peak=1500).k == 35


@pytest.mark.parametrize(
    ("career", "k", "why"),
    [({"rating": 2400}, 10, "2400"), ({"rating": 2380, "peak": 2400}, 10, "2400"),
     ({"rating": 2400, "games": 3, "born": 2015}, 10, "2400"),
     ({"rating": 1500, "born": 2007, "peak": 1500}, 40, "2025"),
     ({"rating": 1500, "born": 2006, "peak": 1500, "games": 30}, 20, "30 games or more"),
     ({"rating": 2290, "born": 2010, "peak": 2300, "games": 100}, 20, "30 games or more"),
     ({"rating": 2299, "born": 2010, "peak": 2299, "games": 100}, 40, "junior"),
     ({"rating": 2350, "born": 1980, "games": 29, "peak": 2350}, 40, "fewer than 30"),
     ({"rating": 1500, "games": 5, "peak": 1500, "list": "rapid", "date": "2022-09-30"}, 20, "everybody"),
     ({"rating": 1500, "games": 5, "peak": 1500, "list": "rapid", "date": "2022-10-01"}, 40, "fewer"),
     ({"rating": 1500, "games": 5, "peak": 1500, "date": "2014-06-30"}, 30, "fewer"),
     ({"rating": 1500, "games": 30, "peak": 1500, "born": 2000, "date": "2014-06-30"}, 15, "more")],
)  # fmt: skip
def test_k_and_its_rule(career, k, why):
    found = fide.k_factor(**{"date": "2025-11-01", **career})
    assert (found.k, found.base) == (k, k)
    assert why in found.reason


@pytest.mark.parametrize(
    ("career", "needs"),
    [({}, "games, born, peak: "), ({"games": 3}, "peak: "), ({"games": 30}, "born, peak: "),
     ({"games": 30, "born": 1980}, "peak: "), ({"games": 30, "peak": 1500}, "born: "),
     ({"born": 2015, "peak": 1500}, None), ({"games": 3, "peak": 1500}, None), ({"peak": 2400}, None),
     ({"games": 30, "peak": 2300}, None), ({"list": "rapid", "date": "2022-09-30"}, None)],
)  # fmt: skip
def test_only_what_k_depends_on_is_asked_for(career, needs):
    if needs is None:
        assert fide.k_factor(1500, **career).k
        return
    with pytest.raises(rs.InputError) as error:
        fide.k_factor(1500, **career)
    assert str(error.value).startswith(needs)
    assert "or K itself" in str(error.value)


def test_first_ratings_by_hand():
    """(5 x 2000 + 3600) / 7 = 1942.86, (3 + 1) / 7 = .57, +50; in 2022 2000 and 20 for a half point above half."""
    found = fide.initial([2000] * 5, 3)
    assert (found.average, found.p, found.dp, found.bonus) == (Fraction(13600, 7), Fraction(57, 100), 50, None)
    assert (found.raw, found.rating, found.published, found.reason) == (Fraction(13950, 7), 1993, True, None)
    found = fide.initial(average=2000, games=5, points=3, date="2024-02-29")
    assert (found.average, found.dp, found.bonus, found.raw, found.rating) == (2000, None, 20, 2020, 2020)
    assert fide.initial([2000] * 5, 2, date="2022-01-01").rating == 1928  # .40 is -72
    assert fide.initial([2000] * 5, 3, date="2021-12-31").rating == 2013  # 12.5, half up
    assert fide.initial([2500] * 5, 5).rating == 2200
    assert fide.initial([2500] * 5, 5, date="2022-01-01").rating == 2600


@pytest.mark.parametrize(
    ("foe", "games", "points", "options", "why"),
    [(2000, 4, 2, {}, "4 games against"), (2000, 1, 1, {}, "1 game against"), (2000, 5, 0, {}, "no point in the first"),
     (1500, 5, 0, {"first_event": False}, "below the floor of 1400"), (1800, 5, 0, {"first_event": False}, None),
     (1700, 5, 0, {"first_event": False, "date": "2022-05-01"}, "below the floor of 1000"),
     (1700, 5, "½", {"date": "2022-05-01"}, None)],
)  # fmt: skip
def test_why_a_first_rating_is_not_published(foe, games, points, options, why):
    found = fide.initial([foe] * games, points, **options)
    assert found.published == (why is None)
    assert found.reason is None if why is None else found.reason.startswith(why)


def test_performances_by_hand():
    """1533.33 is 1533, 2.5 of 3 is .83, which is +273; an unrated opponent counts 1400, 1000 before March 2024."""
    assert astuple(fide.performance([(1600, 1), (1600, 0.5), (None, 1)])) == (1806, 1533, d("0.83"), 273, 3, d("2.5"))
    assert fide.performance([(1600, 1), (1600, 0.5), (None, 1)], date="2024-02-29").average == 1400
    assert fide.performance([(1501, 0.5), (1500, 0.5)]).average == 1501
    assert fide.performance([(2000, 1)] + [(2000, 0)] * 7).p == d("0.13")  # .125
    assert (fide.performance([(2000, 1)]).dp, fide.performance([(2000, 0)]).dp) == (800, -800)


def test_one_off_changes():
    assert [fide.one_off(each) for each in (1000, 1500, 1600, 1999, 2000, 2500)] == [1400, 1700, 1760, 1999, 2000, 2500]
    october = {"date": "2022-10-01", "list": "rapid"}
    assert [fide.one_off(1500, standard=each, **october) for each in (1599, 1600, 1601, 2000)] == [
        1500,
        1500,
        1501,
        1900,
    ]


def test_elo_by_hand():
    assert elo.expected(0).expected == 0.5
    assert elo.expected(400).expected == pytest.approx(10 / 11, rel=1e-15)
    assert elo.expected(200, scale=200) == elo.expected(200, scale=200.0)
    assert elo.expected(200, scale=200).expected == elo.expected(400).expected
    assert elo.expected(500, cap=400).expected == elo.expected(400).expected
    assert elo.expected(2000 / 7, curve="normal").expected == pytest.approx(0.8413447460685429, rel=1e-15)
    assert elo.expected(400, curve="fide").expected == 0.92
    found = elo.change(1500, [(1000, 1)], 20, curve="fide")
    assert (found.sum, found.change, found.new_rating) == (0.04, 0.8, 1500.8)
    assert elo.change(1500, [(1500, 1)], 25).new_rating == 1512.5
    assert elo.change(1500, [(1500, 1)], 25, digits=0).new_rating == 1513
    assert elo.change(1500, [(1500, 0.75)], 20).change == 5


def test_the_average_of_opponents_is_another_number():
    apart = elo.change(1500, [(1100, 1), (1900, 0)], 20)
    as_one = elo.change(1500, [(1100, 1), (1900, 0)], 20, average=True)
    assert [each.opponent for each in as_one.games] == [1500, 1500]
    assert (apart.sum, as_one.sum) == (pytest.approx(0, abs=1e-15), 0)
    lopsided = [(1500, 1), (1900, 1)]
    by_hand = 2 - 2 / (1 + 10 ** (200 / 400))
    assert elo.change(1500, lopsided, 20, average=True).sum == pytest.approx(by_hand, rel=1e-14)
    assert (
        elo.change(1500, lopsided, 20).sum
        == pytest.approx(1.5 - 1 / 11, rel=1e-14)
        == elo.change(1500, lopsided, 1).sum
    )
    assert elo.change(1500, [(1400, 1), (1401, 1)], 20, curve="fide", average=True).games[0].opponent == 1401


WRONG = [
    (lambda: fide.change(1500.5, [(1400, 1)], 20), "rating: 1500.5; expected a whole number from 1 to 4000"),
    (lambda: fide.change(4001, [(1400, 1)], 20), "rating: 4001; expected"),
    (lambda: fide.change(-1, [(1400, 1)], 20), "rating: -1; expected"),
    (lambda: fide.change(math.nan, [(1400, 1)], 20), "rating: 'nan' is no number"),
    (lambda: fide.change(1500, [(1400, 1), (1400, 0.7)], 20), "game 2: score 0.7; expected 0, 0.5 or 1"),
    (lambda: fide.change(1500, [(1400, "win")], 20), "game 1: score win; expected 0, 0.5 or 1"),
    (lambda: fide.change(1500, [(1400, 1), (5000, 1)], 20), "game 2, rating: 5000; expected a whole number"),
    (lambda: fide.change(1500, [("unratd", 1)], 20), "game 1: rating unratd; did you mean 'unrated'?"),
    (lambda: fide.change(1500, [], 20), "no games; expected at least one"),
    (lambda: fide.change(1500, [(1400, 1)], -1), "k: -1; expected a number from 0 to 10000"),
    (lambda: fide.change(1500, [(1400, 1)], "x"), "k: 'x' is no number"),
    (lambda: fide.change(1500, [(1400, 1)], 20, date="1970-12-31"), "date: no rules on 1970-12-31; expected"),
    (lambda: fide.change(1500, [(1400, 1)], 20, date="2024-13-01"), "date: '2024-13-01' is no date; expected"),
    (lambda: fide.change(1500, [(1400, 1)], 20, list="blits"), "list: unknown list 'blits'; did you mean 'blitz'?"),
    (lambda: fide.change(1500, [(1400, 1)] * 2, 20, period_games=1), "period_games: 1; expected at least the 2"),
    (lambda: fide.expected(0.5), "difference: 0.5; expected a whole number from -4000 to 4000"),
    (lambda: fide.expected(500, rating=400), "rating less difference: -100; expected"),
    (lambda: fide.k_factor(1500, games=3, peak=1400), "peak: 1400 is below the rating, 1500; expected"),
    (lambda: fide.k_factor(1500, games=-3, peak=1500), "games: -3; expected"),
    (lambda: fide.k_factor(1500, games=3, peak=1500, born=2030), "born: 2030; expected a whole number from 1800"),
    (lambda: fide.initial([1500] * 5, 5.5), "points: 5.5; expected whole or half points from 0 to 5"),
    (lambda: fide.initial([1500] * 5, 1.25), "points: 1.25; expected whole or half points"),
    (lambda: fide.initial([1500] * 5, 1, average=3), "average: given beside opponents; expected opponents, or"),
    (lambda: fide.initial(points=1), "opponents: left out"),
    (lambda: fide.initial(points=1, average=1500), "games: left out"),
    (lambda: fide.initial([1500, "x"], 1), "opponent 2: 'x' is no number"),
    (lambda: fide.one_off(1500, date="2024-03-02"), "date: no change of all ratings on 2024-03-02"),
    (lambda: fide.one_off(1500, date="2022-10-01", list="rapid"), "standard: left out"),
    (lambda: elo.expected(100, curve="logistc"), "curve: unknown curve 'logistc'; did you mean 'logistic'?"),
    (lambda: elo.expected(100, cap=0), "cap: 0; expected rating points above 0"),
    (lambda: elo.expected(0.5, curve="fide"), "difference: 0.5; expected a whole one"),
    (lambda: elo.expected(5, curve="fide", scale=300), "scale: 300; expected none"),
    (lambda: elo.expected("inf"), "difference: 'inf' is no number"),
    (lambda: elo.change(1500, [(1400, 1.5)], 20), "game 1, score: 1.5; expected 0 to 1"),
    (lambda: fide.change(1500, ["1400:1"], 20), "game 1: '1400:1'; expected (rating, score)"),
    (lambda: elo.change(1500, [1400], 20), "game 1: 1400; expected (rating, score)"),
    (lambda: elo.change(1500, [], 20), "no games; expected"),
]  # fmt: skip


@pytest.mark.parametrize(("ask", "said"), WRONG, ids=[said for _, said in WRONG])
def test_a_mistake_is_one_line(ask, said):
    with pytest.raises(rs.InputError) as error:
        ask()
    assert str(error.value).startswith(said)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("k", "n", "said"),
    [(20, 1, None), (10, 1, None), (40, 17, None), (35, 20, None), (38, 18, None), (33, 3, None), (17, 41, None),
     (25, 1, None), (32, 1, "outside the rules"), (45, 1, "outside the rules"), (12.5, 1, "outside the rules"),
     (15, 1, None), (40, 18, "is more than 700: by the rules K is 38"), (20, 36, "by the rules K is 19")],
)  # fmt: skip
def test_a_k_outside_the_rules_is_doubted_and_used(k, n, said):
    found = fide.change(1500, [(1500, 1)] * n, k)
    assert found.change == d(str(k)) * n / 2
    assert found.doubts == () if said is None else said in found.doubts[0]
