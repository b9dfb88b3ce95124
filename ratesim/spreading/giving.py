"""Tasks given out to an executor, a few ahead of what it has room for, and taken back as they are done."""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future, wait
from typing import Any, NamedTuple, TypeVar

from ..errors import InputError, RatesimError
from . import cluster
from .sharing import received

Result = TypeVar("Result")


class Task(NamedTuple):
    """A call to be made somewhere: what is asked of its arguments is that they can be pickled."""

    id: str
    label: str  # by which a failure names it
    arguments: tuple[Any, ...]  # of the function, what `shared` gives for a value among them


class LostError(RatesimError):
    """A worker died, and those that took its place."""


def finish(
    executor: Executor, function: Callable[..., Result], tasks: Sequence[Task], ahead: int | None = None
) -> Iterator[tuple[Task, Result]]:
    """Yield each task with what its call returned, as it is done.

    Parameters
    ----------
    function : of a module, so that another process finds it.
    ahead : tasks that are given out at a time at most, to hold memory; None: twice what the executor does at once.

    Raises
    ------
    InputError : the executor was shut down.
    LostError : the executor has given up on a worker, or a cluster has gone; the task is named.
    Exception : whatever the function raises.
    """
    waiting = list(reversed(tasks))
    running: dict[Future[Result], Task] = {}
    try:
        while waiting or running:
            most = ahead or 2 * slots(executor)
            while waiting and len(running) < most:
                task = waiting.pop()
                running[_given(executor, function, task)] = task
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                task = running.pop(future)
                yield task, _returned(future, task)
    finally:
        for future in running:
            future.cancel()


def slots(executor: Executor) -> int:
    """Return how many calls an executor makes at once, which a cluster may change; one core each where nobody knows."""
    client = cluster.client_of(executor)
    found = sum(client.nthreads().values()) if client else getattr(executor, "_max_workers", None)
    return int(found or os.cpu_count() or 1)


def _given(executor: Executor, function: Callable[..., Result], task: Task) -> "Future[Result]":
    try:
        return executor.submit(_called, function, *task.arguments)
    except BrokenExecutor as error:
        raise _lost(task, error) from error
    except RuntimeError as error:  # what an executor says that was shut down
        raise InputError(f"the executor takes no work ({error})", expected="one that is open") from None


def _called(function: Callable[..., Result], *arguments: Any) -> Result:  # noqa: ANN401  # a function's arguments
    return function(*map(received, arguments))


def _returned(future: "Future[Result]", task: Task) -> Result:
    given_up: tuple[type[BaseException], ...] = (BrokenExecutor, CancelledError, *cluster.losses())
    try:
        return future.result()
    except given_up as error:
        raise _lost(task, error) from error


def _lost(task: Task, error: BaseException) -> LostError:
    said = " ".join(str(error).split())
    return LostError(f"{task.label}: the workers it was given to are lost{f' ({said})' if said else ''}")
