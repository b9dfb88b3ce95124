"""Tables about K policies, by hand."""

import math

import numpy as np
import polars as pl
import pytest
from policy_tables import DAY, N, gains, movers, ratings

import ratesim as rs
from ratesim.analysis import (
    Drifting,
    EmptyFigureError,
    bands_moved,
    careers,
    frontier,
    inflation,
    moved,
    players_moved,
    pool_over_time,
)
from ratesim.analysis.policies.frontier import KS
from ratesim.experiment import read
from ratesim.plan import load


def test_careers_have_the_median_over_players_who_enter_a_group():
    frame = careers({"a": gains(N), "b": gains(20 - DAY)}, ["p3", "nobody"]).frame
    everybody = frame.filter(panel="all players", line="a")
    assert everybody["x"].to_list() == [0, 1, 2, 3, 4]
    assert everybody["y"].to_list() == [5.5] * 5
    assert everybody.select("low", "high", "n").row(0) == (pytest.approx(1.1), pytest.approx(9.9), 12)
    assert frame.filter(panel="all players", line="b")["y"].to_list() == [20, 19, 18, 17, 16]
    assert frame.filter(panel="p3", line="b").select("x", "y").rows() == [(day, 20 - day) for day in range(5)]
    assert "nobody" not in set(frame["panel"])


def test_a_player_enters_a_group_once_and_few_are_no_group():
    table = pl.concat([gains(10), gains(99)]).sort("time", maintain_order=True)
    found = careers({"a": table.filter((pl.col("games") < 4) | (pl.col("player") < "p5"))})
    assert found.frame.select("x", "y", "n").rows() == [(day, 10, 12) for day in range(4)]
    with pytest.raises(EmptyFigureError, match="no 10 players"):
        careers({"a": table.filter(pl.col("player") < "p5"), "none": table.clear()})


def test_players_are_listed_by_how_far_they_are_moved():
    base, new = ratings([1500.0, 1600, 1700, math.nan, 1400]), ratings([1510.0, 1530, 1710, 1500, math.nan])
    found = players_moved(base, new)
    assert found.rows() == [("p1", 1600, 1530, -70, 2), ("p0", 1500, 1510, 10, 1), ("p2", 1700, 1710, 10, 3)]
    assert players_moved(base, new.with_columns(games=pl.lit(0.0))).is_empty()
    bands = bands_moved(found, width=200)
    assert bands.select("from", "n", "rating", "mean", "absolute", "raised", "lowered").rows() == [
        (1400, 1, 1500, 10, 10, 0, 0), (1600, 2, 1650, -30, 40, 0, 0.5),
    ]  # fmt: skip
    with pytest.raises(rs.InputError, match="width = 0"):
        bands_moved(found, width=0)


def test_the_figure_of_players_moved_has_bands_of_ten():
    base = ratings([1500.0 + n for n in range(12)] + [2000.0])
    found = moved({"old": base, "new": base.with_columns(pl.col("rating") * 1.1)}, most=3)
    assert found.frame["player"].to_list() == ["p12", "p11", "p10", None]
    assert found.frame.row(3, named=True)["value"] == pytest.approx(150.55)
    assert "The 3 moved most, from old (ring) to new (dot)" in found.caption
    assert "in bands of 100 points" in found.caption
    few = moved({"old": base.head(9), "new": base.head(9)}, far=7)
    assert "bands" not in few.caption
    assert few.caption.endswith("0.0 % of players by more than 7.")
    with pytest.raises(EmptyFigureError, match="1 run with ratings"):
        moved({"old": base})


def test_who_has_no_game_in_a_year_is_no_longer_of_the_pool():
    rows = [
        (0.0, "a", 1500.0, 1.0), (0.0, "b", 1600.0, 1.0), (300.0, "a", 1520.0, 2.0), (300.0, "b", 1600.0, 1.0),
        (300.0, "c", 1700.0, 4.0), (400.0, "a", 1530.0, 3.0), (400.0, "b", 1600.0, 1.0), (400.0, "c", 1710.0, 5.0),
        (700.0, "a", 1530.0, 3.0), (700.0, "b", 1620.0, 2.0), (700.0, "c", 1720.0, 6.0),
    ]  # fmt: skip
    history = pl.DataFrame(rows, schema=["time", "player", "rating", "games"], orient="row")
    found = pool_over_time(history, active=365).rows()
    assert [row[:3] for row in found] == [
        (0, 2, 1550), (300, 3, pytest.approx(4820 / 3)), (400, 2, 1620), (700, 3, pytest.approx(4870 / 3)),
    ]  # fmt: skip
    assert found[2][3] == pytest.approx(180 / math.sqrt(2))
    with pytest.raises(EmptyFigureError, match="never 10 players"):
        inflation({"x": history})


def test_lag_is_what_change_adds_to_the_error_of_those_at_rest():
    found = frontier({"slow": movers(30, 30, behind=40), "fast": movers(40, 50), "none": {}})
    points = found.frame.filter(kind="run")
    assert points.select("label", "noise", "lag", "error").rows() == [
        ("slow", pytest.approx(30), pytest.approx(40), pytest.approx(50)),
        ("fast", pytest.approx(40), pytest.approx(30), pytest.approx(50)),
    ]
    assert points["noise_low"].to_list() == pytest.approx([30, 40])
    assert "of those at rest taken off" in found.caption


def test_a_world_at_rest_stands_for_players_at_rest():
    walking = {
        k: {"errors": movers(0, error)["errors"], "movers": movers(0, 0)["movers"].clear()}
        for k, error in (("a", 50), ("b", 65))
    }
    rest = {"a": movers(0, 30), "b": movers(0, 60)}
    points = frontier(walking, rest, theory=Drifting("walk", 5.0)).frame
    assert points.filter(kind="run").select("noise", "lag").rows() == [
        (pytest.approx(30), pytest.approx(40)), (pytest.approx(60), pytest.approx(25)),
    ]  # fmt: skip
    with pytest.raises(EmptyFigureError, match="fewer than two runs"):
        frontier(walking)


def test_theory_is_t6_and_t11():
    walk = Drifting("walk", 5.0)
    assert walk.best() == 10.0
    assert np.square(walk.point(10)).sum() == pytest.approx(rs.theory.tracking_mse(10, 5), rel=0.01)
    noise, lag = walk.point(20)
    assert noise == pytest.approx(42.0, abs=0.05)  # docs/theory.md, T6
    assert lag == pytest.approx(math.sqrt(2 * 5**2 * 173.717793 / 20), rel=1e-6)  # q^2 s / (2 K h), h = 1/4
    better = Drifting("improvement", 2.0)
    assert better.best() == pytest.approx(35.4, abs=0.05)
    assert better.point(20)[1] == pytest.approx(70.4, abs=0.05)
    assert better.point(4) is None
    errors = {k: math.hypot(*walk.point(k)) for k in KS}
    assert min(errors, key=errors.get) == pytest.approx(10, rel=0.06)


EXPERIMENT = """
[[world]]
name = "walking"
players = 12
rounds = 30
days = 30
replicates = 2
changes = [{ kind = "walk", sd = 20, per = "1d" }]
[[world]]
name = "still"
players = 12
rounds = 30
days = 30
replicates = 2
[[system]]
kind = "elo"
[[policy]]
kind = "constant"
label = "K"
k = [10, 40]
[figures]
runs = ["elo, K k=10", "elo, K k=40"]
top = 1
points = 10
careers = true
inflation = true
moved = 5
"""


def test_an_experiment_reads_k_before_games_and_lists_by_month(file):
    loaded = load(read(file(EXPERIMENT, "k.toml")))[0]
    assert loaded.careers.players is None
    assert loaded.careers.times.tolist() == np.unique(loaded.stream.time).tolist()
    assert loaded.monthly.times.tolist() == [0, 31]
    run = rs.replay(rs.Elo(), loaded.stream, policy=rs.Constant(10))
    assert loaded.careers.of_run(run).select("player", "k").height == 2 * len(loaded.stream)
    assert set(loaded.readings) == {
        each.key for each in (loaded.drawn, loaded.monthly, loaded.careers, loaded.looked_up)
    }


@pytest.mark.slow
def test_an_experiment_draws_them(file, call):
    path = file(EXPERIMENT, "k.toml")
    code, _, err = call("run", str(path), "--out", str(path.parent / "out"), "--workers", "1")
    assert code == 0, err
    tables = path.parent / "out" / "tables"
    names = {each.stem for each in tables.glob("*.parquet")}
    assert {f"{each}-{world}" for each in ("careers", "inflation", "moved") for world in ("walking", "still")} <= names
    assert "frontier-walking" in names
    assert "frontier-still" not in names
    lag = pl.read_parquet(tables / "frontier-walking.parquet")
    assert lag.filter(kind="run")["label"].to_list() == ["elo, K k=10", "elo, K k=40"]
    assert lag.filter(kind="best")["k"].to_list() == pytest.approx([48], rel=0.25)  # 2 q, and more as gaps are wide
    drawn = pl.read_parquet(tables / "careers-still.parquet")
    assert sorted(drawn["y"].unique()) == [10, 40]
    assert drawn.filter(pl.col("panel") != "all players", line="elo, K k=10").height > 20


def test_games_on_disk_have_no_readings_of_all_players(file, call, tmp_path):
    games = file("first,second,score,time\nA,B,1,0\nB,A,1,1\n")
    assert call("import", str(games), "-o", str(tmp_path / "games.parquet"))[0] == 0
    text = '[stream]\ngames = "games.parquet"\n[[system]]\nkind = "elo"\n[score]\nforecasts = "losses"\n'
    path = file(text + "[figures]\ncareers = true\n", "disk.toml")
    code, _, err = call("run", str(path), "--out", str(tmp_path / "out"))
    assert code == 2
    assert "figures.careers" in err
