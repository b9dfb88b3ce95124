"""American football beside the ratings and forecasts that 538 published: fivethirtyeight/nfl-elo-game."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

import ratesim as rs
from ratesim.experiment import read
from ratesim.io import read_starts
from ratesim.plan import load

EXPERIMENT = Path(__file__).resolve().parents[1] / "experiments" / "nfl.toml"
DATA = EXPERIMENT.parents[2] / "shared" / "data" / "nfl"
LOSSES = {10: 0.621875, 15: 0.615858, 20: 0.6140119, 25: 0.614668, 30: 0.617035}

pytestmark = pytest.mark.data


@pytest.fixture(scope="module")
def loaded():
    (found,) = load(read(EXPERIMENT, DATA / "nfl_games.csv"))
    return found


@pytest.fixture(scope="module")
def published():
    return pl.read_csv(DATA / "nfl_games.csv")


@pytest.fixture(scope="module")
def system():
    (found,) = (cell.system for cell in read(EXPERIMENT).cells if cell.label == "538, constant k=20")
    return found


@pytest.fixture(scope="module")
def runs(loaded, system):
    pairs = [(system, rs.Constant(k)) for k in LOSSES]
    return dict(zip(LOSSES, rs.replay_many(pairs, loaded.stream, start=loaded.start), strict=True))


def test_the_first_published_ratings_are_the_start_table(loaded):
    told = read_starts(DATA / "nfl_initial_elos.csv", {"player": "team", "rating": "elo"})
    begun = loaded.start.filter(pl.col("since").is_nan()).select("player", "rating")
    assert begun.sort("player").equals(told.sort("player"))
    assert len(loaded.start) == len(told) + 11


def test_every_forecast_is_the_published_one(runs, published):
    assert len(published) == 16_810
    assert np.abs(runs[20].forecast - published["elo_prob1"].to_numpy()).max() < 2e-6


def test_the_tuner_finds_538s_k(loaded, system):
    span = {"k": rs.Range(10, 30, points=21)}
    found = rs.tune(system, loaded.stream, span, start=loaded.start, train=1.0, folds=1, metric=rs.LogLoss(clip=1e-9))
    assert abs(found.best["k"] - 20) <= 2
    told = dict(found.settings.select("k", "loss").iter_rows())
    assert {k: told[k] for k in LOSSES} == pytest.approx(LOSSES, abs=5e-7)


@pytest.mark.parametrize("k", LOSSES)
def test_log_loss_by_k(k, runs):
    score, p = runs[k].stream.score, runs[k].forecast
    loss = -(score * np.log(p) + (1 - score) * np.log(1 - p)).mean()
    assert loss == pytest.approx(LOSSES[k], abs=5e-8 if k == 20 else 5e-7)


def test_other_measures(runs):
    score, p = runs[20].stream.score, runs[20].forecast
    assert ((score - p) ** 2).mean() == pytest.approx(0.2083818, abs=5e-8)
    decided = score != 0.5
    assert decided.sum() == 16_494
    right = ((p > 0.5) == (score > 0.5))[decided].sum()
    assert right == round(0.6654545 * 16_494)  # of which no number of games is nearer: 10,976 are .6654541


def before_each_game(system, stream, start):
    """Return the ratings (G, 2) of both teams before each game, read off games of no weight against a team at 1505."""
    games = stream.to_frame().select("first", "second", "score", "time", "edge", "margin", "season")
    asked = pl.concat([
        games.with_columns(pl.col(side).alias("first"), second=pl.lit("nobody"), edge=0.0)
        for side in ("first", "second")
    ])  # fmt: skip
    both = pl.concat([games.with_columns(weight=pl.lit(1.0)), asked.with_columns(weight=pl.lit(0.0))])
    place = np.argsort(np.argsort(both["time"].to_numpy(), kind="stable"), kind="stable")
    table = pl.concat([start, pl.DataFrame({"player": ["nobody"], "rating": [1505.0]})], how="diagonal")
    run = rs.replay(system, rs.GameStream.of(**both.to_dict()), policy=rs.Constant(20), start=table)
    p = run.forecast[place][len(games) :]
    return 1505 + 400 * np.log10(p / (1 - p)).reshape(2, -1).T


def test_every_rating_is_the_published_one_and_is_not_without_the_exceptions(system, loaded, published):
    told, start = published.select("elo1", "elo2").to_numpy(), loaded.start
    off = np.abs(before_each_game(system, loaded.stream, start) - told).max(axis=1)
    assert off.max() < 0.002  # starts have three decimals
    begun = start.filter(pl.col("since").is_nan()).drop("since")
    off = np.abs(before_each_game(system, loaded.stream, begun) - told).max(axis=1)
    assert (off > 0.01).sum() == 6367
    assert off.max() == pytest.approx(169, abs=0.5)
