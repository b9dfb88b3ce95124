"""`ratesim simulate` and `ratesim worlds`."""

import json

import numpy as np
import polars as pl
import pytest

import ratesim as rs
from ratesim.experiment import read
from ratesim.plan import load
from ratesim.worlds import writing

WORLD = """seed = 3
[world]
players = 20
rounds = 30
days = 300
replicates = 2
events = "50d"
changes = [{ kind = "walk", sd = 20 }]
activity = [{ kind = "turnover", newcomers = 0.5 }]
outcomes = { kind = "logistic", draw = 0.5, edge = 30 }
pools = { names = ["rapid", "blitz"], spread = 50, bridges = 0.5 }
"""
SEVERAL = "[[world]]\nname = 'small'\nplayers = [10, 20]\n[[world]]\nname = 'large'\nplayers = 40\nrounds = 5\n"


@pytest.fixture
def world(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "world.toml"
    path.write_text(WORLD)
    return path


def test_games_on_disk_are_those_that_a_run_plays(world, call):
    code, out, _ = call("simulate", "world.toml", "-o", "games.parquet", "--json")
    said = json.loads(out)
    assert (code, said["players"], said["replicates"], said["seed"], said["moments"]) == (0, 40, [0, 1], 3, 31)
    world.write_text(WORLD + '[[system]]\nkind = "even"\n')
    (loaded,) = load(read(world))
    expected, found = loaded.stream, rs.read("games.parquet")
    assert len(found) == said["games"] == len(expected)
    assert found.to_frame().equals(expected.to_frame().select(found.to_frame().columns))
    assert {"truth", "skill_first", "skill_second", "event", "pool", "edge"} < set(found.to_frame().columns)
    attributes = found.players.sort("player").select(expected.players.columns)
    assert attributes.equals(expected.players.sort("player"))


def test_skills_on_disk_are_those_between_games(world, call):
    assert call("simulate", "world.toml", "-o", "games.parquet", "--skills", "s.parquet")[0] == 0
    skills, games = pl.read_parquet("s.parquet"), rs.League(**rs_world()).simulate(3, 2)
    assert skills.columns == ["time", "player", "pool", "skill"]
    assert len(skills) == np.isfinite(games.paths.skill).sum() < games.paths.skill.size
    day, player, pool = 7, 21, 1
    row = skills.filter(
        pl.col("time") == games.paths.days[day], player=games.players["player"][player], pool=games.pools[pool]
    )
    expected = games.paths.skill[day, player, pool]
    assert row["skill"].to_list() == ([] if np.isnan(expected) else [expected])
    assert not skills["skill"].is_nan().any()


def rs_world():
    """The world of the file as Python has it."""
    import tomllib

    return {key: value for key, value in tomllib.loads(WORLD)["world"].items() if key != "replicates"}


def test_a_replicate_alone_is_itself_in_company(world, call):
    assert call("simulate", "world.toml", "-o", "both.parquet")[0] == 0
    assert call("simulate", "world.toml", "-o", "one.parquet", "--first", "1", "--replicates", "1")[0] == 0
    both, one = (rs.read(f"{name}.parquet") for name in ("both", "one"))
    replicate = dict(both.players.select("player", "replicate").rows())
    frame = both.to_frame()
    kept = frame.filter(frame["first"].replace_strict(replicate, return_dtype=pl.Int32) == 1)
    assert kept.equals(one.to_frame().select(kept.columns))


def test_rounds_are_written_as_they_are_played(world, call, monkeypatch):
    assert call("simulate", "world.toml", "-o", "whole.parquet")[0] == 0
    monkeypatch.setattr(writing, "SIZE", 7)
    assert call("simulate", "world.toml", "-o", "cut.parquet")[0] == 0
    assert pl.read_parquet("cut.parquet").equals(pl.read_parquet("whole.parquet"))
    assert pl.read_parquet("cut.skills.parquet").equals(pl.read_parquet("whole.skills.parquet"))


def test_one_of_several_worlds_is_named(world, call):
    world.write_text(SEVERAL)
    names = "small players=10; small players=20; large"
    words = ("simulate", "world.toml", "-o", "games.parquet")
    assert call(*words)[2] == f"world.toml: 3 worlds, of which --name picks one; expected one of {names}\n"
    assert call(*words, "--name", "lage")[2] == "world.toml: no world 'lage'; did you mean 'large'?\n"
    code, out, _ = call(*words, "--name", "large", "--seed", "5")
    assert code == 0
    assert out.startswith("large: 100 games of 40 players in 1 replicate: games.parquet; skills at 6 moments: ")
    assert rs.read("games.parquet").source is not None


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("world.toml -o games.csv", "games.csv: unknown suffix '.csv'; expected one of .parquet"),
        ("world.toml -o g.parquet --skills g.parquet", "g.parquet: --skills and --output are one file"),
        ("nowhere.toml -o g.parquet", "nowhere.toml: cannot be read"),
        ("world.toml -o g.parquet --replicates 0", "--replicates 0; expected a number at least 1\n"),
        ("world.toml -o g.parquet --seed -1", "--seed -1; expected a number at least 0\n"),
        ("world.toml -o g.parquet --seed 1.5", "--seed 1.5; expected a whole number\n"),
        ("world.toml -o .", ".: is a folder; expected a file, *.parquet\n"),
        ("world.toml -o ..", "..: is a folder; expected a file, *.parquet\n"),
    ],
)
def test_a_mistake_writes_nothing(world, call, words, said):
    code, out, err = call("simulate", *words.split())
    assert (code, out) == (2, "")
    assert said in err
    assert [path.name for path in world.parent.iterdir()] == ["world.toml"]


def test_what_a_run_of_a_file_lacks_is_said(world, call):
    text = WORLD.replace('pools = { names = ["rapid", "blitz"], spread = 50, bridges = 0.5 }\n', "")
    world.write_text(text)
    assert call("simulate", "world.toml", "-o", "new/games.parquet")[2] == "new folder: new\n"
    (world.parent / "run.toml").write_text('[stream]\ngames = "new/games.parquet"\n[[system]]\nkind = "even"\n')
    code, out, _ = call("run", "run.toml", "--out", "new/out")
    note = "games: simulated games of a file, which has no skills over time to hold ratings against; "
    assert code == 0
    assert out.count(f"{note}tables and figures of the truth are made for [world]") == 1
    world.write_text(f'{text}[[system]]\nkind = "even"\n')
    assert "of a file" not in call("run", "world.toml", "--out", "new/whole")[1]


def test_rounds_that_are_closed_are_said(world, call):
    seasons = 'activity = [{ kind = "seasons", length = 25, every = 50 }]\n'
    world.write_text(f"[world]\nplayers = 6\nrounds = 10\ndays = 100\n{seasons}")
    note = "6 of 10 rounds have games, for activity seasons closes the others"
    assert call("simulate", "world.toml", "-o", "g.parquet")[2] == f"league: {note}\n"
    assert json.loads(call("simulate", "world.toml", "-o", "g.parquet", "--json")[1])["notes"] == [note]


def test_inspection_says_that_components_are_replicates(world, call):
    call("simulate", "world.toml", "-o", "games.parquet")
    out = call("inspect", "games.parquet")[1]
    assert "replicates         2 of a simulated world, each of players and games of its own" in out
    assert "Replicates never meet: each of these components is of one replicate." in out
    assert json.loads(call("inspect", "games.parquet", "--json")[1])["replicates"] == 2
    call("simulate", "world.toml", "-o", "games.parquet", "--replicates", "1")
    assert "eplicate" not in call("inspect", "games.parquet")[1]


def test_a_file_without_a_world_has_none_to_write(world, call):
    world.write_text('[stream]\ngames = "a.csv"\n')
    said = "world.toml: no world; expected a table [world]\n"
    assert call("simulate", "world.toml", "-o", "g.parquet")[2] == said
