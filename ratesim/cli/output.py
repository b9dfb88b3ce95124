"""What a verb says: its result on stdout, all else on stderr; files whole or not at all."""

import math
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from ..errors import InputError
from ..files import whole

if TYPE_CHECKING:
    import polars as pl


def say(line: str) -> None:
    """Print a note to stderr."""
    typer.echo(line, err=True)


def document(value: object) -> None:
    """Print one JSON document to stdout; NaN and infinities are null."""
    from ..store import json_text

    typer.echo(json_text(value), nl=False)


def text(value: object, digits: int = 6) -> str:
    """Return a cell as people read it."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "-"
    return f"{value:.{digits}g}" if isinstance(value, float) else str(value)


def table(
    rows: Sequence[Mapping[str, Any]], columns: Iterable[str] = (), title: str = "", right: Iterable[str] = ()
) -> None:
    """Print rows under the names of their columns; to the right are numbers, and texts of columns in `right`."""
    from rich.console import Console
    from rich.table import Table

    names, right = list(columns) or list(rows[0] if rows else ()), set(right)
    drawn = Table(title=title or None, title_justify="left", box=None, pad_edge=False, header_style="bold")
    for name in names:
        numbers = name in right or any(isinstance(row.get(name), int | float) for row in rows)
        drawn.add_column(name, justify="right" if numbers else "left", overflow="fold")
    for row in rows:
        drawn.add_row(*(text(row.get(name)) for name in names))
    console = Console(width=None if sys.stdout.isatty() else 160, markup=False, highlight=False)
    with console.capture() as lines:
        console.print(drawn)
    for line in lines.get().splitlines():
        typer.echo(line.rstrip())


def writable(path: Path, suffixes: Sequence[str] = ()) -> None:
    """Check, before any work is done, that a file can be written and that its name says in which form.

    Raises
    ------
    InputError : it is a folder, has another suffix, or its folder cannot be written.
    """
    if path.is_dir():
        kinds = " or ".join(f"*{suffix}" for suffix in suffixes)
        raise InputError("is a folder", where=str(path), expected=f"a file{kinds and f', {kinds}'}")
    if suffixes and path.suffix not in suffixes:
        raise InputError(f"unknown suffix '{path.suffix}'", where=str(path), expected=f"one of {', '.join(suffixes)}")
    try:
        with tempfile.TemporaryFile(dir=next(each for each in path.absolute().parents if each.exists())):
            pass
    except OSError as error:
        raise InputError(f"cannot be written ({error.strerror})", where=str(path)) from error


@contextmanager
def told_folders(*paths: Path | None) -> Iterator[None]:
    """Say which folders of files are new, once they are written."""
    new = dict.fromkeys(path.parent for path in paths if path and not path.parent.exists())
    yield
    for folder in new:
        say(f"new folder: {folder}")


def apart(outputs: Mapping[str, Path | None], inputs: Mapping[str, Path | None]) -> None:
    """Check, before any work is done, that nothing written takes the place of what is read or written too.

    Parameters
    ----------
    outputs, inputs : the files by the option or argument that names each; None: not given.

    Raises
    ------
    InputError : two of them are one file, under whatever names.
    """
    seen = {option: path for option, path in inputs.items() if path}
    for option, path in outputs.items():
        for other, taken in seen.items():
            if path and _one_file(path, taken):
                raise InputError(f"{option} and {other} are one file", where=str(path), expected="two files")
        if path:
            seen[option] = path


def _one_file(one: Path, other: Path) -> bool:
    if one.exists() and other.exists():
        return one.samefile(other)
    return one.resolve() == other.resolve()


def count(n: int, word: str) -> str:
    """Return a number of things as people say it.

    >>> count(1, "game"), count(1200, "player")
    ('1 game', '1,200 players')
    """
    return f"{n:,} {word}" if n == 1 else f"{n:,} {word}s"


def write(frame: "pl.DataFrame", path: Path) -> None:
    """Write a table as CSV, TSV or Parquet, by the suffix of its name."""
    with whole(path) as place:
        match path.suffix:
            case ".parquet":
                frame.write_parquet(place)
            case suffix:
                frame.write_csv(place, separator="\t" if suffix == ".tsv" else ",")
