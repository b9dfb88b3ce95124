"""Work spread through one seam, `concurrent.futures.Executor`: threads, processes, or a cluster's own."""

import hashlib
import logging
import multiprocessing
import os
import re
import signal
import sys
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, replace
from multiprocessing import resource_tracker
from multiprocessing.process import BaseProcess
from typing import Any, NamedTuple, Self

import numpy as np
import polars as pl
from numpy.typing import NDArray

from .analysis.truth import truth_tables
from .calendars import CALENDARS, Calendar
from .errors import InputError, nearest
from .io.gamefile import GameFile
from .policies import POLICIES, Policy
from .registry import load_plugin
from .replay import compiles, replay as played
from .replaying.believed import Diagnostic
from .replaying.kept import Keep, Moments
from .replaying.snapshots import snapshots
from .stream import GameStream
from .systems.base import SYSTEMS, Rater

log = logging.getLogger("ratesim")
EXECUTORS = ("threads", "processes", "dask=ADDRESS")


class Reading(NamedTuple):
    """Whose ratings are read from a run, and when."""

    key: str  # the address of what follows
    times: NDArray[np.float64]  # days
    players: list[str]

    @classmethod
    def of(cls, times: Iterable[float], players: Iterable[str]) -> Self:
        """Make one with its address."""
        moments, names = [float(t) for t in times], list(players)
        text = "\0".join([*map(repr, moments), *names])
        return cls(hashlib.sha256(text.encode()).hexdigest()[:8], np.array(moments), names)


@dataclass(frozen=True)
class Job:
    """One run to play, as another process or machine can read it: specs are tables, so that plugins load first."""

    id: str
    label: str
    system: dict[str, Any]
    policy: dict[str, Any] | None
    calendar: dict[str, Any]
    stream: GameStream | GameFile
    start: pl.DataFrame | None
    by_pool: bool
    plugins: tuple[str, ...]
    readings: Mapping[str, Reading]
    keep: Keep | None = None  # what is kept of a replay from disk
    truth: bool = False  # whether ratings are held against skills


class Outcome(NamedTuple):
    """What is kept of a run."""

    forecast: NDArray[np.float64] | None  # (G,), where all are kept
    ratings: pl.DataFrame
    histories: Mapping[str, pl.DataFrame]  # by the key of the reading
    diagnostics: list[Diagnostic]
    seconds: float  # compilation included
    losses: pl.DataFrame | None = None
    sample: pl.DataFrame | None = None
    truth: Mapping[str, pl.DataFrame] | None = None  # tables by name


def play(job: Job) -> Outcome:
    """Play one run.

    Raises
    ------
    InputError : the system cannot rate that stream so; the run is named.
    """
    for plugin in job.plugins:
        load_plugin(plugin)
    began = time.perf_counter()
    system, policy = SYSTEMS.build(job.system), POLICIES.build(job.policy) if job.policy else None
    calendar = CALENDARS.build(job.calendar)
    try:
        if isinstance(job.stream, GameFile):
            return _from_disk(job, job.stream, system, policy, calendar, began)
        run = played(system, job.stream, policy=policy, calendar=calendar, start=job.start, by_pool=job.by_pool)
        histories = {key: run.history(each.times, each.players) for key, each in job.readings.items()}
        truth = truth_tables(snapshots(run)) if job.truth else None
        seconds = time.perf_counter() - began
        return Outcome(run.forecast, run.ratings(), histories, run.diagnostics, seconds, truth=truth)
    except InputError as error:
        raise error.inside(job.label) from None


def _from_disk(
    job: Job, games: GameFile, system: Rater, policy: Policy | None, calendar: Calendar, began: float
) -> Outcome:
    moments = {key: Moments(np.unique(each.times), tuple(each.players)) for key, each in job.readings.items()}
    keep = replace(job.keep or Keep(), moments=moments)
    run = played(
        system, games, policy=policy, calendar=calendar, start=job.start, by_pool=job.by_pool, forecasts=keep
    )  # fmt: skip
    return Outcome(
        run.forecast, run.ratings(), run.histories, run.diagnostics, time.perf_counter() - began, run.losses, run.sample
    )


def warm(jobs: Sequence[Job], workers: int) -> None:
    """Compile what several jobs need side by side, in processes: within one, compilations queue for a lock.

    Each process plays two games of a job and leaves its kernels on disk; mistakes show when the job itself is played.
    """
    needed = {name: job for job in reversed(jobs) if (name := _compiles(job))}  # from disk, it compiles as it goes
    if min(workers, len(needed)) < 2:
        return
    with executor("processes", min(workers, len(needed))) as pool:
        wait([pool.submit(play, replace(job, stream=_two_alike(job), truth=False)) for job in needed.values()])


def _compiles(job: Job) -> str | None:
    if isinstance(job.stream, GameFile):
        return None
    for plugin in job.plugins:
        load_plugin(plugin)
    policy = POLICIES.build(job.policy) if job.policy else None
    return compiles(SYSTEMS.build(job.system), job.stream, policy=policy, calendar=CALENDARS.build(job.calendar))


def _two_alike(job: Job) -> GameStream:
    """Return two games that take the same path through the engine as all of them: of one time stamp, if any are."""
    assert isinstance(job.stream, GameStream)  # noqa: S101  # no others are warmed
    tied = np.flatnonzero(np.diff(job.stream.time) == 0)
    begin = int(tied[0]) if tied.size else 0
    return job.stream.take(slice(begin, begin + 2))


def finish(executor: Executor, jobs: Sequence[Job], ahead: int) -> Iterator[tuple[Job, Outcome]]:
    """Yield each job with its outcome as it is done; at most `ahead` are given out at a time, to hold memory."""
    waiting = list(reversed(jobs))
    running: dict[Future[Outcome], Job] = {}
    try:
        while waiting or running:
            while waiting and len(running) < ahead:
                job = waiting.pop()
                running[executor.submit(play, job)] = job
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                yield running.pop(future), future.result()
    finally:
        for future in running:
            future.cancel()


def check(name: str, workers: int) -> None:
    """Refuse an executor that does not exist, before any work is done.

    Raises
    ------
    InputError : no worker, or an unknown name.
    """
    if workers < 1:
        raise InputError(f"workers = {workers}", expected="at least 1")
    if name not in {"threads", "processes"} and not re.fullmatch("dask=.+", name):
        near = nearest(name, EXECUTORS)
        expected = "" if near else f"one of {', '.join(EXECUTORS)}"
        raise InputError(f"unknown executor '{name}'", expected=expected, near=near)


@contextmanager
def executor(name: str, workers: int) -> Iterator[Executor]:
    """Open an executor: `threads`, `processes` or `dask=ADDRESS` of a scheduler.

    Kernels release the GIL, so threads serve all but systems written in plain Python.

    Raises
    ------
    InputError : no worker, an unknown name, or dask is not installed or not there.
    """
    check(name, workers)
    if name == "threads":
        yield from _opened(ThreadPoolExecutor(workers, "ratesim"))
    elif name == "processes":
        _track_quietly()
        spawn = multiprocessing.get_context("spawn")  # a fork would copy locks that other threads hold
        yield from _opened(
            ProcessPoolExecutor(workers, spawn, initializer=_follow, initargs=(log.getEffectiveLevel(),))
        )
    else:
        yield from _dask(name.removeprefix("dask="))


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


def _dask(address: str) -> Iterator[Executor]:
    try:
        from distributed import Client
    except ImportError:
        raise InputError("dask is not installed", expected="pip install 'ratesim[dask]'") from None
    try:
        client = Client(address)
    except (OSError, ValueError) as error:
        raise InputError(f"no dask scheduler answers ({error})", where=f"dask={address}") from None
    with client:
        yield client.get_executor(pure=False)


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
