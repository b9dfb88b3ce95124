import math
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from ratesim.errors import InputError
from ratesim.systems.base import Games
from ratesim.systems.even import Even
from ratesim.systems.first_rate import FirstRate
from ratesim.systems.published import Published

RESULTS = Path(__file__).resolve().parents[2] / "shared/data/football/results.csv"


def games(score, period, **columns) -> Games:
    n = len(score)
    first, second = np.zeros(n, np.int32), np.ones(n, np.int32)
    return Games(
        first, second, np.array(score, float), np.arange(n, dtype=float), np.array(period, np.int32), 2, **columns
    )


def log_loss(forecast, score) -> float:
    p = np.clip(forecast, 1e-6, 1 - 1e-6)
    return float(np.mean(-score * np.log(p) - (1 - score) * np.log(1 - p)))


def football() -> Games:
    """The matches by date; a day's matches are one period, having no order."""
    table = (
        pl.read_csv(RESULTS, null_values="NA")
        .drop_nulls(["home_score", "away_score"])
        .sort("date", maintain_order=True)
    )
    home, away = table["home_score"].to_numpy(), table["away_score"].to_numpy()
    score = np.where(home > away, 1.0, np.where(home < away, 0.0, 0.5))
    return games(score, table["date"].rank("dense").to_numpy() - 1)


def test_even_says_one_half():
    assert Even().whole(games([1, 0, 0.5], [0, 0, 1])).forecast.tolist() == [0.5, 0.5, 0.5]


def test_first_rate_counts_earlier_periods_only():
    forecast = FirstRate(prior=2).whole(games([1, 1, 0, 0.5], [0, 0, 3, 4])).forecast
    assert forecast.tolist() == [1 / 2, 1 / 2, 3 / 4, 3 / 5]


def test_first_rate_counts_by_weight():
    forecast = FirstRate().whole(games([1, 0, 1], [0, 1, 2], weight=np.array([2.0, 0.0, 1.0]))).forecast
    assert forecast.tolist() == [1 / 2, 2.5 / 3, 2.5 / 3]


def test_published_follows_the_logistic_curve_and_has_gaps():
    first, second = np.array([1500.0, 1900.0, math.nan, 0.0]), np.array([1700.0, 1500.0, 1500.0, 1e6])
    forecast = (
        Published().whole(games([1, 1, 1, 1], [0, 1, 2, 3], published_first=first, published_second=second)).forecast
    )
    assert forecast[:2] == pytest.approx([1 / (1 + 10**0.5), 10 / 11], abs=1e-15)
    assert math.isnan(forecast[2])
    assert 0.0 < forecast[3] < 2e-308  # the least that `maths.logistic` gives: exp is held to e**709


def test_published_needs_the_ratings():
    with pytest.raises(InputError, match="expected columns published_first and published_second"):
        Published().whole(games([1], [0]))


@pytest.mark.data
def test_baselines_on_football():
    matches = football()
    assert len(matches.score) == 49_520
    assert log_loss(Even().whole(matches).forecast, matches.score) == pytest.approx(0.69315, abs=5e-6)
    assert log_loss(FirstRate().whole(matches).forecast, matches.score) == pytest.approx(0.6716, abs=5e-4)
