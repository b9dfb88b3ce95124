"""`ratesim run`: play an experiment, or a folder of them."""

import math
import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from ..errors import InputError
from .ending import code_of_interruption
from .options import Json, Out, Plugin, Spread, Stream, Workers, Yes
from .output import document, say, table

if TYPE_CHECKING:
    from ..experiment import Experiment
    from ..store import Store


def run(
    experiment: Annotated[Path, typer.Argument(help="An experiment's TOML file, or a folder of them.")],
    *,
    stream: Stream = None,
    out: Out = None,
    workers: Workers = None,
    executor: Spread = "threads",
    plugin: Plugin = None,
    yes: Yes = False,
    json: Json = False,
) -> None:
    """Run an experiment, or each one of a folder.

    What was finished before is found and not made again, so an interrupted run goes on where it was.
    """
    from ..experiment import read
    from ..registry import load_plugin
    from ..spreading import check
    from ..store import Store

    workers = workers if workers is not None else os.cpu_count() or 1
    check(executor, workers)
    if plugin:
        load_plugin(plugin)
    tasks = [(read(path, stream), Store(folder)) for path, folder in _files(experiment, out)]
    for checked, store in tasks:
        may_write(store, checked, yes=yes)
    found = []
    for checked, store in tasks:
        summary = _conduct(checked, store, executor, workers, plugin, many=yes)
        if not json:
            _show(summary, store)
        found.append(summary)
    if json:
        document(found if experiment.is_dir() else found[0])


def _files(experiment: Path, out: Path | None) -> Iterator[tuple[Path, Path]]:
    """The experiment files and where each one's results go."""
    if not experiment.is_dir():
        yield experiment, out or Path("runs") / experiment.stem
        return
    paths = sorted(experiment.glob("*.toml"))
    if not paths:
        raise InputError("no experiments", where=str(experiment), expected="a folder with TOML files")
    yield from ((path, (out or Path("runs")) / path.stem) for path in paths)


def may_write(store: "Store", experiment: "Experiment", *, yes: bool) -> None:
    """Ask before results are put among other things or in place of another experiment's; without a terminal refuse."""
    what = store.taken(experiment.file)
    if what is None or yes:
        return
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise InputError(what, where=str(store.folder), expected="an empty or new folder, or --yes to write there")
    if not typer.confirm(f"{store.folder} {what}. Write there?", err=True):
        raise typer.Exit(2)


def _conduct(
    experiment: "Experiment", store: "Store", executor: str, workers: int, plugin: Path | None, *, many: bool
) -> dict[str, Any]:
    from ..conduct import conduct
    from .terminal import Terminal

    try:
        with Terminal() as watch:
            plugins = (plugin.resolve(),) if plugin else ()
            return conduct(experiment, store, how=executor, workers=workers, plugins=plugins, many=many, watch=watch)
    except KeyboardInterrupt:
        stop()


def stop() -> NoReturn:
    """End at once."""
    import multiprocessing

    code = code_of_interruption()
    say("interrupted; what is finished is kept: run it again to go on")
    processes = multiprocessing.active_children()
    for process in processes:
        process.terminate()
    if processes:
        raise typer.Exit(code)
    sys.stderr.flush()
    os._exit(code)  # threads inside a kernel hear no signal, and Python would wait for them


def _show(summary: Mapping[str, Any], store: "Store") -> None:
    """Print a table for each stream and calendar, and what the numbers rest on."""
    from ..analysis import counted
    from ..report import short

    runs = {run["id"]: run for run in summary["runs"]}
    for standing in summary["standings"]:
        rows = [_row(runs[each], short(runs[each])) for each in standing["runs"]]
        table(rows, title=f"{standing['stream']}, rating periods: {standing['calendar']}")
        typer.echo()
    for line in summary["notes"]:
        typer.echo(line)
    for run in runs.values():
        for each in run["diagnostics"]:
            typer.echo(f"{run['label']}: {each['name']} {counted(each['count'], 'time')}, first for {each['player']}")
    typer.echo(f"written: {store.folder / 'report.html'}")


def _row(run: Mapping[str, Any], label: str) -> dict[str, Any]:
    metrics = {name.replace("_", " "): _cell(found["mean"], found["se"]) for name, found in run["metrics"].items()}
    games = next(iter(run["metrics"].values()))["n"]
    return {"run": label, **metrics, "games": games, "parameters": run["rests_on"]["parameters"]}


def _cell(mean: float | None, se: float | None) -> str:
    return " ±".join("-" if value is None or math.isnan(value) else f"{value:.4f}" for value in (mean, se))
