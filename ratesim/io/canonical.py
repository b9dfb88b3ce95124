"""A stream as one Parquet file that `read` gives back whole: games as columns, the table of players beside them."""

import base64
import io
from pathlib import Path
from typing import Final

import polars as pl

from ..files import whole
from ..stream import GameStream
from .table import PARQUET

PLAYERS: Final = "ratesim.players"  # key of the file's metadata; its value, a Parquet file in base 64


def write_games(games: GameStream, path: str | Path) -> None:
    """Write a stream as Parquet, whole or not at all; read back, it has the same digest.

    Raises
    ------
    InputError : the file cannot be written.
    """
    players = io.BytesIO()
    games.players.write_parquet(players)
    with whole(Path(path)) as place:
        games.to_frame().write_parquet(place, metadata={PLAYERS: base64.b64encode(players.getvalue()).decode()})


def players_of(path: Path) -> pl.DataFrame | None:
    """Return the table of players of a file that `write_games` made, or None of any other."""
    with path.open("rb") as file:
        if file.read(len(PARQUET)) != PARQUET:
            return None
    kept = pl.read_parquet_metadata(path).get(PLAYERS)
    return None if kept is None else pl.read_parquet(io.BytesIO(base64.b64decode(kept)))
