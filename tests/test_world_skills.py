"""Skills of worlds against their own distributions. Each check is wrong once in 16,000: see `world_parts`."""

import math

import numpy as np
import pytest
from scipy import integrate, stats
from world_parts import RARE, near

from ratesim.errors import InputError
from ratesim.rng import Luck
from ratesim.worlds import League
from ratesim.worlds.base import SKILLS
from ratesim.worlds.skills.fide import RATING, SHARE

EXAMPLES = {
    "normal": {"mean": 1600, "sd": 250},
    "uniform": {"low": 1000, "high": 2000},
    "list": {"values": [1400, 1500, 1900], "drawn": True},
    "fide": {},
}


def draw(kind, replicates=5, players=4000, seed=1, **more):
    return SKILLS.build({"kind": kind, **(more or EXAMPLES[kind])}).draw(Luck(seed, range(replicates)), players)


def test_every_kind_has_an_example():
    assert {*SKILLS.kinds()} == {*EXAMPLES}


@pytest.mark.parametrize(
    ("kind", "law"),
    [
        ("normal", stats.norm(1600, 250)),
        ("uniform", stats.uniform(1000, 1000)),
        ("fide", stats.rv_histogram((np.diff(SHARE), RATING), density=False)),
    ],
)
def test_skills_have_their_distribution(kind, law):
    skill = draw(kind)
    assert stats.kstest(skill.ravel(), law.cdf).pvalue > RARE
    assert near(skill.mean(), law.mean(), law.std() / math.sqrt(skill.size))
    fourth = stats.kurtosis(skill.ravel(), fisher=False) - 1
    assert near(skill.var() / law.var(), 1, math.sqrt(fourth / skill.size))


def test_the_list_of_fide_has_the_moments_that_are_written_down():
    mean = integrate.quad(lambda p: np.interp(p, SHARE, RATING), 0, 1, points=SHARE, limit=200)[0]
    square = integrate.quad(lambda p: np.interp(p, SHARE, RATING) ** 2, 0, 1, points=SHARE, limit=200)[0]
    assert round(mean) == 1756
    assert round(math.sqrt(square - mean**2)) == 234
    skill = draw("fide", players=100_000)
    assert 1400 < skill.min() < 1401
    assert 2600 < skill.max() < 2839
    for share, rating in ((0.25, 1570), (0.5, 1715), (0.9, 2060), (0.997, 2500)):
        assert near((skill < rating).mean(), share, math.sqrt(share * (1 - share) / skill.size), checks=4)


def test_a_shift_moves_the_whole_list():
    np.testing.assert_allclose(draw("fide", shift=-200.0), draw("fide") - 200, rtol=1e-15)


def test_a_list_is_gone_through_in_turn():
    skill = draw("list", replicates=2, players=7, values=[1500, 1400, 1900])
    assert skill.tolist() == [[1500, 1400, 1900, 1500, 1400, 1900, 1500]] * 2
    assert draw("list", replicates=1, players=2, values=[1, 2, 3]).tolist() == [[1, 2]]
    assert draw("list", replicates=1, players=3, values=[1700]).tolist() == [[1700] * 3]


def test_a_list_that_is_drawn_from_gives_each_value_its_share():
    skill = draw("list")
    count = [(skill == value).sum() for value in (1400, 1500, 1900)]
    assert sum(count) == skill.size
    assert stats.chisquare(count).pvalue > RARE


def test_without_spread_all_are_alike():
    assert (draw("normal", mean=1700, sd=0) == 1700).all()
    assert (draw("uniform", low=1300, high=1300) == 1300).all()


@pytest.mark.parametrize("kind", EXAMPLES)
def test_a_replicate_alone_is_itself_in_company(kind):
    many, part = draw(kind, replicates=6), SKILLS.build({"kind": kind, **EXAMPLES[kind]})
    np.testing.assert_array_equal(part.draw(Luck(1, [4]), 4000), many[[4]])
    np.testing.assert_array_equal(part.draw(Luck(1, [5, 2]), 4000), many[[5, 2]])
    np.testing.assert_array_equal(part.draw(Luck(1, [4]), 10), many[[4], :10])


@pytest.mark.parametrize("kind", EXAMPLES)
def test_replicates_and_players_are_independent(kind):
    skill = draw(kind, replicates=8)
    between = np.corrcoef(skill)[np.triu_indices(8, 1)]
    assert near(between, 0, 1 / math.sqrt(4000), checks=len(between))
    beside = np.corrcoef(skill[:, :-1].ravel(), skill[:, 1:].ravel())[0, 1]
    assert near(beside, 0, 1 / math.sqrt(skill.size))


def test_a_league_begins_with_them():
    games = League(players=3, rounds=1, skills={"kind": "list", "values": [1300, 1900]}).simulate(1)
    assert games.players["skill"].to_list() == [1300, 1900, 1300]


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ({"kind": "normal", "sd": -1}, "sd = -1; expected a number at least 0"),
        ({"kind": "uniform", "low": 1900}, "low = 1900; expected at most high = 1800 (rating points)"),
        ({"kind": "uniform", "high": 1e6}, "high = 1000000.0; expected a number at least -100000 and at most 100000"),
        ({"kind": "list", "values": [1500, "x"]}, "values"),
        ({"kind": "list", "values": [1500, 1e7]}, "values"),
        ({"kind": "list", "values": []}, "values"),
        ({"kind": "list"}, "missing key 'values'"),
        ({"kind": "fide", "shft": 10}, "unknown key 'shft'; did you mean 'shift'?"),
        ({"kind": "norml"}, "unknown skills 'norml'; did you mean 'normal'?"),
    ],
)
def test_wrong_skills_are_refused_in_one_line(table, said):
    with pytest.raises(InputError) as error:
        SKILLS.build(table)
    assert str(error.value).startswith(said)
    assert "\n" not in str(error.value)
