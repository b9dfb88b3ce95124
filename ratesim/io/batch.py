"""Games on their way in: what every reader of a format yields, whatever the format."""

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any, Final, NamedTuple, Protocol

import polars as pl

from ..rules import List
from .columns import ColumnMap
from .sources import Source

SIZE: Final = 250_000  # games of a batch, about; tables, with their short rows, take 2**20
PRECISION: Final = pl.Enum(
    ("second", "day", "month", "year", "event")
)  # how well a time is known; event: its first day
GAMES: Final[dict[str, pl.DataType]] = {
    "place": pl.Int64(),  # where the game begins in its source: the line or the row, counted from 1
    "first": pl.String(),  # a player by id, or else by name
    "second": pl.String(),
    "score": pl.Float64(),  # of first, 0 to 1
    "time": pl.Float64(),  # days since 1970-01-01 UTC
    "precision": PRECISION,
    "edge": pl.Float64(),
    "margin": pl.Float64(),
    "weight": pl.Float64(),
    "season": pl.String(),
    "stage": pl.String(),  # what the game was played for: a league, its play-offs, a friendly
    "event": pl.String(),
    "event_start": pl.Float64(),  # days; null: to be worked out from the games of the event
    "event_end": pl.Float64(),
    "rated_on": pl.Float64(),
    "pool": pl.String(),  # perf, time class, variant, list: what ratings are kept by
    "published_first": pl.Float64(),  # before the game
    "published_second": pl.Float64(),
    "change_first": pl.Float64(),  # of the published rating, by this game
    "change_second": pl.Float64(),
    "truth": pl.Float64(),
    "skill_first": pl.Float64(),
    "skill_second": pl.Float64(),
    "performance_first": pl.Float64(),
    "performance_second": pl.Float64(),
    "rated": pl.Boolean(),
    "termination": pl.String(),  # how it ended, in the words of the source
    "game_id": pl.String(),  # what tells games apart
    "fingerprint": pl.UInt64(),  # of all that the source says of a game without an id: two that are equal are one game
    "name_first": pl.String(),  # of a player who is called by id
    "name_second": pl.String(),
    "title_first": pl.String(),  # GM, WIM, ..., BOT
    "title_second": pl.String(),
    "federation_first": pl.String(),
    "federation_second": pl.String(),
}
NEEDED: Final = ("first", "second", "score", "time")
BOT: Final = "BOT"  # a title
ANONYMOUS: Final = "anonymous"  # what whoever played without an account is called
ATTRIBUTES: Final = ("name", "title", "federation")  # of players, a column for each side of a game
REJECTS: Final[dict[str, pl.DataType]] = {
    "place": pl.Int64(),
    "column": pl.String(),  # the tag, key or column that is wrong, as the source calls it; null: the game as a whole
    "what": pl.String(),  # "'{}' is not a number", with {} where the value belongs
    "value": pl.String(),
    "expected": pl.String(),
    "raw": pl.String(),  # the game as it stands in the source: its tags, its row
}


class Batch(NamedTuple):
    """Some games of one source, in its order.

    Attributes
    ----------
    source : its name.
    games : columns of `GAMES`, any of them but `NEEDED` left out, null where a game does not say.
    rejects : columns of `REJECTS`: games that are wrong, which are not in `games`.
    left_out : games that the source itself says are none to rate, counted by reason (unfinished, aborted, bye).
    players : attributes by `player`, where they do not stand beside each game.
    notes : lines on what a reader should know.
    about : more of that for programs, which the `source` of a stream has too.
    unit, field : what places count (line, row) and what the parts of a game are called (tag, column, key).
    names : what the source calls a column of `games`, where that differs.
    """

    source: str
    games: pl.DataFrame
    rejects: pl.DataFrame = pl.DataFrame(schema=REJECTS)
    left_out: Mapping[str, int] = {}  # never written to
    players: pl.DataFrame | None = None
    notes: tuple[str, ...] = ()
    about: Mapping[str, Any] = {}
    unit: str = "line"
    field: str = "tag"
    names: Mapping[str, str] = {}

    def where(self, place: int | None, column: str | None) -> str:
        """Return where in the source something stands: "a.pgn, line 17, tag Result"."""
        row = None if place is None else f"{self.unit} {place}"
        cell = None if column is None else f"{self.field} {column}"
        return ", ".join(filter(None, (self.source, row, cell)))


class Asked(NamedTuple):
    """What was asked of readers."""

    columns: ColumnMap = ColumnMap()
    start: date | str | None = None  # first day of tournaments that do not say theirs
    list: List | None = None  # the list on which over-the-board games count
    raw: bool = False  # whether rejects keep the game as it stands
    beside: bool = False  # whether columns are wanted that a stream does not hold: rated, termination, change_first ...


class Read(Protocol):
    """A reader of a format: all sources of that format, in order, as batches of about `SIZE` games.

    A source that cannot be read at all, or ends before it should, raises InputError; a wrong game is a reject.
    """

    def __call__(self, sources: list[Source], asked: Asked) -> Iterator[Batch]:
        """Yield the games of sources of one format."""
