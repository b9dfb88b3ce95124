"""Clusters of Dask's, through the executor that its client gives.

A worker that dies is replaced, and what it had is given to others, by the scheduler itself (`allowed-failures` of its
configuration tells how often). Its `retries` are for calls that raise: ours would raise the same again.
"""

import logging
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from importlib import metadata
from typing import Any

from ..errors import InputError

PATIENCE = 9.0  # seconds


@contextmanager
def here(workers: int, patience: float = PATIENCE) -> Iterator[Executor]:
    """Open a cluster on this machine, each worker a process of one thread; gone when the block ends.

    Raises
    ------
    InputError : dask is not installed.
    """
    distributed = _distributed()
    made = distributed.LocalCluster(
        n_workers=workers,
        threads_per_worker=1,
        memory_limit=None,  # files mapped by all would be counted for each
        dashboard_address=":0",  # any port that is free
        preload=[f"{__package__}.worker"],
        silence_logs=logging.CRITICAL,  # its own way to say that a worker died; ours is one line
    )
    with made, at(made.scheduler_address, patience) as pool:
        yield pool


@contextmanager
def at(address: str, patience: float = PATIENCE) -> Iterator[Executor]:
    """Open the cluster of a scheduler.

    Raises
    ------
    InputError : dask is not installed, nobody answers in time, or a worker has another version of ratesim or none.
    """
    distributed = _distributed()
    try:
        client = _in_time(lambda: distributed.Client(address, timeout=patience), patience)
    except Exception as error:  # noqa: BLE001  # what others say there can be read as anything, a wish for memory too
        raise _none(address, _words(error, patience)) from None
    with client:
        pool: Executor = client.get_executor(pure=False)
        check(pool, patience)
        yield pool


def check(executor: Executor, patience: float = PATIENCE) -> None:
    """Refuse a cluster without workers, and workers that would not play as this process does; others are let through.

    Raises
    ------
    InputError : the cluster has no worker, or one has another version of ratesim or none.
    """
    client = client_of(executor)
    if client is None:
        return
    address = client.scheduler.address
    where = f"dask={address}"
    try:
        client.wait_for_workers(1, timeout=patience)
        versions = _in_time(lambda: client.run(metadata.version, "ratesim", on_error="return"), patience)
    except TimeoutError:
        expected = f"dask worker {address}, started"
        raise InputError(f"no worker answers in {patience:g} s", where=where, expected=expected) from None
    except OSError as error:  # it has hung up
        raise _none(address, _words(error, patience)) from None
    ours = metadata.version("ratesim")
    for worker, found in sorted(versions.items()):
        if found == ours:
            continue
        has = f"ratesim {found}" if isinstance(found, str) else "no ratesim"
        if isinstance(found, Exception) and not isinstance(found, metadata.PackageNotFoundError):
            has = f"no answer ({found})"
        raise InputError(f"worker {worker} has {has}", where=where, expected=f"ratesim {ours} as here")


def _none(address: str, said: str) -> InputError:
    return InputError(f"no dask scheduler answers ({said})", where=f"dask={address}")


def _words(error: Exception, patience: float) -> str:
    """Return what is wrong in few words: those of errors of the line and of its form, where they have any."""
    if isinstance(error, OSError | ValueError):
        return " ".join(str(error).split()) or f"in {patience:g} s"
    return "what answers is something else"


def client_of(executor: Executor) -> Any | None:  # noqa: ANN401  # dask has no types
    """Return the client of an executor of Dask's, None of any other."""
    module = sys.modules.get("distributed.cfexecutor")  # nobody has such an executor who has not imported it
    return executor._client if module and isinstance(executor, module.ClientExecutor) else None  # noqa: SLF001


def losses() -> tuple[type[Exception], ...]:
    """Return what a cluster raises where a call has cost it too many workers."""
    module = sys.modules.get("distributed")
    return (module.KilledWorker,) if module else ()


def _in_time(call: Callable[[], Any], patience: float) -> Any:  # noqa: ANN401  # dask has no types
    """Return what a call returns; it is left alone where it takes too long.

    Dask's own timeout is over once somebody takes the line, and it waits for ever where they then say nothing.
    """
    answer: Future[Any] = Future()

    def ask() -> None:
        try:
            answer.set_result(call())
        except Exception as error:  # noqa: BLE001  # whatever it is, it is raised below
            answer.set_exception(error)

    threading.Thread(target=ask, name="ratesim-dask", daemon=True).start()
    return answer.result(1.1 * patience)  # the call's own words, where it gives up by itself


def _distributed() -> Any:  # noqa: ANN401  # dask has no types
    try:
        import distributed
    except ImportError:
        raise InputError("dask is not installed", expected="pip install 'ratesim[dask]'") from None
    return distributed
