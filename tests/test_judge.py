import math

import polars as pl
import pytest

from ratesim.importing.judge import judged
from ratesim.io.batch import Batch

GOOD = {"place": 1, "first": "A", "second": "B", "score": 1.0, "time": 10.0, "edge": 1.0, "weight": 1.0,
        "published_first": 1500.0, "margin": 2.0, "pool": "blitz"}  # fmt: skip


def batch(*changes, **about):
    rows = [{**GOOD, "place": n, **change} for n, change in enumerate(changes, 1)]
    frame = pl.DataFrame(rows, schema_overrides={"time": pl.Float64, "score": pl.Float64}, strict=False)
    return Batch("a.pgn", frame, **about)


@pytest.mark.parametrize("wrong", [
    ({"first": None}, "first", "no player", ""),
    ({"second": "  "}, "second", "no player", ""),
    ({"first": "A\nB"}, "first", "player '{}' has a control character", r"A\nB"),
    ({"second": "A"}, "second", "'{}' plays against themselves", "A"),
    ({"score": None}, "score", "no score", ""),
    ({"score": math.nan}, "score", "no score", ""),
    ({"score": 1.5}, "score", "score {}", "1.5"),
    ({"time": None}, "time", "no time", ""),
    ({"time": 1e12}, "time", "time {}", "1000000000000.0"),
    ({"weight": -1.0}, "weight", "weight {}", "-1.0"),
    ({"published_first": math.inf}, "published_first", "published first {}", "inf"),
    ({"pool": ""}, "pool", "no pool", ""),
])  # fmt: skip
def test_what_no_game_may_say(wrong):
    change, column, what, value = wrong
    found = judged(batch({}, change, {"first": "C"}))
    assert found.games["place"].to_list() == [1, 3]
    (reject,) = found.rejects.iter_rows(named=True)
    assert (reject["place"], reject["column"], reject["what"]) == (2, column, what)
    assert not value or reject["value"] == value
    assert reject["raw"].startswith("{")


@pytest.mark.parametrize(
    "right",
    [{"published_first": None}, {"published_first": math.nan}, {"margin": None}, {"pool": None}, {"score": 0.25}],
)
def test_what_a_game_need_not_say(right):
    found = judged(batch({}, right))
    assert (len(found.games), len(found.rejects)) == (2, 0)


def test_a_game_with_several_faults_is_one_reject():
    found = judged(batch({"first": None, "score": 7.0, "time": None}))
    assert (len(found.games), found.rejects["what"].to_list()) == (0, ["no player"])


def test_games_against_oneself_can_be_dropped():
    found = judged(batch({"first": "B"}, {}, left_out={"unfinished": 2}), themselves="drop")
    assert (len(found.games), len(found.rejects)) == (1, 0)
    assert found.left_out == {"unfinished": 2, "against themselves": 1}


def test_columns_are_called_as_in_the_source():
    found = judged(batch({"score": 9.0}, names={"score": "result"}, unit="row", field="column"))
    assert found.rejects["column"].to_list() == ["result"]
    assert found.where(3, "result") == "a.pgn, row 3, column result"


@pytest.mark.parametrize("kind", [pl.String, pl.Categorical, pl.Enum(["A", "B", " "])])
def test_names_of_any_type(kind):
    made = batch({}, {"first": " "}, {"first": None})
    found = judged(made._replace(games=made.games.with_columns(pl.col("first").cast(kind))))
    assert (found.games["first"].to_list(), len(found.rejects)) == (["A"], 2)


def test_two_without_an_account_are_not_one_player():
    nobody = {"first": "Anonymous", "second": "Anonymous"}
    found = judged(batch(nobody, {}, {"first": "Anonymous"}))
    assert (len(found.games), len(found.rejects), found.left_out) == (2, 0, {"both anonymous": 1})


def test_a_column_of_nothing_has_the_type_of_its_name():
    made = batch({}, {})
    found = judged(made._replace(games=made.games.with_columns(margin=pl.lit(None), pool=pl.lit(None))))
    assert (found.games.schema["margin"], found.games.schema["pool"]) == (pl.Float64, pl.String)
