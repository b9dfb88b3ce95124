"""Games, and tables of players, from files."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

from ..errors import InputError
from ..rules import List
from ..stream import GameStream
from .canonical import players_of, write_games as write_games
from .columns import ROW, ColumnMap as ColumnMap
from .fide_list import read_fide_list as read_fide_list
from .formats import common, files_of, form_of as form_of
from .games import Reader
from .starts import read_starts as read_starts
from .table import readable as readable, scan as scan
from .trf import Tournament as Tournament, read_trf as read_trf
from .trf_games import tournament_games as tournament_games, tournament_starts as tournament_starts
from .trf_writer import write_trf as write_trf


def read(
    path: str | Path | Sequence[str | Path],
    columns: ColumnMap | Mapping[str, Any] | None = None,
    *,
    start: date | str | None = None,
    list: List | None = None,  # noqa: A002  # FIDE's word
) -> GameStream:
    """Read games from a table, a PGN file or tournament reports.

    Parameters
    ----------
    path : a CSV, TSV (also gzipped) or Parquet file; or PGN files or tournament reports (TRF), one, several, or a
        folder of them, as one stream (see `tournament_games`). What a file is, is seen by how it begins.
    columns : of a table, which column holds what; left out, columns are found by our own names (first, second, score,
        time, ...).
    start, list : of what is no table, first day (YYYY-MM-DD) of tournaments that do not say theirs; and standard,
        rapid or blitz.

    Raises
    ------
    InputError : a file is missing, unreadable or empty or lacks a column, or a row of it is wrong: the first such
        row is named, counted from 1 after the header, with the number of others.
    """
    files = files_of([Path(path)] if isinstance(path, str | Path) else map(Path, path))
    given = columns if isinstance(columns, ColumnMap) else ColumnMap(**(columns or {}))
    form = common(files)
    if form and given.changed:
        raise InputError(f"a {form.name} has no columns", where=str(files[0]), expected="no map of columns")
    if form is None and (start, list) != (None, None):
        name = "start" if list is None else "list"
        raise InputError(f"{name} is given", where=str(files[0]), expected="a column of the table in its place")
    return form.games(files, start, list) if form else _from_table(files[0], given)


def _from_table(path: Path, given: ColumnMap) -> GameStream:
    table = scan(path)
    with readable(path):
        used = given.find(table.collect_schema().names(), str(path))
        if given.time == ROW:
            table = table.with_row_index(ROW, 1)
        games = Reader(table, used, given, str(path)).games()
        digest = _sha256(path)
        own = used["first"] == "first" and used["second"] == "second"
        players = players_of(path) if own else None
    found: dict[str, Any] = dict(games.columns)
    stream = GameStream.of(**found, players=players, duplicates=given.duplicates, origin=games.origin)
    source = {"path": path.name, "sha256": digest, "columns": {**given.changed, **used}}
    return replace(stream, notes=(*games.notes, *stream.notes), source=source)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
