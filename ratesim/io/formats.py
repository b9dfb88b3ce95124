"""Which form each source has, seen by what is in it, and who reads it."""

from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple

from ..errors import InputError, nearest
from . import chesscom, lichess, lichess_table, pgn, table, tables, trf_batches
from .batch import Asked, Batch, Read
from .sources import Source
from .trf import is_trf


class Form(NamedTuple):
    """A form of files."""

    key: str  # as --format has it
    name: str
    suffixes: tuple[str, ...]
    begins: Callable[[Source], bool]  # whether the content is of it
    read: Read
    mapped: bool = False  # whether a map of columns is for it
    listed: bool = False  # whether the list is, on which its games count


def _by_head(begins: Callable[[bytes], bool]) -> Callable[[Source], bool]:
    return lambda source: begins(source.head)


FORMS: Final = (
    Form("trf", "tournament report (TRF)", (".trf", ".trfx"), _by_head(is_trf), trf_batches.batches, listed=True),
    Form("pgn", "file of PGN", (".pgn",), _by_head(pgn.is_pgn), pgn.batches, listed=True),
    Form("chesscom", "archive of chess.com", (), _by_head(chesscom.is_chesscom), chesscom.batches),
    Form("lichess", "file of Lichess' NDJSON", (".ndjson", ".jsonl"), _by_head(lichess.is_lichess), lichess.batches),
    Form("lichess-table", "table of Lichess", (), lichess_table.is_lichess_table, lichess_table.batches),
    Form("table", "table", table.SUFFIXES, _by_head(table.is_table), tables.batches, mapped=True),
)
EXPERIMENT: Final = ".toml"
KEYS: Final = tuple(form.key for form in FORMS)
Sorted = dict[Form, list[Source]]


def form_of(source: Source) -> Form | None:
    """Return the form of a source; None where it has none that we know.

    Raises
    ------
    InputError : it cannot be read, or is an experiment file that was named.
    """
    if source.suffix == EXPERIMENT and source.head and not source.inside:
        takes = "games; `ratesim run` or `ratesim simulate` takes it"
        raise InputError("is an experiment file", where=source.name, expected=takes)
    named = next((form for form in FORMS if source.suffix in form.suffixes), None)
    return next((form for form in FORMS if form.begins(source)), None) or named


def sorted_out(sources: Iterable[Source], key: str | None = None) -> tuple[Sorted, list[str]]:
    """Return sources by their forms, and the names of those found in folders that have none.

    Parameters
    ----------
    key : the form of all of them; None: what is in each tells.

    Raises
    ------
    InputError : a source that was named is empty or of no form we know; no source of a folder is; no such key; a
        source is, by its content, of another form than asked for.
    """
    if key is not None and key not in KEYS:
        raise InputError(f"format '{key}'", expected=f"one of {', '.join(KEYS)}", near=nearest(key, KEYS))
    found: Sorted = {}
    strange: list[Source] = []
    for source in sources:
        form = _as_asked(source, key) if key else form_of(source)
        if form is not None and source.head:
            found.setdefault(form, []).append(source)
        elif source.inside:
            strange.append(source)
        else:
            raise _unknown(source)
    if not found:
        where = ", ".join(sorted({str(source.path.parent) for source in strange}))
        raise InputError("no file of games", where=where, expected=f"at least one: a {_names()}")
    return found, [source.name for source in strange]


def read_all(found: Sorted, asked: Asked) -> Iterator[Batch]:
    """Yield the games of all sources, form by form.

    Raises
    ------
    InputError : something is asked that no source has a use for, or a source cannot be read.
    """
    first, place = next(iter(found)), next(iter(found.values()))[0].name
    if asked.columns.changed and not any(form.mapped for form in found):
        raise InputError(f"a {first.name} has no columns", where=place, expected="no map of columns")
    if asked.start is not None and not any(form.key == "trf" for form in found):
        instead = "a column of the table in its place" if first.mapped else "it with tournament reports alone"
        raise InputError("start is given", where=place, expected=instead)
    if asked.list is not None and not any(form.listed for form in found):
        instead = "a column of the table in its place" if first.mapped else "it with games over the board alone"
        raise InputError("list is given", where=place, expected=instead)
    for form, sources in found.items():
        yield from form.read(sources, asked)


def _as_asked(source: Source, key: str) -> Form:
    form = next(each for each in FORMS if each.key == key)
    seen = None if not source.head or form.begins(source) else next((e for e in FORMS if e.begins(source)), None)
    if seen is not None:
        raise InputError(f"is a {seen.name}, not a {form.name}", where=source.name, expected=f"--format {seen.key}")
    return form


def _unknown(source: Source) -> InputError:
    if not source.head:
        return InputError("is empty", where=source.name, expected="games")
    return InputError("is of no form we know", where=source.name, expected=f"a {_names()}")


def _names() -> str:
    *most, last = (form.name for form in FORMS)
    return f"{', '.join(most)} or {last}"
