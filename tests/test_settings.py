"""Settings that cannot be, and how many are resampled at a time: nothing here plays a game."""

import tracemalloc

import numpy as np
import pytest

import ratesim as rs
from ratesim.errors import InputError
from ratesim.keys import Tune
from ratesim.sweep import Swept
from ratesim.tuning.protocol import tuned
from ratesim.tuning.space import Space
from ratesim.tuning.sums import resampled


@pytest.fixture(scope="module")
def games():
    """Two a day, for 400 days."""
    n = 800
    return rs.GameStream.of(first=["A"] * n, second=["B"] * n, score=[1, 0] * (n // 2), time=np.arange(n) // 2)


BOUNDED = rs.Bounded(policy=rs.Constant(20), least=10.0, most=30.0)
BOUNDS = {"least": rs.Range(10, 40, points=4), "most": rs.Range(15, 30, points=2)}


def lost_by_bounds(pairs, bucket, stop):
    """Return a sweep in which a game costs the more the farther apart the bounds are."""
    games = np.bincount(bucket[:stop][bucket[:stop] >= 0], minlength=bucket[:stop].max() + 1).astype(float)
    return Swept(*(np.array([[p.most - p.least] for _, p in pairs]) ** n * games for n in (1, 0)))


def tune_bounds(games, ranges=BOUNDS, **how):
    space = Space.of(rs.Elo(), BOUNDED, ranges)
    return tuned(space, games, Tune(train=0.6, folds=2, **how), sign=1, seed=1, many=False, sweep=lost_by_bounds)


@pytest.mark.parametrize("how", [{}, {"halving": True}])
def test_settings_that_cannot_be_are_left_out_counted_and_listed(games, how):
    found = tune_bounds(games, **how)
    assert found.settings.select("least", "most").rows() == [(10, 15), (10, 30), (20, 30), (30, 30)]
    assert [each.setting for each in found.impossible] == [(20, 15), (30, 15), (40, 15), (40, 30)]
    assert found.best == {"least": 30, "most": 30}
    (note,) = (each for each in found.notes if "left out" in each)
    why = "bounded: least = 20; expected at most most = 15"
    assert note == f"4 of 8 settings are none and left out, values that do not go together: {why}"
    assert found.canonical()["impossible"][0] == {"values": {"least": 20, "most": 15}, "why": why}


def test_a_search_goes_on_where_settings_cannot_be(games):
    pytest.importorskip("optuna")
    found = tune_bounds(games, {"least": rs.Range(0, 40), "most": rs.Range(0, 40)}, method="optuna", budget=48)
    assert 0 < len(found.impossible) < 48
    assert found.settings.height + len(found.impossible) <= 48
    assert 0 <= found.best["most"] - found.best["least"] < 2


def test_where_no_setting_can_be_tuning_is_refused(games):
    with pytest.raises(InputError) as caught:
        tune_bounds(games, {"least": rs.Range(40, 50, points=2), "most": rs.Range(20, 30, points=3)})
    said = "none of 6 settings of least = 40..50, most = 20..30 goes together (bounded: least = 40; expected at most"
    assert str(caught.value).startswith(said)


def test_few_settings_meet_all_draws_at_a_time_in_little_memory_and_the_same_bytes(monkeypatch):
    random = np.random.default_rng(1)
    lost, rank = Swept(random.random((40, 6)), np.ones((40, 6))), np.arange(40)
    how = {"sign": 1, "rank": rank, "seed": 1, "draws": 20_000, "level": 0.9, "kind": "month"}

    def peak():
        tracemalloc.start()
        found = resampled(lost, 3, **how)
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return found, most

    whole, much = peak()
    monkeypatch.setattr("ratesim.tuning.sums.ROOM", 20_000 * 3)
    again, little = peak()
    assert [each.tobytes() for each in again] == [each.tobytes() for each in whole]
    assert little < much / 4
