"""The page of a run folder, from what is in it."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import polars as pl

from ..analysis import counted, listed
from ..errors import InputError
from ..files import whole
from ..illustrate import stored
from ..metrics import METRICS
from ..truths import explained, truths
from .lookup import lookup, text
from .page import Cell, Table, inline, page, words
from .quality import quality, skills
from .scores import Summary, differences, intervals, labels_of, metrics_of, saw, standings, strata

DIGITS = 7  # of numbers in the tables behind figures


def write_report(folder: str | Path) -> Path:
    """Write the report of a run folder from what is in it; return its path.

    The same folder makes the same bytes: the page says no date and no place.

    Parameters
    ----------
    folder : with `summary.json`, the table of strata that it names, and `figures/NAME.svg` beside
        `tables/NAME.parquet` for each figure it lists.

    Raises
    ------
    InputError : there is no summary, it is of another version, or the page cannot be written.
    """
    folder = Path(folder)
    summary = found_in(folder)
    with complete(folder):
        made = render(
            summary, list(_figures(folder, summary)), list(strata(folder, summary)), lookup(folder, summary)
        )  # fmt: skip
    path = folder / "report.html"
    with whole(path) as place:
        place.write_text(made, encoding="utf-8", newline="\n")
    return path


def found_in(folder: Path) -> dict[str, Any]:
    """Return what `summary.json` of a run folder holds.

    Raises
    ------
    InputError : there is none, or it is no summary of a run.
    """
    source, expected = folder / "summary.json", "a folder that `ratesim run` wrote"
    if not source.is_file():
        raise InputError("no summary.json", where=str(folder), expected=expected)
    try:
        summary = json.loads(source.read_text(encoding="utf-8"))
    except ValueError as error:
        raise InputError(f"is no JSON ({error})", where=str(source), expected=expected) from error
    if not isinstance(summary, dict) or "standings" not in summary:
        raise InputError("is no summary of a run", where=str(source), expected=expected)
    return summary


@contextmanager
def complete(folder: Path) -> Iterator[None]:
    """Say in one line what a run folder that is read here lacks.

    Raises
    ------
    InputError : its summary is of another version, or a file that it names is missing.
    """
    try:
        yield
    except (KeyError, FileNotFoundError) as error:
        said = f"no {error.filename}" if isinstance(error, FileNotFoundError) else f"summary.json without {error}"
        expected = "a folder that this version of `ratesim run` wrote: run the experiment again"
        raise InputError(said, where=str(folder), expected=expected) from error


def render(
    summary: Summary, figures: Sequence[Mapping[str, str]], parts: Sequence[Table] = (),
    players: Sequence[Mapping[str, Any]] = (),
) -> str:  # fmt: skip
    """Return the page: a summary, its figures, the tables of strata, and players as `lookup` has them."""
    about = summary["experiment"]
    return page(
        "report.html.j2",
        title=about["title"] or Path(about["file"]).stem,
        answer=about.get("answer", ""),
        more=about.get("more", ""),
        what=_what(summary),
        standings=list(standings(summary)),
        notes=list(_notes(summary)),
        quality=list(quality(summary)),
        skills=list(skills(summary)),
        differences=list(differences(summary)),
        intervals=intervals(summary),
        truths=list(_truths(summary)),
        explained=explained(summary),
        strata=parts,
        figures=figures,
        players=[_known(each) for each in players],
        names=list(dict.fromkeys(player[0] for each in players for player in each["players"])),
        data=text(players),
        provenance=list(_provenance(summary)),
    )


def _figures(folder: Path, summary: Summary) -> Iterator[dict[str, str]]:
    for n, figure in enumerate(summary["figures"], 1):
        name = figure["name"]
        table = stored(folder, name)
        svg = (folder / "figures" / f"{name}.svg").read_text(encoding="utf-8")
        drawn = inline(svg, f"figure-{n}", table.caption)
        yield {"name": name, "svg": drawn, "caption": table.caption, "csv": _data(table.frame)}


def _data(frame: pl.DataFrame) -> str:
    """Return a table as the address of a CSV file that the page itself holds."""
    floats = pl.selectors.float()
    rounded = frame.with_columns(floats.round_sig_figs(DIGITS))
    return f"data:text/csv;charset=utf-8,{quote(rounded.write_csv(), safe=',.:+-_()')}"


def _known(stream: Mapping[str, Any]) -> str:
    """Return whose ratings the page has."""
    here, of, runs = len(stream["players"]), stream["of"], counted(len(stream["runs"]), "run")
    who = f"all {counted(of, 'player')}" if here >= of else f"the {here:,} of {counted(of, 'player')} with most games"
    told = sum(any(player[4]) for player in stream["players"])
    some = "" if told == here else f", with the history of the {told:,} with most games"
    more = f"the first {runs} of {len(stream['runs']) + stream['left_out']:,}" if stream["left_out"] else runs
    return f"{stream['name']}: {who}, by {more}{some}."


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


def _notes(summary: Summary) -> Iterator[str]:
    """Yield what a reader must know before comparing two numbers."""
    yield "± is one standard error."
    yield from (f"{note[:1].upper()}{note[1:]}." for note in summary["notes"])
    for run in summary["runs"]:
        yield from (f"{note}." for note in _left_out(run, metrics_of(summary)))
        for each in run["diagnostics"]:
            yield f"{run['label']}: {each['name']} {counted(each['count'], 'time')}, first for {each['player']}."
    for stream in summary["streams"]:
        yield from (f"{stream['name']}: {note}." for note in stream["notes"])


def _left_out(run: Mapping[str, Any], names: Sequence[str]) -> Iterator[str]:
    """Yield how many games count for nothing, and why: a metric of three results leaves out other scores too."""
    kinds, left = METRICS.kinds(), {name: run["metrics"][name]["left_out"] for name in names}
    three = [name for name in names if name in kinds and kinds[name].three_way]
    missing = next((left[name] for name in names if name not in three), 0)
    others = left[three[0]] if three else missing
    if missing:
        yield _gone(run, missing, "without a forecast")
    if others != missing:
        yield f"{_gone(run, others, 'without a forecast, or with a score other than 0, ½ and 1,')} of {listed(three)}"


def _gone(run: Mapping[str, Any], games: float, why: str) -> str:
    return f"{run['label']}: {counted(games, 'game')} {why} {'is' if games == 1 else 'are'} left out"


def _truths(summary: Summary) -> Iterator[Table]:
    """Yield how ratings stand to skills."""
    captions = [saw(each) for each in summary["standings"]]
    for table in truths(summary, metrics_of(summary)[0], labels_of(summary), captions):
        rows = [
            [words(row["label"]), *(Cell(each["value"], each["interval"]) for each in row["cells"])]
            for row in table["rows"]
        ]
        yield Table(table["caption"], ["run", *table["titles"]], rows)


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
