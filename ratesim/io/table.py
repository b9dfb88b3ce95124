"""Tables in files: CSV and TSV (also gzipped), Parquet and Arrow IPC, through polars."""

import csv
import gzip
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

import polars as pl

from ..errors import InputError
from ..intake import shown

SEPARATORS = (",", "\t", ";", "|")
GZIP = b"\x1f\x8b"
PARQUET = b"PAR1"
ARROW = b"ARROW1"
SUFFIXES: Final = (".csv", ".tsv", ".tab", ".parquet", ".pq", ".arrow", ".feather", ".ipc")
LINES: Final = 10  # by which text is known as a table


def scan(path: str | Path, name: str = "", numbers: Collection[str] = ()) -> pl.LazyFrame:
    """Return a table that is read when it is needed; the cells of CSV and TSV are text, empty ones null.

    Parameters
    ----------
    name : what messages call it; left out, its path.
    numbers : columns of CSV and TSV that are read as numbers; reading on then fails at a cell that is none.

    Raises
    ------
    InputError : no such file, an empty one, one that is neither, one with two columns of one name.
    """
    path = Path(path)
    name = name or str(path)
    with readable(path, name):
        if path.is_dir():
            raise InputError("is a folder", where=name, expected="a CSV, TSV or Parquet file")
        with path.open("rb") as file:
            start = file.read(len(ARROW))
        if not start:
            raise InputError("is empty", where=name, expected="a header and at least one row")
        if start.startswith(PARQUET) or path.suffix in {".parquet", ".pq"}:
            table = pl.scan_parquet(path, glob=False, hive_partitioning=False)
        elif start == ARROW or path.suffix in {".arrow", ".feather", ".ipc"}:
            table = pl.scan_ipc(path, glob=False, hive_partitioning=False)
        else:
            form = _form(path, name)
            table = pl.scan_csv(
                path,
                glob=False,
                infer_schema=False,
                schema_overrides=dict.fromkeys(numbers, pl.Float64),
                separator=form.separator,
                eol_char=form.end,
            )
        table.collect_schema()
    return table


def is_table(head: bytes) -> bool:
    r"""Return whether a file that begins so is a table: Parquet, Arrow, or lines with as many cells as the first.

    >>> is_table(b"first,second,score\nA,B,1\n"), is_table(b"Dear Ada, hello\nHow are you?\n"), is_table(b"{}")
    (True, False, False)
    """
    if head.startswith((PARQUET, ARROW)):
        return True
    text = head.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
    lines = text.splitlines()[: LINES + 1]
    if "\0" in text or not lines or lines[0].startswith(("[", "{")):
        return False
    rows = list(csv.reader(lines[:LINES], delimiter=max(SEPARATORS, key=lines[0].count)))
    if len(lines) <= LINES and len(rows) > 1 and not text.endswith(("\n", "\r")):
        rows.pop()  # perhaps cut off
    return len(rows[0]) > 1 and all(len(row) in {0, len(rows[0])} for row in rows)


@contextmanager
def readable(path: Path, name: str = "") -> Iterator[None]:
    """Turn what polars and the system say about a file into one line about it, which calls it by its path or a name.

    Raises
    ------
    InputError : the file cannot be read.
    """
    name = name or str(path)
    try:
        yield
    except OSError as error:
        reason = "no such file" if isinstance(error, FileNotFoundError) else error.strerror or _first_line(error)
        raise InputError(reason, where=name, expected="a CSV, TSV or Parquet file") from None
    except pl.exceptions.PolarsError as error:
        if "utf-8" in str(error):
            raise InputError("is not UTF-8 text", where=name, expected="CSV or TSV in UTF-8") from None
        if "found more fields" in str(error):
            raise _ragged(path, name) from None
        raise InputError(f"cannot be read ({_first_line(error)})", where=name, expected="a whole table") from None


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


def _form(path: Path, name: str) -> Form:
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
        raise InputError("is not UTF-8 text", where=name, expected="CSV or TSV in UTF-8") from None
    except csv.Error as error:
        raise InputError(f"cannot be read ({error})", where=name, expected="a header of names") from None
    again = next((each for n, each in enumerate(names) if each and each in names[:n]), None)
    if again is not None:
        raise InputError(f"two columns are named '{shown(again)}'", where=name, expected="a name for each")
    return form


def _ragged(path: Path, name: str) -> InputError:
    """Return the error for the first row with more cells than the header."""
    rows = csv.reader(_lines(path), delimiter=_form(path, name).separator)
    width = len(next(rows))
    row, cells = next((row, len(cells)) for row, cells in enumerate(rows, 1) if len(cells) > width)
    return InputError(f"{cells} cells", where=f"{name}, row {row}", expected=f"{width}, as in the header")
