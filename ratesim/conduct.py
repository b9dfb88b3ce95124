"""An experiment, conducted: runs played or found in the store, results written."""

import json
import logging
import os
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from . import gallery, illustrate, summary
from .benches import benches
from .errors import InputError
from .experiment import Experiment, read
from .plan import Loaded, Planned, load, plan
from .provenance import versions
from .registry import load_plugin, plugin_files
from .report import write_report
from .spreading import Origin, Task, check, executor as opened, finish, shared
from .store import Store, write_json
from .tasks import Job, Outcome, Over, play, warm
from .tuned import Watch as Tuning, Workers, affordable, figures, parted, sentences, settle, winners

log = logging.getLogger("ratesim")
TIMINGS = "timings.json"


class Watch(Tuning, Protocol):
    """Who is told how it goes."""

    def begin(self, runs: int, found: int, games: int) -> None:
        """Hear how many runs there are, how many the store has, and the games that the others play."""

    def done(self, label: str, games: int) -> None:
        """Hear that a run is finished."""


class Logged:
    """A watch that leaves notes in the log `ratesim`."""

    def note(self, line: str) -> None:
        """Log it."""
        log.info("%s", line)

    def tuning(self, label: str, games: int) -> None:
        """Log that a tuning begins."""
        log.info("%s", label)

    def tried(self, games: int) -> None:
        """Log nothing: there are many."""

    def begin(self, runs: int, found: int, games: int) -> None:
        """Log how much there is to do."""
        log.info("%s of %s runs are finished already", found, runs)

    def done(self, label: str, games: int) -> None:
        """Log that a run is finished."""
        log.info("%s: finished", label)


def run(
    experiment: str | Path,
    out: str | Path,
    *,
    stream: str | Path | None = None,
    executor: str | Executor = "threads",
    workers: int | None = None,
    plugins: str | Path | Sequence[str | Path] = (),
    overwrite: bool = False,
    many: bool = False,
    watch: Watch | None = None,
) -> dict[str, Any]:
    """Run an experiment file or all of a folder, as `ratesim run` does: what was finished before is not made again.

    Parameters
    ----------
    experiment : the TOML file, or a folder of them.
    out : a folder for the results; of a folder, `out/NAME` holds those of each, and `out/index.html` shows them all.
    stream : a file of games that takes the place of the one that the experiment names.
    executor : `threads`, `processes`, `dask`, `dask=ADDRESS`, or any `concurrent.futures.Executor`, which stays open.
        Results are the same bytes. Processes load the script that starts them: with `executor = "processes"` it needs
        `if __name__ == "__main__":` around its calls.
    workers : threads or processes; None: one a core. A cluster and an executor that is given have their own.
    plugins : files that define systems, policies or calendars of the experiment.
    overwrite : write into a folder that holds other things, or the results of another experiment.
    many : whether ranges may have more than 10,000 settings.
    watch : is told how it goes; None: what reading the games found goes to the log `ratesim`.

    Returns
    -------
    dict : what `summary.json` holds; of a folder, these by the name of the experiment.

    Raises
    ------
    InputError : as `conduct`, the folder for the results holds other things, or that of experiments none.
    LostError : as `conduct`.
    """
    workers = os.cpu_count() or 1 if workers is None else workers
    check(executor, workers)
    files = plugin_files(plugins)
    for file in files:
        load_plugin(file)
    games, many_of_them = None if stream is None else Path(stream), Path(experiment).is_dir()
    asked = [(read(file, games), Store(folder)) for file, folder in gallery.places(Path(experiment), Path(out))]
    if not overwrite:
        _check_free(asked, Path(out) if many_of_them else None)
    play = partial(conduct, how=executor, workers=workers, plugins=files, many=many, watch=watch or Logged())
    found = {store.folder.name: play(each, store) for each, store in asked}
    if not many_of_them:
        return found.popitem()[1]
    gallery.write(Path(out), list(found))
    return found


def _check_free(asked: Sequence[tuple[Experiment, Store]], shown_in: Path | None) -> None:
    """Refuse folders that hold other things, and one for a gallery that does."""
    held = [(store.folder, store.taken(each.file)) for each, store in asked]
    held += [(shown_in, gallery.taken(shown_in))] if shown_in else []
    for folder, what in held:
        if what:
            raise InputError(what, where=str(folder), expected="an empty or new folder, or overwrite = True")


def conduct(
    experiment: Experiment,
    store: Store,
    *,
    how: str | Executor,
    workers: int,
    plugins: Sequence[Path] = (),
    many: bool = False,
    watch: Watch,
) -> dict[str, Any]:
    """Run an experiment, going on from what is finished in its store; return its summary.

    Parameters
    ----------
    how, workers : see `ratesim.spreading.executor`.
    plugins : files that define systems, policies or calendars of the experiment.
    many : whether ranges may have more than 10,000 settings.

    Raises
    ------
    InputError : a stream or a setting is wrong, a cluster does not answer or is of another version, or the folder
        cannot be written or another run is writing to it.
    LostError : processes died of a run, one after another; what is finished is kept.
    """
    began = time.perf_counter()
    affordable(experiment, many=many)
    loaded = parted(experiment, load(experiment))
    for each in loaded:
        for note in each.stream.notes:
            watch.note(f"{each.source.name}: {note}")
    judges = benches(loaded, experiment)
    runs = plan(experiment, loaded)
    with store.held():
        found = settle(experiment, loaded, store, by=Workers(how, workers, plugins), many=many, watch=watch)
        runs = plan(experiment, loaded, winners(found)) if found else runs
        seconds = _play(runs, store, how=how, workers=workers, plugins=plugins, watch=watch)
        gallery = illustrate.write(experiment, judges, runs, store, [*figures(found)], workers)
        remarks = [*sentences(found), *gallery.left_out]
        told = [each.canonical() for each in found]
        whole = summary.write(experiment, judges, runs, gallery.drawn, remarks, store, told)
        write_report(store.folder)
        _write_timings(store, seconds, total=time.perf_counter() - began)
    return whole


def _play(
    runs: Sequence[Planned], store: Store, *, how: str | Executor, workers: int, plugins: Sequence[Path], watch: Watch
) -> dict[str, float]:
    """Play what the store lacks; return the seconds that each run took, then or now."""
    seconds = _read_timings(store)
    missing = {run.id: run for run in runs if not store.has(run.id, run.of.readings, run.of.kept, run.of.truth)}
    watch.begin(len(runs), len(runs) - len(missing), sum(len(run.of.stream) for run in missing.values()))
    over = {id(run.of): _over(run.of) for run in missing.values()}
    jobs = {run.id: _job(run, plugins) for run in missing.values()}
    if how == "threads":
        warm([(jobs[run.id], over[id(run.of)]) for run in missing.values()], workers)
    with _given(how, workers, list(over.values()), store) as (pool, given):
        stands = dict(zip(over, given, strict=True))
        tasks = [Task(run.id, run.label, (jobs[run.id], stands[id(run.of)])) for run in missing.values()]
        for task, outcome in finish(pool, play, tasks):
            run = missing[task.id]
            _keep(store, run, outcome)
            seconds[run.id] = outcome.seconds
            _write_timings(store, seconds)
            watch.done(run.label, len(run.of.stream))
    return {run.id: seconds[run.id] for run in runs if run.id in seconds}


@contextmanager
def _given(
    how: str | Executor, workers: int, over: Sequence[Over], store: Store
) -> Iterator[tuple[Executor, Sequence[Any]]]:
    """Open an executor with what stands for what its tasks share; none is opened for no task."""
    with ExitStack() as stack:
        pool = stack.enter_context(opened(how if over else "threads", workers))
        yield pool, stack.enter_context(shared(pool, over, store.folder))


def _over(loaded: Loaded) -> Over:
    return Over(
        stream=loaded.stream,
        start=loaded.start,
        by_pool=loaded.source.by_pool,
        readings=loaded.readings,
        keep=loaded.keep,
        truth=loaded.truth is not None,
    )


def _job(run: Planned, plugins: Sequence[Path]) -> Job:
    made_of, cell = run.made_of, run.cell
    specs = (cell.system, cell.policy, cell.calendar, *run.of.metrics)
    return Job(
        label=run.label,
        system=made_of["system"],
        policy=made_of["policy"],
        calendar=made_of["calendar"],
        origin=Origin.of(specs, plugins),
    )


def _keep(store: Store, run: Planned, outcome: Outcome) -> None:
    store.keep(
        run.id,
        forecast=outcome.forecast,
        draw=outcome.draw,
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
