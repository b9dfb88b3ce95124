"""How ratings come near the truth and stay, and how they wander there: by curves known by hand."""

import math

import numpy as np
import polars as pl
import pytest
from test_truth import hand_made, matches, still

from ratesim.analysis.truth import averaged, truth_tables
from ratesim.analysis.truth.reading import reading
from ratesim.analysis.truth.settling import Settling
from ratesim.analysis.truth.settling_figure import settling
from ratesim.replaying.snapshots import Snapshot


def test_settling_of_a_curve_known_by_hand():
    far = [400.0, 300, 200, 100, 0, 0, 0, 0]  # 150 is crossed at 5 games
    back = [400.0, 100, 400, 400, 400, 200, 100, 100]  # within 150 first at 5/3, then at 11
    never = [400.0] * 8
    near = [0.0] * 8
    errors = np.array([far, back, never, near]).T
    balance = -errors.sum(axis=1, keepdims=True) / 400  # so that the best shift is none
    errors = np.hstack([errors, np.repeat(balance, 400, axis=1)])
    skill = np.full(errors.shape[1], 1500.0)
    games = 2 * np.arange(8.0)[:, None] * np.ones(len(skill))
    measure = Settling(within=(150.0,))
    for each in still(skill, 1500 + errors, games):
        measure.see(reading(each))
    (row,) = measure.table().rows(named=True)
    assert row["players"] == 3, "those who are further off than 150 at first"
    assert row["settled"] == pytest.approx(2 / 3)
    assert row["lower"] == pytest.approx(5.0)
    assert row["median"] == pytest.approx(11.0)
    assert row["upper"] is None, "a third of them never comes"
    assert row["first"] == pytest.approx(5.0), "of 5/3, 5 and never"


def test_nobody_who_is_off_makes_no_row():
    lists = ([[1500.0 + off, 1500 - off]] * 2 for off in (60, 120))
    apart = [truth_tables(still([1500.0, 1500], each, np.ones((2, 2))))["settling"] for each in lists]
    assert [each["within"].to_list() for each in apart] == [[50.0], [50.0, 100.0]]
    both = pl.concat([apart[0], apart[1].with_columns(replicate=pl.lit(1, pl.Int64))])
    assert averaged("settling", both).select("within", "replicates").rows() == [(50.0, 2), (100.0, 1)]


def test_who_begins_far_off_does_not_hang_on_who_plays_first():
    skill = np.random.default_rng(8).normal(1500, 200, 300)
    games = np.zeros((3, 300))
    games[0, :2] = 1.0
    games[1:] = 1.0
    (row,) = (
        truth_tables(still(skill, np.full((3, 300), 1500.0), games))["settling"].filter(within=200.0).rows(named=True)
    )
    assert row["players"] == (np.abs(skill - skill.mean()) > 200).sum()


def test_jitter_is_what_a_rating_wanders_by_and_lasting_what_waiting_does_not_take_away():
    random = np.random.default_rng(5)
    bias, noise = random.normal(0, 25, 400), random.normal(0, 40, (60, 400))
    games = 20.0 * np.arange(60)[:, None] * np.ones(400)
    (row,) = truth_tables(still(np.full(400, 1500.0), 1500 + bias + noise, games))["jitter"].rows(named=True)
    rest = (bias + noise)[5:]  # from 100 games on
    assert matches(row, {
        "players": 400, "readings": 55, "jitter": math.sqrt(np.mean(rest.var(axis=0, ddof=1))),
        "lasting": rest.mean(axis=0).std(),
    })  # fmt: skip
    assert row["jitter"] == pytest.approx(40, rel=0.02)


def test_who_has_just_changed_is_not_at_rest():
    """A jump at 200 games: 100 more are played before a rating that has caught up by then is looked at."""
    games = 20.0 * np.arange(30)[:, None] * np.ones(3)
    skill = np.full((30, 3), 1500.0)
    skill[10:, 0] = 1900.0
    rating = np.full((30, 3), 1500.0)
    rating[10:, 0] = np.minimum(1500 + 100.0 * np.arange(20), 1900)
    number = np.array([0], np.int32)
    rows = [Snapshot(float(t), number, rating[[t]], None, games[[t]], skill[[t]]) for t in range(30)]
    (row,) = truth_tables(rows)["jitter"].rows(named=True)
    assert matches(row, {"players": 3, "readings": (2 * 25 + 5 + 15) / 3, "jitter": 0, "lasting": 0})


def test_nobody_rests_whose_skill_moves():
    assert truth_tables(hand_made())["jitter"].is_empty()


def test_a_median_that_is_not_reached_is_said_and_explained():
    games = np.array([[0.0] * 3, [5] * 3, [12] * 3])
    runs = {
        "deaf": truth_tables(still([1300.0, 1500, 1700], np.full((3, 3), 1500.0), games)),
        "keen": truth_tables(still([1300.0, 1500, 1700], [[1500.0] * 3, *[[1300.0, 1500, 1700]] * 2], games)),
    }
    figure = settling(runs)
    near = figure.frame.filter(panel="within 50 points (games)")
    assert near["said"].to_list() == ["deaf: not by the end; 0 % stay", "keen: 4 games; 100 % stay"]
    reason = "fewer than half had come to stay when all was played, after 12 games each on average."
    assert f"Not by the end: in one replicate or more, {reason}" in figure.caption
    assert "Not by the end" not in settling({"keen": runs["keen"]}).caption
