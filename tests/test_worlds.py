import math
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from ratesim.errors import InputError
from ratesim.rng import generator
from ratesim.worlds import WORLDS, Static
from ratesim.worlds.static import draw_share


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
    games = Static(players=200, games=200_000, draw=draw, edge=edge).simulate(seed=3)
    advantage = games.edge * edge if edge else 0
    truth = logistic(games.skill_first - games.skill_second + advantage)
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


def test_skills_are_normal_and_stand_with_the_players():
    games = Static(players=4000, games=100, mean=1600, sd=250).simulate(seed=5)
    skill = games.players["skill"].to_numpy()
    assert games.n_players == len(skill) == 4000
    assert within(skill.mean(), 1600, 250 / math.sqrt(4000))
    assert within(skill.std(), 250, 250 / math.sqrt(8000))
    np.testing.assert_array_equal(games.skill_first, skill[games.first])
    np.testing.assert_array_equal(games.skill_second, skill[games.second])


def test_pairs_are_uniform():
    games = Static(players=6, games=30_000).simulate(seed=2)
    count = np.zeros((6, 6))
    np.add.at(count, (games.first, games.second), 1)
    assert count.diagonal().sum() == 0
    off = count[~np.eye(6, dtype=bool)]
    assert ((off - 1000) ** 2 / 1000).sum() < 29 + 4 * math.sqrt(58)


def test_activity_falls_with_the_number_of_a_player():
    games = Static(players=20, games=50_000, activity=1.0).simulate(seed=2)
    number = games.players["player"].str.slice(1).cast(int).to_numpy()
    weight = 1 / number
    pair = np.outer(weight, weight)
    np.fill_diagonal(pair, 0)
    share = pair.sum(axis=1) / pair.sum()
    played = np.bincount(games.first, minlength=20)
    assert (np.abs(played - 50_000 * share) < 4.5 * np.sqrt(50_000 * share * (1 - share))).all()


def test_games_are_spread_evenly_and_edges_alternate():
    games = Static(players=5, games=8, days=16, edge=30).simulate(seed=1)
    assert games.time.tolist() == [0, 2, 4, 6, 8, 10, 12, 14]
    assert games.edge.tolist() == [1, -1] * 4
    assert games.notes == ()
    assert Static(players=5, games=8).simulate(seed=1).edge is None


def test_replicates_differ_and_come_in_any_order():
    world = Static(players=10, games=50)
    digests = [world.simulate(1, replicate).digest for replicate in range(4)]
    assert len(set(digests)) == 4
    assert world.simulate(1, 2).digest == digests[2]
    assert world.simulate(2, 2).digest not in digests


def test_purposes_do_not_disturb_each_other():
    plain = Static(players=10, games=50).simulate(1)
    draws = Static(players=10, games=50, draw=1, edge=40).simulate(1)
    assert draws.players.equals(plain.players)
    np.testing.assert_array_equal(draws.first, plain.first)
    assert (draws.score != plain.score).any()


def test_another_process_makes_the_same_bytes():
    world = "Static(players=30, games=500, draw=0.5, activity=0.7)"
    code = f"from ratesim.worlds import Static; print({world}.simulate(9).digest)"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()
    assert said == Static(players=30, games=500, draw=0.5, activity=0.7).simulate(9).digest


@settings(max_examples=10)
@given(st.integers(2, 6), st.integers(1, 30), st.integers(0, 2**70))
def test_small_worlds_are_streams(players, games, seed):
    stream = Static(players=players, games=games).simulate(seed)
    assert len(stream) == games
    assert stream.n_players == players
    assert (stream.first != stream.second).all()


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ({"players": 1}, "players = 1; expected a number at least 2"),
        ({"games": 0}, "games = 0; expected a number at least 1"),
        ({"sd": -1}, "sd = -1; expected a number at least 0"),
        ({"days": 0}, "days = 0"),
        ({"draw": -0.1}, "draw = -0.1; expected a number at least 0"),
        ({"playrs": 5}, "unknown key 'playrs'; did you mean 'players'?"),
    ],
)
def test_a_wrong_parameter_is_one_line(parameters, said):
    with pytest.raises(InputError) as error:
        Static(**parameters)
    assert str(error.value).startswith(said)


def test_the_world_is_found_by_name():
    assert WORLDS.build({"kind": "static", "players": 7}) == Static(players=7)
    with pytest.raises(InputError, match="did you mean 'static'"):
        WORLDS.find("statik")


def test_who_is_away_plays_before_and_after_a_break_and_not_in_it():
    world = Static(players=40, games=8000, days=1000, away=0.25, stretch="200d")
    games = world.simulate(1)
    inside = np.abs(games.time - 500) <= 100
    played = [
        np.bincount(np.concatenate([games.first[part], games.second[part]]), minlength=40)
        for part in (games.time < 400, inside, games.time > 600)
    ]
    assert (played[1] == 0).sum() == 10
    assert min(played[0].min(), played[2].min()) > 100
    assert inside.sum() == 1601


def test_without_breaks_the_games_are_those_of_a_world_that_has_none():
    breaks, none = (Static(players=40, games=800, away=away, stretch=0).simulate(3) for away in (0.25, 0.0))
    assert breaks.digest == none.digest


@pytest.mark.parametrize("values", [{"away": 0.9}, {"players": 2, "away": 0.5}, {"stretch": "-1d"}])
def test_somebody_must_stay(values):
    with pytest.raises(InputError):
        WORLDS.build({"kind": "static", **values})
