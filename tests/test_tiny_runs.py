"""Experiments of next to nothing end well: figures that would be empty are left out, and it is said."""

import json
from pathlib import Path

import polars as pl
import pytest
from small_runs import EXPERIMENT, GAMES, contents

from ratesim.analysis import FigureTable
from ratesim.cli import main
from ratesim.errors import InputError
from ratesim.plots import draw

SILENT = """
from typing import Literal
import numpy as np
from ratesim.systems.base import SYSTEMS, Found, WholeStream

@SYSTEMS.add
class Silent(WholeStream):
    kind: Literal["silent"] = "silent"

    def whole(self, games):
        return Found(np.full(len(games.first), np.nan))
"""
RATED = '[[system]]\nkind = ["elo", "glicko"]\n[figures]\ncurves = true\npause = 5\n'  # per game and by months
EQUALS = "skills = { kind = 'normal', sd = 0 }"
STILL = "figure movement is left out: readings tell fewer than 10 changes by one game apart"
TRUTH = {"errors", "settling", "spread", "percentiles", "coverage", "ledger", "worth", "returns"}  # of players
NOBODY = "no run keeps ratings of these players at these times"


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("silent.py").write_text(SILENT)

    def run(text, *words):
        Path("a.toml").write_text(text)
        assert main(["run", "a.toml", "--json", *words]) == 0, capsys.readouterr().err
        return json.loads(capsys.readouterr().out)

    return run


def names(summary) -> set[str]:
    drawn = {each["name"] for each in summary["figures"]}
    assert {path.stem for path in Path("runs/a/figures").glob("*")} == drawn
    return drawn


def test_a_world_in_which_no_period_ends_has_no_figures_of_ratings(run):
    months = '[[system]]\nkind = ["elo", "glicko"]\n[[calendar]]\nkind = "months"\n'
    summary = run(f"[world]\nplayers = 10\nrounds = 4\ndays = 0.001\n{months}")
    assert "convergence" not in names(summary)
    assert {run["metrics"]["brier"]["n"] for run in summary["runs"]} == {20}


@pytest.mark.parametrize(
    ("world", "missing", "left_out"),
    [
        ("players = 2\nrounds = 1", {"convergence", "movement"}, [STILL]),
        pytest.param("players = 2\nrounds = 50", {"convergence"}, [], marks=pytest.mark.slow),
        ("players = 5\nrounds = 50\noutcomes = { kind = 'logistic', draw = 1e6 }\n" + EQUALS, {"convergence"}, []),
        ("players = 10\nrounds = 4\ndays = 0.001", {"convergence", "movement"}, [STILL]),
        pytest.param("players = 40\nrounds = 3\n" + EQUALS, set(), [], marks=pytest.mark.slow),
    ],
)
def test_a_small_world_has_the_figures_that_it_can(run, world, missing, left_out):
    summary = run(f"[world]\n{world}\n{RATED}")
    assert [note for note in summary["notes"] if "left out" in note] == left_out
    figures = {"calibration", "history", "convergence", "movement", "curves"}
    assert names(summary) - TRUTH - {"difference"} == figures - missing  # Glicko knows nothing before a month is over
    report = Path("runs/a/report.html").read_text(encoding="utf-8")
    assert all(f"{note[:1].upper()}{note[1:]}." in report for note in left_out)
    assert "1 games" not in report


@pytest.mark.usefixtures("undrawn")
def test_replicates_of_a_small_world(run):
    summary = run(f"[world]\nplayers = 4\nrounds = 5\nreplicates = 3\n{RATED}".replace("pause", "#"))
    assert names(summary) >= {"calibration", "history", "difference", "curves"}
    assert summary["stream"]["players"] == 12


@pytest.mark.usefixtures("undrawn")
def test_figures_of_a_shared_schedule_say_so(run):
    run(f"[world]\nplayers = 4\nrounds = 5\nreplicates = 3\nshared = true\n{RATED}".replace("pause", "#"))
    said = json.loads(Path("runs/a/tables/errors.json").read_text(encoding="utf-8"))["caption"]
    assert said.endswith("bands are over skills and results under it, not over schedules.")


def test_where_nothing_is_forecast_there_is_no_calibration(run):
    world = "[world]\nplayers = 4\nrounds = 5\n"
    silent = '[[system]]\nkind = "silent"\n[score]\nstrata = ["year"]\n'
    summary = run(world + silent, "--plugin", "silent.py")
    assert names(summary) == set()
    assert [note.partition(":")[2].strip() for note in summary["notes"] if "left out" in note] == [
        "no game is forecast",
        NOBODY,
    ]
    (found,) = summary["runs"]
    assert (found["metrics"]["log_loss"]["mean"], found["metrics"]["log_loss"]["left_out"]) == (None, 10)


def test_games_of_one_time_and_all_drawn(run):
    Path("games.csv").write_text("first,second,score,time\n" + "A,B,0.5,2020-01-01\n" * 12)
    summary = run(f'[stream]\ngames = "games.csv"\n{RATED}')
    assert names(summary) == {"calibration", "history", "curves"}
    assert STILL in summary["notes"]


def test_a_stream_without_the_players_that_are_named(run):
    Path("games.csv").write_text(GAMES)
    Path("others.csv").write_text(GAMES.replace("A", "X").replace("B", "Y"))
    streams = '[[stream]]\ngames = "games.csv"\n[[stream]]\ngames = "others.csv"\n'
    summary = run(streams + RATED.replace("pause = 5", 'players = ["B", "A"]'))
    assert names(summary) >= {"history-games", "difference-games", "calibration-others"}
    assert f"figure history-others is left out: {NOBODY}" in summary["notes"]
    assert not {"history-others", "difference-others"} & names(summary)
    for name in ("history", "difference"):
        said = json.loads(Path(f"runs/a/tables/{name}-games.json").read_text())
        assert said["meta"]["players"] == ["B", "A"]


@pytest.mark.parametrize(
    ("score", "line"),
    [
        ("burn_in = 50", "small.toml, score: burn_in = 50 leaves no game of stream games; expected a game"),
        (
            "since = 2021-01-01\nburn_in = 1",
            "small.toml, score: burn_in = 1 and since = 2021-01-01 leave no game of stream games; expected a game",
        ),
        (
            "until = 2019-12-31",
            "small.toml, score: until = 2019-12-31 leaves no game of stream games; expected a game",
        ),
        (
            'strata = ["year", "season"]',
            "small.toml, score, strata, stream games: no column 'season'; expected one, for strata by it",
        ),
    ],
)
def test_what_leaves_no_game_is_said_before_anything_is_played(tmp_path, monkeypatch, capsys, score, line):
    monkeypatch.chdir(tmp_path)
    Path("games.csv").write_text(GAMES)
    Path("small.toml").write_text(f"{EXPERIMENT}[score]\n{score}\n")
    before = contents(tmp_path)
    assert main(["run", "small.toml"]) == 2
    assert capsys.readouterr().err == f"{line}\n"
    assert contents(tmp_path) == before


def test_an_empty_table_is_not_drawn():
    empty = FigureTable("x", pl.DataFrame(), "", {"drawing": "convergence"})
    with pytest.raises(InputError, match="figure x: an empty table; expected a row at least"):
        draw(empty)
