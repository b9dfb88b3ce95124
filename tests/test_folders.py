"""Two run folders held against each other."""

import json
import shutil

import numpy as np
import polars as pl
import pytest

import ratesim as rs
from ratesim.cli import main
from ratesim.folders import said
from ratesim.io import write_games
from ratesim.report import found_in
from ratesim.store import Store

GAMES = "\n".join(
    ["first,second,score,time"]
    + [
        f"{'ABCDEFG'[k % 7]},{'ABCDEFG'[(k + 1 + k // 7 % 5) % 7]},{(k * k % 5) / 4 if k % 3 else 1},"
        f"{2020 + k // 120}-{1 + k // 10 % 12:02}-{1 + k % 10:02}"
        for k in range(360)
    ]
)
EXPERIMENT = """
stream.games = "games.csv"
system = [{{ kind = "elo", label = "elo" }}, {{ kind = "even" }}, {{ kind = "elo", label = "other", start = {start} }}]
policy = {{ kind = "constant", k = {k}, label = "{label}" }}
calendar = {{ kind = "per-game" }}
figures.lookup = 3
"""
DIFFER = "The games differ: no stream of the old has the games of one of the new, so no losses are compared."


def folder(place, games=GAMES, *, k=20, label="K", start=1510):
    place.mkdir()
    (place / "games.csv").write_text(games, encoding="utf-8")
    (place / "cup.toml").write_text(EXPERIMENT.format(k=k, label=label, start=start), encoding="utf-8")
    rs.run(place / "cup.toml", place / "out", workers=1)
    return place / "out"


@pytest.fixture(scope="module")
def base(tmp_path_factory):
    return folder(tmp_path_factory.mktemp("folders") / "base")


@pytest.fixture(scope="module")
def bold(tmp_path_factory):
    return folder(tmp_path_factory.mktemp("folders") / "bold", k=80)


def test_a_folder_and_itself_differ_in_nothing(base):
    found = rs.compare_folders(base, base)
    assert [run["same"] for run in found["runs"]] == [True] * 3
    assert {row["difference"] for run in found["runs"] for row in run["metrics"]} == {0.0}
    assert {row["verdict"] for run in found["runs"] for row in run["metrics"]} == {"tie"}
    assert not any(found[key] for key in ("settings", "versions", "only_old", "only_new"))
    assert next(said(found)) == "Of 3 runs in both: 3 forecast as before, to the last bit."


def test_losses_are_paired_game_by_game(base, bold):
    found = rs.compare_folders(base, bold)
    run = next(run for run in found["runs"] if run["label"].startswith("elo"))
    assert run["changed"] == [{"key": "policy.k", "old": 20.0, "new": 80.0}]
    games = rs.read(base.parent / "games.csv")
    old, new = (rs.replay(rs.Elo(), games, policy=rs.Constant(k), calendar=rs.PerGame()) for k in (20.0, 80.0))
    losses = [rs.log_loss(each.forecast, games.score) for each in (new, old)]
    pair = rs.paired(*losses, rs.month_blocks(games.time), seed=1)
    row = run["metrics"][0]
    assert (row["metric"], row["n"]) == ("log_loss", 360)
    assert row["difference"] == pytest.approx(pair.difference, abs=1e-15)
    assert (row["low"], row["high"]) == pytest.approx((pair.low, pair.high), abs=0.1 * pair.se)  # of other draws
    assert (row["old"], row["new"]) == pytest.approx((losses[1].mean(), losses[0].mean()), abs=1e-12)
    moved = np.abs(new.ratings()["rating"] - old.ratings()["rating"])
    assert run["ratings"]["mean"] == pytest.approx(moved.mean())
    assert abs(run["ratings"]["most"][0]["change"]) == pytest.approx(moved.max())


def test_turned_round_all_differences_are(base, bold):
    there, back = rs.compare_folders(base, bold)["runs"], rs.compare_folders(bold, base)["runs"]
    for one, other in zip(there, back, strict=True):
        for a, b in zip(one["metrics"], other["metrics"], strict=True):
            assert a["difference"] == -b["difference"]
            assert (a["low"], a["high"]) == pytest.approx((-b["high"], -b["low"]))
            assert {a["verdict"], b["verdict"]} in ({"tie"}, {"better", "worse"})


def test_a_run_of_another_label_is_found_by_what_it_is(base, tmp_path):
    found = rs.compare_folders(base, folder(tmp_path / "named", label="steady", start=1400))
    by = {run["label"]: run["by"] for run in found["runs"]}
    assert by == {"elo, steady": "specification", "even": "label", "other, steady": "kind"}
    (other,) = (run for run in found["runs"] if run["by"] == "kind")
    assert other["changed"] == [{"key": "system.start", "old": 1510.0, "new": 1400.0}]


def test_runs_without_a_match_are_named(base, tmp_path):
    fewer = base.parent / "fewer.toml"
    fewer.write_text('stream.games = "games.csv"\nsystem.kind = "even"\n', encoding="utf-8")
    rs.run(fewer, tmp_path / "out", workers=1)
    assert rs.compare_folders(base, tmp_path / "out")["only_old"] == ["elo, K", "other, K"]
    assert "Only in the new: elo, K; and other, K." in list(said(rs.compare_folders(tmp_path / "out", base)))


def test_other_games_are_not_paired(base, tmp_path):
    found = rs.compare_folders(base, folder(tmp_path / "fewer", GAMES.rsplit("\n", 60)[0]))
    assert {run["why"] for run in found["runs"]} == {"the games are others"}
    told = list(said(found))
    assert told[:2] == [DIFFER, "Of 3 runs in both: 3 cannot be paired."]
    assert "games: other games, 360 before, 300 now." in told


def test_games_of_another_name_are_told_before_runs_of_equal_labels(base, tmp_path):
    shutil.copytree(base, tmp_path / "cup")
    path = tmp_path / "cup" / "summary.json"
    summary = json.loads(path.read_text(encoding="utf-8"))
    summary["streams"][0] |= {"name": "cup", "digest": "0" * 64}
    for run in summary["runs"]:
        run["stream"] = "cup"
    path.write_text(json.dumps(summary), encoding="utf-8")
    told = list(said(rs.compare_folders(base, tmp_path / "cup")))
    assert told[0] == DIFFER
    assert told[-2:] == ["games: only in the old.", "cup: only in the new."]
    assert not any("no run in common" in line for line in told)


def test_forecasts_that_are_no_more_are_counted(base, tmp_path):
    shutil.copytree(base, tmp_path / "out")
    store = Store(tmp_path / "out")
    run = next(run for run in found_in(base)["runs"] if run["label"] == "elo, K")
    path = tmp_path / "out" / "forecasts" / f"{run['id']}.parquet"
    lost = pl.when(pl.int_range(pl.len()) < 7).then(float("nan")).otherwise("forecast").alias("forecast")
    pl.read_parquet(path).with_columns(lost).write_parquet(path)
    assert np.isnan(store.forecast(run["id"])).sum() == 7
    there, back = rs.compare_folders(base, tmp_path / "out"), rs.compare_folders(tmp_path / "out", base)
    assert [(each["lost"], each["gained"]) for each in there["runs"]] == [(7, 0), (0, 0), (0, 0)]
    assert [(each["lost"], each["gained"]) for each in back["runs"]] == [(0, 7), (0, 0), (0, 0)]
    assert "elo, K: 7 games had a forecast before and have none now." in list(said(there))
    pl.read_parquet(path).with_columns(forecast=pl.lit(float("nan"))).write_parquet(path)
    (none,) = (each for each in rs.compare_folders(base, tmp_path / "out")["runs"] if each["lost"])
    assert (none["metrics"], none["why"]) == ([], "no game is forecast in both")
    assert "elo, K: 7 games have a forecast now and had none before." in list(said(back))


def test_sums_of_games_on_disk_are_paired_by_month(tmp_path):
    games = rs.read(folder(tmp_path / "in memory").parent / "games.csv")
    write_games(games, tmp_path / "games.parquet")
    outs = []
    for k in (20, 80):
        text = EXPERIMENT.format(k=k, label="K", start=1510).replace("games.csv", "games.parquet")
        (tmp_path / f"k{k}.toml").write_text(text + 'score.forecasts = "losses"\n', encoding="utf-8")
        rs.run(tmp_path / f"k{k}.toml", tmp_path / f"k{k}", workers=1)
        outs.append(tmp_path / f"k{k}")
        assert not (outs[-1] / "forecasts").exists()
    by_month = rs.compare_folders(*outs)["runs"][0]["metrics"][0]
    old, new = (rs.replay(rs.Elo(), games, policy=rs.Constant(k), calendar=rs.PerGame()) for k in (20.0, 80.0))
    gap = rs.log_loss(new.forecast, games.score) - rs.log_loss(old.forecast, games.score)
    assert by_month["difference"] == pytest.approx(gap.mean(), abs=1e-12)


def test_the_verb_says_it_in_words_and_as_json(base, bold, capsys):
    assert main(["compare", str(base), str(bold)]) == 0
    told = capsys.readouterr().out
    assert "Of 3 runs in both: 1 forecast as before, to the last bit;" in told
    assert "elo, K: changed are policy.k 20 to 80." in told
    assert main(["compare", str(base), str(bold), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["runs"][0]["metrics"][0]["verdict"] in {"better", "worse", "tie"}
    assert "\n".join(found["said"]) in told


def test_one_folder_is_compared_within(base, capsys):
    assert main(["compare", str(base)]) == 0
    told = capsys.readouterr().out
    assert "comes first" in told
    assert "each two by log loss" in told
    assert main(["compare", str(base), "--json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)["comparison"]
    assert len(found["pairs"]) == 3


@pytest.mark.parametrize("words", [["compare"], ["report"]])
def test_another_folder_is_refused_in_one_line(words, tmp_path, capsys):
    (tmp_path / "summary.json").write_text("{", encoding="utf-8")
    assert main([*words, str(tmp_path)]) == 2
    assert "is no JSON" in capsys.readouterr().err
    (tmp_path / "summary.json").write_text('{"standings": []}', encoding="utf-8")
    assert main(["report", str(tmp_path)]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_the_report_made_anew_is_that_of_the_run(base, capsys):
    first = (base / "report.html").read_bytes()
    assert main(["report", str(base), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"report": str(base / "report.html")}
    assert (base / "report.html").read_bytes() == first


def test_players_are_looked_up_with_their_history(base):
    text = (base / "report.html").read_text(encoding="utf-8")
    found = text.split('id="look-data">')[1].split("</script>")[0]
    (stream,) = json.loads(found)
    run = next(iter(json.loads((base / "summary.json").read_text())["runs"]))
    ratings = Store(base).ratings(run["id"])
    assert stream["runs"] == ["elo, K", "other, K"]
    assert len(stream["players"]) == stream["of"] == 7
    by_name = {player[0]: player for player in stream["players"]}
    for row in ratings.rows(named=True):
        assert by_name[row["player"]][1:3] == [
            row["games"],
            [pytest.approx(row["rating"], abs=0.05), pytest.approx(row["rating"] + 10, abs=0.05)],
        ]
    told = [player for player in stream["players"] if any(player[4])]
    assert told == stream["players"][:3]
    first, *steps = map(int, told[0][4][0].split())
    assert len(stream["times"]) == first + len(steps)
    assert sum(steps) == pytest.approx(told[0][2][0], abs=0.55)
