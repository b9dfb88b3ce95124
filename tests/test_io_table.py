import gzip

import numpy as np
import polars as pl
import pytest

from ratesim.errors import InputError
from ratesim.importing import read
from ratesim.io import ColumnMap
from ratesim.io.table import scan

TEN = """\
first,second,score,time
Ada,Bo,1,2024-01-01
Bo,Cy,0.5,2024-01-02
Cy,Ada,0,2024-01-03
Ada,Bo,1,2024-01-04
Bo,Cy,0,2024-01-05
Cy,Ada,1,2024-01-06
Ada,Bo,0.5,2024-01-07
Bo,Cy,1,2024-01-08
Cy,Ada,0,2024-01-09
"Dé, a",Bo,0,2024-01-10
"""
PLAIN = "first,second,score,time\nA,B,1,1\nB,A,0,2\n"


@pytest.fixture
def file(tmp_path):
    def write(text, name="games.csv"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


def wrong(path, **columns):
    with pytest.raises(InputError) as error:
        read(path, columns)
    said = str(error.value)
    assert "\n" not in said
    assert said.startswith(str(path))
    return said.removeprefix(str(path))


def test_ten_games(file):
    games = read(file(TEN))
    assert len(games) == 10
    assert games.players["player"].to_list() == ["Ada", "Bo", "Cy", "Dé, a"]
    assert games.score.tolist() == [1, 0.5, 0, 1, 0, 1, 0.5, 1, 0, 0]
    assert games.time.tolist() == [19723.0 + day for day in range(10)]
    assert games.notes == ()
    assert games.source["files"][0]["name"] == "games.csv"
    assert games.source["columns"] == {key: key for key in ("first", "second", "score", "time")}


def test_all_formats_read_alike(file, tmp_path):
    expected = read(file(TEN))
    frame = pl.read_csv(TEN.encode())
    frame.with_columns(pl.col("time").str.to_date()).write_parquet(tmp_path / "a.parquet")
    frame.with_columns(pl.col("time").str.to_datetime(time_zone="Asia/Tokyo") + pl.duration(hours=9)).write_parquet(
        tmp_path / "no suffix"
    )
    frame.with_columns(pl.col("first", "second").cast(pl.Categorical)).write_parquet(tmp_path / "c.pq")
    paths = [tmp_path / "a.parquet", tmp_path / "no suffix", tmp_path / "c.pq"]
    tabbed = frame.write_csv(separator="\t")
    paths += [
        file(tabbed, "games.tsv"),
        file(tabbed, "tabs.txt"),
        file(frame.write_csv(separator=";"), "semicolons.csv"),
    ]
    paths += [file(gzip.compress(TEN.encode()), "games.csv.gz"), file("\ufeff" + TEN.replace("\n", "\r\n"), "bom.csv")]
    for path in paths:
        assert read(path).digest == expected.digest, path


def test_a_stream_written_is_read_back(tmp_path):
    text = pl.DataFrame({"a": ["A", "B"], "b": ["B", "C"], "s": [1.0, 0.5], "t": [1.5, 2.25], "e": ["x", "y"]})
    text.write_csv(tmp_path / "a.csv")
    games = read(
        tmp_path / "a.csv", {"first": "a", "second": "b", "score": "s", "time": "t", "event": "e", "edge": 0.5}
    )
    games.to_frame().write_parquet(tmp_path / "games.parquet")
    assert read(tmp_path / "games.parquet").digest == games.digest
    games.to_frame().write_csv(tmp_path / "games.csv")
    assert read(tmp_path / "games.csv").digest == games.digest


@pytest.mark.parametrize(
    ("cells", "unit", "days"),
    [
        (["1970-01-02", "1872-11-30"], None, [-35460, 1]),
        (["1970.01.02", "1970.01.03"], None, [1, 2]),
        (["1970-01-02 06:00", "1970-01-02 18:00"], None, [1.25, 1.75]),
        (["1970-01-02 06:00:00", "1970-01-02 06:00:43.2"], None, [1.25, 1.2505]),
        (["1970-01-02T08:00:00+02:00", "1970-01-02T12:00:00Z"], None, [1.25, 1.5]),
        (["1.5", " 2e1 "], None, [1.5, 20]),
        (["1.50421E+12", "1.50422E+12"], "ms", [1.50421e12 / 86_400_000, 1.50422e12 / 86_400_000]),
        (["86400", "129600"], "s", [1, 1.5]),
        (["86400000000", "129600000000"], "us", [1, 1.5]),
    ],
)
def test_times_are_read(file, cells, unit, days):
    text = "first,second,score,time\n" + "".join(f"A,B,1,{cell}\n" for cell in cells)
    assert read(file(text), {"time_unit": unit}).time.tolist() == days


def test_points_are_compared_and_their_difference_is_the_margin(file):
    path = file("h,a,x,y,d\nA,B,3,1,2020-01-01\nB,C,2,2,2020-01-02\nC,A,0,4,2020-01-03\n")
    columns = {"first": "h", "second": "a", "points_first": "x", "points_second": "y", "time": "d"}
    games = read(path, columns)
    assert games.score.tolist() == [1, 0.5, 0]
    assert games.margin.tolist() == [2, 0, -4]
    assert read(path, columns | {"margin": "x"}).margin.tolist() == [3, 2, 0]
    assert read(path, columns | {"margin": ""}).margin is None


def test_labels_are_scores(file):
    path = file("first,second,w,time\nA,B,white,1\nB,A,draw,2\nA,B,black,3\n")
    assert read(path, {"score": "w", "scores": {"white": 1, "draw": 0.5, "black": 0}}).score.tolist() == [1, 0.5, 0]
    assert wrong(path, score="w", scores={"white": 1, "black": 0}) == (
        ", row 2, column w: 'draw' is no label of scores; expected one of white, black"
    )
    assert wrong(path, score="w") == (
        ", row 1, column w: 'white' is not a number (and 2 more rows); expected a number from 0 to 1, or `scores`"
    )


def test_neutral_ground_has_no_edge(file):
    path = file("first,second,score,time,neutral\nA,B,1,1,FALSE\nB,A,1,2,true\nA,B,1,3,0\n")
    assert read(path).edge.tolist() == [1, 0, 1]
    assert read(path, {"neutral": ""}).edge is None
    assert read(path, {"edge": 1}).edge.tolist() == [1, 1, 1]
    assert read(path, {"edge": "1"}).edge.tolist() == [1, 1, 1]
    bad = file("first,second,score,time,neutral\nA,B,1,1,FALSE\nB,A,1,2,maybe\n")
    assert wrong(bad) == ", row 2, column neutral: 'maybe' is not true or false; expected true or false"
    bad = file("first,second,score,time,neutral\nA,B,1,1,FALSE\nB,A,1,2,\n")
    assert wrong(bad) == ", row 2, column neutral: no neutral; expected true or false"


def test_every_column_is_read(file):
    header = "first,second,score,time,edge,margin,weight,season,event,event_start,pool,published_first,published_second"
    games = read(
        file(
            f"{header}\nA,B,1,9,-1,4,2,1999/00,cup,8,blitz,1500,\nB,C,0,9.5,0.5,NA,0,2000,cup,8,rapid,?,1\n".replace(
                "?", "NA"
            )
        )
    )
    assert dict(games.to_frame().row(0, named=True)) == {
        "first": "A",
        "second": "B",
        "score": 1.0,
        "time": 9.0,
        "edge": -1.0,
        "margin": 4.0,
        "weight": 2.0,
        "season": "1999/00",
        "event": "cup",
        "event_start": 8.0,
        "pool": "blitz",
        "published_first": 1500.0,
        "published_second": pytest.approx(np.nan, nan_ok=True),
    }
    assert np.isnan(games.margin[1])
    assert np.isnan(games.published_first[1])


def test_rows_are_kept_where_the_map_says(file):
    path = file("first,second,score,time,rated,n\nA,B,1,1,TRUE,1\nA,C,1,2,FALSE,2\nA,D,1,3,TRUE,3\nA,D,9,4,FALSE,4\n")
    for where in (
        {"rated": "TRUE"},
        {"rated": True},
        {"n": [1, 3]},
        {"n": ["1", "3"]},
        {"rated": "TRUE", "n": [1, 2, 3]},
    ):
        games = read(path, {"where": where})
        assert games.time.tolist() == [1, 3]
        assert games.players["player"].to_list() == ["A", "B", "D"]
        said = " and ".join(f"{name} = {wanted}" for name, wanted in where.items())
        assert games.notes == (f"left out: 2 not where {said}",)
        assert games.source["left_out"] == {f"not where {said}": 2}
    assert wrong(path, where={"rated": "FALSE"}) == ", row 4, column score: score 9.0; expected a number from 0 to 1"
    assert wrong(path, where={"rated": "yes"}) == ": no row of 4 has rated = yes; expected at least one"
    assert wrong(path, where={"ratd": "yes"}) == ": missing column 'ratd'; did you mean 'rated'?"
    frame = pl.read_csv(path)  # polars reads TRUE as a boolean
    assert frame["rated"].dtype == pl.Boolean
    frame.write_parquet(path.with_suffix(".parquet"))
    for where in ({"rated": "TRUE"}, {"rated": True}, {"n": [1, 3]}, {"n": ["1", "3"]}):
        assert read(path.with_suffix(".parquet"), {"where": where}).time.tolist() == [1, 3]


def test_duplicates_and_late_games_are_said(file):
    path = file("first,second,score,time,id\nA,B,1,5,x\nA,C,1,2,y\nA,B,1,5,z\nB,A,0,6,x\n")
    assert read(path, {"id": ""}).notes == (
        "1 game stood after a later one: sorted by time",
        "1 game repeats an earlier row: kept",
    )
    by_id = read(path, {"duplicates": "drop"})
    assert by_id.notes[1] == "1 game repeats an earlier id: dropped"
    assert by_id.time.tolist() == [2, 5, 5]


def test_blank_lines_are_left_out(file):
    games = read(file(PLAIN + "\n\n"))
    assert len(games) == 2
    assert games.notes == ("left out: 2 blank",)


def test_a_player_against_themselves_is_refused_or_dropped(file):
    path = file(PLAIN + "B,B,1,3\nA,B,1,4\n")
    said = "'B' plays against themselves; expected another player, or themselves = 'drop' (--no-self-play)"
    assert wrong(path) == f", row 3, column second: {said}"
    games = read(path, {"themselves": "drop"})
    assert games.time.tolist() == [1, 2, 4]
    assert games.notes == ("left out: 1 against themselves",)
    assert wrong(file(PLAIN + "A,,1,3\n"), themselves="drop") == ", row 3, column second: no player; expected a name"


def test_labels_may_be_numbers(tmp_path):
    frame = pl.DataFrame({"first": ["A", "B"], "second": ["B", "A"], "score": [1, 2], "time": [1.0, 2.0]})
    frame.write_parquet(tmp_path / "a.parquet")
    assert read(tmp_path / "a.parquet", {"scores": {"1": 1, "2": 0}}).score.tolist() == [1, 0]
    assert wrong(tmp_path / "a.parquet", scores={"1": 1}) == (
        ", row 2, column score: '2' is no label of scores; expected one of 1"
    )


BAD_FILES = [
    (b"", ": is empty; expected games"),
    (b"first,second,score,time\n", ": no games; expected at least one"),
    (b"first,second,score\nA,B,1\n", ": missing column 'time'"),
    (b"first,secnd,score,time\nA,B,1,1\n", ": missing column 'second'; did you mean 'secnd'?"),
    ("first,second,score,time\nA,é,1,1\n".encode("latin-1"), ": is not UTF-8 text; expected CSV or TSV in UTF-8"),
    ("first,second,score,time\nA,é,1,1\n".encode("utf-16"), ": is not UTF-8 text; expected CSV or TSV in UTF-8"),
    (PLAIN.encode() + b"A,B,1,3,4\n", ", row 3: 5 cells; expected 4, as in the header"),
    (PLAIN.encode() + b"A,B,1\n", ", row 3, column time: no time"),
    (PLAIN.encode() + b"A,,1,3\n", ", row 3, column second: no player; expected a name"),
    (PLAIN.encode() + b'A,"",1,3\n', ", row 3, column second: no player; expected a name"),
    (
        PLAIN.encode() + b"A,B,,3\nA,B,,3\n",
        ", row 3, column score: no score (and 1 more row); expected a number from 0",
    ),
    (PLAIN.encode() + b"A,B,2,3\n", ", row 3, column score: score 2.0; expected a number from 0 to 1"),
    (PLAIN.encode() + b"A,B,one,3\n", ", row 3, column score: 'one' is not a number; expected a number from 0 to 1"),
    (PLAIN.encode() + b"A,B,1,inf\n", ", row 3, column time: time inf; expected a date, or days since 1970-01-01"),
    (PLAIN.encode() + b"A,B,1,NaN\n", ", row 3, column time: no time; expected a date, or days since 1970-01-01"),
    (PLAIN.encode() + b"A,B,1,3 Jan\n", ", row 3, column time: '3 Jan' is not a time; expected a time written as in"),
    (b"first,second,score,time\nA,B,1,3 Jan\n", ", column time: '3 Jan' is not a time; expected a number, or a date"),
    (b"first,second,score,time\nA,B,1,1e12\n", ", row 1, column time: time 1000000000000.0; expected a date, or days"),
    (b"first,second,score,time,weight\nA,B,1,1,-2\n", ", row 1, column weight: weight -2.0; expected a number, at lea"),
    (b"first,second,score,time,margin\nA,B,1,1,x\n", ", row 1, column margin: 'x' is not a number; expected a number"),
    (b'first,second,score,time\n"A,B,1,1\nA,B,1,2\n', ", row 1: a quote is not closed; expected quotes around"),
    (PLAIN.encode() + b'A,"B,1,1\nA,B,1,2\n', ", row 3: a quote is not closed; expected quotes around whole cells"),
    (PLAIN.encode() + b"A,B,1,3" + b"," * 100 + b"4\n", ", row 3: 104 cells; expected 4, as in the header"),
    (PLAIN.encode() + b"A,B,1,3\rB,A,0,4\n", ", row 3: 7 cells; expected 4, as in the header"),
    (b"first,second," * 10**5, ": cannot be read (a line has more than 1,048,576 characters); expected a header of na"),
]


@pytest.mark.parametrize(("content", "said"), BAD_FILES)
def test_a_bad_file_is_one_line(file, content, said):
    assert wrong(file(content)).startswith(said)


def test_an_unreadable_file_is_one_line(tmp_path, file):
    assert wrong(tmp_path / "none.csv") == ": no such file; expected a file of games"
    assert wrong(tmp_path) == ": is an empty folder; expected files of games in it"
    assert wrong(file(b"PAR1 and no more", "torn.parquet")).startswith(": cannot be read (")
    assert wrong(file(PLAIN, "not.parquet")).startswith(": cannot be read (")
    with pytest.raises(InputError, match="no such file"):
        scan(tmp_path / "*.csv")


def test_the_row_is_that_of_the_file(file):
    path = file("first,second,score,time,keep\nA,B,1,1,n\n\nA,B,1,2,y\nA,B,1,3,n\nA,B,1,4,y\nA,A,1,0,y\n")
    assert wrong(path, where={"keep": "y"}).startswith(", row 6, column second: 'A' plays against themselves")


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ({"frist": "a"}, "unknown key 'frist'; did you mean 'first'?"),
        ({"points_first": "a"}, "only one of points_first and points_second is given; expected both"),
        ({"score": "s", "points_first": "a", "points_second": "b"}, "both score and points_first are given"),
        ({"edge": 0, "neutral": "n"}, "both edge and neutral are given; expected one of them"),
        ({"scores": {"white": 2}}, "scores.white = 2.0; expected a number from 0 to 1"),
        ({"time_unit": "h"}, "time_unit = 'h'"),
        ({"duplicates": "no"}, "duplicates = 'no'"),
    ],
)
def test_a_map_is_checked(columns, said):
    with pytest.raises(InputError) as error:
        ColumnMap(**columns)
    assert str(error.value).startswith(said)


def test_labels_of_scores_do_not_hide_the_points_of_a_file(file):
    path = file("first,second,points_first,points_second,time\nA,B,1,0,1\n")
    assert read(path).score.tolist() == [1]


def test_a_player_may_be_called_na(file):
    games = read(file("first,second,score,time\nNA,null,1,1\nNaN,None,0,2\n"))
    assert games.players["player"].to_list() == ["NA", "null", "NaN", "None"]


BOTH = "first,second,score,points_first,points_second,edge,neutral,time\nA,B,0,3,1,1,true,1\nB,C,1,2,2,0,false,2\n"


def test_two_columns_that_say_the_same_are_one_too_many(file):
    path = file(BOTH)
    said = wrong(path, neutral="")
    assert said.startswith(': both score and points_first are columns; expected one of them: points_first = "" in the')
    said = wrong(path, points_first="")
    assert said.startswith(': both edge and neutral are columns; expected one of them: neutral = "" in the map leaves')
    for points in ({"points_first": ""}, {"points_second": ""}, {"score": "score"}):
        assert read(path, points | {"neutral": ""}).score.tolist() == [0, 1]
        assert read(path, points | {"neutral": ""}).edge.tolist() == [1, 0]
    for points in ({"score": ""}, {"points_first": "points_first", "points_second": "points_second"}):
        assert read(path, points | {"edge": ""}).score.tolist() == [1, 0.5]
        assert read(path, points | {"edge": ""}).edge.tolist() == [0, 1]
    assert read(path, {"score": "", "edge": 0.5}).edge.tolist() == [0.5, 0.5]
    half = file("first,second,score,points_second,time\nA,B,0,3,1\n")
    assert wrong(half).startswith(": both score and points_second are columns")
    assert wrong(file("first,second,points_first,time\nA,B,0,3\n")) == (
        ": missing column 'points_second'; did you mean 'points_first'?"
    )
    labels = file("first,second,points_first,points_second,time\nA,B,0,3,1\n")
    assert wrong(labels, scores={"1": 1}).startswith(": missing column 'score'")


def test_two_columns_of_one_name_are_refused(file):
    path = file("first,second,score,score,time\nA,B,0,1,1\n")
    assert wrong(path) == ": two columns are named 'score'; expected a name for each"
    assert wrong(file('\ufefffirst\tsecond\t"first"\tscore\ttime\nA\tB\tC\t0\t1\n')).startswith(
        ": two columns are named 'first'"
    )
    assert len(read(file(PLAIN.replace("time\n", "time,,\n").replace("1\n", "1,,\n").replace("2\n", "2,,\n")))) == 2


def test_lines_may_end_as_on_an_old_mac(file):
    expected = read(file(TEN)).digest
    for start, pack in (("", bytes), ("\ufeff", bytes), ("", gzip.compress)):
        text = (start + TEN.replace("\n", "\r")).encode()
        assert read(file(pack(text))).digest == expected
    assert wrong(file(PLAIN.replace("\n", "\r") + "A,B,1,3,4\r")) == ", row 3: 5 cells; expected 4, as in the header"


def test_games_without_dates_stand_in_the_order_of_the_file(file):
    path = file("first,second,score,keep\nA,B,1,y\n,,,\nB,A,0,n\nA,B,1,y\nA,B,1,y\n")
    games = read(path, {"time": "row"})
    assert games.time.tolist() == [1, 3, 4, 5]
    assert games.notes == ("left out: 1 blank",)
    assert read(path, {"time": "row", "where": {"keep": "y"}}).time.tolist() == [1, 4, 5]
    pl.read_csv(path).drop_nulls().write_parquet(path.with_suffix(".parquet"))
    assert read(path.with_suffix(".parquet"), {"time": "row"}).time.tolist() == [1, 2, 3, 4]
    assert wrong(path) == ": missing column 'time'; expected one of first, second, score, keep"
    assert wrong(file("first,second,score,row\nA,B,1,7\n"), time="row") == (
        ": time = 'row' is the number of the row, and a column has that name; expected another name of that column"
    )
    with pytest.raises(InputError, match="time_unit = 's' beside time = 'row'; expected none: rows are days"):
        ColumnMap(time="row", time_unit="s")


@pytest.mark.parametrize("cell", ["1974", "1999.0"])
def test_years_are_said(file, cell):
    text = PLAIN.replace(",1\n", f",{cell}\n").replace(",2\n", ",2001\n")
    assert read(file(text)).notes[0].startswith("time looks like years, ")
    assert read(file(text), {"time_unit": "D"}).notes == ()


def test_dates_without_hyphens_are_no_days(file):
    text = PLAIN.replace(",1\n", ",20240131\n").replace(",2\n", ",20240201\n")
    assert wrong(file(text)) == (
        ", column time: 20240131 looks like a date, and is read as days since 1970-01-01;"
        " expected dates written as 2024-01-31"
    )


def test_every_key_of_the_map_is_described():
    assert [name for name, field in ColumnMap.model_fields.items() if name != "kind" and not field.description] == []
