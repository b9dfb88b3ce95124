"""One table of games out of batches of any forms, and the stream that it makes."""

from dataclasses import replace
from typing import Any, Final, Literal

import polars as pl

from ..intake import Origin
from ..io.batch import GAMES
from ..stream import OF_A_PAIR, GameStream
from .events import UNKNOWN, Events
from .gathering import Gathering, listed
from .players import Players

STATED: Final = {  # where nobody says
    **dict.fromkeys(("pool", "season", "stage", "event"), UNKNOWN),
    "edge": 0.0,
    "weight": 1.0,
}
STARTS: Final = {"event", "event_start"}
BESIDE: Final = (  # no part of a stream
    *("place", "fingerprint", "precision", "change_first", "change_second", "rated", "termination"),
)


def stream_of(gathering: Gathering, max_rejects: float, duplicates: Literal["keep", "drop"]) -> GameStream:
    """Return all games as one stream.

    Raises
    ------
    InputError : too many rejects, no games, an event that begins twice.
    """
    players = Players()
    frames = [players.hear(batch.games, batch.players) for batch in gathering]
    gathering.check(max_rejects)
    table = joined([frame for frame in frames if len(frame)])
    if {*table.columns} >= STARTS and (events := Events.of([table])).needed:
        table = events.applied(table)
    columns: dict[str, Any] = {name: table[name] for name in table.columns if name not in BESIDE}
    if "game_id" in columns:
        columns["id"] = _identity(table)
        del columns["game_id"]
    origin = Origin(gathering.place)
    stream = GameStream.of(**columns, players=players.table(), duplicates=duplicates, origin=origin)
    return replace(stream, notes=(*notes_of(gathering), *_imprecise(table), *stream.notes), source=source_of(gathering))


def joined(frames: list[pl.DataFrame]) -> pl.DataFrame:
    """Return frames with any columns of `GAMES` as one: gaps are filled in, what nobody says left out."""
    table = frames[0]
    if len(frames) > 1:
        shared = {name: _dtype(name, frames) for frame in frames for name in frame.columns}
        cast = [frame.cast({name: shared[name] for name in frame.columns}) for frame in frames]
        table = pl.concat(cast, how="diagonal")
    empty = [name for name in table.columns if GAMES[name] == pl.String and table[name].null_count() == len(table)]
    return stated(table.drop(empty))


def stated(games: pl.DataFrame) -> pl.DataFrame:
    """Return games with what a stream has to know filled in where it is not said: no edge, weight 1, pool unknown."""
    starts = {*games.columns} >= STARTS  # `Events` names what has none
    there = {
        name: value for name, value in STATED.items() if name in games.columns and not (starts and name == "event")
    }
    gaps = [pl.col(name).fill_null(value) for name, value in there.items() if games[name].null_count()]
    alone = {pair for name, pair in OF_A_PAIR.items() if name in games.columns and pair not in games.columns}
    return games.with_columns(gaps).with_columns(pl.lit(None, pl.Float64).alias(name) for name in alone)


def _dtype(name: str, frames: list[pl.DataFrame]) -> pl.DataType:
    kinds = {frame.schema[name] for frame in frames if name in frame.columns}
    if len(kinds) == 1:
        return kinds.pop()
    return pl.Categorical() if GAMES[name] == pl.String and name != "game_id" else GAMES[name]


def _identity(table: pl.DataFrame) -> pl.Series:
    """Return what tells games apart, for those without an id all that is known of them."""
    own = table["game_id"].cast(pl.String)
    if not own.null_count():
        return own
    rest = table.drop("game_id", "place", strict=False).hash_rows()
    both = pl.DataFrame({"own": own, "rest": rest})
    return both.select(pl.coalesce("own", pl.format("row {}", "rest"))).to_series()


def notes_of(gathering: Gathering) -> list[str]:
    """Return what a reader of the stream should know of what is not in it."""
    notes = list(gathering.notes)
    if gathering.left_out:
        notes.append(f"left out: {listed(gathering.left_out)}")
    if gathering.rejects.count:
        notes.append(f"rejected: {listed(gathering.rejects.reasons())}")
    return notes


def _imprecise(table: pl.DataFrame) -> list[str]:
    if "precision" not in table.columns:
        return []
    counts = dict(table["precision"].value_counts().iter_rows())
    words = {"year": "year", "month": "month", "event": "the first day of their event"}
    return [
        f"{count:,} game{'s' if count > 1 else ''} known by {words[kind]} only: "
        + ("on that day" if kind == "event" else "on its last day")
        for kind, count in counts.items()
        if kind in words
    ]


def source_of(gathering: Gathering) -> dict[str, Any]:
    """Return where games came from, for the record."""
    rejects = gathering.rejects.reasons()
    return {
        "files": gathering.files,
        **({"left_out": dict(gathering.left_out)} if gathering.left_out else {}),
        **({"rejects": rejects} if rejects else {}),
        **gathering.about,
    }
