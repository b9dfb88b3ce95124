"""Ranges in experiment files: read, tuned, kept, scored on what comes after; mistakes in one line."""

import json
import sys
from dataclasses import replace
from datetime import date
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import ratesim as rs
from ratesim.cli.tune import _edge, _folds
from ratesim.conduct import Logged
from ratesim.errors import InputError
from ratesim.experiment import read
from ratesim.illustrate import chosen
from ratesim.keys import Score
from ratesim.plan import load, plan
from ratesim.store import Store
from ratesim.tuned import EXPLAINED, Workers, parted, settle, tune, winners

sweeps = sys.modules["ratesim.sweep"]  # `rs.sweep` is the function

GAMES = """seed = 4
[stream]
games = "games.csv"
"""
ELO = """[[system]]
kind = "elo"
[[policy]]
kind = "constant"
k = %s
[tune]
train = 0.5
folds = 2
draws = 200
"""
K = "[20, { low = 5, high = 80, points = 4 }]"
TOO_MANY = "{ low = 1, high = 80, points = 10_001 }"
BEYOND = "expected a number at least 0 and at most 10000 (rating points a game)"
SYSTEMS = """[[system]]
kind = "elo"
%s
"""


def experiment(folder: Path, text: str = ELO % K) -> Path:
    """Write an experiment, and 1,600 games of 16 players over 400 days."""
    games = rs.League(players=16, rounds=200, days=400, changes=[{"kind": "walk", "sd": 20}]).simulate(seed=4)
    names = games.players["player"]
    sides = {side: names.gather(getattr(games, side)) for side in ("first", "second")}
    when = pl.Series(games.time.astype("datetime64[D]"))
    pl.DataFrame({**sides, "score": games.score, "time": when}).write_csv(folder / "games.csv")
    path = folder / "a.toml"
    path.write_text(GAMES + text, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    """The folder of a run, and its summary."""
    folder = tmp_path_factory.mktemp("tuned")
    return folder / "out", rs.run(experiment(folder), folder / "out", workers=1)


def test_a_run_tunes_on_the_first_games_and_scores_the_others(done):
    _, summary = done
    (found,) = summary["tuning"]
    stream = summary["stream"]
    assert stream["judged"] == found["test"]["n"] == stream["games"] - found["train"]["n"]
    runs = {run["label"]: run for run in summary["runs"]}
    best = found["parameters"][0]["best"]
    tuned = runs[f"elo, constant k={best:g} (tuned)"]
    assert (tuned["policy"]["k"], found["run"], found["label"]) == (best, "elo, constant k=5..80", tuned["label"])
    assert summary["notes"].count(EXPLAINED) == 1
    assert tuned["rests_on"]["parameters"] == f"tuned on games before {found['split']}: k = {tuned['policy']['k']:g}"
    assert tuned["metrics"]["log_loss"]["mean"] == pytest.approx(found["test"]["mean"], rel=1e-12)
    usual = runs["elo, constant k=20"]
    assert usual["rests_on"]["parameters"] == "default"
    assert usual["metrics"]["log_loss"]["mean"] == pytest.approx(found["usual"]["test"]["mean"], rel=1e-12)
    assert any(note.startswith(f"games: judged from {found['split']} on") for note in summary["notes"])


def test_the_outcome_is_that_of_python(done):
    folder, summary = done
    (found,) = summary["tuning"]
    games = rs.read(folder.parent / "games.csv")
    span = {"k": rs.Range(5, 80, points=4)}
    again = rs.tune(rs.Elo(), games, span, train=0.5, folds=2, draws=200, seed=4)
    assert again.best == {"k": found["parameters"][0]["best"]}
    assert found["cost"] == json.loads(json.dumps(again.cost._asdict()))
    assert pl.read_parquet(folder / "tuning" / f"{found['id']}.parquet").equals(again.settings)


def test_the_same_bytes_with_any_workers_and_nothing_is_done_again(done, tmp_path, call, monkeypatch):
    folder, _ = done
    path = experiment(tmp_path)
    code, out, _ = call("tune", path, "--out", tmp_path / "out", "--workers", 2, "--json")
    assert code == 0
    (one,), (other,) = ([*(where / "tuning").glob("*.parquet")] for where in (folder, tmp_path / "out"))
    assert one.name == other.name
    for suffix in (".json", ".parquet"):
        assert one.with_suffix(suffix).read_bytes() == other.with_suffix(suffix).read_bytes()
    assert json.loads(out) == json.loads((tmp_path / "out" / "tuning.json").read_text(encoding="utf-8"))
    monkeypatch.setattr("ratesim.tuned.tuned", None)  # the store has it
    code, out, _ = call("tune", path, "--out", tmp_path / "out")
    assert code == 0
    assert "k          5 to 80" in out
    assert (tmp_path / "out" / "figures" / "response.svg").is_file()


def test_tuned_values_that_are_a_run_already_are_a_run_of_their_own(done):
    folder, summary = done
    asked = read(folder.parent / "a.toml")
    found = settle(asked, load(asked), Store(folder), by=Workers(), many=False, watch=Logged())
    (winner,) = winners(found).values()
    assert winner.policy.k == summary["tuning"][0]["parameters"][0]["best"]
    same = replace(asked.cells[1], policy=winner.policy)
    runs = plan(replace(asked, cells=(same, winner)), load(asked))
    assert runs[0].made_of["policy"] == runs[1].made_of["policy"]
    assert runs[0].id != runs[1].id
    other = found[0]._replace(cell=replace(found[0].cell, label="elo, constant k=5..90"))
    labels = [each.label for each in winners([*found, other]).values()]
    assert labels == [winner.label, f"{winner.label}, of elo, constant k=5..90"]
    assert [run.cell.label for run in chosen(plan(asked, load(asked), winners(found)), [asked.cells[1].label])] == [
        winner.label
    ]  # the file knows it by its range


def test_ranges_stand_in_lists_parts_and_labels(tmp_path):
    text = SYSTEMS % "" + (
        '[[policy]]\nkind = "steps"\nby = "games"\nk = [{ low = 20, high = 60 }, { kind = "constant", k = 10 }]\n'
        "at = [{ low = 10, high = 50, whole = true }]\n"
    )
    (cell,) = read(experiment(tmp_path, text)).cells
    assert cell.space.names == ["k.1", "at.1"]
    assert cell.label == "elo, steps k=[20..60, constant(k=10)] at=[10..50]"
    assert cell.titled((40.00001, 30)) == "elo, steps k=[40, constant(k=10)] at=[30] (tuned)"
    _, policy = cell.space.pair((40, 30))
    assert (policy.k[0], policy.at) == (40, (30,))


STEPS = SYSTEMS % "" + (
    "[[policy]]\nkind = 'steps'\nk = [40, 20, 10]\n"
    "at = [{ low = %d, high = %d, points = 3 }, { low = %d, high = %d, points = 3 }]\n"
)
FALLING = "at.1 = 50..90, at.2 = 10..40 goes together"


def test_values_that_do_not_go_together_are_no_edge_and_usual_ones_that_were_moved_are_told(tmp_path, call):
    _, out, _ = call("tune", experiment(tmp_path, STEPS % (10, 50, 10, 50)), "--out", tmp_path / "out")
    first, second = json.loads((tmp_path / "out/tuning.json").read_text())["tuning"][0]["parameters"]
    assert (first["edge"], first["cut"]) == (None, "high") if first["best"] == 30 else ("low", None)
    assert (second["edge"], second["cut"]) == (None, "low") if second["best"] == 30 else ("high", None)
    assert "of what was tried" not in out
    assert "usual is at.1 = 23.3333, at.2 = 36.6667: defaults, or middles of ranges, do not go together" in out


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (ELO % "{ low = 80, high = 5 }", "a.toml, policy 1, k: low = 80, high = 5; expected low less than high"),
        (ELO % "{ low = 5 }", "a.toml, policy 1, k: missing key 'high'; expected a range: { low = 5, high = 80 }"),
        (ELO % '{ low = 0, high = 5, scale = "log" }', "policy 1, k: low = 0; expected more than 0 on a logarithmic"),
        (ELO % "{ low = 5, high = 6, pionts = 3 }", "policy 1, k: unknown key 'pionts'; did you mean 'points'?"),
        (ELO % "{ low = -5, high = 80 }", f"a.toml, policy 1, k: low = -5; {BEYOND}"),
        (SYSTEMS % "[[policy]]\nkind = 'steps'\nk = [10, 20]\nat = { low = 10, high = 50 }",
         "policy 1, at: { low = 10, high = 50 }; expected a list, such as [{ low = 10, high = 50 }]"),
        (SYSTEMS % "[[policy]]\nkind = 'steps'\nk = { low = 10, high = 50 }\nat = []",
         "policy 1, k: { low = 10, high = 50 }; expected a list, such as [{ low = 10, high = 50 }]"),
        (SYSTEMS % "[[policy]]\nkind = 'steps'\nk = [{ low = 10, high = 20_000 }]\nat = []",
         "policy 1, k.1: high = 20000: K is a number from 0 to 10000, or a policy"),
        (STEPS % (50, 90, 10, 40), f"a.toml, policy 1: none of 9 settings of {FALLING}; expected thresholds that rise"),
        (ELO % "10\nkk = { low = 1, high = 2 }", "a.toml, policy 1: unknown key 'kk'; did you mean 'k'?"),
        (SYSTEMS % "advantge = { low = 1, high = 2 }", "system 1: unknown key 'advantge'; did you mean 'advantage'?"),
        (SYSTEMS % "curve = { low = 1, high = 2 }", "a.toml, system 1, curve: { low, high }; expected a value: only"),
        (SYSTEMS % 'advantage = { low = 1, high = 2 }\ntuned_on = "x"', "key 'tuned_on'; expected none, for advantage"),
        (SYSTEMS % "[[calendar]]\nkind = 'every'\ndays = { low = 1, high = 2 }", "calendar 1: days is a range"),
        (SYSTEMS % "[[world]]\nplayers = { low = 5, high = 9 }",
         "world 1: players is a range; expected a value, or a list of some: what is tuned has its range under"),
        (SYSTEMS % "[score]\nclip = { low = 0.1, high = 0.2 }",
         "score: clip is a range; expected one value here; `ratesim tune` takes ranges, under [[system]] or [[po"),
        (SYSTEMS % "k = 20", "a.toml, system 1: key 'k'; expected it under [[policy]]"),
        (SYSTEMS % "k = { low = 5, high = 80 }", "a.toml, system 1: key 'k'; expected it under [[policy]]"),
        (SYSTEMS % "[[policy]]\nkind = 'constant'\nadvantage = 5", "policy 1: key 'advantage'; expected it under [["),
        (SYSTEMS % "folds = 3", "system 1: key 'folds'; expected it under [tune]"),
        (SYSTEMS % "[[policy]]\nkind = 'constant'\nkk = 20", "policy 1: unknown key 'kk'; did you mean 'k'?"),
        (SYSTEMS % "[[policy]]\nkin = 'constant'\nk = 20", "policy 1: unknown key 'kin'; did you mean 'kind'?"),
        (ELO % "{ lo = 5, high = 80 }", "a.toml, policy 1, k: unknown key 'lo'; did you mean 'low'?"),
        (ELO % "10", "a.toml, tune: nothing to tune; expected a range of a system's or a policy's number"),
        (ELO % K + "foldz = 3", "a.toml, tune: unknown key 'foldz'; did you mean 'folds'?"),
        (ELO % K + "metric = 'log_los'", "a.toml, tune: unknown metric 'log_los'; did you mean 'log_loss'?"),
    ],
)  # fmt: skip
def test_mistakes_in_a_file_are_said_in_one_line(tmp_path, text, said):
    with pytest.raises(InputError) as caught:
        read(experiment(tmp_path, text))
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "verb", "said"),
    [
        (ELO % K + "burn_in = 10_000", "run", "a.toml, tune, stream games: no games before fold 1 of 2"),
        ((ELO % K).replace("0.5", "1"), "run", "a.toml, tune: train = 1 leaves no game to score; expected less, or"),
        (ELO % TOO_MANY, "tune", "10,001 settings; expected at most 10,000, or --yes"),
        (SYSTEMS % "", "tune", "a.toml: nothing to tune; expected a range"),
        (ELO % K + "[score]\nuntil = 1970-02-01", "run", "a.toml, score: until = 1970-02-01 is before 1970-07"),
        (ELO % K + "[score]\nuntil = 1970-02-01", "tune", "a.toml, score: until = 1970-02-01 is before 1970-07"),
    ],
)
def test_mistakes_of_games_are_said_in_one_line(tmp_path, call, text, verb, said):
    code, out, err = call(verb, experiment(tmp_path, text), "--out", tmp_path / "out")
    assert (code, out) == (2, "")
    assert said in err.splitlines()[-1]
    assert "Traceback" not in err


def test_what_cannot_be_searched_is_refused_before_games_are_read_and_nothing_is_written(tmp_path, call, monkeypatch):
    path = experiment(tmp_path, ELO % K + 'method = "optuna"\n')
    (tmp_path / "games.csv").unlink()
    monkeypatch.setitem(sys.modules, "optuna", None)
    for verb in ("tune", "run"):
        code, _, err = call(verb, path, "--out", tmp_path / "out")
        assert (code, (tmp_path / "out").exists()) == (2, False)
        assert "a.toml, elo, constant k=5..80, tune, method: optuna is not installed" in err


def test_the_tuning_of_another_experiment_is_not_written_over(done, call):
    folder, _ = done
    out = folder.parent / "alone"
    assert call("tune", folder.parent / "a.toml", "--out", out)[0] == 0
    assert not (out / "provenance").exists()  # of runs, and there are none
    before = (out / "tuning.json").read_bytes()
    other = folder.parent / "b.toml"
    other.write_text((folder.parent / "a.toml").read_text(encoding="utf-8"), encoding="utf-8")
    for verb in ("tune", "run"):
        code, _, err = call(verb, other, "--out", out)
        assert code == 2
        assert "holds the results of a.toml; expected an empty or new folder, or --yes to write there" in err
    assert (out / "tuning.json").read_bytes() == before


def test_columns_stand_in_the_order_of_the_parameters():
    fold = {"since": "1970-02-01", "games": 9, "best": {"at.1": 30, "k.1": 40}, "loss": 0.6, "usual": 0.7, "least": 0.5}
    mean = {"mean": 0.6, "n": 9}
    found = {"parameters": [{"name": "k.1", "best": 40}, {"name": "at.1", "best": 30}], "folds": [fold], "train": mean}
    rows = list(_folds(found | {"test": None, "usual": {"train": mean}}))
    assert [[*row][:4] for row in rows] == [["from", "games", "k.1", "at.1"]] * 2
    assert rows[0]["k.1"] == 40


def test_the_column_tells_of_ends_and_of_what_changes_nothing():
    found = {"edge": None, "cut": None, "reaches": [], "idle": False}
    assert _edge(found) == "no"
    assert _edge(found | {"edge": "low", "reaches": ["low", "high"]}) == "low; interval, high"
    assert _edge(found | {"reaches": ["high"]}) == "interval, high"
    assert _edge(found | {"cut": "high"}) == "none higher goes together"
    assert _edge(found | {"idle": True}) == "changes nothing"


class Stopping(Logged):
    """A watch that interrupts once so many games were tried, and remembers what it was told."""

    def __init__(self, most: float) -> None:
        self.most, self.games, self.announced = most, 0, 0

    def tuning(self, label, games):
        self.announced += games

    def tried(self, games):
        self.games += games
        if self.games > self.most:
            raise KeyboardInterrupt


def test_an_interrupted_tuning_goes_on_where_it_was_to_the_same_bytes(done, monkeypatch):
    folder, _ = done
    asked, played = read(folder.parent / "a.toml"), []
    monkeypatch.setattr(sweeps, "MANY", 1)  # a setting is a block
    play = sweeps.play
    monkeypatch.setattr(sweeps, "play", lambda tables, *rest: played.append(len(tables)) or play(tables, *rest))
    store, by = Store(folder.parent / "stopped"), Workers(workers=1)
    with pytest.raises(KeyboardInterrupt):
        tune(asked, store, by=by, watch=Stopping(800))  # in the second setting
    assert not store.foreign
    assert not list(store.folder.glob("**/*.json"))
    stopped, watch = len(played), Stopping(np.inf)
    tune(asked, store, by=by, watch=watch)
    assert 2 <= stopped < 4
    assert len(played) <= 4 + 2 + 1  # settings, then the best beside the usual one; one had begun when it was stopped
    assert watch.games == watch.announced
    for name in (path.relative_to(folder) for path in (folder / "tuning").iterdir()):
        assert (store.folder / name).read_bytes() == (folder / name).read_bytes()
    before = len(played)
    more = replace(asked, tune=asked.tune.model_copy(update={"draws": 300}))
    tune(more, store, by=by, watch=Logged())  # asks for other intervals of the same losses
    assert len(played) == before


def test_games_of_any_number_are_in_memory_to_be_tuned_on(tmp_path, monkeypatch):
    path = experiment(tmp_path)
    rs.import_games(tmp_path / "games.csv", tmp_path / "games.parquet")
    text = path.read_text(encoding="utf-8").replace("games.csv", "games.parquet")
    path.write_text(text, encoding="utf-8")
    monkeypatch.setattr("ratesim.replaying.kept.MANY", 100)
    (loaded,) = load(read(path))
    assert isinstance(loaded.stream, rs.GameStream)
    assert loaded.stream.notes[-1].startswith("tuning has to see all games at once: all 1,593 are in memory")
    path.write_text(f"{text}[score]\nforecasts = 'losses'\n", encoding="utf-8")
    with pytest.raises(
        InputError, match="stream: games on disk are not tuned on; expected forecasts left out or 'all'"
    ):
        parted(asked := read(path), load(asked))


def test_columns_that_are_called_otherwise_are_told_how_to_name(tmp_path):
    path = experiment(tmp_path)
    pl.read_csv(tmp_path / "games.csv").rename({"first": "home"}).write_csv(tmp_path / "games.csv")
    with pytest.raises(InputError) as caught:
        load(read(path))
    assert "missing column 'first'; expected columns = { first = ... } under [[stream]], which `ratesim ins" in str(
        caught.value
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("rate", "games.csv", "--system", "elo", "--set", "k=20"), "--set: 'k' is of a K policy; expected it in --se"),
        (("policy", "constant:k=20", "constant:k={low=5,high=80}", "--stream", "games.csv"),
         "NEW: k is a range; expected one value here; `ratesim tune` takes ranges, under [[system]] or [[policy]]"),
        (("policy", "constant:k=20", "steps:k=[20, {low = 5, high = 80}],at=[10]", "--stream", "games.csv"),
         "NEW: k 2 is a range; expected one value here"),
    ],
)  # fmt: skip
def test_ranges_and_numbers_of_policies_on_a_command_line_point_at_their_place(call, arguments, said):
    code, _, err = call(*arguments)
    assert code == 2
    assert said in err.splitlines()[-1]


def test_scores_from_a_later_day_on_stay_so():
    score, days = Score(since=date(1970, 6, 1)), [date(1970, month, 1) for month in (3, 9)]
    assert [score.after(day).since for day in (None, *days)] == [date(1970, 6, 1), date(1970, 6, 1), date(1970, 9, 1)]
