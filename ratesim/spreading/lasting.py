"""Processes that are replaced when one dies: Python's own pool gives up, with all that it had in hand."""

import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from typing import Any

AGAIN = 3  # times that a call is given again, as a cluster of Dask's does: one that kills its worker kills the next


class Lasting(Executor):
    """A pool of processes that a process may die in: what was lost with it is given again to new ones.

    Nobody knows whose call it was that the process died of, so every call that was in hand has lost one of its tries.

    Parameters
    ----------
    make : makes a pool of so many processes.
    workers : how many.
    """

    def __init__(self, make: Callable[[int], ProcessPoolExecutor], workers: int) -> None:
        self._max_workers = workers  # as Python's own executors have it
        self._make = partial(make, workers)
        self._pool = self._make()
        self._lock = threading.Lock()  # never held while a pool is called: pools hold locks while they call back
        self._closed = False

    def submit(self, function: Callable[..., Any], /, *arguments: Any, **named: Any) -> "Future[Any]":  # noqa: ANN401
        """Have a call made by one of the processes."""
        asked: Future[Any] = Future()
        self._give(asked, partial(function, *arguments, **named), AGAIN)
        return asked

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: FBT001, FBT002  # as its base
        """Take no more calls, and replace no more processes."""
        with self._lock:
            self._closed = True
        self._pool.shutdown(wait, cancel_futures=cancel_futures)

    def _give(self, asked: "Future[Any]", call: Callable[[], Any], again: int) -> None:
        pool = self._pool
        while True:
            try:
                given = pool.submit(call)
            except BrokenProcessPool:
                pool = self._in_place_of(pool)
            else:
                break
        asked.add_done_callback(lambda done: given.cancel() if done.cancelled() else None)
        given.add_done_callback(partial(self._back, asked, call, again, pool))

    def _back(
        self, asked: "Future[Any]", call: Callable[[], Any], again: int, pool: ProcessPoolExecutor, given: "Future[Any]"
    ) -> None:
        """Pass on what came of a call, or make it again; this runs in a thread of the pool's."""
        if given.cancelled():
            asked.cancel()
            asked.set_running_or_notify_cancel()
            return
        error = given.exception()
        if isinstance(error, BrokenProcessPool) and again and not (self._closed or asked.cancelled()):
            try:
                self._in_place_of(pool)
                self._give(asked, call, again - 1)
            except RuntimeError as closed:
                error = closed
            else:
                return
        if asked.set_running_or_notify_cancel():
            asked.set_exception(error) if error else asked.set_result(given.result())

    def _in_place_of(self, broken: ProcessPoolExecutor) -> ProcessPoolExecutor:
        with self._lock:
            if self._closed:
                raise RuntimeError("cannot schedule new futures after shutdown")
            if self._pool is broken:
                self._pool = self._make()
            return self._pool
