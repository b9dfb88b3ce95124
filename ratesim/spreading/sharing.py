"""What all tasks look at, put once where they see it: no task carries a copy of it, and no process makes one.

Threads see it as it is. For processes, and for a cluster that sees the same disk, its arrays lie in a file that all map
into memory (PEP 574: Python pickles arrays apart from what holds them). To any other cluster it is sent once.
"""

import pickle
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np

from ..errors import InputError
from ..files import scratch, writing
from . import cluster

HEAD, ARRAYS = "head", "arrays"
LINE = 64  # bytes, where arrays begin
KEPT = 4  # values that a process keeps open: tasks over one stream come one after another


class OnDisk(NamedTuple):
    """Stands for a value in the arguments of a task."""

    folder: str


@contextmanager
def shared(executor: Executor, values: Sequence[Any], beside: Path | None = None) -> Iterator[list[Any]]:
    """Yield what stands for values in the arguments of tasks (`giving.Task`), until the block ends.

    Parameters
    ----------
    values : whatever can be pickled; it must not change.
    beside : a hidden folder there holds files for processes, and is gone after; None: the system's temporary folder.

    Raises
    ------
    InputError : the folder cannot be written.
    """
    if isinstance(executor, ThreadPoolExecutor):
        yield list(values)
        return
    with ExitStack() as stack:
        folder = stack.enter_context(scratch(beside / "shared") if beside else _temporary())
        client = cluster.client_of(executor)
        if client and not all(client.run(_is_there, str(folder.resolve())).values()):
            yield client.scatter(
                list(values), broadcast=True, hash=False
            )  # to all: no worker is the only one to have it
            return
        yield [_written(value, folder.resolve() / str(number)) for number, value in enumerate(values)]


def received(argument: Any) -> Any:  # noqa: ANN401  # any argument of a task
    """Return what an argument stands for, itself where it is no `OnDisk`.

    Raises
    ------
    InputError : this worker does not see the folder.
    """
    return _read(argument.folder) if isinstance(argument, OnDisk) else argument


@contextmanager
def _temporary() -> Iterator[Path]:
    with TemporaryDirectory(prefix="ratesim-", ignore_cleanup_errors=True) as name:  # where an open file has to stay
        yield Path(name)


def _is_there(folder: str) -> bool:
    return Path(folder).is_dir()


def _written(value: object, folder: Path) -> OnDisk:
    buffers: list[pickle.PickleBuffer] = []
    parts: list[_Part] = []
    with writing(folder):
        folder.mkdir()
        head = pickle.dumps(value, protocol=5, buffer_callback=buffers.append)
        with (folder / ARRAYS).open("wb") as file:
            file.write(bytes(LINE))  # nothing at all cannot be mapped
            for buffer in buffers:
                file.write(bytes(-file.tell() % LINE))
                begin, raw = file.tell(), buffer.raw()
                file.write(raw)
                parts.append(_Part(begin, file.tell(), raw.readonly))
        (folder / HEAD).write_bytes(pickle.dumps((head, parts)))
    return OnDisk(str(folder))


class _Part(NamedTuple):
    """Where an array lies in the file of all."""

    begin: int
    end: int
    read_only: bool


@lru_cache(KEPT)
def _read(folder: str) -> Any:  # noqa: ANN401  # any value
    place = Path(folder)
    try:
        head, parts = pickle.loads((place / HEAD).read_bytes())  # noqa: S301  # our own, of a moment ago
        # Kernels are compiled for arrays that may or may not be written to, so each comes as it went. Pages that a task
        # were to write to would become its own.
        fixed, own = (np.memmap(place / ARRAYS, np.uint8, mode).data for mode in ("r", "c"))
    except FileNotFoundError:
        raise InputError(
            "a worker does not see this folder", where=folder, expected="one that all workers see"
        ) from None
    buffers = [(fixed if part.read_only else own)[part.begin : part.end] for part in parts]
    return pickle.loads(head, buffers=buffers)  # noqa: S301  # as above
