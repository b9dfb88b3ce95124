"""An experiment, conducted: runs played or found in the store, results written."""

import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

from . import illustrate, report, summary
from .benches import benches
from .experiment import Experiment
from .plan import Planned, load, plan
from .provenance import versions
from .store import Store, write_json
from .tasks import Job, Outcome, executor, finish, warm

TIMINGS = "timings.json"


class Watch(Protocol):
    """Who is told how it goes."""

    def note(self, line: str) -> None:
        """Hear what reading a stream found."""

    def begin(self, runs: int, found: int, games: int) -> None:
        """Hear how many runs there are, how many the store has, and the games that the others play."""

    def done(self, label: str, games: int) -> None:
        """Hear that a run is finished."""


def conduct(
    experiment: Experiment, store: Store, *, how: str, workers: int, plugins: Sequence[Path] = (), watch: Watch
) -> dict[str, Any]:
    """Run an experiment, going on from what is finished in its store; return its summary.

    Parameters
    ----------
    how, workers : see `ratesim.tasks.executor`.
    plugins : files that define systems, policies or calendars of the experiment.

    Raises
    ------
    InputError : a stream or a setting is wrong, or the folder cannot be written or another run is writing to it.
    """
    began = time.perf_counter()
    loaded = load(experiment)
    for each in loaded:
        for note in each.stream.notes:
            watch.note(f"{each.source.name}: {note}")
    judges = benches(loaded, experiment)
    runs = plan(experiment, loaded)
    with store.held():
        seconds = _play(runs, store, how=how, workers=workers, plugins=plugins, watch=watch)
        gallery = illustrate.write(experiment, judges, runs, store)
        found = summary.write(experiment, judges, runs, gallery.drawn, gallery.left_out, store)
        report.write(store.folder)
        _write_timings(store, seconds, total=time.perf_counter() - began)
    return found


def _play(
    runs: Sequence[Planned], store: Store, *, how: str, workers: int, plugins: Sequence[Path], watch: Watch
) -> dict[str, float]:
    """Play what the store lacks; return the seconds that each run took, then or now."""
    seconds = _read_timings(store)
    missing = {run.id: run for run in runs if not store.has(run.id, run.of.readings, run.of.kept, run.of.truth)}
    watch.begin(len(runs), len(runs) - len(missing), sum(len(run.of.stream) for run in missing.values()))
    jobs = [_job(run, plugins) for run in missing.values()]
    if how == "threads":
        warm(jobs, workers)
    with executor(how, workers) as pool:
        for job, outcome in finish(pool, jobs, ahead=2 * workers):
            run = missing[job.id]
            _keep(store, run, outcome)
            seconds[run.id] = outcome.seconds
            _write_timings(store, seconds)
            watch.done(run.label, len(run.of.stream))
    return {run.id: seconds[run.id] for run in runs if run.id in seconds}


def _job(run: Planned, plugins: Sequence[Path]) -> Job:
    return Job(
        id=run.id,
        label=run.label,
        system=run.made_of["system"],
        policy=run.made_of["policy"],
        calendar=run.made_of["calendar"],
        stream=run.of.stream,
        start=run.of.start,
        by_pool=run.of.source.by_pool,
        plugins=tuple(str(path) for path in plugins),
        readings=run.of.readings,
        keep=run.of.keep,
        truth=run.of.truth is not None,
    )


def _keep(store: Store, run: Planned, outcome: Outcome) -> None:
    store.keep(
        run.id,
        forecast=outcome.forecast,
        ratings=outcome.ratings,
        histories=outcome.histories,
        record={
            **run.made_of,
            "versions": versions(),
            "games": len(run.of.stream),
            "diagnostics": [vars(each) for each in outcome.diagnostics],
        },
        kept=run.of.kept,
        losses=outcome.losses,
        sample=outcome.sample,
        truth=None if run.of.truth is None else (run.of.truth, outcome.truth or {}),
    )


def _read_timings(store: Store) -> dict[str, float]:
    """Return the seconds of earlier runs; a file that says nothing sensible is as good as none."""
    try:
        return dict(json.loads((store.folder / TIMINGS).read_text(encoding="utf-8"))["seconds"])
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def _write_timings(store: Store, seconds: dict[str, float], total: float | None = None) -> None:
    write_json(store.folder / TIMINGS, {"seconds": seconds, "total": total})
