"""Games of Lichess as Parquet: the columns of the sets on Hugging Face, read in slices, movetext never."""

import datetime as dt
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from ratesim.errors import InputError
from ratesim.io import lichess_table
from ratesim.io.batch import GAMES, Asked, Batch
from ratesim.io.sources import Source

ROW: dict[str, Any] = {
    "Event": "Rated Blitz game",
    "Site": "https://lichess.org/q7ZvsdUF",
    "White": "Ann",
    "Black": "Bob",
    "Result": "1-0",
    "WhiteTitle": None,
    "BlackTitle": "BOT",
    "WhiteElo": 1500,
    "BlackElo": 1487,
    "WhiteRatingDiff": 6,
    "BlackRatingDiff": None,
    "UTCDate": dt.date(2014, 10, 31),
    "UTCTime": dt.time(23, 59, 58),
    "ECO": "B00",
    "Opening": "King's Pawn Game",
    "Termination": "Normal",
    "TimeControl": "180+2",
    "movetext": "1. e4",
}
TYPES = dict.fromkeys(("WhiteElo", "BlackElo", "WhiteRatingDiff", "BlackRatingDiff"), pl.Int16) | {
    "UTCDate": pl.Date,
    "UTCTime": pl.Time,
}
SCHEMA = {name: TYPES.get(name, pl.String) for name in ROW}


def source(folder: Path, *changes: dict[str, Any], drop: tuple[str, ...] = ()) -> Source:
    path = folder / "data" / "year=2014" / "month=10" / "train-00000-of-00001.parquet"
    path.parent.mkdir(parents=True, exist_ok=True)
    pl.DataFrame([ROW | each for each in changes], SCHEMA).drop(drop).write_parquet(path)
    return Source(str(path), path)


def read(given: Source, *, raw: bool = False) -> Batch:
    assert lichess_table.is_lichess_table(given)
    (batch,) = lichess_table.batches([given], Asked(raw=raw))
    return batch


def test_a_game(tmp_path: Path) -> None:
    batch = read(source(tmp_path, {}))
    assert batch.games.to_dicts() == [
        {
            "place": 1,
            "first": "Ann",
            "second": "Bob",
            "score": 1.0,
            "time": pytest.approx(16374 + 86398 / 86400, abs=1e-9),
            "precision": "second",
            "edge": 1.0,
            "pool": "blitz",
            "published_first": 1500.0,
            "published_second": 1487.0,
            "change_first": 6.0,
            "rated": True,
            "termination": "Normal",
            "game_id": "q7ZvsdUF",
            "title_second": "BOT",
        }
    ]
    assert {name: kind for name, kind in batch.games.schema.items() if kind != GAMES[name]} == {}


@pytest.mark.parametrize(
    ("event", "pool", "of", "rated"),
    [
        ("Rated UltraBullet game", "ultraBullet", False, True),
        ("Rated Bullet tournament https://lichess.org/tournament/abcd1234", "bullet", True, True),
        ("Blitz swiss https://lichess.org/swiss/wxyz9876", "blitz", True, True),
        ("Classical simul https://lichess.org/simul/mnop5555", "classical", True, True),
        ("Rated King of the Hill game", "kingOfTheHill", False, True),
        ("Rated Three-check game", "threeCheck", False, True),
        ("Rated Racing Kings game", "racingKings", False, True),
        ("Rated Chess960 game", "chess960", False, True),
        ("Casual Correspondence game", "correspondence", False, False),
        ("Something else", None, True, True),
        (None, None, False, True),
    ],
)
def test_what_the_event_says(tmp_path: Path, event: str | None, pool: str | None, *, of: bool, rated: bool) -> None:
    batch = read(
        source(tmp_path, {"Event": event}, {"Event": "Rated Blitz tournament https://lichess.org/tournament/zzzz"})
    )
    row = batch.games.to_dicts()[0]
    assert (row["pool"], row["event"], row["rated"]) == (pool, event if of else None, rated)


def test_games_that_are_not_finished(tmp_path: Path) -> None:
    batch = read(source(tmp_path, {"Result": "*", "Termination": "Unterminated"}, {"Termination": "Abandoned"}))
    assert batch.left_out == {"unfinished": 1}
    assert batch.games["place"].to_list() == [2]
    assert batch.games["termination"].to_list() == ["Abandoned"]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"White": None}, "White: no player"),
        ({"Black": None}, "Black: no player"),
        ({"Result": None}, "Result: no result"),
        ({"Result": "1/2"}, "Result: '1/2'"),
        ({"UTCDate": None}, "UTCDate: no date"),
    ],
)
def test_games_that_are_wrong(tmp_path: Path, change: dict[str, Any], told: str) -> None:
    batch = read(source(tmp_path, {}, change, {"Result": "0-1"}), raw=True)
    (reject,) = batch.rejects.to_dicts()
    assert f"{reject['column']}: {reject['what']}".replace("{}", str(reject["value"])) == told
    assert reject["place"] == 2
    assert '"movetext"' not in reject["raw"]
    assert '"Black"' in reject["raw"]
    assert batch.games["score"].to_list() == [1.0, 0.0]
    assert batch.where(2, "White").endswith("train-00000-of-00001.parquet, row 2, column White")


def test_a_day_without_a_clock(tmp_path: Path) -> None:
    batch = read(source(tmp_path, {"UTCTime": None}, {}))
    assert batch.games["precision"].to_list() == ["day", "second"]
    assert batch.games["time"][0] == 16374.0


def test_columns_that_may_be_missing(tmp_path: Path) -> None:
    less = ("Site", "WhiteElo", "BlackElo", "WhiteTitle", "BlackTitle", "ECO", "Opening", "Termination", "movetext")
    batch = read(source(tmp_path, {}, drop=less))
    assert batch.games.columns == [
        "place", "first", "second", "score", "time", "precision", "edge", "pool", "change_first", "rated"
    ]  # fmt: skip


def test_slices_are_the_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    results = ["1-0", "0-1", "*", "1/2-1/2", "?"]
    given = source(tmp_path, *({"White": f"player {n}", "Result": results[n % 5]} for n in range(1003)))
    whole = read(given)
    monkeypatch.setattr(lichess_table, "SIZE", 100)
    pieces = list(lichess_table.batches([given], Asked()))
    assert len(pieces) == 11
    assert pl.concat([each.games for each in pieces]).equals(whole.games)
    assert pl.concat([each.rejects for each in pieces]).equals(whole.rejects)
    assert sum(each.left_out["unfinished"] for each in pieces[:10]) + pieces[10].left_out["unfinished"] == 201


def test_movetext_is_not_read(tmp_path: Path) -> None:
    given = source(tmp_path, {})
    plain = pl.DataFrame([ROW], SCHEMA)
    plain.write_parquet(given.path, compression="uncompressed", statistics=False)
    content = given.path.read_bytes()
    at = content.index(b"1. e4")
    given.path.write_bytes(content[: at - 20] + b"\xff" * 20 + content[at:])
    with pytest.raises(pl.exceptions.PolarsError):
        pl.read_parquet(given.path, glob=False, hive_partitioning=False)
    assert read(given).games["first"].to_list() == ["Ann"]


@pytest.mark.parametrize("coded", [pl.Categorical(), pl.Enum])
def test_text_may_be_dictionary_encoded(tmp_path: Path, coded: Any) -> None:
    given = source(tmp_path, {}, {"White": "Cy", "Result": "*"}, {"Event": None, "BlackTitle": None, "Result": "?"})
    plain, table = read(given), pl.read_parquet(given.path, hive_partitioning=False)
    texts = [each for each in table if each.dtype == pl.String and each.null_count() < 3]
    kinds = {each.name: coded(each.drop_nulls().unique()) if coded is pl.Enum else coded for each in texts}
    table.cast(kinds).write_parquet(given.path)
    assert {pl.read_parquet_schema(given.path)[name] for name in ("White", "Event", "Site")} != {pl.String()}
    batch = read(given)
    assert batch.games.equals(plain.games)
    assert batch.rejects.equals(plain.rejects)
    assert batch.left_out == plain.left_out == {"unfinished": 1}


def test_times_are_right_to_the_last_digit(tmp_path: Path) -> None:
    clocks = [dt.time(n % 24, 7 * n % 60, 13 * n % 60) for n in range(200)]
    seconds = [3600 * each.hour + 60 * each.minute + each.second for each in clocks]
    batch = read(source(tmp_path, *({"UTCTime": each} for each in clocks)))
    assert batch.games["time"].to_list() == [16374 + each / 86_400 for each in seconds]


def test_a_column_of_another_type(tmp_path: Path) -> None:
    path = tmp_path / "games.parquet"
    pl.DataFrame([ROW | {"UTCDate": "2014.10.31"}]).write_parquet(path)
    with pytest.raises(InputError, match=r"games.parquet, column UTCDate: is of String; expected Date"):
        read(Source(str(path), path))


def test_other_tables_and_broken_ones(tmp_path: Path) -> None:
    other, broken = tmp_path / "other.parquet", tmp_path / "broken.parquet"
    pl.DataFrame({"first": ["Ann"], "second": ["Bob"], "score": [1.0], "time": [0]}).write_parquet(other)
    broken.write_bytes(source(tmp_path, {}).path.read_bytes()[:-20])
    assert not lichess_table.is_lichess_table(Source(str(other), other))
    with pytest.raises(InputError, match=r"broken.parquet: cannot be read"):
        lichess_table.is_lichess_table(Source(str(broken), broken))
