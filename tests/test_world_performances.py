"""The strength shown in each game, against the results it hangs together with and the distributions it is said to have.

Random tests allow 5 standard errors, tests of distributions a p of 1e-6: one run in 50,000 would fail by chance.
"""

import math

import numpy as np
import pytest
from scipy import stats

from ratesim.rng import Luck
from ratesim.worlds import League
from ratesim.worlds.base import OUTCOMES, Chances
from ratesim.worlds.play import fates

S = 400 / math.log(10)  # rating points of a natural unit
SIGMAS = 5


def played(outcomes, games=100_000, **values):
    per_round = games // 10
    world = League(players=300, rounds=10, per_round=per_round, outcomes=outcomes, performances=True, **values)
    return world.simulate(seed=11)


def noise(games, edge=0.0):
    """Return what performances add to skills, each with half of the edge."""
    return (
        games.performance_first - games.skill_first - edge / 2,
        games.performance_second - games.skill_second + edge / 2,
    )


@pytest.mark.parametrize("name", ["logistic", "normal", "upsets", "heavy-tails", "blade-chest"])
def test_without_draws_whoever_performs_better_wins(name):
    games = played({"kind": name, "edge": 50.0}, 20_000)
    better = games.performance_first > games.performance_second
    np.testing.assert_array_equal(better, games.score == 1)


def test_a_rao_kupper_game_is_drawn_where_nobody_is_ln_theta_ahead():
    games = played({"kind": "rao-kupper", "theta": 2.0}, 20_000)
    ahead = games.performance_first - games.performance_second
    cut = math.log(2) * S
    np.testing.assert_array_equal(games.score, 0.5 * ((ahead > cut) + 1.0 * (ahead > -cut)))


def davidson(gap, nu=0.8):
    x = 10 ** (gap / 800)
    return (x + nu / 2) / (x + nu + 1 / x), nu / (x + nu + 1 / x)


def fixed(gap):
    return 1 / (1 + 10 ** (-gap / 400)), 0.3 * 2 ** (-((gap / 250) ** 2))


@pytest.mark.parametrize(
    ("outcomes", "formula"),
    [({"kind": "davidson", "draw": 0.8}, davidson), ({"kind": "fixed-draws", "share": 0.3, "half": 250.0}, fixed)],
)
def test_results_hang_on_the_difference_of_performances(outcomes, formula):
    games = played(outcomes, 20_000)
    gap = games.skill_first - games.skill_second
    fate = 1 - 1 / (1 + np.exp(-(games.performance_first - games.performance_second - gap) / S))
    expected, draw = formula(gap)
    np.testing.assert_array_equal(
        games.score, 0.5 * ((fate < expected - draw / 2) + 1.0 * (fate < expected + draw / 2))
    )


def test_logistic_performances_are_independent_gumbels():
    first, second = noise(played({"kind": "logistic", "draw": 0.5, "edge": 30.0}), edge=30.0)
    gumbel = stats.gumbel_r(loc=-np.euler_gamma * S, scale=S)
    assert gumbel.std() == pytest.approx(222.8, abs=0.05)
    for side in (first, second):
        assert stats.kstest(side, gumbel.cdf).pvalue > 1e-6
    assert stats.kstest(first - second, stats.logistic(scale=S).cdf).pvalue > 1e-6
    rank = stats.spearmanr(first, second)
    assert abs(rank.statistic) < SIGMAS / math.sqrt(len(first))
    # Independence, not only of ranks: the chance that both are in their upper tenths.
    both = ((first > np.quantile(first, 0.9)) & (second > np.quantile(second, 0.9))).mean()
    assert abs(both - 0.01) < SIGMAS * math.sqrt(0.01 * 0.99 / len(first))


def test_normal_performances_are_independent_normals():
    first, second = noise(played({"kind": "normal", "draw": 0.5}))
    for side in (first, second):
        assert stats.kstest(side, stats.norm(scale=2000 / 7 / math.sqrt(2)).cdf).pvalue > 1e-6
    assert abs(stats.pearsonr(first, second).statistic) < SIGMAS / math.sqrt(len(first))


def test_performances_are_as_steady_as_their_player():
    games = played({"kind": "normal", "spread": 0.8})
    sd = OUTCOMES.build({"kind": "normal", "spread": 0.8}).begin(Luck(11, [0]).under("outcomes"), 300)["sd"][0]
    first, second = noise(games)
    for side, who in ((first / sd[games.first], games.first), (second / sd[games.second], games.second)):
        assert stats.kstest(side, stats.norm.cdf).pvalue > 1e-6
        wild = sd[who] > np.median(sd)
        for part in (side[wild], side[~wild]):
            assert abs((part**2).mean() - 1) < SIGMAS * math.sqrt(2 / len(part))
    scaled = first / sd[games.first], second / sd[games.second]
    assert abs(stats.pearsonr(*scaled).statistic) < SIGMAS / math.sqrt(len(first))


def test_heavy_tailed_performances_are_students():
    first, second = noise(played("heavy-tails"))
    for side in (first, second):
        assert stats.kstest(side / S, stats.t(2).cdf).pvalue > 1e-6
    assert stats.kstest((first - second) / S / math.sqrt(2), stats.t(2).cdf).pvalue > 1e-6
    assert stats.kstest((first + second) / S / math.sqrt(2), stats.t(2).cdf).pvalue > 1e-6


@pytest.mark.parametrize(("score", "low", "high"), [(1.0, 0, 0.5), (0.5, 0.5, 0.7), (0.0, 0.7, 1)])
def test_results_that_foul_play_decides_hang_on_luck_as_even_as_their_own(score, low, high):
    fair = Chances(np.full((1, 20_000), 0.6), np.full((1, 20_000), 0.2))
    fate = fates(fair, np.full((1, 20_000), score), Luck(1, [0]).keys("score"), 3)[0]
    assert stats.kstest(fate, stats.uniform(low, high - low).cdf).pvalue > 1e-6


def test_keeping_performances_changes_nothing_else():
    world = League(players=30, rounds=10, outcomes={"kind": "logistic", "draw": 1.0})
    plain, kept = world.simulate(3), world.model_copy(update={"performances": True}).simulate(3)
    assert plain.performance_first is None
    for name, column in plain.columns():
        np.testing.assert_array_equal(column, getattr(kept, name))
    assert {name for name, _ in kept.columns()} - {name for name, _ in plain.columns()} == {
        "performance_first", "performance_second",
    }  # fmt: skip
