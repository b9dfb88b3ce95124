"""Rows of tables that are wrong cost themselves alone; what tells rows apart is what they mean."""

import gzip
import json
from datetime import date

import polars as pl
import pytest
from table_reading import HEADER, SIZES, cells, games, lines, many, rejects, table

from ratesim.errors import InputError
from ratesim.importing import read
from ratesim.io.canonical import IMPORT
from ratesim.io.tables import SAMPLE


def test_a_packed_table_is_called_by_its_name(file):
    path = file(gzip.compress((HEADER + "A,B,1,1\nA,B,1,2,3\n").encode()), "games.csv.gz")
    with pytest.raises(InputError) as error:
        read(path, max_rejects=0)
    assert str(error.value) == f"{path}, row 2: 5 cells; expected 4, as in the header"


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("before", [0, 2 * SAMPLE])
@pytest.mark.parametrize("form", ["\n", "\r\n", "\r", "gzip", "\ufeff"])
def test_rows_with_too_many_cells_cost_themselves_alone(file, size, before, form):
    if before and size < 10**6:
        size *= 100
    rows = many(before)
    odd = 'A,B,1,1,2\nC,D,1,3\nA,B,1,x\n,,,,,7\nA,B,1,1,,\n"A\nB",B,1\rA,5,5\n'
    text = (
        HEADER.replace("time", '"time"') + lines(rows) + odd.replace("\r", " " if form == "\r" else "\r") + "E,F,0,4\n"
    )
    if form in {"\r\n", "\r"}:
        text = text.replace("\n", form)
    path = file(gzip.compress(text.encode()) if form == "gzip" else form * (form == "\ufeff") + text)
    expected = [*rows, ("C", "D", 1, 3), ("A", "B", 1, 1), ("E", "F", 0, 4)]
    assert cells(games(path, size), "first", "second", "score", "time") == expected
    assert rejects(path, size) == [
        (before + 1, None, "{} cells", "5"),
        (before + 3, "time", "'{}' is not a time", "x"),
        (before + 4, None, "{} cells", "6"),
        (before + 6, None, "{} cells", "5"),
    ]
    raw = pl.concat([batch.rejects for batch in table(path, size, raw=True)]).sort("place")["raw"]
    assert json.loads(raw[0])["(cell 5)"] == "2"
    assert games(path, size, beside=True)["place"].to_list() == games(path, size)["place"].to_list()


@pytest.mark.parametrize("size", SIZES)
def test_a_fingerprint_is_of_what_a_row_says(file, size):
    row = "A,B,1,2024-01-01,7\n"
    same = ["A,B,1.0,2024-01-01,7\n", '"A",B, 1 ,2024-01-01,"7"\n', "A,B,1-0,2024-01-01,7\n"]
    other = ["A,B,0,2024-01-01,7\n", "A,B,1,2024-01-01,8\n", "A,B,1,2024-01-01,\n", "B,A,1,2024-01-01,7\n"]
    header = "first,second,score,time,round\n"
    clean = games(file(header + row + "A,B,0.5,2024-01-01,1\n"), size, beside=True)["fingerprint"]
    found = games(file(header + row + "".join(same + other) + "A,B,x,2024-01-01,7\n"), size, beside=True)["fingerprint"]
    assert found[: len(same) + 1].to_list() == [clean[0]] * (len(same) + 1)
    assert found.n_unique() == 1 + len(other)
    assert clean[1] not in found
    moved = games(file("time,round,score,margin,second,first\n2024-01-01,7,1,,B,A\n"), size, beside=True)
    assert moved["fingerprint"].to_list() == [clean[0]]


def test_a_file_of_ours_keeps_its_fingerprints(tmp_path):
    kept = pl.Series([2**63 + 5, 7], dtype=pl.UInt64)
    frame = pl.DataFrame({"first": ["A", "B"], "second": ["B", "A"], "score": [1.0, 0.0], "time": [1.0, 2.0]})
    frame = frame.with_columns(fingerprint=kept)
    frame.write_parquet(tmp_path / "ours.parquet", metadata={IMPORT: "{}"})
    assert games(tmp_path / "ours.parquet", beside=True)["fingerprint"].to_list() == kept.to_list()
    assert "fingerprint" not in games(tmp_path / "ours.parquet").columns
    frame.write_parquet(tmp_path / "other.parquet")
    assert set(games(tmp_path / "other.parquet", beside=True)["fingerprint"]).isdisjoint(kept)


def test_no_game_was_played_in_the_year_0(file):
    wrong = ["0000.??.??", "0000.00.00", "0000", "0000.05.??", "0000.12.31"]
    path = file(HEADER + "A,B,1,2020.01.01\n" + "".join(f"A,B,1,{cell}\n" for cell in wrong) + "A,B,1,0001.01.01\n")
    assert [row[3] for row in rejects(path)] == wrong
    assert games(path)["time"].to_list()[-1] == (date(1, 1, 1) - date(1970, 1, 1)).days


@pytest.mark.parametrize("strange", ["unknown", "1951-02-31", "31/12/1951"])
@pytest.mark.parametrize("plain", ["1951-03-02", "1951.03.02 10:00", "17.5", "1951-03-??", "1951"])
def test_a_strange_time_in_the_first_row_costs_that_row_alone(file, strange, plain):
    path = file(HEADER + f"A,B,1,{strange}\n" + f"A,B,1,{plain}\n" * 2)
    assert [row[0] for row in rejects(path)] == [1]
    assert games(path)["time"].to_list() == games(file(HEADER + f"A,B,1,{plain}\n" * 2))["time"].to_list()
    with pytest.raises(InputError, match=f"column time: '{strange}' is not a time"):
        read(file(HEADER + f"A,B,1,{strange}\n" * 3))
