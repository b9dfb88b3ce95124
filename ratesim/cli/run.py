"""`ratesim run`: play an experiment, or a folder of them."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..errors import InputError
from .ending import kept
from .options import Json, Out, Plugin, Spread, Stream, Workers, Yes
from .output import document, say

if TYPE_CHECKING:
    from ..experiment import Experiment
    from ..store import Store


@kept()
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
    """Run an experiment, or each one of a folder, with a page that shows them all.

    What was finished before is found and not made again, so an interrupted run goes on where it was.
    """
    from .. import gallery
    from ..experiment import read
    from ..registry import load_plugin
    from ..spreading import check
    from ..store import Store

    workers = workers if workers is not None else os.cpu_count() or 1
    check(executor, workers)
    if plugin:
        load_plugin(plugin)
    folder = experiment.resolve().name if experiment.is_dir() else ""
    out = out or Path("runs") / (folder or experiment.stem)
    tasks = [(read(path, stream), Store(place)) for path, place in gallery.places(experiment, out)]
    for checked, store in tasks:
        may_write(store.folder, store.taken(checked.file), yes=yes)
    if folder:
        may_write(out, gallery.taken(out), yes=yes)
    found = {}
    for number, (checked, store) in enumerate(tasks, 1):
        if folder:
            say(f"{number} of {len(tasks)}: {checked.file}")
        found[store.folder.name] = summary = _conduct(checked, store, executor, workers, plugin, many=yes)
        if not json:
            _show(summary, store)
    if folder:
        page = gallery.write(out, list(found))
        say(f"written: {page}")
    if json:
        document(found if folder else summary)


def may_write(folder: Path, what: str | None, *, yes: bool) -> None:
    """Ask before results are put among other things, or in place of others; without a terminal refuse.

    Parameters
    ----------
    what : forbids to do so unasked, in words; None: nothing does.
    """
    if what is None or yes:
        return
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise InputError(what, where=str(folder), expected="an empty or new folder, or --yes to write there")
    if not typer.confirm(f"{folder} {what}. Write there?", err=True):
        raise typer.Exit(2)


def _conduct(
    experiment: "Experiment", store: "Store", executor: str, workers: int, plugin: Path | None, *, many: bool
) -> dict[str, Any]:
    from ..conduct import conduct
    from .terminal import Terminal

    with Terminal() as watch:
        plugins = (plugin.resolve(),) if plugin else ()
        return conduct(experiment, store, how=executor, workers=workers, plugins=plugins, many=many, watch=watch)


def _show(summary: Mapping[str, Any], store: "Store") -> None:
    """Print a table for each stream and calendar, and what the numbers rest on."""
    from ..analysis import counted
    from .standings import show

    show(summary)
    for line in summary["notes"]:
        typer.echo(line)
    for run in summary["runs"]:
        for each in run["diagnostics"]:
            typer.echo(f"{run['label']}: {each['name']} {counted(each['count'], 'time')}, first for {each['player']}")
    typer.echo(f"written: {store.folder / 'report.html'}")
