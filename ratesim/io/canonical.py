"""The canonical file: games as one Parquet file in order of time, written in pieces, that `read` gives back whole.

Its columns are those of `GAMES` that something fills, but for what belongs to the source (place) or to players (name,
title, federation). Names are dictionary-encoded, missing values are null, row groups have about a million games and
carry the range of times. Fingerprints are there for who imports the file again: games without an id are told apart by
nothing else. Two keys of the file's metadata hold the rest: the attributes of players and what the file was made from.
The bytes depend on nothing but games, attributes and what is said of them.
"""

import base64
import io
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any, Final, NamedTuple

import polars as pl
from polars.io.plugins import register_io_source

from ..errors import InputError
from ..files import whole
from ..given import check_games
from ..stream import GameStream
from .batch import ATTRIBUTES, GAMES, SIZE
from .kinds import NAMES, kept_names
from .table import PARQUET, readable

PLAYERS: Final = "ratesim.players"  # key of the file's metadata; its value, a Parquet file in base 64
IMPORT: Final = "ratesim.import"  # what the file was made from, JSON
GROUP: Final = 2**20  # games of a row group
OTHERS: Final = tuple(f"{each}_" for each in ATTRIBUTES)  # of players
COLUMNS: Final = tuple(name for name in GAMES if name != "place" and not name.startswith(OTHERS))


class Footer(NamedTuple):
    """What a file says beside its games.

    Attributes
    ----------
    players : a table with `player` and attributes, for those players who have some or have no game.
    about : what the file was made from, as JSON has it.
    """

    players: pl.DataFrame | None = None
    about: Mapping[str, Any] | None = None


def write_frames(
    path: Path, games: Iterable[pl.DataFrame], footer: Callable[[], Footer] = Footer, *, within: Path | None = None
) -> None:
    """Write games as the canonical file, whole or not at all.

    Parameters
    ----------
    games : frames in order of time, all with the columns of the first, which are columns of `GAMES`; those that the
        file has no place for are left out.
    footer : asked when the last frame has passed, so it may say what was counted on the way.
    within : see `files.whole`.

    Raises
    ------
    InputError : there are no games, the file cannot be written, or the disk is full.
    """
    own: list[BaseException] = []  # errors of the games, which are none of the file

    def source(*_: object) -> Iterator[pl.DataFrame]:
        try:
            yield from frames
        except BaseException as error:
            own.append(error)
            raise

    with kept_names():
        schema, frames = _begun(_canonical(frame) for frame in games if len(frame))
        if not schema:
            raise InputError("no games are left", where=str(path), expected="at least one")
        try:
            with whole(path, within) as place:
                register_io_source(source, schema=schema).sink_parquet(
                    place,
                    compression="zstd",
                    compression_level=1,  # faster than the default, and no larger for such columns
                    statistics=True,
                    row_group_size=GROUP,
                    metadata=lambda _: _metadata(footer()),
                )
        except (InputError, pl.exceptions.ComputeError) as error:
            if own:
                raise own[0]  # noqa: B904  # as it came
            said = _said_by_system(error)
            if said is None:
                raise
            raise InputError(f"cannot be written ({said})", where=str(path)) from error


def write_games(games: GameStream, path: str | Path) -> None:
    """Write a stream as the canonical file, whole or not at all; read back, it has the same digest.

    Raises
    ------
    InputError : the file cannot be written, or no stream is given.
    """
    check_games(games)
    write_frames(Path(path), games.to_frame().iter_slices(SIZE), lambda: Footer(_told(games)))


def about(path: Path) -> dict[str, Any] | None:
    """Return what a canonical file was made from, or None where it does not say so or is another file."""
    said: dict[str, Any] | None = json.loads(_kept(path).get(IMPORT, "null"))
    return said


def players_of(path: Path) -> pl.DataFrame | None:
    """Return the table of players of a canonical file, or None where it has none or is another file."""
    kept = _kept(path).get(PLAYERS)
    return None if kept is None else pl.read_parquet(io.BytesIO(base64.b64decode(kept)))


def is_canonical(path: Path) -> bool:
    """Whether a file is one that `write_frames` or `write_games` made.

    Raises
    ------
    InputError : it cannot be read, such as half a Parquet file.
    """
    return not {PLAYERS, IMPORT}.isdisjoint(_kept(path))


def _kept(path: Path) -> dict[str, str]:
    with readable(path):
        with path.open("rb") as file:
            if file.read(len(PARQUET)) != PARQUET:
                return {}
        return pl.read_parquet_metadata(path)


def _begun(frames: Iterator[pl.DataFrame]) -> tuple[pl.Schema, Iterator[pl.DataFrame]]:
    """Return the columns of the first of some frames, and all of them; no columns where there are no frames."""
    first = next(frames, None)
    return (pl.Schema(), frames) if first is None else (first.schema, chain([first], frames))


def _said_by_system(error: Exception) -> str | None:
    """Return what the system says of a file through polars; None where it is another error."""
    said = re.search(r"\bIO error: (.+?)( \(os error \d+\))?$", str(error))
    return None if said is None else said[1]


def _canonical(frame: pl.DataFrame) -> pl.DataFrame:
    columns = {name: NAMES.get(name, GAMES[name]) for name in COLUMNS if name in frame.columns}
    return frame.select(
        pl.col(name).cast(dtype).fill_nan(None) if dtype == pl.Float64 else pl.col(name).cast(dtype)
        for name, dtype in columns.items()
    )


def _told(games: GameStream) -> pl.DataFrame | None:
    """Return the rows of the table of players that games alone would not give back."""
    playing = pl.Series(games.first).append(pl.Series(games.second)).unique()
    idle = ~pl.int_range(games.n_players, eager=True).is_in(playing.implode())
    told = games.players.filter(idle | pl.any_horizontal(pl.lit(value=False), pl.exclude("player").is_not_null()))
    return told if len(told) or told.width > 1 else None


def _metadata(footer: Footer) -> dict[str, str]:
    metadata = {IMPORT: json.dumps(footer.about, sort_keys=True, ensure_ascii=False)}
    if footer.players is not None:
        table = io.BytesIO()
        footer.players.write_parquet(table, compression="zstd")
        metadata[PLAYERS] = base64.b64encode(table.getvalue()).decode()
    return metadata
