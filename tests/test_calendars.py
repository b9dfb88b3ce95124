"""Replays under every calendar against the reference, whose periods are found here by plain arithmetic."""

import math
from datetime import date, timedelta

import numpy as np
import pytest
from reference import glicko, glicko2
from reference.agree import agree
from reference.digits import mp, number
from reference.play import Played, play

import ratesim as rs

PLAYERS = "ABCDEF"
START = {p: {"rating": 1380.0 + 47 * i, "deviation": 40.0 + 45 * i} for i, p in enumerate(PLAYERS)}
EPOCH = date(1970, 1, 1)
SHIFTS = {"after 1970": 0.0, "in 1860": -40_000.0}
UNIT = 30  # days
C = 40
G = 70


def league(shift=0.0):
    """Columns of a stream: times of a quarter of a day, ties, a gap, edges, weights, two pools and four seasons."""
    rng = np.random.default_rng(7)
    first = rng.integers(0, 6, G)
    second = (first + rng.integers(1, 6, G)) % 6
    time = np.sort(rng.integers(0, 400, G) / 4)
    time[40:] += 150  # who last played before the gap ages through it
    return {
        "first": [PLAYERS[i] for i in first], "second": [PLAYERS[i] for i in second],
        "score": rng.integers(0, 3, G) / 2, "time": time + shift, "edge": rng.integers(-1, 2, G).astype(float),
        "weight": rng.choice([0.5, 1.0, 2.0], G), "pool": rng.choice(["rapid", "blitz"], G),
        "season": [f"S{n}" for n in np.searchsorted([30, 31.5, 200], time, side="right")],
    }  # fmt: skip


def played(columns, periods, *, by_pool=False):
    """The games as the reference takes them, each with the number of its period."""
    names = ("first", "second", "score", "edge", "weight")
    games = [Played(t, *row) for t, *row in zip(periods, *(columns[name] for name in names), strict=True)]
    if not by_pool:
        return games
    apart = zip(games, columns["pool"], strict=True)
    return [g._replace(first=f"{g.first}/{pool}", second=f"{g.second}/{pool}") for g, pool in apart]


def begin(*names, pools=(), table=START):
    """The start table as the reference has it."""
    rest = {"rating": 1500.0, "deviation": 350.0, "volatility": 0.06}
    rows = {p: {**rest, **table.get(p, {})} for p in PLAYERS}
    rows = {f"{p}/{pool}": row for p, row in rows.items() for pool in pools} or rows
    return {who: tuple(number(row[name]) for name in names) for who, row in rows.items()}


def every(days, origin=EPOCH + timedelta(days=4)):
    zero = (origin - EPOCH).days
    return lambda columns: [math.floor((t - zero) / days) * days + zero for t in columns["time"]]


def first_of_month(columns):
    days = (EPOCH + timedelta(days=math.floor(t)) for t in columns["time"])
    return [(day.replace(day=1) - EPOCH).days for day in days]


def months(columns):
    days = (EPOCH + timedelta(days=opening) for opening in first_of_month(columns))
    return [12 * day.year + day.month for day in days]


def first_of_season(columns):
    return [columns["time"][columns["season"].index(season)] for season in columns["season"]]


def in_units(openings, unit=UNIT):
    return lambda columns: [number(opening) / unit for opening in openings(columns)]


WEEKS = rs.Every(days=7)
ODD = rs.Every(days=2.5, origin=date(1999, 12, 31))
since_1999 = every(2.5, date(1999, 12, 31))
PERIODS = {  # calendar, unit of growth, number of each game's period in that unit
    "weeks": (WEEKS, None, in_units(every(7), 7)),
    "weeks, growth by 30 days": (WEEKS, UNIT, in_units(every(7))),
    "2.5 days from 1999": (ODD, None, in_units(since_1999, 2.5)),
    "2.5 days from 1999, growth by 30 days": (ODD, UNIT, in_units(since_1999)),
    "months": (rs.Months(), None, months),
    "months, growth by 30 days": (rs.Months(), UNIT, in_units(first_of_month)),
    "seasons": (rs.Seasons(), None, lambda columns: [int(season[1:]) for season in columns["season"]]),
    "seasons, growth by 30 days": (rs.Seasons(), UNIT, in_units(first_of_season)),
    "whole": (rs.Whole(), None, lambda columns: [0] * len(columns["time"])),
    "per game": (rs.PerGame(), UNIT, in_units(lambda columns: columns["time"])),
    # forty digits tell tied games apart, and do not see them grow
    "per game, ties as filed": (
        rs.PerGame(ties="file"), UNIT,
        lambda columns: [number(t) / UNIT + g * number("1e-30") for g, t in enumerate(columns["time"])],
    ),
}  # fmt: skip
pytestmark = pytest.mark.interpreted  # many engines, for a few games each
EVERY_CASE = pytest.mark.parametrize("case", PERIODS)
EVERY_SHIFT = pytest.mark.parametrize("shift", SHIFTS.values(), ids=SHIFTS)


@EVERY_CASE
@EVERY_SHIFT
def test_glicko(case, shift):
    calendar, per, periods = PERIODS[case]
    columns = league(shift)
    run = rs.replay(rs.Glicko(c=C, advantage=30, per=per), rs.GameStream.of(**columns), calendar=calendar, start=START)
    agree(run, play(glicko.Glicko(c=C, advantage=30), played(columns, periods(columns)), begin("rating", "deviation")))


SPANS = {  # of a period, in units of growth
    "weeks": 1, "weeks, growth by 30 days": number(7) / UNIT, "2.5 days from 1999, growth by 30 days": number(5) / 60,
    "months": 1, "seasons": 1, "whole": 1, "per game": 0, "per game, ties as filed": 0,
}  # fmt: skip


@pytest.mark.parametrize("case", SPANS)
@EVERY_SHIFT
def test_glicko2(case, shift):
    calendar, per, periods = PERIODS[case]
    columns = league(shift) | {"edge": np.zeros(G)}
    run = rs.replay(rs.Glicko2(per=per), rs.GameStream.of(**columns), calendar=calendar, start=START)
    system = glicko2.Glicko2(cap=0.1, ceiling=350, span=SPANS[case])
    agree(run, play(system, played(columns, periods(columns)), begin("rating", "deviation", "volatility")))


@EVERY_CASE
def test_a_belief_for_each_pool(case):
    calendar, per, periods = PERIODS[case]
    columns = league()
    games = rs.GameStream.of(**columns)
    run = rs.replay(rs.Glicko(c=C, per=per), games, calendar=calendar, start=START, by_pool=True)
    start = begin("rating", "deviation", pools=("rapid", "blitz"))
    agree(run, play(glicko.Glicko(c=C), played(columns, periods(columns), by_pool=True), start))
    together = rs.replay(rs.Glicko(c=C, per=per), games, calendar=calendar, start=START)
    assert ((run.forecast != together.forecast).mean() > 0.5) == (case != "whole")


def test_pools_in_which_a_player_has_no_game_have_no_row():
    games = rs.GameStream.of(first=["A", "A"], second=["B", "C"], score=[1, 1], time=[0, 1], pool=["x", "y"])
    ratings = rs.replay(rs.Glicko(per=30), games, calendar=rs.PerGame(), by_pool=True).ratings()
    assert ratings.select("player", "pool", "games").rows() == [
        ("A", "x", 1),
        ("A", "y", 1),
        ("B", "x", 1),
        ("C", "y", 1),
    ]
    assert ratings["rating"][0] == ratings["rating"][1]


def test_tied_games_have_an_order_only_where_the_file_is_trusted():
    columns = league() | {"time": np.zeros(G), "season": ["S"] * G}
    as_filed, as_one, whole = (
        rs.replay(rs.Glicko(per=30), rs.GameStream.of(**columns), calendar=calendar, start=START)
        for calendar in (rs.PerGame(ties="file"), rs.PerGame(), rs.Whole())
    )
    assert len(set(as_filed.period)) == G
    assert len(set(as_one.period)) == 1
    assert as_one.forecast.tobytes() == whole.forecast.tobytes()
    assert np.abs(as_filed.forecast - as_one.forecast).max() > 0.05


@EVERY_SHIFT
def test_a_history_ages_to_the_moment_asked_for(shift):
    """As the reference does, when others meet at that moment."""
    columns = league(shift)
    run = rs.replay(
        rs.Glicko(c=C, advantage=30, per=UNIT), rs.GameStream.of(**columns), start=START, calendar=rs.PerGame()
    )
    for moment in (20.25, 60.0, 199.0, 400.0):
        upto = int(np.searchsorted(columns["time"], moment + shift, side="right"))
        games = played(columns, [number(t) / UNIT for t in columns["time"]])[:upto]
        others = Played(number(moment + shift) / UNIT, "X", "Y", 0.5)
        start = begin("rating", "deviation") | {who: (number(1500), number(350)) for who in "XY"}
        _, beliefs = play(glicko.Glicko(c=C, advantage=30), [*games, others], start)
        history = run.history([moment + shift]).to_dicts()
        assert {row["player"] for row in history} == {who for g in games for who in (g.first, g.second)}
        for row in history:
            exact = [float(x) for x in beliefs[row["player"]]]
            assert [row["rating"], row["deviation"]] == pytest.approx(exact, rel=1e-12)


LAST = {
    "before": -100.0,
    "a week before": -7.0,
    "on the boundary": -3.0,
    "inside the first period": -1.0,
    "at once": 0.0,
}


@pytest.mark.parametrize("day", LAST.values(), ids=LAST)
@EVERY_SHIFT
@pytest.mark.parametrize(
    "case", ["weeks", "weeks, growth by 30 days", "months", "months, growth by 30 days", "per game"]
)
def test_those_who_come_from_before_the_stream_have_aged(case, day, shift):
    """The first game is on Thursday; its week opens on Monday, three days before."""
    calendar, per, periods = PERIODS[case]
    columns = league(shift)
    first = columns["time"][0] = 7 * math.floor(columns["time"][0] / 7)
    assert first % 7 == 0  # 1970 began on a Thursday
    table = {
        "A": {**START["A"], "last": first + day},
        "B": {**START["B"], "last": first - 50},
        **dict([*START.items()][2:]),
    }
    run = rs.replay(rs.Glicko(c=C, advantage=30, per=per), rs.GameStream.of(**columns), calendar=calendar, start=table)
    number_of = periods if per is None else in_units(lambda columns: columns["time"])
    last = {who: number_of({"time": [table[who]["last"]]})[0] for who in "AB"}
    reference = glicko.Glicko(c=C, advantage=30)
    agree(run, play(reference, played(columns, periods(columns)), begin("rating", "deviation"), last=last))


@pytest.mark.parametrize(
    ("case", "idle"), [("weeks", 4), ("weeks, growth by 30 days", number(31) / 30), ("per game", number(34) / 30)]
)
def test_volatility_widens_who_comes_from_before_the_stream(case, idle):
    """By whole weeks sat out, or by the time since the last game, which A had on a Friday 34 days before."""
    calendar, per, _ = PERIODS[case]
    games = rs.GameStream.of(first=["A"], second=["B"], score=[1], time=[35.0])
    start = {"A": {"rating": 1500, "deviation": 50, "last": 1.0}, "B": {"rating": 1600, "deviation": 50}}
    run = rs.replay(rs.Glicko2(per=per), games, calendar=calendar, start=start)
    system = glicko2.Glicko2(cap=0.1, ceiling=350, span=SPANS[case])
    old, other = ((number(r), number(50), number(0.06)) for r in (1500, 1600))
    grown = mp.sqrt(old[1] ** 2 + idle * (glicko2.SCALE * old[2]) ** 2)
    agree(run, play(system, [Played(0, "A", "B", 1.0)], {"A": (old[0], grown, old[2]), "B": other}))


def test_a_last_game_after_the_first_is_refused():
    games = rs.GameStream.of(first=["A"], second=["B"], score=[1], time=[10.0])
    with pytest.raises(rs.InputError, match="a last game on 1970-01-12"):
        rs.replay(rs.Glicko(), games, calendar=WEEKS, start={"A": {"last": 11.0}})


def fide_k(career, year, n):
    """K of article 8.3.3 in plain Python, for n games of a period."""
    young = year - career["born"] <= 18 and career["peak"] < 2300
    k = 10 if career["peak"] >= 2400 else 40 if young or career["games"] < 30 else 20
    return min(k, 700 // n)


def test_games_peaks_and_years_of_birth_go_on_from_what_is_brought():
    """K of FIDE's steps over the league; A and F are juniors, A for the first week only."""
    monday = (date(2018, 12, 24) - EPOCH).days
    columns = league(float(monday)) | {"weight": np.ones(G), "edge": np.zeros(G)}
    table = {
        "A": {"rating": 2200.0, "games": 100, "born": 2000}, "B": {"rating": 2350.0, "games": 100, "peak": 2400},
        "C": {"rating": 2250.0, "games": 15}, "D": {"rating": 2250.0, "games": 30}, "E": {"rating": 2300.0, "games": 0},
        "F": {"rating": 2280.0, "games": 500, "born": 2004, "peak": 2299},
    }  # fmt: skip
    table = {p: {"peak": row["rating"], **row} for p, row in table.items()}
    run = rs.replay(rs.Elo(), rs.GameStream.of(**columns), policy=rs.Fide(), calendar=WEEKS, start=table)
    careers = {p: {"games": 0, "born": -math.inf, "peak": row["rating"], **row} for p, row in table.items()}
    given = set()
    weeks = every(7)(columns)
    for week in sorted(set(weeks)):
        change, count = dict.fromkeys(PLAYERS, 0.0), dict.fromkeys(PLAYERS, 0)
        for g in (g for g in range(G) if weeks[g] == week):
            a, b = columns["first"][g], columns["second"][g]
            e = 1 / (1 + 10 ** ((careers[b]["rating"] - careers[a]["rating"]) / 400))
            assert run.forecast[g] == pytest.approx(e, abs=1e-12)
            change[a] += columns["score"][g] - e
            change[b] += e - columns["score"][g]
            count[a], count[b] = count[a] + 1, count[b] + 1
        for p, career in careers.items():
            if count[p]:
                k = fide_k(career, (EPOCH + timedelta(days=week)).year, count[p])
                given.add((p, k))
                career["rating"] += k * change[p]
                career["games"] += count[p]
                career["peak"] = max(career["peak"], career["rating"])
    assert given >= {("A", 40), ("A", 20), ("B", 10), ("C", 40), ("C", 20), ("D", 20), ("E", 40), ("F", 20)}
    for row in run.ratings().to_dicts():
        career = careers[row["player"]]
        assert (row["rating"], row["games"]) == (pytest.approx(career["rating"], abs=1e-9), career["games"])
