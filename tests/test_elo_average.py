"""Elo against the average opponent: the calculator's exact numbers, a loop of our own, and what it refuses."""

import numpy as np
import pytest

import ratesim as rs
from ratesim.errors import InputError
from ratesim.worlds import League

FOES = {"B": 1300.0, "C": 1500.0, "D": 2400.0}

pytestmark = pytest.mark.interpreted


@pytest.mark.parametrize("curve", ["logistic", "normal"])
@pytest.mark.parametrize("cap", [None, 100.0])
def test_one_period_is_what_the_calculator_says(curve, cap):
    games = rs.GameStream.of(first=["A"] * 3, second=list(FOES), score=[1, 0.5, 0], time=[0, 0, 0])
    start = {"A": {"rating": 1800.0}, **{name: {"rating": rating} for name, rating in FOES.items()}}
    system = rs.Elo(curve=curve, cap=cap, opponents="average")
    rated = dict(rs.replay(system, games, policy=rs.Constant(20), start=start).ratings().rows_by_key("player"))
    told = rs.calculator.elo.change
    alone = {
        name: told(FOES[name], [(1800, 1 - score)], 20, curve=curve, cap=cap)
        for name, score in zip("BCD", [1, 0.5, 0], strict=True)
    }
    mine = told(1800, zip(FOES.values(), [1, 0.5, 0], strict=True), 20, curve=curve, cap=cap, average=True)
    assert rated["A"][0][0] == pytest.approx(mine.new_rating, rel=1e-14)
    assert {name: rated[name][0][0] for name in "BCD"} == pytest.approx(
        {n: c.new_rating for n, c in alone.items()}, rel=1e-14
    )


def test_months_are_those_of_a_loop():
    games = League(
        players=10, rounds=40, days=200, outcomes={"kind": "logistic", "edge": 30}, skills={"kind": "normal", "sd": 300}
    ).simulate(2)
    run = rs.replay(
        rs.Elo(opponents="average", advantage=30),
        games,
        policy=rs.Constant(32),
        calendar=rs.Every(days=20, origin="1970-01-01"),
    )
    rating, period = np.full(10, 1500.0), np.floor(games.time / 20)
    for t in np.unique(period):
        here = period == t
        ahead, points, n = np.zeros(10), np.zeros(10), np.zeros(10)
        for i, j, score, e in zip(
            games.first[here], games.second[here], games.score[here], games.edge[here], strict=True
        ):
            gap = rating[i] - rating[j] + 30 * e
            for me, sign, won in ((i, 1, score), (j, -1, 1 - score)):
                ahead[me], points[me], n[me] = ahead[me] + sign * gap, points[me] + won, n[me] + 1
        mean = ahead / np.maximum(n, 1)
        rating = rating + 32 * (points - n / (1 + 10 ** (-mean / 400)))
    found = dict(run.ratings().select("player", "rating").iter_rows())
    np.testing.assert_allclose([found[name] for name in games.players["player"]], rating, rtol=1e-12)


def test_game_by_game_there_is_nothing_to_average():
    games = League(players=10, rounds=20, skills={"kind": "normal", "sd": 300}).simulate(2)
    each, average = (rs.replay(rs.Elo(opponents=word), games, policy=rs.Constant(20)) for word in ("each", "average"))
    np.testing.assert_allclose(average.forecast, each.forecast, rtol=1e-12)


def test_a_floor_holds_and_margins_are_refused():
    games = rs.GameStream.of(first=["A", "A"], second=["B", "C"], score=[0, 0], time=[0, 0])
    run = rs.replay(rs.Elo(opponents="average", floor=1495), games, policy=rs.Constant(40))
    assert run.ratings()["rating"].min() == 1495
    with pytest.raises(InputError, match="margins are of single games"):
        rs.Elo(opponents="average", margin="538")
