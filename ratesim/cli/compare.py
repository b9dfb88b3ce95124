"""`ratesim compare`: the runs of a folder held against each other, or two folders."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from .options import Json, Plugin
from .output import document, table


def compare(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder that `ratesim run` wrote.")],
    other: Annotated[
        Path | None, typer.Argument(metavar="DIR", help="A later one: what moved from the first to this, if given.")
    ] = None,
    *,
    plugin: Plugin = None,
    json: Json = False,
) -> None:
    """Say which runs of a folder are better, by how much, and whether its games can tell; or what moved between two.

    Two folders are two runs, or two versions of one experiment. Streams are matched by their games, runs by their label
    or else their specification; losses are paired game by game where both folders keep the forecasts.
    """
    from ..registry import load_plugin

    if plugin:
        load_plugin(plugin)
    if other is None:
        _one(folder, json=json)
    else:
        _two(folder, other, json=json)


def _one(folder: Path, *, json: bool) -> None:
    from ..report import found_in
    from .standings import show

    summary = found_in(folder)
    if json:
        keys = ("streams", "standings", "comparison", "paired")
        document({"runs": {run["id"]: run["label"] for run in summary["runs"]}, **{key: summary[key] for key in keys}})
    else:
        show(summary, pairs=True)


def _two(folder: Path, other: Path, *, json: bool) -> None:
    from ..folders import compare_folders, said

    found = compare_folders(folder, other)
    if json:
        document({**found, "said": list(said(found))})
        return
    rows = list(_rows(found))
    if rows:
        table(rows, title=f"{folder} (old) and {other} (new)")
        typer.echo()
    for line in said(found):
        typer.echo(line)


def _rows(found: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield how each metric of each run moved."""
    for run in (run for run in found["runs"] if not run["same"]):
        for row in run["metrics"]:
            yield {
                "run": run["label"],
                "metric": row["metric"].replace("_", " "),
                **{key: f"{row[key]:.5f}" for key in ("old", "new")},
                **{key: f"{row[key]:+.5f}" for key in ("difference", "low", "high")},
                "new is": row["verdict"],
                "games": row["n"],
            }
