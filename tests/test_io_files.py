"""Files that people really have, against what polars alone counts in them."""

from pathlib import Path

import polars as pl
import pytest

from ratesim.errors import InputError
from ratesim.io import read

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
    assert games.notes[0] == "128 of 5,192 rows left out: kept are those with walkover1 = False and walkover2 = False"
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
