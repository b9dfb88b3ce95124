"""Tables in files: CSV and TSV (also gzipped) and Parquet, through polars."""

import csv
import gzip
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import polars as pl

from ..errors import InputError
from ..intake import shown

SEPARATORS = (",", "\t", ";", "|")
GZIP = b"\x1f\x8b"
PARQUET = b"PAR1"


def scan(path: str | Path) -> pl.LazyFrame:
    """Return a table that is read when it is needed; the cells of CSV and TSV are text, empty ones null.

    Raises
    ------
    InputError : no such file, an empty one, one that is neither, one with two columns of one name.
    """
    path = Path(path)
    with readable(path):
        if path.is_dir():
            raise InputError("is a folder", where=str(path), expected="a CSV, TSV or Parquet file")
        with path.open("rb") as file:
            start = file.read(4)
        if not start:
            raise InputError("is empty", where=str(path), expected="a header and at least one row")
        if start == PARQUET or path.suffix in {".parquet", ".pq"}:
            table = pl.scan_parquet(path, glob=False, hive_partitioning=False)
        else:
            form = _form(path)
            table = pl.scan_csv(path, glob=False, infer_schema=False, separator=form.separator, eol_char=form.end)
        table.collect_schema()
    return table


@contextmanager
def readable(path: Path) -> Iterator[None]:
    """Turn what polars and the system say about a file into one line about it.

    Raises
    ------
    InputError : the file cannot be read.
    """
    try:
        yield
    except OSError as error:
        reason = "no such file" if isinstance(error, FileNotFoundError) else error.strerror or _first_line(error)
        raise InputError(reason, where=str(path), expected="a CSV, TSV or Parquet file") from None
    except pl.exceptions.PolarsError as error:
        if "utf-8" in str(error):
            raise InputError("is not UTF-8 text", where=str(path), expected="CSV or TSV in UTF-8") from None
        if "found more fields" in str(error):
            raise _ragged(path) from None
        raise InputError(f"cannot be read ({_first_line(error)})", where=str(path), expected="a whole table") from None


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]


def _lines(path: Path) -> Iterator[str]:
    """Yield the lines of a text file, gzipped or not."""
    with path.open("rb") as file:
        unzipped = gzip.open if file.read(len(GZIP)) == GZIP else open
    with unzipped(path, "rt", encoding="utf-8-sig", newline="") as lines:
        yield from lines


class Form(NamedTuple):
    """How a text file writes a table."""

    separator: str
    end: str  # of a line


def _form(path: Path) -> Form:
    """Return how the header is written: the sign that stands there most often parts its cells.

    Raises
    ------
    InputError : the file is no text in UTF-8, or two columns have one name.
    """
    try:
        line = next(_lines(path), "")
        tabs = ".tsv" in path.suffixes or ".tab" in path.suffixes
        form = Form("\t" if tabs else max(SEPARATORS, key=line.count), "\r" if line.endswith("\r") else "\n")
        names = next(csv.reader(_lines(path), delimiter=form.separator), [])
    except UnicodeDecodeError:
        raise InputError("is not UTF-8 text", where=str(path), expected="CSV or TSV in UTF-8") from None
    except csv.Error as error:
        raise InputError(f"cannot be read ({error})", where=str(path), expected="a header of names") from None
    again = next((name for n, name in enumerate(names) if name and name in names[:n]), None)
    if again is not None:
        raise InputError(f"two columns are named '{shown(again)}'", where=str(path), expected="a name for each")
    return form


def _ragged(path: Path) -> InputError:
    """Return the error for the first row with more cells than the header."""
    rows = csv.reader(_lines(path), delimiter=_form(path).separator)
    width = len(next(rows))
    row, cells = next((row, len(cells)) for row, cells in enumerate(rows, 1) if len(cells) > width)
    return InputError(f"{cells} cells", where=f"{path}, row {row}", expected=f"{width}, as in the header")
