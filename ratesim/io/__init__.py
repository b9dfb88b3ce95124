"""Games, and tables of players, from files."""

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..stream import GameStream
from .columns import ROW, ColumnMap as ColumnMap
from .fide_list import read_fide_list as read_fide_list
from .games import Reader
from .starts import read_starts as read_starts
from .table import readable as readable, scan as scan


def read(path: str | Path, columns: ColumnMap | Mapping[str, Any] | None = None) -> GameStream:
    """Read games from a CSV, TSV (also gzipped) or Parquet file.

    Parameters
    ----------
    columns : which column holds what; left out, columns are found by our own names (first, second, score, time, ...).

    Raises
    ------
    InputError : the file is missing, unreadable or empty or lacks a column, or a row of it is wrong: the first such
        row is named, counted from 1 after the header, with the number of others.
    """
    path = Path(path)
    given = columns if isinstance(columns, ColumnMap) else ColumnMap(**(columns or {}))
    table = scan(path)
    with readable(path):
        used = given.find(table.collect_schema().names(), str(path))
        if given.time == ROW:
            table = table.with_row_index(ROW, 1)
        games = Reader(table, used, given, str(path)).games()
        digest = _sha256(path)
    found: dict[str, Any] = dict(games.columns)
    stream = GameStream.of(**found, duplicates=given.duplicates, origin=games.origin)
    source = {"path": path.name, "sha256": digest, "columns": {**given.changed, **used}}
    return replace(stream, notes=(*games.notes, *stream.notes), source=source)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
