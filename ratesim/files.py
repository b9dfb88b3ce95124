"""Files that are whole or not there: written under another name beside their place, then renamed."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from .errors import InputError

UNFINISHED = ".part"


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
    place = path.with_name(f".{path.name}{UNFINISHED}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        yield place
        place.replace(path)
    except OSError as error:
        raise InputError(f"cannot be written ({error.strerror or error})", where=str(path)) from error
    finally:
        with suppress(OSError):
            place.unlink()


def sweep(folder: Path) -> None:
    """Remove what a killed process left unfinished in a folder and its own folders."""
    for pattern in (f".*{UNFINISHED}", f"*/.*{UNFINISHED}"):
        for place in folder.glob(pattern):
            place.unlink(missing_ok=True)
