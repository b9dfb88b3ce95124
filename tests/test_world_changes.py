"""Changes of skill against their own formulas. Each check is wrong once in 16,000: see `world_parts`."""

import math

import numpy as np
import pytest
from scipy import stats
from world_parts import RARE, near, paths

from ratesim.errors import InputError
from ratesim.worlds import League
from ratesim.worlds.base import CHANGES
from ratesim.worlds.bounds import YEAR
from ratesim.worlds.changes.jump import poisson

EXAMPLES = {
    "walk": {},
    "ornstein-uhlenbeck": {},
    "improve": {"share": 0.5},
    "jump": {"share": 0.5, "every": 100.0, "sd": 30.0},
    "career": {},
}
NOTHING = {
    "walk": {"sd": 0},
    "ornstein-uhlenbeck": {"sd": 0},
    "improve": {"points": 0},
    "jump": {"points": 0, "every": 5.0},
    "career": {"rise": 0, "decline": 0},
}


def build(kind, **more):
    return CHANGES.build({"kind": kind, **more})


def test_every_kind_has_an_example():
    assert {*CHANGES.kinds()} == {*EXAMPLES}


@pytest.mark.parametrize("rounds", [4, 40])
def test_the_variance_of_a_walk_is_its_time(rounds):
    path = paths(build("walk", sd=35, per="30d"), rounds, 400.0, players=20_000)[:, 0]
    days = np.arange(rounds) * 400 / rounds
    assert (path[0] == 0).all()
    variance = 35**2 * days[1:] / 30
    error = math.sqrt(2 / 20_000)
    assert near(path[1:].var(axis=1) / variance, 1, error, checks=rounds)
    assert near(path[1:].mean(axis=1), 0, np.sqrt(variance / 20_000), checks=rounds)
    assert stats.kstest(path[-1] / math.sqrt(variance[-1]), "norm").pvalue > RARE


def test_steps_of_a_walk_are_independent():
    step = np.diff(paths(build("walk"), 30, 300.0, players=2000)[:, 0], axis=0)
    between = np.corrcoef(step)[np.triu_indices(29, 1)]
    assert near(between, 0, 1 / math.sqrt(2000), checks=len(between))
    assert near(np.corrcoef(step[:, :-1].ravel(), step[:, 1:].ravel())[0, 1], 0, 1 / math.sqrt(29 * 1999))


def test_nobody_walks_before_they_arrive():
    arrives = np.repeat([0.0, 55.0, 1e6], 20_000)  # days
    path = paths(build("walk", sd=10, per="10d"), 10, 100.0, players=60_000, arrives=arrives)[:, 0].reshape(10, 3, -1)
    assert (path[:6, 1] == 0).all()
    assert (path[:, 2] == 0).all()
    assert near(path[6:, 1].var(axis=1) / (10 * (np.array([60, 70, 80, 90]) - 55)), 1, math.sqrt(2 / 20_000), checks=4)


@pytest.mark.parametrize("rounds", [5, 50])
def test_form_has_its_spread_and_its_memory_however_long_the_steps(rounds):
    path = paths(build("ornstein-uhlenbeck", sd=50, half_life="60d"), rounds, 500.0, players=20_000)[:, 0]
    assert near(path.var(axis=1) / 2500, 1, math.sqrt(2 / 20_000), checks=rounds)
    assert near(path.mean(axis=1), 0, 50 / math.sqrt(20_000), checks=rounds)
    found = np.corrcoef(path)[0]
    expected = 2.0 ** (-np.arange(rounds) * (500 / rounds) / 60)
    assert near(found[1:], expected[1:], (1 - expected[1:] ** 2) / math.sqrt(20_000), checks=rounds)
    for at in (0, -1):
        assert stats.kstest(path[at] / 50, "norm").pvalue > RARE


def test_form_is_of_each_player_alone():
    path = paths(build("ornstein-uhlenbeck"), 20, 100.0, replicates=3, players=2000, start=1500.0)
    assert near(np.corrcoef(path[-1])[np.triu_indices(3, 1)], 0, 1 / math.sqrt(2000), checks=3)
    assert near(path[-1].mean(), 1500, 50 / math.sqrt(6000))


def test_form_whose_half_life_is_nothing_is_drawn_afresh_every_round():
    path = paths(build("ornstein-uhlenbeck", sd=50, half_life=1e-6), 3, 30.0, players=20_000)[:, 0]
    assert near(np.corrcoef(path)[np.triu_indices(3, 1)], 0, 1 / math.sqrt(20_000), checks=3)
    assert near(path.var(axis=1) / 2500, 1, math.sqrt(2 / 20_000), checks=3)


def test_improvement_is_steady():
    path = paths(build("improve", points=-6, per="30d"), 100, 500.0, players=3, start=1500.0)[:, 0]
    expected = 1500 - 6 * np.arange(100) * 5 / 30
    np.testing.assert_allclose(path, np.repeat(expected[:, None], 3, axis=1), rtol=1e-13)


def test_a_share_improves_from_arrival_on():
    arrives = np.where(np.arange(1000) % 2, 32.0, 0.0)
    path = paths(build("improve", points=10, per="10d", share=0.3), 10, 100.0, 4, 1000, arrives=arrives)
    improved = path[-1] > 0
    assert (improved.sum(axis=1) == 300).all()
    np.testing.assert_allclose(path[-1][improved], (90 - np.broadcast_to(arrives, (4, 1000)))[improved], rtol=1e-13)
    assert (path[:, ~improved] == 0).all()
    assert not np.array_equal(improved[0], improved[1])


@pytest.mark.parametrize(("at", "first"), [(0, 0), (0.5, 1), (10, 1), (10.5, 2), (90, 9)])
def test_a_jump_shows_in_the_first_round_after_it(at, first):
    path = paths(build("jump", points=200, share=0.25, at=at), 10, 100.0, replicates=2, players=80)
    height = path.max(axis=2)
    assert (height == np.where(np.arange(10) < first, 0, 200)[:, None]).all()
    assert ((path[-1] == 200).sum(axis=1) == 20).all()
    assert {*np.unique(path)} == {0, 200}


def test_jumps_that_come_too_late_or_before_arrival_do_not_come():
    assert (paths(build("jump", at=91.0, share=1.0), 10, 100.0, players=9) == 0).all()
    path = paths(build("jump", at=50.0, share=1.0), 10, 100.0, players=2, arrives=[0.0, 60.0])[-1, 0]
    assert path.tolist() == [200, 0]
    path = paths(build("jump", share=1.0), 10, 100.0, players=2, arrives=[0.0, 60.0])[-1, 0]
    assert path.tolist() == [200, 0]


def test_every_round_boundary_is_crossed_once():
    # 1000/7 is no binary fraction: were the end of one round and the beginning of the next rounded apart, a jump
    # would come twice or never
    for number in range(7):
        path = paths(build("jump", at=number * (1000 / 7), share=1.0), 7, 1000.0)[:, 0, 0]
        assert path.tolist() == [0] * number + [200] * (7 - number)


def test_the_sizes_of_jumps_spread():
    path = paths(build("jump", points=100, sd=40, share=1.0, at=5.0), 2, 20.0, players=20_000)[-1, 0]
    assert near(path.mean(), 100, 40 / math.sqrt(20_000))
    assert near(path.var() / 1600, 1, math.sqrt(2 / 20_000))


@pytest.mark.parametrize("rounds", [3, 60])
def test_random_jumps_have_the_moments_of_a_compound_poisson_process(rounds):
    change = build("jump", points=30, sd=40, share=1.0, every="50d", at="20d")
    path = paths(change, rounds, 600.0, players=20_000)[:, 0]
    days = np.maximum(np.arange(rounds) * 600 / rounds - 20, 0)
    after = days > 0
    assert (path[~after] == 0).all()
    mean, variance = 30 * days[after] / 50, (30**2 + 40**2) * days[after] / 50
    fourth = (30**4 + 6 * 30**2 * 40**2 + 3 * 40**4) * days[after] / 50  # cumulant
    assert near(path[after].mean(axis=1), mean, np.sqrt(variance / 20_000), checks=rounds)
    error = np.sqrt((fourth / variance**2 + 2) / 20_000)
    assert near(path[after].var(axis=1) / variance, 1, error, checks=rounds)


def test_numbers_of_random_jumps_are_poisson():
    path = paths(build("jump", points=1, share=1.0, every="40d"), 30, 90.0, players=20_000)[-1, 0]
    number = np.arange(7)
    share = stats.poisson.pmf(number, 87 / 40)
    expected = 20_000 * np.array([*share, 1 - share.sum()])
    found = np.bincount(np.minimum(path.astype(int), 7), minlength=8)
    assert stats.chisquare(found, expected).pvalue > RARE


@pytest.mark.parametrize("mean", [0.0, 1e-9, 0.3, 2.0, 30.0, 100.0])
def test_poisson_numbers_are_scipys(mean):
    u = np.concatenate([(np.arange(999) + 0.5) / 999, [2.0**-53, 1e-9, 1 - 1e-9]])
    np.testing.assert_array_equal(poisson(u, np.full(u.shape, mean)), stats.poisson.ppf(u, mean))


def test_poisson_numbers_end_even_where_the_sum_never_reaches_u():
    number = poisson(np.array([1 - 2.0**-53, 0.5]), np.array([100.0, 0.0]))
    assert 180 < number[0] <= 299
    assert number[1] == 0


CAREER = build("career", youngest=6, oldest=80, rise=600, middle=13, width=3, turn=40, decline=7)


def lacking(age):
    return 600 * (1 - 1 / (1 + np.exp(-(age - 13) / 3))) + 7 * np.maximum(age - 40, 0)


def test_what_is_lacking_at_an_age_is_the_formula():
    ages = np.linspace(0, 120, 500)
    np.testing.assert_allclose(CAREER.lacking(ages), lacking(ages), rtol=1e-12, atol=1e-12)


def test_a_career_is_the_formula_at_every_age():
    path = paths(CAREER, 41, 41 * YEAR, players=5000, start=2000.0)[:, 0]
    begun = 2000 - path[0]
    ages = np.linspace(6, 80, 200_001)  # what is lacking falls to the age of 40 and rises afterwards
    falls = ages < 38
    young = (begun > lacking(39.0)) & (path[1] > path[0] + 1)
    age = np.interp(-begun[young], -lacking(ages[falls]), ages[falls])
    expected = 2000 - lacking(age + np.arange(41)[:, None])
    np.testing.assert_allclose(path[:, young], expected, atol=0.01)
    assert young.sum() > 500


def test_first_ages_are_uniform():
    change = build("career", youngest=10, oldest=60, rise=0, turn=0, decline=1)
    age = -paths(change, 1, 100.0, players=20_000)[0, 0]
    assert stats.kstest(age, stats.uniform(10, 50).cdf).pvalue > RARE


def test_arrivals_are_young():
    arrives = np.array([0.0, 2.5 * YEAR, 30 * YEAR])
    path = paths(CAREER, 10, 10 * YEAR, players=3, arrives=arrives)[:, 0]
    year = np.arange(10)
    np.testing.assert_allclose(path[:, 1], -lacking(6 + np.maximum(year - 2.5, 0)), rtol=1e-12)
    np.testing.assert_allclose(path[:, 2], -lacking(6.0), rtol=1e-12)


def test_juniors_rise_and_veterans_fall():
    junior = paths(build("career", youngest=8, oldest=8), 20, 20 * YEAR)[:, 0, 0]
    veteran = paths(build("career", youngest=50, oldest=50), 20, 20 * YEAR)[:, 0, 0]
    assert (np.diff(junior) > 0).all()
    assert junior[-1] - junior[0] > 600
    np.testing.assert_allclose(np.diff(veteran), -5, atol=1e-3)


@pytest.mark.parametrize("kind", NOTHING)
def test_no_change_leaves_skills_to_the_last_bit(kind):
    assert (paths(build(kind, **NOTHING[kind]), 6, 100.0, replicates=2, players=30, start=1234.567) == 1234.567).all()


@pytest.mark.parametrize("arrives", [0.0, "schedule", "each"])
@pytest.mark.parametrize("kind", EXAMPLES)
def test_a_replicate_alone_is_itself_in_company(kind, arrives):
    change, days = build(kind, **EXAMPLES[kind]), np.linspace(-50, 300, 5 * 40).reshape(5, 40)
    at = {"schedule": days[:1], "each": days}.get(arrives, np.zeros((1, 1)))
    many = paths(change, 12, 365.0, replicates=5, players=40, arrives=at)
    alone = paths(change, 12, 365.0, replicates=range(3, 4), players=40, arrives=at[[3]] if len(at) > 1 else at)
    np.testing.assert_array_equal(alone[:, 0], many[:, 3])
    assert len(np.unique(many[-1], axis=0)) == 5


@pytest.mark.parametrize("kind", EXAMPLES)
def test_another_seed_is_another_path(kind):
    one, two = (paths(build(kind, **EXAMPLES[kind]), 12, 365.0, players=40, seed=seed) for seed in (1, 2))
    assert (one[-1] != two[-1]).any()


@pytest.mark.parametrize("kind", EXAMPLES)
def test_a_world_of_one_round_changes_nothing_but_its_beginning(kind):
    table = {"kind": kind, **EXAMPLES[kind]}
    games = League(players=10, rounds=1, changes=[table]).simulate(1)
    assert len(games) == 5
    np.testing.assert_array_equal(games.paths.skill[0], games.players["skill"])
    np.testing.assert_array_equal(games.skill_first, games.paths.skill[0][games.first])


def test_changes_add_up():
    start = {"kind": "list", "values": [1500.0]}
    changes = [{"kind": "improve", "points": 3, "per": 10.0}, {"kind": "jump", "points": 50, "share": 1, "at": 45.0}]
    games = League(players=4, rounds=10, days=100.0, skills=start, changes=changes).simulate(1)
    expected = 1500 + 3 * np.arange(11) + np.where(np.arange(11) >= 5, 50, 0)
    np.testing.assert_allclose(games.paths.skill, np.repeat(expected[:, None], 4, axis=1), rtol=1e-13)


def test_two_changes_of_one_kind_have_luck_of_their_own():
    walk = {"kind": "walk", "sd": 30, "per": 10.0}
    world = {"players": 20_000, "rounds": 2, "per_round": 1, "days": 20.0, "skills": {"kind": "list", "values": [0.0]}}
    skill = League(**world, changes=[walk, walk]).simulate(1).paths.skill[1]
    assert near(skill.var() / (2 * 900), 1, math.sqrt(2 / 20_000))


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ({"kind": "walk", "sd": -5}, "sd = -5; expected a number at least 0 and at most 100000 (rating points)"),
        ({"kind": "walk", "per": 0}, "per = 0"),
        ({"kind": "walk", "per": "-3d"}, "per = '-3d'"),
        ({"kind": "ornstein-uhlenbeck", "half_life": 0}, "half_life = 0"),
        ({"kind": "ornstein-uhlenbeck", "sd": -1.5}, "sd = -1.5; expected a number at least 0"),
        ({"kind": "improve", "share": 1.5}, "share = 1.5; expected a number at least 0 and at most 1"),
        ({"kind": "improve", "per": -30}, "per = -30"),
        ({"kind": "jump", "every": -1}, "every = -1.0; expected a number at least 0"),
        ({"kind": "jump", "share": -0.1}, "share = -0.1; expected a number at least 0"),
        ({"kind": "career", "width": 0}, "width = 0; expected a number more than 0"),
        ({"kind": "career", "decline": -3}, "decline = -3; expected a number at least 0"),
        ({"kind": "career", "youngest": 90}, "youngest = 90; expected at most oldest = 70 (years)"),
        ({"kind": "wlak"}, "unknown change of skill 'wlak'; did you mean 'walk'?"),
        ({"kind": "ornstein"}, "unknown change of skill 'ornstein'"),
    ],
)
def test_wrong_changes_are_refused_in_one_line(table, said):
    with pytest.raises(InputError) as error:
        CHANGES.build(table)
    assert str(error.value).startswith(said)
    assert "\n" not in str(error.value)


def test_jumps_beyond_number_are_refused():
    world = League(players=4, rounds=2, days=1000.0, changes=[{"kind": "jump", "every": 1.0}])
    with pytest.raises(InputError, match=r"every = 1; expected at least 5 \(days\), or a walk"):
        world.simulate(1)
