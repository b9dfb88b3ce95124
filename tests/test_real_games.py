"""The experiments on games that are not ours, against numbers computed elsewhere."""

import csv
import json
import math
from datetime import date
from itertools import groupby
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from ratesim.cli import main
from ratesim.experiment import read
from ratesim.metrics import log_loss
from ratesim.plan import load
from ratesim.policies import Constant
from ratesim.replay import replay
from ratesim.stream import GameStream
from ratesim.systems.elo import Elo

EXPERIMENTS = Path(__file__).resolve().parents[1] / "experiments"
DATA = EXPERIMENTS.parents[1] / "shared" / "data"
FOOTBALL = DATA / "football" / "results.csv"
LICHESS = DATA / "chess_lichess" / "chess_games.csv"

pytestmark = pytest.mark.data


def run(name: str, games: Path, folder: Path) -> dict:
    assert main(["run", str(EXPERIMENTS / f"{name}.toml"), "--stream", str(games), "--out", str(folder), "--json"]) == 0
    return json.loads((folder / "summary.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def football_folder(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("football")
    run("football", FOOTBALL, folder)
    return folder


@pytest.fixture(scope="module")
def football(football_folder) -> dict:
    return json.loads((football_folder / "summary.json").read_text(encoding="utf-8"))


def read_stream(experiment: Path, games: Path) -> GameStream:
    (loaded,) = load(read(experiment, games))
    return loaded.stream


def losses(summary: dict) -> dict[str, float]:
    return {each["label"]: each["metrics"]["log_loss"]["mean"] for each in summary["runs"]}


def naive_elo(k: float, advantage: float) -> list[float]:
    """Forecasts of Elo over the football matches, in plain Python: matches of one day are forecast together."""
    with FOOTBALL.open(encoding="utf-8") as file:
        rows = sorted(csv.DictReader(file), key=lambda row: row["date"])
    ratings: dict[str, float] = {}
    forecasts = []
    for _, day in groupby(rows, key=lambda row: row["date"]):
        changes: list[tuple[str, float]] = []
        for row in day:
            home, away = row["home_team"], row["away_team"]
            goals = int(row["home_score"]) - int(row["away_score"])
            gap = ratings.get(home, 1500.0) - ratings.get(away, 1500.0) + advantage * (row["neutral"] == "FALSE")
            expected = 1 / (1 + 10 ** (-gap / 400))
            gain = k * ((goals > 0) + 0.5 * (goals == 0) - expected)
            forecasts.append(expected)
            changes += [(home, gain), (away, -gain)]
        for team, gain in changes:
            ratings[team] = ratings.get(team, 1500.0) + gain
    return forecasts


@pytest.mark.parametrize(
    ("k", "advantage", "loss"), [(20, 0, 0.6039), (20, 65, 0.5833), (40, 0, 0.5995), (40, 65, 0.5781)]
)
def test_elo_per_game_is_a_plain_loop_and_scores_what_it_scored_elsewhere(k, advantage, loss):
    games = read_stream(EXPERIMENTS / "football.toml", FOOTBALL)
    found = replay(Elo(advantage=advantage), games, policy=Constant(k=k))
    np.testing.assert_allclose(found.forecast, naive_elo(k, advantage), rtol=0, atol=1e-9)
    assert log_loss(found.forecast, games.score, clip=1e-6).mean() == pytest.approx(loss, abs=0.0005)


@pytest.mark.slow
def test_football_is_whole(football):
    assert football["stream"]["games"] == 49_520
    assert football["stream"]["first"] == str(date(1872, 11, 30))
    assert {each["rests_on"]["parameters"] for each in football["runs"]} == {"default"}


@pytest.mark.slow
def test_football_losses_are_those_computed_elsewhere(football):
    found = losses(football)
    for label, loss in {
        "even, per-game": 0.69315,
        "first-rate, per-game": 0.6716,
        "elo advantage=0, constant k=20, per-game": 0.6039,
        "elo advantage=65, constant k=20, per-game": 0.5833,
        "elo advantage=0, constant k=40, per-game": 0.5995,
        "elo advantage=65, constant k=40, per-game": 0.5781,
    }.items():
        assert found[label] == pytest.approx(loss, abs=0.0005), label


@pytest.mark.slow
def test_every_rating_system_beats_the_share_of_points(football):
    found = losses(football)
    for each in football["runs"]:
        if each["system"]["kind"] not in {"even", "first-rate"}:
            base = found[f"first-rate, {each['rests_on']['calendar']}"]
            assert each["metrics"]["log_loss"]["mean"] < base - 0.05, each["label"]


@pytest.mark.slow
def test_the_figures_show_the_stored_numbers(football, football_folder):
    """The calibration table of one run, counted by hand from its forecasts."""
    table = pl.read_parquet(football_folder / "tables" / "calibration.parquet")
    with FOOTBALL.open(encoding="utf-8") as file:
        rows = sorted(csv.DictReader(file), key=lambda row: row["date"])
    scores = [(int(r["home_score"]) > int(r["away_score"])) + 0.5 * (r["home_score"] == r["away_score"]) for r in rows]
    label = "elo advantage=65, constant k=20, per-game"
    (row,) = (each for each in football["runs"] if each["label"] == label)
    forecasts = pl.read_parquet(football_folder / "forecasts" / f"{row['id']}.parquet")["forecast"].to_list()
    for cell in table.filter(pl.col("system") == label).iter_rows(named=True):
        inside = [s for f, s in zip(forecasts, scores, strict=True) if cell["from"] <= f < cell["to"]]
        assert cell["n"] == len(inside)
        assert cell["score"] == pytest.approx(math.fsum(inside) / len(inside), abs=1e-12)
    assert (football_folder / "figures" / "history.svg").is_file()
    assert (football_folder / "figures" / "difference.svg").is_file()


@pytest.mark.slow
def test_lichess_tells_what_it_left_out_and_how_near_the_published_ratings_come(tmp_path, capsys):
    summary = run("lichess", LICHESS, tmp_path)
    notes = "\n".join(summary["stream"]["notes"])
    assert "945 of 20,058 rows repeat an earlier id" in notes
    assert "left out: 3,903 not where rated = " in notes
    assert notes in capsys.readouterr().err.replace("lichess: ", "")
    with LICHESS.open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["rated"] == "TRUE" and row["white_id"] != row["black_id"]]
    games = list({row["id"]: row for row in reversed(rows)}.values())
    assert summary["stream"]["games"] == len(games)
    total = 0.0
    for row in games:
        expected = 1 / (1 + 10 ** ((int(row["black_rating"]) - int(row["white_rating"])) / 400))
        score = {"white": 1.0, "draw": 0.5, "black": 0.0}[row["winner"]]
        total -= score * math.log(expected) + (1 - score) * math.log(1 - expected)
    found = losses(summary)
    assert found["published, per-game"] == pytest.approx(total / len(games), abs=1e-9)
    assert (
        found["published, months"]
        == found["published, per-game"]
        < min(loss for label, loss in found.items() if not label.startswith("published"))
    )
