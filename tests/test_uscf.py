"""US Chess: an event in five steps against a plain reading of them, B by date, floors and beginners."""

from datetime import date

import numpy as np
import pytest

import ratesim as rs
from ratesim.dates import day_of
from ratesim.jit import plain
from ratesim.policies.falling import effective_games
from ratesim.systems import uscf_kernels as uscf
from ratesim.systems.uscf_kernels import Belief, Params
from ratesim.testing import checks_for

pytestmark = pytest.mark.interpreted


def expectancy(mine, theirs):
    return 1 / (1 + 10 ** ((theirs - mine) / 400))


def effective(rating, games):
    return min(games, 50 / np.sqrt(0.662 + 0.00000739 * (2569 - rating) ** 2) if rating <= 2355 else 50)


def special(rating, count, foes, scores):
    total = count * rating + sum(foes) + 400 * (2 * sum(scores) - len(scores))
    return min(max(total / (count + len(scores)), 100), 2700)


def post(rating, games, foes, scores, b):
    count, m = effective(rating, games), len(scores)
    if games <= 8:
        return special(rating, count, foes, scores)
    change = 800 / (count + m) * (sum(scores) - sum(expectancy(rating, foe) for foe in foes))
    bonus = max(0, change - b * np.sqrt(max(m, 4))) if m >= 3 else 0
    return max(100, rating + change + bonus)


def event(start, rows, b):
    """The five steps over {player: (rating, games)} and rows of (first, second, score of first)."""
    played = {
        who: [(s, t) for f, s, t in rows if f == who] + [(f, 1 - t) for f, s, t in rows if s == who] for who in start
    }
    before = {who: rating for who, (rating, _) in start.items()}

    def all_by(seen):
        return {
            who: post(*start[who], [seen[foe] for foe, _ in games], [score for _, score in games], b)
            for who, games in played.items()
        }

    first = {
        who: special(before[who], 1, [before[foe] for foe, _ in played[who]], [score for _, score in played[who]])
        if games == 0
        else before[who]
        for who, (_, games) in start.items()
    }
    return all_by(all_by(first))


@pytest.mark.parametrize("seed", range(4))
def test_an_event_is_rated_in_five_steps(seed):
    rng = np.random.default_rng(seed)
    start = {name: (float(rng.integers(600, 2500)), int(rng.choice([0, 0, 3, 8, 9, 30, 90]))) for name in "ABCDEFGH"}
    pairs = [(a, b) for a in start for b in start if a < b and rng.random() < 0.6]
    rows = [(a, b, float(rng.choice([0, 0.5, 1]))) for a, b in pairs]
    first, second, score = zip(*rows, strict=True)
    games = rs.GameStream.of(first=first, second=second, score=score, time=[0.0] * len(rows))
    table = {who: {"rating": rating, "games": games} for who, (rating, games) in start.items()}
    found = rs.replay(rs.UscfElo(bonus=14), games, calendar=rs.Whole(), start=table).ratings()
    expected = event(start, rows, 14)
    assert dict(found.select("player", "rating").iter_rows()) == pytest.approx(expected, abs=1e-9)


def sprint(**how):
    """A won all four games of a month against stronger players; the ratings after it."""
    games = rs.GameStream.of(first=["A"] * 4, second=list("BCDE"), score=[1] * 4, time=[how.pop("day", 0.0)] * 4)
    start = {"A": {"rating": 1300, "games": 45}} | {name: {"rating": 1500, "games": 45} for name in "BCDE"}
    run = rs.replay(rs.UscfElo(steps="one", **how), games, calendar=rs.Whole(), start=start)
    return dict(run.ratings().select("player", "rating").iter_rows())["A"]


@pytest.mark.parametrize(
    ("day", "b"),
    [
        (date(2015, 6, 1), 12), (date(2017, 4, 30), 12), (date(2017, 5, 1), 14), (date(2023, 1, 31), 14),
        (date(2023, 2, 1), 12), (date(2024, 12, 31), 12), (date(2025, 1, 1), 10), (date(2030, 1, 1), 10),
    ],
)  # fmt: skip
def test_b_goes_by_date(day, b):
    assert sprint(day=day_of(day)) == sprint(bonus=b)


def test_a_point_of_b_is_worth_two_points_for_four_games():
    assert sprint(bonus=12) - sprint(bonus=14) == pytest.approx(4.0, abs=1e-9)


def test_parts_of_the_papers_example():
    """1300 after 45 games, as above; N* of 1700, the sum of expectancies and K of four games by the same formulas."""
    p = Params(*rs.UscfElo(bonus=1e6).params())
    assert plain(effective_games)(1700.0, 90.0) == pytest.approx(20.0117867, abs=5.1e-8)
    me = Belief(1300.0, 1300.0, 45.0, 22.5)
    foes = [Belief(rating, rating, 30.0, 15.0) for rating in (1250.0, 1400.0, 1500.0, 1550.0)]
    expected = sum(plain(uscf.predict)(p, me, foe, None) for foe in foes)
    assert expected == pytest.approx(1.3633335, abs=5.1e-8)
    one_point = uscf.Evidence(4.0, 1.0, 0.0, 0.0)
    moved = plain(uscf.standard)(p, me.rating, plain(effective_games)(1300.0, 45.0), one_point) - me.rating
    assert moved == pytest.approx(44.1821150, abs=5.1e-8)


def test_a_newcomer_has_the_average_of_the_opponents_and_400_for_every_win_more_than_losses():
    games = rs.GameStream.of(first=["N", "N", "N"], second=["B", "C", "D"], score=[1, 1, 0], time=[0.0] * 3)
    start = {name: {"rating": rating, "games": 60} for name, rating in (("B", 1500), ("C", 1600), ("D", 1700))}
    table = rs.replay(rs.UscfElo(steps="one"), games, calendar=rs.Whole(), start=start).ratings()
    rating = dict(table.select("player", "rating").iter_rows())["N"]
    assert rating == pytest.approx(1600 + 400 / 3, abs=1e-9)


def test_wins_alone_are_averaged_however_many():
    def ratings(n):
        games = rs.GameStream.of(
            first=["W"] * n, second=["B"] * n, score=[1] * n, time=[40.0 * i for i in range(n)],
        )  # fmt: skip
        run = rs.replay(rs.UscfElo(steps="one"), games, start={"B": {"rating": 1000, "games": 90}})
        return dict(run.ratings().select("player", "rating").iter_rows())

    before, after = ratings(10), ratings(11)
    count = effective(before["W"], 10)
    assert after["W"] == pytest.approx((count * before["W"] + before["B"] + 400) / (count + 1), abs=1e-9)


def test_nobody_falls_below_100_or_is_averaged_above_2700():
    games = rs.GameStream.of(first=["L", "W"], second=["B", "T"], score=[0, 1], time=[0.0, 0.0])
    start = {"B": {"rating": 300, "games": 90}, "T": {"rating": 2600, "games": 90}}
    table = rs.replay(rs.UscfElo(steps="one"), games, calendar=rs.Whole(), start=start).ratings()
    found = dict(table.select("player", "rating").iter_rows())
    assert (found["L"], found["W"]) == (100, 2700)


def test_a_state_is_saved_within_an_event_that_is_judged_once():
    for steps, broken in (("one", False), ("five", True)):
        (check,) = (check for check in checks_for(rs.UscfElo(steps=steps)) if check.law == "resume")
        assert (check.broken is not None) == broken
        check()
