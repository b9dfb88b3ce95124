"""Experiment files that `ratesim init` writes: what they say, and that they run."""

import json
import re
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

import ratesim as rs
from ratesim.experiment import read, worlds

DATA = Path(__file__).resolve().parents[2] / "shared/data"
FILES = ("football/results", "chess_lichess/chess_games", "nfl/nfl_games", "snooker/snooker_matches", "llm/llmfao")


def test_init_writes_an_experiment_that_can_be_read(games, call, monkeypatch):
    (games.parent / "elsewhere").mkdir()
    monkeypatch.chdir(games.parent / "elsewhere")
    code, out, _ = call("init", "../games.csv", "--json")
    written = Path("games.toml")
    experiment = read(written)
    assert code == 0
    assert json.loads(out)["columns"]["points_first"] == "home_score"
    assert experiment.sources[0].path.resolve() == games.resolve()
    assert experiment.sources[0].columns.first == "home_team"
    assert {"even", "first-rate", "elo", "glicko", "glicko2"} == {cell.system.kind for cell in experiment.cells}
    assert rs.read(games, experiment.sources[0].columns).n_players == 4
    before = written.read_bytes()
    assert call("init", "../games.csv")[0] == 2
    assert written.read_bytes() == before


@pytest.mark.parametrize("word", ["world", "league"])
def test_init_of_a_world_gives_every_parameter(word, tmp_path, call, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, out, _ = call("init", word)
    assert code == 0
    assert f"ratesim run {word}.toml" in out
    text = Path(f"{word}.toml").read_text(encoding="utf-8")
    (source,) = read(Path(f"{word}.toml")).sources
    assert (source.world, source.replicates) == (rs.League(), 1)
    assert all(re.search(rf"^(# )?{name} = ", text, re.MULTILINE) for name in rs.League.model_fields)
    assert "kinds: breaks, lognormal, " in text
    assert "#     draw: Davidson's ν: equals draw ν / (2 + ν) of their games, a fifth where it is 0.5; 0 no " in text


def test_what_init_comments_out_of_a_world_can_be_put_in(tmp_path, call, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = Path("world.toml")
    assert call("init", "world")[0] == 0
    text, put_in = re.subn(r"^# (?=\w+ = )", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert put_in == 2  # pools, and the kind of a calendar, whose table goes with it
    path.write_text(text.replace("# [[calendar]]", "[[calendar]]"), encoding="utf-8")
    (source,) = worlds(path)[1]
    assert source.world == rs.League(pools={"names": ["rapid", "blitz"], "spread": 50})


def test_init_of_a_world_has_no_advantage_where_the_world_has_none(tmp_path, call, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert call("init", "world")[0] == 0
    elo = [cell.system for cell in read(Path("world.toml")).cells if cell.system.kind == "elo"]
    assert not rs.League().outcomes.edged
    assert {system.advantage for system in elo} == {0}


def test_init_takes_a_map_for_what_it_does_not_find(tmp_path, call, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("odd.csv").write_text("who,whom,n,on,score\nA,B,1-0,2024-01-01,99\nB,A,draw,2024-01-02,98\n")
    need = "--map first=COLUMN --map second=COLUMN --map time=COLUMN"
    said = f"odd.csv: no column found for first, second, time among who, whom, n, on, score; expected {need}\n"
    assert call("init", "odd.csv") == (2, "", said)
    words = ("--map=first=who", "--map=second=whom", "--map=score=n")
    assert call("init", "odd.csv", *words, "--map=time=whn")[2] == (
        "odd.csv: missing column 'whn'; did you mean 'who'?\n"
    )
    assert [path.name for path in Path().iterdir()] == ["odd.csv"]
    code, out, _ = call("init", "odd.csv", *words, "--map=time=on", "--json")
    assert code == 0
    assert json.loads(out)["columns"]["scores"] == {"1-0": 1, "draw": 0.5}
    assert call("init", "world", "--map=first=a")[0] == 2


@pytest.mark.parametrize("verb", [("init",), ("inspect",), ("rate", "--system=elo")], ids=lambda words: words[0])
def test_a_score_that_is_not_found_is_asked_for_by_names_of_ours(verb, tmp_path, call, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("cup.csv").write_text("home,away,HG,AG,date\nA,B,1,0,2024-01-01\n")
    name, *words = verb
    need = "--map score=COLUMN, or for score --map points_first=COLUMN --map points_second=COLUMN"
    said = f"cup.csv: no column found for score among home, away, HG, AG, date; expected {need}\n"
    assert call(name, "cup.csv", *words) == (2, "", said)
    said = "--map: key 'score_first'; expected points_first, since points_first and points_second make a score\n"
    assert call(name, "cup.csv", *words, "--map=score_first=HG") == (2, "", said)
    said = "--map: unknown key 'tme'; did you mean 'time'?\n"
    assert call(name, "cup.csv", *words, "--map=tme=date") == (2, "", said)
    assert [path.name for path in Path().iterdir()] == ["cup.csv"]


def test_init_writes_nothing_for_what_is_no_table_of_games(games, call, monkeypatch):
    monkeypatch.chdir(games.parent)
    with games.open("a") as file:
        file.write("2024-01-01,Ajax,Bayern,x,0\n")
    code, out, err = call("init", "games.csv")
    assert (code, out) == (2, "")
    assert err.startswith("games.csv, row 61, column home_score: 'x' is not a number")
    assert [path.name for path in Path().iterdir()] == ["games.csv"]


@pytest.fixture
def raw(games):
    """The games, one of them twice, and two of Ajax against Ajax."""
    with games.open("a") as file:
        file.write("2024-01-01,Ajax,Ajax,1,0\n2024-01-02,Ajax,Bayern,1,0\n2024-01-02,Ajax,Bayern,1,0\n")
        file.write("2024-01-03,Ajax,Ajax,1,0\n")
    return games


def test_inspect_counts_what_rate_refuses(raw, call):
    notes = ["left out: 2 against themselves", "1 game repeats an earlier row: kept"]
    code, out, err = call("inspect", raw, "--json")
    found = json.loads(out)
    assert (code, found["games"], found["notes"]) == (0, 62, notes)
    assert "--map themselves=drop" in err
    words = ["rate", raw, "--system", "elo", *(f"--map={key}={name}" for key, name in found["columns"].items())]
    assert call(*words)[0] == 2
    assert call(*words, "--map=themselves=drop")[0] == 0
    assert call("inspect", raw, "--map=themselves=refuse")[0] == 2


def test_init_drops_games_of_players_against_themselves_and_says_so(raw, call, monkeypatch):
    monkeypatch.chdir(raw.parent)
    assert call("init", "games.csv")[0] == 0
    line = 'themselves = "drop"   # left out: 2 against themselves\n'
    assert line in Path("games.toml").read_text(encoding="utf-8")


@pytest.mark.data
@pytest.mark.parametrize("name", FILES)
def test_what_init_writes_is_played(name, tmp_path, call, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with (DATA / f"{name}.csv").open(encoding="utf-8") as whole:
        Path("some.csv").write_text("".join(islice(whole, 40)), encoding="utf-8")
    assert call("init", "some.csv")[0] == 0
    experiment = read(Path("some.toml"))
    games = rs.read("some.csv", experiment.sources[0].columns)
    runs = [rs.replay(cell.system, games, policy=cell.policy, calendar=cell.calendar) for cell in experiment.cells]
    assert len(games) == 39
    assert {run.system.kind for run in runs} >= {"even", "first-rate", "elo", "glicko", "glicko2"}
    assert all(np.isfinite(run.forecast).any() for run in runs)


def test_games_without_dates_are_run_as_init_has_them(tmp_path, call, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = "".join(
        f"{n % 3},{'ABC'[n % 3]},{'ABC'[(n + 1) % 3]},{('left', 'right', 'tie')[n % 3]}\n" for n in range(250)
    )
    Path("votes.csv").write_text("id,left,right,winner\n" + rows)
    assert call("init", "votes.csv")[0] == 0
    text = Path("votes.toml").read_text(encoding="utf-8")
    assert 'time = "row"   # no dates found: the order of the file, row n on day n\n' in text
    assert 'id = "id"' not in text
    assert call("run", "votes.toml", "--workers", "1")[0] == 0
    summary = json.loads(Path("runs/votes/summary.json").read_text(encoding="utf-8"))
    assert all((run["calendar"]["kind"], run["calendar"]["days"]) == ("every", 100) for run in summary["runs"])
