"""What a change of K does, held to numbers worked out by hand, and `ratesim policy` around it."""

import json
import math
import re

import numpy as np
import polars as pl
import pytest

import ratesim as rs
from ratesim.analysis.policies import CAUSES
from ratesim.cli import main
from ratesim.errors import InputError
from ratesim.illustrate import stored
from ratesim.plots import draw
from ratesim.policies import Steps
from ratesim.reform import Terms, compare, summary, write
from ratesim.reform.figures import figures
from ratesim.replaying.moves import moves, sides

pytestmark = pytest.mark.interpreted
NEW = Steps(k=(40, 20), at=(1,))
AHEAD = 1 / (1 + 10 ** (-10 / 400)), 1 / (1 + 10 ** (-20 / 400))  # A's forecast in the second game, by base and by new
WORLD = """seed = 3
[world]
name = "small"
players = 8
rounds = 8
days = 730
start = "skills"
replicates = 3
[world.skills]
kind = "fide"
"""


def stream(**columns):
    """A beats B, and a year later loses to C."""
    players = pl.DataFrame({"player": ["A", "B", "C"], "born": [1990, 2010, 1950]})
    return rs.GameStream.of(
        first=["A", "A"], second=["B", "C"], score=[1, 0], time=["2020-01-01", "2021-01-01"], players=players, **columns
    )


@pytest.fixture(scope="module")
def found():
    return compare(Terms(rs.Constant(20), NEW, rs.Elo(), levels=(1505.0,), far=5.0), stream())


def of(found, table, **where):
    return found.tables[table].filter(**where).rows(named=True)


def test_years_by_hand(found):
    first, second = of(found, "years", policy="base")
    assert (first["year"], first["players"], first["mean"], first["change"], first["k"]) == (2020, 2, 1500, None, 20)
    assert (second["year"], second["players"], second["k"]) == (2021, 2, 20)
    assert (second["mean"], second["change"]) == (pytest.approx(1505), pytest.approx(5))
    first, second = of(found, "years", policy="new")
    assert (first["mean"], first["k"], second["k"]) == (1500, 40, 30)
    assert second["mean"] == pytest.approx((1520 + 1500 + 20 * AHEAD[1]) / 2)
    less = of(found, "years", policy="new - base")[1]
    assert less["mean"] == pytest.approx((1520 + 1500 + 20 * AHEAD[1]) / 2 - 1505)


def test_points_by_hand(found):
    base, new = (of(found, "balance", policy=policy)[1] for policy in ("base", "new"))
    assert [base[name] for name in ("entries", "exits", "returns", "floor", "rounding", "other")] == [
        1500, pytest.approx(-1490), 0, 0, 0, 0,
    ]  # fmt: skip
    assert (base["games"], base["points"]) == (0, pytest.approx(3010))
    assert (new["entries"], new["exits"]) == (1500, pytest.approx(-1480))
    assert new["games"] == pytest.approx(20 * AHEAD[1])  # C wins twice what A loses


def test_crossings_by_hand(found):
    rows = [(row["year"], row["up"], row["down"], row["players"]) for row in of(found, "crossings", policy="base")]
    assert rows == [(2020, 1, 0, 1), (2021, 1, 1, 2)]


def test_groups_by_hand(found):
    (row,) = of(found, "groups", policy="new", by="games")
    assert (row["from"], row["players"], row["games"], row["k"]) == (0, 3, 4, 35)
    assert row["gained"] == pytest.approx(20 * AHEAD[1] / 4)
    ages = {row["from"]: (row["players"], row["games"]) for row in of(found, "groups", policy="base", by="age")}
    assert ages == {0: (1, 1), 30: (1, 2), 65: (1, 1)}  # B is 10; A 30 and 31; C 71
    ages = {row["from"]: row["n"] for row in of(found, "group_forecasts", by="age")}
    assert ages == {0: 1, 30: 2, 65: 1}
    ratings = {row["from"]: row["n"] for row in of(found, "group_forecasts", by="rating")}
    assert ratings == {1500: 2}


def test_losses_by_hand(found):
    base, new = (-(math.log(0.5) + math.log(1 - ahead)) / 2 for ahead in AHEAD)
    assert found.losses["n"] == 2
    assert [found.losses[name] for name in ("base", "new", "difference")] == pytest.approx([base, new, new - base])
    row = of(found, "forecasts", year=2020)[0]
    assert (row["n"], row["difference"]) == (1, 0)


def test_who_is_moved_by_hand(found):
    a, b, c = 10 + 20 * (AHEAD[0] - AHEAD[1]), -10, 40 * AHEAD[1] - 20 * AHEAD[0]
    order = sorted([("A", a), ("B", b), ("C", c)], key=lambda each: -abs(each[1]))
    assert found.tables["players"]["player"].to_list() == [name for name, _ in order]
    assert found.tables["players"]["difference"].to_list() == pytest.approx([change for _, change in order])
    assert [found.moved[name] for name in ("rated", "moved", "raised", "lowered")] == [3, 3, 2, 1]


def test_the_floor_by_hand():
    held = compare(Terms(rs.Constant(20), rs.Constant(4), rs.Elo(floor=1495.0), levels=()), stream())
    first = of(held, "balance", policy="base")[0]
    assert (first["floor"], first["games"]) == (pytest.approx(5), pytest.approx(0))  # B loses 5 of 10
    rows = {(row["policy"], row["year"]): (row["up"], row["down"]) for row in of(held, "crossings", level="floor")}
    assert (rows["base", 2020], rows["new", 2020]) == ((0, 1), (0, 0))


SYSTEMS = {
    "elo": (rs.Elo(floor=1450.0), None),
    "elo, monthly": (rs.Elo(floor=1450.0), rs.Months()),
    "elo, seasons": (rs.Elo(reversion=0.3), None),
    "fide": (rs.FideElo(start=1500.0), None),
    "fide, by dates": (rs.FideElo(start=1500.0, rules="as-of"), None),
}


def league(games=60):
    rng = np.random.default_rng(5)
    first = rng.integers(0, 9, games)
    second = (first + rng.integers(1, 9, games)) % 9
    time = np.sort(rng.uniform(16500, 17300, games))
    return rs.GameStream.of(
        first=[f"P{x}" for x in first], second=[f"P{x}" for x in second],
        score=rng.choice([0, 0.5, 1], games), time=time,
        season=[str(int(each // 365)) for each in time],
    )  # fmt: skip


@pytest.mark.parametrize(
    "case", [pytest.param(case, marks=[pytest.mark.slow] if case == "fide" else []) for case in SYSTEMS]
)
def test_moves_add_up_and_causes_are_the_change_of_the_pool(case):
    system, calendar = SYSTEMS[case]
    games = league()
    found = compare(Terms(rs.Constant(60), Steps(k=(80, 30), at=(8,)), system, calendar), games)
    for run in found.runs:
        frame = moves(run).frame
        ends = frame.group_by("row").last().sort("row")["after"]
        np.testing.assert_array_equal(ends.to_numpy(), run.ratings()["rating"].to_numpy())
        counted = frame.group_by("row").agg(pl.col("fresh").sum()).sort("row")["fresh"]
        if run.policy.kernels().career:  # which knows what counted: no game against the unrated does
            assert counted.to_list() == run.ratings()["games"].to_list()
        chained = frame.with_columns(held=pl.col("after").shift(1).over("row")).drop_nulls("held")
        assert (chained["held"] == chained["before"]).all()
    table = found.tables["balance"].filter(pl.col("policy") != "new - base")
    causes = table.select(pl.sum_horizontal(*CAUSES)).to_series()
    assert (table["change"] - causes).abs().max() < 1e-7
    by_policy = dict(
        table.group_by("policy")
        .agg(pl.col("floor").sum(), pl.col("rounding").abs().sum(), "other")
        .rows_by_key("policy")
    )
    assert (by_policy["new"][0][0] > 0) == (system.kind == "elo" and system.floor is not None)
    assert (by_policy["new"][0][1] > 0) == (system.kind == "fide")
    if case == "elo":  # what a game gives one side it takes from the other, and no dust is left of it
        assert table.filter(policy="base")["games"].to_list() == [0.0] * 3
    if case == "elo, seasons":
        assert max(map(abs, by_policy["new"][0][2])) > 1


def test_sides_are_what_games_were_judged_by():
    """By the logistic curve over them, forecasts come out."""
    run = rs.replay(rs.Elo(), league(), calendar=rs.Months())
    first, second = sides(run, moves(run)).rating
    np.testing.assert_allclose(1 / (1 + 10 ** ((second - first) / 400)), run.forecast, rtol=1e-12)


def test_a_page_that_needs_nothing_else(found, tmp_path):
    said = summary(found)
    out = tmp_path / "out"
    page = write(found, said, out).read_text(encoding="utf-8")
    assert "From constant k=20 to steps" in page
    assert not re.search(r"(src|href)=\"(?!#)|url\((?!#)|@import|<script", page)
    names = {path.stem for path in (out / "figures").iterdir()}
    assert {"pool", "crossed", "points"} <= names
    assert all(f'<figure id="{name}">' in page for name in names)
    assert all(stored(out, name).frame.height for name in names)  # each leaves the numbers that it is drawn from
    for name, frame in found.tables.items():
        assert pl.read_parquet(out / "tables" / f"{name}.parquet").equals(frame)
        assert (out / "tables" / f"{name}.csv").is_file()


def test_what_does_not_move_is_not_drawn_but_said():
    """Two players, who take from each other alone."""
    games = rs.GameStream.of(first=["A"] * 4, second=["B"] * 4, score=[1, 0, 1, 0], time=[18300, 18301, 18700, 18701])
    still = {table.name: table for table in figures(compare(Terms(rs.Constant(20), rs.Constant(30), rs.Elo()), games))}
    assert [panel["name"] for panel in still["pool"].meta["panels"]] == ["rated players", "K in force, mean over games"]
    assert "The mean rating is 1500 throughout, so it is not drawn." in still["pool"].caption
    assert "points" not in still


def test_two_years_of_two_policies_that_agree_can_be_read():
    same = compare(Terms(rs.Constant(20), Steps(k=(20, 40), at=(9,)), rs.Elo(), levels=(1505.0, 2300.0)), stream())
    drawn = {table.name: (table, draw(table)) for table in figures(same)}
    pool = drawn["pool"][1]
    assert drawn["pool"][0].meta["lines"] == ["base: constant k=20", "new: steps k=[20.0, 40.0] at=[9.0]"]
    assert [axes.get_title(loc="left") for axes in pool.axes] == [
        "mean rating", "change of the mean in a year", "rated players", "K in force, mean over games"
    ]  # fmt: skip
    for axes in pool.axes:  # the change is of the second year alone
        low, high = axes.get_xlim()
        assert 2019 < low < 2020
        assert 2021 < high < 2022
        assert [tick % 1 for tick in axes.get_xticks() if low <= tick <= high] == [0, 0]
        base, new = axes.lines[-2:]
        if len(base.get_xdata()) == 1:
            assert (base.get_marker(), base.get_fillstyle()) != (new.get_marker(), "full")
        else:
            assert base.get_linestyle() != new.get_linestyle()
    table, crossed = drawn["crossed"]
    assert set(table.frame["panel"]) == {"1505, up", "1505, down"}
    assert "Nobody crosses 2300." in table.caption
    assert all(tick % 1 == 0 for axes in crossed.axes for tick in axes.get_yticks())


def test_columns_are_guessed_as_inspect_does(games, capsys):
    words = ["constant:k=20", "constant:k=32", "--stream", str(games), "--json"]
    assert main(["policy", *words]) == 0
    out, err = capsys.readouterr()
    assert main(["inspect", str(games), "--json"]) == 0
    inspected, said = capsys.readouterr()
    assert err == said
    columns = json.loads(inspected)["columns"]
    (note,) = json.loads(out)["notes"]
    assert sorted(note.removeprefix("columns: ").split()) == [f"{name}={value}" for name, value in columns.items()]
    assert main(["rate", str(games), "--system", "elo", "--json"]) == 0
    assert capsys.readouterr().err.startswith(said)


def test_all_or_nothing(found, tmp_path, monkeypatch):
    monkeypatch.setattr("ratesim.reform.writing.figures", lambda _: [])
    for _ in range(2):  # the second takes the place of the first
        assert write(found, summary(found), tmp_path / "out").is_file()
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    monkeypatch.setattr("ratesim.reform.writing.paged", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        write(found, summary(found), tmp_path / "new")
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_world_has_intervals_over_replicates(tmp_path, capsys):
    (tmp_path / "world.toml").write_text(WORLD, encoding="utf-8")
    (tmp_path / "new.toml").write_text("[policy]\nkind = 'constant'\nk = 40\n", encoding="utf-8")
    words = ["constant:k=20", tmp_path / "new.toml", "--world", tmp_path / "world.toml", "--json", "--moved", 10]
    assert main(["policy", *map(str, words)]) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["replicates"], said["first"], said["games"]) == (3, None, 96)
    assert said["new"] == {"label": "constant k=40", "policy": {"kind": "constant", "k": 40.0}}
    assert said["log_loss"]["low"] < said["log_loss"]["difference"] < said["log_loss"]["high"]
    assert said["moved"]["moved_low"] <= said["moved"]["moved"] <= said["moved"]["moved_high"]
    assert said["moved"]["by_more_than"] == 10
    assert set(said["tables"]) == {"years", "forecasts", "groups", "group_forecasts", "crossings", "balance"}
    assert {row["year"] for row in said["tables"]["years"]} == {1, 2}
    assert all(row["games_low"] is not None for row in said["tables"]["balance"])


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("constnat fide", "BASE: unknown policy 'constnat'; did you mean 'constant'?"),
        ("fide constant:q=3", "NEW: unknown key 'q'; expected one of k, those of constant"),
        ("constant constant:k=20", "BASE and NEW are both constant k=20; expected two policies"),
        ("fide constant --system glicko", "--system: system 'glicko' learns without K; expected one of"),
        (
            "fide constant --thresholds 2400,2300",
            "--thresholds: thresholds 2400, 2300 do not rise; expected each above",
        ),
        ("fide constant --thresholds 2300,x", "--thresholds: '2300,x'; expected ratings, such as 2300,2400"),
        ("fide constant --thresholds ,", "--thresholds: ','; expected ratings, such as 2300,2400"),
        ("fide nope.toml", "nope.toml: cannot be read (No such file or directory); expected a TOML file with a table"),
        ("fide constant --thresholds nan", "--thresholds: 'nan'; expected ratings, such as 2300,2400"),
        ("fide constant --thresholds 2300,inf", "--thresholds: '2300,inf'; expected ratings, such as 2300,2400"),
        ("fide constant --world w.toml", "--stream, --world: games come from one place; expected one of the two"),
        ("fide constant --replicates 3", "--replicates: says nothing here; expected it with --world"),
        ("fide gone.toml", "gone.toml: cannot be read"),
        ("fide games.csv:k=1", "NEW: unknown policy 'games.csv'"),
        ("fide constant --out .", "holds other things; expected an empty or new folder"),
    ],
)
def test_mistakes_are_one_line(words, line, games, monkeypatch, capsys):
    monkeypatch.chdir(games.parent)
    assert main(["policy", *words.split(), "--stream", "games.csv"]) == 2
    said = capsys.readouterr().err
    assert line in said
    assert said.count("\n") == 1


def test_no_games(tmp_path, capsys):
    (tmp_path / "none.csv").write_text("first,second,score,time\n", encoding="utf-8")
    assert main(["policy", "fide", "constant", "--stream", str(tmp_path / "none.csv")]) == 2
    assert "no games" in capsys.readouterr().err


def test_a_system_without_k_moves_nothing_that_is_told():
    with pytest.raises(InputError, match="learns without K"):
        moves(rs.replay(rs.Even(), stream()))
