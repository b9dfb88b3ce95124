"""The runs of an experiment as a table in Markdown, the best on top, each against the one above it and the best.

    python experiments/ranking.py FOLDER

FOLDER is what `ratesim run` wrote to. Differences are paired, game by game; their intervals are those of the report.
"""

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ratesim.verdicts import compared

HEAD = (
    "| run | log loss | more than the one above | 95 % | more than the best | 95 % |",
    "| --- | --: | --: | --: | --: | --: |",
)
NONE = {"difference": None}


def rows(summary: dict[str, Any]) -> Iterator[str]:
    """Yield a row a run of the first stream and calendar, as they stand."""
    runs = {run["id"]: run for run in summary["runs"]}
    standing = summary["standings"][0]
    best = standing["runs"][0]
    above = {pair["run"]: pair for pair in summary["paired"] if pair["metric"] == "log_loss"}
    for run in standing["runs"]:
        label, loss = runs[run]["label"], runs[run]["metrics"]["log_loss"]["mean"]
        first = _against(compared(summary, standing) or {}, run, best)
        yield f"| {label} | {loss:.4f} | {_cells(above.get(run, NONE))} | {_cells(first)} |"


def _against(comparison: Mapping[str, Any], run: str, best: str) -> dict[str, Any]:
    """Return how much more a run loses than the best; nothing where they are not held against each other."""
    for pair in comparison.get("pairs", ()):
        if (pair["run"], pair["against"]) == (run, best):
            return dict(pair)
        if (pair["run"], pair["against"]) == (best, run):
            return {"difference": -pair["difference"], "low": -pair["high"], "high": -pair["low"]}
    return NONE


def _cells(pair: Mapping[str, Any]) -> str:
    if pair["difference"] is None:
        return " | "
    low, high = (f"{pair[end]:.4f}".replace("-", "−") for end in ("low", "high"))
    return f"{pair['difference']:.4f}".replace("-", "−") + f" | {low} to {high}"


def table(folder: Path) -> str:
    """Return the table of what was run into a folder."""
    summary = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
    return "\n".join((*HEAD, *rows(summary))) + "\n"


if __name__ == "__main__":
    sys.stdout.write(table(Path(sys.argv[1])))
