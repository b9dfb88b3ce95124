"""The runs of an experiment as a table in Markdown, the best on top, each against the one above it.

    python experiments/ranking.py FOLDER

FOLDER is what `ratesim run` wrote to. Differences are paired, game by game; their intervals are those of the report.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HEAD = ("| run | log loss | more than the one above | 95 % |", "| --- | --: | --: | --: |")


def rows(summary: dict[str, Any]) -> Iterator[str]:
    """Yield a row a run of the first stream and calendar, as they stand."""
    runs = {run["id"]: run for run in summary["runs"]}
    worse = {pair["run"]: pair for pair in summary["paired"] if pair["metric"] == "log_loss"}
    for run in summary["standings"][0]["runs"]:
        label, loss, pair = runs[run]["label"], runs[run]["metrics"]["log_loss"]["mean"], worse.get(run)
        more = ("", "") if pair is None else (f"{pair['difference']:.4f}", f"{pair['low']:.4f} to {pair['high']:.4f}")
        yield f"| {label} | {loss:.4f} | {more[0]} | {more[1].replace('-', '−')} |"


def table(folder: Path) -> str:
    """Return the table of what was run into a folder."""
    summary = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
    return "\n".join((*HEAD, *rows(summary))) + "\n"


if __name__ == "__main__":
    sys.stdout.write(table(Path(sys.argv[1])))
