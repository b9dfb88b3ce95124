"""The Women's World Rapid Championship of 2024 by FIDE's rules, against the same worked out in plain Python."""

import csv
import json
import math
import re
from collections import defaultdict
from pathlib import Path

import polars as pl
import pytest

import ratesim as rs
from ratesim.cli import main

EXPERIMENT = Path(__file__).resolve().parents[1] / "experiments/fide-women-rapid-2024.toml"
SHARED = Path(__file__).resolve().parents[2] / "shared"
PGN = SHARED / "data/chess_fide_rapid/women_world_rapid_2024.pgn"
SCORES = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}
# In the order of the file: white, black, score of white.
Played = list[tuple[str, str, float]]


@pytest.fixture(scope="module")
def event() -> tuple[Played, dict[str, int]]:
    """The games by FIDE ids, and the ratings in the tags, read without ratesim."""
    played, ratings = [], {}
    for text in PGN.read_text(encoding="utf-8").split("[Event ")[1:]:
        tags = dict(re.findall(r'^\[(\w+) "(.*)"\]$', text, re.MULTILINE))
        played.append((tags["WhiteFideId"], tags["BlackFideId"], SCORES[tags["Result"]]))
        for side in ("White", "Black"):
            assert ratings.setdefault(tags[f"{side}FideId"], int(tags[f"{side}Elo"])) == int(tags[f"{side}Elo"])
    return played, ratings


@pytest.fixture(scope="module")
def table() -> list[tuple[int, int, float, float]]:
    with (SHARED / "facts/fide_8_1_2.csv").open() as file:
        rows = list(csv.DictReader(file))
    return [(int(r["d_min"]), int(r["d_max"] or 9999), float(r["pd_high"]), float(r["pd_low"])) for r in rows]


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    out = tmp_path_factory.mktemp("rapid")
    assert main(["run", str(EXPERIMENT), "--stream", str(PGN), "--out", str(out), "--json"]) == 0
    return out


def losses(folder: Path) -> dict[str, float]:
    runs = json.loads((folder / "summary.json").read_text(encoding="utf-8"))["runs"]
    return {run["label"]: run["metrics"]["log_loss"]["mean"] for run in runs}


def ratings(folder: Path, label: str) -> dict[str, float]:
    runs = json.loads((folder / "summary.json").read_text(encoding="utf-8"))["runs"]
    (found,) = [run["id"] for run in runs if run["label"] == label]
    return dict(pl.read_parquet(folder / f"ratings/{found}.parquet").select("player", "rating").iter_rows())


def expected(table, gap: int) -> float:
    """PD by table 8.1.2, with the 400-point rule of rapid in December 2024."""
    counted = min(abs(gap), 400)
    high, low = next(row[2:] for row in table if row[0] <= counted <= row[1])
    return high if gap >= 0 else low


def next_list(event, table) -> dict[str, int]:
    """Each player's rating on the next list: K is 10 from 2400 on and 20 below, the sum is rounded once."""
    played, before = event
    sums: defaultdict[str, int] = defaultdict(int)  # hundredths
    for white, black, score in played:
        for me, foe, own in ((white, black, score), (black, white, 1 - score)):
            sums[me] += round(100 * (own - expected(table, before[me] - before[foe])))
    after = {}
    for player, rating in before.items():
        change = (10 if rating >= 2400 else 20) * sums[player] / 100
        after[player] = rating + int(math.copysign(math.floor(abs(change) + 0.5), change))
    return after


def loss(forecast: float, score: float) -> float:
    return -(score * math.log(forecast) + (1 - score) * math.log(1 - forecast))


@pytest.mark.data
def test_the_file_is_read_as_it_is(event):
    played, before = event
    games = rs.read(PGN)
    names = games.players["player"]
    assert list(zip(names.gather(games.first), names.gather(games.second), games.score, strict=True)) == played
    assert dict(games.published_starts().iter_rows()) == before
    assert games.notes == ()
    assert (games.pools, len(games.events), set(games.event_start)) == (("rapid",), 1, {20083.0})
    assert dict(games.players.select("player", "name").iter_rows())["5008123"] == "Koneru, Humpy"


@pytest.mark.data
def test_every_rating_on_the_next_list(event, table, folder):
    after = ratings(folder, "fide, FIDE's K, list by list")
    assert after == next_list(event, table)
    changes = {player: after[player] - rating for player, rating in event[1].items()}
    assert [changes[player] for player in ("5008123", "8603006", "8603642", "4128125")] == [15, 6, 5, 5]
    assert max(changes.items(), key=lambda item: item[1]) == ("14210444", 109)
    assert min(changes.items(), key=lambda item: item[1]) == ("8618020", -87)


# id: rating, K, points, sum of PD in hundredths over her eleven opponents, rating on the next list
BY_HAND = {
    "5008123": (2431, 10, 8.5, 696, 2446),  # Koneru, who won: 10 x 1.54 = 15.4
    "8618020": (2317, 20, 4.0, 833, 2230),  # Lu: 20 x -4.33 = -86.6, two of the games more than 400 apart
    "10014373": (1626, 20, 1.0, 144, 1617),  # five of the games more than 400 apart, the widest by 663
}


@pytest.mark.data
@pytest.mark.parametrize("player", BY_HAND)
def test_three_players_by_hand(event, table, folder, player):
    rating, k, points, pd, after = BY_HAND[player]
    played, before = event
    mine = [(foe, s) for me, foe, s in played if me == player] + [(foe, 1 - s) for foe, me, s in played if me == player]
    assert (before[player], len(mine), sum(s for _, s in mine)) == (rating, 11, points)
    assert round(sum(100 * expected(table, rating - before[foe]) for foe, _ in mine)) == pd
    assert rating + k * (points - pd / 100) == pytest.approx(after, abs=0.5)
    assert ratings(folder, "fide, FIDE's K, list by list")[player] == after


def game_by_game(event, forecast, gain) -> float:
    """Mean log loss where ratings move after each game; every gain is of (highest rating yet, forecast, score)."""
    played, before = event
    now: dict[str, float] = dict(before)
    peak = dict(now)
    total = 0.0
    for white, black, score in played:
        p = forecast(now[white] - now[black])
        total += loss(p, score)
        ours, theirs = gain(peak[white], p, score), gain(peak[black], 1 - p, 1 - score)
        now[white] += ours
        now[black] += theirs
        peak |= {player: max(peak[player], now[player]) for player in (white, black)}
    return total / len(played)


def logistic(gap: float) -> float:
    return 1 / (1 + 10 ** (-gap / 400))


@pytest.mark.data
def test_what_the_experiment_says_of_forecasts(event, table, folder):
    played, before = event
    found = losses(folder)

    def pd(gap: float) -> float:
        return expected(table, int(gap))

    def whole(peak: float, p: float, score: float) -> float:
        change = (10 if peak >= 2400 else 20) * round(100 * (score - p)) / 100
        return math.copysign(math.floor(abs(change) + 0.5), change)

    def standing(forecast) -> float:
        return sum(loss(forecast(before[w] - before[b]), score) for w, b, score in played) / len(played)

    assert found["even, list by list"] == pytest.approx(math.log(2))
    assert found["fide, FIDE's K, list by list"] == pytest.approx(standing(pd))
    assert found["elo, constant k=20, list by list"] == pytest.approx(standing(logistic))
    assert found["elo, constant k=40, list by list"] == pytest.approx(standing(logistic))
    for k in (20, 40):
        naive = game_by_game(event, logistic, lambda _, p, score, k=k: k * (score - p))
        assert found[f"elo, constant k={k}, game by game"] == pytest.approx(naive)
    assert found["fide, FIDE's K, game by game"] == pytest.approx(game_by_game(event, pd, whole))

    told = dict(re.findall(r"^#  +(.+?)  +(\.\d{4})\b", EXPERIMENT.read_text(encoding="utf-8"), re.MULTILINE))
    assert told == {label: f"{mean:.4f}"[1:] for label, mean in found.items()}


@pytest.mark.data
def test_how_far_a_list_that_moves_is_ahead(folder):
    runs = json.loads((folder / "summary.json").read_text(encoding="utf-8"))["runs"]
    ids = {run["label"]: run["id"] for run in runs}
    score = pl.Series(rs.read(PGN).score)
    both = []
    for calendar in ("list by list", "game by game"):
        name = ids[f"fide, FIDE's K, {calendar}"]
        forecast = pl.read_parquet(folder / f"forecasts/{name}.parquet")["forecast"]
        both.append(-(score * forecast.log() + (1 - score) * (1 - forecast).log()))
    ahead = both[0] - both[1]
    said = f"{ahead.mean():.4f} ± {ahead.std() / len(ahead) ** 0.5:.4f}".replace("0.", ".")
    assert said == ".0096 ± .0027"
    assert said in EXPERIMENT.read_text(encoding="utf-8")


def test_without_the_games_it_says_where_to_get_them(call):
    code, out, err = call("run", EXPERIMENT)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert "no file" in err
    assert "women_world_rapid_2024.pgn of https://github.com/lichess-org/scalachess (MIT)" in err
