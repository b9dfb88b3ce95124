"""The spool gives back what was added, whatever memory it has, and leaves nothing behind."""

import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

from ratesim.errors import InputError
from ratesim.files import scratch, sweep
from ratesim.importing.spool import Spool
from ratesim.io.batch import GAMES

SMALL = 2_000  # bytes of memory, with which nearly everything goes to disk


def some_games(seed: int, count: int = 100, source: int = 0, **more: pl.Expr) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "source": pl.Series([source] * count, dtype=pl.UInt32),
            "place": np.arange(count),
            "first": [f"A{n}" for n in rng.integers(0, 20, count)],
            "second": [f"B{n}" for n in rng.integers(0, 20, count)],
            "score": rng.integers(0, 3, count) / 2,
            "time": rng.integers(0, 10, count).astype(float),
        }
    ).with_columns(**more)


def text(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.with_columns(pl.col(pl.Categorical).cast(pl.String))


@pytest.mark.parametrize("memory", [2**28, SMALL])
def test_rows_come_back_as_they_were_added(tmp_path, memory):
    batches = [
        some_games(1),
        some_games(2, pool=pl.lit("blitz"), game_id=pl.format("id{}", "place")),
        some_games(3, pool=pl.lit("rapid", pl.Categorical), edge=pl.lit(1.0), margin=pl.lit(None, pl.Float64)),
        some_games(4, 0),
        some_games(5, pool=pl.lit("bullet", pl.Enum(["bullet"])), precision=pl.lit("day")),
    ]
    with Spool(tmp_path / "games.parquet", memory) as spool:
        for batch in batches:
            spool.add(batch)
        assert spool.rows == 400
        frames = [(rows, text(spool.named(frame))) for rows, frame in spool.frames()]
        on_disk = [path for path in tmp_path.glob(".*/*") if path.suffix == ".arrow"]
    assert bool(on_disk) == (memory == SMALL)
    assert np.concatenate([rows for rows, _ in frames]).tolist() == list(range(400))
    added = pl.concat([text(batch).with_columns(pl.col(pl.Enum).cast(pl.String)) for batch in batches], how="diagonal")
    wanted = added.select("source", *[name for name in GAMES if name in added.columns and name != "margin"])
    back = pl.concat([frame for _, frame in frames]).with_columns(pl.col("precision").cast(pl.String))
    assert_frame_equal(back, wanted)


def test_names_are_counted(tmp_path):
    batches = [some_games(1), some_games(2)]
    with Spool(tmp_path / "games.parquet") as spool:
        for batch in batches:
            spool.add(batch)
        counts = zip(spool.players, spool.counts.tolist(), strict=True)
        counts = {name: count for name, count in counts if count}  # errors that other tests caught may hold names
        (_, frame), *_ = spool.frames()
        assert spool.named(frame)["first"].to_physical().equals(frame["first"])
    games = pl.concat(batches)
    assert counts == dict(pl.concat([games["first"], games["second"]]).value_counts().iter_rows())


TWO = """
import polars as pl
from test_spool import Spool, some_games

print("ready")
for name in ("x", "y"):
    with Spool(path) as spool:
        spool.add(some_games(1, second=pl.lit(name)))
        print(name in spool.players, len(spool.players))
"""


def test_a_second_spool_knows_nothing_of_the_first(tmp_path):
    # in a process of its own: here, errors that other tests caught may hold names
    said, _ = started(TWO, tmp_path / "games.parquet").communicate(timeout=120)
    assert said == "True 21\nTrue 21\n"


@pytest.mark.parametrize("memory", [2**28, SMALL])
def test_rows_are_left_out_and_taken(tmp_path, memory):
    batches = [some_games(seed) for seed in range(5)]
    leave_out = np.array([0, 99, 100, 101, 250, 499])
    with Spool(tmp_path / "games.parquet", memory) as spool:
        for batch in batches:
            spool.add(batch)
        frames = list(spool.frames({"time", "place"}, leave_out))
        taken = text(spool.take(np.array([499, 3, 250, 3])))
    rows = np.concatenate([rows for rows, _ in frames])
    assert rows.tolist() == [row for row in range(500) if row not in leave_out]
    games = pl.concat(batches)
    assert_frame_equal(pl.concat([frame for _, frame in frames]), games[rows].select("place", "time"))
    assert_frame_equal(taken, games[[499, 3, 250, 3]])


def test_nothing_stays_after_an_error(tmp_path):
    def broken():
        with Spool(tmp_path / "games.parquet", SMALL) as spool:
            spool.add(some_games(1))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        broken()
    assert list(tmp_path.iterdir()) == []


def test_a_run_that_clears_its_folder_leaves_an_import_into_it_alone(tmp_path):
    (tmp_path / ".summary.json.0123.part").touch()
    with Spool(tmp_path / "games.parquet", SMALL) as spool:
        spool.add(some_games(1))
        sweep(tmp_path)
        assert len([*tmp_path.iterdir()]) == 1
        assert sum(len(frame) for _, frame in spool.frames()) == 100


def test_a_folder_that_cannot_be_made_is_said(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="cannot be written"), Spool(tmp_path / "file" / "games.parquet"):
        pass


def started(program: str, path: Path) -> subprocess.Popen[str]:
    """A Python that runs a program, with `path` in it, and has come to where it prints a line."""
    command = [sys.executable, "-c", f"from pathlib import Path\npath = Path({str(path)!r})\n{program}"]
    other = subprocess.Popen(command, cwd=Path(__file__).parent, stdout=subprocess.PIPE, text=True)
    assert other.stdout.readline() == "ready\n"
    return other


def killed(other: subprocess.Popen[str]) -> None:
    other.send_signal(signal.SIGKILL)
    other.communicate()


WAITING = """
import time
from test_spool import SMALL, some_games
from ratesim.importing.spool import Spool

with Spool(path, SMALL) as spool:
    spool.add(some_games(1))
    print("ready", flush=True)
    time.sleep(600)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no such signal")
def test_what_a_killed_process_left_is_swept_and_what_a_living_one_works_in_stays(tmp_path):
    other = started(WAITING, tmp_path / "games.parquet")
    (left,) = tmp_path.iterdir()
    with scratch(tmp_path / "others.parquet") as mine:
        assert {*tmp_path.iterdir()} == {left, mine}
    killed(other)
    assert [path.suffix for path in left.iterdir() if path.name != ".lock"] == [".arrow"]
    with scratch(tmp_path / "others.parquet") as mine:
        assert [*tmp_path.iterdir()] == [mine]
    assert [*tmp_path.iterdir()] == []


@pytest.mark.parametrize("name", [".other.part", ".games.parquet.0123456g.part", ".games.parquet.01234567.part"])
@pytest.mark.parametrize("locked", [False, True])
def test_hidden_folders_of_others_stay(tmp_path, name, locked):
    theirs = tmp_path / name / "thesis.tex"
    theirs.parent.mkdir()
    theirs.write_text("a year's work")
    ours = locked and name.endswith(".01234567.part")
    if locked:
        (theirs.parent / ".lock").touch()
    with scratch(tmp_path / "games.parquet"):
        assert theirs.exists() != ours
    assert [path.name for path in tmp_path.iterdir()] == ([] if ours else [name])


@pytest.mark.skipif(sys.platform == "win32", reason="no limits of that kind")
def test_a_disk_that_fills_is_one_line_and_leaves_nothing(tmp_path):
    program = f"""
import resource
from test_spool import SMALL, some_games
from ratesim.errors import InputError
from ratesim.importing.spool import Spool
from pathlib import Path

resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
try:
    with Spool(Path({str(tmp_path / "games.parquet")!r}), SMALL) as spool:
        for seed in range(100):
            spool.add(some_games(seed))
except InputError as error:
    print(error)
"""
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=Path(__file__).parent, capture_output=True, text=True, check=True
    )
    assert done.stdout == f"{tmp_path / 'games.parquet'}: cannot be written (File too large)\n"
    assert list(tmp_path.iterdir()) == []
