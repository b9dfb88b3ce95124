"""A world that is easy to rate: every system ranks players nearly as they are, and none knows more than the truth."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import spearmanr

import ratesim as rs
from ratesim.worlds import League
from ratesim.worlds.outcomes import Logistic
from ratesim.worlds.skills import Normal

PLAYERS, REPLICATES, MEAN = 40, 4, 2200.0
UNRANKED = {"even", "first-rate", "published"}  # baselines that keep no ratings of their own
QUICK = UNRANKED | {"elo", "fide", "glicko2", "bradley-terry"}  # no engine but theirs is compiled for this
SYSTEMS = {kind: system for kind, system in rs.SYSTEMS.kinds().items() if system.__module__.startswith("ratesim.")}


@pytest.fixture(scope="module")
def games():
    """Skills that stand still, lie far apart and above FIDE's floor; 200 games a player; ratings by who knows."""
    skills, outcomes = Normal(mean=MEAN, sd=250), Logistic(draw=0.5)
    world = League(players=PLAYERS, rounds=200, days=800, skills=skills, outcomes=outcomes, performances=True)
    stream = world.simulate(5, REPLICATES)
    return replace(stream, published_first=stream.skill_first, published_second=stream.skill_second)


@pytest.fixture(
    scope="module", params=[pytest.param(kind, marks=() if kind in QUICK else pytest.mark.slow) for kind in SYSTEMS]
)
def run(request, games):
    system = rs.FideElo(start=MEAN) if request.param == "fide" else SYSTEMS[request.param]()
    return rs.replay(system, games)


def test_every_system_ranks_players_nearly_as_they_are(run):
    ratings = run.ratings()
    assert ("rating" in ratings.columns) is (run.system.kind not in UNRANKED)
    if "rating" not in ratings.columns:
        return
    table = run.stream.players.select("player", "replicate", "skill").join(ratings, on="player", how="left")
    assert table.height == PLAYERS * REPLICATES
    for _, pool in table.group_by("replicate"):
        assert spearmanr(pool["rating"], pool["skill"]).statistic > 0.9


def test_nobody_beats_the_oracle_by_more_than_noise(run):
    """Losses over the oracle's are at least 0 on average, whatever was played before: a martingale and more.

    Its standard error is at most that of the sum of squares. Four of them: a system that cannot see what is to come
    fails with a chance of 3.2e-5. One that reads the skills themselves is the oracle, up to rounding.
    """
    oracle = rs.log_loss(run.stream.truth, run.stream.score)
    over = (rs.log_loss(run.forecast, run.stream.score) - oracle)[~np.isnan(run.forecast)]
    assert len(over) > len(oracle) / 2
    assert over.sum() > -4 * np.sqrt((over**2).sum()) - 1e-9


def test_who_sees_the_result_does_beat_it(games):
    """The test above can fail: a forecast that leans a little to what will come is seen."""
    seen = 0.9 * games.truth + 0.1 * games.score
    over = rs.log_loss(seen, games.score) - rs.log_loss(games.truth, games.score)
    assert over.sum() < -4 * np.sqrt((over**2).sum())
