"""Files that are whole or not there: written under another name beside their place, then renamed."""

import re
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import filelock

from .errors import InputError

UNFINISHED = ".part"
LOCK = ".lock"
OURS: Final = re.compile(rf"\..+\.[0-9a-f]{{8}}{re.escape(UNFINISHED)}", re.DOTALL)  # names that `_aside` gives


@contextmanager
def whole(path: Path, within: Path | None = None) -> Iterator[Path]:
    """Yield a name to write to; it takes the place of `path` when the block ends well, and is gone otherwise.

    Parameters
    ----------
    within : the folder of `scratch` that the caller has for `path`; what a killed process left there is cleared away
        with it. None: the name stands beside `path`.

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
    place = _aside(path) if within is None else within / path.name  # nobody else writes to it
    try:
        with writing(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            yield place
            place.replace(path)
    finally:
        with suppress(OSError):
            place.unlink()


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Keep other processes from holding a folder, until the block ends or the process does, however it ends.

    What counts is who has the file `.lock` open, not whether it is there. A new one goes where the block makes nothing.

    Raises
    ------
    InputError : another process holds it.
    """
    before = {*folder.iterdir()}
    lock = filelock.FileLock(folder / LOCK, blocking=False)
    try:
        lock.acquire()
        while not (folder / LOCK).exists():  # who had it took it away meanwhile
            lock.release()
            lock.acquire()
    except filelock.Timeout:
        raise InputError(
            "another run is writing to this folder", where=str(folder), expected="one at a time, or another folder"
        ) from None
    try:
        yield
    finally:
        if folder / LOCK not in before and {*folder.iterdir()} - {folder / LOCK} <= before:
            with suppress(OSError):  # an open file that cannot be removed
                (folder / LOCK).unlink()
        lock.release()


def sweep(folder: Path) -> None:
    """Remove what a killed process left unfinished in a folder and its own folders; the caller holds the folder."""
    for pattern in (f".*{UNFINISHED}", f"*/.*{UNFINISHED}"):
        for place in folder.glob(pattern):
            if not place.is_dir():  # one of `scratch`, which may be at work
                place.unlink(missing_ok=True)
    _clear(folder)


@contextmanager
def scratch(path: Path) -> Iterator[Path]:
    """Yield a hidden folder beside a file that is to be made, for what it takes; gone when the block ends, however so.

    First it removes what killed processes left in the folder of `path`; what a living one works in stays.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> with scratch(folder / "games.parquet") as place:
    ...     place.is_dir(), place.parent == folder
    (True, True)
    >>> list(folder.iterdir())
    []

    Raises
    ------
    InputError : the folder cannot be written.
    """
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        _clear(path.parent)
        place, lock = _claimed(path)
    try:
        yield place
    finally:
        _remove(place, lock)


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn what the system says of a file that cannot be written into one line about `path`."""
    try:
        yield
    except OSError as error:
        raise InputError(f"cannot be written ({error.strerror or error})", where=str(path)) from error


def _aside(path: Path) -> Path:
    """Return a hidden name beside `path` that nobody has."""
    return path.with_name(f".{path.name}.{secrets.token_hex(4)}{UNFINISHED}")


def _claimed(path: Path) -> tuple[Path, filelock.BaseFileLock]:
    """Return a new folder beside `path` and its lock, held; one that is cleared away before it is held is left."""
    while True:
        place = _aside(path)
        place.mkdir()
        lock = filelock.FileLock(place / LOCK, blocking=False)
        with suppress(filelock.Timeout, FileNotFoundError):
            lock.acquire()
            if (place / LOCK).exists():
                return place, lock
            lock.release()


def _clear(folder: Path) -> None:
    """Remove the folders of `scratch` that no process holds; hidden folders of other programs are none of ours."""
    for place in folder.glob(f".*{UNFINISHED}"):
        if OURS.fullmatch(place.name) and (place / LOCK).is_file():
            lock = filelock.FileLock(place / LOCK, blocking=False)
            with suppress(filelock.Timeout, OSError):
                lock.acquire()
                _remove(place, lock)


def _remove(place: Path, lock: filelock.BaseFileLock) -> None:
    shutil.rmtree(place, ignore_errors=True)
    lock.release()
    shutil.rmtree(place, ignore_errors=True)  # where an open file cannot be removed
