"""Who plays foul, and what it gains, as tables have it."""

import numpy as np
import pytest

import ratesim as rs
from ratesim.analysis.truth import truth_tables
from ratesim.replaying.snapshots import snapshots
from ratesim.worlds.league import League

FARMING = {"kind": "farming", "count": 3, "block": 10}


def world(*stress, **more) -> League:
    return League(players=40, rounds=60, per_round=40, skills={"kind": "normal", "sd": 100}, stress=stress, **more)


def test_the_table_of_players_says_who_is_at_it():
    games = world(FARMING).simulate(seed=1, replicates=4)
    foul = games.players["foul"].to_numpy()
    assert foul.reshape(4, 40).sum(axis=1).tolist() == [3, 3, 3, 3]
    thrown = (games.truth == 0) | (games.truth == 1)
    assert thrown.any()
    assert (foul[games.first] | foul[games.second])[thrown].all()
    assert "foul" not in world().simulate(seed=1).players.columns


def test_several_kinds_add_up():
    both = world(FARMING, {"kind": "engine", "count": 5}).simulate(seed=2, replicates=30)
    count = both.players["foul"].to_numpy().reshape(30, 40).sum(axis=1)
    assert set(count.tolist()) <= {5, 6, 7, 8}
    assert (count > 5).any()


def test_what_it_gains_is_beside_all_others():
    games = world(FARMING).simulate(seed=1, replicates=3)
    run = rs.replay(rs.Elo(), games)
    tables = truth_tables(snapshots(run))
    (row,) = tables["foul"].filter(replicate=2).tail(1).rows(named=True)
    last = list(snapshots(run))[-1]
    error, foul = (last.rating - last.skill)[2], last.foul[2]
    other = error[~foul].mean()
    assert row["players"] == 3
    assert row["rating"] - row["skill"] == pytest.approx(error[foul].mean(), abs=1e-9)
    assert [row["ahead"], row["best"]] == pytest.approx([error[foul].mean() - other, error[foul].max() - other])
    assert row["ahead"] < 0  # who throws games stands too low


def test_where_nobody_plays_foul_there_is_no_row():
    tables = truth_tables(snapshots(rs.replay(rs.Elo(), world().simulate(seed=1))))
    assert tables["foul"].is_empty()


def test_ratings_by_pool_stand_beside_the_skill_in_that_pool():
    pools = {"names": ["slow", "fast"], "spread": 300.0, "bridges": 0.5}
    games = world(FARMING, pools=pools).simulate(seed=3, replicates=2)
    (*_, last) = snapshots(rs.replay(rs.Elo(), games, by_pool=True))
    assert last.rating.shape == last.skill.shape == last.foul.shape == (2, 80)
    assert np.array_equal(last.skill.reshape(80, 2), games.paths.skill[-1], equal_nan=True)
    assert (last.foul.reshape(2, 40, 2).all(axis=2) == games.players["foul"].to_numpy().reshape(2, 40)).all()
    played = np.isfinite(last.skill) & (last.games > 20)
    assert np.corrcoef(last.rating[played], last.skill[played])[0, 1] > 0.7
