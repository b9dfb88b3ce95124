"""Who plays, how much and when, against their own formulas. Each check is wrong once in 16,000: see `world_parts`."""

import math

import numpy as np
import pytest
from scipy import stats
from world_parts import RARE, moment, near

from ratesim.errors import InputError
from ratesim.rng import Luck
from ratesim.worlds import League
from ratesim.worlds.base import ACTIVITIES
from ratesim.worlds.bounds import YEAR

EXAMPLES = {
    "zipf": {},
    "lognormal": {},
    "breaks": {"share": 0.5, "length": 100.0, "when": "random"},
    "seasons": {"length": 100.0, "together": False},
    "turnover": {"stay": 200.0},
}


def build(kind, **more):
    return ACTIVITIES.build({"kind": kind, **more})


def weights(kind, rounds=10, span=1000.0, replicates=1, players=1000, seed=1, **more):
    """Return the weights (T, R, N) of all rounds, and what is remembered."""
    luck = Luck(seed, replicates if isinstance(replicates, range) else range(replicates))
    part = build(kind, **more)
    memory = part.begin(luck, players, moment(0, rounds, span))
    found = [part.weight(memory, luck, moment(number, rounds, span)) for number in range(rounds)]
    return np.array([np.broadcast_to(each, (len(luck), players)) for each in found]), memory


def counts(games):
    return np.bincount(np.concatenate([games.first, games.second]), minlength=games.n_players)


def test_every_kind_has_an_example():
    assert {*ACTIVITIES.kinds()} == {*EXAMPLES}


@pytest.mark.parametrize("exponent", [0, 0.5, 1, 2.5])
def test_zipfs_weights_are_powers_of_rank(exponent):
    weight, _ = weights("zipf", rounds=2, replicates=3, exponent=exponent)
    expected = np.arange(1, 1001.0) ** -exponent
    np.testing.assert_allclose(-np.sort(-weight[0], axis=1), np.tile(expected, (3, 1)), rtol=1e-14)
    np.testing.assert_array_equal(weight[0], weight[1])


def test_ranks_are_dealt_at_random():
    weight, _ = weights("zipf", rounds=1, replicates=4000, players=8)
    for best in (weight[0].argmax(axis=1), weight[0].argmin(axis=1)):
        assert stats.chisquare(np.bincount(best, minlength=8)).pvalue > RARE


@pytest.mark.parametrize("activity", [{"kind": "zipf", "exponent": 0.8}, {"kind": "lognormal", "sigma": 0.7}])
def test_games_per_player_are_in_proportion_to_weights(activity):
    world = League(players=40, rounds=100, per_round=1000, activity=[activity])
    part = ACTIVITIES.build(activity)
    luck = Luck(5, [0]).under("activity 0")
    weight = part.begin(luck, 40, moment(0, 100, 1000.0))["weight"][0]
    pair = np.outer(weight, weight)  # two of weights a and b meet in proportion to a b
    np.fill_diagonal(pair, 0)
    share = 2 * pair.sum(axis=1) / pair.sum()  # of games that a player is in
    found, games = counts(world.simulate(5)), 100_000
    assert near(found / games, share, np.sqrt(share * (1 - share) / games), checks=40)


@pytest.mark.parametrize("sigma", [0.3, 1.0])
def test_log_normal_weights_have_mean_1_and_their_variance(sigma):
    weight, _ = weights("lognormal", rounds=1, replicates=4, players=50_000, sigma=sigma)
    law = stats.lognorm(sigma, scale=math.exp(-(sigma**2) / 2))
    assert law.mean() == pytest.approx(1)
    assert law.var() == pytest.approx(math.exp(sigma**2) - 1)
    assert stats.kstest(weight.ravel(), law.cdf).pvalue > RARE
    assert near(weight.mean(), 1, law.std() / math.sqrt(weight.size))
    logs = np.log(weight)
    assert near(logs.var() / sigma**2, 1, math.sqrt(2 / weight.size))


def test_without_spread_all_play_alike():
    assert (weights("lognormal", sigma=0)[0] == 1).all()
    assert (weights("zipf", exponent=0)[0] == 1).all()
    assert (weights("breaks", share=0)[0] == 1).all()
    assert (weights("breaks", length=0)[0] == 1).all()
    assert (weights("seasons", length="1y")[0] == 1).all()
    assert (weights("turnover", newcomers=0)[0] == 1).all()


@pytest.mark.parametrize(("share", "players", "away"), [(0.2, 1000, 200), (0.29, 100, 29), (0.5, 3, 2), (1, 7, 7)])
def test_the_share_that_takes_a_break_is_exact(share, players, away):
    weight, _ = weights("breaks", replicates=5, players=players, share=share, length=300.0)
    assert ((weight == 0).any(axis=0).sum(axis=1) == away).all()


def test_breaks_in_the_middle_are_of_the_rounds_that_open_in_them():
    weight, _ = weights("breaks", rounds=100, players=10, share=0.4, length=200.0)
    away = (weight[:, 0] == 0).sum(axis=1)
    assert away.tolist() == [4 if 40 <= number < 60 else 0 for number in range(100)]
    whole, _ = weights("breaks", rounds=10, players=10, share=0.4, length=1000.0)
    assert ((whole[:, 0] == 0).sum(axis=1) == 4).all()


def test_breaks_at_random_are_whole_and_anywhere():
    weight, memory = weights("breaks", rounds=1000, players=5000, share=0.6, length=250.0, when="random")
    begins = memory["away"][np.isfinite(memory["away"])]
    assert len(begins) == 3000
    assert stats.kstest(begins, stats.uniform(0, 750).cdf).pvalue > RARE
    away = (weight[:, 0] == 0).sum(axis=0)
    assert {*np.unique(away)} <= {0, 250, 251}
    left, returned = ((np.diff(weight[:, 0], axis=0) == step).sum() for step in (-1, 1))
    assert left == 3000
    assert returned == (np.ceil(begins + 250) < 1000).sum()


def test_nobody_plays_in_a_break_and_all_return():
    games = League(players=20, rounds=100, per_round=40, activity=[{"kind": "breaks", "share": 0.3}]).simulate(1)
    inside = np.abs(opened(games, 10) - 500) <= 182
    played = [counts_of(games, part) for part in (games.time < 300, inside, games.time > 700)]
    assert (played[1] == 0).sum() == 6
    assert min(played[0].min(), played[2].min()) > 50
    assert not np.isnan(games.paths.skill).any()


def opened(games, days):
    """Return the day on which the round of each game opened."""
    return np.floor(games.time / days + 1e-9) * days


def counts_of(games, part):
    return np.bincount(np.concatenate([games.first[part], games.second[part]]), minlength=games.n_players)


@pytest.mark.parametrize("opens", [0.0, 30.0, 400.0])
def test_a_season_is_a_part_of_every_year(opens):
    rounds = np.arange(2000) * 0.5 * YEAR / 365
    weight, _ = weights("seasons", rounds=2000, span=1000 * YEAR / 365, players=3, length="6mo", opens=opens)
    into = (rounds - opens) % YEAR
    clear = np.minimum.reduce([into, YEAR - into, np.abs(into - YEAR / 2)]) > 0.01
    np.testing.assert_array_equal(
        weight[clear], np.broadcast_to((into < YEAR / 2)[clear, None, None], (clear.sum(), 1, 3))
    )
    assert weight.mean() == pytest.approx(0.5, abs=0.2)


def test_players_with_seasons_of_their_own_are_there_in_their_share():
    weight, _ = weights("seasons", rounds=40, players=20_000, length=100.0, every=400.0, together=False)
    assert near(weight[:, 0].mean(axis=1), 0.25, math.sqrt(0.25 * 0.75 / 20_000), checks=40)
    assert ((weight[:, 0].sum(axis=0) >= 7) & (weight[:, 0].sum(axis=0) <= 13)).all()


def test_rounds_out_of_season_have_no_games():
    season = {"kind": "seasons", "length": 50.0, "every": 100.0}
    games = League(players=10, rounds=20, per_round=5, days=200.0, activity=[season]).simulate(1, 2)
    assert len(games) == 2 * 5 * 10
    assert {*np.unique(games.time // 10).astype(int)} == {0, 1, 2, 3, 4, 10, 11, 12, 13, 14}


def test_newcomers_are_as_many_as_stated_and_come_at_any_time():
    _, memory = weights("turnover", replicates=5, players=4000, newcomers=0.75)
    assert ((memory["arrives"] > 0).sum(axis=1) == 3000).all()
    assert np.isinf(memory["leaves"]).all()
    later = memory["arrives"][memory["arrives"] > 0]
    assert stats.kstest(later, stats.uniform(0, 1000).cdf).pvalue > RARE
    by_day = np.array([(later < day).sum() for day in (100, 500, 900)])
    share = np.array([0.1, 0.5, 0.9])
    assert near(by_day / len(later), share, np.sqrt(share * (1 - share) / len(later)), checks=3)


def test_who_comes_later_is_drawn_at_random():
    _, memory = weights("turnover", replicates=4000, players=8, newcomers=0.5)
    by_player = (memory["arrives"] > 0).mean(axis=0)
    assert near(by_player, 0.5, 0.5 / math.sqrt(4000), checks=8)


def test_players_stay_for_an_exponential_time():
    _, memory = weights("turnover", replicates=5, players=4000, stay=150.0)
    stayed = (memory["leaves"] - memory["arrives"]).ravel()
    assert stats.kstest(stayed, stats.expon(scale=150).cdf).pvalue > RARE
    assert near(stayed.mean(), 150, 150 / math.sqrt(stayed.size))
    assert near(np.corrcoef(stayed, memory["arrives"].ravel())[0, 1], 0, 1 / math.sqrt(stayed.size))


@pytest.mark.parametrize(("newcomers", "stay"), [(0.5, 1000.0), (0.8, 250.0), (0.2, 100.0), (1.0, 300.0)])
def test_as_many_are_there_as_the_formula_says(newcomers, stay):
    weight, _ = weights("turnover", rounds=20, replicates=50, players=1000, newcomers=newcomers, stay=stay)
    day = np.arange(20) * 50
    first = np.exp(-day / stay)  # who was there at first and still is
    later = stay / 1000 * (1 - first)
    expected = (1 - newcomers) * first + newcomers * later
    variance = (1 - newcomers) * first * (1 - first) + newcomers * later * (1 - later)
    assert near(weight.mean(axis=(1, 2)), expected, np.sqrt(variance / 50_000), checks=20)
    if stay == 1000 * (1 - newcomers) / newcomers:
        np.testing.assert_allclose(expected, 1 - newcomers)  # steady


def test_nobody_plays_or_has_a_skill_before_arrival_or_after_leaving():
    turnover = {"kind": "turnover", "newcomers": 0.5, "stay": 500.0}
    world = League(players=60, rounds=50, per_round=60, changes=["walk"], activity=[turnover])
    games = world.simulate(3, 2)
    luck = Luck(3, range(2)).under("activity 0")
    memory = build("turnover", newcomers=0.5, stay=500.0).begin(luck, 60, moment(0, 50, 1000.0))
    arrives, leaves = memory["arrives"].ravel(), memory["leaves"].ravel()
    day = opened(games, 20)
    for side in (games.first, games.second):
        assert (day >= arrives[side]).all()
        assert (day < leaves[side]).all()
    day = games.paths.days[:, None]
    np.testing.assert_array_equal(np.isnan(games.paths.skill), ~((arrives <= day) & (day < leaves)))
    start = games.players["skill"].to_numpy()
    for player in np.flatnonzero((arrives > 0) & (arrives < leaves - 40) & (arrives < 900))[:10]:
        first = np.flatnonzero(~np.isnan(games.paths.skill[:, player]))[0]
        walked = games.paths.skill[first, player] - start[player]
        assert near(walked, 0, 35 * math.sqrt((games.paths.days[first] - arrives[player]) / 30), checks=10)


def test_by_two_activities_those_are_there_who_are_by_both():
    turnovers = [{"kind": "turnover", "newcomers": 0.5}, {"kind": "turnover", "newcomers": 0.4, "stay": 400.0}]
    games = League(players=200, rounds=20, per_round=200, activity=turnovers, changes=["walk"]).simulate(1)
    found = [build(**turnover).begin(Luck(1, [0]).under(f"activity {k}"), 200, moment(0, 20, 1000.0))
             for k, turnover in enumerate(turnovers)]  # fmt: skip
    arrives = np.maximum(*(memory["arrives"][0] for memory in found))
    leaves = np.minimum(*(memory["leaves"][0] for memory in found))
    day = games.paths.days[:, None]
    np.testing.assert_array_equal(~np.isnan(games.paths.skill), (arrives <= day) & (day < leaves))


def test_a_pool_that_everybody_has_left_is_refused():
    world = League(players=4, rounds=10, activity=[{"kind": "turnover", "newcomers": 0, "stay": 1e-6}])
    with pytest.raises(InputError, match="fewer than two players are there"):
        world.simulate(1)


@pytest.mark.parametrize("kind", EXAMPLES)
def test_a_replicate_alone_is_itself_in_company(kind):
    many, _ = weights(kind, replicates=5, players=50, **EXAMPLES[kind])
    alone, _ = weights(kind, replicates=range(3, 4), players=50, **EXAMPLES[kind])
    np.testing.assert_array_equal(alone[:, 0], many[:, 3])
    assert len(np.unique(many.transpose(1, 0, 2).reshape(5, -1), axis=0)) == 5


def test_a_world_alone_is_itself_in_company():
    world = League(
        players=30, rounds=20, days="2y", skills="fide", changes=["career", "walk"],
        activity=["zipf", "lognormal", {"kind": "turnover", "newcomers": 0.3, "stay": "2y"}],
    )  # fmt: skip
    many, alone = world.simulate(7, 4), world.simulate(7, 1, first=2)
    mine = many.first // 30 == 2
    for name in ("score", "truth", "skill_first", "skill_second", "time"):
        np.testing.assert_array_equal(getattr(alone, name), getattr(many, name)[mine])
    np.testing.assert_array_equal(alone.first, many.first[mine] - 60)
    np.testing.assert_array_equal(alone.paths.skill, many.paths.skill[:, 60:90])


def test_activities_multiply():
    zipf, breaks = {"kind": "zipf", "exponent": 1.0}, {"kind": "breaks", "share": 0.5}
    games = League(players=10, rounds=50, per_round=200, activity=[zipf, breaks]).simulate(2)
    inside = np.abs(opened(games, 20) - 500) <= 182
    assert (counts_of(games, inside) == 0).sum() == 5
    outside = counts_of(games, ~inside)
    assert outside.max() > 4 * outside.min() > 0


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ({"kind": "zipf", "exponent": -1}, "exponent = -1; expected a number at least 0 and at most 10 (exponent)"),
        ({"kind": "lognormal", "sigma": -0.5}, "sigma = -0.5; expected a number at least 0"),
        ({"kind": "breaks", "share": 1.1}, "share = 1.1; expected a number at least 0 and at most 1 (share)"),
        ({"kind": "breaks", "length": -5}, "length = -5.0; expected a number at least 0"),
        ({"kind": "breaks", "when": "middel"}, "when = 'middel'; did you mean 'middle'?"),
        ({"kind": "seasons", "length": 0}, "length = 0.0; expected a number more than 0"),
        ({"kind": "seasons", "length": "2y"}, "length = 730.485; expected at most every = 365.243 (days)"),
        ({"kind": "turnover", "stay": -1}, "stay = -1.0; expected a number at least 0"),
        ({"kind": "turnover", "newcomers": 2}, "newcomers = 2; expected a number at least 0 and at most 1"),
        ({"kind": "turnovr"}, "unknown activity 'turnovr'; did you mean 'turnover'?"),
    ],
)
def test_wrong_activities_are_refused_in_one_line(table, said):
    with pytest.raises(InputError) as error:
        ACTIVITIES.build(table)
    assert str(error.value).startswith(said)
    assert "\n" not in str(error.value)


def test_breaks_longer_than_the_world_are_refused():
    world = League(players=10, rounds=5, days=100.0, activity=["breaks"])
    with pytest.raises(InputError, match=r"length = 365; expected at most the 100 days of the world"):
        world.simulate(1)
