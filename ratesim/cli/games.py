"""Reading the file of games that a verb is given."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

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
    from ..io import ColumnMap, read

    given = ColumnMap.parse(texts(columns, "--map"), "--map")
    try:
        return read(path, given)
    except InputError as error:
        if columns or not error.what.startswith("missing column"):
            raise
        hint = f"--map, which `ratesim inspect {path}` guesses"
        raise InputError(error.what, where=error.where, expected=hint, near=error.near) from None


def sketch(path: Path) -> tuple[list[str], Guess]:
    """Return the header of a file and the column map guessed from it and its first rows."""
    import polars as pl

    from ..io.table import readable, scan

    with readable(path):
        frame = scan(path).head(ROWS).collect().with_columns(pl.all().cast(pl.String))
    return frame.columns, guess(frame.columns, frame.to_dicts())
