"""The figures of an experiment: which runs they show, their tables, their drawings.

A figure is of one stream, so its runs are called by what tells them apart there.
"""

import itertools
import json
import math
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl

from .analysis import (
    EmptyFigureError,
    FigureTable,
    bands,
    calibration,
    careers,
    cold_start,
    curves,
    difference,
    excess,
    gaps,
    history,
    inflation,
    initial,
    monthly,
    moved,
    movement,
    pool_map,
    shares,
    upsets,
)
from .analysis.policies import frontier
from .analysis.truth import truth_figures
from .benches import ForecastJudge, Forecasts, Judge
from .comparing import Asked
from .contrasts import contrasts
from .errors import InputError, nearest
from .experiment import Experiment
from .files import whole
from .keys import Figures
from .paper import at_rest, drifting, on_paper
from .plan import Planned
from .plots import draw, save
from .sample import least_before
from .spreading import Task, executor, finish
from .store import Store, write_json, write_table
from .stream import GameStream
from .systems.base import Start, System

MOST = 6  # systems in one figure
MOST_POINTS = 60  # and where each is a point
MANY_GAMES = 2_000  # from which on losses while players are new are drawn unasked
MANY = 24  # figures that are worth the time in which a process gets ready to draw
ASKED_FOR = {  # figures that a key of [figures] makes, of the same name
    "bands", "careers", "cold_start", "curves", "excess", "gaps", "inflation", "initial", "monthly", "moved", "parting",
    "ranks", "scales", "shares", "upsets",
}  # fmt: skip


class Drawn(NamedTuple):
    """A figure that was written."""

    name: str
    stream: str | None  # whose games it shows


class Gallery(NamedTuple):
    """What became of the figures of an experiment."""

    drawn: list[Drawn]
    left_out: list[str]  # which, and why, in words


def write(
    experiment: Experiment,
    judges: Mapping[str, Judge],
    runs: Sequence[Planned],
    store: Store,
    more: Sequence[tuple[str, FigureTable]] = (),
    workers: int = 1,
) -> Gallery:
    """Write `tables/NAME.parquet`, `tables/NAME.json` (caption and what the drawing needs) and `figures/NAME.svg`.

    Figures that would be empty are left out. Those that are no longer drawn are removed.

    Parameters
    ----------
    more : figures that are made already, each with the stream whose games it shows.
    workers : processes at the most that draw, where figures are many.

    Raises
    ------
    InputError : there is no figure of the name that the file calls `main`.
    """
    made: list[tuple[str | None, FigureTable]] = []
    left_out: list[str] = []
    for (stream, bench), ending in zip(judges.items(), endings(list(judges)), strict=True):
        own = [run for run in runs if run.of.source.name == stream]
        chosen_runs = chosen(own, experiment.figures.runs)
        suffix, front = ("", "") if len(judges) == 1 else (f"-{ending}", f"{stream}: ")
        told = partial(_told, front=front, end="" if experiment.figures.runs else _picked(own, chosen_runs))
        kept = bench.forecasts(chosen_runs, store)
        left_out += _said(kept, f"calibration{suffix}")
        for make in _tables(experiment, bench, kept, chosen_runs, store):
            _make(make, suffix, stream, told, made, left_out)
        varied = chosen(own, experiment.figures.runs, policies=True)
        end = "" if experiment.figures.runs else _picked(own, varied, "system and policy")
        for make in _policies(experiment.figures, bench, varied, store):
            _make(make, suffix, stream, partial(_told, front=front, end=end), made, left_out)
        named = chosen(own, experiment.figures.pair) if experiment.figures.pair else None
        for make in contrasts(experiment, bench, own, named, store):
            _make(make, suffix, stream, partial(_told, front=front), made, left_out)
        made += [(stream, told(table)) for table in _truths(suffix, chosen_runs, store)]
        wide = chosen_runs if experiment.figures.runs else own[:MOST_POINTS]
        still = at_rest(bench.of, [each.of for each in judges.values()])
        rest = [run for run in runs if run.of is still]
        made += [(stream, _told(table, front=front)) for table in _frontier(f"frontier{suffix}", wide, rest, store)]
    made += more
    if experiment.figures.excess:
        made.append((None, _excess(experiment, judges, runs, store)))
    if experiment.figures.curves:
        made.append((None, curves()))
    _check_main(experiment, [table.name for _, table in made])
    write_figures([table for _, table in made], store.folder, workers)
    _remove_others(store.folder, {table.name for _, table in made})
    return Gallery([Drawn(table.name, stream) for stream, table in made], left_out)


def _excess(experiment: Experiment, judges: Mapping[str, Judge], runs: Sequence[Planned], store: Store) -> FigureTable:
    """Return the figure of what runs lose more than an oracle, by the first metric."""
    score, seed = experiment.score, experiment.header.seed
    name, metric = next(iter(score.build().items()))
    found = {}
    for run in runs:
        judge = judges[run.of.source.name]
        lost = judge.excess(run, {name: metric}, store, seed=seed, level=score.level, draws=score.draws)
        if lost:
            found[run.of.source.name, run.cell.label] = lost[name]
    return excess(found, metric.title)


def _check_main(experiment: Experiment, names: Sequence[str]) -> None:
    main = experiment.figures.main
    if main and main not in names:
        near = nearest(main, names)
        expected = "" if near else f"one of {', '.join(sorted(names))}"
        raise InputError(f"no figure '{main}'", where=f"{experiment.file}, figures.main", expected=expected, near=near)


def _make(
    make: "partial[FigureTable]", suffix: str, stream: str, told: Callable[[FigureTable], FigureTable],
    made: list[tuple[str | None, FigureTable]], left_out: list[str],
) -> None:  # fmt: skip
    """Make a figure, or say why it is left out."""
    name = f"{make.func.__name__}{suffix}"
    try:
        made.append((stream, told(make(name=name))))
    except EmptyFigureError as error:
        left_out.append(f"figure {name} is left out: {error.what}")


def write_figures(tables: Sequence[FigureTable], folder: Path, workers: int) -> None:
    """Write figures with their tables, where they are many in processes: matplotlib draws one at a time."""
    if workers < 2 or len(tables) < MANY:
        for table in tables:
            write_figure(table, folder)
        return
    with executor("processes", workers) as pool:
        for _ in finish(pool, write_figure, [Task(table.name, table.name, (table, folder)) for table in tables]):
            pass


def _said(kept: Forecasts | None, name: str) -> Iterator[str]:
    """Yield what a figure of forecasts is made of, where it is not all of them."""
    if kept is None:
        yield f"figure {name} is left out: forecasts are not kept, and forecasts = 'sample' keeps some"
    elif kept.said:
        yield f"figure {name} shows {kept.said}"


def _told(table: FigureTable, *, front: str, end: str = "") -> FigureTable:
    """Return a figure whose caption says whose games it shows, where there are several streams, and which runs."""
    return replace(table, caption=f"{front}{table.caption}{end}")


def _picked(runs: Sequence[Planned], shown: Sequence[Planned], of: str = "system") -> str:
    """Return the sentence about runs over a stream that are not shown where the file names none; "" if all are."""
    if len(shown) == len(runs):
        return ""
    most = f", {MOST} at most" if len(shown) == MOST else ""
    return f" Of {len(runs):,} runs, the first of each kind of {of}{most}; `runs` of [figures] chooses others."


def stored(folder: Path, name: str) -> FigureTable:
    """Return the table of a figure that `write` kept.

    Raises
    ------
    InputError : there is none of that name.
    """
    names = sorted(path.stem for path in (folder / "tables").glob("*.json"))
    if name not in names:
        near = None if name in ASKED_FOR else nearest(name, names)
        expected = f"one of {', '.join(names)}" if names else "a folder that `ratesim run` wrote"
        if names and name in ASKED_FOR:
            expected += f"; `{name}` of [figures] in the experiment file makes it"
        raise InputError(f"no figure '{name}'", where=str(folder), expected=expected, near=near)
    said = json.loads((folder / "tables" / f"{name}.json").read_text(encoding="utf-8"))
    return FigureTable(name, pl.read_parquet(folder / "tables" / f"{name}.parquet"), said["caption"], said["meta"])


def endings(names: Sequence[str]) -> list[str]:
    """Return what names of files end with for each of several streams: different ones, in upper and lower case too.

    >>> endings(["new pool", "new-pool", "New Pool", "東京", "大阪"])
    ['new-pool', 'new-pool-2', 'New-Pool-3', '1', '2']
    """
    taken: set[str] = set()
    found = []
    for name in names:
        short = slug(name)
        more = (f"{short}-{n}".lstrip("-") for n in itertools.count(2 if short else 1))
        ending = next(each for each in itertools.chain([short], more) if each and each.lower() not in taken)
        taken.add(ending.lower())
        found.append(ending)
    return found


def slug(name: str) -> str:
    """Return a name as files may have it.

    >>> slug("league skills.sd=200")
    'league-skills.sd-200'
    """
    return re.sub(r"[^A-Za-z0-9._]+", "-", name).strip("-")


def chosen(runs: Sequence[Planned], labels: Sequence[str], *, policies: bool = False) -> list[Planned]:
    """The runs named, or the first of each kind of system (and policy) in the order of the file, not the whole grid."""
    if labels:
        named = [run for run in runs if _named(run) in labels]
        return sorted(named, key=lambda run: labels.index(_named(run)))
    first: dict[tuple[str, str], Planned] = {}
    for run in runs:
        policy = run.cell.policy.kind if policies and run.cell.policy is not None else ""
        first.setdefault((run.cell.system.kind, policy), run)
    return list(first.values())[:MOST]


def _named(run: Planned) -> str:
    """Return what the file calls a run: of one that was tuned the label with its ranges."""
    return run.cell.asked or run.cell.label


def _tables(
    experiment: Experiment, bench: Judge, kept: Forecasts | None, shown: Sequence[Planned], store: Store
) -> Iterator["partial[FigureTable]"]:
    """Yield what makes each table, once it is given its name."""
    simulated = bench.of.simulated
    if kept is not None:
        yield from _forecasts(experiment.figures, bench, kept)
    yield from _cold_start(experiment, bench, shown, store)
    drawn = _in_order(_histories(shown, store, bench.of.drawn.key), bench.of.drawn.players or ())
    yield partial(history, drawn, days=simulated)
    if len(drawn) > 1:
        yield partial(difference, dict(list(drawn.items())[:2]), days=simulated)
    if bench.of.moving and experiment.figures.pause:
        moving = _histories(shown, store, bench.of.moving.key)
        starts = {
            run.cell.label: _newcomer(run) for run in shown if run.cell.label in moving and bench.of.start is None
        }
        yield partial(movement, moving, pause=experiment.figures.pause, starts=starts)
    stream = bench.of.stream
    if bench.of.moving and experiment.figures.upsets and isinstance(stream, GameStream):
        moving, width = _histories(shown, store, bench.of.moving.key), experiment.figures.upsets
        yield partial(upsets, moving, stream, width=width, burn_in=experiment.score.burn_in)
    if bench.of.source.by_pool:
        yield partial(pool_map, {run.cell.label: store.ratings(run.id) for run in shown}, bench.of.stream.players)
    yield from _lists(experiment.figures, bench, shown, store)


def _forecasts(figures: Figures, bench: Judge, kept: Forecasts) -> Iterator["partial[FigureTable]"]:
    """Yield what makes the tables about forecasts."""
    yield partial(calibration, kept.of, kept.score, kept.weight, bins=figures.bins)
    if figures.shares:
        yield partial(shares, kept.of, kept.score, kept.weight, bins=figures.bins)
    if figures.gaps and isinstance(bench, ForecastJudge):
        yield partial(gaps, kept.of, bench.stream.take(bench.mask), width=figures.gaps)


def _cold_start(
    experiment: Experiment, bench: Judge, shown: Sequence[Planned], store: Store
) -> Iterator["partial[FigureTable]"]:
    """Yield what makes the table of losses while players are new: if asked for, or where it tells anything."""
    wanted, score = experiment.figures.cold_start, experiment.score
    if wanted is False or not isinstance(bench, ForecastJudge):
        return
    if wanted is None and (bench.of.source.world is not None or len(shown) < 2 or bench.mask.sum() < MANY_GAMES):
        return
    metric = next(iter(score.build().values()))
    losses = {run.cell.label: bench.losses_of(run, metric, store) for run in shown}
    seed, interval = experiment.header.seed, bench.blocks.interval
    asked = Asked(seed, score.level, score.draws, interval, lower_is_better=metric.lower_is_better)
    before, blocks = least_before(bench.stream)[bench.mask], bench.blocks.of
    yield partial(cold_start, losses, before, blocks, bench.weight, asked=asked, metric=metric.title)


def _truths(name: str, shown: Sequence[Planned], store: Store) -> list[FigureTable]:
    """Return the figures of runs over a world beside its truth; `name` is what their names end with."""
    tables = {run.cell.label: store.truth(run.id, run.of.truth) for run in shown if run.of.truth is not None}
    shared = any(getattr(run.of.source.world, "shared", False) for run in shown)
    return truth_figures(tables, theory=on_paper(shown), suffix=name, shared=shared) if any(tables.values()) else []


def _policies(
    figures: Figures, bench: Judge, shown: Sequence[Planned], store: Store
) -> Iterator["partial[FigureTable]"]:
    """Yield what makes the tables about policies that are asked for."""
    if bench.of.careers is not None:
        gains = {run.cell.label: store.history(run.id, bench.of.careers.key) for run in shown}
        yield partial(careers, gains, bench.of.drawn.players or (), days=bench.of.simulated)
    if figures.moved:
        yield partial(moved, {run.cell.label: store.ratings(run.id) for run in shown[:2]}, most=figures.moved)
    if figures.inflation and bench.of.monthly is not None:
        yield partial(inflation, _histories(shown, store, bench.of.monthly.key), days=bench.of.simulated)


def _frontier(name: str, runs: Sequence[Planned], rest: Sequence[Planned], store: Store) -> Iterator[FigureTable]:
    """Yield the figure of lag against noise: in one world of players who change and others, or beside one at rest."""
    tables, still = (
        {run.cell.label: store.truth(run.id, run.of.truth) for run in some if run.of.truth is not None}
        for some in (runs, rest)
    )
    for others in (None, still) if still else (None,) if tables else ():
        with suppress(EmptyFigureError):
            yield frontier(tables, others, theory=drifting(runs[0].of), name=name)
            return


def _lists(figures: Figures, bench: Judge, shown: Sequence[Planned], store: Store) -> Iterator["partial[FigureTable]"]:
    """Yield what makes the tables about rating lists that are asked for."""
    if figures.bands:
        yield partial(bands, {run.cell.label: store.ratings(run.id) for run in shown}, width=figures.bands)
    stream = bench.of.stream
    if bench.of.monthly is None or not isinstance(stream, GameStream):
        return
    listed = _histories(shown, store, bench.of.monthly.key)
    if figures.monthly:
        yield partial(monthly, listed, stream)
    if figures.initial:
        start = bench.of.start
        yield partial(initial, listed, stream, [] if start is None else start["player"].to_list())


def _newcomer(run: Planned) -> float:
    """The rating of a player before the first game."""
    system = run.cell.system
    if not isinstance(system, System):
        return math.nan
    return float(system.columns(np.array([system.belief(Start())]))["rating"][0])


def _histories(shown: Sequence[Planned], store: Store, key: str) -> dict[str, pl.DataFrame]:
    """Histories by label, of the runs that keep ratings."""
    found = {run.cell.label: store.history(run.id, key) for run in shown}
    return {label: frame for label, frame in found.items() if "rating" in frame.columns and frame.height}


def _in_order(histories: Mapping[str, pl.DataFrame], players: Sequence[str]) -> dict[str, pl.DataFrame]:
    """Histories a player after the other, for figures show players as rows come."""
    names = pl.Enum(players)
    return {label: each.sort(pl.col("player").cast(names), maintain_order=True) for label, each in histories.items()}


def _remove_others(folder: Path, names: Collection[str]) -> None:
    """Remove figures with their tables that an earlier run drew and this one did not; whatever else is there stays."""
    for said in (folder / "tables").glob("*.json"):
        numbers = said.with_suffix(".parquet")
        if said.stem not in names and numbers.is_file():
            for path in (folder / "figures" / f"{said.stem}.svg", numbers, said):
                path.unlink(missing_ok=True)


def write_figure(table: FigureTable, folder: Path) -> None:
    """Write a figure and its table into the folder of an experiment."""
    write_table(folder / "tables" / f"{table.name}.parquet", table.frame)
    write_json(folder / "tables" / f"{table.name}.json", {"caption": table.caption, "meta": table.meta})
    with whole(folder / "figures" / f"{table.name}.svg") as place:
        save(draw(table), place, "svg")
