"""Glicko-Boost: how deviations grow and are widened, and that five judgings are what the paper's five steps are."""

import pytest

import ratesim as rs
from ratesim.jit import plain
from ratesim.systems.glicko_boost_kernels import Params, boost
from ratesim.systems.glicko_kernels import Evidence

pytestmark = pytest.mark.interpreted
# Table 3: columns Final and "RD time increase" of its eight players; two more from elsewhere in the literature.
GROWN = [
    (2230, 103.4, 105.0, 0.1), (2338, 71.0, 73.3, 0.1), (2385, 107.2, 108.8, 0.1), (2211, 63.7, 66.3, 0.1),
    (2287, 77.5, 79.7, 0.1), (2082, 120.7, 122.0, 0.1), (2236, 47.5, 50.9, 0.1), (2330, 112.2, 113.7, 0.1),
    (1302.2, 62.0, 64.6694442, 6e-8), (2720, 41.3, 45.0, 0.5),
]  # fmt: skip


def quiet(rating, deviation):
    """Two players who have just played a game that says nothing."""
    games = rs.GameStream.of(first=["A"], second=["B"], score=[0.5], time=[0.0], weight=[1e-14])
    start = {name: {"rating": rating, "deviation": deviation} for name in "AB"}
    return rs.replay(rs.GlickoBoost(), games, calendar=rs.Every(days=1), start=start)


@pytest.mark.parametrize(("rating", "deviation", "grown", "printed"), GROWN)
def test_a_deviation_grows_in_a_period_by_its_size_and_the_rating(rating, deviation, grown, printed):
    found = quiet(rating, deviation).history([1.0])["deviation"].to_list()
    assert found == pytest.approx([grown] * 2, abs=printed)


def test_idle_periods_each_add_what_the_first_does():
    run = quiet(1302.2, 62.0)
    one, three = (run.history([day])["deviation"][0] for day in (1.0, 3.0))
    assert three**2 - 62.0**2 == pytest.approx(3 * (one**2 - 62.0**2), rel=1e-9)


def test_a_deviation_is_widened_by_what_z_is_above_196():
    p = Params(*rs.GlickoBoost().params())
    assert plain(boost)(p, 98.6**2, Evidence(6.0, 3.6720288, 1.0)) ** 0.5 == pytest.approx(
        150.0958479, abs=1e-6
    )  # of a rounded Z
    assert plain(boost)(p, 98.6**2, Evidence(6.0, 1.96, 1.0)) == 98.6**2


def test_without_widening_the_fourth_and_fifth_step_are_the_first_and_second():
    """Nobody is exceptional, or nobody is widened: the same ratings."""
    games = rs.GameStream.of(first=["A", "A", "B"], second=["B", "C", "C"], score=[1, 1, 1], time=[0.0] * 3)
    never, none = (
        rs.replay(rs.GlickoBoost(**how), games, calendar=rs.Whole()).ratings().sort("player")
        for how in ({"exceptional": 100.0}, {"exceptional": 0.0, "b1": 0.0, "b2": 0.0})
    )
    assert never["rating"].to_list() == pytest.approx(none["rating"].to_list(), abs=1e-9)
    assert never["deviation"].to_list() == pytest.approx(none["deviation"].to_list(), abs=1e-9)


def test_an_exceptional_month_moves_a_rating_further():
    games = rs.GameStream.of(first=["A"] * 4, second=list("BCDE"), score=[1] * 4, time=[0.0] * 4)
    start = {name: {"rating": 1500, "deviation": 80} for name in "ABCDE"}
    widened, plain_one = (
        dict(
            rs.replay(system, games, calendar=rs.Whole(), start=start).ratings().select("player", "rating").iter_rows()
        )
        for system in (rs.GlickoBoost(exceptional=1.5), rs.GlickoBoost(exceptional=100))
    )
    assert widened["A"] > plain_one["A"] + 20 > 1520
