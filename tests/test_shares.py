"""Shares of wins, draws and losses by forecast."""

import numpy as np
import polars as pl
import pytest
from scipy import stats

import ratesim as rs
from ratesim.analysis import EmptyFigureError, calibration, shares
from ratesim.plots import draw

RANDOM = np.random.default_rng(1)
FORECAST = RANDOM.uniform(size=5000)
SCORE = RANDOM.choice([0, 0.5, 1], 5000)


def test_shares_are_counts_of_each_bin():
    frame = shares({"a": FORECAST}, SCORE, bins=4).frame
    assert frame["line"].unique(maintain_order=True).to_list() == ["win", "draw", "loss"]
    for row in frame.rows(named=True):
        here = np.floor(FORECAST * 4) == 4 * row["from"]
        of = SCORE[here] == {"win": 1, "draw": 0.5, "loss": 0}[row["line"]]
        assert row["n"] == here.sum()
        assert row["x"] == pytest.approx(FORECAST[here].mean(), rel=1e-12)
        assert row["y"] == pytest.approx(of.mean(), rel=1e-12)
        interval = stats.binomtest(int(of.sum()), int(here.sum())).proportion_ci(method="wilson")
        assert (row["low"], row["high"]) == pytest.approx((interval.low, interval.high), rel=1e-9)


def test_wins_and_half_the_draws_are_the_score_that_calibration_tells():
    shown = shares({"a": FORECAST, "b": FORECAST**2}, SCORE).frame
    worth = pl.col("y") * pl.col("line").replace_strict({"win": 1.0, "draw": 0.5, "loss": 0.0})
    scored = shown.group_by("panel", "from", maintain_order=True).agg(worth.sum(), whole=pl.col("y").sum())
    told = calibration({"a": FORECAST, "b": FORECAST**2}, SCORE).frame
    assert scored["y"].to_list() == pytest.approx(told["score"].to_list(), abs=1e-12)
    assert scored["whole"].to_list() == pytest.approx([1.0] * len(scored), abs=1e-12)


def test_a_weight_of_two_is_two_games_and_missing_forecasts_and_odd_scores_are_no_game():
    twice = shares({"a": [0.2, 0.8]}, [1, 0], [2, 0])
    assert twice.frame.equals(shares({"a": [0.2, 0.2, np.nan, 0.3]}, [1, 1, 1, 0.25]).frame)
    assert twice.frame["n"].to_list() == [2, 2, 2]
    assert twice.frame["y"].to_list() == [1, 0, 0]
    assert "over 2 games" in twice.caption


def test_without_a_game_there_is_no_figure():
    with pytest.raises(EmptyFigureError, match="no game won, drawn or lost is forecast"):
        shares({"a": [np.nan]}, [1])
    with pytest.raises(rs.errors.InputError, match="bins = 0; expected at least 1"):
        shares({"a": [0.5]}, [1], bins=0)


def test_a_panel_a_run_with_three_lines():
    figure = draw(shares({"a": FORECAST, "b": FORECAST}, SCORE))
    panels = [axes for axes in figure.axes if axes.get_title("left") in {"a", "b"}]
    assert [len(axes.lines) for axes in panels] == [4, 4]  # and the diagonal
