"""An experiment over games on disk, of which losses or a sample are kept, finds what it finds from all forecasts."""

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import ratesim as rs

EXPERIMENT = """
seed = 3
[stream]
games = "games.parquet"
[[system]]
kind = "elo"
[[system]]
kind = "even"
[[system]]
kind = "glicko2"
per = "30d"
[[policy]]
kind = "constant"
k = [10, 30]
[[calendar]]
kind = "per-game"
[figures]
points = 9
"""
SCORES = {
    "plain": "",
    "sampled": 'burn_in = 3\nsince = 2017-03-01\nstrata = ["year", "games", "pool", "edge"]\n'
    'metrics = ["brier", "log_loss"]',
}


def stream(*, weighted: bool) -> rs.GameStream:
    rng = np.random.default_rng(8)
    games, players = 400, 15
    first = rng.integers(players, size=games)
    return rs.GameStream.of(
        first=first.astype(str), second=((first + rng.integers(1, players, games)) % players).astype(str),
        score=rng.choice([0, 0.5, 1.0], games), time=17000 + np.sort(rng.integers(0, 700, games)),
        pool=rng.choice(["blitz", "rapid"], games), edge=rng.choice([0.0, 1.0], games),
        weight=rng.choice([0.0, 0.5, 1, 2], games) if weighted else None,
    )  # fmt: skip


@pytest.fixture
def run(tmp_path, call, monkeypatch, undrawn):
    """Return a function that runs the experiment and returns its summary, its table of losses and the folder."""
    monkeypatch.setattr("ratesim.io.gamefile.PIECE", 64)

    def done(score: str, name: str, text: str = EXPERIMENT):
        path = tmp_path / "e.toml"
        path.write_text(f"{text}\n[score]\n{score}\n")
        code, _, said = call("run", path, "--out", tmp_path / name, "--workers", 1)
        assert code == 0, said
        folder = tmp_path / name
        return json.loads((folder / "summary.json").read_text()), pl.read_parquet(folder / "metrics.parquet"), folder

    return done


def near(found, expected, path=""):
    """Hold two documents to each other, numbers to rounding."""
    if isinstance(expected, dict):
        assert found.keys() == expected.keys(), path
        for key, value in expected.items():
            near(found[key], value, f"{path}.{key}")
    elif isinstance(expected, list):
        assert len(found) == len(expected), path
        for n, value in enumerate(expected):
            near(found[n], value, f"{path}[{n}]")
    elif isinstance(expected, float):
        assert found == pytest.approx(expected, abs=1e-12, nan_ok=True), path
    else:
        assert found == expected, path


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("score", SCORES)
def test_losses_tell_what_all_forecasts_do(tmp_path, run, score, weighted):
    rs.write_games(stream(weighted=weighted), tmp_path / "games.parquet")
    whole, losses, _ = run(f'forecasts = "all"\n{SCORES[score]}', "all")
    found, again, folder = run(f'forecasts = "losses"\n{SCORES[score]}', "losses")
    labels = {run["id"]: run["label"] for summary in (whole, found) for run in summary["runs"]}
    for summary in (whole, found):
        for pair in summary["paired"]:
            pair.update(run=labels[pair["run"]], against=labels[pair["against"]])
        for group in summary["standings"]:
            group["runs"] = [labels[run] for run in group["runs"]]
        for each in summary["runs"]:
            each.pop("id")
            for skill in each["skill"]:
                skill["baseline"] = labels[skill["baseline"]]
            assert bool(each.pop("scores")) == (summary is whole)  # sums do not tell them
    assert whole["paired"]
    assert whole["runs"][0]["skill"]
    for key in ("runs", "standings", "paired"):
        near(found[key], whole[key], key)
    for key in ("games", "players", "first", "last"):
        assert found["stream"][key] == whole["stream"][key]
    if not weighted:
        assert found["stream"]["judged"] == whole["stream"]["judged"]
    near(again.drop("run").to_dicts(), losses.drop("run").to_dicts())
    names = {figure["name"] for figure in whole["figures"]}
    assert {figure["name"] for figure in found["figures"]} == names - {"calibration"}
    assert any(note.startswith("figure calibration is left out") for note in found["notes"])
    assert not (folder / "forecasts").exists()


def test_histories_are_those_of_a_replay_in_memory(tmp_path, run):
    rs.write_games(stream(weighted=False), tmp_path / "games.parquet")
    tables = [
        pl.read_parquet(run(f'forecasts = "{kept}"', kept)[2] / "tables" / "history.parquet")
        for kept in ("all", "losses")
    ]
    assert tables[0].equals(tables[1])


def test_a_sample_draws_calibration(tmp_path, run):
    rs.write_games(stream(weighted=True), tmp_path / "games.parquet")
    _, _, whole = run('forecasts = "all"', "all")
    found, _, folder = run('forecasts = "sample"', "sample")  # of so few games, all
    tables = [pl.read_parquet(each / "tables" / "calibration.parquet") for each in (whole, folder)]
    assert tables[0].equals(tables[1])
    assert any(note.startswith("figure calibration shows ") for note in found["notes"])


def test_what_is_kept_is_found_again(tmp_path, run, monkeypatch):
    rs.write_games(stream(weighted=False), tmp_path / "games.parquet")
    first, _, folder = run('forecasts = "losses"', "out")
    again, _, _ = run('forecasts = "losses"', "out")
    assert again == first
    kept = set(folder.glob("losses/*"))
    run('forecasts = "losses"\nburn_in = 5', "out")  # other games are judged: other losses
    assert set(folder.glob("losses/*")) > kept


def test_large_streams_keep_losses_unless_asked(tmp_path, run, monkeypatch):
    rs.write_games(stream(weighted=False), tmp_path / "games.parquet")
    monkeypatch.setattr("ratesim.replaying.kept.MANY", 399)
    assert (run("", "out")[2] / "losses").is_dir()
    assert (run('forecasts = "all"', "all")[2] / "forecasts").is_dir()


@pytest.mark.parametrize("verb", ["run", "rate"])
@pytest.mark.parametrize("what", ["system 'glicko2-pypi'", "calendar 'lists'"])
def test_what_needs_all_games_has_them_in_memory_and_a_note_says_so(tmp_path, call, monkeypatch, verb, what):
    """Unless losses are asked for: then it is refused, and told what to ask for."""
    rs.write_games(stream(weighted=False), tmp_path / "games.parquet")
    monkeypatch.setattr("ratesim.replaying.kept.MANY", 399)
    path, out = tmp_path / "e.toml", tmp_path / "out"
    system, calendar = ("elo", "lists") if "lists" in what else ("glicko2-pypi", "months")
    text = EXPERIMENT.replace('"even"', f'"{system}"') if system != "elo" else EXPERIMENT
    text = text.replace('"per-game"', f'"{calendar}"')
    path.write_text(text)
    code, said, note = call("run", path, "--out", out) if verb == "run" else call(
        "rate", tmp_path / "games.parquet", "--system", system, "--calendar", calendar, "--json"
    )  # fmt: skip
    assert code == 0, note
    assert f"{what} has to see all games at once: all 400 are in memory, not played from disk" in note
    if verb == "run":
        assert not (out / "losses").exists()
        assert (out / "forecasts").is_dir()
    else:
        assert json.loads(said)["digest"] == rs.read(tmp_path / "games.parquet").digest


def test_a_month_of_lichess_can_be_played_from_disk():
    """However many games it has."""
    from ratesim.experiment import read
    from ratesim.replaying.streamed import needs_all

    checked = read(Path(__file__).parents[1] / "experiments" / "lichess-month.toml")
    assert {cell.system.kind for cell in checked.cells} == {"even", "published", "elo", "glicko2"}
    assert [needs_all(cell.system, cell.calendar) for cell in checked.cells] == [None] * len(checked.cells)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            EXPERIMENT + '[score]\nstrata = ["year", "event"]',
            "score.strata: strata by event; expected it left out, or forecasts = 'all'",
        ),
        (
            EXPERIMENT + '[score]\nmetrics = ["log_loss", "rps"]',
            "e.toml, score: metric 'rps' of stream games, from disk; expected a metric of the expected score, or",
        ),
        (
            EXPERIMENT.replace('"even"', '"first-rate"'),
            "system 'first-rate' has to see all games at once; expected fore",
        ),
        (EXPERIMENT.replace('"per-game"', '"lists"'), "calendar 'lists' has to see all games at once"),
        (EXPERIMENT.replace("points = 9", "pause = 90"), "figures.pause"),
        (
            EXPERIMENT.replace("games.parquet", "games.csv"),
            "forecasts = 'losses' of games in memory; expected 'all', or",
        ),
    ],
)
def test_what_cannot_be_kept_is_said_in_a_line(tmp_path, call, text, said):
    games = stream(weighted=False)
    rs.write_games(games, tmp_path / "games.parquet")
    games.to_frame().write_csv(tmp_path / "games.csv")
    score = "" if "[score]" in text else "[score]"
    (tmp_path / "e.toml").write_text(f'{text}\n{score}\nforecasts = "losses"\n')
    code, _, error = call("run", tmp_path / "e.toml", "--out", tmp_path / "out")
    assert code == 2
    assert said in error
    assert len(error.strip().splitlines()) == 1
    assert not (tmp_path / "out").exists()
