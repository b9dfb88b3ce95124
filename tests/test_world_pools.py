"""Several pools, and one schedule for all replicates."""

import numpy as np
import pytest

from ratesim.errors import InputError
from ratesim.worlds import League
from ratesim.worlds.pools import Pools

THREE = {"names": ["classical", "rapid", "blitz"], "share": [0.5, 0.25, 0.25]}


def test_rounds_take_turns_by_share():
    turns = Pools(**THREE).turns(400)
    assert np.bincount(turns).tolist() == [200, 100, 100]
    for upto in range(1, 401):  # never more than a round away from its share
        assert np.abs(np.bincount(turns[:upto], minlength=3) - upto * np.array([0.5, 0.25, 0.25])).max() < 1


def test_skills_of_pools_correlate_as_stated():
    # 20,000 players: a correlation of .8 has a standard error of .0025; 4 of them, wrong once in 16,000
    world = League(
        players=20_000, rounds=3, per_round=1, skills={"kind": "normal", "sd": 200}, pools={**THREE, "spread": 100}
    )
    skill = world.simulate(seed=1).paths.skill[0]
    found = np.corrcoef(skill.T)
    assert np.abs(found[np.triu_indices(3, 1)] - 0.8).max() < 4 * 0.0025
    assert np.abs(skill.std(axis=0) / np.sqrt(200**2 + 100**2) - 1).max() < 4 / np.sqrt(2 * 20_000)


def test_only_bridges_leave_their_pool():
    world = League(players=1000, rounds=300, per_round=50, pools={**THREE, "bridges": 0.1, "shift": [0, 300, -300]})
    games = world.simulate(seed=2)
    seen = np.zeros((games.n_players, 3), bool)
    for side in (games.first, games.second):
        seen[side, games.pool] = True
    member = ~np.isnan(games.paths.skill[0])
    assert (member | ~seen).all()
    bridges = member.all(axis=1)
    assert (member.sum(axis=1)[~bridges] == 1).all()
    assert abs(bridges.mean() - 0.1) < 4 * np.sqrt(0.09 / 1000)
    home = member[~bridges].argmax(axis=1)
    skill = np.nanmean(games.paths.skill[0][~bridges], axis=1)
    for pool, shift in enumerate((0, 300, -300)):
        assert abs(skill[home == pool].mean() - 1500 - shift) < 4 * 200 / np.sqrt((home == pool).sum())


def test_games_are_played_at_the_skill_of_their_pool():
    world = League(players=50, rounds=9, pools={**THREE, "spread": 100})
    games = world.simulate(seed=3, replicates=2)
    number = np.searchsorted(games.paths.days, games.time, side="right") - 1
    assert games.pools == ("classical", "rapid", "blitz")
    assert (games.skill_first == games.paths.skill[number, games.first, games.pool]).all()
    assert (games.skill_second == games.paths.skill[number, games.second, games.pool]).all()


@pytest.mark.parametrize(
    ("said", "wrong"),
    [
        ({"names": ["a"]}, "pools: names = \\['a'\\]; expected two names of pools at least"),
        ({"names": ["a", "a"]}, "expected two names of pools at least, each once"),
        ({"names": ["a", "b"], "share": [0.5, 0.4]}, "share = \\[0.5, 0.4\\]; expected shares above 0 that sum to 1"),
        ({"names": ["a", "b"], "share": [1.5, -0.5]}, "expected shares above 0 that sum to 1"),
        ({"names": ["a", "b"], "shift": [1]}, "shift = \\[1.0\\]; expected a number for each of 2 pools"),
        ({"names": ["a", "b"], "bridges": 1.5}, "bridges = 1.5; expected a number at least 0 and at most 1"),
    ],
)
def test_bad_pools_are_refused(said, wrong):
    with pytest.raises(InputError, match=wrong):
        League(pools=said)


def test_replicates_can_share_one_schedule():
    world = League(players=40, rounds=20, shared=True)
    games = world.simulate(seed=4, replicates=3)
    own = games.players["replicate"].to_numpy()[games.first]
    first, second, score, skill = (
        [column[own == r] for r in range(3)] for column in (games.first, games.second, games.score, games.skill_first)
    )
    for r in (1, 2):
        assert (first[r] == first[0] + 40 * r).all()
        assert (second[r] == second[0] + 40 * r).all()
        assert (skill[r] != skill[0]).all()
        assert (score[r] != score[0]).any()
    alone = world.simulate(seed=4, replicates=1, first=2)
    assert (alone.first == first[0]).all()
    assert (alone.score == score[2]).all()
