"""Verbs as people call them: what they print, where, and how they end."""

import json
import os
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

import ratesim as rs
from ratesim.cli.kinds import FAMILIES, describe

HEAVY = ("matplotlib", "numba", "numpy", "polars", "pydantic", "rich", "scipy")
MAP = ["--map=first=home_team", "--map=second=away_team", "--map=points_first=home_score"]
MAP += ["--map=points_second=away_score", "--map=time=date"]


def test_help_imports_nothing_heavy():
    code = f"""
import sys
from ratesim.cli import main
assert main(["--help"]) == 0
print([name for name in {HEAVY} if name in sys.modules], file=sys.stderr)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "[]"
    assert "rate" in done.stdout


def test_a_closed_pipe_is_no_failure():
    command = (
        f"{sys.executable} -c 'import sys; from ratesim.cli import main; sys.exit(main([\"schema\"]))' | head -c 9"
    )
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)  # noqa: S607
    assert done.stderr == ""
    assert len(done.stdout) == 9


def test_the_version(call):
    assert call("--version")[:2] == (0, f"ratesim {rs.__version__}\n")


def test_no_words_are_a_question_for_help(call):
    assert call() == call("--help")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("rnu", "Did you mean 'run'?"),
        ("rate x.csv --system elo --tpo 3", "did you mean '--top'?"),
        ("rate x.csv", "--system"),
        ("rate x.csv --system elo", "x.csv"),
        ("rate {games} --system glico", "did you mean 'glicko'?"),
        ("rate {games} --system elo --set advantge=3", "did you mean 'advantage'?"),
        ("rate {games} --system elo --set advantage", "--set: 'advantage' is not NAME=VALUE"),
        ("rate {games} --system glicko2 --set tau=-1", "tau = -1"),
        ("rate {games} --system elo --policy constnt", "did you mean 'constant'?"),
        ("rate {games} --system elo --set-policy k=minus", "k = 'minus'"),
        ("rate {games} --system elo --calendar montsh", "did you mean 'months'?"),
        ("rate {games} --system elo --map first=hometeam", "did you mean 'home_team'?"),
        ("rate {games} --system elo --map foo=bar", "--map: unknown key 'foo'"),
        ("rate {games} --system elo --map first=a --map first=b", "--map: 'first' is given twice; expected once"),
        ("rate {games} --system elo --map first=a --map first.x=b", "--map: 'first' and 'first.x' are both given"),
        ("rate {games} --system elo -o out.xlsx", "expected one of .csv, .tsv, .parquet"),
        ("rate {games} --system elo -o {games}/out.csv", "cannot be written"),
        ("rate {games} --system elo --plugin nowhere.py", "nowhere.py"),
        ("inspect nowhere.csv", "nowhere.csv: no such file"),
        ("inspect {folder}", "has no columns of games: passed over"),
        ("init nowhere.csv", "nowhere.csv: no such file"),
        ("init leage", "did you mean 'league'?"),
        ("init {games} -o {games}", "expected one of .toml"),
        ("systems glico", "did you mean 'glicko'?"),
        ("metrics logloss", "did you mean 'log_loss'?"),
        ("figure {folder} history", "no figure 'history'"),
        ("figure {folder} history --format gif", "--format"),
    ],
)
def test_a_mistake_is_one_line_and_code_2(words, said, games, call, monkeypatch):
    monkeypatch.chdir(games.parent)
    before = sorted(games.parent.iterdir())
    code, out, err = call(*words.format(games=games, folder=games.parent).split())
    assert code == 2
    assert out == ""
    assert said in err
    assert err.count("\n") == 1
    assert sorted(games.parent.iterdir()) == before


def test_a_failure_of_ours_is_one_line_and_code_1(games, call, monkeypatch):
    def broken(*arguments, **words):
        raise RuntimeError("two\nlines")

    monkeypatch.setattr("ratesim.importing.read", broken)
    code, out, err = call("inspect", games)
    assert (code, out) == (1, "")
    assert err.splitlines()[-1] == "ratesim failed (RuntimeError: two lines); --debug shows where"
    with pytest.raises(RuntimeError):
        call("inspect", games, "--debug")


@pytest.mark.parametrize("family", FAMILIES)
def test_kinds_are_listed_and_each_is_shown_whole(family, call):
    code, out, _ = call(family, "--json")
    assert code == 0
    found = json.loads(out)
    assert [each["kind"] for each in found] == sorted(each["kind"] for each in found)
    listed = call(family)[1]
    for each in found:
        assert each["about"].endswith(".")
        assert each["kind"] in listed
        assert json.loads(call(family, each["kind"], "--json")[1]) == each
        shown = call(family, each["kind"])[1]
        assert each["documentation"] in shown
        assert all(parameter["name"] in shown for parameter in each["parameters"])


def test_a_parameter_has_its_default_unit_and_range():
    (clip,) = describe(rs.LogLoss)["parameters"]
    assert clip == {
        "name": "clip",
        "default": 1e-6,
        "required": False,
        "unit": "expected score",
        "range": "> 0 and < 0.5",
        "about": "forecasts are moved into clip..1 - clip",
    }


def test_inspect_counts(games, call):
    code, out, err = call("inspect", games, "--json")
    found = json.loads(out)
    frame = pl.read_csv(games)
    margin = frame["home_score"] - frame["away_score"]
    per_player = pl.concat([frame["home_team"], frame["away_team"]]).value_counts()["count"]
    stamps = frame["date"].value_counts()["count"]
    assert code == 0
    assert (found["games"], found["players"]) == (60, 4)
    assert (found["from"], found["to"]) == (f"{frame['date'].min()} 00:00:00", f"{frame['date'].max()} 00:00:00")
    assert found["draws"] == (margin == 0).mean()
    assert found["first_score"] == pytest.approx(((margin > 0) + (margin == 0) * 0.5).mean())
    assert found["time_stamps"] == len(stamps)
    assert found["shared_stamps"] == stamps.filter(stamps > 1).sum() / 60
    assert (found["games_per_player"]["0%"], found["games_per_player"]["100%"]) == (per_player.min(), per_player.max())
    assert found["columns"]["first"] == "home_team"
    assert "--map first=home_team" in err


def test_inspect_with_a_map_guesses_nothing(games, call):
    code, out, err = call("inspect", games, *MAP)
    assert code == 0
    assert "guessed" not in err
    assert out.startswith("file")


def test_rate_is_replay(games, call):
    code, out, _ = call(
        "rate", games, *MAP, "--system", "elo", "--set", "advantage=50", "--set-policy", "k=32", "--json"
    )
    said = json.loads(out)
    columns = dict(item.removeprefix("--map=").split("=", 1) for item in MAP)
    run = rs.replay(rs.Elo(advantage=50), rs.read(games, columns), policy=rs.Constant(k=32))
    expected = {row["player"]: row for row in run.ratings().to_dicts()}
    assert code == 0
    assert (said["games"], said["players"], said["policy"]["k"]) == (60, 4, 32)
    assert {row["player"]: row for row in said["ratings"]} == expected
    ratings = [row["rating"] for row in said["ratings"]]
    assert ratings == sorted(ratings, reverse=True)


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".parquet"])
def test_ratings_are_written_whole(games, call, suffix):
    path = games.with_name(f"ratings{suffix}")
    code, out, _ = call("rate", games, *MAP, "--system", "elo", "-o", path, "--top", "2")
    read = {".csv": pl.read_csv, ".tsv": lambda p: pl.read_csv(p, separator="\t"), ".parquet": pl.read_parquet}
    frame = read[suffix](path)
    assert code == 0
    assert frame.columns[:2] == ["player", "rating"]
    assert len(frame) == 4
    assert frame["rating"].is_sorted(descending=True)
    assert f"... and 2 more; all in {path}" in out


def test_a_state_goes_on_where_it_was_saved(games, call):
    frame = pl.read_csv(games)
    cut = frame.filter(pl.col("date") < "2023-06-01").height
    early, late, state = (games.with_name(name) for name in ("early.csv", "late.csv", "state"))
    frame[:cut].write_csv(early)
    frame[cut:].write_csv(late)
    words = [*MAP, "--system", "glicko2", "--calendar", "months", "--json"]
    assert call("rate", early, *words, "--save-state", state)[0] == 0
    code, resumed, _ = call("rate", late, *words, "--from-state", state)
    assert code == 0
    assert json.loads(resumed)["ratings"] == json.loads(call("rate", games, *words)[1])["ratings"]


def test_players_start_from_a_table(games, call):
    table = games.with_name("start.csv")
    table.write_text("player,rating\nAjax,2000\n")
    _, out, _ = call("rate", games, *MAP, "--system", "elo", "--start", table, "--json")
    assert json.loads(out)["ratings"][0]["player"] == "Ajax"


def test_a_baseline_has_no_ratings_to_print(games, call):
    code, _, err = call("rate", games, *MAP, "--system", "even")
    assert code == 2
    assert "keeps no ratings" in err


def test_starts_of_players_without_games_and_what_the_system_has_no_use_for_are_said(games, call):
    table = games.with_name("start.csv")
    table.write_text("player,rating,deviation\nAjax,2000,50\nNobody,1500,60\n")
    code, _, err = call("rate", games, *MAP, "--system", "elo", "--start", table)
    assert code == 0
    assert "start: 1 of 2 players have no game\n" in err
    assert "start: elo has no deviation, which is left alone\n" in err
    assert "left alone" not in call("rate", games, *MAP, "--system", "glicko", "--start", table)[2]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_may_not_be_written_is_said_before_any_work(games, call):
    games.parent.chmod(0o555)
    code, _, err = call("rate", "nowhere.csv", "--system", "elo", "-o", games.parent / "out.csv")
    games.parent.chmod(0o755)
    assert code == 2
    assert "out.csv: cannot be written" in err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("rate {games} --system elo -o {games}", "games.csv: --output and GAMES are one file; expected two files"),
        ("rate {games} --system elo --save-state {games}", "--save-state and GAMES are one file"),
        ("rate {games} --system elo --save-state link", "--save-state and GAMES are one file"),
        ("rate {games} --system elo -o x.csv --save-state ./x.csv", "--save-state and --output are one file"),
        ("rate {games} --system elo -o start.csv --start start.csv", "--output and --start are one file"),
        ("rate {games} --system elo --save-state state --from-state state", "--save-state and --from-state are one"),
        ("rate {games} --system elo --save-state own.py --plugin own.py", "--save-state and --plugin are one file"),
        ("figure out history -o games.svg", "games.csv: is there already, and would be taken by the table"),
        ("figure out history -o out/figures/history.svg", "history.svg: belongs to the run; expected another name"),
        ("figure out history --format gif", "--format: unknown form 'gif'; expected one of svg, pdf, png"),
        ("figure out history --format svgz", "did you mean 'svg'?"),
        ("figure out history -o x.gif", "x.gif: unknown form 'gif'"),
        ("figure out history --format svg -o x.png", "x.png: unknown suffix '.png'; expected one of .svg"),
        ("import {games} -o out", "out: is a folder; expected a file, *.parquet"),
        ("rate {games} --system elo -o out", "out: is a folder; expected a file, *.csv or *.tsv or *.parquet"),
        ("rate {games} --system elo --save-state out", "out: is a folder; expected a file\n"),
        ("rate nowhere.csv --system elo -o new/folder/x.csv", "nowhere.csv: no such file"),
        ("rate {games} --system elo --top -1", "--top -1; expected a number at least 0\n"),
        ("rate {games} --system elo --top few", "--top few; expected a whole number\n"),
        ("rate start.toml --system elo", "start.toml: is an experiment file; expected games; `ratesim run` or"),
        ("inspect start.toml", "start.toml: is an experiment file; expected games; `ratesim run` or"),
        ("import start.toml -o x.parquet", "start.toml: is an experiment file; expected games; `ratesim run` or"),
        ("init start.toml -o x.toml", "start.toml: is an experiment file; expected games; `ratesim run` or"),
    ],
)
def test_what_is_there_is_not_written_over(words, said, games, call, monkeypatch):
    monkeypatch.chdir(games.parent)
    Path("link").symlink_to(games)
    Path("out/figures").mkdir(parents=True)
    for name in ("start.csv", "start.toml", "own.py", "out/figures/history.svg"):
        Path(name).write_text("kept", encoding="utf-8")
    before = {path: path.read_bytes() for path in Path().rglob("*.*")}
    code, out, err = call(*words.format(games=games).split())
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert said in err
    assert {path: path.read_bytes() for path in Path().rglob("*.*")} == before
    assert not Path("new").exists()


@pytest.mark.parametrize("words", [["rate", ""], ["rate", "x.csv", "--system="], ["init", ""], ["inspect", ""]])
def test_an_empty_word_is_no_folder(words, call):
    assert call(*words) == (2, "", "command line: an empty word; expected a name or a value in its place\n")


def test_help_shows_no_class(call):
    assert all("<class" not in call(verb, "--help")[1] for verb in ("rate", "inspect", "init", "run", "figure"))


def test_a_parameter_may_be_none_as_it_is_listed(call):
    from ratesim.cli.options import values

    assert values(["cap=none", "at=null", "per=30d"], "--set") == {"cap": None, "at": None, "per": "30d"}
    assert "none" in call("systems", "glicko")[1]


def test_one_game_is_no_plural(games, call):
    frame = pl.read_csv(games)
    frame[:1].write_csv(games)
    code, out, _ = call("rate", games, *MAP, "--system", "elo")
    assert code == 0
    assert "1 game, 2 players\n" in out
