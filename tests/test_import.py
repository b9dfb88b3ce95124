"""`ratesim import`: many files of any form become one canonical file, and what is not in it is said."""

import gzip
import json

import polars as pl
import pytest

import ratesim as rs
from ratesim.errors import InputError
from ratesim.io.batch import Asked
from ratesim.io.sources import expand
from ratesim.io.tables import batches

ROWS = [
    ("Ann", "Bob", "1-0", "2024-01-05", "g1"),
    ("Bob", "Cy", "1/2-1/2", "2024-01-03", "g2"),
    ("Cy", "Ann", "0-1", "2024-01-04", "g3"),
    ("Ann", "Bob", "0-1", "2024-01-04", "g4"),
]


def pgn(*games, **more):
    """Games as PGN of headers: White, Black, Result, Date and, after them, any other tags."""
    out = []
    for white, black, result, day, name in games:
        tags = {"Event": "Open", "Site": f"https://lichess.org/{name:0>8}", "Date": day.replace("-", "."),
                "White": white, "Black": black, "Result": result, **more}  # fmt: skip
        out.append("\n".join(f'[{key} "{value}"]' for key, value in tags.items()) + f"\n\n1. e4 e5 {result}\n")
    return "\n".join(out)


def table(*games):
    return "first,second,score,time,game_id\n" + "".join(
        f"{a},{b},{ {'1-0': 1, '0-1': 0, '1/2-1/2': 0.5}[s] },{day},{name}\n" for a, b, s, day, name in games
    )


@pytest.fixture
def put(tmp_path):
    def written(name, content):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return written


@pytest.fixture
def take(call, tmp_path):
    """Import, and return the file as a table with what was said of it."""

    def taken(*words, ok=True):
        out = tmp_path / "out/games.parquet"
        out.unlink(missing_ok=True)
        code, said, notes = call("import", *words, "-o", out, "--json")
        if not ok:
            assert (code, said, notes.count("\n"), out.exists()) == (2, "", 1, False)
            return notes
        assert code == 0, notes
        return pl.read_parquet(out), json.loads(said)

    return taken


def test_any_number_of_files_of_any_form_are_one_in_order_of_time(put, take):
    put("a/one.pgn", pgn(*ROWS[:2]))
    put("a/two.csv.gz", gzip.compress(table(*ROWS[2:]).encode()))
    games, told = take(put("a/one.pgn", pgn(*ROWS[:2])).parent)
    assert games.select(pl.col("first", "second").cast(pl.String), "score").rows() == [
        ("Bob", "Cy", 0.5), ("Cy", "Ann", 0.0), ("Ann", "Bob", 0.0), ("Ann", "Bob", 1.0),
    ]  # fmt: skip
    assert (told["games"], told["players"], told["from"], told["to"]) == (4, 3, "2024-01-03", "2024-01-05")
    assert [source["format"] for source in told["sources"]] == ["pgn", "table"]


def test_the_file_says_what_it_was_made_from(put, take, tmp_path):
    source = put("one.pgn", pgn(*ROWS))
    take(source)
    about = json.loads(pl.read_parquet_metadata(tmp_path / "out/games.parquet")["ratesim.import"])
    assert about["version"] == rs.__version__
    assert about["counts"]["games"] == 4
    assert [each["name"] for each in about["sources"]] == ["one.pgn"]
    assert len(about["sources"][0]["sha256"]) == 64


def test_it_is_the_stream_that_reading_the_sources_makes(put, take, tmp_path):
    one, two = put("one.pgn", pgn(*ROWS[:3])), put("two.csv", table(*ROWS[3:]))
    take(one, two)
    again, direct = rs.read(tmp_path / "out/games.parquet"), rs.read([one, two])
    assert again.digest == direct.digest
    assert dict(again.columns()).keys() == dict(direct.columns()).keys()


def test_same_sources_same_bytes(put, take, tmp_path):
    source = put("one.pgn", pgn(*ROWS))
    take(source)
    first = (tmp_path / "out/games.parquet").read_bytes()
    take(source)
    assert (tmp_path / "out/games.parquet").read_bytes() == first


def test_games_told_twice_are_dropped_once_and_listed(put, take):
    one, two = put("one.pgn", pgn(*ROWS[:3])), put("two.pgn", pgn(*ROWS[1:]))
    games, told = take(one, two)
    assert (len(games), told["duplicates"]["exact"], told["duplicates"]["dropped"]) == (4, 2, True)
    first = told["duplicates"]["examples"]["exact"][0]
    assert (first["first"], first["source"], first["of_source"]) == ("Bob", str(two), str(one))
    games, told = take(one, two, "--duplicates", "keep")
    assert (len(games), told["duplicates"]["exact"], told["duplicates"]["dropped"]) == (6, 2, False)


def test_near_duplicates_are_listed_and_kept(put, take):
    one = put("one.pgn", pgn(*ROWS[:2]))
    two = put("two.csv", "first,second,score,time\nBob,Ann,0,2024-01-05\nCy,Dee,1,2024-01-03\n")
    games, told = take(one, two)
    assert (len(games), told["duplicates"]["exact"], told["duplicates"]["near"]) == (4, 0, 1)
    assert told["duplicates"]["examples"]["near"][0]["second"] == "Ann"


def test_what_is_wrong_is_counted_listed_and_has_a_limit(put, take, tmp_path):
    bad = pgn(("Ann", "Bob", "2-0", "2024-01-05", "g7"), ("", "Bob", "1-0", "2024-01-05", "g8"))
    source = put("one.pgn", pgn(*ROWS) + "\n" + bad)
    assert "one.pgn, line" in take(source, "--rejects", tmp_path / "bad.csv", ok=False)
    assert len(pl.read_csv(tmp_path / "bad.csv")) == 2
    games, told = take(source, "--rejects", tmp_path / "bad.csv", "--max-rejects", "2")
    assert (len(games), told["rejects"]["count"], sum(told["rejects"]["reasons"].values())) == (4, 2, 2)
    listed = pl.read_csv(tmp_path / "bad.csv")
    assert listed.columns == ["source", "place", "column", "reason", "value", "expected", "raw"]
    assert listed["raw"].str.contains("[White", literal=True).all()
    assert take(source, "--max-rejects", "50%")[1]["games"] == 4
    assert "--max-rejects lets more pass" in take(source, "--max-rejects", "1", ok=False)
    assert "--max-rejects: 'few'; expected a number of games" in take(source, "--max-rejects", "few", ok=False)


def test_filters_are_counted(put, take):
    rows = [("Ann", "Bob", "1-0", "2024-01-05", "g1"), ("Ann", "Cy", "*", "2024-01-05", "g2")]
    source = put("one.pgn", pgn(*rows, *ROWS[1:], Event="Rated Blitz game", TimeControl="300+0", UTCDate="2024.01.06"))
    games, told = take(source, "--pool", "blitz", "--rated", "--since", "2024-01-01", "--no-bots", "--no-anonymous")
    assert (len(games), told["left_out"], told["pools"]) == (4, {"unfinished": 1}, {"blitz": 4})
    assert "no pool 'bliz'; did you mean 'blitz'" in take(source, "--pool", "bliz", ok=False)
    assert "no games" in take(source, "--until", "2001-01-01", ok=False)


def test_a_least_number_of_games_holds_among_those_kept(put, take):
    chain = [("A", "B"), ("B", "A"), ("A", "B"), ("C", "A"), ("C", "D"), ("D", "E")]
    rows = "".join(f"{a},{b},1,{day}\n" for day, (a, b) in enumerate(chain))
    games, told = take(put("t.csv", "first,second,score,time\n" + rows), "--min-games", "2")
    assert games.select(pl.col("first", "second").cast(pl.String)).rows() == chain[:3]
    assert told["left_out"] == {"of a player with fewer than 2 games": 3}


def test_games_against_oneself(put, take):
    source = put("t.csv", "first,second,score,time\n" + "A,B,1,1\n" * 3 + "A,A,1,1\n")
    assert "row 4, column second: 'A' plays against themselves" in take(source, ok=False)
    games, told = take(source, "--no-self-play", "--duplicates", "keep")
    assert (len(games), told["left_out"]) == (3, {"against themselves": 1})


def test_aliases_make_two_names_one_player(put, take):
    source = put("t.csv", "first,second,score,time\nAnn,Bob,1,1\nAnn Lee,Bob,1,2\nLee  Ann,BOB,0,3\n")
    _, told = take(source)
    assert told["players"] == 5
    assert told["look_alikes"]["groups"] == 2
    games, told = take(source, "--aliases", put("a.csv", "alias,player\nBOB,Bob\nLee  Ann,Ann Lee\nAnna,Ann\n"))
    assert (told["players"], told["aliases"]) == (3, {"games": 1, "unseen": ["Anna"]})
    assert games["second"].cast(pl.String).unique().to_list() == ["Bob"]
    one = put("b.csv", "alias,player\nBOB,Lee  Ann\n")
    assert "'Lee Ann' plays against themselves" in take(source, "--aliases", one, ok=False)


def test_columns_of_other_names_are_led_to_a_map(put, take):
    said = take(put("t.csv", "home,away,score,time\nA,B,1,1\n"), ok=False)
    assert "missing column 'first'; expected --map first=COLUMN; `ratesim inspect " in said


def test_a_wrong_format_is_named(put, take):
    source = put("t.csv", table(*ROWS))
    assert "t.csv: is a table, not a file of PGN; expected --format table" in take(source, "--format", "pgn", ok=False)
    assert "format 'pgm'; expected one of trf, pgn" in take(source, "--format", "pgm", ok=False)
    assert "empty.pgn: is empty" in take(put("empty.pgn", ""), ok=False)
    assert "noise.bin: is of no form we know" in take(put("noise.bin", bytes(range(256))), ok=False)
    assert "games.pgn.zst: is cut off" in take(put("games.pgn.zst", b"\x28\xb5\x2f\xfd" + bytes(99)), ok=False)


def test_what_is_made_is_not_its_own_source(put, call, tmp_path):
    put("out/one.pgn", pgn(*ROWS))
    for given in ("out", "out/*"):
        for _ in range(2):
            code, said, _ = call("import", tmp_path / given, "-o", tmp_path / "out/g.parquet",
                                 "--rejects", tmp_path / "out/bad.csv", "--duplicates", "keep", "--json")  # fmt: skip
            assert (code, json.loads(said)["games"]) == (0, 4)
    with pytest.raises(InputError, match="is what is to be made"):
        rs.import_games(tmp_path / "out/g.parquet", tmp_path / "out/g.parquet")


def test_what_is_of_no_form_in_a_folder_is_passed_over_and_said(put, call, tmp_path):
    put("in/one.pgn", pgn(*ROWS))
    put("in/LICENSE", "you may\n")
    code, said, notes = call("import", tmp_path / "in", "-o", tmp_path / "g.parquet")
    assert (code, "LICENSE of no form we know: passed over" in notes) == (0, True)
    assert said.splitlines()[0].endswith("g.parquet: 4 games of 3 players, 2024-01-03 to 2024-01-05")


def test_from_python(put, tmp_path):
    source = put("one.pgn", pgn(*ROWS))
    found = rs.import_games(source, tmp_path / "g.parquet", filters=rs.Filters(until="2024-01-04"))
    assert (found.seen.games, found.left_out) == (3, {"after 2024-01-04": 1})
    with pytest.raises(InputError, match=r"unknown suffix '\.txt'"):
        rs.import_games(source, tmp_path / "g.parquet", rejects=tmp_path / "bad.txt")


def test_rows_of_tables_are_told_apart_by_columns_that_nobody_maps(put, take):
    rows = "A,B,1,2024-01-05,1\nA,B,1,2024-01-05,2\nA,B,1,2024-01-05,2\n"
    games, told = take(put("t.csv", "first,second,score,time,round\n" + rows))
    assert (len(games), told["duplicates"]["exact"]) == (2, 1)
    assert (games["fingerprint"].dtype, games["fingerprint"].n_unique()) == (pl.UInt64, 2)


def test_games_of_pgn_are_told_apart_by_any_tag_and_by_their_moves(put, take):
    one, other = (pgn(*ROWS[:1], Site="?", Round=n) for n in (1, 2))
    longer = one.replace("1. e4 e5", "1. e4 e5 2. Nf3")
    games, told = take(put("t.pgn", f"{one}\n{other}\n{one}\n{longer}"))
    assert (len(games), told["duplicates"]["exact"]) == (3, 1)


THRICE = "\n".join(pgn(*ROWS[:1], Site="?", Round=n) for n in (1, 2, 3))  # told apart by their rounds alone
FOURTH = pgn(*ROWS[:1], Site="?", Round=4)


def imported(tmp_path, name, *sources):
    """Import, and return the file and how many games it holds and how many were told twice."""
    found = rs.import_games(sources, tmp_path / name)
    return tmp_path / name, found.seen.games, found.repeated.exact


def test_games_without_an_id_are_as_many_when_the_file_is_imported_again(put, tmp_path):
    january, *counts = imported(tmp_path, "1.parquet", put("1.pgn", THRICE + "\n" + pgn(*ROWS)))
    assert counts == [7, 0]
    again, *counts = imported(tmp_path, "2.parquet", january)
    assert counts == [7, 0]
    assert pl.read_parquet(again).equals(pl.read_parquet(january))
    assert pl.read_parquet(again)["fingerprint"].null_count() == 4  # of those with an id


def test_merged_files_hold_each_game_once(put, tmp_path):
    source = put("1.pgn", THRICE)
    one, *_ = imported(tmp_path, "1.parquet", source)
    other, *_ = imported(tmp_path, "2.parquet", put("2.pgn", THRICE + "\n" + FOURTH))
    both, *counts = imported(tmp_path, "both.parquet", one, other)
    assert counts == [4, 3]
    assert imported(tmp_path, "again.parquet", both, one, other)[1:] == (4, 7)
    assert imported(tmp_path, "with_source.parquet", both, source)[1:] == (4, 3)


def test_files_with_and_without_games_that_have_no_id_merge(put, tmp_path):
    one, *_ = imported(tmp_path, "1.parquet", put("1.pgn", THRICE))
    other, *_ = imported(tmp_path, "2.parquet", put("2.pgn", pgn(*ROWS[:2])))
    assert "fingerprint" not in pl.read_parquet_schema(other)
    assert imported(tmp_path, "12.parquet", one, other)[1:] == (5, 0)
    assert imported(tmp_path, "21.parquet", other, one)[1:] == (5, 0)


def test_rows_of_tables_are_as_many_when_the_file_is_imported_again(put, tmp_path):
    rows = "first,second,score,time,round\nA,B,1,2024-01-05,1\nA,B,1,2024-01-05,2\nA,B,1,2024-01-05,2\n"
    one, *counts = imported(tmp_path, "1.parquet", put("t.csv", rows))
    assert counts == [2, 1]
    assert imported(tmp_path, "2.parquet", one)[1:] == (2, 0)
    assert imported(tmp_path, "3.parquet", one, put("t.csv", rows))[1:] == (2, 3)


def test_a_stream_that_is_imported_is_as_long_ever_after(put, tmp_path):
    rs.write_games(rs.read(put("1.pgn", THRICE)), tmp_path / "0.parquet")
    one, games, twice = imported(tmp_path, "1.parquet", tmp_path / "0.parquet")
    assert games + twice == 3  # a stream does not hold what told them apart
    assert imported(tmp_path, "2.parquet", one)[1:] == (games, 0)


def test_what_others_call_a_fingerprint_is_none(put, tmp_path):
    table = pl.DataFrame({"first": "A", "second": "B", "score": [1.0, 1.0], "time": 1.0, "round": [1, 2]})
    table.with_columns(fingerprint=pl.lit(7, pl.UInt64)).write_parquet(tmp_path / "t.parquet")
    assert imported(tmp_path, "1.parquet", tmp_path / "t.parquet")[1:] == (2, 0)


def test_a_stream_does_not_read_fingerprints(put, tmp_path):
    one, *_ = imported(tmp_path, "1.parquet", put("1.pgn", THRICE))
    for wanted in (True, False):
        (batch,) = batches(expand([one]), Asked(beside=wanted))
        assert ("fingerprint" in batch.games.columns) == wanted
    assert "fingerprint" not in rs.scan(one).columns
    pl.read_parquet(one).drop("fingerprint").write_parquet(tmp_path / "blank.parquet")
    assert rs.read(one).digest == rs.read(tmp_path / "blank.parquet").digest
