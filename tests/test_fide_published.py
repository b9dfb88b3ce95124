"""Calculations that FIDE published, out of replays of streams: events, lists, first ratings.

../shared/facts/fide_cases.json says where each comes from. With K 100 the change of a list is the sum of an event in
hundredths, so a whole number says it exactly.
"""

import json
from datetime import date, timedelta
from pathlib import Path

import polars as pl
import pytest

import ratesim as rs

CASES = Path(__file__).resolve().parents[2] / "shared/facts/fide_cases.json"
DAY = date(1970, 1, 1)
pytestmark = [pytest.mark.data, pytest.mark.interpreted]


def case(name):
    (found,) = (each for each in json.loads(CASES.read_text(encoding="utf-8")) if each["id"] == name)
    return found


def seasoned(rating, **more):
    """A player of long standing."""
    return {"rating": rating, "games": 500, "peak": max(rating, 2400), "born": 1980, **more}


def event(name, day, games):
    """Games of the player X against opponents named by event and number, one a day from `day` on, and their starts."""
    table = pl.DataFrame(
        {
            "first": "X",
            "second": [f"{name} {n}" for n in range(len(games))],
            "score": [float(score) for _, score in games],
            "time": [day + timedelta(days=min(n, 2)) for n in range(len(games))],
            "event": name,
        }
    )
    return table, {f"{name} {n}": seasoned(rating) for n, (rating, _) in enumerate(games)}


def replay(events, rating, *, system=None, policy=None, **known):
    """Ratings of X list by list, and the run."""
    table = pl.concat([games for games, _ in events])
    start = {"X": seasoned(rating, **known)}
    for _, opponents in events:
        start |= opponents
    run = rs.replay(system or rs.FideElo(), rs.GameStream.of(**table.to_dict()), policy=policy, start=start)
    first, last = table["time"].min(), table["time"].max() + timedelta(days=70)
    months = pl.date_range(first.replace(day=1), last, "1mo", eager=True)
    history = run.history([(month - DAY).days for month in months], ["X"])
    return history["rating"].to_list(), run


EVENTS = [
    "F-P01 event435715", "F-P02 event442869", "F-P02 event435715", "F-P02 event441774", "F-P03 event442869",
    "F-P03 event435715", "F-P03 event441774",
]  # fmt: skip


@pytest.mark.parametrize("name", EVENTS)
def test_the_sum_of_an_event(name):
    found = case(name)
    given = found["input"]
    games = event("e", date.fromisoformat(found["date"]), given["games"])
    (*_, rating), _ = replay([games], given["rating"], policy=rs.Constant(100.0))
    assert rating - given["rating"] == round(100 * float(found["expected"][0]))
    assert rating - given["rating"] == round(10 * float(found["expected"][1]))  # K is 10


def test_both_sides_of_a_game_across_the_exemption():
    """2813 beats 2400 in November 2025: +.07 for the one, whose difference is 413, -.08 for the other, held to 400."""
    above, below = case("F-P01 event435715")["input"], case("F-P02 event435715")["input"]
    assert [2400, 1] in above["games"]
    assert [2813, 0] in below["games"]
    games = event("e", date(2025, 11, 7), [(2400, 1)])
    run = replay([games], 2813, policy=rs.Constant(100.0))[1]
    assert run.ratings()["rating"].to_list() == [2813 + 7, 2400 - 8]
    assert run.forecast.tolist() == [0.93]
    october = replay([event("e", date(2025, 9, 27), [(2400, 1)])], 2813, system=rs.FideElo(rules="as-of"))[1]
    assert october.forecast.tolist() == [0.92]


@pytest.mark.parametrize(
    ("who", "rest", "published"), [("F-P02", (2395, 1), 2406), ("F-P03", (2571, 1), 2507)], ids=["F-P02", "F-P03"]
)
def test_a_list_from_events_of_two_lists(who, rest, published):
    """The event of 31 October goes by October's list and counts in December's, with those of November.

    What else these players played in October took them to November's list: here it is one win.
    """
    first, *others = (case(f"{who} event{number}") for number in (442869, 435715, 441774))
    known = [(found["id"], date.fromisoformat(found["date"]), found["input"]["games"]) for found in (first, *others)]
    events = [event("rest", date(2025, 10, 4), [rest]), *(event(*each) for each in known)]
    ratings, run = replay(events, first["input"]["rating"])
    period = case(f"{who} period")
    november, december, *_ = ratings
    assert november == others[0]["input"]["rating"] == period["input"]["base"]
    assert december == period["table_rule_value"]
    assert (december == published) == period["agrees"]  # 2406 was published for F-P02, where one rounding gives 2405
    assert period["expected"] == published
    assert len(set(run.period.tolist())) == 2


def test_a_list_of_one_event():
    found = case("F-P01 period")
    games = event("e", date(2025, 11, 7), case("F-P01 event435715")["input"]["games"])
    ratings, _ = replay([games], found["input"]["base"])
    assert ratings[1] == found["expected"] == 2810  # -2.50 rounds away from zero


@pytest.mark.parametrize("row", [1, 2, 3, 10, 11, 12])
def test_the_us_championship_of_2025(row):
    """Sums of a round robin of twelve, of which the source gives points only, and the list that followed."""
    total, new = case(f"USCh2025-{row} sum"), case(f"USCh2025-{row} new")
    given = total["input"]
    points = [1.0] * int(given["W"]) + [0.5] * (given["W"] % 1 > 0)
    scores = points + [0.0] * (len(given["opps"]) - len(points))
    games = event("championship", date(2025, 10, 12), list(zip(given["opps"], scores, strict=True)))
    (*_, rating), _ = replay([games], given["rating"], policy=rs.Constant(100.0))
    assert rating - given["rating"] == round(100 * float(total["expected"]))
    other = new["input"]["other_events"]
    more = [event("more", date(2025, 10, 3), draws_worth(other, given["rating"]))] if other else []
    (*_, rating), _ = replay([games, *more], given["rating"])
    assert rating == new["expected"]


def draws_worth(change, rating):
    """Games that change a rating by so many points at K 10."""
    lost = round(-10 * change)  # hundredths, of draws against weaker opponents
    games = []
    while lost > 0:
        step = min(lost, 42)  # PD .92
        gap = next(gap for gap in range(401) if round(100 * rs.calculator.fide.expected(gap).expected) == 50 + step)
        games.append((rating - gap, 0.5))
        lost -= step
    return games


def test_one_upgrade_an_event_in_2022():
    found, today = case("Coomera2022"), case("Coomera2022-uncapped-rule")
    games = event("Coomera", date(2022, 10, 1), found["input"]["games"])
    for system, expected in ((rs.FideElo(rules="as-of"), found), (rs.FideElo(rules="2022-10-01"), found),
                             (rs.FideElo(rules="2024-03-01", floor="none"), today)):  # fmt: skip
        (*_, rating), _ = replay([games], 2000, system=system, policy=rs.Constant(100.0))
        assert rating - 2000 == round(100 * float(expected["expected"][0]))


FIRST = [each["id"] for each in (json.loads(CASES.read_text(encoding="utf-8")) if CASES.exists() else [])
         if each["kind"] == "initial" and "opps" in each["input"] and each.get("agrees")]  # fmt: skip


@pytest.mark.parametrize("name", FIRST)
def test_first_ratings(name):
    found = case(name)
    opponents, points = found["input"]["opps"], found["input"]["W"]
    scores = [1.0] * int(points) + [0.5] * (points % 1 > 0)
    scores += [0.0] * (len(opponents) - len(scores))
    old = "2022 rule" in f"{name}, {found.get('date')}"
    games, start = event("e", date(2025, 12, 5), list(zip(opponents, scores, strict=True)))
    run = rs.replay(
        rs.FideElo(rules="2022-01-01" if old else "2025-10-01"), rs.GameStream.of(**games.to_dict()), start=start
    )
    published = run.ratings().filter(player="X")["rating"].item()
    assert published == float(found["expected"])
    assert run.ratings()["rating"].drop_nulls().to_list()[1:] == opponents  # rated opponents do not move


def test_every_kind_of_published_case_is_here():
    kinds = {each["kind"] for each in json.loads(CASES.read_text(encoding="utf-8"))}
    assert {"event change", "round robin sum", "event, 2022 one-upgrade rule", "initial"} <= kinds
    assert len(EVENTS) == sum(each["kind"] == "event change" for each in json.loads(CASES.read_text(encoding="utf-8")))
    assert len(FIRST) >= 10
