"""Tables in files: CSV and TSV (also gzipped), Parquet and Arrow IPC, through polars."""

import csv
import gzip
import io
import shutil
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Final, NamedTuple

import polars as pl

from ..errors import InputError
from ..intake import shown

SEPARATORS = (",", "\t", ";", "|")
BOM = b"\xef\xbb\xbf"
GZIP = b"\x1f\x8b"
PARQUET = b"PAR1"
ARROW = b"ARROW1"
SUFFIXES: Final = (".csv", ".tsv", ".tab", ".parquet", ".pq", ".arrow", ".feather", ".ipc")
LONGEST: Final = 2**20  # characters of a line that is looked into
ROOM: Final = 64  # cells beyond the header's that a row may have and be told from the others
RAGGED: Final = "found more fields"  # in what polars says of a row with more cells than the header
TORN: Final = ("CSV malformed", "could not parse")  # in what it says of quotes
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
    text = head.removeprefix(BOM).decode("utf-8", "replace")
    lines = text.splitlines()[: LINES + 1]
    if "\0" in text or not lines or lines[0].startswith(("[", "{")):
        return False
    rows = list(csv.reader(lines[:LINES], delimiter=max(SEPARATORS, key=lines[0].count)))
    if len(lines) <= LINES and len(rows) > 1 and not text.endswith(("\n", "\r")):
        rows.pop()  # perhaps cut off
    return len(rows[0]) > 1 and all(len(row) in {0, len(rows[0])} for row in rows)


def widened(path: Path, name: str, place: IO[bytes]) -> tuple[pl.LazyFrame, tuple[str, ...]]:
    """Copy a text file to a place, with room in the header for rows that have more cells; return it, and what is added.

    Raises
    ------
    InputError : a row has far more cells than the header.
    """
    form = _form(path, name)
    with readable(path, name), _open(path) as file:
        begin = file.read(len(BOM))
        file.seek(len(begin) if begin == BOM else 0)
        header: list[str] = []
        names = next(csv.reader(_heard(_lines(path), header), delimiter=form.separator))
        width = max(_widths(path, form))
        if not len(names) < width <= len(names) + ROOM:
            raise _ragged(path, name)
        added = tuple(f"(cell {n})" for n in range(len(names) + 1, width + 1))
        text = "".join(header)
        place.write(form.separator.join([text.rstrip("\r\n"), *added]).encode() + form.end.encode())
        file.seek(len(text.encode()), 1)
        shutil.copyfileobj(file, place, LONGEST)
        place.flush()
        wide = pl.scan_csv(place.name, glob=False, infer_schema=False, separator=form.separator, eol_char=form.end)
    return wide, added


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
        if RAGGED in str(error):
            raise _ragged(path, name) from None
        if any(each in str(error) for each in TORN) and (torn := _torn(path, name)):
            raise torn from None
        raise InputError(f"cannot be read ({_first_line(error)})", where=name, expected="a whole table") from None


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]


def _open(path: Path) -> gzip.GzipFile | io.BufferedReader:
    """Open a file, gzipped or not."""
    with path.open("rb") as file:
        zipped = file.read(len(GZIP)) == GZIP
    return gzip.open(path) if zipped else path.open("rb")


def _lines(path: Path, end: str = "") -> Iterator[str]:
    """Yield the lines of a text file, gzipped or not, as they stand; `end` is what ends them, if that is known."""
    with _open(path) as file, io.TextIOWrapper(file, encoding="utf-8-sig", newline=end) as lines:
        while line := lines.readline(LONGEST):
            if len(line) == LONGEST:
                raise csv.Error(f"a line has more than {LONGEST:,} characters")
            yield line


def _heard(lines: Iterator[str], heard: list[str]) -> Iterator[str]:
    """Yield lines, and note which were taken."""
    for line in lines:
        heard.append(line)
        yield line


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


def _rows(path: Path, form: Form, *, strict: bool = False) -> Iterator[list[str]]:
    """Yield the cells of each row, the header's first; ends of lines of another kind are text."""
    other = "\n" if form.end == "\r" else "\r"
    lines = (line.replace(other, " ") for line in _lines(path, form.end))
    return csv.reader(lines, delimiter=form.separator, strict=strict)


def _widths(path: Path, form: Form) -> Iterator[int]:
    """Yield how many cells each row has that can be read, the header first."""
    with suppress(csv.Error, UnicodeDecodeError):
        yield from map(len, _rows(path, form))


def _ragged(path: Path, name: str) -> InputError:
    """Return the error for the first row with more cells than the header."""
    widths = _widths(path, _form(path, name))
    width = next(widths)
    for row, cells in enumerate(widths, 1):
        if cells > width:
            return InputError(f"{cells} cells", where=f"{name}, row {row}", expected=f"{width}, as in the header")
    return InputError("a row has more cells than the header", where=name, expected=f"{width} cells")


def _torn(path: Path, name: str) -> InputError | None:
    """Return the error for the first row with quotes that are wrong, if there is one."""
    row = -1
    try:
        for row, _ in enumerate(_rows(path, _form(path, name), strict=True)):  # noqa: B007  # the last one that can be read
            pass
    except UnicodeDecodeError:
        return None
    except csv.Error as error:
        said = "a quote is not closed" if "end of data" in str(error) else f"cannot be read ({error})"
        return InputError(said, where=f"{name}, row {row + 1}", expected="quotes around whole cells")
    return None
