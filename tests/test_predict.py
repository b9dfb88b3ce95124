"""Forecasts of games to come, as of a moment."""

import datetime as dt
import json

import numpy as np
import polars as pl
import pytest

import ratesim as rs
from ratesim.replaying.asked import day_of
from ratesim.testing.trial import league, starts, stream

pytestmark = pytest.mark.interpreted
GAMES = stream(league())
HEADER = ("home_team", "away_team", "home_score", "away_score", "date")
PAIRS = [("A", "B"), ("G", "C"), ("H", "D")]
EXPECTED = 1 / (1 + 10 ** (-40 / 400))


def elo(**settings):
    games = rs.GameStream.of(first=["A"], second=["B"], score=[1], time=[10])
    return rs.replay(rs.Elo(**settings), games, policy=rs.Constant(40))


def test_a_forecast_by_hand():
    table = elo().predict([("A", "B"), ("B", "A")], 11)
    assert table.columns == ["first", "second", "forecast"]
    assert table["forecast"].to_list() == pytest.approx([EXPECTED, 1 - EXPECTED], abs=1e-15)


def test_a_moment_sees_what_has_closed_by_then():
    assert elo().predict([("A", "B")], 9.9)["forecast"].item() == 0.5
    assert elo().predict([("A", "B")], 10)["forecast"].item() == pytest.approx(EXPECTED, abs=1e-15)
    months = rs.replay(rs.Glicko(c=30), GAMES, calendar=rs.Months())
    opened = day_of("1970-03-01")
    for day in (opened, opened + 12.5, 400.0):
        known = months.history([day])
        rating, deviation = (dict(known.select("player", name).iter_rows()) for name in ("rating", "deviation"))
        q = np.log(10) / 400
        spread = 1 / np.sqrt(1 + 3 * (q / np.pi) ** 2 * (deviation["A"] ** 2 + deviation["B"] ** 2))
        by_hand = 1 / (1 + 10 ** (-spread * (rating["A"] - rating["B"]) / 400))
        assert months.predict([("A", "B")], day)["forecast"].item() == pytest.approx(by_hand, abs=1e-12)


@pytest.mark.parametrize("time", [dt.date(1970, 1, 11), dt.datetime(1970, 1, 11), "1970-01-11", 10, np.float64(10)])  # noqa: DTZ001  # a moment without a zone is UTC
def test_moments_are_dates_or_days(time):
    run = elo()
    assert run.predict([("A", "B")], time)["forecast"].item() > 0.5
    assert run.history([time]).equals(run.history(np.array([10.0])))


def test_a_moment_of_history_that_is_none_is_refused():
    with pytest.raises(rs.InputError, match="time 'soon'; expected a date such as"):
        elo().history([1.0, "soon"])


def test_edges_are_of_all_of_each_or_a_column():
    run = elo(advantage=100)
    away, neutral, home = (run.predict([("A", "B")], 11, edge=edge)["forecast"].item() for edge in (-1, 0, 1))
    assert away < neutral == run.predict([("A", "B")], 11)["forecast"].item() < home
    each = run.predict([("A", "B")] * 3, 11, edge=[-1, 0, 1])["forecast"].to_list()
    table = pl.DataFrame({"first": ["A"] * 3, "second": ["B"] * 3, "edge": [-1, 0, 1], "stage": ["final"] * 3})
    assert each == [away, neutral, home] == run.predict(table, 11)["forecast"].to_list()


def test_an_edge_may_hang_on_what_a_game_is_played_for():
    games = rs.GameStream.of(
        first=["A", "A"], second=["B", "B"], score=[1, 0], time=[0, 1], edge=[1, 1], stage=["league", "final"]
    )
    run = rs.replay(rs.Elo(advantage=100, edge_by_stage={"final": 0.5}), games)
    pairs = pl.DataFrame({"first": ["A"] * 2, "second": ["B"] * 2, "edge": [1, 1], "stage": ["league", "final"]})
    plain = rs.replay(rs.Elo(advantage=100, edge_by_stage={"final": 0.5}), games).predict(pairs, 0)
    assert plain["forecast"][1] == run.forecast[1]
    assert plain["forecast"][0] > plain["forecast"][1]
    with pytest.raises(rs.InputError, match=r"pairs: system 'elo' goes by what games are played for; .* column stage"):
        run.predict(pairs.drop("stage"), 1)


def test_nothing_is_changed_and_nobody_added():
    run = rs.replay(rs.Glicko2(), GAMES, calendar=rs.Months())
    before, rows = run.ratings(), run.session.state.rows.copy()
    run.predict(PAIRS, 100)
    run.predict(PAIRS, 1e5)
    assert run.ratings().equals(before)
    assert np.array_equal(run.session.state.rows, rows)
    assert GAMES.digest == stream(league()).digest


def test_a_replay_that_was_saved_and_goes_on_foresees_the_same(tmp_path):
    table = league()
    whole = rs.replay(rs.Glicko(), GAMES, calendar=rs.Months(), start=starts(rs.Glicko()))
    head = rs.replay(rs.Glicko(), stream(table.head(25)), calendar=rs.Months(), start=starts(rs.Glicko()))
    asked = head.predict(PAIRS[:2], 300)
    head.save(tmp_path / "state")
    assert head.predict(PAIRS[:2], 300).equals(asked)
    tail = rs.replay(
        rs.Glicko(), stream(table.slice(25)), calendar=rs.Months(), state=rs.load_state(tmp_path / "state"),
        start=starts(rs.Glicko()),
    )  # fmt: skip
    assert tail.predict(PAIRS, 300).equals(whole.predict(PAIRS, 300))


def test_unrated_players_have_no_forecast():
    games = rs.GameStream.of(first=["A", "A"], second=["B", "C"], score=[1, 0], time=["2024-03-02", "2024-03-03"])
    run = rs.replay(rs.FideElo(), games, start={p: {"rating": 2000.0, "k": 20.0, "born": 1980.0} for p in "AB"})
    found = run.predict([("A", "B"), ("A", "C")], "2024-04-01")["forecast"].to_list()
    assert found[0] > 0.5
    assert np.isnan(found[1])


def test_a_new_season_is_one():
    run = rs.replay(rs.Elo(reversion=0.5, reversion_to=1500), GAMES)
    same, other = (run.predict([("A", "B")], 300, season=season)["forecast"].item() for season in ("2", "3"))
    assert same == run.predict([("A", "B")], 300)["forecast"].item()
    rating = dict(run.ratings().select("player", "rating").iter_rows())
    assert abs(other - 0.5) < abs(same - 0.5)
    assert other == pytest.approx(1 / (1 + 10 ** (-0.5 * (rating["A"] - rating["B"]) / 400)), abs=1e-12)


def test_players_have_a_belief_for_each_pool():
    games = rs.GameStream.of(first=["A", "B"], second=["B", "A"], score=[1, 1], time=[0, 1], pool=["clay", "grass"])
    run = rs.replay(rs.Elo(), games, policy=rs.Constant(40), by_pool=True)
    clay, grass = (run.predict([("A", "B")], 2, pool=pool)["forecast"].item() for pool in ("clay", "grass"))
    assert clay == pytest.approx(EXPECTED, abs=1e-15)
    assert grass == pytest.approx(1 - EXPECTED, abs=1e-15)
    with pytest.raises(rs.InputError, match="a belief for each pool; expected pool = one of clay, grass"):
        run.predict([("A", "B")], 2)
    with pytest.raises(rs.InputError, match=r"no pool 'gras' in the stream; .*did you mean 'grass'"):
        run.predict([("A", "B")], 2, pool="gras")


def test_baselines_foresee_what_they_would_forecast():
    for system in (rs.Even(), rs.FirstRate(), rs.Glicko2PyPI()):
        longer = pl.concat([league(), league().tail(1).with_columns(time=300.0)])
        calendar = rs.Months()
        run, after = (rs.replay(system, stream(games), calendar=calendar) for games in (league(), longer))
        last = longer.tail(1)
        assert run.predict(last.select("first", "second"), 300)["forecast"].item() == after.forecast[-1]
    assert run.predict(PAIRS, -100)["forecast"].to_list() == [0.5] * 3


def test_a_system_that_goes_by_more_than_who_plays_says_so():
    run = rs.replay(rs.Published(), GAMES)
    with pytest.raises(rs.InputError, match="predict: system 'published' goes by more than who plays: the stream has"):
        run.predict(PAIRS, 300)


@pytest.mark.parametrize(
    ("pairs", "keys", "said"),
    [
        ([("A", "B"), ("A", "Gg")], {}, "pairs, row 2, column second: no player 'Gg' in the stream; did you mean 'G'"),
        ([("A", "A")], {}, "pairs, row 1, column second: A plays against themselves; expected another player"),
        (["AB"], {}, "pairs, row 1: 'AB'; expected two names"),
        ([("A", 1)], {}, "pairs, row 1: ('A', 1); expected two names"),
        (pl.DataFrame({"frist": ["A"], "second": ["B"]}), {}, "pairs: no column 'first'; did you mean 'frist'"),
        ([("A", "B")], {"edge": [1, 1]}, "pairs: 2 edges; expected one, or one for each of 1"),
        ([("A", "B")], {"edge": np.nan}, "edge"),
        (pl.DataFrame({"first": "A", "second": "B", "edge": 1}), {"edge": 1}, "pairs: edge, and a column edge"),
        (pl.DataFrame({"first": ["A"], "second": [None]}), {}, "pairs, row 1, column second: no name"),
        ([("A", "B")], {"pool": "x"}, "predict: pool 'x', but players have one belief; expected by_pool = True"),
        ([("A", "B")], {"time": "soon"}, "time 'soon'; expected a date such as 2024-01-31"),
        ([("A", "B")], {"time": None}, "time None; expected a date"),
        ([("A", "B")], {"time": np.inf}, "time inf; expected a date"),
    ],
)
def test_mistakes_are_one_line(pairs, keys, said):
    run = rs.replay(rs.Elo(), GAMES)
    with pytest.raises(rs.InputError) as error:
        run.predict(pairs, **{"time": 300, **keys})
    assert said in str(error.value)
    assert "\n" not in str(error.value)


def test_games_on_disk_are_foreseen_from_their_end_on(tmp_path):
    rs.write_games(GAMES, tmp_path / "games.parquet")
    for system in (rs.Glicko(per=30), rs.Even()):
        disk, memory = (rs.replay(system, games) for games in (rs.scan(tmp_path / "games.parquet"), GAMES))
        for _ in range(2):
            assert disk.predict(PAIRS, 400).equals(memory.predict(PAIRS, 400))
    with pytest.raises(
        rs.InputError, match=r"a moment before the last game on disk, of 1970-09-03; expected no earlier"
    ):
        disk.predict(PAIRS, 100)


def test_the_verb_is_the_method(games, call, tmp_path):
    pairs, out = tmp_path / "pairs.csv", tmp_path / "out.csv"
    pairs.write_text("first,second,edge\nAjax,Celta,1\nCelta,Dinamo,0\n", encoding="utf-8")
    columns = dict(zip(("first", "second", "points_first", "points_second", "time"), HEADER, strict=True))
    named = [f"--map={key}={name}" for key, name in columns.items()]
    words = ("predict", games, pairs, *named, "--system", "glicko2", "--calendar", "months")
    run = rs.replay(rs.Glicko2(), rs.read(games, columns), calendar=rs.Months())
    code, said, _ = call(*words, "--json", "--at", "2023-08-01")
    assert code == 0
    assert json.loads(said)["forecasts"] == run.predict(pairs, "2023-08-01").to_dicts()
    code, said, _ = call(*words, "-o", out)
    closes = day_of("2023-11-01")
    assert code == 0
    assert "as of 2023-11-01" in said
    assert pl.read_csv(out).equals(run.predict(pairs, closes))
    assert run.closes == closes


@pytest.mark.parametrize(
    ("text", "more", "said"),
    [
        ("first,second\nAjax,Selta\n", (), "pairs.csv, row 1, column second: no player 'Selta' in the stream; did you"),
        ("first,second,edge\nAjax,Celta,home\n", (), "pairs.csv, row 1, column edge"),
        ("home,away\nAjax,Celta\n", (), "pairs.csv: no column 'first'"),
        ("first,second\nAjax,Celta\n", ("--at", "soon"), "time 'soon'; expected a date such as"),
        ("first,second\nAjax,Celta\n", ("--pool", "x"), "predict: pool 'x', but players have one belief"),
    ],
)
def test_mistakes_of_the_verb_are_one_line(games, call, tmp_path, text, more, said):
    pairs, out = tmp_path / "pairs.csv", tmp_path / "out.csv"
    pairs.write_text(text, encoding="utf-8")
    code, _, err = call("predict", games, pairs, "--system", "elo", "-o", out, *more)
    assert code == 2
    assert said in err.splitlines()[-1]
    assert not out.exists()
