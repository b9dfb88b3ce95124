"""Calibration in numbers, measures as others print them, and skill scores, against print and independent sums."""

import math

import numpy as np
import polars as pl
import pytest
from hypothesis import given, strategies as st
from scipy.optimize import minimize

import ratesim as rs
from ratesim.analysis import calibration_error, player_months, recalibration, reliability, scaled_metrics

# Kaggle's worked example of 2010 (month, first, second, forecast, score), and what is printed of it.
KAGGLE = [(101, 1, 2, 0.18, 1), (101, 1, 3, 0.35, 1), (102, 2, 1, 0.48, 0), (103, 1, 2, 0.29, 0.5),
          (104, 2, 1, 0.23, 0.5), (105, 1, 2, 0.27, 1)]  # fmt: skip


def test_the_kaggle_example():
    month, first, second, forecast, score = (np.array(each) for each in zip(*KAGGLE, strict=True))
    assert player_months(forecast, score, first, second, month) == pytest.approx(0.6753046, abs=5e-8)
    assert rs.log_loss(forecast, score).mean() == pytest.approx(1.0639305, abs=5e-8)
    assert rs.brier(forecast, score).mean() == pytest.approx(0.3292, abs=5e-8)
    assert rs.capped_deviance(forecast, score).mean() == pytest.approx(0.4620592, abs=6e-8)  # .46205915, rounded twice
    twice = player_months(forecast, score, first, second, month, np.full(6, 2.0))
    assert twice == pytest.approx(2 * 0.6753046, abs=1e-7)
    some = player_months(np.append(forecast, [np.nan, 0.1]), np.append(score, [1, 1]), np.append(first, [1, 1]),
                         np.append(second, [9, 9]), np.append(month, [101, 101]), [1] * 7 + [0])  # fmt: skip
    assert some == pytest.approx(0.6753046, abs=5e-8)
    assert math.isnan(player_months([np.nan], [1], [0], [1], [0]))


@pytest.fixture(scope="module")
def games():
    """Games that were forecast too boldly, a third of them drawn."""
    random = np.random.default_rng(5)
    odds = random.normal(0, 1.2, 2000)
    chance = 1 / (1 + np.exp(-(0.2 + 0.7 * odds)))
    score = np.where(random.random(2000) < 0.3, 0.5, (random.random(2000) < chance).astype(float))
    return 1 / (1 + np.exp(-odds)), score, random.choice([0, 1, 2.5], 2000)


def test_recalibration_is_the_line_of_greatest_likelihood(games):
    forecast, score, weight = games
    odds = np.log(forecast / (1 - forecast))

    def loss(line):
        return (weight * (np.logaddexp(0, line[0] + line[1] * odds) - score * (line[0] + line[1] * odds))).sum()

    found = recalibration(forecast, score, weight)
    best = minimize(loss, [0, 1], method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-12, "maxiter": 2000}).x
    assert (found.intercept, found.slope) == pytest.approx(tuple(best), abs=1e-6)
    assert found.n == weight.sum()


def test_its_errors_are_those_of_leaving_blocks_out(games):
    """The jackknife over blocks, which asks for no formula."""
    forecast, score, _ = games
    blocks = np.arange(2000) // 20
    found = recalibration(forecast, score, None, blocks)
    lines = np.array([recalibration(forecast[blocks != b], score[blocks != b])[:3:2] for b in range(100)])
    jackknife = np.sqrt(99 / 100 * ((lines - lines.mean(axis=0)) ** 2).sum(axis=0))
    assert (found.slope_se, found.intercept_se) == pytest.approx(tuple(jackknife), rel=0.03)


def test_its_errors_hold_what_they_promise():
    """Of 300 samples of calibrated games, 95 % of intervals hold 1 and 0."""
    random, inside = np.random.default_rng(8), np.zeros(2)
    for _ in range(300):
        forecast = random.beta(2, 2, 300)
        found = recalibration(forecast, random.random(300) < forecast)
        inside += [abs(found.slope - 1) < 1.96 * found.slope_se, abs(found.intercept) < 1.96 * found.intercept_se]
    assert (inside / 300) == pytest.approx([0.95, 0.95], abs=0.035)


@pytest.mark.parametrize(
    ("forecast", "score"),
    [([0.7] * 5, [1, 0, 1, 1, 0]), ([0.1, 0.2, 0.8, 0.9], [0, 0, 1, 1]), ([np.nan], [1]), ([], [])],
)
def test_where_there_is_no_best_line_there_is_none(forecast, score):
    assert all(math.isnan(each) for each in recalibration(forecast, score)[:4])


@given(st.lists(st.tuples(st.floats(0, 1), st.sampled_from([0, 0.5, 1])), min_size=1, max_size=30))
def test_calibration_error_bin_by_bin(pairs):
    forecast, score = np.array(pairs).T
    off = 0.0
    for k in range(10):
        here = np.array([min(int(e * 10), 9) == k for e in forecast])
        off += here.sum() / len(score) * abs(forecast[here].mean() - score[here].mean()) if here.any() else 0.0
    assert calibration_error(forecast, score) == pytest.approx(off, abs=1e-12)


def test_reliability_by_gap():
    forecast = 1 / (1 + 10 ** (-np.array([50, -50, 150, -250, 250, np.nan]) / 400))
    found = reliability({"x": forecast}, [1, 1, 0.5, 0, 0, 1], [1, 3, 1, 1, 1, 1])
    assert found["from"].to_list() == [0, 100, 200]
    assert found["n"].to_list() == [4, 1, 2]
    assert found["score"].to_list() == [0.25, 0.5, 0.5]
    assert found["forecast"].to_list() == pytest.approx([forecast[0], forecast[2], forecast[4]])
    assert (found["low"] <= found["score"]).all()
    assert (found["score"] <= found["high"]).all()


def test_metrics_of_player_ratings():
    """By the formulas of its R code: -mean(s log p + (1-s) log(1-p)) capped, sqrt(mean((p-s)^2)), mean(|p-s|)."""
    p, s = np.array([0.999, 0.2, 0.6, 0.5]), np.array([1, 0, 0.5, 0])
    capped = np.clip(p, 0.01, 0.99)
    deviance = -(s * np.log(capped) + (1 - s) * np.log(1 - capped)).mean()
    expected = [100 * deviance / math.log(2), 100 * math.sqrt(((p - s) ** 2).mean() / ((0.5 - s) ** 2).mean()),
                100 * np.abs(p - s).mean() / np.abs(0.5 - s).mean()]  # fmt: skip
    assert scaled_metrics(p, s) == pytest.approx(expected, rel=1e-12)
    assert scaled_metrics(np.full(4, 0.5), s) == pytest.approx([100, 100, 100])
    assert scaled_metrics(np.append(p, np.nan), np.append(s, 1)) == pytest.approx(expected, rel=1e-12)
    drawn = scaled_metrics([0.5, 0.6], [0.5, 0.5])
    assert math.isnan(drawn.mse)
    assert math.isnan(drawn.mae)


def test_skill_scores():
    random = np.random.default_rng(4)
    hard = random.gamma(4, 0.1, 400)[np.arange(400) // 10]  # months differ in what all lose
    base, own = hard + random.normal(0, 0.02, 400), 0.9 * hard + random.normal(0, 0.02, 400)
    base[3], own[7] = np.nan, np.nan
    there = ~np.isnan(base + own)
    found = rs.skill_score(own, base, np.arange(400) // 10, seed=2)
    assert found.skill == pytest.approx(1 - own[there].mean() / base[there].mean(), rel=1e-12)
    assert found.n == 398
    assert found.low < found.skill < found.high
    assert found.high - found.low == pytest.approx(2 * 1.96 * found.se, rel=0.15)
    student = rs.skill_score(own, base, np.arange(400) // 10, seed=2, interval="student")
    assert student.high - student.low == pytest.approx(2 * 2.0227 * found.se, rel=1e-4)  # 39 degrees of freedom
    same = rs.skill_score(base, base, np.arange(400) // 10, seed=2)
    assert (same.skill, same.se, same.low, same.high) == (0, 0, 0, 0)
    assert math.isnan(rs.skill_score([0.1], [0.0], [0], seed=1).skill)
    assert math.isnan(rs.skill_score([0.1], [0.2], [0], seed=1).se)
    with pytest.raises(rs.InputError, match="the same games"):
        rs.skill_score([0.1], [0.2, 0.3], [0], seed=1)


FILE = """
[stream]
games = "games.csv"
[[system]]
kind = "even"
[[system]]
kind = "first-rate"
"""


def test_an_experiment_says_them_of_every_run(tmp_path, undrawn):
    score = np.random.default_rng(3).choice([0, 0.5, 1], 60, p=[0.2, 0.3, 0.5])
    days = [f"20{20 + n // 12}-{1 + n % 12:02}-01" for n in range(60)]
    lines = [f"{'ABCD'[n % 4]},{'BCDA'[n % 4]},{s},{day}" for n, (s, day) in enumerate(zip(score, days, strict=True))]
    (tmp_path / "games.csv").write_text("\n".join(["first,second,score,time", *lines]))
    (tmp_path / "e.toml").write_text(FILE)
    even, rate = rs.run(tmp_path / "e.toml", tmp_path / "out", workers=1)["runs"]
    games = rs.read(tmp_path / "games.csv")
    forecast = rs.replay(rs.FirstRate(), games).forecast
    assert rate["scores"]["calibration_error"] == pytest.approx(calibration_error(forecast, games.score), abs=1e-9)
    months = rs.month_blocks(games.time)
    assert rate["scores"]["recalibration"] == pytest.approx(
        recalibration(forecast, games.score, None, months)._asdict(), abs=1e-9
    )
    assert rate["scores"]["scaled"]["bdev"] < 100
    assert even["scores"]["scaled"] == {"bdev": 100, "mse": 100, "mae": 100}
    assert rate["scores"]["player_months"] == pytest.approx(
        player_months(forecast, games.score, games.first, games.second, months), abs=1e-9
    )
    (skill,), (back,) = rate["skill"], even["skill"]
    assert (skill["baseline"], back["baseline"], skill["metric"]) == (even["id"], rate["id"], "log_loss")
    means = [run["metrics"]["log_loss"]["mean"] for run in (even, rate)]
    assert skill["skill"] == pytest.approx(1 - means[1] / means[0], rel=1e-12)
    assert skill["low"] < skill["skill"] < skill["high"]


JUDGING = {
    "recalibration": recalibration, "calibration_error": calibration_error, "scaled_metrics": scaled_metrics,
    "reliability": lambda forecast, *others: reliability({"x": forecast}, *others),
    "player_months": lambda e, s, w=None: player_months(e, s, [0] * 2, [1] * 2, [0] * 2, w),
}  # fmt: skip
WRONG = {
    "game 1: score = nan; expected a number 0..1": ([0.5, 0.5], [1, math.nan]),
    "game 0: score = 2.0; expected a number 0..1": ([math.nan, 0.5], [2, 1]),
    "game 1: forecast = 1.5; expected a number 0..1": ([0.5, 1.5], [1, 1]),
    "game 0: weight = -1.0; expected a number at least 0": ([0.5, 0.5], [1, 0], [-1, 1]),
    "game 1: weight = nan; expected a number at least 0": ([0.5, 0.5], [1, 0], [1, math.nan]),
    "forecast (2,), score (2,), weight (1,); expected one of each a game, all (G,)": ([0.5, 0.5], [1, 0], [1]),
    "forecast = 'half'; expected numbers, one a game": ("half", [1, 0]),
    "forecast (), score (), weight (); expected one of each a game, all (G,)": (0.5, 1),
}


@pytest.mark.parametrize("said", WRONG)
@pytest.mark.parametrize("name", JUDGING)
def test_games_that_cannot_be_are_one_line(name, said):
    with pytest.raises(rs.InputError) as error:
        JUDGING[name](*WRONG[said])
    assert str(error.value) == said


def test_what_is_no_whole_number_and_no_run_is_one_line():
    with pytest.raises(rs.InputError, match=r"^game 1: blocks = 0\.5; expected a whole number$"):
        recalibration([0.5, 0.6], [1, 0], blocks=[0, 0.5])
    with pytest.raises(rs.InputError, match=r"^game 0: month = nan; expected a whole number$"):
        player_months([0.5], [1], [0], [1], [math.nan])
    with pytest.raises(rs.InputError, match=r"^score \(1,\), first \(2,\), second \(1,\), month \(1,\); expected one"):
        player_months([0.5], [1], [0, 1], [1], [0])
    with pytest.raises(rs.InputError, match=r"^reliability: forecasts = \{\}; expected those of a run or more$"):
        reliability({}, [1])


@pytest.mark.data
def test_538s_forecasts_are_calibrated_as_was_measured():
    from test_nfl import DATA

    games = pl.read_csv(DATA / "nfl_games.csv")
    forecast, points = games["elo_prob1"].to_numpy(), (games["score1"] - games["score2"]).to_numpy()
    score = np.where(points > 0, 1.0, np.where(points < 0, 0.0, 0.5))
    found = recalibration(forecast, score)
    assert (found.slope, found.intercept) == pytest.approx((1.0011, -0.0305), abs=5.1e-5)
    assert calibration_error(forecast, score) == pytest.approx(0.0071598, abs=5.1e-8)
