"""A look at games on disk says what reading them does, and what follows is refused when the file has changed."""

import os
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import ratesim as rs
from ratesim.io.gamefile import GameFile

GOOD = {
    "first": ["A", "B", "A", "C"], "second": ["B", "C", "C", "A"], "score": [1.0, 0.0, 0.5, 1.0],
    "time": [17000.0, 17000.5, 17001.0, 17002.0],
}  # fmt: skip
NULL, NAN = pl.Series([None] * 4, dtype=pl.Float64), [float("nan")] * 4
TEXT = NULL.cast(pl.String)


def written(path: Path, **columns) -> Path:
    pl.DataFrame({**GOOD, **columns}).write_parquet(path)
    return path


@pytest.mark.parametrize(
    "columns",
    [
        {"margin": NULL}, {"margin": NAN}, {"margin": [None, 1.0, None, None]}, {"margin": [NAN[0], 1.0, None, 2]},
        {"published_first": NULL}, {"published_first": [1500.0, None, None, None]},
        {"published_second": [None, None, None, 1500.0]},
        {"published_first": NULL, "published_second": NULL},
        {"published_first": NULL, "published_second": [1.0, None, None, None]},
        {"published_first": NAN, "published_second": [None, None, 1400.0, 1500.0]},
        {"pool": TEXT}, {"season": TEXT.cast(pl.Categorical)}, {"event": TEXT},
        {"pool": ["b", "a", "b", "a"], "season": ["1", "1", "2", "2"]}, {"stage": ["cup", "league", "cup", "cup"]},
        {"termination": ["a", "b", "c", "d"]},
        {"first": ["A ", "B", "A ", "C"], "second": ["B", "C", "C", "A "]}, {"first": [" A", "B", "A", "C "]},
        {"time": [1999.0, 1999, 2000, 2001]}, {"time": [1999.5, 2000, 2000, 2001]}, {"time": [1999, 1999, 2000, 2001]},
        {"truth": [0.5] * 4, "skill_first": [1500.4] * 4, "skill_second": [1510.0] * 4},
    ],
)  # fmt: skip
@pytest.mark.parametrize("piece", [1, 3, 4])
def test_a_scan_finds_the_columns_and_the_doubts_that_reading_does(tmp_path, columns, piece):
    path = written(tmp_path / "g.parquet", **columns)
    read, file = rs.read(path), rs.scan(path, piece=piece)
    expected = dict(read.columns())
    assert set(file.columns) == expected.keys()
    assert file.notes == read.notes
    pieces = list(file.pieces())
    for each in pieces:
        assert [name for name, _ in each.columns()] == [*expected]
    for name, column in expected.items():
        assert np.array_equal(np.concatenate([getattr(each, name) for each in pieces]), column, equal_nan=True), name
    for told in ("published_starts", "skill_starts"):
        assert starts(file, told) == starts(read, told)


def starts(games: rs.GameStream | GameFile, told: str) -> list[tuple] | str:
    try:
        return getattr(games, told)().rows()
    except rs.InputError as error:
        return str(error)


def test_columns_without_a_type_say_nothing(tmp_path):
    path = written(tmp_path / "g.parquet", margin=[None] * 4, pool=[None] * 4)
    assert rs.scan(path).columns == tuple(GOOD)


def test_events_stay_on_disk(tmp_path):
    """Of these there may be as many as of games."""
    path = written(tmp_path / "g.parquet", event=["a", "b", "c", "d"])
    file = rs.scan(path)
    assert "event" not in file.columns
    assert [each.event for each in file.pieces()] == [None]


def test_published_ratings_of_one_side_alone_can_be_rated(tmp_path):
    path = written(tmp_path / "g.parquet", published_first=[1500.0, None, None, 1700.0])
    run = rs.replay(rs.Published(), rs.scan(path, piece=3))
    whole = rs.replay(rs.Published(), rs.read(path))
    assert np.array_equal(run.forecast, whole.forecast, equal_nan=True)


@pytest.fixture
def file(tmp_path):
    return rs.scan(written(tmp_path / "g.parquet"), piece=3)


def changed(file: GameFile, *, stamped: bool, **columns) -> None:
    """Write another file in the place of one, with the time and size it had or not."""
    was = file.path.stat()
    written(file.path, **columns)
    if stamped:
        os.utime(file.path, ns=(was.st_atime_ns, was.st_mtime_ns))
        object.__setattr__(file, "stamp", file.stamp._replace(size=file.path.stat().st_size))


CHANGES = {
    "results": {"score": [0.0, 0.0, 0.5, 1.0]},
    "nothing": {},
    "order": {"time": [17000.0, 17000.5, 17000.2, 17002.0]},
    "order of pieces": {"time": [17000.0, 17000.5, 17001.0, 17000.5]},
    "names": {"first": ["A", "B", "A", "Z"]},
    "end": {"time": [17000.0, 17000.5, 17001.0, 17003.0]},
}


def refused(play) -> None:
    with pytest.raises(rs.InputError) as error:
        play()
    assert "g.parquet: has changed since it was looked at; expected the same games throughout" in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("change", CHANGES)
def test_a_file_that_was_written_again_is_refused(file, change):
    os.utime(file.path, ns=(1, 1))
    changed(file, stamped=False, **CHANGES[change])
    refused(lambda: rs.replay(rs.Elo(), file))
    refused(lambda: file.digest)


@pytest.mark.parametrize("change", ["order", "order of pieces", "names", "end"])
def test_so_is_one_whose_time_and_size_say_nothing(file, change):
    changed(file, stamped=True, **CHANGES[change])
    refused(lambda: rs.replay(rs.Elo(), file))


@pytest.mark.parametrize("games", [0, 2, 3, 5, 6, 9])
def test_so_is_one_with_more_or_fewer_games(file, games):
    longer = {name: [*values, *values[-1:] * 5][:games] for name, values in GOOD.items()}
    changed(file, stamped=True, **longer)
    refused(lambda: rs.replay(rs.Elo(), file))


@pytest.mark.parametrize("content", [b"", b"first,second", None])
def test_so_is_one_that_is_gone_or_no_longer_one(file, content):
    if content is None:
        file.path.unlink()
    else:
        file.path.write_bytes(content)
    with pytest.raises(rs.InputError) as error:
        rs.replay(rs.Elo(), file)
    assert str(file.path) in str(error.value)
    assert "\n" not in str(error.value)


def test_so_is_one_that_changes_between_two_pieces(file):
    pieces = file.pieces()
    assert len(next(pieces)) == 3
    os.utime(file.path, ns=(1, 1))
    refused(lambda: next(pieces))


def test_so_is_one_that_changes_while_it_is_looked_at(tmp_path, monkeypatch):
    path = written(tmp_path / "g.parquet")
    frames = rs.io.gamefile._frames

    def meanwhile(*words):
        yield from frames(*words)
        os.utime(path, ns=(1, 1))

    monkeypatch.setattr("ratesim.io.gamefile._frames", meanwhile)
    refused(lambda: rs.scan(path))


def test_games_that_nobody_forecast_have_no_forecast():
    """What is kept is filled piece by piece, and never shows what memory held before."""
    from ratesim.replaying.kept import Keep, Ledger

    assert np.isnan(Ledger(Keep("all"), 1000, None).forecast).all()


@pytest.mark.parametrize("share", [0.1, 0.5, 0.99])
@pytest.mark.parametrize("verb", ["rate", "run", "inspect"])
def test_half_a_file_is_told_in_a_line(tmp_path, call, verb, share):
    rs.write_games(rs.GameStream.of(**GOOD), tmp_path / "whole.parquet")
    whole, half = (tmp_path / "whole.parquet").read_bytes(), tmp_path / "half.parquet"
    half.write_bytes(whole[: int(share * len(whole))])
    (tmp_path / "e.toml").write_text('[stream]\ngames = "half.parquet"\n[[system]]\nkind = "elo"\n')
    words = {"rate": (half, "--system", "elo"), "run": (tmp_path / "e.toml",), "inspect": (half,)}[verb]
    code, out, error = call(verb, *words)
    assert (code, out) == (2, "")
    assert "half.parquet" in error
    assert len(error.strip().splitlines()) == 1
    assert "ratesim failed" not in error
