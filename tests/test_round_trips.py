"""The same ten games written in every format and read again: equal columns, all that the format can hold."""

import bz2
import gzip
import json
import sys
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal
from tournaments import report, row

import ratesim as rs
from ratesim.io import trf_batches
from ratesim.io.batch import Asked
from ratesim.io.sources import Source

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

# Five players, each against each, two games a day and one player away; ratings are those of the first day. Names have
# capitals, which ids of Lichess lack.
RATINGS = {"Ada": 2100, "Bo": 1987, "Cy": 1875, "Di": 1760, "Eva": 1644}
PAIRED = [
    "Ada Bo 1",
    "Cy Di ½",
    "Ada Cy ½",
    "Eva Bo 0",
    "Di Ada 0",
    "Cy Eva 1",
    "Eva Ada ½",
    "Bo Di 1",
    "Bo Cy 0",
    "Di Eva ½",
]
SCORES = {"1": 1.0, "½": 0.5, "0": 0.0}
WORDS = {1.0: "1-0", 0.5: "1/2-1/2", 0.0: "0-1"}
EVENT = "tenGames"
ARENA = f"Rated Blitz tournament https://lichess.org/tournament/{EVENT}"


def ten() -> pl.DataFrame:
    rows = []
    for n, told in enumerate(PAIRED):
        first, second, score = told.split()
        rows.append(
            {
                "first": first,
                "second": second,
                "score": SCORES[score],
                "moment": datetime(2024, 2, 27, 9, 30, tzinfo=UTC) + timedelta(days=n // 2, hours=n % 2, seconds=n),
                "edge": 1.0,
                "pool": "blitz",
                "published_first": float(RATINGS[first]),
                "published_second": float(RATINGS[second]),
                "change_first": 4 * SCORES[score] - 2,
                "change_second": 2 - 4 * SCORES[score],
                "game_id": f"tenGame{n}",
            }
        )
    days = pl.col("moment").dt.timestamp("us") / 86_400e6
    return pl.DataFrame(rows).with_columns(time=days, event=pl.lit(EVENT))


GAMES = ten()
ROWS = GAMES.to_dicts()
COLUMNS = ("first", "second", "score", "time", "edge", "event", "pool", "published_first", "published_second")


def pgn(games: list[dict[str, Any]] = ROWS) -> str:
    return "\n".join(
        f"""[Event "{ARENA}"]
[Site "https://lichess.org/{game["game_id"]}"]
[Date "{game["moment"]:%Y.%m.%d}"]
[Round "-"]
[White "{game["first"]}"]
[Black "{game["second"]}"]
[Result "{WORDS[game["score"]]}"]
[UTCDate "{game["moment"]:%Y.%m.%d}"]
[UTCTime "{game["moment"]:%H:%M:%S}"]
[WhiteElo "{game["published_first"]:.0f}"]
[BlackElo "{game["published_second"]:.0f}"]
[WhiteRatingDiff "{game["change_first"]:+.0f}"]
[BlackRatingDiff "{game["change_second"]:+.0f}"]
[TimeControl "180+2"]
[Termination "Normal"]

1. e4 {{ [%clk 0:03:00] }} e5 {WORDS[game["score"]]}
"""
        for game in games
    )


def pgn_of_chesscom() -> str:
    return "\n".join(
        f"""[Event "Live Chess"]
[Site "Chess.com"]
[Date "{game["moment"]:%Y.%m.%d}"]
[Round "-"]
[White "{game["first"]}"]
[Black "{game["second"]}"]
[Result "{WORDS[game["score"]]}"]
[UTCDate "{game["moment"]:%Y.%m.%d}"]
[UTCTime "{game["moment"]:%H:%M:%S}"]
[WhiteElo "9"]
[BlackElo "9"]
[Variant "King of the Hill"]
[TimeControl "180"]
[Termination "{game["first"]} won by resignation"]
[Link "https://www.chess.com/game/live/{100_000_000 + n}"]

1. e4 {WORDS[game["score"]]}
"""
        for n, game in enumerate(ROWS)
    )


def plain(path: Path) -> None:
    path.write_text(pgn())


def gzipped(path: Path) -> None:
    path.write_bytes(gzip.compress(pgn().encode()))


def bzipped(path: Path) -> None:
    path.write_bytes(bz2.compress(pgn().encode()))


def zstandard(path: Path) -> None:
    path.write_bytes(zstd.compress(pgn(ROWS[:4]).encode() + b"\n") + zstd.compress(pgn(ROWS[4:]).encode()))


def zipped(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("early.pgn", pgn(ROWS[:4]))
        archive.writestr("later/late.pgn", pgn(ROWS[4:]))


def lichess_table(path: Path) -> None:
    pl.DataFrame(
        {
            "Event": [ARENA] * 10,
            "Site": "https://lichess.org/" + GAMES["game_id"],
            "White": GAMES["first"],
            "Black": GAMES["second"],
            "Result": GAMES["score"].replace_strict(WORDS),
            "WhiteElo": GAMES["published_first"].cast(pl.Int16),
            "BlackElo": GAMES["published_second"].cast(pl.Int16),
            "WhiteRatingDiff": GAMES["change_first"].cast(pl.Int16),
            "BlackRatingDiff": GAMES["change_second"].cast(pl.Int16),
            "UTCDate": GAMES["moment"].dt.date(),
            "UTCTime": GAMES["moment"].dt.time(),
            "Termination": ["Normal"] * 10,
            "movetext": ["1. e4 e5"] * 10,
        }
    ).write_parquet(path)


def lichess(path: Path, *, old: bool = False) -> None:
    lines = []
    for game in reversed(ROWS):  # the API has the newest first
        sides = {
            colour: {
                **({"userId": game[side].lower()} if old else {"user": {"name": game[side], "id": game[side].lower()}}),
                "rating": int(game[f"published_{side}"]),
                "ratingDiff": int(game[f"change_{side}"]),
            }
            for colour, side in (("white", "first"), ("black", "second"))
        }
        told = {
            "id": game["game_id"],
            "rated": True,
            "perf": "blitz",
            "createdAt": round(game["moment"].timestamp() * 1000),
            "status": "draw" if game["score"] == 0.5 else "mate",
            "players": sides,
            **({} if game["score"] == 0.5 else {"winner": "white" if game["score"] else "black"}),
            **({} if old else {"arenaTour": {"id": EVENT, "name": "Ten games"}}),
        }
        lines.append(json.dumps(told))
    path.write_text("\n".join(lines) + "\n")


def lichess_old(path: Path) -> None:
    lichess(path, old=True)


def chesscom(path: Path, rules: str = "chess") -> None:
    results = {1.0: ("win", "resigned"), 0.5: ("agreed", "agreed"), 0.0: ("timeout", "win")}
    games = [
        {
            "url": f"https://www.chess.com/game/live/{100_000_000 + n}",
            "rated": True,
            "end_time": round(game["moment"].timestamp()),
            "time_class": "blitz",
            "rules": rules,
            "tournament": f"https://api.chess.com/pub/tournament/{EVENT}",
            "white": {"username": game["first"], "rating": 9, "result": results[game["score"]][0]},
            "black": {"username": game["second"], "rating": 9, "result": results[game["score"]][1]},
        }
        for n, game in enumerate(ROWS)
    ]
    path.write_text(json.dumps({"games": games}))


TABLE = GAMES.select(*COLUMNS, id="game_id")


def tsv(path: Path) -> None:
    TABLE.write_csv(path, separator="\t")


def sides(path: Path) -> None:
    """Write a row for each player of each game, those of one game far apart."""
    both = []
    for mine, is_first in (("first", True), ("second", False)):
        score = pl.col("score") if is_first else 1 - pl.col("score")
        both.append(
            GAMES.select(
                "time", "edge", "event", "pool", id="game_id", player=mine, score=score, published=f"published_{mine}",
                side=pl.lit("white" if is_first else "black"),
            )
        )  # fmt: skip
    pl.concat(both).write_csv(path)


def trf(path: Path) -> None:
    names = [*RATINGS]
    rounds: dict[str, list[str]] = {name: ["0000 - Z"] * 5 for name in names}
    for n, game in enumerate(ROWS):
        for mine, theirs, colour in (("first", "second", "w"), ("second", "first", "b")):
            score = game["score"] if mine == "first" else 1 - game["score"]
            foe = names.index(game[theirs]) + 1
            rounds[game[mine]][n // 2] = f"{foe:>4} {colour} {'=' if score == 0.5 else f'{score:.0f}'}"
    points = {name: sum({"1": 1.0, "=": 0.5}.get(each[-1], 0.0) for each in rounds[name]) for name in names}
    lines = [row(n, name, *rounds[name], rating=RATINGS[name], points=points[name]) for n, name in enumerate(names, 1)]
    days = "".join(f"{ROWS[n]['moment']:%y/%m/%d}".rjust(96 if n == 0 else 10) for n in range(0, 10, 2))
    head = [f"012 {EVENT}", "042 2024/02/27", "122 3 minutes + 2 seconds per move", f"132{days}"]
    path.write_text(report(*head, *lines))


Write = Callable[[Path], None]
Call = Callable[..., tuple[int, str, str]]
SIDES_MAP = {"rows": "sides", "player": "player", "side": "side", "first_side": "white"}
FORMATS: dict[str, tuple[Write, tuple[str, ...], dict[str, Any]]] = {
    "ten.pgn": (plain, COLUMNS, {}),
    "ten.pgn.gz": (gzipped, COLUMNS, {}),
    "ten.pgn.bz2": (bzipped, COLUMNS, {}),
    "ten.pgn.zst": (zstandard, COLUMNS, {}),
    "ten.zip": (zipped, COLUMNS, {}),
    "ten-lichess.parquet": (lichess_table, COLUMNS, {}),
    "ten-new.ndjson": (lichess, COLUMNS, {}),
    "ten-old.ndjson": (lichess_old, tuple(name for name in COLUMNS if name != "event"), {}),
    "ten.json": (chesscom, ("first", "second", "score", "time", "edge", "event", "pool"), {}),
    "ten.csv": (TABLE.write_csv, COLUMNS, {}),
    "ten.tsv": (tsv, COLUMNS, {}),
    "ten.parquet": (TABLE.write_parquet, COLUMNS, {}),
    "ten.arrow": (TABLE.write_ipc, COLUMNS, {}),
    "ten-sides.csv": (sides, COLUMNS, SIDES_MAP),
    "ten.trf": (trf, COLUMNS, {}),
}


def expected(name: str, columns: tuple[str, ...]) -> pl.DataFrame:
    """Return the games as a format can hold them: a report has days, tags of Lichess have more words for an event."""
    held = GAMES.select(columns)
    if ".pgn" in name or name in {"ten.zip", "ten-lichess.parquet"}:
        held = held.with_columns(event=pl.lit(ARENA))
    if name == "ten-old.ndjson":
        held = held.with_columns(pl.col("first", "second").str.to_lowercase())
    if name.endswith(".trf"):
        held = held.with_columns(pl.col("time").floor())
    return held.sort("time", "first")


@pytest.mark.parametrize("name", FORMATS)
def test_ten_games_come_back(tmp_path: Path, name: str) -> None:
    write, columns, mapped = FORMATS[name]
    write(tmp_path / name)
    stream = rs.read(tmp_path / name, mapped or None)
    assert_frame_equal(stream.to_frame().select(columns).sort("time", "first"), expected(name, columns))
    assert len(stream) == 10


@pytest.mark.parametrize("name", FORMATS)
def test_an_import_is_what_is_read(tmp_path: Path, call: Call, name: str) -> None:
    write, columns, mapped = FORMATS[name]
    write(tmp_path / name)
    options = [f"--map={key}={value}" for key, value in mapped.items()]
    code, _, said = call("import", tmp_path / name, "--output", tmp_path / "games.parquet", *options)
    assert code == 0, said
    stream, imported = rs.read(tmp_path / name, mapped or None), rs.read(tmp_path / "games.parquet")
    assert imported.digest == stream.digest
    wanted = expected(name, columns)
    kept = pl.read_parquet(tmp_path / "games.parquet").select(columns).cast(dict(wanted.schema))
    assert_frame_equal(kept.sort("time", "first"), wanted)


@pytest.mark.parametrize("name", ["ten.pgn", "ten-lichess.parquet", "ten-new.ndjson", "ten-old.ndjson"])
def test_an_import_keeps_more_than_a_stream(tmp_path: Path, call: Call, name: str) -> None:
    FORMATS[name][0](tmp_path / name)
    assert call("import", tmp_path / name, "--output", tmp_path / "games.parquet")[0] == 0
    kept = pl.read_parquet(tmp_path / "games.parquet")
    for column in ("change_first", "change_second"):
        assert kept[column].to_list() == GAMES[column].to_list()
    assert kept["game_id"].to_list() == GAMES["game_id"].to_list()
    assert kept["rated"].all()
    assert set(kept["precision"]) == {"second"}
    assert len(set(kept["termination"])) == (1 if name in {"ten.pgn", "ten-lichess.parquet"} else 2)


def test_games_told_in_several_formats_are_there_once(tmp_path: Path, call: Call) -> None:
    names = ("ten.pgn", "ten-lichess.parquet", "ten-new.ndjson")
    for name in names:
        FORMATS[name][0](tmp_path / name)
    assert_there_once(tmp_path, call, *names)


def test_pgn_and_archives_of_chesscom_are_the_same_games(tmp_path: Path, call: Call) -> None:
    (tmp_path / "ten.pgn").write_text(pgn_of_chesscom())
    chesscom(tmp_path / "ten.json", "kingofthehill")
    assert_there_once(tmp_path, call, "ten.pgn", "ten.json")
    for name in ("ten.pgn", "ten.json"):
        assert rs.read(tmp_path / name).pools == ("kingOfTheHill blitz",)


def assert_there_once(folder: Path, call: Call, *names: str) -> None:
    """Import files that tell the same games, and find each of them once, between players who are called alike."""
    code, said, _ = call("import", *(folder / name for name in names), "-o", folder / "games.parquet", "--json")
    assert code == 0
    stream = rs.read(folder / "games.parquet")
    assert (len(stream), {*stream.players["player"]}) == (10, {*RATINGS})
    assert json.loads(said)["duplicates"]["exact"] == 10 * (len(names) - 1)


def test_games_of_a_match_are_as_many_as_were_played(tmp_path: Path, call: Call) -> None:
    match = [
        row(1, "Ada", *["   2 w 1", "   2 b 0"] * 2, points=2.0),
        row(2, "Bo", *["   1 b 0", "   1 w 1"] * 2, points=2.0),
    ]
    (tmp_path / "match.trf").write_text(report("012 Match", "042 2024/02/27", *match))
    code, said, _ = call("import", tmp_path / "match.trf", "-o", tmp_path / "once.parquet", "--json")
    assert (code, json.loads(said)["games"]) == (0, 4)
    assert call("import", tmp_path / "once.parquet", "-o", tmp_path / "again.parquet")[0] == 0
    for name in ("match.trf", "once.parquet", "again.parquet"):
        assert len(rs.read(tmp_path / name)) == 4


def test_a_tournament_in_two_reports_is_said_and_kept(tmp_path: Path, call: Call) -> None:
    for name, rating in (("one.trf", 2100), ("other.trf", 2101)):
        players = [
            row(1, "Ada", "   2 w 1", "   2 w 1", rating=rating, points=2.0),
            row(2, "Bo", "   1 b 0", "   1 b 0"),
        ]
        (tmp_path / name).write_text(report("012 Match", "042 2024/02/27", *players))
    code, said, _ = call("import", tmp_path / "one.trf", tmp_path / "other.trf", "-o", tmp_path / "g.parquet", "--json")
    told = json.loads(said)
    assert (code, told["games"], told["duplicates"]["exact"], len(told["twice"])) == (0, 4, 0, 1)


def test_a_report_gives_its_games_the_same_ids_beside_any_other(tmp_path: Path) -> None:
    match = [row(1, "Ada", "   2 w 1", "   2 w 1", points=2.0), row(2, "Bo", "   1 b 0", "   1 b 0")]
    rated = [row(1, "Cy", "   2 w 1", rating=2100, points=1.0), row(2, "Di", "   1 b 0", rating=2000)]
    reports = {
        "match.trf": report("012 Match", "042 2024/02/27", *match),
        "blitz.trf": report("012 Blitz", "042 2024/02/28", "052 2024/02/28", "122 3 min + 2 sec per move", *rated),
    }
    for name, text in reports.items():
        (tmp_path / name).write_text(text)
    one, other = (Source(name, tmp_path / name) for name in reports)
    alone, beside = (next(iter(trf_batches.batches(sources, Asked()))).games for sources in ([one], [other, one]))
    assert alone["game_id"].n_unique() == 2
    assert beside["game_id"].n_unique() == 3
    assert {*alone["game_id"]} < {*beside["game_id"]}
