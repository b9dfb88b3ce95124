import math
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import ratesim as rs
from ratesim.errors import InputError
from ratesim.rng import generator
from ratesim.worlds import WORLDS, League
from ratesim.worlds.outcomes.logistic import draw_share


def logistic(gap):
    return 1 / (1 + 10 ** (-gap / 400))


def davidson(z, nu):
    """Shares of wins, draws and losses, as in Davidson (1970)."""
    wins, losses = math.exp(z / 2), math.exp(-z / 2)
    return np.array([wins, nu, losses]) / (wins + nu + losses)


def within(value, expected, sd, sigmas=4):
    return abs(value - expected) <= sigmas * sd


def test_generators_are_keyed():
    def first(*key):
        return generator(*key).integers(2**62)

    assert first(1, 0, "skills") == first(1, 0, "skills")
    assert len({first(1, 0, "skills"), first(2, 0, "skills"), first(1, 1, "skills"), first(1, 0, "pairing")}) == 4
    assert first(0, 1, "x") != first(1, 0, "x")
    for key in ((-1, 0, "x"), (0, -1, "x")):
        with pytest.raises(InputError, match="expected a whole number, at least 0"):
            generator(*key)


@given(st.floats(-8, 8), st.sampled_from([0.0, 0.3, 0.5, 0.79, 1.0, 2.0, 5.0]))
def test_the_share_of_draws_is_davidsons_where_his_expected_score_is_ours(z, nu):
    wins, draws, _ = davidson(z, nu)
    assert draw_share(wins + draws / 2, nu) == pytest.approx(draws, rel=1e-9, abs=1e-12)


@given(st.floats(1e-9, 1 - 1e-9), st.floats(0, 100))
def test_draws_leave_room_for_the_expected_score(expected, nu):
    share = draw_share(expected, nu)
    assert 0 <= share <= 2 * min(expected, 1 - expected) * (1 + 1e-12)


@pytest.mark.parametrize(("nu", "share"), [(0.5, 0.2), (0.79, 0.79 / 2.79), (1, 1 / 3), (2, 0.5), (0, 0)])
def test_equals_draw_as_davidson_says(nu, share):
    assert draw_share(0.5, float(nu)) == pytest.approx(share, rel=1e-15)


def test_with_nu_2_half_of_what_can_be_drawn_is_drawn():
    for expected in (0.01, 0.3, 0.5, 0.77):
        assert draw_share(expected, 2.0) == pytest.approx(2 * expected * (1 - expected), rel=1e-14)


@pytest.mark.parametrize("edge", [0, 70])
@pytest.mark.parametrize("draw", [0, 0.5, 2])
def test_results_are_those_of_the_truth(draw, edge):
    outcomes = {"kind": "logistic", "draw": draw, "edge": edge}
    games = League(players=200, rounds=2000, outcomes=outcomes).simulate(seed=3)
    truth = logistic(games.skill_first - games.skill_second + edge)
    np.testing.assert_allclose(games.truth, truth, rtol=1e-13)
    draws = np.array([draw_share(e, float(draw)) for e in truth])
    variance = truth * (1 - truth) - draws / 4
    assert within(games.score.sum(), truth.sum(), math.sqrt(variance.sum()))
    for low in np.linspace(0, 0.9, 10):
        bin_ = (truth >= low) & (truth < low + 0.1)
        assert within(games.score[bin_].sum(), truth[bin_].sum(), math.sqrt(variance[bin_].sum()))
        drawn = (games.score[bin_] == 0.5).sum()
        assert within(drawn, draws[bin_].sum(), math.sqrt((draws[bin_] * (1 - draws[bin_])).sum()))
    assert set(np.unique(games.score)) == ({0, 0.5, 1} if draw else {0, 1})


def test_skills_stand_with_the_players_and_beside_every_game():
    games = League(players=400, rounds=20, skills={"kind": "normal", "mean": 1600, "sd": 250}).simulate(seed=5)
    skill = games.players["skill"].to_numpy()
    assert games.n_players == len(skill) == 400
    np.testing.assert_array_equal(games.skill_first, skill[games.first])
    np.testing.assert_array_equal(games.skill_second, skill[games.second])
    np.testing.assert_array_equal(games.paths.skill, np.tile(skill, (21, 1)))


@pytest.mark.parametrize("rounds", [1, 7, 59, 60, 1000])
def test_readings_see_whole_rounds_from_none_to_all(rounds):
    games = League(players=6, rounds=rounds, days=11).simulate(seed=5)
    seen = np.array([each.games.sum() / 2 for each in rs.snapshots(rs.replay(rs.Elo(), games))])
    assert seen[0] == 0
    assert seen[-1] == len(games) == 3 * rounds
    assert (seen % 3 == 0).all()
    assert (np.diff(seen) > 0).all()
    assert len(seen) == min(rounds + 1, len(seen)) <= 60
    assert games.paths.days[-1] == 11


def test_skills_are_read_at_the_end_too():
    changes = [{"kind": "improve", "points": 3, "per": 1.0}]
    league = League(players=6, rounds=5, days=5, changes=changes, skills={"kind": "list", "values": [1500.0]})
    (*_, last) = rs.snapshots(rs.replay(rs.Elo(), league.simulate(seed=5)))
    assert (last.day, set(last.skill.ravel())) == (5, {1515})


def test_pairs_are_uniform():
    games = League(players=6, rounds=10_000).simulate(seed=2)
    count = np.zeros((6, 6))
    np.add.at(count, (games.first, games.second), 1)
    assert count.diagonal().sum() == 0
    off = count[~np.eye(6, dtype=bool)]
    assert ((off - 1000) ** 2 / 1000).sum() < 29 + 4 * math.sqrt(58)


def test_games_are_spread_evenly_and_the_edge_is_firsts():
    games = League(players=5, rounds=4, per_round=2, days=16, outcomes={"kind": "logistic", "edge": 30}).simulate(1)
    assert games.time.tolist() == [1, 3, 5, 7, 9, 11, 13, 15]
    assert games.edge.tolist() == [1] * 8
    assert games.notes == ()
    assert League(players=5, rounds=4).simulate(1).edge is None


def test_events_are_spans_of_time_and_each_replicate_has_its_own():
    league = League(players=4, rounds=6, days=60, events="20d")
    games = league.simulate(1)
    assert games.events == ("0", "1", "2")
    np.testing.assert_array_equal(games.event, np.floor(games.time / 20))
    both = league.simulate(1, replicates=2)
    assert both.events == ("0 #0", "0 #1", "1 #0", "1 #1", "2 #0", "2 #1")
    for row, replicate in enumerate(both.players["replicate"].to_numpy()[both.first]):
        assert both.events[both.event[row]].endswith(f" #{replicate}")
    assert League(players=4, rounds=6).simulate(1).event is None


def test_purposes_do_not_disturb_each_other():
    plain = League(players=10, rounds=10).simulate(1)
    draws = League(players=10, rounds=10, outcomes={"kind": "logistic", "draw": 1, "edge": 40}).simulate(1)
    assert draws.players.equals(plain.players)
    np.testing.assert_array_equal(draws.first, plain.first)
    assert (draws.score != plain.score).any()


def test_another_process_makes_the_same_bytes():
    world = "League(players=30, rounds=9, changes=['walk'], activity=['zipf'], pairing='swiss')"
    code = f"from ratesim.worlds import League; print({world}.simulate(9).digest)"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()
    league = League(players=30, rounds=9, changes=["walk"], activity=["zipf"], pairing="swiss")
    assert said == league.simulate(9).digest


@settings(max_examples=10)
@given(st.integers(2, 6), st.integers(1, 30), st.integers(0, 2**70))
def test_small_worlds_are_streams(players, rounds, seed):
    stream = League(players=players, rounds=rounds).simulate(seed)
    assert len(stream) == rounds * (players // 2)
    assert stream.n_players == players
    assert (stream.first != stream.second).all()


@pytest.mark.parametrize("replicates", [0, -3, "a", 2.0, True])
def test_no_replicates_are_refused(replicates):
    with pytest.raises(InputError, match=f"replicates = {replicates!r}; expected a whole number, at least 1"):
        League(players=4).simulate(1, replicates)


@pytest.mark.parametrize("first", [-1, 1.5, "a"])
def test_a_replicate_that_has_no_whole_number_is_refused(first):
    with pytest.raises(InputError, match=f"replicate = {first!r}; expected a whole number, at least 0"):
        League(players=4).simulate(1, first=first)


@pytest.mark.parametrize("days", [[float("nan")], [1, float("inf")], ["a"], "a", [None], [True]])
def test_ratings_are_read_on_days(days):
    run = rs.replay(rs.Elo(), League(players=4, rounds=3).simulate(1))
    with pytest.raises(InputError, match=r"^day .*; expected a number, days since 1970-01-01$"):
        next(rs.snapshots(run, days))


def test_a_world_says_which_rounds_are_closed_and_which_activity_hardly_matters():
    def notes(**world):
        return League(players=8, rounds=10, days=100, **world).simulate(1).notes

    seasons = {"kind": "seasons", "length": 25, "every": 50}
    assert notes() == notes(activity=["zipf"]) == notes(activity=["seasons"]) == ()
    assert notes(activity=[seasons]) == ("6 of 10 rounds have games, for activity seasons closes the others",)
    alike = "hardly matters: under pairing {} all who are there play each round"
    (note,) = notes(activity=["zipf", "turnover"], pairing="round-robin")
    assert note == f"activity zipf {alike.format('round-robin')}"
    assert notes(activity=["lognormal"], pairing="nearest") == (f"activity lognormal {alike.format('nearest')}",)
    assert notes(activity=["lognormal"], pairing="nearest", per_round=3) == ()
    both = (f"activity {each} {alike.format('swiss')}" for each in ("zipf", "lognormal"))
    assert notes(activity=["zipf", "lognormal"], pairing="swiss") == (*both,)


def test_the_world_is_found_by_name():
    assert WORLDS.build({"kind": "league", "players": 7}) == League(players=7)
    with pytest.raises(InputError, match="did you mean 'league'"):
        WORLDS.find("leagu")


def test_a_world_is_called_by_what_is_not_usual_in_it():
    league = League(players=7, changes=[{"kind": "walk", "sd": 5}, "career"], skills={"kind": "fide", "shift": 10})
    assert league.label == "league players=7 skills=fide(shift=10) changes=[walk(sd=5), career]"
    assert League.parse(league.canonical()) == league
