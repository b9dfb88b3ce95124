"""A folder of results, come back to: what is found is kept, what is lost, stale or left half-done is put right."""

import json
import os
import re
import signal
from pathlib import Path

import polars as pl
import pytest
from small_runs import EXPERIMENT, GAMES, GRID, SLOW, contents, ended, set_up, start, wait_for

from ratesim.cli import main

LESS = ("ratings", "provenance", "tables")  # which are made in the steps that make the others


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    set_up(tmp_path)
    return tmp_path


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


@pytest.mark.parametrize(
    "lost",
    ["forecasts", "histories", "figures", *(pytest.param(each, marks=pytest.mark.slow) for each in LESS)],
)
def test_what_was_lost_is_made_again(folder, lost, request):
    if lost != "figures":
        request.getfixturevalue("undrawn")
    assert main(["run", "small.toml"]) == 0
    before = contents(folder / "runs")
    for path in (folder / "runs/small" / lost).iterdir():
        path.unlink()
    assert main(["run", "small.toml"]) == 0
    assert contents(folder / "runs") == before


@pytest.mark.usefixtures("undrawn")
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


def test_hashes_clock_language_and_letters_of_the_machine_change_no_byte(folder):
    games = re.sub(r"(2020-\S+)", r"\1T00:30:00", GAMES.replace("A", "Ärö"))  # another month west of Greenwich
    Path("games.csv").write_text(games, encoding="utf-8")
    more = '[[system]]\nkind = ["elo", "glicko2-pypi"]\n[[world]]\nname = "Łódź"\n'
    more += 'players = 20\nrounds = 20\noutcomes = { kind = "logistic", draw = 0.5 }\n[score]\nstrata = ["year"]\n'
    text = EXPERIMENT.replace("[stream]", "[[stream]]").replace('[[calendar]]\nkind = "per-game"\n', "") + more
    Path("small.toml").write_text(text, encoding="utf-8")
    plain = {"PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    machines = [
        {"PYTHONHASHSEED": "1", "TZ": "Pacific/Auckland", "LC_ALL": "C", **plain},
        {"PYTHONHASHSEED": "2", "TZ": "America/Los_Angeles", "LC_ALL": "C.UTF-8", "LANGUAGE": "de"},
    ]
    made = []
    for number, machine in enumerate(machines):
        process = start("small.toml", "--out", f"out{number}", "--workers", str(1 + number), drawn=True, **machine)
        code, said = ended(process)
        assert code == 0, said
        made.append(contents(folder / f"out{number}"))
    assert made[0].keys() == made[1].keys()
    assert [name for name in made[0] if made[0][name] != made[1][name]] == []


EXECUTORS = {"threads": ["--workers", "4"], "processes": ["--workers", "2", "--executor", "processes"]}
QUICK = {("threads", signal.SIGKILL), ("processes", signal.SIGINT)}  # each signal and each executor once


@pytest.mark.parametrize(
    ("words", "sign"),
    [
        pytest.param(words, sign, marks=() if (name, sign) in QUICK else pytest.mark.slow, id=f"{name}-{sign.name}")
        for name, words in EXECUTORS.items()
        for sign in (signal.SIGKILL, signal.SIGINT, signal.SIGTERM)
    ],
)
def test_interrupted_it_goes_on_and_changes_no_byte_whoever_plays(folder, reference, sign, words):
    """The reference is one worker's: what is interrupted and what goes on are several threads, or processes."""
    command = ["grid.toml", "--plugin", "slow.py", "--out", "out", *words]
    process = start(*command)
    wait_for(process, folder, "out/provenance/*.json")
    os.kill(process.pid, sign)
    code, said = ended(process)
    assert "leaked" not in said  # Python's tracker of semaphores cleans up without a word
    found = contents(folder / "out")
    assert "summary.json" not in found
    finished = {name: found[name] for name in found if name.startswith("provenance")}
    assert 1 <= len(finished) < 7
    if sign != signal.SIGKILL:
        assert code == 128 + sign
        assert said.splitlines()[-1] == "interrupted; what is finished is kept: run it again to go on"
        assert "Traceback" not in said
        assert not [name for name in found if name.endswith(".part")]
    code, said = ended(start(*command))
    assert code == 0, said
    assert f"{len(finished)} of 7 runs are finished already" in said.splitlines()
    assert contents(folder / "out") == reference
