"""Tables with two rows a game."""

import random
from collections import Counter

import polars as pl
import pytest
from table_reading import HEADER, SIZES, cells, games, lines, many, rejects, table

from ratesim.errors import InputError
from ratesim.importing import read
from ratesim.io import ColumnMap

SIDES = {"rows": "sides", "id": "game"}
LONG = "game,player,score,time,side\n"


@pytest.mark.parametrize("size", SIZES)
def test_two_rows_are_a_game(file, size):
    path = file(LONG + "1,A,1,9,away\n1,B,0,9,home\n2,C,0.5,10,home\n2,A,0.5,10,away\n")
    found = games(path, size, **SIDES, side="side", first_side="home")
    names = ("game_id", "first", "second", "score", "time")
    assert cells(found, *names) == [("1", "B", "A", 0, 9), ("2", "C", "A", 0.5, 10)]
    in_order = games(path, size, **SIDES, side="")
    assert cells(in_order, *names) == [("1", "A", "B", 1, 9), ("2", "C", "A", 0.5, 10)]
    flags = file("game,player,points,time,side\n1,A,3,9,no\n1,B,5,9,yes\n")
    found = games(flags, size, **SIDES)
    assert cells(found, "first", "second", "score", "margin") == [("B", "A", 1, 2)]


@pytest.mark.parametrize("size", SIZES)
def test_rows_that_make_no_game_are_rejects(file, size):
    path = file(
        LONG
        + "1,A,1,9,home\n2,A,1,9,home\n2,B,1,9,away\n3,A,1,9,home\n3,B,0,8,away\n4,A,1,9,home\n4,B,0,9,home\n"
        + "5,A,x,9,home\n5,B,0,9,away\n,C,1,9,home\n6,A,1,9,home\n6,B,0,9,away\n"
    )
    asked = {**SIDES, "side": "side", "first_side": "home"}
    assert rejects(path, size, **asked) == [
        (1, "game", "game '{}' has a row without another", "1"),
        (2, "game", "the scores of game '{}' do not make 1", "2"),
        (4, "game", "the rows of game '{}' have two times", "3"),
        (6, "game", "game '{}' has no row of first, or two", "4"),
        (8, "score", "'{}' is not a number", "5 x"[2:]),
        (10, "game", "no id", None),
    ]
    assert games(path, size, **asked)["game_id"].to_list() == ["6"]


@pytest.mark.parametrize("size", SIZES)
def test_a_third_row_is_a_reject_and_the_game_stays(file, size):
    path = file(LONG + "1,A,1,9,\n2,A,1,9,\n1,B,0,9,\n1,C,0,9,\n2,B,0,9,\n3,A,1,9,\n3,B,0,9,\n3,B,1,9,\n3,A,0,9,\n")
    assert rejects(path, size, **SIDES, side="") == [(4, "game", "game '{}' has a row without another", "1")]
    found = games(path, size, **SIDES, side="").sort("place")
    assert cells(found, "game_id", "first", "second") == [
        ("1", "A", "B"),
        ("2", "A", "B"),
        ("3", "A", "B"),
        ("3", "B", "A"),
    ]


@pytest.mark.parametrize("size", SIZES)
def test_games_are_counted_not_rows(file, size):
    path = file(
        LONG
        + "1,A,*,9,\n1,B,*,9,\n2,A,x,9,\n2,B,y,9,\n3,A,1,9,\n3,B,*,9,\n4,A,*,9,\n4,B,1,9,\n"
        + "5,A,*,9,\n5,B,x,9,\n6,A,x,9,\n6,B,*,9,\n7,A,*,9,\n,,,,\n8,A,1,9,\n8,B,0,9,\n,A,*,9,\n"
    )
    found = table(path, size, **SIDES, side="")
    assert pl.concat([batch.games for batch in found])["game_id"].to_list() == ["8"]
    assert rejects(path, size, **SIDES, side="") == [
        (3, "score", "'{}' is not a number", "x"),
        (11, "score", "'{}' is not a number", "x"),
    ]
    assert sum((Counter(batch.left_out) for batch in found), Counter()) == {"unfinished": 6, "blank": 1}


def test_rows_of_sides_that_are_not_wanted_are_no_sides(file):
    path = file(LONG + "1,all,1,9,total\n1,A,1,9,home\n1,B,0,9,away\n1,all,1,9,total\n")
    (found,) = table(path, **SIDES, side="side", first_side="home", where={"side": ["home", "away"]})
    assert cells(found.games, "first", "second") == [("A", "B")]
    assert found.left_out == {"rows not where side = ['home', 'away']": 2}
    assert not len(found.rejects)


def test_sides_carry_what_is_theirs(file):
    path = file(
        "id,player,score,time,published,change,event\n7,A,1,9,1500,8,cup\n8,C,0,9,,,cup\n7,B,0,9,1600,-8,cup\n8,B,1,9,1600,1,cup\n"
    )
    found = games(path, rows="sides", beside=True)
    names = (
        "game_id",
        "first",
        "second",
        "published_first",
        "published_second",
        "change_first",
        "change_second",
        "event",
    )
    assert cells(found, *names) == [
        ("7", "A", "B", 1500, 1600, 8, -8, "cup"),
        ("8", "C", "B", None, 1600, None, 1, "cup"),
    ]
    stream = read(path, {"rows": "sides"})
    assert len(stream) == 2
    assert stream.published_second.tolist() == [1600, 1600]


@pytest.mark.parametrize("seed", range(5))
def test_sides_in_any_order_make_the_games_of_the_wide_table(file, seed):
    rows = many(40)
    wide = file(HEADER + lines(rows), "wide.csv")
    sides = [(n, first, score, time, "white") for n, (first, second, score, time) in enumerate(rows)]
    sides += [(n, second, 1 - score, time, "black") for n, (first, second, score, time) in enumerate(rows)]
    random.Random(seed).shuffle(sides)  # noqa: S311
    path = file(LONG + lines(sides), "long.csv")
    for size in (3, 10**6):
        found = games(path, size, **SIDES, side="side", first_side="white").sort("time")
        assert cells(found, "first", "second", "score", "time") == rows
    assert read(path, {**SIDES, "side": "side", "first_side": "white"}).digest == read(wide).digest


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ({"player": "a"}, "player is given, and rows = 'games'; expected rows = 'sides'"),
        ({"rows": "sides", "first": "a"}, "first is given, and rows = 'sides'; expected player, score or points"),
        ({"rows": "sides", "first_side": "home"}, "first_side = 'home' without side; expected side, the column that"),
        ({"rows": "both"}, "rows = 'both'"),
    ],
)
def test_a_map_of_sides_is_checked(columns, said):
    with pytest.raises(InputError) as error:
        ColumnMap(**columns)
    assert str(error.value).startswith(said)


def test_sides_need_what_joins_them(file):
    with pytest.raises(InputError, match=r"missing column 'id'; did you mean 'side'\?$"):
        table(file(LONG + "1,A,1,9,x\n"), rows="sides")
