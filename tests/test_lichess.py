"""Games of Lichess' API: both shapes, every way a game can end, and lines that are broken."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings, strategies as st

from ratesim.errors import InputError
from ratesim.io import json_games, lichess
from ratesim.io.batch import ANONYMOUS, BOT, GAMES, Asked, Batch
from ratesim.io.sources import Source

CREATED = 1_672_074_461_465  # 2022-12-26 17:07:41.465 UTC
Game = dict[str, Any]


def user(name: str, **more: object) -> Game:
    return {"user": {"name": name, "id": name.lower()}, "rating": 1500, **more}


def game(white: Game | None = None, black: Game | None = None, status: str = "mate", **more: object) -> Game:
    """Return a game as the API tells it today."""
    return {
        "id": "q7ZvsdUF",
        "rated": True,
        "variant": "standard",
        "speed": "blitz",
        "perf": "blitz",
        "createdAt": CREATED,
        "lastMoveAt": CREATED + 200_000,
        "status": status,
        "source": "pool",
        "players": {"white": user("Ann") if white is None else white, "black": user("Bob") if black is None else black},
        "clock": {"initial": 300, "increment": 3, "totalTime": 420},
        "moves": "e4 e5",
        **more,
    }


Reads = Callable[..., list[Batch]]


@pytest.fixture
def read(tmp_path: Path) -> Reads:
    def reads(content: bytes | str, *, raw: bool = False, name: str = "games.ndjson") -> list[Batch]:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return list(lichess.batches([Source(str(path), path)], Asked(raw=raw)))

    return reads


@pytest.fixture
def one(read: Reads) -> Callable[..., Batch]:
    def reads_one(*games: Game) -> Batch:
        (batch,) = read("".join(json.dumps(each) + "\n" for each in games))
        return batch

    return reads_one


def rows(batches: list[Batch]) -> list[Game]:
    return pl.concat([each.games for each in batches], how="diagonal").to_dicts()


def rows_and_rejects(batches: list[Batch], place: int) -> list[Game]:
    """Return what is said of the line after some, of which `place` is the number."""
    frames = [each.games.cast({"precision": pl.String}) for each in batches] + [each.rejects for each in batches]
    told = pl.concat(frames, how="diagonal").filter(pl.col("place") == place + 1).drop("place").to_dicts()
    return [{key: value for key, value in row.items() if value is not None} for row in told]


def test_a_game_of_today(one: Callable[..., Batch]) -> None:
    white, black = user("Ann", ratingDiff=6, provisional=True), user("maia1", rating=1397, ratingDiff=-5)
    black["user"]["title"] = "BOT"
    batch = one(game(white, black, winner="black", arenaTour={"id": "abcd1234", "name": "Hourly"}))
    assert batch.games.to_dicts() == [
        {
            "place": 1,
            "first": "Ann",
            "second": "maia1",
            "score": 0.0,
            "time": pytest.approx(19352 + (17 * 3600 + 7 * 60 + 41.465) / 86400, abs=1e-9),
            "precision": "second",
            "edge": 1.0,
            "event": "abcd1234",
            "pool": "blitz",
            "rated": True,
            "termination": "mate",
            "game_id": "q7ZvsdUF",
            "published_first": 1500.0,
            "published_second": 1397.0,
            "change_first": 6.0,
            "change_second": -5.0,
            "title_second": "BOT",
        }
    ]
    assert {name: kind for name, kind in batch.games.schema.items() if kind != GAMES[name]} == {}


def test_a_game_of_2016(one: Callable[..., Batch]) -> None:
    old = game({"userId": "sydeman", "rating": 1276, "ratingDiff": 15}, {"userId": "torrlane", "rating": 1403})
    batch = one(old | {"winner": "white", "turns": 45, "color": "black", "url": "https://lichess.org/q7ZvsdUF/black"})
    (row,) = batch.games.to_dicts()
    assert (row["first"], row["second"], row["score"]) == ("sydeman", "torrlane", 1.0)
    assert (row["published_first"], row["published_second"], row["change_first"]) == (1276, 1403, 15)
    assert row["change_second"] is None if "change_second" in row else True


@pytest.mark.parametrize(
    ("status", "winner", "score"),
    [
        ("mate", "white", 1.0),
        ("resign", "black", 0.0),
        ("outoftime", "white", 1.0),
        ("timeout", "black", 0.0),
        ("cheat", "white", 1.0),
        ("variantEnd", "black", 0.0),
        ("draw", None, 0.5),
        ("stalemate", None, 0.5),
        ("outoftime", None, 0.5),
        ("timeout", None, 0.5),
        ("insufficientMaterialClaim", None, 0.5),
    ],
)
def test_how_games_end(one: Callable[..., Batch], status: str, winner: str | None, score: float) -> None:
    batch = one(game(status=status, **({"winner": winner} if winner else {})))
    assert batch.games["score"].to_list() == [score]
    assert batch.games["termination"].to_list() == [status]
    assert batch.rejects.is_empty()


@pytest.mark.parametrize(
    ("status", "winner", "reason"),
    [
        ("created", None, "unfinished"),
        ("started", None, "unfinished"),
        ("aborted", None, "aborted"),
        ("noStart", "white", "aborted"),
    ],
)
def test_games_that_were_none_are_left_out(
    one: Callable[..., Batch], status: str, winner: str | None, reason: str
) -> None:
    batch = one(game(status=status, winner=winner), game(winner="white"))
    assert batch.left_out == {reason: 1}
    assert batch.games["place"].to_list() == [2]
    assert batch.rejects.is_empty()


def test_no_game_at_all(one: Callable[..., Batch]) -> None:
    batch = one(game(status="started"))
    assert batch.games.is_empty()
    assert {"place", "first", "second", "score", "time"} <= {*batch.games.columns}


@pytest.mark.parametrize(
    ("change", "column", "told"),
    [
        ({"status": "cheat"}, "status", "'cheat' without a winner"),
        ({"status": "unknownFinish"}, "status", "'unknownFinish' without a winner"),
        ({"status": None}, "status", "no status and no winner"),
        ({"winner": "green"}, "winner", "'green' is no side"),
        ({"winner": "white", "createdAt": None}, "createdAt", "no time"),
        ({"winner": "white", "createdAt": "soon"}, "createdAt", "'soon' is not a whole number"),
        ({"winner": "white", "rated": 1}, "rated", "'1' is not true or false"),
        ({"winner": "white", "players": {"white": user("Ann")}}, "players.black", "no player"),
        ({"winner": "white", "players": {"white": 7}}, "players.white", "'7' is not an object"),
    ],
)
def test_games_that_are_wrong(one: Callable[..., Batch], change: Game, column: str, told: str) -> None:
    batch = one(game(winner="black"), game() | change, game(winner="black"))
    (reject,) = batch.rejects.to_dicts()
    assert (reject["place"], reject["column"]) == (2, column)
    assert reject["what"].replace("{}", str(reject["value"])) == told
    assert reject["expected"]
    assert batch.games["place"].to_list() == [1, 3]
    assert batch.where(reject["place"], reject["column"]).endswith(f"games.ndjson, line 2, key {column}")


def test_a_player_is_called_by_name_or_else_by_id(one: Callable[..., Batch]) -> None:
    batch = one(game(user("DrNykterstein"), {"user": {"id": "maia1"}}, winner="white"))
    assert batch.games.select("first", "second").row(0) == ("DrNykterstein", "maia1")
    assert not {"name_first", "name_second"} & {*batch.games.columns}


def test_times_are_right_to_the_last_digit(one: Callable[..., Batch]) -> None:
    moments = [CREATED + 7_919 * n for n in range(200)]
    assert one(*(game(winner="white", createdAt=each) for each in moments)).games["time"].to_list() == [
        each / 86_400_000 for each in moments
    ]


def test_players_without_an_account(one: Callable[..., Batch]) -> None:
    batch = one(
        game({"aiLevel": 3}, {}, winner="white"),
        game({"name": "Fischer, Robert James", "rating": 2780}, winner="white"),
        game({}, {}, status="draw"),
    )
    assert batch.games["first"].to_list() == ["lichess AI level 3", "Fischer, Robert James", ANONYMOUS]
    assert batch.games["second"].to_list() == [ANONYMOUS, "Bob", ANONYMOUS]
    assert batch.games["title_first"].to_list() == [BOT, None, None]


def test_broken_lines_cost_themselves(read: Reads) -> None:
    good = json.dumps(game(winner="white"))
    lines = [good, '{"id": "half', "", "nonsense", good, "[1]", '{"id": NaN}', good + good, "null", good, good[:200]]
    (most, last) = read("\n".join(lines), raw=True)
    assert most.games["place"].to_list() == [1, 5, 10]
    assert most.rejects["place"].to_list() == [2, 4, 6, 7, 8, 9]
    assert last.rejects["place"].to_list() == [11]
    assert most.rejects["raw"].to_list()[:2] == ['{"id": "half', "nonsense"]
    assert last.rejects["raw"].to_list() == [good[:200]]
    assert set(most.rejects["what"]) == {"is no game in JSON: '{}'"}


def test_a_game_is_the_same_whatever_its_neighbours(read: Reads) -> None:
    odd = [
        game(winner="white", id=5),
        game(winner="white", createdAt=float(CREATED)),
        game({"userId": "\ud83d\ude00é"}, winner="white", perf=["x"]),
        game(user("Ann", rating=1500.0), winner="black"),
    ]
    lines = [json.dumps(each) for each in odd]
    alone = [rows(read(line + "\n"))[0] | {"place": 1} for line in lines]
    together = [row | {"place": 1} for row in rows(read("\n".join([*lines, "broken", ""])))]
    assert alone == [{key: row[key] for key in one} for row, one in zip(together, alone, strict=True)]
    assert [row["game_id"] for row in together] == ["5", "q7ZvsdUF", "q7ZvsdUF", "q7ZvsdUF"]


GOOD = json.dumps(game(winner="white")).encode()
PIECES = st.sampled_from(
    [b"{", b"}", b"[", b'"', b"\\", b",", b":", b"null", b"1e999", b"\x00", b"\xff", b"\r", b" ", b"-"]
)


@given(st.lists(st.tuples(st.integers(0, len(GOOD)), st.integers(0, 40), PIECES | st.binary(max_size=6)), max_size=4))
@settings(max_examples=150)
def test_whatever_a_line_is_it_costs_itself_alone(
    tmp_path_factory: pytest.TempPathFactory, changes: list[tuple[int, int, bytes]]
) -> None:
    line = GOOD
    for at, n, piece in changes:
        line = line[:at] + piece + line[at + n :]
    line = line.replace(b"\n", b" ")
    path = tmp_path_factory.getbasetemp() / "fuzz.ndjson"
    path.write_bytes(b"\n".join([GOOD, line, GOOD, b""]))
    (batch,) = lichess.batches([Source(str(path), path)], Asked(raw=True))
    assert {1, 3} <= set(batch.games["place"]) <= {1, 2, 3}
    done = len(batch.games) + len(batch.rejects) + sum(batch.left_out.values())
    assert done == (3 if line.strip() else 2)


@pytest.mark.parametrize("half", ["\\ud800", "\\uDC00", "\\uD83D\\uD83D"])
@pytest.mark.parametrize("beside", [0, 1, 200])
def test_half_a_character_is_refused(read: Reads, half: str, beside: int) -> None:
    line = json.dumps(game(winner="white"))
    (batch,) = read("\n".join([line] * beside + [line.replace("q7ZvsdUF", f"{half}x")] + [line] * beside + [""]))
    assert batch.rejects.select("place", "column").rows() == [(beside + 1, "id")]
    assert len(batch.games) == 2 * beside


LINE = json.dumps(game(winner="white"))
WHOLE, TEXT = '"createdAt": 1672074461465', '"id": "q7ZvsdUF"'


@pytest.mark.parametrize(
    ("said", "instead"),
    [
        (TEXT, f'{TEXT}, "id": "second"'),
        (TEXT, f'{TEXT}, "\\u0069d": "second"'),
        (TEXT, f'"id": null, {TEXT}'),
        (WHOLE, f'{WHOLE}, "createdAt": 5, "createdAt": "soon"'),
        ('"rating": 1500', '"rating": 1400, "rating": 1500'),
        ('"players": {', '"players": {"white": {"userId": "ann"}, '),
        *((TEXT, f'"id": {value}') for value in ("1.0", "-0.0", "1e22", '{"a": "é", "b": [1.50]}', "1e-400", "true")),
        *((WHOLE, f'"createdAt": {value}') for value in (-(2**63), 2**63, "1.5", "1e12", "1e400", "true", '"5"')),
    ],
)
def test_what_a_line_says_is_no_matter_of_its_neighbours(read: Reads, said: str, instead: str) -> None:
    line = LINE.replace(said, instead, 1)
    assert line != LINE
    far, near = f"{LINE}\n" * 100, "{\n[]\n"
    around = (("", ""), (far, far), (near, ""), (far + near, near + far), ("\n", "\n\n"))
    found = [rows_and_rejects(read(f"{before}{line}\n{after}"), before.count("\n")) for before, after in around]
    assert found[0]
    assert found == found[:1] * 5


@pytest.mark.parametrize("said", ["second", "first"])
def test_of_a_key_told_twice_the_first_counts(read: Reads, said: str) -> None:
    line = LINE.replace(TEXT, f'{TEXT}, "id": "{said}"', 1)
    for content in (f"{line}\n", f"{line}\n{{\n", f"[{line}]"):
        assert [row["game_id"] for row in rows(read(content))] == ["q7ZvsdUF"]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("start", ["", "\ufeff"])
def test_ends_of_lines_and_marks(read: Reads, end: str, start: str) -> None:
    (batch,) = read(start + (json.dumps(game(winner="white")) + end) * 3, raw=True)
    assert batch.games["place"].to_list() == [1, 2, 3]
    assert batch.rejects.is_empty()


def test_blocks_end_where_lines_do(read: Reads, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = []
    for n in range(300):
        more = {"moves": "e4 " * (n * 37 % 101), "id": f"{n:08}"}
        lines.append("" if n % 50 == 9 else "{" if n % 50 == 33 else json.dumps(game(winner="white") | more))
    content = "\n".join(lines)
    whole = read(content)
    monkeypatch.setattr(json_games, "BLOCK", 1000)
    pieces = read(content)
    assert len(pieces) > 50
    assert rows(pieces) == rows(whole)
    assert [int(row["game_id"]) + 1 for row in rows(pieces)] == [row["place"] for row in rows(pieces)]
    assert pl.concat([each.rejects for each in pieces])["place"].to_list() == [34, 84, 134, 184, 234, 284]


@pytest.mark.parametrize("block", [100, 1500, 10**6])
def test_a_line_without_end_is_one_reject(read: Reads, monkeypatch: pytest.MonkeyPatch, block: int) -> None:
    monkeypatch.setattr(json_games, "BLOCK", block)
    monkeypatch.setattr(json_games, "LONGEST", 1000)
    good, endless = json.dumps(game(winner="white")), json.dumps(game(winner="white", moves="e4 " * 5000))
    found = read(f"{good}\n{endless}\n{good}\n{endless}", raw=True)
    rejects = pl.concat([each.rejects for each in found])
    assert [row["place"] for row in rows(found)] == [1, 3]
    assert rejects["place"].to_list() == [2, 4]
    assert set(rejects["expected"]) == {"a line of at most 1,000 bytes"}


def test_documents(read: Reads) -> None:
    games = [game(winner="white"), 5, game(status="draw")]
    for content in (games, {"currentPage": 1, "currentPageResults": games}):
        (batch,) = read(json.dumps(content, indent=1))
        assert batch.games["place"].to_list() == [1, 3]
        assert batch.where(2, None).endswith("games.ndjson, game 2")
        assert batch.rejects["place"].to_list() == [2]


@pytest.mark.parametrize("content", ['[{"id": "q', '{"games": 5}', '{"currentPage": 1}', "[" * 100_000])
def test_documents_that_are_none(read: Reads, content: str) -> None:
    with pytest.raises(InputError, match=r"games.ndjson: is no (JSON|list of games)"):
        read(content)


def test_known_by_how_it_begins() -> None:
    today, long = json.dumps(game()).encode(), json.dumps(game(moves="e4 " * 9000)).encode()
    assert lichess.is_lichess(today)
    assert lichess.is_lichess(b"\xef\xbb\xbf\n " + long[:65_536])
    assert lichess.is_lichess(b"[" + today + b"]")
    assert not lichess.is_lichess(b"first,second\n" + today)
    assert not lichess.is_lichess(b'{"games": [{"white": {"username": "ann"}}]}')
    assert not lichess.is_lichess(b"")
