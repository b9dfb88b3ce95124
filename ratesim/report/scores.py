"""The tables of the report that say which run forecasts better, by how much, and whether the games can tell."""

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from ..comparing import TURNED
from ..verdicts import cells, compared, rests_on, told
from .page import Cell, Table, words

DASH = "–"
ORACLE = "oracle"  # as tables call who forecasts by the truth
Summary = Mapping[str, Any]
Row = list[Cell]
MOST_STRATA = 50  # in one table of the page


def metrics_of(summary: Summary) -> list[str]:
    """Return the kinds of the metrics in the order asked for: a JSON document has them by name."""
    return [each if isinstance(each, str) else each["kind"] for each in summary["experiment"]["score"]["metrics"]]


def short(run: Mapping[str, Any]) -> str:
    """Return the label without what the table it stands in says."""
    label: str = run["label"]
    return label.removesuffix(f", {run['stream']}").removesuffix(f", {run['rests_on']['calendar']}")


def saw(standing: Mapping[str, Any]) -> str:
    """Return what all runs of a table saw."""
    return f"{standing['stream']}, rating periods: {standing['calendar']}"


def labels_of(summary: Summary) -> dict[str, str]:
    """Return the labels of runs by id."""
    return {run["id"]: short(run) for run in summary["runs"]}


def standings(summary: Summary) -> Iterator[dict[str, Any]]:
    """Yield for each stream and calendar, whose runs saw the same information, a table, what it says, and a matrix."""
    runs, labels = {run["id"]: run for run in summary["runs"]}, labels_of(summary)
    names = metrics_of(summary)
    titles = [name.replace("_", " ") for name in names]
    for standing in summary["standings"]:
        found = compared(summary, standing)
        beside = cells(found)
        extra = ["rank", "behind the first"] if beside else []
        rows = [
            [words(labels[each]), *_beside(beside, each), *means([runs[each]["metrics"][name] for name in names]),
             words(runs[each]["rests_on"]["parameters"])]
            for each in standing["runs"]
        ]  # fmt: skip
        rows += _oracle(summary, standing["stream"], names, blank=len(extra))
        yield {
            "table": Table(saw(standing), ["run", *extra, *titles, "games", "parameters"], rows),
            "told": [*told(found, labels), rests_on(found, standing)] if found else [],
            "matrix": matrix(found, labels) if found else None,
            "pairs": pairs(found, labels) if found and len(found["pairs"]) > 1 else None,
        }


def _beside(beside: Mapping[str, Mapping[str, str]], run: str) -> list[Cell]:
    """Return the rank and how far behind the first, with their intervals; nothing where none is compared."""
    if not beside:
        return []
    here = beside.get(run, {"rank": "", "behind": ""})
    return [_apart(here["rank"]), _apart(here["behind"])]


def _apart(text: str) -> Cell:
    number, _, interval = text.partition(" (")
    return Cell(number, f"({interval}" if interval else "")


def _oracle(summary: Summary, stream: str, names: Sequence[str], blank: int) -> Iterator[Row]:
    """Yield the row of forecasts by the truth, where it is known."""
    oracle = next(each["oracle"] for each in summary["streams"] if each["name"] == stream)
    if oracle:
        found = [oracle[name] for name in names]
        yield [words(ORACLE), *[Cell("")] * blank, *means(found), words("the truth")]


def means(found: Sequence[Mapping[str, Any]]) -> list[Cell]:
    """Return the mean of each metric, and the games behind the first."""
    cells = [Cell(number(each["mean"], 4), f"± {number(each['se'], 4)}") for each in found]
    return [*(cell._replace(small="") if cell.small.endswith(DASH) else cell for cell in cells), _games(found[0]["n"])]


def matrix(found: Mapping[str, Any], labels: Mapping[str, str]) -> Table:
    """Return the verdicts as a square: what the run of a row is, held against that of a column."""
    order = [row["run"] for row in found["table"]]
    verdicts = {(pair["run"], pair["against"]): pair["verdict"] for pair in found["pairs"]}
    verdicts |= {(b, a): TURNED[verdict] for (a, b), verdict in verdicts.items()}
    rows = [
        [words(f"{n}. {labels[row]}"), *(words(verdicts.get((row, column), "")) for column in order)]
        for n, row in enumerate(order, 1)
    ]
    caption = "Each run against each: the one of a row is better or worse than that of the column, or tied with it"
    return Table(caption, ["run", *(f"{n}" for n in range(1, len(order) + 1))], rows)


def pairs(found: Mapping[str, Any], labels: Mapping[str, str]) -> Table:
    """Return what was found of each two runs."""
    level = percent(found["level"])
    metric = found["metric"].replace("_", " ")
    titles = ["run", "against", f"{metric}, difference", f"{level} interval", "by players", "p (Holm)", "verdict",
              "can be told", "games it takes"]  # fmt: skip
    rows = [_pair(pair, labels) for pair in found["pairs"]]
    return Table(f"All {len(rows)} pairs", titles, rows)


def _pair(pair: Mapping[str, Any], labels: Mapping[str, str]) -> Row:
    """Return what was found of two runs."""
    needed, p = pair["needed"], pair["holm"]
    return [
        words(labels[pair["run"]]),
        words(labels[pair["against"]]),
        Cell(signed(pair["difference"])),
        Cell(_between(pair["low"], pair["high"])),
        Cell(_between(pair["players_low"], pair["players_high"])),
        Cell(DASH if p is None else f"{p:.2g}"),
        words(pair["verdict"]),
        Cell(number(pair["resolvable"], 5)),
        Cell(DASH if needed is None else f"{float(format(needed, '.2g')):,.0f}"),
    ]


def differences(summary: Summary) -> Iterator[Table]:
    """Yield paired differences by stream and calendar: each run and the one above it."""
    labels = labels_of(summary)
    for standing in summary["standings"]:
        here = [pair for pair in summary["paired"] if pair["run"] in standing["runs"]]
        rows = [
            [words(labels[pair["run"]]), words(labels[pair["against"]]), Cell(signed(pair["difference"])),
             Cell(_between(pair["low"], pair["high"])), _games(pair["n"])]
            for pair in here
        ]  # fmt: skip
        if rows:
            interval = f"{percent(here[0]['level'])} interval"
            titles = ["run", "against", here[0]["metric"].replace("_", " "), interval, "games"]
            yield Table(saw(standing), titles, rows)


def intervals(summary: Summary) -> str:
    """Return how the intervals of differences are made."""
    blocks = dict.fromkeys(run["rests_on"]["block"] for run in summary["runs"])
    made = {"replicate": "Student's t of the same replicates"}
    return " or ".join(made.get(block, f"a bootstrap of the same {block}s") for block in blocks)


def strata(folder: Path, summary: Summary) -> Iterator[Table]:
    """Yield means over the parts of the games, by stream, calendar and property; of too many parts, their number."""
    if not summary["strata"]:
        return
    table, names = summary["strata"]["table"], [name.replace("_", " ") for name in metrics_of(summary)]
    frame = pl.read_parquet(folder / table).filter(pl.col("n") + pl.col("left_out") > 0)
    for standing in summary["standings"]:
        seen = frame.filter(pl.col("stream") == standing["stream"], pl.col("run").is_in(standing["runs"]))
        for by in summary["strata"]["by"]:
            here = seen.filter(pl.col("by") == by)
            parts = here["stratum"].n_unique()
            said = f"{saw(standing)}, by {by}"
            if parts > MOST_STRATA:
                yield Table(f"{said}: {parts:,} parts, in {table}", [], [])
            else:
                yield Table(said, ["stratum", "run", *names, "games"], list(_parts(here, standing["runs"], summary)))


def _parts(found: pl.DataFrame, order: Sequence[str], summary: Summary) -> Iterator[Row]:
    """Yield the runs of each part, in the order of their standing."""
    labels = labels_of(summary)
    for (stratum,), part in found.group_by("stratum", maintain_order=True):
        of = part.partition_by("run", as_dict=True)
        yield from ([words(str(stratum)), words(labels[run]), *means(of[run,].rows(named=True))] for run in order)


def number(value: float | None, digits: int) -> str:
    """Return a number with so many decimals, or a dash for none."""
    return DASH if value is None or math.isnan(value) else f"{value:.{digits}f}".replace("-", "−")


def signed(value: float | None) -> str:
    """Return a difference of losses."""
    return DASH if value is None else f"{value:+.5f}".replace("-", "−")


def percent(level: float) -> str:
    """Return the level of an interval."""
    return f"{round(100 * level, 9):g}%"


def _between(low: float | None, high: float | None) -> str:
    return DASH if low is None or high is None else f"{signed(low)} to {signed(high)}"


def _games(n: float) -> Cell:
    return Cell(f"{n:,.0f}" if float(n).is_integer() else f"{n:,}")
