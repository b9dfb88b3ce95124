"""The tables of the report that hold the runs over a world against its truth."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from .analysis import counted

DASH = "–"
UNKNOWN = {"value": DASH, "interval": ""}
Summary = Mapping[str, Any]
Row = Mapping[str, Any]


class Column(NamedTuple):
    """A measure of a run: where its summary has it, and how it is written."""

    title: str
    table: str
    measure: str
    digits: int
    within: float | None = None  # rating points, in the table that tells these apart


NEAR = (
    Column("error, points", "errors", "shifted", 1),
    Column("bias, points", "errors", "bias", 1),
    Column("spread slope", "errors", "slope", 3),
    Column("rank correlation", "errors", "spearman", 3),
    Column("settled within 100 points", "settling", "settled", 2, within=100.0),
    Column("games until then", "settling", "median", 1, within=100.0),
)
SURE = (
    Column("jitter at rest, points", "jitter", "jitter", 1),
    Column("claimed deviation, points", "errors", "claimed", 1),
    Column("coverage of 95\u00a0%", "errors", "coverage", 3),
    Column("SD of z", "errors", "z_sd", 3),
)
PARTS = (NEAR, SURE)
EXPLAINED = (
    "How ratings stand to skills at the last reading: averages over replicates (of errors, root mean squares), with "
    "{level:g}% intervals of Student's t where there are two or more. Bias is the mean of rating − skill; error is "
    "what is left of the differences once it is taken off, for only differences of ratings mean anything. A spread "
    "slope above 1 is a list more spread than the skills. Settled are those who began more than 100 points off and "
    "came nearer for good, half of all of them within so many games (–: not by the end, in one replicate or more). z "
    "is the error over the deviation that the system claims; an honest one covers .95 of the skills, and the SD of z "
    "is 1. Excess is what forecasts lose beyond those of an oracle who knows the truth, with the interval of a paired "
    "difference."
)


def explained(summary: Summary) -> str:
    """Return what the tables show."""
    return EXPLAINED.format(level=round(100 * summary["experiment"]["score"]["level"], 9))


def truths(
    summary: Summary, metric: str, labels: Mapping[str, str], captions: Sequence[str]
) -> Iterator[dict[str, Any]]:
    """Yield tables of what is known of the runs of each standing: caption, titles of columns and rows.

    Parameters
    ----------
    metric : whose excess is told.
    labels : of the runs by id, as tables have them.
    captions : of the standings.
    """
    of = {run["id"]: run for run in summary["runs"]}
    for standing, caption in zip(summary["standings"], captions, strict=True):
        runs = [of[each] for each in standing["runs"]]
        excess = {f"excess {metric.replace('_', ' ')}": [_excess(run, metric) for run in runs]}
        near, sure = ({column.title: [_measured(run, column) for run in runs] for column in part} for part in PARTS)
        for columns in ({**excess, **near}, sure):
            told = {title: cells for title, cells in columns.items() if any(map(_known, cells))}
            rows = [(labels[run["id"]], [cells[k] for cells in told.values()]) for k, run in enumerate(runs)]
            known = [{"label": label, "cells": cells} for label, cells in rows if any(map(_known, cells))]
            if known:
                yield {"caption": _when(caption, runs), "titles": list(told), "rows": known}


def _when(caption: str, runs: Sequence[Row]) -> str:
    """Return whose ratings a table holds against skills, and when."""
    errors = next((run["truth"]["errors"][0] for run in runs if run["truth"].get("errors")), None)
    if errors is None:
        return caption
    return f"{caption}, day {errors['day']:,.0f}, {counted(errors['replicates'], 'replicate')}"


def _excess(run: Row, metric: str) -> dict[str, str]:
    found = run["excess"].get(metric)
    return UNKNOWN if found is None else _cell(found["difference"], found["low"], found["high"], 4)


def _measured(run: Row, column: Column) -> dict[str, str]:
    rows = run["truth"].get(column.table, [])
    row = next((row for row in rows if column.within in {None, row.get("within")}), None)
    if row is None:
        return UNKNOWN
    low, high = (row[f"{column.measure}_{end}"] for end in ("low", "high"))
    return _cell(row[column.measure], low, high, column.digits)


def _known(cell: Mapping[str, str]) -> bool:
    return cell["value"] != DASH


def _cell(value: float | None, low: float | None, high: float | None, digits: int) -> dict[str, str]:
    if value is None:
        return UNKNOWN
    between = "" if low is None or high is None else f"{_number(low, digits)} to {_number(high, digits)}"
    return {"value": _number(value, digits), "interval": between}


def _number(value: float, digits: int) -> str:
    return f"{value:.{digits}f}".replace("-", "−")
