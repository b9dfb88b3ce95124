"""Standings as a terminal shows them: a table for each stream and calendar, and what it says in words."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import typer

from .output import table

Summary = Mapping[str, Any]


def show(summary: Summary, *, pairs: bool = False) -> None:
    """Print a table for each stream and calendar, with what its games tell; and of each two runs where asked."""
    from ..report import metrics_of, short
    from ..verdicts import cells, compared, rests_on, told

    runs = {run["id"]: run for run in summary["runs"]}
    for standing in summary["standings"]:
        found = compared(summary, standing)
        beside = cells(found)
        names = metrics_of(summary)
        rows = [_row(runs[each], names, short(runs[each]), beside.get(each, {})) for each in standing["runs"]]
        table(rows, title=f"{standing['stream']}, rating periods: {standing['calendar']}")
        if found:
            labels = {each: short(runs[each]) for each in standing["runs"]}
            typer.echo(" ".join(told(found, labels)))
            typer.echo(rests_on(found, standing))
            if pairs:
                typer.echo()
                table(list(_pairs(found, labels)), title=f"each two by {found['metric'].replace('_', ' ')}")
        typer.echo()


def _row(run: Mapping[str, Any], names: Sequence[str], label: str, beside: Mapping[str, str]) -> dict[str, Any]:
    found = {name: run["metrics"][name] for name in names}
    metrics = {name.replace("_", " "): _cell(each["mean"], each["se"]) for name, each in found.items()}
    games = found[names[0]]["n"]
    ranked = {"rank": beside["rank"], "behind the first": beside["behind"]} if beside else {}
    return {"run": label, **ranked, **metrics, "games": games, "parameters": run["rests_on"]["parameters"]}


def _pairs(found: Mapping[str, Any], labels: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """Yield what was found of each two runs."""
    for pair in found["pairs"]:
        yield {
            "run": labels[pair["run"]],
            "is": pair["verdict"],
            "to": labels[pair["against"]],
            **{key: None if pair[key] is None else f"{pair[key]:+.5f}" for key in ("difference", "low", "high")},
            "p (Holm)": None if pair["holm"] is None else f"{pair['holm']:.2g}",
            "can be told": None if pair["resolvable"] is None else f"{pair['resolvable']:.5f}",
            "games it takes": None if pair["needed"] is None else float(format(pair["needed"], ".2g")),
        }


def _cell(mean: float | None, se: float | None) -> str:
    return " ±".join("-" if value is None or math.isnan(value) else f"{value:.4f}" for value in (mean, se))
