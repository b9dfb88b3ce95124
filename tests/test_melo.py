"""mElo: better than Elo where players beat each other in a circle, and Elo where the disc stands still."""

import numpy as np
import pytest

import ratesim as rs

pytestmark = pytest.mark.interpreted


def circle(games: int, seed: int) -> rs.GameStream:
    """Nine players, three of a kind: rock beats scissors, scissors paper, paper rock in 85 of 100 games."""
    rng = np.random.default_rng(seed)
    first, second = np.array([rng.choice(9, 2, replace=False) for _ in range(games)]).T
    chance = np.array([0.5, 0.85, 0.15])[(second - first) % 3]
    score = (rng.random(games) < chance) * 1.0
    return rs.GameStream.of(
        first=first.astype(str), second=second.astype(str), score=score, time=np.arange(games * 1.0)
    )


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_rock_paper_scissors(seed):
    games = circle(3000, seed)
    later = slice(1500, None)
    loss = {}
    for system in (rs.Melo(), rs.Elo()):
        e = rs.replay(system, games).forecast[later]
        loss[system.kind] = -np.mean(np.log(np.where(games.score[later] == 1, e, 1 - e)))
    best = -(2 / 3 * 9 / 8 * (0.85 * np.log(0.85) + 0.15 * np.log(0.15)) + 0.25 * np.log(0.5))
    assert loss["elo"] > 0.69  # it can do no better than a coin
    assert best - 0.05 < loss["melo"] < 0.6


def test_places_stay_where_they_are_told_apart_at_the_highest_pace():
    """Results are coin flips: at a pace of 10 places were beyond 1e100 after 200 games."""
    rng = np.random.default_rng(5)
    sides = np.array([rng.choice(8, 2, replace=False) for _ in range(4000)]).astype(str)
    games = rs.GameStream.of(
        first=sides[:, 0], second=sides[:, 1], score=rng.integers(2, size=4000) * 1.0, time=np.arange(4000.0)
    )
    run = rs.replay(rs.Melo(pace=1.0, reach=100.0), games, policy=rs.Constant(32.0), calendar=rs.PerGame())
    places = run.ratings().select("disc_x", "disc_y").to_numpy()
    assert np.isfinite(run.forecast).all()
    assert np.abs(places).max() < 10.0


def test_a_pace_at_which_places_run_away_is_refused():
    with pytest.raises(rs.InputError, match="pace"):
        rs.Melo(pace=1.01)


def test_without_a_disc_it_is_elo():
    games = circle(60, 4)
    melo, elo = (rs.replay(system, games) for system in (rs.Melo(reach=0.0), rs.Elo()))
    assert melo.forecast == pytest.approx(elo.forecast, abs=1e-15)
    assert melo.ratings()["rating"].to_numpy() == pytest.approx(elo.ratings()["rating"].to_numpy(), abs=1e-10)
