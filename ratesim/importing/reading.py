"""Games of any form into memory."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

from ..io.batch import Asked
from ..io.columns import ColumnMap
from ..rules import List
from ..stream import GameStream
from .aliases import read_aliases
from .assembling import stream_of
from .gathering import MAX_REJECTS, Gathering


def read(
    path: str | Path | Sequence[str | Path],
    columns: ColumnMap | Mapping[str, Any] | None = None,
    *,
    form: str | None = None,
    start: date | str | None = None,
    list: List | None = None,  # noqa: A002  # FIDE's word
    aliases: str | Path | None = None,
    max_rejects: float = MAX_REJECTS,
) -> GameStream:
    """Read games of any form into memory, as one stream.

    Parameters
    ----------
    path : files, folders, patterns or `-`, packed or not: tables (CSV, TSV, Parquet, Arrow), PGN, tournament reports
        (TRF), Lichess' NDJSON and Parquet, archives of chess.com. What a file is, is seen by its content.
    columns : of tables, which column holds what; left out, columns are found by our own names (first, second, score,
        time, ...).
    form : `pgn`, `trf`, `table`, ...: what all files are, where their content does not tell.
    start, list : first day (YYYY-MM-DD) of tournaments that do not say theirs; and, of games over the board,
        standard, rapid or blitz.
    aliases : a table of other names of players, for a while or always, such as the former names of a country or a club,
        which keeps its rating under the new one: see `read_aliases`.
    max_rejects : games that may be wrong and are left out and noted: a share below 1, a number from 1 on.

    Raises
    ------
    InputError : a file is missing, unreadable or empty or lacks a column, or too many games are wrong: the first is
        named, with the number of others alike.
    """
    given = columns if isinstance(columns, ColumnMap) else ColumnMap(**(columns or {}))
    others = None if aliases is None else read_aliases(aliases)
    paths = [path] if isinstance(path, str | Path) else path
    gathering = Gathering(paths, Asked(given, start, list), form=form, aliases=others)
    stream = stream_of(gathering, max_rejects, given.duplicates)
    return stream if others is None else replace(stream, notes=(*others.notes(), *stream.notes))
