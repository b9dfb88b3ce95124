"""Losses per game against many digits, published values and their own words."""

import math
import os
import subprocess
import sys

import mpmath
import numpy as np
import pytest
from hypothesis import given, strategies as st

from ratesim.errors import InputError
from ratesim.metrics import (
    METRICS,
    Accuracy,
    Brier,
    CappedDeviance,
    LogLoss,
    accuracy,
    brier,
    capped_deviance,
    log_loss,
)

unit = st.floats(0, 1)
OF_SCORES = [kind for kind, metric in METRICS.kinds().items() if not metric.three_way]


def entropy(forecast: float, score: float, clip: float, base: float) -> float:
    """The formula in fifty digits."""
    with mpmath.workdps(50):
        e = min(max(mpmath.mpf(forecast), mpmath.mpf(clip)), 1 - mpmath.mpf(clip))
        s = mpmath.mpf(score)
        return float(-(s * mpmath.log(e) + (1 - s) * mpmath.log(1 - e)) / mpmath.log(base))


@given(unit, unit)
def test_log_loss_is_the_formula(forecast, score):
    expected = entropy(forecast, score, 1e-6, mpmath.e)
    assert log_loss([forecast], [score])[0] == pytest.approx(expected, rel=1e-13)


@given(unit, unit)
def test_capped_deviance_is_the_formula(forecast, score):
    expected = entropy(forecast, score, 0.01, 10)
    assert capped_deviance([forecast], [score])[0] == pytest.approx(expected, rel=1e-13)


def test_a_forecast_of_half_costs_what_is_known():
    scores = [0, 0.5, 1]
    assert log_loss(0.5, scores) == pytest.approx([math.log(2)] * 3, rel=1e-15)
    assert capped_deviance(0.5, scores) == pytest.approx([math.log10(2)] * 3, rel=1e-15)
    assert brier(0.5, scores).tolist() == [0.25, 0, 0.25]


def test_certain_errors_cost_what_the_clip_says():
    assert log_loss([1.0], [0])[0] == pytest.approx(-math.log(1e-6), rel=1e-15)
    assert log_loss([1.0], [0], clip=1e-3)[0] == pytest.approx(-math.log(1e-3), rel=1e-15)
    assert log_loss([0.0, 1e-7], [1, 1]).tolist() == [log_loss([1e-6], [1])[0]] * 2
    assert capped_deviance([0.0, 0.005, 0.01], [1, 1, 1]) == pytest.approx([2, 2, 2], rel=1e-14)


# log10 of .01, .99, .1 and .9 from a table; a draw costs the mean of a win and a loss.
@pytest.mark.parametrize(
    ("forecast", "win", "draw", "loss"),
    [(0.01, 2.0, 1.002182, 0.004365), (0.1, 1.0, 0.522879, 0.045757), (0.9, 0.045757, 0.522879, 1.0)],
)
def test_deviance_in_common_logarithms(forecast, win, draw, loss):
    assert capped_deviance(forecast, [1, 0.5, 0]) == pytest.approx([win, draw, loss], abs=5e-7)


@pytest.mark.parametrize(
    ("forecast", "score", "expected"),
    [
        (0.7, 1, 1),
        (0.7, 0, 0),
        (0.3, 0, 1),
        (0.3, 1, 0),
        (0.7, 0.5, 0.5),  # a draw counts half whatever was forecast
        (0.5, 1, 0.5),  # a forecast of one half counts half whatever was scored
        (0.5, 0.5, 0.5),
        (math.nextafter(0.5, 1), 0.75, 1),
        (math.nextafter(0.5, 0), 0.75, 0),
    ],
)
def test_accuracy_goes_by_its_rule(forecast, score, expected):
    assert accuracy([forecast], [score])[0] == expected


@given(unit, unit)
def test_brier_is_the_square(forecast, score):
    assert brier([forecast], [score])[0] == pytest.approx((forecast - score) ** 2, rel=1e-15, abs=1e-300)


@pytest.mark.parametrize("kind", OF_SCORES)
@given(forecast=st.integers(0, 64), score=st.integers(0, 4))
def test_swapping_sides_changes_nothing(kind, forecast, score):
    metric = METRICS.build(kind)
    e, s = forecast / 64, score / 4
    assert metric.each([e], [s])[0] == pytest.approx(metric.each([1 - e], [1 - s])[0], rel=1e-14)


@pytest.mark.parametrize("kind", OF_SCORES)
def test_a_missing_forecast_has_no_loss(kind):
    metric = METRICS.build(kind)
    found = metric.each([np.nan, 0.25, np.nan], [1, 1, 0])
    assert np.isnan(found).tolist() == [True, False, True]
    assert found[1] == metric.each([0.25], [1])[0]


@pytest.mark.parametrize("metric", [LogLoss(), Brier(), CappedDeviance()])
def test_what_is_proper_is_least_where_the_forecast_is_right(metric):
    forecast = np.linspace(0.01, 0.99, 99)
    for chance in (0.1, 0.37, 0.5, 0.92):
        expected = chance * metric.each(forecast, np.ones(99)) + (1 - chance) * metric.each(forecast, np.zeros(99))
        assert forecast[expected.argmin()] == pytest.approx(chance)
        assert metric.lower_is_better


def test_more_accuracy_is_better():
    assert not Accuracy.lower_is_better


@pytest.mark.parametrize("kind", OF_SCORES)
def test_kernels_are_the_functions_that_each_maps(kind):
    metric = METRICS.build(kind)
    games = [(0.2, 1.0), (0.5, 0.5), (1.0, 0.0)]
    alone = [metric.kernel()(metric.params(), e, s) for e, s in games]
    assert metric.each(*zip(*games, strict=True)).tolist() == alone


BITS = """
import numpy as np
from ratesim.metrics import METRICS
forecast, score = np.random.default_rng(1).random((2, 500))
for kind in ("accuracy", "brier", "capped_deviance", "log_loss"):
    print(METRICS.build(kind).each(forecast, score).tobytes().hex())
"""


def test_compiled_and_plain_python_agree_to_the_bit():
    found = [
        subprocess.run(
            [sys.executable, "-c", BITS],
            env=os.environ | {"NUMBA_DISABLE_JIT": off},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for off in ("0", "1")
    ]
    assert len(found[0].split()) == 4
    assert found[0] == found[1]


@pytest.mark.parametrize(
    ("forecast", "score", "said"),
    [
        ([0.5, 1.5], [0, 1], "game 1: forecast = 1.5; expected a number 0..1"),
        ([0.5, 0.5], [0, -1], "game 1: score = -1.0; expected a number 0..1"),
        ([0.5], [math.nan], "game 0: score = nan; expected a number 0..1"),
        ([0.5, 0.5], [1], "forecasts (2,), scores (1,); expected one of each a game"),
        ([[0.5]], [[1]], "forecasts (1, 1), scores (1, 1); expected one of each a game"),
    ],
)
def test_bad_games_are_one_line(forecast, score, said):
    with pytest.raises(InputError) as error:
        log_loss(forecast, score)
    assert str(error.value).startswith(said)


@pytest.mark.parametrize("clip", [0, 0.5, -1, math.nan])
def test_a_clip_has_a_range(clip):
    with pytest.raises(InputError, match="clip"):
        LogLoss(clip=clip)


def test_no_games_have_no_losses():
    assert log_loss([], []).tolist() == []


def test_metrics_are_registered_by_name():
    assert list(METRICS.kinds()) == [*OF_SCORES, "rps", "three_way_log_loss"]
    assert OF_SCORES == ["accuracy", "brier", "capped_deviance", "log_loss"]
    assert METRICS.build({"kind": "log_loss", "clip": 0.01}) == LogLoss(clip=0.01)
