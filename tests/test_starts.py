from datetime import date
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from ratesim.errors import InputError
from ratesim.io import read_starts

SHARED = Path(__file__).resolve().parents[2] / "shared"
TABLE = """\
player,born,rating,deviation,volatility,games,peak,last,country
Ada,1990,1700,50,0.06,120,1755,2023-12-31,NO
Bo,2008,,350,,0,,,SE
Cy,NA,1500,,0.05,3,1500,2024-01-01,DK
"""


def test_a_table_with_every_column(tmp_path):
    (tmp_path / "starts.csv").write_text(TABLE)
    starts = read_starts(tmp_path / "starts.csv")
    assert starts.columns == ["player", "rating", "deviation", "volatility", "games", "peak", "born", "last"]
    assert starts["player"].to_list() == ["Ada", "Bo", "Cy"]
    expected = [
        [1700, 50, 0.06, 120, 1755, 1990, 19722],
        [np.nan, 350, np.nan, 0, np.nan, 2008, np.nan],
        [1500, np.nan, 0.05, 3, 1500, np.nan, 19723],
    ]
    np.testing.assert_array_equal(starts.drop("player").to_numpy(), expected)


def test_all_forms_of_a_table_are_alike(tmp_path):
    (tmp_path / "starts.csv").write_text(TABLE)
    expected = read_starts(tmp_path / "starts.csv")
    frame = pl.read_csv(TABLE.encode(), null_values="NA", try_parse_dates=True)
    frame.write_parquet(tmp_path / "starts.parquet")
    mapping = {
        "Ada": {"rating": 1700, "deviation": 50.0, "volatility": 0.06, "games": 120, "peak": 1755, "born": 1990},
        "Bo": {"deviation": 350, "games": 0, "born": 2008},
        "Cy": {"rating": 1500, "volatility": 0.05, "games": 3, "peak": 1500, "last": date(2024, 1, 1)},
    }
    mapping["Ada"]["last"] = date(2023, 12, 31)
    for table in (frame, tmp_path / "starts.parquet", mapping):
        assert read_starts(table).equals(expected)


def test_a_birthday_is_a_year_and_a_number_is_days(tmp_path):
    (tmp_path / "starts.csv").write_text("player,born,last\nA,1975-03-21,19000\nB,1990-12-31,19000.5\n")
    assert read_starts(tmp_path / "starts.csv").rows() == [("A", 1975.0, 19000.0), ("B", 1990.0, 19000.5)]


def test_a_table_with_other_names():
    frame = pl.DataFrame({"team": ["X", "Y"], "elo": [1500, 1400]})
    starts = read_starts(frame, {"player": "team", "rating": "elo"})
    assert starts.rows() == [("X", 1500.0), ("Y", 1400.0)]


def test_names_may_be_numbers():
    assert read_starts(pl.DataFrame({"player": [7, 8], "rating": [1, 2]}))["player"].to_list() == ["7", "8"]


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ({"player": ["A", "A"]}, "table of players, row 2, column player: A is here again; expected each player once"),
        ({"player": ["A", None]}, "table of players, row 2, column player: no player; expected a name"),
        ({"player": ["A"], "deviation": [-1]}, "table of players, row 1, column deviation: deviation -1.0; expected a"),
        ({"player": ["A"], "rating": ["x"]}, "table of players, row 1, column rating: rating 'x'; expected a rating"),
        ({"player": ["A"], "last": ["3 Jan"]}, "table of players, row 1, column last: last '3 Jan'; expected a date"),
        ({"player": ["A"], "rating": [float("inf")]}, "table of players, row 1, column rating: rating inf; expected"),
        ({"player": ["A"], "deviaton": [1]}, "table of players: unknown column 'deviaton'; did you mean 'deviation'?"),
        (
            {"player": ["A"], "games": [2.5]},
            "table of players, row 1, column games: games 2.5; expected a whole number",
        ),
        (
            {"player": ["A"], "born": [1990.5]},
            "table of players, row 1, column born: born 1990.5; expected a birth year",
        ),
        ({"player": ["A"], "last": [20240131]}, "table of players, column last: 20240131 looks like a date"),
        ({"player": ["A"], "last_game": [9]}, "table of players: unknown column 'last_game'; did you mean 'last'?"),
        ({"player": ["A"], "RD": [9]}, "table of players: unknown column 'RD'; did you mean 'deviation'?"),
        ({"name": ["A"]}, "table of players: missing column 'player'; expected names; did you mean 'name'?"),
        ({"player": [" "]}, "table of players, row 1, column player: no player; expected a name"),
        ({"player": ["A", "A"], "pool": ["x", "y"]}, "table of players, column pool: starts are of players, alike in"),
        ({"palyer": ["A"]}, "table of players: missing column 'player'; expected names; did you mean 'palyer'?"),
        ({"player": []}, "table of players: no players; expected at least one row"),
    ],
)
def test_a_mistake_is_one_line(table, said):
    with pytest.raises(InputError) as error:
        read_starts(pl.DataFrame(table))
    assert str(error.value).startswith(said)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ({"A": {"ratin": 1}}, "start: unknown column 'ratin'; did you mean 'rating'?"),
        ({"A": {"elo": 1}}, "start: unknown column 'elo'"),
        ({"A": {"rating": "high"}}, "start, row 1, column rating: rating 'high'; expected a rating"),
        ({"A": 1500}, "start: A = 1500; expected a table such as { rating = 1500 }"),
        ({}, "start: no players; expected at least one row"),
    ],
)
def test_a_mistake_in_a_mapping_is_one_line(table, said):
    with pytest.raises(InputError) as error:
        read_starts(table)
    assert str(error.value).startswith(said)


def test_what_is_not_known_may_be_written_in_several_ways(tmp_path):
    (tmp_path / "starts.csv").write_text("player,rating\nA,nan\nB,\nC,NA\nD,1500\n")
    assert read_starts(tmp_path / "starts.csv")["rating"].is_nan().to_list() == [True, True, True, False]


def test_a_last_game_in_a_year_is_said(caplog):
    with caplog.at_level("INFO", "ratesim"):
        read_starts({"A": {"last": 2019}})
    assert caplog.messages == ["start: last looks like years, 2019 to 2019: read as days since 1970-01-01"]


def test_a_missing_file_is_one_line(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        read_starts(tmp_path / "none.csv")


@pytest.mark.data
def test_nfl():
    starts = read_starts(SHARED / "data/nfl/nfl_initial_elos.csv", {"player": "team", "rating": "elo"})
    assert starts.height == 123
    assert starts.row(0) == ("RII", 1503.947)
