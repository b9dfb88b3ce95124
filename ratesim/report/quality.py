"""The tables of the report that say how good forecasts are beside mean losses: calibration, skill, conventions."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from .page import Cell, Table, words
from .scores import DASH, Summary, labels_of, metrics_of, number, percent, saw


class Column(NamedTuple):
    """A measure of a run: its title, and where `scores` of a summary has it."""

    title: str
    path: tuple[str, ...]
    digits: int


CALIBRATION = (
    Column("slope", ("recalibration", "slope"), 3),
    Column("intercept", ("recalibration", "intercept"), 3),
    Column("calibration error", ("calibration_error",), 4),
    Column("player-month RMSE", ("player_months",), 4),
    Column("scaled deviance", ("scaled", "bdev"), 2),
    Column("scaled MSE", ("scaled", "mse"), 2),
    Column("scaled MAE", ("scaled", "mae"), 2),
)


def quality(summary: Summary) -> Iterator[Table]:
    """Yield for each stream and calendar how forecasts are calibrated, where all are kept."""
    runs, labels = {run["id"]: run for run in summary["runs"]}, labels_of(summary)
    for standing in summary["standings"]:
        here = [runs[each] for each in standing["runs"] if runs[each].get("scores")]
        rows = [[words(labels[run["id"]]), *(_cell(run["scores"], column) for column in CALIBRATION)] for run in here]
        if rows:
            yield Table(saw(standing), ["run", *(column.title for column in CALIBRATION)], rows)


def _cell(scores: Mapping[str, Any], column: Column) -> Cell:
    """Return a measure, with its error where there is one."""
    at: Any = scores
    for key in column.path[:-1]:
        at = at[key]
    last = column.path[-1]
    text, error = number(at.get(last), column.digits), number(at.get(f"{last}_se"), column.digits)
    return Cell(text, "" if DASH in {text, error} else f"± {error}")


def skills(summary: Summary) -> Iterator[Table]:
    """Yield for each stream and calendar how much of each baseline's loss a run takes away."""
    runs, labels = {run["id"]: run for run in summary["runs"]}, labels_of(summary)
    for standing in summary["standings"]:
        here = [runs[each] for each in standing["runs"] if runs[each].get("skill")]
        baselines = list(dict.fromkeys(each["baseline"] for run in here for each in run["skill"]))
        baselines = [each for each in baselines if each in standing["runs"]]
        rows = [[words(labels[run["id"]]), *_skills(run["skill"], baselines)] for run in here]
        if baselines:
            metric = metrics_of(summary)[0].replace("_", " ")
            caption = f"{saw(standing)}: share of the {metric} taken away, {percent(_level(here))} interval"
            yield Table(caption, ["run", *(f"of {labels[each]}" for each in baselines)], rows)


def _level(runs: Sequence[Mapping[str, Any]]) -> float:
    return float(runs[0]["skill"][0]["level"])


def _skills(found: Sequence[Mapping[str, Any]], baselines: Sequence[str]) -> Iterator[Cell]:
    of = {each["baseline"]: each for each in found}
    for baseline in baselines:
        each = of.get(baseline)
        if each is None or each["skill"] is None:
            yield Cell(DASH)
        else:
            inside = "" if each["low"] is None else f"({number(each['low'], 4)} to {number(each['high'], 4)})"
            yield Cell(number(each["skill"], 4), inside)
