"""`ratesim run` as people run it: what it writes, what it refuses."""

import json
import math
from pathlib import Path

import numpy as np
import polars as pl
import polars.selectors as cs
import pytest
from small_runs import EXPERIMENT, GAMES, GRID, SLOW, contents, set_up

from ratesim.cli import main


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    set_up(tmp_path)
    return tmp_path


def test_a_run_writes_what_is_promised_and_says_it_as_json(folder, capsys):
    assert main(["run", "small.toml", "--json"]) == 0
    out = folder / "runs" / "small"
    said = capsys.readouterr().out
    assert said == (out / "summary.json").read_text(encoding="utf-8")
    summary = json.loads(said)
    assert {"experiment", "versions", "stream", "runs"} <= summary.keys()
    assert (summary["stream"]["games"], summary["stream"]["players"]) == (6, 3)
    assert len(summary["runs"]) == 6
    for run in summary["runs"]:
        assert {"id", "label", "system", "policy", "calendar", "metrics", "rests_on"} <= run.keys()
        assert run["rests_on"] == {
            "parameters": "default" if run["system"]["kind"] == "even" else "tuned on nothing much",
            "calendar": run["calendar"]["kind"],
            "clip": 1e-6,
            "block": "month",
            "draws": None,
        }
        assert pl.read_parquet(out / "forecasts" / f"{run['id']}.parquet").columns == ["game", "forecast"]
        assert pl.read_parquet(out / "ratings" / f"{run['id']}.parquet").columns[0] == "player"
    assert (out / "report.html").is_file()
    assert (out / "figures" / "calibration.svg").is_file()
    assert json.loads((out / "timings.json").read_text())["seconds"].keys() == {run["id"] for run in summary["runs"]}


@pytest.mark.usefixtures("undrawn")
def test_the_numbers_are_those_of_the_forecasts_and_the_file(folder, capsys):
    assert main(["run", "small.toml", "--json"]) == 0
    score = [float(line.split(",")[2]) for line in GAMES.split()[1:]]
    for run in json.loads(capsys.readouterr().out)["runs"]:
        forecast = pl.read_parquet(f"runs/small/forecasts/{run['id']}.parquet")["forecast"].to_list()
        pairs = list(zip(forecast, score, strict=True))
        loss = -sum(s * math.log(e) + (1 - s) * math.log(1 - e) for e, s in pairs) / len(pairs)
        assert run["metrics"]["log_loss"]["mean"] == pytest.approx(loss, rel=1e-12)
        assert run["metrics"]["brier"]["mean"] == pytest.approx(sum((e - s) ** 2 for e, s in pairs) / 6, rel=1e-12)
        assert run["metrics"]["log_loss"]["n"] == 6


@pytest.mark.usefixtures("undrawn")
def test_first_rate_under_two_calendars_saw_different_games(folder, capsys):
    assert main(["run", "small.toml"]) == 0
    printed = capsys.readouterr().out
    assert "games, rating periods: per-game" in printed
    assert "systems under different calendars saw different information" in printed
    assert "untuned systems are listed as they stand" in printed
    ids = {run["label"]: run["id"] for run in json.loads(Path("runs/small/summary.json").read_text())["runs"]}
    forecasts = {label: pl.read_parquet(f"runs/small/forecasts/{i}.parquet")["forecast"] for label, i in ids.items()}
    # by hand: one drawn game counted before, 1 + .5 on the first day, then 0 in the third game
    np.testing.assert_allclose(
        forecasts["first-rate prior=1, per-game"], [1 / 2, 1 / 2, 2 / 3, 2 / 4, 3 / 5, 4 / 6], rtol=1e-15
    )
    np.testing.assert_allclose(
        forecasts["first-rate prior=1, months"], [1 / 2, 1 / 2, 2 / 3, 2 / 3, 3 / 5, 3 / 5], rtol=1e-15
    )


@pytest.mark.usefixtures("undrawn")
def test_standings_are_sorted_and_differences_are_paired(folder, capsys):
    assert main(["run", "small.toml", "--json"]) == 0
    summary = json.loads(capsys.readouterr().out)
    means = {run["id"]: run["metrics"]["log_loss"]["mean"] for run in summary["runs"]}
    for standing in summary["standings"]:
        assert [means[run] for run in standing["runs"]] == sorted(means[run] for run in standing["runs"])
    for pair in summary["paired"]:
        assert pair["difference"] == pytest.approx(means[pair["run"]] - means[pair["against"]], abs=1e-12)
    for standing, found in zip(summary["standings"], summary["comparison"], strict=True):
        assert {key: found[key] for key in ("stream", "calendar")} == {
            key: standing[key] for key in ("stream", "calendar")
        }
        assert [row["run"] for row in found["table"]] == standing["runs"]
        assert len(found["pairs"]) == 3  # of three runs
        assert {row["rank"]: row["mean"] for row in found["table"]} == {
            rank: pytest.approx(means[run]) for rank, run in enumerate(standing["runs"], 1)
        }
        assert {pair["verdict"] for pair in found["pairs"]} == {"tie"}  # six games tell nothing


@pytest.mark.usefixtures("undrawn")
def test_strata_and_burn_in_are_in_the_metrics(folder, capsys):
    Path("small.toml").write_text(EXPERIMENT + '[score]\nmetrics = ["brier"]\nburn_in = 1\nstrata = ["year"]\n')
    assert main(["run", "small.toml", "--json"]) == 0
    rows = pl.read_parquet("runs/small/metrics.parquet")
    assert rows["n"].unique().to_list() == [4]  # the two games of the first day are left out
    assert set(zip(rows["by"], rows["stratum"], strict=True)) == {("all", "all"), ("year", "2020")}
    summary = json.loads(capsys.readouterr().out)
    assert summary["stream"]["judged"] == 4
    assert summary["strata"] == {"by": ["year"], "table": "metrics.parquet"}
    assert "losses by year are in metrics.parquet and in the report" in summary["notes"]
    assert summary["notes"][0].startswith("games judged: both players with 1 game or more before; errors")
    report = Path("runs/small/report.html").read_text(encoding="utf-8")
    assert "games, rating periods: months, by year" in report
    assert report.count('<tr><th scope="row">2020</th>') == 6


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize(
    ("metrics", "clip", "said"),
    [
        ('["capped_deviance"]', 0.01, "; capped deviance is clipped at 0.01"),
        ('["brier"]', None, ""),
        ('["log_loss", "capped_deviance"]', 1e-6, "; log loss is clipped at 1e-06; capped deviance is clipped at 0.01"),
        ('[{ kind = "log_loss", clip = 0.05 }]', 0.05, "; log loss is clipped at 0.05"),
    ],
)
def test_the_clip_that_is_stated_is_that_of_the_metric(folder, capsys, metrics, clip, said):
    Path("small.toml").write_text(f"{EXPERIMENT}[score]\nmetrics = {metrics}\n")
    assert main(["run", "small.toml", "--json"]) == 0
    summary = json.loads(capsys.readouterr().out)
    assert {run["rests_on"]["clip"] for run in summary["runs"]} == {clip}
    assert summary["notes"][0] == f"all games are judged; errors are made from blocks of one month{said}"


@pytest.mark.usefixtures("undrawn")
def test_a_game_of_weight_2_is_judged_as_two_and_one_of_weight_0_not_at_all(folder, capsys):
    head, *rows = GAMES.split()
    weights = [1, 2, 0, 2, 3, 1]
    weighted = [f"{row},{weight}" for row, weight in zip(rows, weights, strict=True)]
    Path("weighted.csv").write_text("\n".join([f"{head},weight", *weighted]))
    Path("repeated.csv").write_text(
        "\n".join([head, *(r for r, w in zip(rows, weights, strict=True) for _ in range(w))])
    )
    score = '[score]\nburn_in = 2\nstrata = ["games"]\n[figures]\nbins = 4\n'
    found = {}
    for name in ("weighted", "repeated"):
        experiment = EXPERIMENT.replace('games = "games.csv"', f'name = "games"\ngames = "{name}.csv"')
        Path(f"{name}.toml").write_text(experiment + score)
        assert main(["run", f"{name}.toml", "--json"]) == 0
        summary = json.loads(capsys.readouterr().out)
        tables = [pl.read_parquet(f"runs/{name}/{table}.parquet") for table in ("metrics", "tables/calibration")]
        numbers = [table.select(cs.numeric().cast(pl.Float64)).to_numpy() for table in tables]
        pairs = [[pair[key] for key in ("difference", "se", "low", "high", "n")] for pair in summary["paired"]]
        found[name] = summary, [*numbers, np.array(pairs, dtype=float)]
    for one, other in zip(found["weighted"][1], found["repeated"][1], strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-15)
    assert [run["metrics"]["log_loss"]["n"] for run in found["weighted"][0]["runs"]] == [
        4
    ] * 6  # 3 of B and C, 1 of C and A
    assert (
        "games count by their weights: one of weight 2 is two games, one of weight 0 none"
        in found["weighted"][0]["notes"]
    )


@pytest.mark.usefixtures("undrawn")
def test_a_folder_of_experiments_is_run_in_order(folder, capsys):
    many = folder / "many"
    many.mkdir()
    for name in ("b", "a"):
        (many / f"{name}.toml").write_text(EXPERIMENT.replace("games.csv", "../games.csv"))
    assert main(["run", "many", "--out", "there", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert {name: each["experiment"]["file"] for name, each in found.items()} == {"a": "a.toml", "b": "b.toml"}
    assert {path.name for path in Path("there").iterdir()} == {"a", "b", "index.html"}


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["small.toml", "--workers", "0"], "workers = 0; expected a whole number, at least 1"),
        (["small.toml", "--executor", "thread"], "unknown executor 'thread'; did you mean 'threads'?"),
        (
            ["nothing.toml"],
            "nothing.toml: cannot be read (No such file or directory); expected an experiment's TOML file",
        ),
        (["small.toml", "--stream", "no.csv"], "small.toml, stream: no file no.csv; expected a file of games"),
        (
            ["small.toml", "--out", "games.csv/runs"],
            "games.csv/runs: cannot be written (Not a directory)",
        ),
        (
            ["small.toml", "--out", "."],
            ".: holds other things; expected an empty or new folder, or --yes to write there",
        ),
        (["small.toml", "--plugin", "no.py"], "no.py: no such plugin file; expected a Python file"),
        (["runs"], "runs: cannot be read (No such file or directory); expected an experiment's TOML file"),
        (["small.toml", "--wrkers", "2"], "No such option: --wrkers; did you mean '--workers'?"),
        ([], "Missing argument 'experiment'."),
    ],
)
def test_a_mistake_is_one_line_and_leaves_nothing(folder, capsys, words, line):
    before = contents(folder)
    assert main(["run", *words]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err == f"{line}\n"
    assert contents(folder) == before


def test_a_failure_of_ours_is_one_line_and_a_traceback_only_if_asked(folder, capsys):
    Path("slow.py").write_text(
        SLOW.replace('"slow"', '"broken"').replace("time.sleep(0.3)", "raise RuntimeError('no')")
    )
    Path("a.toml").write_text(GRID.replace('"slow"', '"broken"'))
    assert main(["run", "a.toml", "--plugin", "slow.py"]) == 1
    assert capsys.readouterr().err.endswith("ratesim failed (RuntimeError: no); --debug shows where\n")
    with pytest.raises(RuntimeError, match="no"):
        main(["run", "a.toml", "--plugin", "slow.py", "--debug"])


@pytest.mark.usefixtures("undrawn")
def test_results_of_another_experiment_are_not_written_over(folder, capsys):
    assert main(["run", "small.toml", "--out", "here"]) == 0
    before = contents(folder / "here")
    Path("other.toml").write_text(EXPERIMENT)
    assert main(["run", "other.toml", "--out", "here"]) == 2
    assert capsys.readouterr().err.startswith("here: holds the results of small.toml; expected")
    assert contents(folder / "here") == before
    assert main(["run", "other.toml", "--out", "here", "--yes"]) == 0


def test_streams_of_any_name_have_figures_of_their_own(folder, capsys):
    names = ["東京", "大阪", "new pool", "New-pool"]
    lines = Path("games.csv").read_text(encoding="utf-8").splitlines()
    for n in range(len(names)):
        Path(f"{n}.csv").write_text("\n".join(lines[: len(lines) - n]), encoding="utf-8")
    streams = "".join(f'[[stream]]\nname = "{name}"\ngames = "{n}.csv"\n' for n, name in enumerate(names))
    Path("a.toml").write_text(streams + '[[system]]\nkind = "even"\n', encoding="utf-8")
    assert main(["run", "a.toml", "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)["figures"]
    assert [each["stream"] for each in figures] == names
    files = {path.stem for path in Path("runs/a/figures").iterdir()}
    assert files == {each["name"] for each in figures} == {path.stem for path in Path("runs/a/tables").iterdir()}
    assert len({name.lower() for name in files}) == 4


@pytest.mark.usefixtures("undrawn")
def test_of_many_runs_the_first_are_compared_and_all_stand_beside_the_one_above(folder, capsys):
    priors = list(range(1, 23))
    text = f'[stream]\ngames = "games.csv"\n[[system]]\nkind = "first-rate"\nprior = {priors}\n'
    Path("many.toml").write_text(text)
    assert main(["run", "many.toml", "--json"]) == 0
    summary = json.loads(capsys.readouterr().out)
    (found,), (standing,) = summary["comparison"], summary["standings"]
    means = {run["id"]: run["metrics"]["log_loss"]["mean"] for run in summary["runs"]}
    assert [row["run"] for row in found["table"]] == standing["runs"][:20]
    assert [pair["run"] for pair in summary["paired"]] == standing["runs"][1:]
    for pair in summary["paired"]:
        assert pair["difference"] == pytest.approx(means[pair["run"]] - means[pair["against"]], abs=1e-12)
