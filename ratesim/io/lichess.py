"""Games of Lichess as its API exports them, one JSON object a line (lichess-org/api, schemas of `GameJson`).

Two shapes: with `players.white.user.id`, as today, and with `players.white.userId`, as in 2016 and 2017.
"""

import re
from collections.abc import Iterator
from typing import Final

import polars as pl
from polars.expr.struct import ExprStructNameSpace

from ..intake import in_days
from .batch import ANONYMOUS, BOT, PRECISION, Asked, Batch
from .json_games import BOM, Page, pages
from .sifting import LeftOut, Wrong, filled, sifted
from .sources import Source

MILLISECONDS: Final = 86_400_000  # in a day
SIDES: Final = {"first": "white", "second": "black"}
UNFINISHED: Final = ("created", "started")
ABORTED: Final = ("aborted", "noStart")
# Without a winner these are draws. A player who runs out of time or leaves (timeout) against bare material draws.
DRAWS: Final = ("draw", "stalemate", "insufficientMaterialClaim", "outoftime", "timeout")
NAMES: Final = {"first": "players.white", "second": "players.black", "time": "createdAt", "pool": "perf"}
KEYS: Final = (rb'"id"\s*:', rb'"players"\s*:', rb'"status"\s*:', rb'"createdAt"\s*:')

USER: Final = pl.Struct({"id": pl.String(), "name": pl.String(), "title": pl.String()})
SIDE: Final = pl.Struct(
    {
        "user": USER,
        "userId": pl.String(),
        "name": pl.String(),
        "aiLevel": pl.Int64(),
        "rating": pl.Int64(),
        "ratingDiff": pl.Int64(),
    }
)
GAME: Final = pl.Schema(
    {
        "id": pl.String(),
        "rated": pl.Boolean(),
        "perf": pl.String(),
        "createdAt": pl.Int64(),
        "status": pl.String(),
        "winner": pl.String(),
        "players": pl.Struct({"white": SIDE, "black": SIDE}),
        "arenaTour": pl.Struct({"id": pl.String()}),
        "swissTour": pl.Struct({"id": pl.String()}),
    }
)


def is_lichess(head: bytes) -> bool:
    """Return whether a file that begins so is of games of Lichess in JSON.

    >>> game = b'{"id":"q7ZvsdUF","rated":true,"createdAt":1514505150384,"status":"draw","players":{"white":{}}}'
    >>> is_lichess(game), is_lichess(b'{"games":[]}'), is_lichess(b"id,players,status,createdAt")
    (True, False, False)
    """
    return head.removeprefix(BOM).lstrip()[:1] in {b"{", b"["} and all(re.search(key, head) for key in KEYS)


def batches(sources: list[Source], asked: Asked) -> Iterator[Batch]:
    """Yield the games of files of Lichess' API, in the order of each file: the API has the newest first.

    White is first and has the edge. A player is called by name as it is displayed, since that is all that Lichess' PGN
    and Parquet have, so that a game is the same in any of them. Where there is only the user id, as in files of 2016,
    it stands in for the name; it is the name in lower case. Lichess' own engine is "lichess AI level N" with the title
    BOT, and somebody without an account is "anonymous". The pool is the perf. A game's time is when it was created;
    ratings are those before it. Games not finished and those aborted or never started are left out, as are games
    between two without accounts. `provisional` is not kept: a dump does not have it.
    """
    for source in sources:
        for page in pages(source, GAME, raw=asked.raw):
            yield _batch(source, page)


def _batch(source: Source, page: Page) -> Batch:
    found = sifted(page.games, RULES)
    games = found.games.select(
        "place",
        first=_player("white"),
        second=_player("black"),
        score=SCORE,
        time=in_days(pl.col("createdAt"), MILLISECONDS),
        precision=pl.lit("second", PRECISION),
        edge=pl.lit(1.0),
        event=pl.coalesce(pl.col("arenaTour").struct["id"], pl.col("swissTour").struct["id"]),
        pool="perf",
        rated="rated",
        termination="status",
        game_id="id",
        **{f"published_{key}": _side(side)["rating"].cast(pl.Float64) for key, side in SIDES.items()},
        **{f"change_{key}": _side(side)["ratingDiff"].cast(pl.Float64) for key, side in SIDES.items()},
        **{f"title_{key}": _title(side) for key, side in SIDES.items()},
    )
    rejects = pl.concat([page.rejects, found.rejects]).sort("place", maintain_order=True)
    return Batch(source.name, filled(games), rejects, found.left_out, unit=page.unit, field="key", names=NAMES)


def _side(side: str) -> ExprStructNameSpace:
    return pl.col("players").struct[side].struct


def _user(side: str) -> ExprStructNameSpace:
    return _side(side)["user"].struct


def _player(side: str) -> pl.Expr:
    level = _side(side)["aiLevel"].cast(pl.String)
    user, other = _user(side), _side(side)
    called = (user["name"], user["id"], other["userId"], other["name"], "lichess AI level " + level)
    return pl.coalesce(*called, pl.lit(ANONYMOUS))


def _title(side: str) -> pl.Expr:
    return pl.coalesce(_user(side)["title"], pl.when(_side(side)["aiLevel"].is_not_null()).then(pl.lit(BOT)))


WINNER: Final = pl.col("winner")
STATUS: Final = pl.col("status")
SCORE: Final = (
    pl.when(WINNER == "white").then(1.0).when(WINNER == "black").then(0.0).when(STATUS.is_in(DRAWS)).then(0.5)
)
RULES: Final = (
    LeftOut(STATUS.is_in(UNFINISHED), "unfinished"),
    LeftOut(STATUS.is_in(ABORTED), "aborted"),
    Wrong(pl.col("players").struct["white"].is_null(), "players.white", "no player", "an object"),
    Wrong(pl.col("players").struct["black"].is_null(), "players.black", "no player", "an object"),
    Wrong(~WINNER.is_in(SIDES.values()), "winner", "'{}' is no side", "white or black", WINNER),
    Wrong(WINNER.is_null() & STATUS.is_null(), "status", "no status and no winner", "at least one"),
    Wrong(WINNER.is_null() & ~STATUS.is_in(DRAWS), "status", "'{}' without a winner", ", ".join(DRAWS), STATUS),
    Wrong(pl.col("createdAt").is_null(), "createdAt", "no time", "milliseconds since 1970"),
)
