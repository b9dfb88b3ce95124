"""Rows of a start table that hold from some day on: whom they speak of, from which game on, in every kind of replay."""

import numpy as np
import polars as pl
import pytest
from streamed_runs import bits, hold, same_frame

import ratesim as rs
from ratesim.io import read_starts
from ratesim.io.starts import together

K = rs.Constant(20)
TABLE = pl.DataFrame({
    "player": ["A", "A", "A", "B", "C", "E"],
    "rating": [1600.0, 1800.0, 1500.0, 1450.0, 1900.0, 1700.0],
    "deviation": [100.0, 50.0, 60.0, 120.0, 70.0, 80.0],
    "since": [None, 40.0, 300.0, 150.0, 10.0, 0.0],
})  # fmt: skip


def columns(games=120):
    """Games of five players in some 400 days, several a day; A rests from day 60 to day 200."""
    rng = np.random.default_rng(8)
    day = np.sort(rng.integers(0, 400, games)).astype(float)
    active = [list("BCDE") if 60 <= d < 200 else list("ABCDE") for d in day]
    first, second = zip(*(rng.choice(names, 2, replace=False) for names in active), strict=True)
    score, weight = rng.integers(0, 3, games) / 2, rng.choice([1.0, 1.0, 0.0], games)
    return {"first": list(first), "second": list(second), "score": score, "time": day, "weight": weight}


def part(table, games):
    return rs.GameStream.of(**{name: np.array(values)[games] for name, values in table.items()})


def by_hand(games, period, opens):
    """Return forecasts and ratings of Elo with K 20 over games by period: overrides come as a period opens."""
    rating = dict.fromkeys("ABCDE", 1500.0) | {"A": 1600.0}
    pending = sorted((day, player, said) for player, said, _, day in TABLE.iter_rows() if day is not None)
    forecasts = np.empty(len(period))
    for p in np.unique(period):
        here = np.flatnonzero(period == p)
        playing = {games[side][g] for g in here for side in ("first", "second")}
        for each in [row for row in pending if row[1] in playing and row[0] <= opens(games["time"][here[0]])]:
            rating[each[1]] = each[2]
            pending.remove(each)
        change = dict.fromkeys(rating, 0.0)
        for g in here:
            i, j = games["first"][g], games["second"][g]
            forecasts[g] = 1 / (1 + 10 ** ((rating[j] - rating[i]) / 400))
            shift = 20 * games["weight"][g] * (games["score"][g] - forecasts[g])
            change[i], change[j] = change[i] + shift, change[j] - shift
        rating = {player: rating[player] + change[player] for player in rating}
    return forecasts, rating


@pytest.mark.parametrize(
    ("calendar", "opens"),
    [(rs.PerGame(), lambda day: day), (rs.Every(days=30, origin="1970-01-01"), lambda day: day // 30 * 30)],
    ids=["per-game", "every"],
)
def test_they_replace_beliefs_before_the_first_game_of_a_period_that_opens_later(calendar, opens):
    games = columns()
    period = np.array([opens(day) for day in games["time"]])
    found = rs.replay(rs.Elo(), rs.GameStream.of(**games), policy=K, calendar=calendar, start=TABLE)
    forecasts, ratings = by_hand(games, period, opens)
    np.testing.assert_allclose(found.forecast, forecasts, rtol=0, atol=1e-12)
    for player, rating, _ in found.ratings().iter_rows():
        assert rating == pytest.approx(ratings[player], abs=1e-9)
    plain = rs.replay(rs.Elo(), rs.GameStream.of(**games), policy=K, calendar=calendar, start={"A": {"rating": 1600}})
    assert np.abs(plain.forecast - found.forecast).max() > 0.2


RUNS = {
    "elo": (rs.Elo(), rs.Constant(20), rs.PerGame()),
    "careers": (rs.Elo(), rs.Harmonic(), rs.PerGame()),
    "glicko": (rs.Glicko(per="30d"), None, rs.PerGame()),
    "months": (rs.Glicko(per="30d"), None, rs.Months()),
}


@pytest.mark.parametrize(
    "name",
    [pytest.param("elo", marks=pytest.mark.slow), "careers", pytest.param("glicko", marks=pytest.mark.slow), "months"],
)
def test_a_replay_cut_anywhere_or_from_disk_has_the_same_bits(name, tmp_path):
    system, policy, calendar = RUNS[name]
    games, words = columns(), {"policy": policy, "calendar": calendar, "start": TABLE}
    whole = rs.replay(system, rs.GameStream.of(**games), **words)
    for cut in (1, 44, 45, 46, 80):
        head = rs.replay(system, part(games, slice(cut)), **words)
        head.save(tmp_path / "state")
        tail = rs.replay(system, part(games, slice(cut, None)), state=rs.load_state(tmp_path / "state"), **words)
        assert bits([*head.forecast, *tail.forecast]) == bits(whole.forecast), cut
        assert same_frame(tail.ratings().sort("player"), whole.ratings().sort("player")), cut
    rs.GameStream.of(**games).to_frame().with_columns(pl.col("time")).write_parquet(tmp_path / "games.parquet")
    rs.import_games(tmp_path / "games.parquet", tmp_path / "canonical.parquet")
    disk, stream = rs.scan(tmp_path / "canonical.parquet", piece=7), rs.read(tmp_path / "canonical.parquet")
    hold(rs.replay(system, disk, **words), rs.replay(system, stream, **words), tmp_path)


def test_in_lanes_as_alone():
    games = rs.GameStream.of(**columns())
    pairs = [(rs.Elo(advantage=advantage), rs.Constant(k)) for advantage in (0, 50) for k in (10, 30)]
    for run, (system, policy) in zip(rs.replay_many(pairs, games, start=TABLE), pairs, strict=True):
        alone = rs.replay(system, games, policy=policy, start=TABLE)
        assert bits(run.forecast) == bits(alone.forecast)
        assert same_frame(run.ratings(), alone.ratings())


def test_a_history_shows_them_from_the_game_on_and_a_deviation_ages_from_there():
    games = rs.GameStream.of(first=["A", "B", "A"], second=["B", "C", "B"], score=[1, 1, 0], time=[0, 50, 100])
    table = {"A": {"rating": 1600.0, "deviation": 100.0}, "B": {"rating": 1500.0, "deviation": 100.0}}
    later = pl.DataFrame({"player": ["A"], "rating": [1800.0], "deviation": [40.0], "since": [20.0]})
    both = together([read_starts(table), read_starts(later)])
    run = rs.replay(rs.Glicko(per="1d", c=5), games, calendar=rs.PerGame(), start=both)
    before, moment, after = (
        dict(run.history([day], ["A"]).select("rating", "deviation").row(0, named=True)) for day in (1, 99, 100)
    )
    assert before["rating"] == moment["rating"] > 1600
    assert before["deviation"] < moment["deviation"]
    assert 1700 < after["rating"] < 1800
    assert after["deviation"] < 40


def test_a_game_of_weight_0_is_forecast_by_them_and_starts_no_clock():
    games = {"first": ["A", "A", "A"], "second": ["B"] * 3, "score": [1, 1, 1], "time": [0, 90, 200]}
    table = {"player": ["A"], "rating": [1900.0], "deviation": [50.0], "since": [5.0]}
    words = {"calendar": rs.PerGame(), "start": pl.DataFrame(table)}
    system = rs.Glicko(per="1d", c=10)
    with_it = rs.replay(system, rs.GameStream.of(**games, weight=[1, 0, 1]), **words)
    without = rs.replay(system, part(games, [0, 2]), **words)
    assert with_it.forecast[1] > 0.8
    assert bits(with_it.forecast[[0, 2]]) == bits(without.forecast)
    assert bits(with_it.ratings()["rating"]) == bits(without.ratings()["rating"])


def test_in_every_pool_from_the_first_game_there():
    games = rs.GameStream.of(
        first=["A", "A", "A", "A"], second=["B"] * 4, score=[1] * 4, time=[0, 0, 9, 30], pool=["x", "y", "x", "y"]
    )
    table = pl.DataFrame({"player": ["A"], "rating": [1900.0], "since": [5.0]})
    found = rs.replay(rs.Elo(), games, policy=K, start=table, by_pool=True).forecast
    np.testing.assert_allclose(found, [0.5, 0.5, *2 * [1 / (1 + 10 ** (-410 / 400))]], rtol=1e-12)


@pytest.mark.parametrize("calendar", [rs.PerGame(), rs.Every(days=10, origin="1970-01-01")], ids=lambda each: each.kind)
def test_k_in_force_is_that_of_the_rating_that_is_said_from_its_game_on(calendar):
    games = rs.GameStream.of(first=["A"] * 4, second=["B"] * 4, score=[0.5] * 4, time=[0, 10, 30, 40])
    table = pl.DataFrame({"player": ["A"], "rating": [1900.0], "since": [15.0]})
    policy = rs.Steps(by="rating", k=(10, 50), at=(1700,))
    run = rs.replay(rs.Elo(), games, policy=policy, calendar=calendar, start=table)
    told = rs.k_in_force(run, [10, 20, 30, 40], ["A"])
    lost = 50 * (1 / (1 + 10 ** (-400 / 400)) - 0.5)
    assert told["k"].to_list() == [10, 10, 50, 50]
    assert told["rating"].to_list() == pytest.approx([1500, 1500, 1900, 1900 - lost], abs=1e-9)


def test_a_career_goes_on_after_a_rating_that_is_said():
    games = rs.GameStream.of(first=["A"] * 4, second=list("BCDE"), score=[1, 0, 1, 1], time=[0, 10, 20, 200])
    table = pl.DataFrame({"player": ["A"], "rating": [1900.0], "since": [15.0]})
    for policy, ks in (
        (rs.Harmonic(k=120, half=10), [120 / 1.2, 120 / 1.3]),
        (rs.Steps(by="idle", k=(10, 30), at=(100,)), [10, 30]),
    ):
        run = rs.replay(rs.Elo(), games, policy=policy, start=table)
        rating = 1900.0
        for game, k in zip((2, 3), ks, strict=True):
            forecast = 1 / (1 + 10 ** ((1500 - rating) / 400))
            assert run.forecast[game] == pytest.approx(forecast, abs=1e-12)
            rating += k * (1 - forecast)
        assert run.ratings().filter(player="A")["rating"][0] == pytest.approx(rating, abs=1e-9)


def test_a_rating_that_is_said_stands_in_the_place_of_a_way_back_to_the_mean():
    games = rs.GameStream.of(
        first=["A"] * 5, second=["B"] * 5, score=[0.5] * 5, time=[0, 100, 110, 120, 200], season=list("12223")
    )
    for since, ratings in ((50, [1500, 1900, 1900, 1900, 1700]), (105, [1500, 1500, 1900, 1900, 1700])):
        table = pl.DataFrame({"player": ["A"], "rating": [1900.0], "since": [float(since)]})
        found = rs.replay(rs.Elo(reversion=0.5), games, policy=rs.Constant(0.0), start=table).forecast
        expected = [1 / (1 + 10 ** ((1500 - rating) / 400)) for rating in ratings]
        np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_a_rating_that_is_said_counts_as_one_that_was_held():
    games = rs.GameStream.of(first=["A"] * 3, second=["B"] * 3, score=[1, 0, 1], time=[20000, 20010, 20020])
    start = pl.DataFrame({
        "player": ["A", "A", "A", "B"], "rating": [2300.0, 2450.0, 2300.0, 2300.0], "games": [90, None, None, 90],
        "born": [1980, None, None, 1980], "peak": [2300.0, None, None, 2300.0], "since": [None, 20005.0, 20015.0, None],
    })  # fmt: skip
    ratings = rs.replay(rs.Elo(), games, policy=rs.Fide(), start=start).ratings()
    assert dict(ratings.select("player", "rating").iter_rows())["A"] == pytest.approx(2300 + 10 * 0.5, abs=1)


@pytest.mark.parametrize(
    ("table", "said"),
    [
        (
            {"player": ["A", "A"], "rating": [1, 2], "since": [5, 5]},
            "table of players, row 2, column player: A is here again; expected each player once, or at different days",
        ),
        (
            {"player": ["A", "A"], "rating": [1, 2], "since": [None, None]},
            "table of players, row 2, column player: A is here again; expected each player once, or at different days",
        ),
        (
            {"player": ["A"], "since": [5]},
            "table of players, row 1, column rating: no rating of A beside since; expected one",
        ),
        (
            {"player": ["A"], "rating": [1], "games": [3], "since": ["2020-01-01"]},
            "table of players, row 1, column games: games of A beside since; expected rating, deviation, volatility",
        ),
        ({"player": ["A"], "since": ["soon"]}, "table of players, row 1, column since: since 'soon'; expected a date"),
        ({"player": ["A"], "sinc": [1]}, "table of players: unknown column 'sinc'; did you mean 'since'?"),
    ],
)
def test_a_mistake_is_one_line(table, said):
    with pytest.raises(rs.InputError) as error:
        read_starts(pl.DataFrame(table))
    assert str(error.value).startswith(said)
    assert "\n" not in str(error.value)


def test_tables_together_have_each_player_once():
    one, two = read_starts({"A": {"rating": 1}, "B": {"rating": 2}}), read_starts({"B": {"rating": 3}})
    assert together([one]) is one
    with pytest.raises(rs.InputError, match="tables of starts, row 3, column player: B is here again; expected each"):
        together([one, two])
