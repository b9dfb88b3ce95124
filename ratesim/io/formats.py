"""Files of games that say themselves what is what, told apart by how they begin; no map of columns is for them."""

from collections.abc import Callable, Iterable, Sequence
from datetime import date
from pathlib import Path
from typing import NamedTuple

from ..errors import InputError
from ..rules import List
from ..stream import GameStream
from .pgn import is_pgn, pgn_games
from .trf import is_trf, read_trf
from .trf_games import tournament_games

HEAD = 2**16  # bytes of a file that tell its form


class Form(NamedTuple):
    """A form of files: its suffix, how one begins, and what makes one stream of the games of several."""

    name: str
    suffix: str
    begins: Callable[[bytes], bool]
    games: Callable[[Sequence[Path], date | str | None, List | None], GameStream]


def _reports(paths: Sequence[Path], start: date | str | None, of: List | None) -> GameStream:
    return tournament_games([read_trf(path) for path in paths], start=start, list=of)


def _tags(paths: Sequence[Path], start: date | str | None, of: List | None) -> GameStream:
    if start is not None:
        raise InputError("start is given", where=str(paths[0]), expected="it with tournament reports alone")
    return pgn_games(paths, of)


FORMS = (
    Form("tournament report (TRF)", ".trf", is_trf, _reports),
    Form("file of PGN", ".pgn", is_pgn, _tags),
)


def form_of(path: Path) -> Form | None:
    """Return the form of a file; None: a table, a folder, or nothing that is there."""
    if not path.is_file():
        return None
    with path.open("rb") as file:
        head = file.read(HEAD)
    return next((form for form in FORMS if path.suffix.lower() == form.suffix or form.begins(head)), None)


def files_of(sources: Iterable[Path]) -> list[Path]:
    """Return files as they stand, and for a folder those in it, at any depth, that have a form of ours, by name.

    Raises
    ------
    InputError : a folder has none, or no source is given.
    """
    files: list[Path] = []
    for source in sources:
        inside = sorted(each for each in source.rglob("*") if form_of(each)) if source.is_dir() else [source]
        if not inside:
            expected = f"a table, or in it a {' or a '.join(form.name for form in FORMS)}"
            raise InputError("is a folder", where=str(source), expected=expected)
        files += inside
    if not files:
        raise InputError("no files", expected="at least one")
    return files


def common(files: Sequence[Path]) -> Form | None:
    """Return the form of all files, or None of one table.

    Raises
    ------
    InputError : they differ in form, or there are several tables.
    """
    first, *others = (form_of(path) for path in files)
    for path, other in zip(files[1:], others, strict=True):
        if other is None or other is not first:
            kinds = " and a ".join(each.name if each else "table" for each in (first, other))
            raise InputError(f"a {kinds}", where=f"{files[0]}, {path}", expected="one table, or files of one form")
    return first
