"""Games of chess.com as its Published-Data API has them: months of a player, or their games one a line.

The site's own description of an archive (Published-Data API, "Complete Monthly Archives") calls `rating` "the player's
rating after the game finished". It is not the rating a forecast may use, and the change is not told: ratings are left
out.
"""

import re
from collections.abc import Iterator
from typing import Final

import polars as pl

from ..intake import in_days
from .batch import PRECISION, Asked, Batch
from .json_games import BOM, Page, pages
from .pgn_sites import PERFS, last_of
from .sifting import Wrong, filled, sifted
from .sources import Source

SECONDS: Final = 86_400  # in a day
SIDES: Final = {"first": "white", "second": "black"}
WIN: Final = "win"
DRAWS: Final = ("agreed", "repetition", "stalemate", "insufficient", "50move", "timevsinsufficient")
NAMES: Final = {"first": "white.username", "second": "black.username", "time": "end_time", "pool": "time_class"}
ARCHIVE: Final = re.compile(rb'\s*\{\s*"games"\s*:\s*\[')
EMPTY: Final = re.compile(ARCHIVE.pattern + rb"\s*\]\s*\}\s*")
KEYS: Final = (rb'"time_class"\s*:', rb'"(?:white|black)"\s*:\s*\{', rb'"username"\s*:')

SIDE: Final = pl.Struct({"username": pl.String(), "result": pl.String()})
GAME: Final = pl.Schema(
    {
        "uuid": pl.String(),
        "url": pl.String(),
        "rated": pl.Boolean(),
        "rules": pl.String(),
        "time_class": pl.String(),
        "start_time": pl.Int64(),
        "end_time": pl.Int64(),
        "tournament": pl.String(),
        "match": pl.String(),
        "white": SIDE,
        "black": SIDE,
    }
)


def is_chesscom(head: bytes) -> bool:
    """Return whether a file that begins so is of games of chess.com in JSON.

    >>> is_chesscom(b'{"games":[]}'), is_chesscom(b'{"games":[{"time_class":"blitz","white":{"username":"Erik"}}]}')
    (True, True)
    >>> is_chesscom(b'{"id":"q7ZvsdUF","rated":true,"players":{}}')
    False
    """
    head = head.removeprefix(BOM)
    return EMPTY.fullmatch(head) is not None or (
        head.lstrip()[:1] in {b"{", b"["} and all(re.search(key, head) for key in KEYS)
    )


def batches(sources: list[Source], asked: Asked) -> Iterator[Batch]:
    """Yield the games of archives, in the order of each.

    White is first and has the edge. A player is called by username as it is written, as in the site's PGN. The pool is
    the time class, and for rules other than chess both, such as "chess960 daily"; a variant that Lichess has too goes
    by its name there, as in PGN: "kingOfTheHill blitz". A game's time is when it ended, or else when it started. White
    has won where the result of white is a win, Black where that of Black is; a draw has two results that are draws;
    anything else is a reject. Termination is the result of who did not win. A game is called by the last part of its
    address, as in PGN.
    """
    for source in sources:
        for page in pages(source, GAME, raw=asked.raw):
            yield _batch(source, page)


def _batch(source: Source, page: Page) -> Batch:
    found = sifted(page.games, RULES)
    games = found.games.select(
        "place",
        **{key: _side(side, "username") for key, side in SIDES.items()},
        score=SCORE,
        time=in_days(TIME, SECONDS),
        precision=pl.lit("second", PRECISION),
        edge=pl.lit(1.0),
        event=last_of(found.games["tournament"].fill_null(found.games["match"])),
        pool=pl.when(RULES_OF != "chess").then(RULES_OF + " " + pl.col("time_class")).otherwise("time_class"),
        rated="rated",
        termination=pl.when(WHITE == WIN).then(BLACK).otherwise(WHITE),
        game_id=last_of(found.games["url"]).fill_null(found.games["uuid"]),
    )
    rejects = pl.concat([page.rejects, found.rejects]).sort("place", maintain_order=True)
    return Batch(source.name, filled(games), rejects, found.left_out, unit=page.unit, field="key", names=NAMES)


def _side(side: str, key: str) -> pl.Expr:
    return pl.col(side).struct[key]


WHITE: Final = _side("white", "result")
BLACK: Final = _side("black", "result")
RULES_OF: Final = pl.col("rules").replace(PERFS)
TIME: Final = pl.coalesce("end_time", "start_time")
SCORE: Final = (
    pl.when((WHITE == WIN) & (BLACK != WIN)).then(1.0)
    .when((BLACK == WIN) & (WHITE != WIN)).then(0.0)
    .when(WHITE.is_in(DRAWS) & BLACK.is_in(DRAWS)).then(0.5)
)  # fmt: skip
RULES: Final = (
    Wrong(_side("white", "username").is_null(), "white.username", "no player", "a username"),
    Wrong(_side("black", "username").is_null(), "black.username", "no player", "a username"),
    Wrong(
        SCORE.is_null(),
        "white.result",
        "results '{}'",
        "one a win, or two draws",
        pl.concat_str(WHITE.fill_null("none"), BLACK.fill_null("none"), separator="' and '"),
    ),
    Wrong(TIME.is_null(), "end_time", "no time", "seconds since 1970"),
)
