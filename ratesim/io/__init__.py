"""Games, and tables of players, from files."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import polars as pl

from ..errors import InputError
from ..intake import Origin
from ..rules import List
from ..stream import GameStream
from .batch import Asked, Batch
from .canonical import players_of, write_games as write_games
from .columns import ColumnMap as ColumnMap
from .fide_list import read_fide_list as read_fide_list
from .formats import common, files_of, form_of as form_of
from .judge import judged
from .sources import Source
from .starts import read_starts as read_starts
from .table import readable as readable, scan as scan
from .tables import batches
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
    source = Source(str(path), path)
    done = [judged(batch, themselves=given.themselves) for batch in batches([source], Asked(given))]
    rejects = pl.concat([batch.rejects for batch in done])
    if len(rejects):
        raise _told(rejects, done[0])
    games = pl.concat([batch.games for batch in done], how="diagonal")
    games = games.drop("place", "precision", strict=False).rename({"game_id": "id"}, strict=False)
    columns: dict[str, Any] = games.to_dict()
    players = players_of(path) if {"first", "second"} <= {*done[0].names.values()} else None
    stream = GameStream.of(**columns, players=players, duplicates=given.duplicates, origin=Origin(str(path)))
    about = {"path": path.name, "sha256": source.digest, **done[0].about}
    said = [note for batch in done for note in batch.notes]
    left_out = sum((Counter(batch.left_out) for batch in done), Counter())
    if same := left_out.pop("against themselves", 0):
        said.append(f"{same:,} game{'s' if same > 1 else ''} of a player against themselves: dropped")
    said += [f"left out: {count:,} {why}" for why, count in left_out.items()]
    return replace(stream, notes=(*said, *stream.notes), source=about)


def _told(rejects: pl.DataFrame, batch: Batch) -> InputError:
    row = rejects.sort("place").row(0, named=True)
    alike = rejects.filter(pl.col("column").eq_missing(pl.lit(row["column"])), pl.col("what") == row["what"])
    more = len(alike) - 1
    also = f" (and {more:,} more row{'s' if more > 1 else ''})" if more else ""
    said = row["what"].replace("{}", row["value"] or "") + also
    return InputError(said, where=batch.where(row["place"], row["column"]), expected=row["expected"])
