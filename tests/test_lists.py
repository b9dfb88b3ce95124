"""The calendar of rating lists by itself: which list judges a game, and on which one it counts."""

from datetime import date, datetime, timedelta

import numpy as np
import pytest
from federations import day_of
from hypothesis import given, strategies as st

import ratesim as rs


def day(text):
    return day_of(date.fromisoformat(text))


def stream(*games, **columns):
    """Games as (day, event, start of the event, list on which it is rated); what no game has is left out."""
    names = ("time", "event", "event_start", "rated_on")
    told = dict(zip(names, map(list, zip(*games, strict=True)), strict=False))
    told |= {name: [None if x is None else day(x) for x in told[name]] for name in told if name != "event"}
    return rs.GameStream.of(
        first=["A"] * len(games), second=["B"] * len(games), score=[1] * len(games), **told, **columns
    )


def lists(*games, spacing="monthly", **columns):
    """For each game the list that judges it, and the list it counts on."""
    calendar, games = rs.Lists(spacing=spacing), stream(*games, **columns)
    order = calendar.order(games)
    games = games if order is None else games.in_order(order)
    schedule = calendar.schedule(games)
    judged, counts = schedule.opens[schedule.at - schedule.base], schedule.closes[schedule.into - schedule.base]
    as_dates = [[str(np.datetime64(int(x), "D")) for x in days] for days in (judged, counts)]
    return list(zip(*as_dates, strict=True))


def test_without_events_the_next_list_counts_whatever_the_day():
    assert lists(("2025-10-01",), ("2025-10-31",), ("2025-11-01",)) == [
        ("2025-10-01", "2025-11-01"), ("2025-10-01", "2025-11-01"), ("2025-11-01", "2025-12-01"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("end", "counts"),
    [("2025-10-29", "2025-11-01"), ("2025-10-30", "2025-12-01"), ("2026-02-26", "2026-03-01"),
     ("2026-02-27", "2026-04-01"), ("2024-02-27", "2024-03-01"), ("2024-02-27T23:59", "2024-03-01")],
)  # fmt: skip
def test_an_event_counts_on_the_first_list_three_days_after_its_end(end, counts):
    games = rs.GameStream.of(first=["A"], second=["B"], score=[1], time=[datetime.fromisoformat(end)], event=["x"])
    schedule = rs.Lists().schedule(games)
    assert schedule.closes[schedule.into - schedule.base] == day(counts)


def test_the_whole_event_is_judged_by_the_list_of_its_first_game_and_counts_after_its_last():
    across = ("2025-10-31", "x"), ("2025-11-02", "x")
    assert lists(*across) == [("2025-10-01", "2025-12-01")] * 2


def test_a_start_that_is_told_is_that_of_the_event():
    assert lists(("2025-11-02", "x", "2025-10-31")) == [("2025-10-01", "2025-12-01")]


def test_an_end_that_is_told_is_that_of_the_event():
    begun = stream(("2025-10-28", "x"), event_end=[day("2025-10-30")])
    schedule = rs.Lists().schedule(begun)
    assert schedule.closes[schedule.into - schedule.base] == day("2025-12-01")


def test_events_that_overlap_are_judged_in_the_order_of_their_lists():
    assert lists(("2025-11-01", "y", "2025-11-01"), ("2025-11-02", "x", "2025-10-31")) == [
        ("2025-10-01", "2025-12-01"), ("2025-11-01", "2025-12-01"),
    ]  # fmt: skip


@pytest.mark.parametrize(("days", "judged"), [(30, "2025-10-01"), (31, "2025-11-01")])
def test_an_event_of_more_than_30_days_is_judged_game_by_game(days, judged):
    begun = date(2025, 10, 6)
    last = str(begun + timedelta(days=days))
    assert lists((str(begun), "x"), (last, "x"))[1][0] == judged


def test_of_a_long_event_each_game_counts_by_its_own_day():
    assert lists(("2025-10-06", "x"), ("2025-11-20", "x")) == [
        ("2025-10-01", "2025-11-01"), ("2025-11-01", "2025-12-01"),
    ]  # fmt: skip


@pytest.mark.parametrize("rated", ["2025-12-01", "2026-01-01", "2026-02-01"])
def test_an_event_is_rated_up_to_three_lists_after_its_end(rated):
    assert lists(("2025-11-02", "x", "2025-10-31", rated)) == [("2025-10-01", rated)]


def test_games_that_do_not_say_when_they_were_rated_go_by_their_end():
    assert lists(("2025-10-02", "x", "2025-10-02", "2025-12-01"), ("2025-10-03", "y", "2025-10-03", None)) == [
        ("2025-10-01", "2025-12-01"), ("2025-10-01", "2025-11-01"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("rated", "wrong"),
    [
        ("2025-12-15", "2025-12-15 is no day of a list"),
        ("2025-10-01", "2025-10-01 is not after the list that judges the game"),
        ("2024-12-01", "2024-12-01 is not after the list that judges the game"),
        ("2026-03-01", "2026-03-01 is more than 3 lists after the event"),
    ],
)
def test_a_list_on_which_no_event_can_be_rated_is_refused(rated, wrong):
    expected = "expected the first of a month, up to 3 lists after the event"
    with pytest.raises(rs.InputError) as error:
        lists(("2025-11-02", "x", "2025-10-31", rated))
    assert str(error.value) == f"column rated_on: {wrong}, of 2025-11-02; {expected}"


@pytest.mark.parametrize(
    ("played", "judged", "counts"),
    [
        ("1975-06-10", "1975-01-01", "1976-01-01"),
        ("1980-12-30", "1980-01-01", "1981-01-01"),
        ("1981-02-10", "1981-01-01", "1981-07-01"),
        ("1999-08-10", "1999-07-01", "2000-01-01"),
        ("2005-05-10", "2005-04-01", "2005-07-01"),
        ("2009-08-10", "2009-07-01", "2009-09-01"),
        ("2012-06-10", "2012-05-01", "2012-07-01"),
        ("2012-07-10", "2012-07-01", "2012-08-01"),
        ("2025-10-10", "2025-10-01", "2025-11-01"),
    ],
)
def test_lists_as_they_came_out(played, judged, counts):
    assert lists((played,), spacing="as-of") == [(judged, counts)]


def test_no_lists_before_1971():
    with pytest.raises(
        rs.InputError, match=r"^calendar: no lists on 1970-12-31.*; expected games.* from 1971-01-01 on"
    ):
        lists(("1970-12-31",), spacing="as-of")
    assert lists(("1970-12-31",)) == [("1970-12-01", "1971-01-01")]  # where months are enough


DAYS = st.integers(-40_000, 60_000)


@given(st.lists(st.tuples(DAYS, st.integers(0, 50), st.integers(0, 50)), min_size=1, max_size=12))
def test_lists_by_plain_arithmetic(events):
    """Two games an event: judged by the month of the first, on the list three days after the last."""
    times = [float(time) for begun, more, _ in events for time in (begun, begun + more)]
    names = [f"event {n}" for n in range(len(events)) for _ in range(2)]
    order = np.argsort(times, kind="stable")
    games = rs.GameStream.of(
        first=["A"] * len(times), second=["B"] * len(times), score=[1] * len(times),
        time=[times[i] for i in order], event=[names[i] for i in order],
    )  # fmt: skip
    calendar = rs.Lists()
    played = calendar.order(games)
    games = games if played is None else games.in_order(played)
    schedule = calendar.schedule(games)
    assert (np.diff(schedule.at) >= 0).all()
    assert (schedule.opens[1:] == schedule.closes[:-1]).all()
    spell = {name: events[int(name.split()[1])][:2] for name in names}
    for game, (time, code) in enumerate(zip(games.time.tolist(), games.event.tolist(), strict=True)):
        begun, more = spell[games.events[code]]
        first, last = (begun, begun + more) if more <= 30 else (time, time)
        judged, counts = (
            schedule.opens[schedule.at[game] - schedule.base],
            schedule.closes[schedule.into[game] - schedule.base],
        )
        assert judged == first_of_month(first)
        assert counts == next(x for x in range(int(last) + 3, int(last) + 40) if x == first_of_month(x))


def first_of_month(days):
    return day_of((date(1970, 1, 1) + timedelta(days=days)).replace(day=1))
