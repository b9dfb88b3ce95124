"""A real open of 2010 by the rules of its day, against the same worked out in plain Python from the report."""

import csv
import json
import math
import re
from pathlib import Path

import polars as pl
import pytest

import ratesim as rs
from ratesim.cli import main

EXPERIMENT = Path(__file__).resolve().parents[1] / "experiments/fide-open-2010.toml"
SHARED = Path(__file__).resolve().parents[2] / "shared"
REPORT = SHARED / "data/trf/javafo_gros2010.trf"
POINTS = {"1": 1.0, "=": 0.5, "0": 0.0}


@pytest.fixture(scope="module")
def players() -> dict[int, tuple[str, int, int, list[tuple[int, float]]]]:
    """By start rank: FIDE id or name, rating, birth year, and opponent and score of each game that was played."""
    found = {}
    for line in REPORT.read_text(encoding="latin-1").splitlines():
        if line.startswith("001"):
            rounds = re.findall(r"(\d+) [wb] ([1=0])(?= |$)", line[89:])
            key = line[57:68].strip() if line[57:68].strip(" 0") else line[14:47].strip()
            games = [(int(foe), POINTS[said]) for foe, said in rounds]
            found[int(line[4:8])] = (key, int(line[48:52]), int(line[69:73].strip() or 0), games)
    return found


def next_list(players, most: int, junior: int) -> dict[str, int]:
    """Ratings on the list that follows: K 10 from 2400 on, the sum of games between rated players rounded once."""
    with (SHARED / "facts/fide_8_1_2.csv").open() as file:
        table = list(csv.DictReader(file))
    rows = [(int(r["d_min"]), int(r["d_max"] or 9999), round(100 * float(r["pd_high"]))) for r in table]
    after = {}
    for key, rating, born, games in players.values():
        total = 0
        for foe, score in games if rating else ():
            if not players[foe][1]:
                continue
            gap = rating - players[foe][1]
            high = next(pd for low, up, pd in rows if low <= min(abs(gap), 400) <= up)
            total += round(100 * score) - (high if gap >= 0 else 100 - high)
        k = 10 if rating >= 2400 else junior if born and 2010 - born <= 18 and rating < 2300 else most
        change = k * total / 100
        after[key] = rating + int(math.copysign(math.floor(abs(change) + 0.5), change))
    return after


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    out = tmp_path_factory.mktemp("open")
    assert main(["run", str(EXPERIMENT), "--stream", str(REPORT), "--out", str(out), "--json"]) == 0
    return out


@pytest.mark.data
@pytest.mark.parametrize(
    ("label", "most", "junior"), [("fide, FIDE's K", 15, 15), ("fide under the rules of 2025, FIDE's K", 20, 40)]
)
def test_every_rating_on_the_next_list(players, folder, label, most, junior):
    runs = json.loads((folder / "summary.json").read_text(encoding="utf-8"))["runs"]
    (found,) = [run["id"] for run in runs if run["label"] == label]
    ratings = dict(pl.read_parquet(folder / f"ratings/{found}.parquet").select("player", "rating").iter_rows())
    expected = next_list(players, most, junior)
    playing = {key for key, rating, _, games in players.values() if rating and games}
    assert {key: value for key, value in ratings.items() if key in playing} == {key: expected[key] for key in playing}
    assert all(math.isnan(value) for key, value in ratings.items() if key not in playing)
    assert len(playing) == 40


@pytest.mark.data
def test_what_the_experiment_says(players, folder):
    said = " ".join(line.removeprefix("#").strip() for line in EXPERIMENT.read_text(encoding="utf-8").splitlines())
    games = rs.read(REPORT)
    rated = [g for g in range(len(games)) if games.published_first[g] > 0 and games.published_second[g] > 0]
    unrated = sum(not rating for _, rating, _, _ in players.values())
    assert f"{len(players)} players, {unrated} of them unrated, {len(games)} games" in said
    assert f"Of {len(games)} games {len(rated)} are rated" in said
    assert f"{len(games) - len(rated)} count towards a first rating alone" in said
    after, before = next_list(players, 15, 15), {key: rating for key, rating, _, _ in players.values() if rating}
    change = {key: after[key] - rating for key, rating in before.items()}
    most, least = max(change, key=change.get), min(change, key=change.get)
    assert (most, least) == ("2211890", "2278294")
    gained = f"Gonzalez gains most, {before[most]} + {change[most]}"
    assert f"{gained}, and Moreiro loses most, {before[least]} - {-change[least]}" in said
    assert f"Mirzoev, 2527 + {change['13400304']}, and Argandona, 2408 + {change['2212072']}, have 10" in said
    assert f"Gonzalez has {next_list(players, 20, 40)[most]}" in said


def test_without_the_games_it_says_where_to_get_them(call):
    code, out, err = call("run", EXPERIMENT)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert "javafo_gros2010.trf of https://github.com/echecsjs/trf (MIT)" in err
