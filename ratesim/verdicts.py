"""Which runs of a standing the games tell apart, in words and as cells of a table."""

import math
from collections.abc import Iterator, Mapping
from typing import Any

from .analysis import counted, listed

MOST_TOLD = 1  # runs of which it is said what telling them apart takes; the report has all
Found = Mapping[str, Any]  # an entry of `comparison` in summary.json


def compared(summary: Mapping[str, Any], standing: Mapping[str, Any]) -> Found | None:
    """Return how the runs of a standing were held against each other, if they were."""
    same = ("stream", "calendar")
    return next((each for each in summary["comparison"] if all(each[key] == standing[key] for key in same)), None)


def cells(found: Found | None) -> dict[str, dict[str, str]]:
    """Return by run its `rank`, with its interval where that is wider, and how far it is `behind` the first.

    >>> table = [{"run": "a", "rank": 1, "rank_low": 1, "rank_high": 2}]
    >>> table += [{"run": "b", "rank": 2, "rank_low": 2, "rank_high": 2}]
    >>> pair = {"run": "b", "against": "a", "difference": 0.01234, "low": 0.002, "high": 0.02}
    >>> cells({"table": table, "pairs": [pair]})
    {'a': {'rank': '1 (1–2)', 'behind': ''}, 'b': {'rank': '2', 'behind': '+0.0123 (0.0020 to 0.0200)'}}
    """
    if found is None:
        return {}
    behind = {pair["run"]: _difference(pair) for pair in _against_first(found)}
    return {row["run"]: {"rank": _rank(row), "behind": behind.get(row["run"], "")} for row in found["table"]}


def told(found: Found, labels: Mapping[str, str]) -> Iterator[str]:
    """Yield what the games say of the first and the others, and what they would take to say more.

    Parameters
    ----------
    labels : of runs, by id.
    """
    first = labels[found["table"][0]["run"]]
    by: dict[str, list[Mapping[str, Any]]] = {"tie": [], "worse": [], "better": []}
    for pair in _against_first(found):
        by[pair["verdict"]].append(pair)
    tied, worse, better = ([labels[pair["run"]] for pair in by[verdict]] for verdict in ("tie", "worse", "better"))
    if better:  # order is over the games that all forecast, a pair's verdict over those that the two did
        yield f"{first} comes first over the games of all, but over those of both {listed(better)} does better."
    elif not tied:
        yield f"{first} comes first, and these games tell every other from it."
        return
    else:
        yield f"{first} comes first, but these games do not tell it from {listed(tied)}."
    if better and tied:
        yield f"These games do not tell it from {listed(tied)}."
    yield from (_needed(pair, labels[pair["run"]]) for pair in by["tie"][:MOST_TOLD])
    if worse:
        yield f"Told from it, as worse: {listed(worse)}."
    elif not better:
        yield "No run is told from it."


def rests_on(found: Found, standing: Mapping[str, Any]) -> str:
    """Return what the verdicts of a standing rest on."""
    pairs = len(found["pairs"])
    corrected = f", corrected for {counted(pairs, 'comparison')} (Holm)" if pairs > 1 else ""
    runs, held = len(standing["runs"]) - len(standing["in_hindsight"]), len(found["table"])
    left = f" Of {runs} runs the first {held} are held against each other." if runs > held else ""
    level = f"{round(100 * found['level'], 9):g}%"
    alone = "ranks and differences in the table are each for itself" if pairs > 1 else ""
    said = "; ".join(filter(None, (f"Verdicts at {level} by the test of Diebold and Mariano{corrected}", alone)))
    return f"{said}.{left}"


def _against_first(found: Found) -> list[Mapping[str, Any]]:
    first = found["table"][0]["run"]
    return [pair for pair in found["pairs"] if pair["against"] == first]


def _rank(row: Mapping[str, Any]) -> str:
    low, high = row["rank_low"], row["rank_high"]
    return str(row["rank"]) if low == high or low is None else f"{row['rank']} ({low}–{high})"


def _difference(pair: Mapping[str, Any]) -> str:
    if _none(pair["difference"]):
        return ""
    inside = "" if _none(pair["low"]) else f" ({pair['low']:.4f} to {pair['high']:.4f})"
    return f"{pair['difference']:+.4f}{inside}".replace("-", "−")


def _none(value: float | None) -> bool:
    """Whether a number is not known: NaN while a run is told, null once it is read from JSON."""
    return value is None or math.isnan(value)


def _needed(pair: Mapping[str, Any], label: str) -> str:
    """Return what it takes to tell a run from the first, games to two digits."""
    if pair["difference"] == 0 and pair["se"] == 0:
        return f"{label} forecasts alike."
    if pair["difference"] == 0:
        return f"{label} loses as much."
    if _none(pair["needed"]):
        return f"Of {label} there are too few games to say how many it takes."
    games = float(format(pair["needed"], ".2g"))
    return (
        f"{label}: they find a difference of {pair['resolvable']:.2g} in four of five cases; "
        f"{abs(pair['difference']):.2g}, as seen, takes some {games:,.0f} games."
    )
