"""Reading the file of games that a verb is given."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import InputError
from .guess import Guess, guess
from .inspection_text import items
from .options import texts
from .output import say

if TYPE_CHECKING:
    from ..stream import GameStream

NEEDED = {"first", "second", "time"}
ROWS = 5000  # enough to see every label of a score


class Columns(NamedTuple):
    """What columns of a file hold."""

    header: list[str]  # of a table; empty of what is none
    used: dict[str, Any]  # the map under which it is read
    guessed: bool = False

    def tell(self) -> None:
        """Say what was guessed."""
        if self.guessed:
            say("columns are guessed; check them, --map NAME=COLUMN changes one:")
            say("  " + " ".join(f"--map {item}" for item in items(self.used)))


def read_games(path: Path, given: Sequence[str], aliases: Path | None = None) -> "tuple[GameStream, dict[str, Any]]":
    """Read a file of games under what `--map` gave, or what is guessed and then said, and return the map as well.

    Parameters
    ----------
    aliases : a table of other names of players.

    Raises
    ------
    InputError : what is wrong with the file, the map or the aliases.
    """
    from ..importing import read
    from ..io import ColumnMap

    used = texts(given, "--map")
    columns = Columns([], used) if used.keys() >= NEEDED else columns_of(path, used)
    games = read(path, ColumnMap.parse(columns.used, "--map"), aliases=aliases)
    columns.tell()
    return games, columns.used


def columns_of(path: Path, given: dict[str, Any]) -> Columns:
    """Return what columns of a file hold, guessed unless map and header have first, second and time between them.

    Raises
    ------
    InputError : the file cannot be read, or no column is found for what is needed.
    """
    if not is_mapped(path):
        return Columns([], given)
    header, found = sketch(path, given)
    if {*header, *given} >= NEEDED:
        return Columns(header, given)
    return Columns(header, complete(found, path).columns, guessed=True)


def complete(found: Guess, path: Path) -> Guess:
    """Return a guess that has a column for all that is needed.

    Raises
    ------
    InputError : it has not.
    """
    if found.missing:
        from ..io.columns import mentioned

        need = " ".join(f"--map {key}=COLUMN" for key in found.missing)
        if "score" in found.missing:
            need += ", or for score --map points_first=COLUMN --map points_second=COLUMN"
        said = f"no column found for {', '.join(found.missing)} among {mentioned(found.header)}"
        raise InputError(said, where=str(path), expected=need)
    return found


def sketch(path: Path, given: Mapping[str, Any]) -> tuple[list[str], Guess]:
    """Return the header of a table and the column map guessed from it and its first rows, around what is given.

    Raises
    ------
    InputError : the file cannot be read, or is no table; what is given has a name that no map has.
    """
    import polars as pl

    from ..io import ColumnMap
    from ..io.formats import form_of
    from ..io.sources import Source
    from ..io.table import readable, scan

    ColumnMap.parse({key: given[key] for key in given if key not in ColumnMap.model_fields}, "--map")
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


def read_raw(path: Path, columns: Mapping[str, Any], aliases: Path | None = None) -> "GameStream":
    """Read a file as it is: games of players against themselves are left out and noted, unless the map says otherwise.

    Raises
    ------
    InputError : what else is wrong with the file, the map or the aliases.
    """
    from ..importing import read
    from ..io import ColumnMap

    forgiving = {"themselves": "drop"} if is_mapped(path) else {}
    return read(path, ColumnMap.parse({**forgiving, **columns}, "--map"), aliases=aliases)


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
