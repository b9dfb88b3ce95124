"""Ratings of Lichess: all cases of scalachess, deviations by the clock, bounds, the first move, the display."""

import json
from datetime import date

import numpy as np
import pytest

import ratesim as rs
from conftest import SHARED
from ratesim.dates import day_of

pytestmark = pytest.mark.interpreted
CASES = SHARED / "facts" / "lichess_cases.json"
FIELDS = ("rating", "deviation", "volatility")


def game(score=1.0, time=0.0, first="W", second="B", **columns):
    return rs.GameStream.of(first=[first], second=[second], score=[score], time=[time], edge=[1.0], **columns)


def after(system, white, black, score=1.0, time=0.0):
    """The figures of both after one game: lists of rating, deviation, volatility."""
    start = {name: dict(zip(FIELDS, figures, strict=True)) for name, figures in (("W", white), ("B", black))}
    table = rs.replay(system, game(score, time), start=start).ratings()
    rows = {row["player"]: [row[name] for name in FIELDS] for row in table.to_dicts()}
    return rows["W"], rows["B"]


@pytest.mark.data
@pytest.mark.parametrize("number", range(23))
def test_case(number):
    case = json.loads(CASES.read_text(encoding="utf-8"))["cases"][number]
    system = rs.Lichess(first_move="on", advantage=case["adv"])
    white, black = after(system, case["white"], case["black"], case["score_white"])
    assert white == pytest.approx(case["white_after"], abs=1e-9)
    assert black == pytest.approx(case["black_after"], abs=1e-9)


@pytest.mark.data
def test_there_are_no_more_cases():
    assert len(json.loads(CASES.read_text(encoding="utf-8"))["cases"]) == 23


@pytest.mark.parametrize(
    ("days", "deviation"),
    [(1, 60.1938), (7, 61.3434), (30, 65.5640), (90, 75.4714), (182, 88.5350), (365, 110.0008), (730, 143.5282)],
)
def test_a_deviation_of_60_grows_by_the_clock(days, deviation):
    games = game(weight=[1e-12])  # a game that says nothing, so that the clock runs from here
    start = {name: {"rating": 1500, "deviation": 60, "volatility": 0.06} for name in "WB"}
    history = rs.replay(rs.Lichess(), games, start=start).history([float(days)])
    assert history["deviation"].to_list() == pytest.approx([deviation] * 2, abs=5.1e-5)


def test_a_volatility_of_09_takes_a_deviation_of_60_to_150_in_a_year():
    start = {name: {"rating": 1500, "deviation": 60, "volatility": 0.09} for name in "WB"}
    history = rs.replay(rs.Lichess(), game(weight=[1e-12]), start=start).history([365.0])
    assert history["deviation"].to_list() == pytest.approx([150.7494] * 2, abs=5.1e-5)


def test_no_game_narrows_a_deviation_below_45_and_no_rest_widens_it_beyond_500():
    (_, narrow, _), _ = after(rs.Lichess(), (1500, 45.01, 0.06), (1500, 45.01, 0.06))
    assert narrow == 45.0
    assert rs.replay(rs.Lichess(), game()).history([1e5])["deviation"].to_list() == [500.0, 500.0]


def test_a_game_moves_a_rating_by_700_at_most_and_never_below_400():
    (upset, _, _), _ = after(rs.Lichess(), (1500, 500, 0.09), (2800, 45, 0.06))
    assert upset == 2200.0  # 1539 points without the bound
    (low, _, _), (high, _, _) = after(rs.Lichess(), (450, 300, 0.09), (450, 300, 0.09), score=0.0)
    assert low == 400.0
    assert high > 550.0


def test_volatility_never_enters_the_change_of_a_rating():
    """Step 6 is skipped."""
    quiet, wild = (after(rs.Lichess(), (1500, 80, v), (1600, 90, v)) for v in (0.04, 0.1))
    assert [side[:2] for side in quiet] == [side[:2] for side in wild]


def test_the_first_move_counts_by_date_always_or_never():
    equal = (1500, 350, 0.06)
    dates = (date(2025, 11, 17), date(2025, 11, 18))
    earlier, later = (after(rs.Lichess(), equal, equal, 0.5, day_of(day)) for day in dates)
    assert earlier == after(rs.Lichess(first_move="off"), equal, equal, 0.5)
    assert later == after(rs.Lichess(first_move="on"), equal, equal, 0.5)
    assert earlier[0][0] == 1500 > later[0][0]


def test_one_stream_lives_through_the_change():
    day = day_of(date(2025, 11, 17))
    games = rs.GameStream.of(
        first=["W", "W"], second=["B", "B"], score=[0.5, 0.5], time=[day, day + 1], edge=[1.0, 1.0]
    )
    before, since = rs.replay(rs.Lichess(), games).forecast
    assert before == 0.5
    assert since > 0.5


@pytest.mark.parametrize("deviation", [45.0, 80.0, 350.0])
@pytest.mark.parametrize("gap", [0.0, 100.0, 900.0])
@pytest.mark.parametrize("score", [0.0, 0.5, 1.0])
def test_with_one_deviation_what_one_wins_the_other_loses(deviation, gap, score):
    white, black = (1500 + gap, deviation, 0.06), (1500, deviation, 0.06)
    (w, wide, _), (b, other, _) = after(rs.Lichess(first_move="on", most_change=2000), white, black, score)
    assert w + b == pytest.approx(3000 + gap, abs=1e-9)
    assert wide == pytest.approx(other, abs=1e-12)


def test_the_regulator_multiplies_gains_alone():
    equal = (1500, 80, 0.06)
    (won, _, _), (lost, _, _) = after(rs.Lichess(), equal, equal)
    (more, _, _), (same, _, _) = after(rs.Lichess(regulator=1.015), equal, equal)
    assert more - 1500 == pytest.approx(1.015 * (won - 1500), abs=1e-9)
    assert same == lost


def test_700_points_bound_a_gain_that_is_regulated_too():
    (upset, _, _), (beaten, _, _) = after(rs.Lichess(regulator=1.02), (1500, 500, 0.09), (2800, 500, 0.09))
    assert (upset, beaten) == (2200.0, 2100.0)
    small, wide = (
        after(rs.Lichess(regulator=2, most_change=most), *[(1500, 350, 0.06)] * 2)[0][0] for most in (200, 700)
    )
    assert small == 1700.0  # 162 points, which twice are 324
    assert wide == pytest.approx(1824.424, abs=1e-2)


@pytest.mark.parametrize(("given", "held"), [((300, 30, 0.2), (400, 45, 0.1)), ((1500, 600, 0.06), (1500, 500, 0.06))])
def test_a_start_beyond_the_bounds_is_held_to_them(given, held):
    assert after(rs.Lichess(), given, (1500, 60, 0.06)) == after(rs.Lichess(), held, (1500, 60, 0.06))


def test_a_start_without_sense_is_refused():
    for wrong in ((1500, 0, 0.06), (1500, 60, -0.1)):
        with pytest.raises(rs.InputError, match=r"start, .*column"):
            after(rs.Lichess(), wrong, (1500, 60, 0.06))


def test_from_69_games_in_100_days_on_a_regular_players_deviation_is_at_the_floor():
    """Fact: at a volatility of .06 the steady deviation falls below 45 from .69 games a day on.

    A game of two players at 45 takes away what a rest of 1 / .69 days adds to RD^2.
    """

    def narrow(games_a_day):
        games = rs.GameStream.of(
            first=["W"] * 2, second=["B"] * 2, score=[0.5] * 2, time=[0.0, 1 / games_a_day], weight=[1e-12, 1.0]
        )
        start = {name: {"rating": 1500, "deviation": 45, "volatility": 0.06} for name in "WB"}
        return rs.replay(rs.Lichess(floor=0), games, start=start).ratings()["deviation"][0]

    assert narrow(0.68) > 45.0 > narrow(0.70)


def test_shown_with_a_question_mark_from_110():
    assert rs.Lichess.shown(1662.9, 290.2) == "1662?"
    assert rs.Lichess.shown(1500.0, 110.0) == "1500?"
    assert rs.Lichess.shown(1500.0, np.nextafter(110.0, 0.0)) == "1500"
