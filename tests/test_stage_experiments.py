"""The experiments on what games are played for: what their headers say comes out when they are run."""

import re
from pathlib import Path

import numpy as np
import pytest

import ratesim as rs
from ratesim.experiment import read
from ratesim.plan import load

EXPERIMENTS = Path(__file__).resolve().parents[1] / "experiments"
DATA = EXPERIMENTS.parents[1] / "shared" / "data"
GAMES = {"world-football": DATA / "football" / "results.csv", "nfl-playoffs": DATA / "nfl" / "nfl_games.csv"}
FOOTBALL = {  # runs whose losses the header names
    "one K margin=football, constant k=30": ".5737",
    "one K margin=none, constant k=40": ".5752",
    "K by tournament margin=football, constant k=20": ".5770",
    "K by tournament margin=none, constant k=20": ".5784",
    "one K, with draws, constant k=40": ".5754",
}
PLAYOFFS = {  # the same of play-offs alone
    "edge edge_by_stage=(1=1.5)": ".6131", "538": ".6157", "edge edge_by_stage=(1=0)": ".6422",
    "edge edge_by_stage=(1=2)": ".6170", "edge edge_by_stage=(1=2.5)": ".6272",
}  # fmt: skip
SEASONS = {  # of all games
    "edge edge_by_stage=(1=1.5)": ".6139", "538": ".6140", "K k_by_stage=(1=0.5)": ".6140",
    "K k_by_stage=(1=1.5)": ".6142", "K k_by_stage=(1=2)": ".6146", "K k_by_stage=(1=3)": ".6160",
}  # fmt: skip

pytestmark = [
    pytest.mark.data,
    pytest.mark.skipif(not all(path.exists() for path in GAMES.values()), reason="needs the games in ../shared"),
]


def header(name: str) -> str:
    lines = (EXPERIMENTS / f"{name}.toml").read_text(encoding="utf-8").split("\n\ntitle", 1)[0].splitlines()
    return re.sub(r"\s+", " ", " ".join(line.removeprefix("#") for line in lines))


def losses(name: str, *labels: str) -> tuple[rs.GameStream, dict[str, np.ndarray]]:
    """Return the games of an experiment, and what some of its runs lost in each."""
    experiment = read(EXPERIMENTS / f"{name}.toml", GAMES[name])
    (loaded,) = load(experiment)
    cells = {cell.label: cell for cell in experiment.cells}
    pairs = [(cells[label].system, cells[label].policy) for label in labels]
    runs = rs.replay_many(pairs, loaded.stream, start=loaded.start)
    lost = {label: rs.log_loss(run.forecast, loaded.stream.score) for label, run in zip(labels, runs, strict=True)}
    return loaded.stream, lost


def shown(loss: float) -> str:
    return f"{loss:.4f}"[1:]


@pytest.mark.slow
def test_football_comes_out_as_its_header_says():
    said = header("world-football")
    _, lost = losses("world-football", *FOOTBALL)
    assert {label: shown(each.mean()) for label, each in lost.items()} == FOOTBALL
    assert all(loss in said for loss in FOOTBALL.values())


@pytest.mark.slow
def test_play_offs_come_out_as_their_header_says():
    said = header("nfl-playoffs")
    games, lost = losses("nfl-playoffs", *{**PLAYOFFS, **SEASONS})
    late = games.to_frame()["stage"].to_numpy() == "1"
    assert late.sum() == 590
    assert {label: shown(lost[label][late].mean()) for label in PLAYOFFS} == PLAYOFFS
    assert {label: shown(lost[label].mean()) for label in SEASONS} == SEASONS
    assert all(loss in said for loss in (*PLAYOFFS.values(), *SEASONS.values()))


@pytest.mark.parametrize("name", GAMES)
def test_every_stage_that_is_named_has_games(name):
    experiment = read(EXPERIMENTS / f"{name}.toml", GAMES[name])
    (loaded,) = load(experiment)
    named = {
        stage
        for cell in experiment.cells
        for table in (getattr(cell.system, "k_by_stage", None), getattr(cell.system, "edge_by_stage", None))
        for stage in table or ()
    }
    assert named - {"other"} <= set(loaded.stream.stages)
    assert len(named) > 0
