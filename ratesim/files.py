"""Files that are whole or not there: written under another name beside their place, then renamed."""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import filelock

from .errors import InputError

UNFINISHED = ".part"
LOCK = ".lock"


@contextmanager
def whole(path: Path) -> Iterator[Path]:
    """Yield a name to write to; it takes the place of `path` when the block ends well, and is gone otherwise.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> with whole(folder / "a.txt") as place:
    ...     count = place.write_text("done")
    >>> [each.name for each in folder.iterdir()]
    ['a.txt']

    Raises
    ------
    InputError : the folder cannot be written.
    """
    place = path.with_name(f".{path.name}.{secrets.token_hex(4)}{UNFINISHED}")  # nobody else writes to it
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        yield place
        place.replace(path)
    except OSError as error:
        raise InputError(f"cannot be written ({error.strerror or error})", where=str(path)) from error
    finally:
        with suppress(OSError):
            place.unlink()


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Keep other processes from holding a folder, until the block ends or the process does, however it ends.

    What counts is who has the file `.lock` open, not whether it is there.

    Raises
    ------
    InputError : another process holds it.
    """
    lock = filelock.FileLock(folder / LOCK, blocking=False)
    try:
        lock.acquire()
    except filelock.Timeout:
        raise InputError(
            "another run is writing to this folder", where=str(folder), expected="one at a time, or another folder"
        ) from None
    try:
        yield
    finally:
        lock.release()


def sweep(folder: Path) -> None:
    """Remove what a killed process left unfinished in a folder and its own folders; the caller holds the folder."""
    for pattern in (f".*{UNFINISHED}", f"*/.*{UNFINISHED}"):
        for place in folder.glob(pattern):
            place.unlink(missing_ok=True)
