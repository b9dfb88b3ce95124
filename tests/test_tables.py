"""Tables in batches: what is wrong stands beside the games, wherever batches are cut."""

import bz2
import gzip
import io
import json
import lzma
import random
import zipfile
from collections import Counter
from datetime import date

import polars as pl
import pytest
import reading_tables
from hypothesis import given, settings, strategies as st
from table_reading import HEADER, SIZES, cells, games, lines, many, rejects, table

from ratesim.errors import InputError
from ratesim.importing import read
from ratesim.io.categories import OFTEN, WORTH, categories
from ratesim.io.sources import zstd
from ratesim.io.tables import SAMPLE


@pytest.mark.parametrize("size", SIZES)
def test_games_are_the_same_however_batches_are_cut(file, size):
    rows = many(100)
    found = table(file(HEADER + lines(rows)), size)
    assert len(found) >= min(100 // size, 10)
    joined = pl.concat([batch.games for batch in found])
    assert cells(joined, "first", "second", "score", "time") == rows
    assert joined["place"].to_list() == list(range(1, 101))
    assert all(batch.unit == "row" and batch.field == "column" for batch in found)


@pytest.mark.parametrize("size", SIZES)
def test_wrong_rows_stand_beside_the_games(file, size):
    path = file(
        HEADER + "A,B,1,1\nB,,1,2\nA,B,x,3\n,,,\nA,B,,4\nA,B,1,5 May\nB,A,0.5,6\n,B,one,six\n",
    )
    found = table(path, size, raw=True)
    joined = pl.concat([batch.games for batch in found])
    assert joined["place"].to_list() == [1, 7]
    assert rejects(path, size) == [
        (2, "second", "no player", None),
        (3, "score", "'{}' is not a number", "x"),
        (5, "score", "no score", None),
        (6, "time", "'{}' is not a time", "5 May"),
        (8, "first", "no player", None),
    ]
    raw = pl.concat([batch.rejects for batch in found]).sort("place")["raw"]
    assert json.loads(raw[1]) == {"first": "A", "second": "B", "score": "x", "time": "3"}
    assert sum((Counter(batch.left_out) for batch in found), Counter()) == {"blank": 1}
    assert not any(batch.notes for batch in found)
    unasked = pl.concat([batch.rejects for batch in table(path, size)])
    assert unasked["raw"].null_count() == len(unasked) == 5


def test_a_cell_far_down_that_is_no_number_costs_its_row_alone(file):
    rows = many(3 * SAMPLE)
    wrong = [(*row[:2], "?", row[3]) if n in {2 * SAMPLE, 2 * SAMPLE + 500} else row for n, row in enumerate(rows)]
    for size in (100, 10**6):
        path = file(HEADER + lines(wrong))
        expected = [row for n, row in enumerate(rows) if n not in {2 * SAMPLE, 2 * SAMPLE + 500}]
        assert cells(games(path, size), "first", "second", "score", "time") == expected
        assert [row[:2] for row in rejects(path, size)] == [(2 * SAMPLE + 1, "score"), (2 * SAMPLE + 501, "score")]
    assert len(read(path)) == 3 * SAMPLE - 2
    with pytest.raises(
        InputError, match=rf"row {2 * SAMPLE + 1}, column score: '\?' is not a number \(and 1 more row\)"
    ):
        read(path, max_rejects=0)


def test_numbers_are_read_alike_as_numbers_and_as_text(file):
    odd = [" 1", "+1", ".5", "5.", "1e-1", '"0.25"', "0", "1"]
    text = HEADER + "".join(f"A,B,{cell if cell != '5.' else '1.'},{n}\n" for n, cell in enumerate(odd))
    fast = games(file(text))
    slow = games(file(text + "A,B,x,9\n"))
    assert fast["score"].to_list() == slow["score"].to_list() == [1, 1, 0.5, 1, 0.1, 0.25, 0, 1]


def test_a_column_that_is_two_things_is_read_as_each(file):
    path = file("first,second,score,year\nA,B,1,1974\nB,C,0,1975\n")
    found = games(path, time="year", season="year")
    assert cells(found, "season", "time") == [("1974", 1974.0), ("1975", 1975.0)]
    assert table(path, time="year", season="year")[-1].notes[0].startswith("time looks like years, 1974 to 1975")


DATES = [
    ("1951-??-??", date(1951, 12, 31), "year"),
    ("1951-03-??", date(1951, 3, 31), "month"),
    ("1952-02", date(1952, 2, 29), "month"),
    ("1951-02-00", date(1951, 2, 28), "month"),
    ("1951-00-00", date(1951, 12, 31), "year"),
    ("1951", date(1951, 12, 31), "year"),
    (" 1951-04-05 ", date(1951, 4, 5), "day"),
]


@pytest.mark.parametrize("sign", "-./")
@pytest.mark.parametrize("first", range(len(DATES)))
def test_of_a_date_that_is_not_all_known_the_last_day_counts(file, sign, first):
    told = [DATES[first], *DATES]
    path = file(HEADER + "".join(f"A,B,1,{cell.replace('-', sign)}\n" for cell, _, _ in told))
    found = cells(games(path), "time", "precision")
    assert found == [(float((day - date(1970, 1, 1)).days), precision) for _, day, precision in told]


def test_dates_that_cannot_be_are_rejects(file):
    wrong = ["1951-13", "1951-02-30", "1951-??-05", "??-??-??", "51-??-??", "1951-13-??", "195?-??-??"]
    path = file(HEADER + "A,B,1,1951-01-01\n" + "".join(f"A,B,1,{cell}\n" for cell in wrong))
    assert [row[3] for row in rejects(path)] == wrong
    clocks = file(HEADER + "A,B,1,1951-01-01 10:00\nA,B,1,1951-??-??\n")
    assert [row[0] for row in rejects(clocks)] == [2]


def test_how_well_a_time_is_known(file, tmp_path):
    assert games(file(HEADER + "A,B,1,2024-01-01T10:00Z\n"))["precision"].to_list() == ["second"]
    assert "precision" not in games(file(HEADER + "A,B,1,17.5\n")).columns
    frame = pl.DataFrame({"first": ["A"], "second": ["B"], "score": [1], "time": [date(2024, 1, 1)]})
    frame.write_parquet(tmp_path / "day.parquet")
    assert games(tmp_path / "day.parquet")["precision"].to_list() == ["day"]
    path = file("first,second,score,time,precision\nA,B,1,2024-12-31,year\nA,B,1,2024-12-30,about\n")
    assert games(path, beside=True)["precision"].to_list() == ["year"]
    assert rejects(path, beside=True) == [(2, "precision", "'{}' is no precision", "about")]


def test_times_with_zones_and_without_do_not_mix(file):
    zoned, plain = "2024-01-01 10:00:00+01:00", "2024-01-01 10:00:00"
    path = file(HEADER + f"A,B,1,{zoned}\nA,B,1,{plain}\nA,B,1,2024-01-01 10:00:00Z\n")
    assert rejects(path) == [(2, "time", "'{}' has no zone, others of the column have", plain)]
    path = file(HEADER + f"A,B,1,{plain}\nA,B,1,{zoned}\nA,B,1,soon\n")
    assert rejects(path) == [
        (2, "time", "'{}' has a zone, others of the column have none", zoned),
        (3, "time", "'{}' is not a time", "soon"),
    ]


def test_results_of_chess_are_scores(file):
    cells_of = ["1-0", "0-1", "1/2-1/2", "½-½", "1/2", "½", " 1-0 ", "0.5", "*", " * ", "?", "0-0", "2-1"]
    path = file(HEADER + "".join(f"A,B,{cell},{n}\n" for n, cell in enumerate(cells_of, 1)))
    (found,) = table(path)
    assert found.games["score"].to_list() == [1, 0, 0.5, 0.5, 0.5, 0.5, 1, 0.5]
    assert found.left_out == {"unfinished": 2}
    assert [row[3] for row in rejects(path)] == ["?", "0-0", "2-1"]
    labels = {"won": 1, "*": 0}
    path = file(HEADER + "A,B,won,1\nA,B,*,2\nA,B,1-0,3\n")
    assert games(path, scores=labels)["score"].to_list() == [1, 0]
    assert table(file(HEADER + "A,B,won,1\nA,B,*,2\n"), scores={"won": 1})[0].left_out == {"unfinished": 1}


BESIDE = "first,second,score,time,rated,termination,change_first,change_second,game_id,title_first\n"


def test_what_a_stream_does_not_hold_is_carried_if_wanted(file):
    path = file(BESIDE + "A,B,1,1,true,mate,5,-5,g1,GM\nB,A,1,2,no,,,,g2,\n")
    assert {"rated", "termination", "change_first", "change_second", "game_id"}.isdisjoint(games(path).columns)
    found = games(path, beside=True)
    names = ("rated", "termination", "change_first", "change_second", "game_id", "title_first")
    assert cells(found, *names) == [(True, "mate", 5, -5, "g1", "GM"), (False, None, None, None, "g2", None)]
    assert len(read(path)) == 2
    bad = file(BESIDE + "A,B,1,1,perhaps,mate,much,-5,g1,GM\n")
    assert rejects(bad, beside=True) == [(1, "change_first", "'{}' is not a number", "much")]


def test_files_of_a_folder_have_the_columns_that_games_need(file, tmp_path):
    rows = many(30)
    for part in range(3):
        file(HEADER + lines(rows[10 * part : 10 * part + 10]), f"parts/{part}.csv")
    found = games(tmp_path / "parts")
    assert cells(found, "first", "second", "score", "time") == rows
    assert found["place"].to_list() == [*range(1, 11)] * 3
    by_row = games(tmp_path / "parts", time="row", score="score", size=4)
    assert by_row["time"].to_list() == list(range(1, 31))
    file("first,second,score,time,margin\nA,B,1,1,4\n", "parts/3.csv")
    assert len(games(tmp_path / "parts", margin="")) == 31
    with pytest.raises(InputError, match=r"0.csv: missing column 'margin'"):
        table(tmp_path / "parts", margin="margin")
    file("first,second,time\nA,B,1\n", "parts/3.csv")
    with pytest.raises(InputError, match=r"3.csv: missing column 'score'"):
        table(tmp_path / "parts")


def zipped(content: bytes) -> bytes:
    place = io.BytesIO()
    with zipfile.ZipFile(place, "w") as archive:
        archive.writestr("games.csv", content)
    return place.getvalue()


FORMS = {
    "plain.csv": lambda frame: frame.write_csv().encode(),
    "tabs.tsv": lambda frame: frame.write_csv(separator="\t").encode(),
    "gzip.csv.gz": lambda frame: gzip.compress(frame.write_csv().encode()),
    "bzip.csv.bz2": lambda frame: bz2.compress(frame.write_csv().encode()),
    "xz.csv.xz": lambda frame: lzma.compress(frame.write_csv().encode()),
    "zstd.csv.zst": lambda frame: zstd.compress(frame.write_csv().encode()),
    "zip.zip": lambda frame: zipped(frame.write_csv().encode()),
    "no suffix": lambda frame: frame.write_csv(separator=";").encode(),
    "a.parquet": lambda frame: frame.write_parquet,
    "b.arrow": lambda frame: frame.write_ipc,
    "c.feather": lambda frame: frame.write_ipc,
    "parquet": lambda frame: frame.write_parquet,
    "arrow": lambda frame: frame.write_ipc,
}


@pytest.mark.parametrize("name", FORMS)
@pytest.mark.parametrize("size", [3, 10**6])
def test_ten_games_come_back_from_every_form_of_table(tmp_path, name, size):
    frame = (
        pl.DataFrame(many(10), ["first", "second", "score", "time"], orient="row")
        .with_columns(
            pl.lit("cup, 1").alias("event"),
            edge=pl.Series([1.0, -1.0] * 5),
            published_first=pl.Series([1500.5, None] * 5),
        )
        .with_columns(published_second=pl.col("published_first"))
    )
    made = FORMS[name](frame)
    (tmp_path / name).write_bytes(made) if isinstance(made, bytes) else made(tmp_path / name)
    found = games(tmp_path / name, size)
    assert cells(found, *frame.columns) == frame.rows()
    assert len(read(tmp_path / name)) == 10


def test_columns_of_types_that_hold_no_such_thing_are_refused(tmp_path):
    frame = pl.DataFrame({"first": ["A"], "second": ["B"], "score": [date(2024, 1, 1)], "time": [1.0]})
    frame.write_parquet(tmp_path / "a.parquet")
    with pytest.raises(InputError, match=r"a.parquet, column score: holds Date; expected numbers"):
        table(tmp_path / "a.parquet")
    lists = pl.DataFrame({"first": ["A"], "second": ["B"], "score": [1], "time": [[1.0]]})
    lists.write_parquet(tmp_path / "b.parquet")
    with pytest.raises(InputError, match=r"b.parquet, column time: holds List\(Float64\); expected dates, or days"):
        table(tmp_path / "b.parquet")


def test_categories_of_a_file_are_read_as_they_stand(tmp_path):
    frame = pl.DataFrame({"first": ["A", "B"], "second": ["B", "A"], "score": ["win", "loss"], "time": [1, 2]})
    frame.with_columns(pl.col("first", "second", "score").cast(pl.Categorical)).write_parquet(tmp_path / "a.parquet")
    found = games(tmp_path / "a.parquet", scores={"win": 1, "loss": 0})
    assert cells(found, "first", "second", "score") == [("A", "B", 1), ("B", "A", 0)]


@settings(max_examples=30, deadline=None)
@given(st.permutations(range(25)), st.integers(1, 30))
def test_results_stay_with_their_games(tmp_path_factory, order, size):
    rows = [(f"game {n}", *row) for n, row in enumerate(many(25))]
    renamed = {f"player {n}": f"{n} x" for n in range(60)}
    shuffled = [rows[n] for n in order]
    folder = tmp_path_factory.mktemp("shuffled")
    for name, told in (
        ("a.csv", shuffled),
        ("b.csv", [(n, renamed[a], renamed[b], *rest) for n, a, b, *rest in shuffled]),
    ):
        (folder / name).write_text("id," + HEADER + lines([*told, *told[:5]]), encoding="utf-8")
    names = ("game_id", "first", "second", "score", "time")
    found = cells(games(folder / "a.csv", size), *names)
    assert found == [*shuffled, *shuffled[:5]]
    again = cells(games(folder / "b.csv", size), *names)
    assert again == [(n, renamed[a], renamed[b], *rest) for n, a, b, *rest in found]
    once = read(folder / "a.csv", {"duplicates": "drop"})
    assert once.to_frame().rows() == [row[1:] for row in rows]


@pytest.mark.parametrize("names", [1, 50, WORTH // OFTEN - 9, WORTH])
def test_categories_are_those_of_polars(names):
    draw = random.Random(names)  # noqa: S311
    text = pl.Series("x", [f"name {draw.randrange(names)}" for _ in range(2 * WORTH)])
    found = categories(text)
    assert found.dtype == pl.Categorical
    assert found.cast(pl.String).equals(text)
    assert (found == text.cast(pl.Categorical)).all()
    holes = text.scatter([3, WORTH], None)
    assert categories(holes).cast(pl.String).equals(holes, null_equal=True)


def test_the_race_of_tables_makes_a_row_for_each_form(tmp_path):
    made = reading_tables.rows(1, tmp_path, 500)
    assert {(row.system, row.mode) for row in made} == {
        (form, time) for form in ("CSV", "Parquet") for time in ("numbers", "date and time", "dates")
    }
    assert all(row.ratio and len(row.ours) == len(row.theirs) == 1 for row in made)
    assert {len(read(path)) for path in tmp_path.iterdir()} == {500}


def test_what_one_table_does_not_say_is_missing_there(file, tmp_path):
    file("first,second,score,time,edge\nA,B,1,1,-1\n", "parts/a.csv")
    file("first,second,time,points_first,points_second,event\nA,C,2,3,1,cup\n", "parts/b.csv")
    file(HEADER + "B,C,1,3\n", "parts/c.csv")
    for path in (tmp_path / "parts", sorted((tmp_path / "parts").iterdir(), reverse=True)):
        stream = read(path)
        assert stream.score.tolist() == [1, 1, 1]
        assert stream.edge.tolist() == [-1, 0, 0]
        assert stream.source["columns"].keys() >= {"score", "points_first", "edge", "event"}
    found = pl.concat([batch.games for batch in table(tmp_path / "parts")], how="diagonal")
    assert cells(found, "edge", "margin", "event") == [(-1, None, None), (None, 2, "cup"), (None, None, None)]


def test_a_stray_file_of_a_folder_is_passed_over(file, tmp_path):
    stray = file("Games of 2024, from TWIC\n", "parts/README.txt")
    file("x,y\n1,2\n", "parts/zip.csv")
    with pytest.raises(InputError, match="no games"):
        read(tmp_path / "parts")
    file(HEADER + "A,B,1,1\n", "parts/a.csv")
    stream = read(tmp_path / "parts")
    assert len(stream) == 1
    assert f"{stray} has no columns of games: passed over" in stream.notes
    with pytest.raises(InputError, match=r"README.txt: missing column"):
        read(stray)
    with pytest.raises(InputError, match=r"README.txt: missing column 'white'"):
        read(tmp_path / "parts", {"first": "white"})
    file("second,else\nB,1\n", "parts/b.csv")
    with pytest.raises(InputError, match=r"b.csv: missing column 'first'"):
        read(tmp_path / "parts")
