"""The runs of an experiment as tasks: what each is made of, how it is played, what is kept of it."""

import hashlib
import time
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import wait
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, Self

import numpy as np
import polars as pl
from numpy.typing import NDArray

from .analysis.truth import truth_tables
from .calendars import CALENDARS, Calendar
from .errors import InputError
from .io.gamefile import GameFile
from .policies import POLICIES, Policy
from .replay import compiles, replay as played
from .replaying.believed import Diagnostic
from .replaying.in_force import k_in_force
from .replaying.kept import Keep, Moments
from .replaying.run import Run
from .replaying.snapshots import snapshots
from .spreading import Origin, executor
from .stream import GameStream
from .systems.base import SYSTEMS, Rater


class Reading(NamedTuple):
    """Whose ratings are read from a run, and when."""

    key: str  # the address of what follows
    times: NDArray[np.float64]  # days
    players: list[str] | None  # None: of all, with the K of their games

    @classmethod
    def of(cls, times: Iterable[float], players: Iterable[str] | None) -> Self:
        """Make one with its address."""
        moments, names = [float(t) for t in times], None if players is None else list(players)
        text = "\0".join([*map(repr, moments), *(["K in force"] if names is None else names)])
        return cls(hashlib.sha256(text.encode()).hexdigest()[:8], np.array(moments), names)

    def of_run(self, run: Run) -> pl.DataFrame:
        """Return what a run of games in memory believes then."""
        return k_in_force(run, self.times) if self.players is None else run.history(self.times, self.players)


@dataclass(frozen=True, eq=False)
class Over:
    """What all runs over one stream share: too much to go with each."""

    stream: GameStream | GameFile
    start: pl.DataFrame | None = None
    by_pool: bool = False
    readings: Mapping[str, Reading] = field(default_factory=dict)
    keep: Keep | None = None  # what is kept of a replay from disk
    truth: bool = False  # whether ratings are held against skills


@dataclass(frozen=True)
class Job:
    """One run to play, as another process or machine can read it: specs are tables, so that plugins load first."""

    label: str
    system: dict[str, Any]
    policy: dict[str, Any] | None
    calendar: dict[str, Any]
    origin: Origin


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
    draw: NDArray[np.float64] | None = None  # (G,) chances of a draw, where the system has a model of its own


def play(job: Job, over: Over) -> Outcome:
    """Play one run.

    Raises
    ------
    InputError : the system cannot rate that stream so, or ratesim or a plugin is another here than where the run was
        planned; the run is named.
    """
    began = time.perf_counter()
    system, policy, calendar = _built(job)
    try:
        job.origin.check(system, policy, calendar, *(over.keep.metrics.values() if over.keep else ()))
        if isinstance(over.stream, GameFile):
            return _from_disk(over, over.stream, system, policy, calendar, began)
        run = played(system, over.stream, policy=policy, calendar=calendar, start=over.start, by_pool=over.by_pool)
        histories = {key: each.of_run(run) for key, each in over.readings.items()}
        truth, draw = truth_tables(snapshots(run)) if over.truth else None, run.draws()
        seconds = time.perf_counter() - began
        return Outcome(run.forecast, run.ratings(), histories, run.diagnostics, seconds, truth=truth, draw=draw)
    except InputError as error:
        raise error.inside(job.label) from None


def _built(job: Job) -> tuple[Rater, Policy | None, Calendar]:
    job.origin.load()
    policy = POLICIES.build(job.policy) if job.policy else None
    return SYSTEMS.build(job.system), policy, CALENDARS.build(job.calendar)


def _from_disk(
    over: Over, games: GameFile, system: Rater, policy: Policy | None, calendar: Calendar, began: float
) -> Outcome:
    moments = {key: Moments(np.unique(each.times), tuple(each.players or ())) for key, each in over.readings.items()}
    keep = replace(over.keep or Keep(), moments=moments)
    run = played(
        system, games, policy=policy, calendar=calendar, start=over.start, by_pool=over.by_pool, forecasts=keep
    )  # fmt: skip
    return Outcome(
        run.forecast, run.ratings(), run.histories, run.diagnostics, time.perf_counter() - began, run.losses, run.sample
    )


def warm(jobs: Sequence[tuple[Job, Over]], workers: int) -> None:
    """Compile what several jobs need side by side, in processes: within one, compilations queue for a lock.

    Each process plays two games of a job and leaves its kernels on disk; mistakes show when the job itself is played.
    """
    needed = {name: each for each in reversed(jobs) if (name := _compiles(*each))}  # from disk, it compiles as it goes
    if min(workers, len(needed)) < 2:
        return
    with executor("processes", min(workers, len(needed))) as pool:
        wait([pool.submit(play, job, _two_alike(over)) for job, over in needed.values()])


def _compiles(job: Job, over: Over) -> str | None:
    if isinstance(over.stream, GameFile):
        return None
    system, policy, calendar = _built(job)
    return compiles(system, over.stream, policy=policy, calendar=calendar)


def _two_alike(over: Over) -> Over:
    """Return two games that take the same path through the engine as all of them: of one time stamp, if any are."""
    assert isinstance(over.stream, GameStream)  # noqa: S101  # no others are warmed
    tied = np.flatnonzero(np.diff(over.stream.time) == 0)
    begin = int(tied[0]) if tied.size else 0
    return replace(over, stream=over.stream.take(slice(begin, begin + 2)), truth=False)
