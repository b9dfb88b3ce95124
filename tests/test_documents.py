"""Every number of the five articles, W1 to W20: what is right, what is printed, and the setting that gives the latter.

An article's number is compared in the digits that it is printed with.
"""

from collections.abc import Callable, Iterable
from decimal import ROUND_HALF_UP, Decimal
from functools import partial
from math import floor
from typing import NamedTuple

import pytest

import ratesim as rs
from ratesim.calculator import elo, fide

FIVE = (1500, 1600, 1700, 1800, 1900)
SIX = (*FIVE, 2000)
IN_2022 = "2022-06-01"
Values = Callable[[], Iterable[float]]


class Row(NamedTuple):
    number: int
    documents: str
    asked: str
    right: str
    ask: Values
    printed: str | None = None  # where it differs
    setting: Values | None = None  # what gives the printed values; None where nothing does


def es(*gaps, **options):
    return lambda: [float(elo.expected(gap, **options).expected) for gap in gaps]


def moves(rating, games, k=20, **options):
    """What each game alone changes, by formula."""
    return [elo.change(rating, [game], k, **options).change for game in games]


def by_table(rating, games, k=20):
    """The change by FIDE's rules of today."""
    return [float(fide.change(rating, games, k).change)]


def first(opponents, points, **options):
    found = fide.initial(opponents, points, **options)
    return [float(found.average), float(found.p), float(found.dp), found.rating]


def average_of(games):
    """What 1750 gains with K 20 if every opponent is taken for their average."""
    return [elo.change(1750, games, 20, average=True).change]


WIN, DRAW, LOSS = (((1700, score),) for score in (1, 0.5, 0))
THREE = [(1400, 1), (1600, 0.5), (1550, 0)]
ROWS = [
    Row(1, "1", "E of gaps 0 to 400", ".50 .64 .76 .85 .91", es(0, 100, 200, 300, 400)),
    Row(1, "1", "E of the other side", ".36 .24 .15 .09", es(-100, -200, -300, -400)),
    Row(2, "0 1", "E of gap 400 by FIDE's table", ".92", lambda: [float(fide.expected(400).expected)]),
    Row(3, "0 1", "E of 1500 against 1700", ".24", es(-200)),
    Row(3, "1", "win, draw, loss with K 20", "15.2 5.2 -4.8", lambda: moves(1500, WIN + DRAW + LOSS)),
    Row(4, "0 1", "E against 1400, 1600, 1550", ".64 .36 .43", es(100, -100, -50)),
    Row(4, "0 1", "beats, draws, loses", "7.2 2.8 -8.6", lambda: moves(1500, THREE)),
    Row(4, "0 1", "the sum", "1.4", lambda: [elo.change(1500, THREE, 20).change]),
    Row(4, "0 1", "new rating, and on FIDE's list", "1501 1501",
        lambda: [elo.change(1500, THREE, 20, digits=0).new_rating, fide.change(1500, THREE, 20).new_rating]),
    Row(5, "1", "E .36 and a win, E .57 and a draw", ".36 12.8 .57 -1.4",
        lambda: [*es(-100)(), *moves(1500, [(1600, 1)]), *es(50)(), *moves(1500, [(1450, 0.5)])]),
    Row(6, "0 1", "1500 against 1000 by the true gap", ".95 1.1 -18.9",
        lambda: [*es(500)(), *moves(1500, [(1000, 1), (1000, 0)])]),
    Row(7, "0 1", "the same by FIDE's rules", ".92 1.6 -18.4",
        lambda: [float(fide.expected(500).expected), *by_table(1500, [(1000, 1)]), *by_table(1500, [(1000, 0)])],
        ".91 1.8 -18.2", lambda: [*es(500, cap=400)(), *moves(1500, [(1000, 1), (1000, 0)], cap=400)]),
    Row(8, "0 1", "K 40 and 20 games, K 20 and 40", "35 17",
        lambda: [fide.k_factor(1500, games=n, born=1980, peak=1500, period_games=m).k for n, m in ((0, 20), (30, 40))]),
    Row(9, "2", "gap 60: 60 / 400, 1 + 10^.15", ".15 2.413", lambda: [60 / 400, 1 / elo.expected(-60).expected]),
    Row(9, "2", "E of 1750 against 1810", ".415", es(-60),
        ".414", lambda: [floor(1000 * elo.expected(-60).expected) / 1000]),  # cut, not rounded
    Row(9, "2", "a win with K 20, by formula", "11.7 1761.7",
        lambda: [*moves(1750, [(1810, 1)]), elo.change(1750, [(1810, 1)], 20).new_rating]),
    Row(9, "2", "the same by FIDE's table", "11.6", lambda: by_table(1750, [(1810, 1)]),
        "11.7", lambda: moves(1750, [(1810, 1)])),
    Row(10, "2", "E of two such games", ".829", lambda: [2 * elo.expected(-60).expected],
        ".828", lambda: [2 * floor(1000 * elo.expected(-60).expected) / 1000]),
    Row(10, "2", "a win and a draw summed", "13.4", lambda: [elo.change(1750, [(1810, 1), (1810, 0.5)], 20).change]),
    Row(10, "2", "the same by FIDE's table", "13.2", lambda: by_table(1750, [(1810, 1), (1810, 0.5)]),
        "13.4", lambda: [elo.change(1750, [(1810, 1), (1810, 0.5)], 20).change]),
    Row(11, "2", "E .25 and a win with K 20 and 40", ".25 15 30",
        lambda: [*es(-193, curve="fide")(), *by_table(1500, [(1693, 1)]), *by_table(1500, [(1693, 1)], 40)]),
    Row(12, "3", "E of 1985 against 1800 by FIDE's table", ".74 .26",
        lambda: [float(fide.expected(185).expected), float(fide.expected(-185).expected)], ".76 .24"),
    Row(12, "3", "new ratings with K 40, the 1985 wins", "1995.4 1789.6",
        lambda: [1985 + by_table(1985, [(1800, 1)], 40)[0], 1800 + by_table(1800, [(1985, 0)], 40)[0]],
        "1994.6 1790.4"),
    Row(12, "3", "new ratings by formula", "1995.3 1789.7",
        lambda: [elo.change(1985, [(1800, 1)], 40).new_rating, elo.change(1800, [(1985, 0)], 40).new_rating],
        "1994.6 1790.4"),
    Row(13, "3", "average, p, dp, first rating of 2 points, today", "1728.57 .43 -50 1679", lambda: first(FIVE, 2),
        "1700 .40 -72 1628", lambda: first(FIVE, 2, date=IN_2022)),
    Row(13, "3", "the same against all six", "1762.5 .38 -87 1676", lambda: first(SIX, 2),
        "1700 .40 -72 1628", lambda: first(FIVE, 2, date=IN_2022)),
    Row(14, "3", "the same of half a point", "1728.57 .21 -230 1499", lambda: first(FIVE, 0.5),
        "1700 .10 -366 1334", lambda: first(FIVE, 0.5, date=IN_2022)),
    Row(15, "3", "K 40 and 20 games", "35", lambda: [fide.k_factor(1500, games=0, peak=1500, period_games=20).k]),
    Row(17, "2", "odds of gaps 400 and 800, as expected scores", "10.000 100.000",
        lambda: [elo.expected(400).odds, elo.expected(800).odds]),
    Row(19, "1 2", "to one decimal, and whole on FIDE's list", "1761.7 1762",
        lambda: [calculated(1750, [(1810, 1)], 20).new_rating
                 for calculated in (partial(elo.change, digits=1), fide.change)]),
    Row(16, "4", "1.5 of 2 against an average of 1810", "13.4", lambda: average_of([(1810, 1), (1810, 0.5)])),
    Row(20, "4", "a loss to one 800 points lower, K 20: under K", "-19.8", lambda: moves(1800, [(1000, 0)])),
]  # fmt: skip


def shown(values, like):
    """Values as they are printed: to the digits of `like`, half up."""
    return [
        Decimal(str(value)).quantize(Decimal(text), ROUND_HALF_UP)
        for value, text in zip(values, like.split(), strict=True)
    ]


def read(text):
    return [Decimal(each) for each in text.split()]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"W{row.number} {row.asked}")
def test_right_and_printed(row):
    assert shown(row.ask(), row.right) == read(row.right)
    if row.printed is not None:
        assert read(row.printed) != read(row.right)
    if row.setting is not None:
        assert shown(row.setting(), row.printed) == read(row.printed)


def test_w12_no_setting_gives_76():
    for curve in elo.CURVES:
        assert shown([elo.expected(185, curve=curve).expected], ".01") == read(".74")


def test_w13_five_are_named_and_six_listed():
    assert fide.initial(FIVE, 2, date=IN_2022).average == 1700
    assert fide.initial(SIX, 2, date=IN_2022).average == 1750
    assert fide.initial(SIX, 2, date=IN_2022).rating != fide.initial(FIVE, 2, date=IN_2022).rating


def test_w14_is_published_today_and_was_above_the_floor_of_its_formula():
    assert fide.initial(FIVE, 0.5).published
    assert fide.initial(FIVE, 0.5, date=IN_2022).published
    assert fide.initial(FIVE, 0.5, date=IN_2022).rating < 1400


def replayed(system, results, calendar, foe=1810.0):
    """What 1750 with K 20 gains against opponents of one rating, who never gain themselves."""
    names = [f"foe {n}" for n in range(len(results))]
    games = rs.GameStream.of(first=["A"] * len(results), second=names, score=results, time=range(len(results)))
    start = {"A": {"rating": 1750.0}, **{name: {"rating": foe} for name in names}}
    run = rs.replay(system, games, policy=rs.Constant(20), calendar=calendar, start=start)
    return run.ratings().filter(player="A")["rating"].item() - 1750


def test_w10_of_periods_in_replays():
    """Summed 13.4, by FIDE's table 13, which is 13.2 rounded; one game after the other 13.1."""
    summed = replayed(rs.Elo(), [1, 0.5], rs.Whole())
    assert summed == pytest.approx(elo.change(1750, [(1810, 1), (1810, 0.5)], 20).change, rel=1e-12)
    apart = replayed(rs.Elo(), [1, 0.5], rs.PerGame())
    after = elo.change(1750, [(1810, 1)], 20).new_rating
    assert apart == pytest.approx(elo.change(after, [(1810, 0.5)], 20).new_rating - 1750, rel=1e-12)
    assert shown([summed, apart], ".1 .1") == read("13.4 13.1")
    assert replayed(rs.FideElo(), [1, 0.5], rs.Whole()) == 13


def test_w16_the_shortcut_is_a_replay_against_the_average():
    """R + K (points - games x E(average)): exact where opponents are equal, another number where they are not."""
    games = [(1500, 1), (1500, 0), (2100, 0.5)]
    found = elo.change(1750, games, 20, average=True)
    average = sum(foe for foe, _ in games) / 3
    expected = 1 / (1 + 10 ** ((average - 1750) / 400))
    assert found.new_rating == pytest.approx(1750 + 20 * (1.5 - 3 * expected), rel=1e-14)
    assert replayed(rs.Elo(), [1, 0, 0.5], rs.Whole(), foe=average) == pytest.approx(found.change, rel=1e-10)
    assert found.change != pytest.approx(elo.change(1750, games, 20).change, abs=0.1)
    equal = [(1810, 1), (1810, 0.5)]
    assert elo.change(1750, equal, 20, average=True) == elo.change(1750, equal, 20)


def test_w18_a_percentile_belongs_to_a_pool():
    """The 98th percentile of a site cannot be worked out from a rating: one rating has many, by who else is there."""
    share = []
    for sd in (100.0, 250.0, 400.0):
        world = rs.League(players=2000, rounds=1, skills={"kind": "normal", "mean": 1500, "sd": sd})
        skills = world.simulate(1).players["skill"]
        share.append((skills < 2000).mean())
    assert share == sorted(share, reverse=True)
    assert share[0] == 1
    assert share[-1] < 0.91


def test_w19_both_roundings_in_replays():
    assert replayed(rs.FideElo(), [1], rs.Whole()) == 12
    assert shown([1750 + replayed(rs.Elo(), [1], rs.Whole())], ".1") == read("1761.7")


@pytest.mark.parametrize("score", [0, 0.5, 1])
def test_w20_k_is_the_most_a_game_can_move_a_rating(score):
    """By formula it is never reached; by FIDE's table beyond 735 points, which the 400-point rule hides below 2650."""
    for gap in range(-1200, 1201, 25):
        assert abs(elo.change(1500 + gap, [(1500, score)], 20).change) < 20
        assert abs(fide.change(1400 + max(gap, 0), [(1400 + max(-gap, 0), score)], 20).change) < 20
    assert fide.change(2700, [(1965, 0), (1964, 0)], 10).games[0].change == Decimal("-9.9")
    assert fide.change(2700, [(1965, 0), (1964, 0)], 10).games[1].change == -10


def test_every_number_is_here():
    unknowable = {18}  # what share of a site's players is below a rating: see above
    assert {row.number for row in ROWS} == set(range(1, 21)) - unknowable
