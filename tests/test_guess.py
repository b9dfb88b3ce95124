"""The columns of files that people really have, told from their headers."""

import csv
from itertools import islice
from pathlib import Path

import pytest

from ratesim import io
from ratesim.cli.guess import ROW, guess

DATA = Path(__file__).resolve().parents[2] / "shared/data"


def of_file(path):
    with (DATA / path).open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        rows = list(islice(reader, 2000))
        return guess(reader.fieldnames, rows)


@pytest.mark.data
def test_football():
    found = of_file("football/results.csv")
    assert found.columns == {
        "first": "home_team",
        "second": "away_team",
        "points_first": "home_score",
        "points_second": "away_score",
        "time": "date",
        "neutral": "neutral",
    }
    assert found.missing == ()
    assert found.offered == {"stage": "tournament", "event": "tournament"}


@pytest.mark.data
def test_lichess():
    found = of_file("chess_lichess/chess_games.csv")
    assert found.columns == {
        "first": "white_id",
        "second": "black_id",
        "score": "winner",
        "scores": {"black": 0, "draw": 0.5, "white": 1},
        "time": "created_at",
        "time_unit": "ms",
        "published_first": "white_rating",
        "published_second": "black_rating",
        "id": "id",
        "edge": 1,
    }
    assert found.offered == {"where": {"rated": "TRUE"}}


@pytest.mark.data
def test_american_football():
    found = of_file("nfl/nfl_games.csv")
    assert (found.columns["first"], found.columns["second"]) == ("team1", "team2")
    assert (found.columns["points_first"], found.columns["published_first"]) == ("score1", "elo1")
    assert found.columns["season"] == "season"


@pytest.mark.data
def test_an_undated_file_stands_in_its_own_order():
    found = of_file("llm/llmfao.csv")
    assert found.missing == ()
    assert found.columns["time"] == ROW == io.columns.ROW
    assert found.columns["scores"] == {"left": 1, "right": 0, "tie": 0.5}


def test_our_own_names_are_taken_as_they_are():
    header = ["first", "second", "score", "time", "edge", "season"]
    rows = [{"score": "0.5", "time": "2020-01-01"}]
    assert guess(header, rows).columns == {name: name for name in header}


@pytest.mark.parametrize(
    ("cell", "unit"),
    [("1504210000000", "ms"), ("1.50421E+12", "ms"), ("1504210000", "s"), ("1504210000000000", "us"), ("17409", "D")],
)
def test_the_size_of_numbers_tells_their_unit(cell, unit):
    assert guess(["time"], [{"time": cell}]).columns == {"time": "time", "time_unit": unit}


def test_dates_without_hyphens_have_no_unit():
    assert guess(["time"], [{"time": "20240131"}, {"time": "19991231"}]).columns == {"time": "time"}


def test_an_id_of_something_else_tells_no_games_apart():
    assert guess(["id"], [{"id": "1"}, {"id": "2"}, {"id": "2"}]).columns == {"id": "id"}
    assert guess(["id"], [{"id": "1"}] * 3).columns == {}


def test_what_is_given_is_kept_and_the_rest_goes_with_it():
    header = ["home", "away", "home_score", "away_score", "won", "when", "edge", "neutral"]
    rows = [{"won": "home", "when": "1504210000000"}]
    found = guess(header, rows, {"score": "won", "time": "when", "neutral": "neutral"})
    assert found.columns == {
        "first": "home",
        "second": "away",
        "score": "won",
        "scores": {"home": 1},
        "time": "when",
        "time_unit": "ms",
        "neutral": "neutral",
    }
    assert found.offered == {"edge": "edge"}
    assert guess(header, rows, {"points_first": "", "score": "won"}).columns["score"] == "won"
    assert guess(header, rows, {"score": ""}).columns["points_first"] == "home_score"
    plain = guess(header, rows).columns
    assert ("edge" in plain, "neutral" in plain) == (True, False)


def test_a_means_away_beside_h_and_first_elsewhere():
    def scores(*labels):
        return guess(["result"], [{"result": label} for label in labels]).columns["scores"]

    assert scores("H", "D", "A") == {"A": 0, "D": 0.5, "H": 1}
    assert scores("a", "b", "tie") == {"a": 1, "b": 0, "tie": 0.5}
    assert scores("1-0", "0-1", "1/2-1/2") == {"0-1": 0, "1-0": 1, "1/2-1/2": 0.5}


@pytest.mark.parametrize(
    ("header", "edge"),
    [
        (["home", "away"], 1),
        (["white", "black"], 1),
        (["home", "away", "neutral"], None),
        (["player1", "player2"], None),
    ],
)
def test_home_and_white_have_the_advantage_where_nothing_says_otherwise(header, edge):
    assert guess(header, []).columns.get("edge") == edge


def test_nothing_is_guessed_from_nothing():
    assert guess(["x", "y"], []).missing == ("first", "second", "score", "time")
