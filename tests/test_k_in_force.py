"""The K in force, against the changes of ratings that it makes."""

import numpy as np
import polars as pl
import pytest

import ratesim as rs
from conftest import SHARED

pytestmark = pytest.mark.interpreted
DAYS = 900


def league(seed: int) -> rs.GameStream:
    """Games of eight players, most on days of their own, some born late; one rests for half a year."""
    random = np.random.default_rng(seed)
    rows = []
    for day in np.sort(random.integers(14_600, 14_600 + DAYS, 160)).tolist():
        a, b = random.choice(8, 2, replace=False).tolist()
        if not (0 in {a, b} and 14_800 <= day < 15_000):
            rows.append((f"p{a}", f"p{b}", random.choice([0.0, 0.5, 1.0]), float(day)))
    first, second, score, time = zip(*rows, strict=True)
    born = [1960.0, 1970, 1980, 1985, 1992, 1994, 1995, 1996]
    players = pl.DataFrame({"player": [f"p{k}" for k in range(8)], "born": born})
    return rs.GameStream.of(first=first, second=second, score=score, time=time, players=players)


def by_changes(run: rs.Run) -> dict[tuple[str, int], tuple[float, float]]:
    """K by player and period: the change of the rating over the score above expectation; and games before."""
    games, found = run.stream, {}
    names = games.players["player"].to_list()
    surplus, played = {}, {}
    for side, sign in ((games.first, 1), (games.second, -1)):
        for g, i in enumerate(side.tolist()):
            key = (names[i], int(run.period[g]))
            surplus[key] = surplus.get(key, 0.0) + sign * (games.score[g] - run.forecast[g])
            played[key] = played.get(key, 0) + 1
    schedule = run.session.schedule
    before = dict.fromkeys(names, (1500.0, 0))
    periods = sorted({period for _, period in surplus})
    closes = [float(schedule.closes[period - schedule.base]) for period in periods]
    history = run.history(closes).partition_by("time", maintain_order=True)
    for period, after in zip(periods, history, strict=True):
        for name, rating in after.select("player", "rating").rows():
            if (name, period) in surplus:
                was, had = before[name]
                if abs(surplus[name, period]) > 0.05:
                    found[name, period] = ((rating - was) / surplus[name, period], had)
                before[name] = (rating, had + played[name, period])
    return found


@pytest.mark.parametrize(
    ("policy", "calendar"),
    [
        (rs.Fide(games=10, ratchet=1560, junior=1540), rs.PerGame()),
        (rs.Steps(by="idle", k=[10, 30, 50], at=["20d", "100d"]), rs.PerGame()),
        (rs.Fide(rules="as-of"), rs.Months()),
        (rs.Harmonic(k=100, half=5), rs.Months()),
        (rs.Steps(by="rating", k=[30, 15], at=[1500]), rs.Months()),
        (rs.Constant(20), rs.Months()),
    ],
    ids=["fide", "idle", "as-of", "harmonic", "rating", "constant"],
)
def test_k_is_what_ratings_move_by(policy, calendar):
    run = rs.replay(rs.Elo(), league(3), policy=policy, calendar=calendar)
    schedule = run.session.schedule
    times = np.unique(run.stream.time) if calendar.kind == "per-game" else schedule.opens
    told = rs.k_in_force(run, times)
    at = np.searchsorted(schedule.opens, told["time"].to_numpy())
    said = {
        (player, schedule.base + int(t)): (k, games)
        for player, t, k, games in zip(told["player"], at, told["k"], told["games"], strict=True)
    }
    expected = by_changes(run)
    assert len(expected) > 90
    assert len({round(k, 6) for k, _ in expected.values()}) > 1 or policy.kind == "constant"
    for key, (k, games) in expected.items():
        assert said[key] == (pytest.approx(k, rel=1e-9), games), key


def test_within_a_period_k_is_that_of_its_opening():
    run = rs.replay(rs.Elo(), league(3), policy=rs.Harmonic(k=100, half=5), calendar=rs.Months())
    opens = run.session.schedule.opens[10:12]
    names = ["p3", "p1"]
    days = (opens[0], opens[0] + 9, opens[1])
    first, inside, later = (rs.k_in_force(run, [day], names).drop("time") for day in days)
    assert first["player"].to_list() == names
    assert inside.equals(first)
    assert not later.equals(first)
    after = rs.k_in_force(run, [run.stream.time[-1] + 400], names)
    games = dict(run.ratings().select("player", "games").iter_rows())
    assert after["k"].to_list() == pytest.approx([100 / (1 + games[name] / 5) for name in names])


def test_nobody_has_a_k_before_the_first_game_unless_it_is_at_hand():
    games = rs.GameStream.of(first=["A", "C"], second=["B", "A"], score=[1, 1], time=[0, 5])
    run = rs.replay(rs.Elo(), games, policy=rs.Harmonic(k=60, half=1))
    named = rs.k_in_force(run, [0, 3, 5], ["C", "A"])
    assert named.select("time", "player", "k").rows() == [(3, "A", 30), (5, "A", 30)]
    assert rs.k_in_force(run, [0, 3], None).select("time", "player", "games", "k").rows() == [
        (0, "A", 0, 60), (0, "B", 0, 60), (3, "A", 1, 30), (3, "C", 0, 60),
    ]  # fmt: skip
    with pytest.raises(rs.InputError, match="no player 'D'"):
        rs.k_in_force(run, [0], ["D"])


def test_glicko_has_an_effective_k_and_systems_without_either_none():
    games = rs.GameStream.of(first=["A", "A"], second=["B", "B"], score=[1, 0], time=[0, 1])
    run = rs.replay(rs.Glicko(c=0), games, calendar=rs.PerGame())
    told = rs.k_in_force(run, [0, 1])
    assert told["k"][:2].to_list() == pytest.approx([324.4] * 2, abs=0.05)  # 350 against 350: q g / (1/RD^2 + 1/d^2)
    assert told["k"][2] == pytest.approx(rs.theory.gain(told["deviation"][2], told["deviation"][2]))
    assert rs.k_in_force(rs.replay(rs.FirstRate(), games), [0, 1]).is_empty()


@pytest.fixture(scope="module")
def football() -> rs.GameStream:
    columns = {
        "first": "home_team", "second": "away_team", "points_first": "home_score", "points_second": "away_score",
        "time": "date", "neutral": "neutral",
    }  # fmt: skip
    return rs.read(SHARED / "data" / "football" / "results.csv", rs.ColumnMap(**columns)).take(slice(500))


@pytest.mark.data
def test_the_first_games_of_argentina_go_by_fides_steps(football):
    run = rs.replay(rs.Elo(advantage=65), football, policy=rs.Fide())
    code = football.players["player"].to_list().index("Argentina")
    own = football.time[(football.first == code) | (football.second == code)]
    days = np.unique(own)
    told = rs.k_in_force(run, days).filter(pl.col("player") == "Argentina")
    before = np.searchsorted(own, days)  # on one day there were two
    assert told["games"].to_list() == before.tolist()
    assert told["k"].to_list() == np.where(before < 30, 40, 20).tolist()
    assert before[-1] > 35


@pytest.mark.data
def test_one_k_for_all_makes_no_points_and_another_moves_each_team_by_its_own_games(football):
    slow, fast = (
        rs.replay(rs.Elo(advantage=65), football, policy=rs.Constant(k), calendar=rs.Whole()) for k in (10, 30)
    )
    everybody = rs.analysis.pool_over_time(slow.history([football.time[-1] + 1]), active=1e6)
    assert everybody.row(0, named=True)["mean"] == pytest.approx(1500, abs=1e-9)
    moved = rs.analysis.players_moved(slow.ratings(), fast.ratings())
    for player, base, new, difference, _ in moved.rows():  # one period: changes go with K
        assert new - 1500 == pytest.approx(3 * (base - 1500), abs=1e-9), player
        assert difference == pytest.approx(2 * (base - 1500), abs=1e-9)
    assert moved["difference"].abs().is_sorted(descending=True)
    assert len(moved) == len(set(football.first.tolist()) | set(football.second.tolist()))
