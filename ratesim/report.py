"""`report.html`: what a run folder holds, as one page that needs nothing else."""

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import jinja2
import polars as pl

from .analysis import counted
from .errors import InputError
from .files import whole
from .illustrate import stored
from .truths import explained, truths

SVG, XLINK = "http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"
REFERENCE = re.compile(r"url\(#|^#")
EVERYWHERE = re.compile(r"\s*\*\s*\{(.*)\}\s*", re.DOTALL)
DASH = "–"
ORACLE = "oracle"  # as tables call who forecasts by the truth
Summary = Mapping[str, Any]
MOST_STRATA = 50  # in one table of the page


def write(folder: Path) -> Path:
    """Write the report of a run folder from what is in it; return its path.

    The same folder makes the same bytes: the page says no date and no place.

    Parameters
    ----------
    folder : with `summary.json`, the table of strata that it names, and `figures/NAME.svg` beside
        `tables/NAME.parquet` for each figure it lists.

    Raises
    ------
    InputError : there is no summary, or the page cannot be written.
    """
    source = folder / "summary.json"
    if not source.is_file():
        raise InputError("no summary.json", where=str(folder), expected="a folder that `ratesim run` wrote")
    summary = json.loads(source.read_text(encoding="utf-8"))
    page = render(summary, list(_figures(folder, summary)), list(_strata(folder, summary)))
    path = folder / "report.html"
    with whole(path) as place:
        place.write_text(page, encoding="utf-8", newline="\n")
    return path


def render(summary: Summary, figures: Sequence[Mapping[str, str]], strata: Sequence[Mapping[str, Any]] = ()) -> str:
    """Return the page: a summary, figures as (name, svg, caption), and strata as (caption, rows)."""
    return page(
        "report.html.j2",
        title=_title(summary),
        what=_what(summary),
        metrics=[name.replace("_", " ") for name in _metrics(summary)],
        tables=list(_tables(summary)),
        notes=list(_notes(summary)),
        differences=list(_differences(summary)),
        intervals=_intervals(summary),
        truths=list(truths(summary, _metrics(summary)[0], *_named(summary))),
        explained=explained(summary),
        strata=strata,
        figures=figures,
        provenance=list(_provenance(summary)),
    )


def page(template: str, **values: Any) -> str:  # noqa: ANN401  # whatever the template names
    """Return a page made from one of our templates."""
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("ratesim"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    return environment.get_template(template).render(values)


def inline(text: str, name: str, title: str) -> str:
    """Return a drawing as an element of a page, fit to stand there among others.

    Names inside it get the prefix `name`, so that those of two drawings never meet; its size is left to the page, its
    metadata dropped, a style for everything kept to itself. `title` is read to those who cannot see it.

    >>> inline('<svg xmlns="http://www.w3.org/2000/svg" width="9" viewBox="0 0 9 9"><g id="a"/></svg>', "f", "A figure")
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" role="img" aria-label="A figure"><g id="f-a" /></svg>'
    """
    ET.register_namespace("", SVG)
    ET.register_namespace("xlink", XLINK)
    root = ET.fromstring(text)  # noqa: S314  # our own drawing
    for parent in list(root.iter()):
        for child in list(parent):
            style = EVERYWHERE.fullmatch(child.text or "") if child.tag == f"{{{SVG}}}style" else None
            if style:
                root.set("style", style[1].strip())
            if style or child.tag == f"{{{SVG}}}metadata":
                parent.remove(child)
    for element in root.iter():
        for key, value in element.attrib.items():
            changed = f"{name}-{value}" if key == "id" else REFERENCE.sub(lambda found: f"{found[0]}{name}-", value)
            element.set(key, changed)
    for size in ("width", "height", "version"):
        root.attrib.pop(size, None)
    root.set("role", "img")
    root.set("aria-label", title)
    return ET.tostring(root, encoding="unicode")


def _figures(folder: Path, summary: Summary) -> Iterator[dict[str, str]]:
    for number, figure in enumerate(summary["figures"], 1):
        name = figure["name"]
        said = stored(folder, name).caption
        text = (folder / "figures" / f"{name}.svg").read_text(encoding="utf-8")
        yield {"name": name, "svg": inline(text, f"figure-{number}", said), "caption": said}


def _title(summary: Summary) -> str:
    return summary["experiment"]["title"] or Path(summary["experiment"]["file"]).stem


def _what(summary: Summary) -> str:
    """One sentence: how many runs, over which games."""
    streams = summary["streams"]
    runs = len(summary["runs"])
    over = "; ".join(
        f"{each['name']}: {counted(each['games'], 'game')} of {counted(each['players'], 'player')}, "
        + (f"simulated ({_simulated(each)})" if each["world"] else f"{each['first']} to {each['last']}")
        for each in streams
    )
    return f"{counted(runs, 'run')} over {over}."


def _simulated(stream: Mapping[str, Any]) -> str:
    """Return the kind of a world, with the number of its replicates where there are several."""
    kind, replicates = stream["world"]["kind"], stream["replicates"]
    return f"{kind}, {replicates:,} replicates" if replicates > 1 else str(kind)


def _tables(summary: Summary) -> Iterator[dict[str, Any]]:
    """Yield a table for each stream and calendar: runs that saw the same information."""
    runs = {run["id"]: run for run in summary["runs"]}
    for standing in summary["standings"]:
        rows = [_row(runs[each], _metrics(summary)) for each in standing["runs"]]
        yield {"caption": _saw(standing), "runs": [*rows, *_oracle(summary, standing["stream"])]}


def _oracle(summary: Summary, stream: str) -> Iterator[dict[str, Any]]:
    """Yield the row of forecasts by the truth, where it is known."""
    oracle = next(each["oracle"] for each in summary["streams"] if each["name"] == stream)
    if oracle:
        yield {**_numbers([oracle[name] for name in _metrics(summary)]), "label": ORACLE, "parameters": "the truth"}


def _saw(standing: Mapping[str, Any]) -> str:
    """Return what all runs of a table saw."""
    return f"{standing['stream']}, rating periods: {standing['calendar']}"


def _named(summary: Summary) -> tuple[dict[str, str], list[str]]:
    """Return the labels of runs by id, and the captions of standings."""
    return {run["id"]: short(run) for run in summary["runs"]}, [_saw(each) for each in summary["standings"]]


def _metrics(summary: Summary) -> list[str]:
    """Return the kinds of the metrics in the order asked for: a JSON document has them by name."""
    return [each if isinstance(each, str) else each["kind"] for each in summary["experiment"]["score"]["metrics"]]


def _row(run: Mapping[str, Any], metrics: Sequence[str]) -> dict[str, Any]:
    return {**_means(run, [run["metrics"][name] for name in metrics]), "parameters": run["rests_on"]["parameters"]}


def _means(run: Mapping[str, Any], found: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the label, the mean of each metric and the games behind the first."""
    return {"label": short(run), **_numbers(found)}


def _numbers(found: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the mean of each metric and the games behind the first."""
    cells = [(_number(each["mean"], 4), _number(each["se"], 4)) for each in found]
    return {
        "cells": [{"mean": mean, "se": "" if se == DASH else se} for mean, se in cells],
        "games": f"{found[0]['n']:,}",
    }


def short(run: Mapping[str, Any]) -> str:
    """Return the label without what the table it stands in says."""
    label: str = run["label"]
    return label.removesuffix(f", {run['stream']}").removesuffix(f", {run['rests_on']['calendar']}")


def _number(value: float | None, digits: int) -> str:
    return DASH if value is None or math.isnan(value) else f"{value:.{digits}f}"


def _notes(summary: Summary) -> Iterator[str]:
    """Yield what a reader must know before comparing two numbers."""
    yield "± is one standard error."
    yield from (f"{note[:1].upper()}{note[1:]}." for note in summary["notes"])
    for run in summary["runs"]:
        left = run["metrics"][_metrics(summary)[0]]["left_out"]
        if left:
            yield f"{run['label']}: {counted(left, 'game')} without a forecast {'is' if left == 1 else 'are'} left out."
        for each in run["diagnostics"]:
            yield f"{run['label']}: {each['name']} {counted(each['count'], 'time')}, first for {each['player']}."
    for stream in summary["streams"]:
        yield from (f"{stream['name']}: {note}." for note in stream["notes"])


def _differences(summary: Summary) -> Iterator[dict[str, Any]]:
    """Yield paired differences by stream and calendar."""
    runs = {run["id"]: run for run in summary["runs"]}
    for standing in summary["standings"]:
        pairs = [pair for pair in summary["paired"] if pair["run"] in standing["runs"]]
        rows = [
            {
                "run": short(runs[pair["run"]]),
                "against": short(runs[pair["against"]]),
                "difference": _signed(pair["difference"]),
                "interval": f"{_signed(pair['low'])} to {_signed(pair['high'])}",
                "games": f"{pair['n']:,}",
            }
            for pair in pairs
        ]
        if rows:
            yield {
                "caption": _saw(standing),
                "metric": pairs[0]["metric"].replace("_", " "),
                "level": f"{round(100 * pairs[0]['level'], 9):g}%",
                "rows": rows,
            }


def _intervals(summary: Summary) -> str:
    """Return how the intervals of differences are made."""
    made = {"month": "a bootstrap of the same months", "replicate": "Student's t of the same replicates"}
    blocks = dict.fromkeys(run["rests_on"]["block"] for run in summary["runs"])
    return " or ".join(made[block] for block in blocks)


def _strata(folder: Path, summary: Summary) -> Iterator[dict[str, Any]]:
    """Yield means over the parts of the games, by stream, calendar and property; of too many parts, their number."""
    if not summary["strata"]:
        return
    table = summary["strata"]["table"]
    frame = pl.read_parquet(folder / table).filter(pl.col("n") + pl.col("left_out") > 0)
    for standing in summary["standings"]:
        seen = frame.filter(pl.col("stream") == standing["stream"], pl.col("run").is_in(standing["runs"]))
        for by in summary["strata"]["by"]:
            here = seen.filter(pl.col("by") == by)
            parts = here["stratum"].n_unique()
            said = f"{_saw(standing)}, by {by}"
            if parts > MOST_STRATA:
                yield {"caption": f"{said}: {parts:,} parts, in {table}", "rows": []}
            else:
                yield {"caption": said, "rows": list(_parts(here, standing["runs"], summary))}


def _parts(means: pl.DataFrame, order: Sequence[str], summary: Summary) -> Iterator[dict[str, Any]]:
    """Yield the runs of each part, in the order of their standing."""
    runs = {run["id"]: run for run in summary["runs"]}
    for (stratum,), part in means.group_by("stratum", maintain_order=True):
        of = part.partition_by("run", as_dict=True)
        yield from ({"stratum": stratum, **_means(runs[run], of[run,].rows(named=True))} for run in order)


def _signed(value: float | None) -> str:
    return DASH if value is None else f"{value:+.5f}".replace("-", "−")


def _provenance(summary: Summary) -> Iterator[tuple[str, str]]:
    experiment = summary["experiment"]
    yield "Made by", f"ratesim run {experiment['file']}"
    yield "Seed", str(experiment["seed"])
    if experiment["source"]:
        yield "Source of the games", experiment["source"]
    for stream in summary["streams"]:
        yield f"Games of {stream['name']}", f"{stream['games']:,}, of which {stream['judged']:,} judged"
        yield f"Digest of {stream['name']}", stream["digest"]
    yield "Versions", ", ".join(f"{name} {version}" for name, version in summary["versions"].items())
    for run in summary["runs"]:
        yield f"Run {run['id']}", run["label"]
