"""Reading the file of games that a verb is given."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import InputError
from .guess import Guess, guess
from .options import texts

if TYPE_CHECKING:
    from ..stream import GameStream

ROWS = 5000  # enough to see every label of a score


def read_games(path: Path, columns: Sequence[str]) -> "GameStream":
    """Read a file of games under the map that `--map` gave.

    Raises
    ------
    InputError : what is wrong with the file; where no map was given, how to see one.
    """
    from ..importing import read
    from ..io import ColumnMap

    given = ColumnMap.parse(texts(columns, "--map"), "--map")
    try:
        return read(path, given)
    except InputError as error:
        if columns or not error.what.startswith("missing column"):
            raise
        hint = f"--map, which `ratesim inspect {path}` guesses"
        raise InputError(error.what, where=error.where, expected=hint, near=error.near) from None


def sketch(path: Path, given: Mapping[str, Any]) -> tuple[list[str], Guess]:
    """Return the header of a table and the column map guessed from it and its first rows, around what is given.

    Raises
    ------
    InputError : the file cannot be read, or is no table.
    """
    import polars as pl

    from ..io.formats import form_of
    from ..io.sources import Source
    from ..io.table import readable, scan

    if path.is_dir():
        raise InputError("is a folder", where=str(path), expected="a table of games")
    source = Source(str(path), path)
    form = form_of(source)
    if form and not form.mapped:
        made = f"a table, which `ratesim import {path} -o GAMES.parquet` makes of it"
        raise InputError(f"is a {form.name}", where=str(path), expected=made)
    with source.file() as file, readable(file, source.name):
        frame = scan(file, source.name).head(ROWS).collect().with_columns(pl.all().cast(pl.String))
    return frame.columns, guess(frame.columns, frame.to_dicts(), given)


def read_raw(path: Path, columns: Mapping[str, Any]) -> "GameStream":
    """Read a file as it is: games of players against themselves are left out and noted, unless the map says otherwise.

    Raises
    ------
    InputError : what else is wrong with the file or the map.
    """
    from ..importing import read
    from ..io import ColumnMap

    forgiving = {"themselves": "drop"} if is_mapped(path) else {}
    return read(path, ColumnMap.parse({**forgiving, **columns}, "--map"))


def is_mapped(path: Path) -> bool:
    """Return whether a map of columns is for a file: whether it is a table, and no folder.

    Raises
    ------
    InputError : it cannot be read.
    """
    from ..io.formats import form_of
    from ..io.sources import Source

    form = None if path.is_dir() else form_of(Source(str(path), path))
    return form is not None and form.mapped


def against_themselves(stream: "GameStream") -> str | None:
    """Return what reading noted about games of players against themselves."""
    return next((note for note in stream.notes if "against themselves" in note), None)
