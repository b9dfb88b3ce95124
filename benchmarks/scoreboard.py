"""The one table: what was measured, beside whom, and whether the bound is met."""

import argparse
import json
import statistics
from collections.abc import Sequence
from typing import Any, NamedTuple


class Bound(NamedTuple):
    """What is asked of a row: of the ratio to a rival, or else of our own figure."""

    ratio: float | None = None  # at least, rival / ours
    most: float | None = None  # at most, ours
    strict: bool = False  # a tie is not enough

    def __str__(self) -> str:
        """Return it as the table has it."""
        if self.ratio is not None:
            return f"{'>' if self.strict else '≥'} {self.ratio:g} ×"
        return "" if self.most is None else f"{'<' if self.strict else '≤'} {self.most:g}"

    def met(self, ours: float, ratio: float | None) -> bool | None:
        """Return whether it is met; None where nothing is asked."""
        if self.ratio is not None and ratio is not None:
            return ratio > self.ratio or (not self.strict and ratio == self.ratio)
        if self.most is not None:
            return ours < self.most or (not self.strict and ours == self.most)
        return None


class Row(NamedTuple):
    """One line of the table."""

    group: str  # what `--only` calls it
    system: str
    mode: str
    unit: str
    ours: Sequence[float]  # a value a round
    rival: str = ""
    theirs: Sequence[float] = ()  # in the same rounds
    bound: Bound = Bound()

    @property
    def ratio(self) -> float | None:
        """The median over rounds of rival / ours."""
        if not self.theirs:
            return None
        return statistics.median(b / a for a, b in zip(self.ours, self.theirs, strict=True))

    @property
    def met(self) -> bool | None:
        """Whether the bound is met; None where there is none."""
        return self.bound.met(statistics.median(self.ours), self.ratio)

    def to_json(self) -> dict[str, Any]:
        """Return the row with every round's value."""
        return {
            **self._asdict(), "ours": list(self.ours), "theirs": list(self.theirs), "bound": str(self.bound),
            "ratio": self.ratio, "met": self.met,
        }  # fmt: skip


HEAD = ("system", "mode", "unit", "ours", "spread", "rival", "theirs", "spread", "ratio", "bound", "met")
ALIGN = ("---", "---", "---", "--:", "---", "---", "--:", "---", "--:", "--:", "---")


def table(rows: Sequence[Row]) -> str:
    """Return the rows as a table in Markdown: medians, and least to greatest of the rounds."""
    lines = [HEAD, ALIGN, *map(_cells, rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cells(row: Row) -> tuple[str, ...]:
    ratio = "" if row.ratio is None else f"{_figure(row.ratio)} ×"
    met = {True: "yes", False: "**no**", None: ""}[row.met]
    return (
        row.system, row.mode, row.unit, *_summary(row.ours), row.rival, *_summary(row.theirs),
        ratio, str(row.bound), met,
    )  # fmt: skip


def _summary(values: Sequence[float]) -> tuple[str, str]:
    if not values:
        return "", ""
    return _figure(statistics.median(values)), f"{_figure(min(values))}–{_figure(max(values))}"


def _figure(value: float) -> str:
    """Return three digits of a number, and all of those before its point."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def asked(doc: str | None, groups: Sequence[str], rounds: int) -> argparse.ArgumentParser:
    """Return what the command line of every benchmark takes."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", choices=groups, default=groups, help="rows to make")
    parser.add_argument("--json", action="store_true", help="one JSON document, with the values of every round")
    parser.add_argument("--rounds", type=int, default=rounds)
    return parser


def show(rows: Sequence[Row], about: str, *, as_json: bool) -> None:
    """Print what was measured, under what it depends on."""
    if as_json:
        print(json.dumps({"about": about, "rows": [row.to_json() for row in rows]}, indent=1))
    else:
        print(f"{about}\n\n{table(rows)}")
