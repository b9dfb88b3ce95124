"""Games of chess.com's monthly archives."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ratesim.io import chesscom, lichess
from ratesim.io.batch import GAMES, Asked, Batch
from ratesim.io.sources import Source

ENDED = 1_706_745_600  # 2024-02-01 00:00:00 UTC
Game = dict[str, Any]
One = Callable[..., Batch]


def side(name: str, result: str) -> Game:
    at = f"https://api.chess.com/pub/player/{name.lower()}"
    return {"rating": 1500, "result": result, "@id": at, "username": name, "uuid": "0" * 8}


def game(result: str = "win", other: str = "resigned", **more: object) -> Game:
    """Return a game as an archive tells it; results are of White and of Black."""
    return {
        "url": "https://www.chess.com/game/live/100000001",
        "pgn": '[Event "Live Chess"]\n[Result "1-0"]\n\n1. e4 1-0\n',
        "time_control": "180+2",
        "end_time": ENDED,
        "rated": True,
        "tcn": "mC",
        "uuid": "ed14d828-9293-11f1",
        "initial_setup": "",
        "fen": "8/8/8/8/8/8/8/8 w - - 0 1",
        "time_class": "blitz",
        "rules": "chess",
        "white": side("Ann", result),
        "black": side("BOB", other),
        **more,
    }


@pytest.fixture
def one(tmp_path: Path) -> One:
    def reads(*games: object, lines: bool = False) -> Batch:
        path = tmp_path / "01.json"
        told = "".join(json.dumps(each) + "\n" for each in games) if lines else json.dumps({"games": games})
        path.write_text(told)
        assert chesscom.is_chesscom(told.encode()[:65_536])
        (batch,) = chesscom.batches([Source(str(path), path)], Asked(raw=True))
        return batch

    return reads


@pytest.mark.parametrize("lines", [False, True])
def test_a_game(one: One, *, lines: bool) -> None:
    batch = one(game(tournament="https://api.chess.com/pub/tournament/titled-tuesday-1"), lines=lines)
    assert batch.games.to_dicts() == [
        {
            "place": 1,
            "first": "Ann",
            "second": "BOB",
            "score": 1.0,
            "time": 19754.0,
            "precision": "second",
            "edge": 1.0,
            "event": "titled-tuesday-1",
            "pool": "blitz",
            "rated": True,
            "termination": "resigned",
            "game_id": "100000001",
        }
    ]
    assert {name: kind for name, kind in batch.games.schema.items() if kind != GAMES[name]} == {}
    assert batch.where(1, "rules").endswith(f"01.json, {'line' if lines else 'game'} 1, key rules")


@pytest.mark.parametrize(
    "loss", ["checkmated", "resigned", "timeout", "abandoned", "lose", "kingofthehill", "threecheck"]
)
def test_a_win_says_who_won(one: One, loss: str) -> None:
    batch = one(game("win", loss), game(loss, "win"))
    assert batch.games["score"].to_list() == [1.0, 0.0]
    assert batch.games["termination"].to_list() == [loss, loss]


@pytest.mark.parametrize("draw", ["agreed", "repetition", "stalemate", "insufficient", "50move", "timevsinsufficient"])
def test_draws(one: One, draw: str) -> None:
    batch = one(game(draw, draw))
    assert batch.games["score"].to_list() == [0.5]
    assert batch.games["termination"].to_list() == [draw]


def test_timeout_against_bare_material_is_a_draw(one: One) -> None:
    assert one(game("timevsinsufficient", "insufficient")).games["score"].to_list() == [0.5]


@pytest.mark.parametrize(
    ("change", "column", "value"),
    [
        ({"white": side("Ann", "win"), "black": side("Bob", "win")}, "white.result", "win' and 'win"),
        ({"white": side("Ann", "resigned")}, "white.result", "resigned' and 'resigned"),
        ({"white": side("Ann", "agreed")}, "white.result", "agreed' and 'resigned"),
        ({"white": side("Ann", "novel"), "black": side("Bob", "novel")}, "white.result", "novel' and 'novel"),
        ({"white": {"username": "Ann"}}, "white.result", "none' and 'resigned"),
        ({"white": {"result": "win"}}, "white.username", None),
        ({"black": None}, "black.username", None),
        ({"end_time": None}, "end_time", None),
        ({"end_time": "soon"}, "end_time", "soon"),
    ],
)
def test_games_that_are_wrong(one: One, change: Game, column: str, value: str | None) -> None:
    batch = one(game(), game(**change), game())
    (reject,) = batch.rejects.to_dicts()
    assert (reject["place"], reject["column"], reject["value"]) == (2, column, value)
    assert json.loads(reject["raw"])["uuid"] == "ed14d828-9293-11f1"
    assert batch.games["place"].to_list() == [1, 3]


def test_pools_times_and_ids(one: One) -> None:
    daily = game(rules="chess960", time_class="daily", start_time=ENDED - 86_400, url=None, rated=False)
    unended = game(start_time=ENDED - 86_400, end_time=None, match="https://api.chess.com/pub/match/12803")
    batch = one(daily, unended)
    assert batch.games["pool"].to_list() == ["chess960 daily", "blitz"]
    assert batch.games["time"].to_list() == [19754.0, 19753.0]
    assert batch.games["game_id"].to_list() == ["ed14d828-9293-11f1", "100000001"]
    assert batch.games["rated"].to_list() == [False, True]
    assert batch.games["event"].to_list() == [None, "12803"]


@pytest.mark.parametrize(
    ("rules", "pool"),
    [
        ("chess", "blitz"),
        ("chess960", "chess960 blitz"),
        ("kingofthehill", "kingOfTheHill blitz"),
        ("threecheck", "threeCheck blitz"),
        ("crazyhouse", "crazyhouse blitz"),
        ("bughouse", "bughouse blitz"),
        (None, "blitz"),
    ],
)
def test_variants_are_called_as_in_pgn(one: One, rules: str | None, pool: str) -> None:
    assert one(game(rules=rules)).games["pool"].to_list() == [pool]


def test_times_are_right_to_the_last_digit(one: One) -> None:
    moments = [ENDED + 7_919 * n for n in range(200)]
    assert one(*(game(end_time=each) for each in moments)).games["time"].to_list() == [
        each / 86_400 for each in moments
    ]


def test_ratings_after_the_game_are_no_ratings_before_it(one: One) -> None:
    assert not [name for name in one(game()).games.columns if name.startswith(("published", "change"))]


def test_a_month_without_games(tmp_path: Path) -> None:
    path = tmp_path / "02.json"
    path.write_text('{"games":[]}')
    assert chesscom.is_chesscom(path.read_bytes())
    assert sum(len(each.games) for each in chesscom.batches([Source(str(path), path)], Asked())) == 0


def test_sites_are_told_apart() -> None:
    theirs = b'{"id":"q7ZvsdUF","createdAt":1,"status":"draw","players":{"white":{"user":{"name":"Ann"}}}}'
    assert lichess.is_lichess(theirs)
    assert not chesscom.is_chesscom(theirs)
    ours = json.dumps({"games": [game()]}).encode()
    assert chesscom.is_chesscom(ours)
    assert not lichess.is_lichess(ours)
