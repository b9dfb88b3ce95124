"""The canonical file: whole or not there, the same bytes for the same games, read back as it was by anybody."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal
from test_spool import SMALL, killed, some_games, started, text

import ratesim as rs
from ratesim.errors import InputError
from ratesim.importing.sorting import by_time
from ratesim.importing.spool import NAMES, Spool
from ratesim.io import canonical, write_games
from ratesim.io.canonical import Footer, about, is_canonical, players_of, write_frames


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def full_stream(players: pl.DataFrame | None = None) -> rs.GameStream:
    """A stream with every column."""
    rng = np.random.default_rng(5)
    count = 500
    event = rng.integers(0, 4, count)
    gaps = lambda values: np.where(rng.random(count) < 0.3, np.nan, values)  # noqa: E731
    return rs.GameStream.of(
        first=[f"A{n}" for n in rng.integers(0, 30, count)],
        second=[f"B{n}" for n in rng.integers(0, 30, count)],
        score=rng.integers(0, 3, count) / 2,
        time=np.sort(rng.random(count) * 50 + 100),
        edge=rng.integers(-1, 2, count).astype(float),
        margin=gaps(rng.normal(size=count)),
        weight=rng.random(count),
        published_first=gaps(rng.normal(1500, 100, count)),
        published_second=np.full(count, np.nan),
        truth=rng.random(count),
        skill_first=rng.normal(size=count),
        skill_second=rng.normal(size=count),
        performance_first=rng.normal(size=count),
        performance_second=rng.normal(size=count),
        season=[f"s{n}" for n in event % 2],
        event=[f"e{n}" for n in event],
        pool=[f"p{n}" for n in event % 3],
        stage=np.where(event % 4 == 0, "final", "league"),
        event_start=event.astype(float),
        event_end=np.where(event == 1, np.nan, 1000.0 + event),
        rated_on=gaps(np.floor(rng.random(count) * 50 + 150)),
        players=players,
    )


PLAYERS = [
    pytest.param(None, id="no table"),
    pytest.param(pl.DataFrame({"player": ["idle", "A3"]}), id="names"),
    pytest.param(
        pl.DataFrame({"player": ["A3", "idle"], "born": [1980, None], "title": ["GM", None]}), id="attributes"
    ),
    pytest.param(pl.DataFrame({"player": ["A3"], "born": pl.Series([None], dtype=pl.Int64)}), id="nothing known"),
]


@pytest.mark.parametrize("players", PLAYERS)
def test_a_stream_comes_back_with_its_digest(tmp_path, players):
    games = full_stream(players)
    assert {name for name, _ in games.columns()} == {
        *("first", "second", "score", "time", "edge", "margin", "weight", "published_first", "published_second"),
        *("truth", "skill_first", "skill_second", "performance_first", "performance_second"),
        *("season", "stage", "event", "pool", "event_start", "event_end", "rated_on"),
    }
    write_games(games, tmp_path / "games.parquet")
    assert rs.read(tmp_path / "games.parquet").digest == games.digest
    assert is_canonical(tmp_path / "games.parquet")
    assert about(tmp_path / "games.parquet") is None


@pytest.mark.parametrize("players", PLAYERS)
def test_only_players_that_games_do_not_tell_of_stand_beside_them(tmp_path, players):
    write_games(full_stream(players), tmp_path / "games.parquet")
    told = players_of(tmp_path / "games.parquet")
    if players is None:
        assert told is None
    else:
        wanted = players.filter(pl.any_horizontal(pl.col("player") == "idle", pl.exclude("player").is_not_null()))
        assert_frame_equal(told, wanted, check_row_order=False)


def test_columns_are_those_of_the_design(tmp_path):
    games = some_games(1, name_first=pl.lit("n"), title_second=pl.lit("GM"), game_id=pl.format("{}", "place"))
    games = games.with_columns(precision=pl.lit("day"), pool=pl.lit("x"), rated=pl.lit(True), margin=pl.lit(np.nan))
    write_frames(tmp_path / "games.parquet", [games.sort("time")])
    assert dict(pl.read_parquet_schema(tmp_path / "games.parquet")) == {
        "first": NAMES["first"],
        "second": NAMES["first"],
        "score": pl.Float64(),
        "time": pl.Float64(),
        "precision": pl.Enum(["second", "day", "month", "year", "event"]),
        "margin": pl.Float64(),
        "pool": NAMES["pool"],
        "rated": pl.Boolean(),
        "game_id": pl.String(),
    }
    assert pl.read_parquet(tmp_path / "games.parquet")["margin"].null_count() == 100


def test_what_is_said_may_be_counted_on_the_way(tmp_path):
    counts = {"games": 0}

    def counted():
        for seed in range(3):
            counts["games"] += 100
            yield some_games(seed, time=pl.lit(float(seed)))

    players = pl.DataFrame({"player": ["A1"], "title": ["WGM"]})
    write_frames(tmp_path / "games.parquet", counted(), lambda: Footer(players, {"counts": counts, "of": ["Łódź"]}))
    assert about(tmp_path / "games.parquet") == {"counts": {"games": 300}, "of": ["Łódź"]}
    assert_frame_equal(players_of(tmp_path / "games.parquet"), players)


def test_files_of_others_say_nothing(tmp_path):
    table = some_games(1)
    table.write_parquet(tmp_path / "games.parquet")
    table.write_csv(tmp_path / "games.csv")
    for name in ("games.parquet", "games.csv"):
        path = tmp_path / name
        assert (is_canonical(path), about(path), players_of(path)) == (False, None, None)


def spooled(path: Path, batches: list[pl.DataFrame], memory: int = 2**28, room: int = 10**6) -> None:
    with Spool(path, memory) as spool:
        for batch in batches:
            spool.add(batch)
        games = by_time(spool, room=room)
        write_frames(path, games, lambda: Footer(None, {"rows": spool.rows}), within=spool.folder)


@pytest.mark.parametrize(("memory", "room", "cut"), [(2**28, 10**6, 300), (SMALL, 50, 300), (SMALL, 70, 7)])
def test_the_bytes_depend_on_the_games_alone(tmp_path, memory, room, cut):
    games = pl.concat([some_games(seed, pool=pl.format("pool{}", seed)) for seed in range(3)])
    spooled(tmp_path / "one.parquet", [games])
    names_of_others = games["second"].reverse().cast(NAMES["first"])  # numbers are given out in another order
    spooled(tmp_path / "two.parquet", list(games.iter_slices(cut)), memory, room)
    assert len(names_of_others) == 300
    assert digest(tmp_path / "one.parquet") == digest(tmp_path / "two.parquet")
    found = text(pl.read_parquet(tmp_path / "two.parquet"))
    assert_frame_equal(found, games.sort("time", maintain_order=True).drop("source", "place"), check_column_order=False)


def test_bytes_are_the_same_in_another_process(tmp_path):
    program = """
from pathlib import Path
import test_canonical as here

here.spooled(Path({!r}), [here.some_games(seed) for seed in range(3)])
"""
    spooled(tmp_path / "mine.parquet", [some_games(seed) for seed in range(3)])
    command = [sys.executable, "-c", program.format(str(tmp_path / "theirs.parquet"))]
    subprocess.run(command, cwd=Path(__file__).parent, check=True, env={**os.environ, "POLARS_MAX_THREADS": "1"})
    assert digest(tmp_path / "mine.parquet") == digest(tmp_path / "theirs.parquet")


def test_row_groups_are_cut_by_games_and_carry_their_times(tmp_path, monkeypatch):
    parquet = pytest.importorskip("pyarrow.parquet")
    monkeypatch.setattr(canonical, "GROUP", 1000)
    batches = [some_games(seed, 300, time=pl.lit(float(seed))) for seed in range(10)]
    write_frames(tmp_path / "games.parquet", batches)
    metadata = parquet.ParquetFile(tmp_path / "games.parquet").metadata
    groups = [metadata.row_group(n) for n in range(metadata.num_row_groups)]
    assert [group.num_rows for group in groups] == [1000, 1000, 1000]
    time = [group.column(metadata.schema.names.index("time")).statistics for group in groups]
    assert [(each.min, each.max) for each in time] == [(0.0, 3.0), (3.0, 6.0), (6.0, 9.0)]
    first = groups[0].column(metadata.schema.names.index("first"))
    assert "RLE_DICTIONARY" in first.encodings
    assert first.compression == "ZSTD"


def test_a_row_group_keeps_only_the_names_it_uses(tmp_path, monkeypatch):
    parquet = pytest.importorskip("pyarrow.parquet")
    monkeypatch.setattr(canonical, "GROUP", 100)
    batches = [
        some_games(1, 100, first=pl.format("{}{}", pl.lit(f"a long name of batch {n} "), "place")) for n in range(50)
    ]
    write_frames(tmp_path / "games.parquet", [batch.with_columns(time=pl.lit(0.0)) for batch in batches])
    metadata = parquet.ParquetFile(tmp_path / "games.parquet").metadata
    sizes = [metadata.row_group(n).column(0).total_uncompressed_size for n in range(metadata.num_row_groups)]
    assert max(sizes) < 5_000  # of 5,000 names with about 26 bytes each


def test_others_read_names_as_text(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    games = some_games(1, 50, time=pl.lit(1.0), pool=pl.when(pl.col("place") > 9).then(pl.lit("blitz")))
    write_frames(tmp_path / "games.parquet", [games])
    table = parquet.read_table(tmp_path / "games.parquet")
    assert table["first"].to_pylist() == games["first"].to_list()
    assert table["pool"].to_pylist() == games["pool"].to_list()


def test_polars_reads_names_that_compare_with_text(tmp_path):
    write_frames(tmp_path / "games.parquet", [some_games(1, 50, time=pl.lit(1.0), first=pl.lit("Á b"))])
    assert pl.scan_parquet(tmp_path / "games.parquet").filter(pl.col("first") == "Á b").collect().height == 50


def test_an_error_of_the_games_comes_out_as_it_is_and_the_old_file_stays(tmp_path):
    path = tmp_path / "games.parquet"
    write_frames(path, [some_games(1, time=pl.lit(1.0))])
    before = digest(path)
    mistake = InputError("is cut off", where="games.pgn.zst")

    def broken():
        yield from [some_games(seed, time=pl.lit(1.0)) for seed in range(5)]
        raise mistake

    with pytest.raises(InputError) as caught:
        write_frames(path, broken())
    assert caught.value is mistake
    assert [*tmp_path.iterdir()] == [path]
    assert digest(path) == before


@pytest.mark.parametrize("error", [KeyError("x"), OSError(5, "Input/output error"), pl.exceptions.ComputeError("odd")])
def test_other_errors_are_not_taken_for_those_of_the_disk(tmp_path, error):
    def broken():
        yield some_games(1, time=pl.lit(1.0))
        raise error

    with pytest.raises(type(error)):
        write_frames(tmp_path / "games.parquet", broken())
    assert [*tmp_path.iterdir()] == []


def test_no_games_make_no_file(tmp_path):
    for none in ([], [some_games(1, 0)]):
        with pytest.raises(InputError, match="no games are left; expected at least one"):
            write_frames(tmp_path / "games.parquet", none)
    assert [*tmp_path.iterdir()] == []


FULL = """
import resource
from test_canonical import spooled
from test_spool import some_games
from ratesim.errors import InputError

resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
print("ready")
try:
    spooled(path, [some_games(seed, 10_000) for seed in range(10)])
except InputError as error:
    print(error)
"""

ENDLESS = """
import time
import polars as pl
from test_spool import SMALL, some_games
from ratesim.io import canonical
from ratesim.importing.spool import Spool

canonical.GROUP = 1000

def endless(spool):
    for seed in range(10**9):
        yield some_games(seed, 1000, time=pl.lit(1.0))
        if seed == 50:
            print("ready", flush=True)
            time.sleep(600)

with Spool(path, SMALL) as spool:
    spool.add(some_games(1))
    canonical.write_frames(path, endless(spool), within=spool.folder)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no limits of that kind")
def test_a_disk_that_fills_is_one_line_and_leaves_nothing(tmp_path):
    path = tmp_path / "games.parquet"
    said, _ = started(FULL, path).communicate(timeout=120)
    assert said == f"{path}: cannot be written (File too large)\n"
    assert [*tmp_path.iterdir()] == []


@pytest.mark.skipif(sys.platform == "win32", reason="no such signal")
@pytest.mark.parametrize("old", [False, True])
def test_killed_in_the_middle_there_is_no_file_or_the_old_one(tmp_path, old):
    path = tmp_path / "games.parquet"
    if old:
        write_frames(path, [some_games(1, time=pl.lit(1.0))])
        before = digest(path)
    killed(started(ENDLESS, path))
    assert [each for each in tmp_path.iterdir() if not each.name.startswith(".")] == ([path] if old else [])
    (folder,) = tmp_path.glob(".games.parquet.*.part")  # of the spool, in which the file is written
    assert (folder / path.name).stat().st_size > 0
    if old:
        assert digest(path) == before
    spooled(path, [some_games(2)])
    assert [*tmp_path.iterdir()] == [path]
