"""Edges of FIDE's life that software gets wrong silently: old dates, crowds of games, cuts, pools, births."""

from datetime import date

import numpy as np
import pytest

import ratesim as rs
from ratesim.replaying.openings import Variant
from ratesim.replaying.session import Session

OLD = {"rating": 1800, "games": 99, "peak": 1800, "born": 1920}


def league(rows, **columns):
    first, second, score, time = zip(*rows, strict=True)
    return rs.GameStream.of(first=first, second=second, score=score, time=time, **columns)


@pytest.mark.parametrize("year", [1950, 1968, 1990])
@pytest.mark.parametrize(("apart", "rated"), [(2, True), (3, False)])
def test_the_window_of_26_months_closes_before_1970_too(year, apart, rated):
    """Three games and two: within two years they make a first rating, three years apart they do not."""
    days = [date(year, 1, 10)] * 3 + [date(year + apart, 1, 10)] * 2
    games = league([("N", foe, 0.5, day) for foe, day in zip("ABCDE", days, strict=True)])
    run = rs.replay(rs.FideElo(), games, start=dict.fromkeys("ABCDE", OLD))
    found = run.ratings().filter(player="N")["rating"].item()
    assert found == 1800 if rated else np.isnan(found)


def test_an_event_that_began_before_the_lists_did_is_refused():
    games = league([("A", "B", 1, "1971-01-05")], event=["e"], event_start=["1970-12-20"])
    with pytest.raises(rs.InputError, match="no lists on 1970-12-20, when a game or its event began"):
        rs.replay(rs.FideElo(rules="as-of"), games, start=dict.fromkeys("AB", OLD))
    with pytest.raises(rs.InputError, match="no rules on 1970-11-08, the date of the first game"):
        rs.replay(
            rs.FideElo(rules="as-of"), league([("A", "B", 1, "1970-11-08")]), calendar=rs.Months(),
            start=dict.fromkeys("AB", OLD),
        )  # fmt: skip


def test_a_league_cannot_be_cut_by_a_saved_state_however_long_its_pauses(tmp_path):
    times = ["2025-01-10", "2025-02-10", "2025-04-20"]
    head = league([("A", "B", 1, day) for day in times], event=["league", "league", "other"])
    start = {key: {**OLD, "born": 1980} for key in "AB"}
    rs.replay(rs.FideElo(), head, start=start).save(tmp_path / "state")
    rest = league([("A", "B", 1, "2025-06-05")], event=["league"])
    with pytest.raises(rs.InputError, match="event 'league' goes on after the saved state"):
        rs.replay(rs.FideElo(), rest, start=start, state=rs.load_state(tmp_path / "state"))


def test_more_games_than_a_tally_holds_are_refused_and_a_full_one_is_exact():
    def crowd(n):
        rows = [("N", f"A{g % 50}", 0.5, date(2025, 11, 1 + g % 28)) for g in range(n)]
        start = {f"A{g}": {**OLD, "rating": 1900, "born": 1980} for g in range(50)}
        return rs.replay(rs.FideElo(), league(rows), start=start).ratings().filter(player="N")["rating"].item()

    assert crowd(400) == (400 * 1900 + 3600 + 201) // 402  # p is .5
    with pytest.raises(rs.InputError, match=r"games of an unrated player in one period: 401; expected at most 400"):
        crowd(401)


@pytest.mark.parametrize("score", [0.25, 0.75])
def test_a_score_that_no_fide_game_has(score):
    with pytest.raises(rs.InputError, match=f"a game on 2025-11-08: score {score}; expected 0, 0.5 or 1"):
        rs.replay(rs.FideElo(), league([("A", "B", score, "2025-11-08")]), start=dict.fromkeys("AB", OLD))


def test_games_of_another_list_are_refused():
    games = league([("A", "B", 1, "2025-11-08")], pool=["rapid"])
    start = dict.fromkeys("AB", OLD)
    with pytest.raises(rs.InputError, match="games of rapid under the rules of standard"):
        rs.replay(rs.FideElo(), games, start=start)
    assert rs.replay(rs.FideElo(list="rapid"), games, start=start).ratings()["rating"].to_list() == [1810, 1790]


def test_nobody_is_born_after_the_last_game():
    games = league([("A", "B", 1, "2025-11-08")])
    with pytest.raises(rs.InputError, match="players, A: born 2088; expected a year up to 2025"):
        rs.replay(rs.FideElo(), games, start={"A": {**OLD, "born": 2088}, "B": OLD})


def test_a_raise_across_a_saved_state_is_that_of_the_whole(tmp_path):
    """Rapid, August to November 2022: the standard rating raises A on 1 October, also after a cut in September."""
    rows = [("A", "B", 0.5, day) for day in ("2022-08-10", "2022-09-10", "2022-11-10")]
    system, events = rs.FideElo(list="rapid", rules="as-of"), ["x", "y", "z"]
    start = {"A": {**OLD, "rating": 1500, "standard": 2100, "born": 1980}, "B": {**OLD, "rating": 1500, "born": 1980}}
    whole = rs.replay(system, league(rows, event=events), start=start).ratings().rows()
    rs.replay(system, league(rows[:2], event=events[:2]), start=start).save(tmp_path / "state")
    state = rs.load_state(tmp_path / "state")
    rest = rs.replay(system, league(rows[2:], event=events[2:]), state=state)
    assert rest.ratings().rows() == whole
    assert whole[0][1] == 2000 - round(20 * 0.42)  # 500 points count as 400: .5 - .92


@pytest.mark.parametrize("day", [-7e5, 5e6])
def test_fides_k_beyond_the_dates_there_are(day):
    """Years before 1 and after 9999: days are only numbers, and K is that of everybody."""
    games = rs.GameStream.of(first=["A"], second=["B"], score=[1], time=[day])
    start = {who: {"rating": 1500, "games": 50, "peak": 1500, "born": np.nan} for who in "AB"}
    run = rs.replay(rs.Elo(), games, policy=rs.Fide(), calendar=rs.Whole(), start=start)
    assert run.ratings()["rating"].to_list() == [1510, 1490]


def test_a_system_that_acts_between_periods_has_a_lane_to_itself():
    games = league([("A", "B", 1, "2025-11-08")])
    variant = Variant(rs.FideElo(), rs.Constant())
    with pytest.raises(ValueError, match="expected one lane"):
        Session([variant, variant], games, rs.Lists())
