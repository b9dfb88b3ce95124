"""`ratesim run` as people run it: what it writes, how it goes on, what it refuses."""

import json
import math
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from ratesim.cli import main

GAMES = """first,second,score,time
A,B,1,2020-01-01
B,C,0.5,2020-01-01
C,A,0,2020-02-03
A,B,1,2020-02-05
B,C,1,2020-03-01
C,A,0.5,2020-03-02
"""
EXPERIMENT = """title = "small"
[stream]
games = "games.csv"
[[system]]
kind = "even"
[[system]]
kind = "first-rate"
prior = [1, 2]
tuned_on = "nothing much"
[[calendar]]
kind = "per-game"
[[calendar]]
kind = "months"
"""
SLOW = """
import time
from typing import Literal
import numpy as np
from ratesim.systems.base import SYSTEMS, Found, WholeStream

@SYSTEMS.add
class Slow(WholeStream):
    kind: Literal["slow"] = "slow"
    forecast: float = 0.5

    def whole(self, games):
        time.sleep(0.3)
        return Found(np.full(len(games.first), self.forecast))
"""
GRID = """seed = 7
[stream]
world = { kind = "static", players = 20, games = 400, days = 400 }
[[system]]
kind = "slow"
forecast = [0.1, 0.2, 0.3, 0.4]
[[system]]
kind = "elo"
[[policy]]
kind = "constant"
k = [10, 20, 40]
[[calendar]]
kind = "months"
"""
COMMAND = [sys.executable, "-c", "from ratesim.cli import main; raise SystemExit(main())", "run"]


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in {"games.csv": GAMES, "small.toml": EXPERIMENT, "slow.py": SLOW, "grid.toml": GRID}.items():
        Path(name).write_text(text, encoding="utf-8")
    return tmp_path


def contents(folder: Path) -> dict[str, bytes]:
    """Every file but timings.json, hidden ones too."""
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file() and path.name != "timings.json"]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def start(*words: str) -> "subprocess.Popen[str]":
    return subprocess.Popen([*COMMAND, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def ended(process: "subprocess.Popen[str]") -> tuple[int, str]:
    _, said = process.communicate(timeout=300)
    return process.returncode, said


def wait_for(process: "subprocess.Popen[str]", folder: Path, pattern: str) -> None:
    while not list(folder.glob(pattern)):
        assert process.poll() is None, process.communicate()
        time.sleep(0.02)


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
        }
        assert pl.read_parquet(out / "forecasts" / f"{run['id']}.parquet").columns == ["game", "forecast"]
        assert pl.read_parquet(out / "ratings" / f"{run['id']}.parquet").columns[0] == "player"
    assert (out / "report.html").is_file()
    assert (out / "figures" / "calibration.svg").is_file()
    assert json.loads((out / "timings.json").read_text())["seconds"].keys() == {run["id"] for run in summary["runs"]}


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


def test_standings_are_sorted_and_differences_are_paired(folder, capsys):
    assert main(["run", "small.toml", "--json"]) == 0
    summary = json.loads(capsys.readouterr().out)
    means = {run["id"]: run["metrics"]["log_loss"]["mean"] for run in summary["runs"]}
    for standing in summary["standings"]:
        assert [means[run] for run in standing["runs"]] == sorted(means[run] for run in standing["runs"])
    for pair in summary["paired"]:
        assert pair["difference"] == pytest.approx(means[pair["run"]] - means[pair["against"]], abs=1e-12)


def test_strata_and_burn_in_are_in_the_metrics(folder, capsys):
    Path("small.toml").write_text(EXPERIMENT + '[score]\nmetrics = ["brier"]\nburn_in = 1\nstrata = ["year"]\n')
    assert main(["run", "small.toml", "--json"]) == 0
    rows = pl.read_parquet("runs/small/metrics.parquet")
    assert rows["n"].unique().to_list() == [4]  # the two games of the first day are left out
    assert set(zip(rows["by"], rows["stratum"], strict=True)) == {("all", "all"), ("year", "2020")}
    assert json.loads(capsys.readouterr().out)["stream"]["judged"] == 4


def test_a_folder_of_experiments_is_run_in_order(folder, capsys):
    many = folder / "many"
    many.mkdir()
    for name in ("b", "a"):
        (many / f"{name}.toml").write_text(EXPERIMENT.replace("games.csv", "../games.csv"))
    assert main(["run", "many", "--out", "there", "--json"]) == 0
    assert [each["experiment"]["file"] for each in json.loads(capsys.readouterr().out)] == ["a.toml", "b.toml"]
    assert {path.name for path in Path("there").iterdir()} == {"a", "b"}


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["small.toml", "--workers", "0"], "workers = 0; expected at least 1"),
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


def test_results_of_another_experiment_are_not_written_over(folder, capsys):
    assert main(["run", "small.toml", "--out", "here"]) == 0
    before = contents(folder / "here")
    Path("other.toml").write_text(EXPERIMENT)
    assert main(["run", "other.toml", "--out", "here"]) == 2
    assert capsys.readouterr().err.startswith("here: holds the results of small.toml; expected")
    assert contents(folder / "here") == before
    assert main(["run", "other.toml", "--out", "here", "--yes"]) == 0


def test_runs_of_other_sources_stay_and_are_made_anew(folder, capsys):
    """An edit of a plugin between two runs of one experiment."""
    Path("a.toml").write_text(GRID.replace('"elo"', '"even"').partition("[[policy]]")[0])
    assert ended(start("a.toml", "--plugin", "slow.py"))[0] == 0
    before = contents(folder / "runs" / "a")
    Path("slow.py").write_text(
        SLOW.replace("np.full(len(games.first), self.forecast)", "np.full(len(games.first), 0.7)")
    )
    assert ended(start("a.toml", "--plugin", "slow.py"))[0] == 0
    after = contents(folder / "runs" / "a")
    kept = {name for name in before if name.startswith(("forecasts", "ratings", "provenance"))}
    assert all(after[name] == before[name] for name in kept)
    assert sum(name.startswith("forecasts") for name in after) == 5 + 4  # `even` is not touched by the edit
    runs = json.loads((folder / "runs" / "a" / "summary.json").read_text())["runs"]
    forecasts = [pl.read_parquet(folder / "runs" / "a" / "forecasts" / f"{r['id']}.parquet")["forecast"] for r in runs]
    assert [f.unique().to_list() for f in forecasts] == [[0.7]] * 4 + [[0.5]]


def test_an_edit_of_what_a_plugin_imports_makes_its_runs_anew(folder):
    Path("a.toml").write_text('stream.games = "games.csv"\nsystem.kind = "slow"\n')
    helped = SLOW.replace("time.sleep(0.3)", "from helper import FORECAST").replace("self.forecast)", "FORECAST)")
    Path("slow.py").write_text(f"import sys\nsys.path.insert(0, {str(folder)!r})\n{helped}")
    for forecast in (0.3, 0.75):  # of two lengths: Python's own cache tells edits of one second by them
        Path("helper.py").write_text(f"FORECAST = {forecast}\n")
        assert ended(start("a.toml", "--plugin", "slow.py"))[0] == 0
        (run,) = json.loads(Path("runs/a/summary.json").read_text())["runs"]
        assert pl.read_parquet(f"runs/a/forecasts/{run['id']}.parquet")["forecast"].to_list() == [forecast] * 6


@pytest.mark.parametrize("lost", ["forecasts", "ratings", "histories", "provenance", "tables", "figures"])
def test_what_was_lost_is_made_again(folder, lost):
    assert main(["run", "small.toml"]) == 0
    before = contents(folder / "runs")
    for path in (folder / "runs/small" / lost).iterdir():
        path.unlink()
    assert main(["run", "small.toml"]) == 0
    assert contents(folder / "runs") == before


def test_streams_of_any_name_have_figures_of_their_own(folder, capsys):
    names = ["東京", "大阪", "new pool", "New-pool"]
    streams = "".join(f'[[stream]]\nname = "{name}"\ngames = "games.csv"\n' for name in names)
    Path("a.toml").write_text(streams + '[[system]]\nkind = "even"\n', encoding="utf-8")
    assert main(["run", "a.toml", "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)["figures"]
    assert [each["stream"] for each in figures] == names
    files = {path.stem for path in Path("runs/a/figures").iterdir()}
    assert files == {each["name"] for each in figures} == {path.stem for path in Path("runs/a/tables").iterdir()}
    assert len({name.lower() for name in files}) == 4


def test_figures_of_an_earlier_version_are_gone_and_what_is_not_ours_stays(folder):
    Path("runs/small/figures").mkdir(parents=True)
    Path("runs/small/tables").mkdir()
    for name in ("figures/mine.svg", "tables/mine.parquet", "tables/notes.json"):
        Path("runs/small", name).write_text("mine")
    assert main(["run", "small.toml", "--yes"]) == 0
    before = contents(folder / "runs/small")
    more = EXPERIMENT + '[[system]]\nkind = "glicko2-pypi"\n[figures]\ncurves = true\n'
    Path("small.toml").write_text(more.replace('[[calendar]]\nkind = "per-game"\n', ""))
    assert main(["run", "small.toml"]) == 0
    assert contents(folder / "runs/small").keys() > before.keys() >= {"figures/mine.svg", "tables/notes.json"}
    Path("small.toml").write_text(EXPERIMENT)
    assert main(["run", "small.toml"]) == 0
    after = contents(folder / "runs/small")
    kept = ("forecasts", "ratings", "histories", "provenance")  # of other runs, which stay
    assert {name: text for name, text in after.items() if name in before or not name.startswith(kept)} == before


def test_two_runs_at_once_in_one_folder(folder):
    """The second is told so and leaves the first alone, which ends well; then the folder is free."""
    Path("a.toml").write_text('stream.games = "games.csv"\nsystem.kind = "slow"\n')
    Path("slow.py").write_text(SLOW.replace("time.sleep(0.3)", "while not open('go').read(): time.sleep(0.02)"))
    Path("go").write_text("")
    command = ["a.toml", "--plugin", "slow.py"]
    one = start(*command)
    wait_for(one, folder, "runs/a/.lock")
    code, said = ended(start(*command))
    refused = "runs/a: another run is writing to this folder; expected one at a time, or another folder"
    assert (code, said.splitlines()[-1]) == (2, refused)
    Path("go").write_text("now")
    assert ended(one)[0] == 0
    before = contents(folder / "runs")
    assert ended(start(*command))[0] == 0
    assert contents(folder / "runs") == before


@pytest.fixture(scope="module")
def reference(tmp_path_factory) -> dict[str, bytes]:
    """What one worker makes of the grid without interruption."""
    folder = tmp_path_factory.mktemp("reference")
    for name, text in {"slow.py": SLOW, "grid.toml": GRID}.items():
        (folder / name).write_text(text)
    code, said = ended(
        start(
            str(folder / "grid.toml"),
            "--plugin",
            str(folder / "slow.py"),
            "--out",
            str(folder / "out"),
            "--workers",
            "1",
        )
    )
    assert code == 0, said
    return contents(folder / "out")


@pytest.mark.parametrize("words", [["--workers", "4"], ["--workers", "2", "--executor", "processes"]])
def test_workers_change_no_byte(folder, reference, words):
    code, said = ended(start("grid.toml", "--plugin", "slow.py", "--out", "out", *words))
    assert code == 0, said
    assert contents(folder / "out") == reference


@pytest.mark.parametrize("sign", [signal.SIGKILL, signal.SIGINT])
@pytest.mark.parametrize(
    "words", [["--workers", "1"], ["--workers", "2", "--executor", "processes"]], ids=["threads", "processes"]
)
def test_interrupted_it_goes_on_and_changes_no_byte(folder, reference, sign, words):
    command = ["grid.toml", "--plugin", "slow.py", "--out", "out", *words]
    process = start(*command)
    wait_for(process, folder, "out/provenance/*.json")
    os.kill(process.pid, sign)
    code, said = ended(process)
    found = contents(folder / "out")
    assert "summary.json" not in found
    finished = {name: found[name] for name in found if name.startswith("provenance")}
    assert 1 <= len(finished) < 7
    if sign == signal.SIGINT:
        assert code == 130
        assert said.splitlines()[-1] == "interrupted; what is finished is kept: run it again to go on"
        assert "Traceback" not in said
        assert not [name for name in found if name.endswith(".part")]
    code, said = ended(start(*command))
    assert code == 0, said
    assert f"{len(finished)} of 7 runs are finished already" in said.splitlines()
    assert contents(folder / "out") == reference
