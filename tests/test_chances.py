"""Wins, draws and losses: Davidson's model by its definition, its fit by brute force, metrics by print."""

import datetime as dt
import json
import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.optimize import minimize_scalar

import ratesim as rs
from ratesim.judged import Scored
from ratesim.worlds.outcomes.drawn import draw_share


@given(st.floats(1e-6, 1 - 1e-6), st.floats(0, 100))
def test_davidsons_draws_are_nu_times_the_geometric_mean(expected, nu):
    win, draw, loss = rs.three_way([expected], rs.davidson([expected], nu))[0]
    assert win + draw / 2 == pytest.approx(expected, rel=1e-12)
    assert win + draw + loss == pytest.approx(1, rel=1e-12)
    assert draw == pytest.approx(nu * math.sqrt(win * loss), rel=1e-4, abs=1e-12)
    assert draw == pytest.approx(draw_share(expected, nu), rel=1e-15, abs=0)  # as worlds are drawn


def drawn(nu: float, games: int, seed: int = 1):
    random = np.random.default_rng(seed)
    forecast, luck = random.beta(2, 2, games), random.random(games)
    win, draw, _ = rs.three_way(forecast, rs.davidson(forecast, nu)).T
    return forecast, np.where(luck < win, 1.0, np.where(luck < win + draw, 0.5, 0.0))


def brute(forecast, score) -> float:
    """The ν of maximum likelihood, game by game, the three games between equals among them."""
    forecast, score = np.append(forecast, [0.5] * 3), np.append(score, [1, 0.5, 0])

    def loss(log_nu: float) -> float:
        chances = rs.three_way(forecast, rs.davidson(forecast, math.exp(log_nu)))
        return float(rs.three_way_log_loss(chances, score, clip=1e-300).sum())

    return math.exp(minimize_scalar(loss, bounds=(-10, 10), method="bounded", options={"xatol": 1e-10}).x)


@pytest.mark.parametrize("nu", [0.05, 0.8, 6.0])
def test_nu_is_that_of_the_games_before(nu):
    forecast, score = drawn(nu, 3000)
    blocks = np.repeat([4, 5, 9], 1000)
    found = rs.draw_chances(forecast, score, blocks)
    assert set(found.nu[:1000]) == {1.0}
    for begin in (1000, 2000):
        assert found.nu[begin] == pytest.approx(brute(forecast[:begin], score[:begin]), rel=2e-3)  # bins are .001 wide
        assert (found.nu[begin : begin + 1000] == found.nu[begin]).all()
    assert np.array_equal(found.chance, rs.davidson(forecast, found.nu))


def test_many_games_tell_nu():
    forecast, score = drawn(0.8, 100_000)
    found = rs.draw_chances(forecast, score, np.arange(100_000) // 50_000)
    assert found.nu[-1] == pytest.approx(0.8, abs=0.03)


def test_what_comes_later_changes_nothing():
    forecast, score = drawn(0.8, 400)
    blocks = np.arange(400) // 100
    found = rs.draw_chances(forecast, score, blocks).chance
    other = np.append(forecast[:300], forecast[300:][::-1]), np.append(score[:200], np.ones(200))
    assert np.array_equal(rs.draw_chances(*other, blocks).chance[:300], found[:300])
    assert rs.draw_chances(*other, blocks).nu[300] < rs.draw_chances(forecast, score, blocks).nu[300]


def test_games_in_any_order_and_by_weight():
    forecast, score = drawn(0.8, 300)
    blocks, mixed = np.arange(300) // 100, np.random.default_rng(2).permutation(300)
    found = rs.draw_chances(forecast, score, blocks)
    assert np.array_equal(rs.draw_chances(forecast[mixed], score[mixed], blocks[mixed]).nu, found.nu[mixed])
    twice = rs.draw_chances(np.repeat(forecast, 2), np.repeat(score, 2), np.repeat(blocks, 2)).nu[::2]
    assert rs.draw_chances(forecast, score, blocks, np.full(300, 2.0)).nu == pytest.approx(twice, rel=1e-9)


def test_games_that_teach_nothing_and_games_unlike_any_other():
    forecast, score = np.array([0.5, np.nan, 0.5, 0.5, 1.0, 0.0]), np.array([0.75, 0.5, 0.5, 1, 0.5, 0.5])
    found = rs.draw_chances(forecast, score, [0, 0, 1, 2, 3, 4])
    assert found.nu[:3].tolist() == [1.0, 1.0, 1.0]
    assert found.nu[3] == pytest.approx(2.0)  # two draws, one win, one loss between equals
    assert np.isnan(found.chance[1])
    assert found.chance[4:].tolist() == [0.0, 0.0]
    assert np.isfinite(found.nu).all()


def test_draws_of_a_replicate_are_fitted_to_its_own_games():
    """One alone loses what it does among others, in which draws are rarer, before and after they have been saved."""
    league = rs.League(players=6, rounds=40)
    stream = league.simulate(3, 3)
    forecast, size = np.random.default_rng(4).beta(2, 2, len(stream)), len(stream)
    score = np.where(stream.replicate == 1, 0.5, stream.score)
    whole = Scored(
        score, stream.time, stream.first, stream.second, None, np.ones(size, bool), np.zeros(size), stream.replicate
    )
    found = whole.losses(rs.RankedProbability(), forecast)
    assert np.array_equal(Scored.of(whole.frame()).losses(rs.RankedProbability(), forecast), found)
    for r in range(3):
        here = stream.replicate == r
        alone = Scored(*(None if each is None else each[here] for each in whole))._replace(replicate=None)
        assert np.array_equal(alone.losses(rs.RankedProbability(), forecast[here]), found[here])
    together = whole._replace(replicate=None).losses(rs.RankedProbability(), forecast)
    assert not np.allclose(together, found)


# The five examples of Constantinou & Fenton (2012), as worked out by penaltyblog's documentation of its `rps`.
PRINTED = [
    ((1, 0, 0), 1, 0.0), ((0.9, 0.1, 0), 1, 0.005), ((0.8, 0.1, 0.1), 1, 0.025), ((0.5, 0.25, 0.25), 1, 0.1562),
    ((0.35, 0.3, 0.35), 0.5, 0.1225), ((0.6, 0.3, 0.1), 0.5, 0.185), ((0.6, 0.25, 0.15), 1, 0.0913),
    ((0.6, 0.15, 0.25), 1, 0.1113), ((0.57, 0.33, 0.1), 1, 0.0975), ((0.6, 0.2, 0.2), 1, 0.1),
]  # fmt: skip


@pytest.mark.parametrize(("chances", "score", "printed"), PRINTED)
def test_ranked_probability_scores_are_the_printed_ones(chances, score, printed):
    assert rs.rps([chances], [score])[0] == pytest.approx(printed, abs=5.1e-5)
    assert rs.rps([chances[::-1]], [1 - score])[0] == pytest.approx(rs.rps([chances], [score])[0], rel=1e-15)


def test_certainty_is_worth_0_and_the_other_end_1():
    assert rs.rps([[0, 0, 1], [0, 0, 1], [0, 0, 1]], [0, 0.5, 1]).tolist() == [0, 0.5, 1]


@pytest.mark.parametrize("metric", [rs.ThreeWayLogLoss(), rs.RankedProbability()])
def test_they_are_proper(metric):
    """No other chances on a grid cost less on average than those by which results come."""
    truth = np.array([0.5, 0.3, 0.2])
    grid = np.array([(a, b, 20 - a - b) for a in range(1, 19) for b in range(1, 20 - a)]) / 20
    costs = [metric.each(grid, np.full(len(grid), score)) for score in (1, 0.5, 0)]
    assert grid[(truth @ np.stack(costs)).argmin()] == pytest.approx(truth)


def test_log_loss_is_that_of_what_came_true():
    chances = np.array([[0.5, 0.3, 0.2]] * 4 + [[1.0, 0.0, 0.0]])
    found = rs.three_way_log_loss(chances, [1, 0.5, 0, 0.75, 0.5])
    assert found[:3] == pytest.approx([-math.log(p) for p in (0.5, 0.3, 0.2)], rel=1e-14)
    assert np.isnan(found[3])
    assert found[4] == pytest.approx(-math.log(1e-6), rel=1e-14)
    assert np.isnan(rs.rps([[np.nan] * 3], [1])).all()


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: rs.rps([0.5], [1]), "forecasts (1,), scores (1,); expected chances of win, draw and loss (G, 3)"),
        (lambda: rs.rps([[0.5, 0.5, 0.5]], [1]), "game 0: chances [0.5, 0.5, 0.5]; expected three that sum to 1"),
        (lambda: rs.three_way([0.9], [0.3]), "game 0: a draw of chance 0.3 where 0.9 is expected; expected 0 to twice"),
        (lambda: rs.three_way([0.9], [[0.3]]), "forecasts (1,), draws (1, 1); expected one of each a game"),
        (lambda: rs.draw_chances([0.9], [1], [0, 0]), "score (1,), blocks (2,); expected one of each a game"),
        (lambda: rs.draw_chances([1.5], [1], [0]), "game 0: forecast = 1.5; expected a number 0..1"),
        (lambda: rs.draw_chances([0.5, 0.5], [1, 1], [0, 1], [1, math.nan]), "game 1: weight = nan; expected a number"),
        (lambda: rs.draw_chances([0.5, 0.5], [1, 1], [0, 1], [-1, 1]), "game 0: weight = -1.0; expected a number at"),
        (lambda: rs.draw_chances([0.5], [1], [math.nan]), "game 0: blocks = nan; expected a whole number"),
        (lambda: rs.RankedProbability().kernel(), "metric 'rps' judges wins, draws and losses; expected a metric of"),
    ],
)  # fmt: skip
def test_mistakes_are_one_line(call, said):
    with pytest.raises(rs.InputError) as error:
        call()
    assert str(error.value).startswith(said)


FILE = """
[stream]
games = "games.csv"
[[system]]
kind = "even"
[[system]]
kind = "first-rate"
[score]
metrics = ["rps", "three_way_log_loss"]
strata = ["year"]
burn_in = 2
"""


def test_an_experiment_judges_draws_as_fitted_on_the_months_before(tmp_path, undrawn):
    days = [dt.date(2020, month, day) for month, day in product(range(1, 5), range(1, 11))]
    score = np.random.default_rng(3).choice([0, 0.5, 1], 40, p=[0.3, 0.3, 0.4])
    lines = [f"{'ABCD'[n % 4]},{'BCDA'[n % 4]},{s},{day}" for n, (s, day) in enumerate(zip(score, days, strict=True))]
    (tmp_path / "games.csv").write_text("\n".join(["first,second,score,time", *lines]))
    (tmp_path / "e.toml").write_text(FILE)
    summary = rs.run(tmp_path / "e.toml", tmp_path / "out", workers=1)
    games = rs.read(tmp_path / "games.csv")
    judged = rs.Sample(burn_in=2).mask(games)
    losses = {}
    for run in summary["runs"]:
        system = {"even": rs.Even, "first-rate": rs.FirstRate}[run["system"]["kind"]]()
        forecast = rs.replay(system, games).forecast
        nu = [1.0, *(brute(forecast[: 10 * n], games.score[: 10 * n]) for n in range(1, 4))]
        chances = rs.three_way(forecast, rs.davidson(forecast, np.repeat(nu, 10)))[judged]
        losses[run["id"]] = rs.rps(chances, games.score[judged])
        assert run["metrics"]["rps"]["mean"] == pytest.approx(losses[run["id"]].mean(), rel=1e-4)
        told = rs.three_way_log_loss(chances, games.score[judged]).mean()
        assert run["metrics"]["three_way_log_loss"]["mean"] == pytest.approx(told, rel=1e-4)
    (pair,) = summary["paired"]
    difference = losses[pair["run"]] - losses[pair["against"]]
    assert (pair["metric"], pair["n"]) == ("rps", judged.sum())
    assert pair["difference"] == pytest.approx(difference.mean(), abs=1e-5)
    assert "chances of draws: Davidson's model" in " ".join(
        json.loads((tmp_path / "out/summary.json").read_text())["notes"]
    )


def test_tuning_goes_by_the_expected_score(tmp_path):
    (tmp_path / "e.toml").write_text(FILE + '[tune]\nmetric = "rps"\n')
    with pytest.raises(rs.InputError, match=r"e\.toml, tune: metric 'rps'; expected a metric of the expected score"):
        rs.run(tmp_path / "e.toml", tmp_path / "out")
