"""What an import has got wrong before: each kind once."""

import hashlib
import time
import zipfile
from itertools import pairwise

import polars as pl
import pytest

import ratesim as rs
from ratesim.errors import InputError
from ratesim.importing.gathering import Gathering
from ratesim.io.batch import Asked
from ratesim.io.sources import Source

HEAD = "first,second,score,time\n"


@pytest.fixture
def put(tmp_path):
    def written(name, content):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
        return path

    return written


def open_of(year, day=""):
    """A game of an Open of a year, which says when it began or does not."""
    began = f'[EventDate "{day}"]\n' if day else ""
    return f'[Event "Open"]\n[Date "{year}.01.05"]\n[White "A"]\n[Black "B"]\n[Result "1-0"]\n{began}\n1. e4 1-0\n\n'


@pytest.mark.parametrize("days", [("2019.01.01", "2020.01.01"), ("", ""), ("2019.01.01", "")])
def test_editions_of_an_event_are_read_and_imported_alike(put, tmp_path, days):
    source = put("a.pgn", open_of(2019, days[0]) + open_of(2020, days[1]))
    rs.import_games(source, tmp_path / "g.parquet")
    games = rs.read(tmp_path / "g.parquet")
    assert games.digest == rs.read(source).digest
    assert len(set(games.events)) == 2
    assert games.event_start[0] < 18_000 < games.event_start[1]


def test_imported_files_of_one_event_can_be_imported_together(put, tmp_path):
    for year in (2019, 2020):
        rs.import_games(put(f"{year}.pgn", open_of(year)), tmp_path / f"{year}.parquet")
    found = rs.import_games([tmp_path / "2019.parquet", tmp_path / "2020.parquet"], tmp_path / "both.parquet")
    assert (found.seen.games, len(rs.read(tmp_path / "both.parquet").events)) == (2, 2)


def test_a_digest_slower_than_its_reader_is_waited_for(put, monkeypatch):
    paths = [put(f"{n}.csv", HEAD + f"A,B,1,{n}\n") for n in range(3)]
    digested = Source.digested

    def slow(source, stopped):
        time.sleep(0.2)
        return digested(source, stopped)

    monkeypatch.setattr(Source, "digested", slow)
    found = [each["sha256"] for each in rs.read(paths).source["files"]]
    assert found == [hashlib.sha256(path.read_bytes()).hexdigest() for path in paths]


def test_a_zip_file_is_digested_once_whatever_is_in_it(tmp_path, monkeypatch):
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        for n in range(3):
            archive.writestr(f"{n}.csv", HEAD + f"A,B,1,{n}\n")
    asked, digested = [], Source.digested
    monkeypatch.setattr(Source, "digested", lambda *each: asked.append(each[0]) or digested(*each))
    files = rs.read(tmp_path / "a.zip").source["files"]
    assert (len(asked), [each["name"] for each in files]) == (1, [f"a.zip/{n}.csv" for n in range(3)])


def test_what_is_refused_does_not_wait_for_a_digest(put, monkeypatch):
    stops = []
    monkeypatch.setattr(Source, "digested", lambda _, stopped: stops.append(stopped) or "")
    gathering = Gathering([put("a.csv", HEAD + "A,B,1,1\n")], Asked(start="2024-01-01"))
    with pytest.raises(InputError, match="start is given"):
        list(gathering)
    assert all(stopped() for stopped in stops)


def test_an_alias_is_nobody(put, tmp_path):
    game = (
        '[Event "X"]\n[Date "2024.01.0{n}"]\n[White "{white}"]\n[Black "C"]\n[Result "1-0"]\n'
        '[WhiteTitle "{title}"]\n[WhiteFideId "{id}"]\n\n1. e4 1-0\n\n'
    )
    first = game.format(n=1, white="Old, A", title="GM", id=7) + game.format(n=2, white="New, A", title="IM", id=8)
    rs.import_games(put("a.pgn", first), tmp_path / "a.parquet")
    aliases = put("aliases.csv", "alias,player\n7,8\n")
    for source in (tmp_path / "a.parquet", tmp_path / "a.pgn"):
        found = rs.import_games(source, tmp_path / "b.parquet", aliases=aliases)
        players = rs.read(tmp_path / "b.parquet").players
        assert found.players == len(players) == 2
        told = players.filter(pl.col("player") == "8").select("name", "title").row(0)
        assert told == ("New, A", "IM")


def test_counts_add_up(put, tmp_path):
    rows = "".join(f"P{k % 9},P{(k + 1) % 9},{k % 3 / 2},{k}\n" for k in range(300))
    wrong = "A,,1,1\nA,B,7,1\nA,B,x,1\n"
    out = "A,A,1,5\nA,B,*,3\n"
    twice = "P0,P1,0.0,0\n"
    source = put("t.csv", HEAD + rows + wrong + out + twice)
    found = rs.import_games(source, tmp_path / "g.parquet", themselves="drop", filters=rs.Filters(since="1970-01-11"))
    counted = found.seen.games + sum(found.left_out.values()) + sum(found.rejects.values()) + found.repeated.exact
    assert counted == 306
    assert found.rejects == {"second no player": 1, "score out of range": 1, "score is not a number": 1}
    assert (found.left_out["unfinished"], found.left_out["against themselves"]) == (1, 1)


@pytest.mark.parametrize("wrong", [
    ({"duplicates": "dorp"}, "duplicates = 'dorp'; expected drop or keep"),
    ({"max_rejects": float("nan")}, "max_rejects = nan; expected a share"),
    ({"max_rejects": -1}, "max_rejects = -1; expected a share"),
])  # fmt: skip
def test_settings_from_python_are_checked(put, tmp_path, wrong):
    asked, said = wrong
    with pytest.raises(InputError, match=said):
        rs.import_games(put("a.csv", HEAD + "A,B,1,1\n"), tmp_path / "g.parquet", **asked)


def test_a_map_that_keeps_duplicates_is_heard(put, tmp_path):
    source = put("a.csv", HEAD + "A,B,1,1\nA,B,1,1\n")
    assert rs.import_games(source, tmp_path / "g.parquet", {"duplicates": "keep"}).seen.games == 2
    assert rs.import_games(source, tmp_path / "g.parquet", {"duplicates": "keep"}, duplicates="drop").seen.games == 1


def test_a_source_without_any_game_is_named(put, tmp_path):
    put("in/a.csv", HEAD + "A,B,1,1\n")
    put("in/empty.pgn", "% nothing\n")
    found = rs.import_games(tmp_path / "in", tmp_path / "g.parquet")
    assert any("empty.pgn: no games" in note for note in found.notes)


def test_results_stay_with_their_games_whatever_the_order_and_the_names(put, tmp_path):
    rows = [(f"P{k % 13}", f"Q{k % 7}", k % 3 / 2, k // 4) for k in range(200)]
    lines = [",".join(map(str, row)) for row in rows]
    frames = []
    for n, order in enumerate((lines, lines[::-1], sorted(lines, key=hash))):
        rs.import_games(put(f"{n}.csv", HEAD + "\n".join(order) + "\n"), tmp_path / f"{n}.parquet", duplicates="keep")
        frames.append(rs.read(tmp_path / f"{n}.parquet").to_frame().sort("time", "first", "second", "score"))
    assert all(one.equals(other) for one, other in pairwise(frames))
    assert frames[0].select("first", "second", "score", "time").rows() == sorted(
        rows, key=lambda row: (row[3], *row[:3])
    )  # fmt: skip


def test_a_column_id_tells_games_apart_where_the_map_says_so(put, tmp_path):
    source = put("t.csv", "first,second,score,time,id\nA,B,1,1,q1\nA,B,1,2,q1\nA,B,1,2,q1\n")
    found = rs.import_games(source, tmp_path / "g.parquet")
    assert (found.seen.games, found.repeated.exact) == (2, 1)
    assert any("--map id=id" in note for note in found.notes)
    assert rs.import_games(source, tmp_path / "g.parquet", {"id": "id"}).seen.games == 1


def test_filters_that_leave_nothing_say_what_they_left_out(put, call, tmp_path):
    source = put("t.csv", HEAD + "A,B,1,1\nA,C,1,2\n")
    for asked, said in (("--until=1970-01-01", "no games: 2 after 1970-01-01"), ("--min-games=3", "no games: 2 of a")):
        code, _, notes = call("import", source, "-o", tmp_path / "g.parquet", asked)
        assert (code, said in notes) == (2, True)


def test_the_map_of_the_command_line_may_keep_games_told_twice(put, call, tmp_path):
    source = put("t.csv", HEAD + "A,B,1,1\nA,B,1,1\n")
    for words, games in (((), 1), (("--map=duplicates=keep",), 2), (("--map=duplicates=keep", "--duplicates=drop"), 1)):
        assert call("import", source, "-o", tmp_path / "g.parquet", *words)[0] == 0
        assert len(rs.read(tmp_path / "g.parquet")) == games


def test_rows_without_dates_are_said_to_stand_on_made_up_days(put, call, tmp_path):
    source = put("t.csv", "first,second,score\nA,B,1\n")
    code, _, notes = call("import", source, "-o", tmp_path / "g.parquet", "--map=time=row")
    assert (code, "no dates, row n stands on day n since 1970-01-01" in notes) == (0, True)
