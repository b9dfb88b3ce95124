"""DWZ: how E hangs on rating, age and events, and what an event then moves."""

import pytest

import ratesim as rs
from ratesim.jit import plain
from ratesim.systems.dwz import Belief, Evidence, Params, absorb, development

pytestmark = pytest.mark.interpreted


def params(age):
    return Params(*rs.Dwz(age=age).params())


@pytest.mark.parametrize(
    ("age", "rating", "index", "surplus", "e"),
    [
        ("senior", 1500, 9, 1.0, 20),  # 5.06 + 15
        ("junior", 1500, 9, 1.0, 15),
        ("youth", 1500, 9, 1.0, 8),  # 10.06 x 0.75
        ("youth", 2100, 9, 1.0, 24),  # no faster from 2000 on: 19.45 + 5
        ("senior", 2500, 9, -1.0, 30),
        ("senior", 1500, 1, 1.0, 5),  # of a first event
        ("senior", 1500, 0, 1.0, 5),
        ("senior", 1500, 3, 1.0, 15),
        ("youth", 1000, 9, 1.0, 5),
        ("youth", 1150, 9, -0.1, 6),  # (1.749 + 5) 0.575 + e - 1
        ("youth", 400, 9, 0.0, 150),
        ("senior", 400, 9, -1.0, 15),  # none but the youth are slowed
    ],
)
def test_e(age, rating, index, surplus, e):
    assert plain(development)(params(age), Belief(rating, index), surplus) == e


def test_an_event_of_a_child_as_printed():
    """randspringer.de: 6.5 points of 7 where 5.146 were expected take 1011 to 1101."""
    found = plain(absorb)(params("youth"), Belief(1011.0, 4.0), Evidence(7.0, 6.5 - 5.146), 0.0, None)
    assert round(found.rating) == 1101
    assert found.events == 5


def test_every_event_counts_for_the_index_and_idle_months_do_not():
    games = rs.GameStream.of(first=["A"] * 3, second=["B"] * 3, score=[1, 0, 0.5], time=[0.0, 1.0, 100.0])
    assert rs.replay(rs.Dwz(), games).ratings()["index"].to_list() == [2.0, 2.0]
