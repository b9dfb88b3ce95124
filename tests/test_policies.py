"""K of every policy, measured: what a replay moved a rating by, over what the plain formula says it scored too much.

FIDE's steps: Rating Regulations of 1 March 2024, article 8.3.3, in the order of precedence of FIDE's own lists.
"""

import math
import re
import tomllib
from datetime import date
from itertools import pairwise
from pathlib import Path

import pytest

import ratesim as rs

pytestmark = pytest.mark.interpreted
EPOCH = date(1970, 1, 1)


def expected(difference):
    return 1 / (1 + 10 ** (-difference / 400))


def ks(policy, periods, *, foe=None, days=None, weight=1.0, **start):
    """K of player A in each period of given scores against newcomers of rating `foe`, a day a period."""
    days = list(range(len(periods))) if days is None else days
    start = {"rating": 1500.0, "games": 0, "born": math.nan, **start}
    start.setdefault("peak", start["rating"])
    foe = start["rating"] if foe is None else foe
    rows = [(f"{p}.{g}", s, float(days[p])) for p, scores in enumerate(periods) for g, s in enumerate(scores)]
    foes, scores, times = zip(*rows, strict=True)
    run = rs.replay(
        rs.Elo(start=foe),
        rs.GameStream.of(first=["A"] * len(rows), second=foes, score=scores, time=times, weight=[weight] * len(rows)),
        policy=policy,
        calendar=rs.Every(days=1),
        start={"A": start},
    )
    closed = run.history([day + 1.0 for day in days], ["A"])["rating"].to_list()
    ratings = [start["rating"], *closed]
    surplus = [
        weight * sum(score - expected(before - foe) for score in scores)
        for before, scores in zip(ratings, periods, strict=False)
    ]
    assert ratings[-1] == pytest.approx(run.ratings().filter(player="A")["rating"][0], abs=1e-12)
    return [(after - before) / over for (before, after), over in zip(pairwise(ratings), surplus, strict=True)]


def near(values):
    return pytest.approx(values, rel=1e-10)


def day(*ymd):
    return (date(*ymd) - EPOCH).days


WIN, LOSS = [1.0], [0.0]


def test_by_games_the_thirtieth_game_is_still_of_the_new():
    assert ks(rs.Steps(), [WIN] * 4, games=28) == near([32, 32, 26, 26])


def test_by_games_one_k_holds_for_a_period():
    assert ks(rs.Steps(), [[1.0] * 5, WIN], games=28) == near([32, 26])


def test_by_games_without_a_start_all_games_are_seen():
    assert ks(rs.Steps(), [WIN, LOSS] * 16) == near([32] * 30 + [26] * 2)


def test_by_games_games_count_by_their_weight():
    assert ks(rs.Steps(), [WIN] * 3, games=27, weight=2.0) == near([32, 32, 26])


@pytest.mark.parametrize(
    ("rating", "k"), [(1500, 32), (2099.999, 32), (2100, 24), (2399.999, 24), (2400, 16), (3000, 16)]
)
def test_by_rating_a_threshold_belongs_to_what_is_above_it(rating, k):
    assert ks(rs.Steps(by="rating", k=(32, 24, 16), at=(2100, 2400)), [WIN], rating=rating) == near([k])


def test_by_rating_nothing_is_for_ever():
    policy = rs.Steps(by="rating", k=(32, 24, 16), at=(2100, 2400))
    assert ks(policy, [WIN, LOSS, WIN], rating=2095.0) == near([32, 24, 32])


def test_by_rating_the_rating_is_that_before_the_period():
    policy = rs.Steps(by="rating", k=(32, 24, 16), at=(2100, 2400))
    assert ks(policy, [[1.0] * 30, WIN], rating=2050.0) == near([32, 16])


def test_harmonic_k_falls_with_the_games_before_the_period():
    found = ks(rs.Harmonic(), [WIN, [0.0, 0.0, 0.0, 1.0], LOSS, [1.0] * 5, LOSS])
    assert found == near([120, 120 / 1.1, 80, 120 / 1.6, 120 / 2.1])


def test_harmonic_it_stops_at_the_least():
    assert ks(rs.Harmonic(k=100, half=1, least=30), [WIN] * 4) == near([100, 50, 100 / 3, 30])


@pytest.mark.parametrize(("games", "k"), [(0, 350.0), (5, 99.5), (10, 58.0), (30, 21.7), (100, 6.8), (500, 1.4)])
def test_harmonic_it_is_glicko_from_350_against_opponents_known_exactly(games, k):
    """K_n = K_0 / (1 + K_0 n / 4s), s = 400 / ln 10; printed to a tenth."""
    policy = rs.Harmonic(k=350.0, half=4 * 173.7178 / 350.0)
    assert ks(policy, [WIN], games=games) == pytest.approx([k], abs=0.05)
    foes = [str(g) for g in range(games + 1)]
    drawn_then_won = rs.GameStream.of(
        first=["A"] * len(foes), second=foes, score=[0.5] * games + [1.0], time=[float(g) for g in range(len(foes))]
    )
    known = {foe: {"deviation": 1e-6} for foe in foes}
    glicko = rs.replay(rs.Glicko(c=0), drawn_then_won, calendar=rs.Every(days=1), start=known)
    assert 2 * (glicko.ratings()["rating"][0] - 1500) == pytest.approx(k, abs=0.05)


def test_fide_forty_until_thirty_games():
    assert ks(rs.Fide(), [WIN] * 4, games=28) == near([40, 40, 20, 20])
    assert ks(rs.Fide(), [WIN, LOSS] * 16) == near([40] * 30 + [20] * 2)


def test_fide_thirty_games_passed_in_a_period_count_from_the_next():
    assert ks(rs.Fide(), [[1.0, 0.0, 1.0], WIN], games=29) == near([40, 20])


def test_fide_ten_for_ever_once_2400_was_reached():
    found = ks(rs.Fide(), [WIN, LOSS, *[LOSS] * 60, WIN], rating=2395.0, games=100)
    assert found == near([20, *[10] * 62])


def test_fide_2400_reached_and_lost_inside_a_period_was_never_published():
    assert ks(rs.Fide(), [[1.0, 0.0, 0.0], LOSS], rating=2395.0, games=100) == near([20, 20])


@pytest.mark.parametrize(("peak", "k"), [(2399.5, 20), (2400, 10), (2700, 10)])
def test_fide_a_peak_can_be_brought(peak, k):
    assert ks(rs.Fide(), [WIN], rating=2200.0, games=100, peak=peak) == near([k])


def test_fide_a_rating_is_a_peak_where_none_is_brought():
    assert ks(rs.Fide(), [WIN], rating=2400.0, games=100) == near([10])
    assert ks(rs.Fide(), [WIN], rating=2399.5, games=100) == near([20])


def test_fide_2400_comes_before_youth_and_few_games():
    assert ks(rs.Fide(), [WIN], rating=2400.0, games=0) == near([10])
    assert ks(rs.Fide(), [WIN], rating=2200.0, peak=2400, games=100, born=1960) == near([10])


def test_fide_juniors_have_forty_to_the_end_of_the_year_of_the_eighteenth_birthday():
    days = [day(2018, 1, 1), day(2018, 12, 31), day(2019, 1, 1), day(2019, 6, 1)]
    assert ks(rs.Fide(), [WIN] * 4, games=100, born=2000, days=days) == near([40, 40, 20, 20])
    assert ks(rs.Fide(), [WIN] * 4, games=100, born=2001, days=days) == near([40] * 4)
    assert ks(rs.Fide(), [WIN] * 4, games=100, days=days) == near([20] * 4)  # no birth year, no junior


def test_fide_years_before_1970_are_years():
    days = [day(1969, 12, 30), day(1969, 12, 31), day(1970, 1, 1)]
    assert ks(rs.Fide(), [WIN] * 3, games=100, born=1951, days=days) == near([40, 40, 20])


def test_fide_a_junior_who_once_had_2300_is_one_no_longer():
    young = {"games": 100, "born": 1960}
    assert ks(rs.Fide(), [WIN, LOSS, LOSS, LOSS], rating=2290.0, **young) == near([40, 20, 20, 20])
    assert ks(rs.Fide(), [WIN], rating=2299.5, **young) == near([40])
    assert ks(rs.Fide(), [WIN], rating=2300.0, **young) == near([20])
    assert ks(rs.Fide(), [WIN], rating=2200.0, peak=2300, **young) == near([20])


def test_fide_2300_means_nothing_to_the_new():
    assert ks(rs.Fide(), [WIN], rating=2350.0, games=29) == near([40])
    assert ks(rs.Fide(), [WIN], rating=2350.0, games=29, born=1960) == near([40])


@pytest.mark.parametrize(
    ("games", "n", "k"),
    [(0, 17, 40), (0, 18, 38), (0, 20, 35), (0, 71, 9), (30, 35, 20), (30, 36, 19), (30, 40, 17), (30, 701, 0)],
)
def test_fide_k_times_the_games_of_a_period_is_at_most_700(games, n, k):
    """floor(700 / n); the articles' examples are 20 games with 40 (35) and 40 games with 20 (17)."""
    then = 40 if games + n < 30 else 20
    assert ks(rs.Fide(), [[1.0] * n, LOSS], games=games) == near([k, then])


@pytest.mark.parametrize(("n", "k"), [(70, 10), (71, 9)])
def test_fide_so_is_that_of_the_best(n, k):
    assert ks(rs.Fide(), [[0.0] * n, WIN], rating=2500.0, foe=2100.0) == near([k, 10])


def test_fide_the_cap_counts_all_games_of_a_list_even_if_they_are_worth_two():
    assert ks(rs.Fide(), [[1.0] * 10, LOSS], weight=2.0) == near([35, 40])


def test_fide_the_steps_of_another_time():
    """30 / 15 / 10 of before 1 July 2014."""
    policy = rs.Fide(new=30, most=15, top=10, age=0)
    assert ks(policy, [WIN, WIN], games=29, born=1960) == near([30, 15])
    assert ks(policy, [WIN], rating=2400.0) == near([10])


def test_fide_both_sides_of_a_game_have_their_own():
    table = {
        "A": {"rating": 2390, "peak": 2400, "games": 0, "born": math.nan},
        "B": {"rating": 2290, "peak": 2290, "games": 40, "born": math.nan},
    }
    games = rs.GameStream.of(first=["A"], second=["B"], score=[0], time=[0])
    ratings = rs.replay(rs.Elo(), games, policy=rs.Fide(), calendar=rs.Every(days=1), start=table).ratings()
    e = expected(100)
    assert ratings["rating"].to_list() == near([2390 - 10 * e, 2290 + 20 * e])


def test_k_of_a_system_is_told_to_be_of_a_policy():
    with pytest.raises(rs.InputError, match=r"^key 'k'; expected it of a policy, such as Constant\(k=\.\.\.\)$"):
        rs.Elo(k=3)
    with pytest.raises(rs.InputError, match=r"^unknown key 'k'; expected one of per, rating"):
        rs.Glicko(k=3)


def test_every_policy_with_a_name_in_the_docs_has_a_table_that_is_one():
    page = (Path(__file__).parents[1] / "docs/systems/policies.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([^|]+) \| `(kind = [^`]+)` \|$", page, re.MULTILINE)
    built = {name: rs.POLICIES.build(tomllib.loads(f"policy = {{ {table} }}")["policy"]) for name, table in rows}
    assert len(rows) == len(built) == 13
    for name, policy in built.items():
        if numbers := re.search(r"(\d+)/(\d+)/(\d+)", name):  # K of the new, of others, from the ratchet on
            named = policy.kernels().Params(*policy.params())
            assert [named.new, named.most, named.top] == [float(each) for each in numbers.groups()]
    assert built["Sonas's 24"] == rs.Constant(24)
    assert built["32/26 by games at 30 (Stephenson)"] == rs.Steps()
