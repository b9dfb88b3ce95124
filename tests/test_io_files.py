"""Files that people really have, against what polars alone counts in them."""

import csv
from pathlib import Path

import polars as pl
import pytest

from ratesim.errors import InputError
from ratesim.importing import read
from ratesim.io import ColumnMap
from ratesim.io.batch import Asked
from ratesim.io.sources import expand
from ratesim.io.tables import batches

SHARED = Path(__file__).resolve().parents[2] / "shared"


@pytest.mark.data
def test_football():
    columns = {"first": "home_team", "second": "away_team", "points_first": "home_score"}
    columns |= {"points_second": "away_score", "time": "date", "neutral": "neutral"}
    games = read(SHARED / "data/football/results.csv", columns)
    raw = pl.read_csv(SHARED / "data/football/results.csv", try_parse_dates=True)
    assert len(games) == raw.height == 49_520
    assert games.notes == ()
    assert games.edge.sum() == (~raw["neutral"]).sum()
    assert (games.score == 0.5).sum() == (raw["home_score"] == raw["away_score"]).sum()
    assert games.n_players == pl.concat([raw["home_team"], raw["away_team"]]).n_unique()
    assert games.time[0] == -35460
    with pytest.raises(InputError, match=r"results.csv: missing column 'home_tem'; did you mean 'home_team'\?$"):
        read(SHARED / "data/football/results.csv", columns | {"first": "home_tem"})


@pytest.mark.data
def test_lichess():
    path = SHARED / "data/chess_lichess/chess_games.csv"
    columns = {
        "first": "white_id",
        "second": "black_id",
        "score": "winner",
        "scores": {"white": 1, "draw": 0.5, "black": 0},
        "time": "created_at",
        "time_unit": "ms",
        "edge": 1,
        "published_first": "white_rating",
        "published_second": "black_rating",
        "id": "id",
        "where": {"rated": "TRUE"},
    }
    with pytest.raises(InputError, match="row 9522, column black_id: 'qwertygotousakorea' plays against themselves"):
        read(path, columns, max_rejects=0)
    assert "rejected: 1 black_id plays against themselves" in read(path, columns).notes
    games = read(path, columns | {"themselves": "drop", "duplicates": "drop"})
    raw = pl.read_csv(path, infer_schema=False).filter(pl.col("rated") == "TRUE")
    once = raw.filter(pl.col("white_id") != pl.col("black_id")).unique("id")
    assert len(games) == once.height == 15_466
    assert games.score.sum() == (once["winner"] == "white").sum() + 0.5 * (once["winner"] == "draw").sum()
    assert games.published_first.sum() == once["white_rating"].cast(pl.Float64).sum()
    assert games.time[-1] == once["created_at"].cast(pl.Float64).max() / 86_400_000
    assert "945 games repeat an earlier id: kept" in read(path, columns | {"where": {}, "themselves": "drop"}).notes
    assert "688 games repeat an earlier id: dropped" in games.notes


@pytest.mark.data
def test_snooker_without_walkovers():
    columns = {"first": "player1Id", "second": "player2Id", "points_first": "score1", "points_second": "score2"}
    columns |= {"time": "startDate", "event": "eventId", "where": {"walkover1": "False", "walkover2": "False"}}
    games = read(SHARED / "data/snooker/snooker_matches.csv", columns)
    assert len(games) == 5192 - 75 - 53
    assert games.notes[0] == "left out: 128 not where walkover1 = False and walkover2 = False"
    assert len(games.events) == games.event.max() + 1


@pytest.mark.data
def test_nfl():
    columns = {"first": "team1", "second": "team2", "score": "result1", "time": "date"}
    columns |= {"published_first": "elo1", "published_second": "elo2"}
    path = SHARED / "data/nfl/nfl_games.csv"
    games = read(path, columns)
    raw = pl.read_csv(path, try_parse_dates=True)
    assert len(games) == raw.height
    assert games.seasons == tuple(map(str, range(1920, 2021)))
    assert games.published_second.sum() == pytest.approx(raw["elo2"].sum(), rel=1e-12)
    assert games.edge.sum() == (raw["neutral"] == 0).sum()
    assert len(read(path, columns | {"where": {"playoff": 1}})) == raw["playoff"].sum()


def rows_of(path: str) -> list[dict[str, str]]:
    with (SHARED / "data" / path).open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def goals(row: dict[str, str], first: str, second: str) -> float:
    ahead = float(row[first]) - float(row[second])
    return 0.5 if ahead == 0 else float(ahead > 0)


WINNER = {"white": 1.0, "black": 0.0, "draw": 0.5, "left": 1.0, "right": 0.0, "tie": 0.5}
REAL = {
    "football/results.csv": (
        {"first": "home_team", "second": "away_team", "points_first": "home_score", "points_second": "away_score"}
        | {"time": "date"},
        lambda row: (row["home_team"], row["away_team"], goals(row, "home_score", "away_score")),
        49_520,
    ),
    "chess_lichess/chess_games.csv": (
        {"first": "white_id", "second": "black_id", "score": "winner", "time": "created_at", "time_unit": "ms"}
        | {"scores": {"white": 1, "draw": 0.5, "black": 0}, "id": "id"},
        lambda row: (row["white_id"], row["black_id"], WINNER[row["winner"]]),
        20_058,
    ),
    "snooker/snooker_matches.csv": (
        {"first": "player1Id", "second": "player2Id", "points_first": "score1", "points_second": "score2"}
        | {"time": "startDate"},
        lambda row: (row["player1Id"], row["player2Id"], goals(row, "score1", "score2")),
        5_192,
    ),
    "nfl/nfl_games.csv": (
        {"first": "team1", "second": "team2", "score": "result1", "time": "date"},
        lambda row: (row["team1"], row["team2"], float(row["result1"])),
        16_810,
    ),
    "llm/llmfao.csv": (
        {"first": "left", "second": "right", "score": "winner", "time": "row", "id": ""}
        | {"scores": {"left": 1, "tie": 0.5, "right": 0}},
        lambda row: (row["left"], row["right"], WINNER[row["winner"]]),
        8_931,
    ),
}


@pytest.mark.data
@pytest.mark.parametrize("path", REAL)
@pytest.mark.parametrize("size", [1000, 10**6])
def test_real_tables_row_by_row_as_the_csv_module_reads_them(path, size):
    columns, game, count = REAL[path]
    found = list(batches(expand([SHARED / "data" / path]), Asked(ColumnMap(**columns)), size))
    games = pl.concat([batch.games for batch in found]).with_columns(pl.col("first", "second").cast(pl.String))
    told = [(*game(row), n) for n, row in enumerate(rows_of(path), 1)]
    assert len(told) == count
    assert games.select("first", "second", "score", "place").rows() == told
    assert sum(len(batch.rejects) for batch in found) == 0


@pytest.mark.data
def test_lichess_has_945_ids_twice():
    path = "chess_lichess/chess_games.csv"
    ids = [row["id"] for row in rows_of(path)]
    assert len(ids) - len(set(ids)) == 945
    games = read(SHARED / "data" / path, REAL[path][0] | {"themselves": "drop", "duplicates": "drop"})
    twice = [row for row in rows_of(path) if row["white_id"] == row["black_id"]]
    assert len(games) == len(set(ids)) - len({row["id"] for row in twice})


@pytest.mark.data
def test_a_folder_of_tables_with_other_headers_names_file_and_column():
    with pytest.raises(InputError, match=r"former_names.csv: missing column 'home_team'"):
        read(SHARED / "data/football", REAL["football/results.csv"][0])
