"""Executors by name, and those that a caller brings."""

import logging
import multiprocessing
import os
import re
import signal
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from multiprocessing import resource_tracker
from multiprocessing.process import BaseProcess
from numbers import Integral

from ..errors import InputError, nearest, shown
from . import cluster
from .lasting import Lasting

log = logging.getLogger("ratesim")
EXECUTORS = ("threads", "processes", "dask", "dask=ADDRESS")


def check(given: str | Executor, workers: int) -> None:
    """Refuse an executor that does not exist, before any work is done.

    Raises
    ------
    InputError : no worker, an unknown name, or what is no executor.
    """
    count: object = workers
    if isinstance(count, bool) or not isinstance(count, Integral) or workers < 1:
        raise InputError(f"workers = {shown(workers)}", expected="a whole number, at least 1")
    if not isinstance(given, str | Executor):
        expected = f"one of {', '.join(EXECUTORS)}, or a concurrent.futures.Executor"
        raise InputError(f"executor = {shown(given)}", expected=expected)
    if isinstance(given, str) and given not in EXECUTORS[:-1] and not re.fullmatch("dask=.+", given):
        near = nearest(given, EXECUTORS)
        near = f"dask={given}" if "://" in given else near
        expected = "" if near else f"one of {', '.join(EXECUTORS)}"
        raise InputError(f"unknown executor '{given}'", expected=expected, near=near)


@contextmanager
def executor(given: str | Executor, workers: int, *, patience: float = cluster.PATIENCE) -> Iterator[Executor]:
    """Open an executor; one that is brought stays open, for whoever made it to close.

    Kernels release the GIL, so threads serve all but systems written in plain Python.

    Parameters
    ----------
    given : `threads`, `processes`, `dask` (a cluster of this machine), `dask=ADDRESS` of a scheduler, or an executor.
    workers : threads or processes, at least 1; a cluster elsewhere and an executor that is brought have their own.
    patience : seconds after which a cluster is taken not to answer.

    Raises
    ------
    InputError : no worker, an unknown name, dask is not installed, the cluster does not answer, or one of its workers
        has another version of ratesim or none.
    """
    check(given, workers)
    if not isinstance(given, str):
        cluster.check(given, patience)
        yield given
    elif given == "threads":
        yield from _opened(ThreadPoolExecutor(workers, "ratesim"))
    elif given == "processes":
        _track_quietly()
        yield from _opened(Lasting(_processes, workers))
    elif given == "dask":
        with cluster.here(workers, patience) as pool:
            yield pool
    else:
        with cluster.at(given.removeprefix("dask="), patience) as pool:
            yield pool


def _processes(workers: int) -> ProcessPoolExecutor:
    spawn = multiprocessing.get_context("spawn")  # a fork would copy locks that other threads hold
    return ProcessPoolExecutor(workers, spawn, initializer=_follow, initargs=(log.getEffectiveLevel(),))


def _track_quietly() -> None:
    """Start Python's tracker, which cleans up after a process that was killed, so that it does so without a warning."""
    quiet = "ignore:resource_tracker:UserWarning"
    sys.warnoptions.append(quiet)  # what a new interpreter begins with
    try:
        resource_tracker.ensure_running()
    finally:
        sys.warnoptions.remove(quiet)


def _opened(pool: Executor) -> Iterator[Executor]:
    try:
        yield pool
    finally:
        pool.shutdown(wait=False, cancel_futures=True)  # after Ctrl-C nobody waits for what still runs


def _follow(level: int) -> None:
    """Leave Ctrl-C to the parent, and end when it does: killed, it can tell nobody. Log what it would have logged."""
    log.setLevel(level)
    log.addHandler(logging.StreamHandler())
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_after, args=(parent,), daemon=True).start()


def _end_after(parent: BaseProcess) -> None:
    parent.join()
    os._exit(1)
