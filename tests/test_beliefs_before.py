"""Beliefs before each game make its forecast, by the system's own kernel."""

import numpy as np
import polars as pl
import pytest

import ratesim as rs
from ratesim.jit import plain
from ratesim.records import Game
from ratesim.replaying.before import beliefs_before


def stream(games: int = 240, players: int = 12, *, tied: bool, **columns) -> rs.GameStream:
    rng = np.random.default_rng(8)
    first = rng.integers(players, size=games)
    time = np.sort(rng.integers(0, 90, games)) if tied else np.arange(games) * 0.7
    return rs.GameStream.of(
        first=first.astype(str), second=((first + rng.integers(1, players, games)) % players).astype(str),
        score=rng.choice([0, 0.5, 1.0], games), time=18000 + time, edge=rng.choice([0.0, 1.0], games), **columns,
    )  # fmt: skip


SYSTEMS = {
    "elo": (rs.Elo(advantage=30.0), None),
    "elo by season": (rs.Elo(advantage=30.0, reversion=0.4), None),
    "glicko": (rs.Glicko(per="30d"), None),
    "glicko by month": (rs.Glicko(), rs.Months()),
    "glicko2 by month": (rs.Glicko2(), rs.Months()),
    "fide": (rs.FideElo(start=1500), rs.Lists()),
}


@pytest.mark.parametrize("name", SYSTEMS)
@pytest.mark.parametrize("tied", [True, False])
@pytest.mark.interpreted
def test_they_make_the_forecasts(name, tied):
    system, calendar = SYSTEMS[name]
    games = stream(tied=tied, season=np.arange(240) // 100, event=(np.arange(240) // 7 % 30).astype(str))
    start = pl.DataFrame({"player": ["3", "4"], "rating": [1800.0, 1900.0], "since": [np.nan, 18040.0]})
    run = rs.replay(system, games, calendar=calendar, start=None if name == "fide" else start)
    found = beliefs_before(run)
    assert found["rating"].shape == (2, 240)
    kernels = system.kernels()
    predict, p = plain(kernels.predict), kernels.Params(*system.params())
    variance = found["deviation"] ** 2 if "deviation" in found else np.zeros((2, 240))
    more = len(kernels.Belief._fields) - 1
    for g in range(240):
        me, foe = (
            kernels.Belief(np.nan_to_num(found["rating"][side, g]), *[variance[side, g], *[0.0] * 4][:more])
            for side in (0, 1)
        )
        forecast = predict(p, me, foe, Game(games.score[g], games.edge[g], np.nan, 0.0))
        assert forecast == pytest.approx(run.forecast[g], rel=1e-13, nan_ok=True)


def test_a_baseline_believes_nothing():
    assert beliefs_before(rs.replay(rs.Even(), stream(tied=True))) == {}
