"""The ranges of an experiment: tuned on the first games of each stream, or found in its store as they were."""

import datetime as dt
import math
import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import polars as pl

from .analysis import FigureTable, counted, listed, response
from .dates import date_on
from .digests import sources, sources_of
from .errors import InputError
from .experiment import Cell, Experiment
from .illustrate import endings, write_figures
from .io.gamefile import GameFile
from .plan import Loaded, load, plan
from .policies import POLICIES
from .provenance import address, dependencies, versions
from .recalled import Recalled
from .store import Store, write_json
from .stream import GameStream
from .systems.base import SYSTEMS
from .tuning.api import sweeping
from .tuning.folds import parts
from .tuning.protocol import tuned
from .tuning.search import check, searched_by

TUNING = "tuning.json"
EXPLAINED = (
    "the interval tells where the best value lies when months or replicates are drawn time and again, and the best is "
    "chosen anew from each; not told from the best are settings that, one by one over the same games, may lose no more "
    "than it: where losses are flat the two differ widely"
)


class Watch(Protocol):
    """Who is told how tuning goes."""

    def note(self, line: str) -> None:
        """Hear what reading a stream or tuning found."""

    def tuning(self, label: str, games: int) -> None:
        """Hear that a tuning begins, and how many games its settings play together, at most."""

    def tried(self, games: int) -> None:
        """Hear that some settings have played so many games more, or that the store knows what they lost."""


class Workers(NamedTuple):
    """What plays settings side by side, see `ratesim.sweep`."""

    how: str | Executor = "threads"
    workers: int | None = None
    plugins: Sequence[Path] = ()


class Found(NamedTuple):
    """What tuning found for one cell over one stream."""

    key: str
    stream: str
    cell: Cell
    said: Mapping[str, Any]  # as `Tuning.canonical` returns it
    settings: pl.DataFrame

    @property
    def on(self) -> str:
        """What it was tuned on, and the outcome, in words."""
        values = ", ".join(f"{each['name']} = {each['best']:.4g}" for each in self.said["parameters"])
        return f"{before(self.said)}: {values}"

    @property
    def label(self) -> str:
        """The label of the cell, with the values found in place of its ranges."""
        assert self.cell.titled is not None  # noqa: S101  # as all cells of a file
        return self.cell.titled([each["best"] for each in self.said["parameters"]])

    @property
    def winner(self) -> Cell:
        """The cell with the values found."""
        policy = self.said["policy"]
        return replace(
            self.cell,
            label=self.label,
            asked=self.cell.label,
            system=SYSTEMS.build(self.said["system"]),
            policy=None if policy is None else POLICIES.build(policy),
            tuned_on=self.on,
            space=None,
            tuning=self.key,
        )

    @property
    def sentences(self) -> Iterator[str]:
        """Yield what was found, how sure it is, and what not tuning costs, in words."""
        said, name = self.said, f"{self.cell.label} over {self.stream}"
        values = listed([_value(each, said["tune"]["level"]) for each in said["parameters"]])
        alike = f"{said['alike']:,} of {counted(said['settings'], 'setting')}"
        yield f"{name}, tuned on {before(said)}: {values}; {alike} cannot be told from the best"
        cost = said["cost"]
        if cost is not None:
            low, high = (_signed(cost[end]) for end in ("low", "high"))
            games = f"the {cost['n']:,} games from {' to '.join(said['scored'])}"
            yield f"{name}: not tuning costs {_signed(cost['difference'])} over {games} ({low} to {high})"
        yield from (f"{name}: {note}" for note in said["notes"])

    def canonical(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        return {"id": self.key, "stream": self.stream, "run": self.cell.label, "label": self.label, **self.said}


def _value(parameter: Mapping[str, Any], level: float) -> str:
    """Return the best value of a parameter with its interval, as people read it."""
    best = f"{parameter['name']} = {parameter['best']:.4g}"
    if parameter["interval"] is None:
        return best
    return f"{best} ({100 * level:g} %: {' to '.join(f'{end:.4g}' for end in parameter['interval'])})"


def _signed(value: float | None) -> str:
    return "-" if value is None or math.isnan(value) else f"{value:+.5f}".replace("-", "−")


def before(said: Mapping[str, Any]) -> str:
    """Return which games were tuned on, in words."""
    return "all games" if said["split"] is None else f"games before {said['split']}"


def affordable(experiment: Experiment, *, many: bool) -> None:
    """Refuse more settings than are meant, and a search that is not installed, before any game is read.

    Raises
    ------
    InputError : it is so; the cell is named.
    """
    for cell in experiment.cells:
        if cell.space is not None:
            try:
                check(cell.space.ranges, experiment.tune, many=many)
            except InputError as error:
                raise error.inside(f"{experiment.file}, {cell.label}") from None


def parted(experiment: Experiment, loaded: Sequence[Loaded], *, scored: bool = True) -> list[Loaded]:
    """Return streams that know from which day on they are scored, where anything is tuned.

    Parameters
    ----------
    scored : whether games have to be left to score.

    Raises
    ------
    InputError : a part of the games is empty, or they are on disk.
    """
    if not experiment.tunes:
        return list(loaded)
    if scored and experiment.tune.train == 1:
        expected = "less, or `ratesim tune`, which scores nothing after"
        raise InputError("train = 1 leaves no game to score", where=f"{experiment.file}, tune", expected=expected)
    return [replace(each, since=_since(experiment, each)) for each in loaded]


def settle(
    experiment: Experiment, loaded: Sequence[Loaded], store: Store, *, by: Workers, many: bool, watch: Watch
) -> list[Found]:
    """Tune all that has a range, over each stream; what the store has is not done again.

    Parameters
    ----------
    by : what plays settings side by side.
    many : whether more than 10,000 settings are meant.
    watch : is told how it goes, and what was found.

    Raises
    ------
    InputError : there are too many settings, optuna is not installed, or a system cannot rate a stream so.
    """
    found = []
    for each in loaded:
        for cell in experiment.cells:
            if cell.space is not None:
                found.append(_found(experiment, each, cell, store, by=by, many=many, watch=watch))
                watch.note(f"{each.source.name}: {cell.label} is tuned on {found[-1].on}")
    return found


def tune(experiment: Experiment, store: Store, *, by: Workers, many: bool = False, watch: Watch) -> dict[str, Any]:
    """Tune all that has a range, and nothing else; write `tuning.json` and figures, and return what it says.

    What was tuned before is found in the store; what settings lost is kept as it comes, for a tuning that goes on.

    Raises
    ------
    InputError : nothing has a range; as `settle`; the folder cannot be written or another run is writing to it.
    """
    if not experiment.tunes:
        expected = "a range of a system's or a policy's number, such as k = { low = 5, high = 80 }"
        raise InputError("nothing to tune", where=experiment.file, expected=expected)
    affordable(experiment, many=many)
    loaded = parted(experiment, load(experiment), scored=False)
    for each in loaded:
        for note in each.stream.notes:
            watch.note(f"{each.source.name}: {note}")
    plan(experiment, loaded)
    with store.held():
        found = settle(experiment, loaded, store, by=by, many=many, watch=watch)
        drawn = list(figures(found))
        write_figures([table for _, table in drawn], store.folder, by.workers or os.cpu_count() or 1)
        said = {
            "experiment": {"file": experiment.file, "title": experiment.header.title, "seed": experiment.header.seed},
            "versions": versions(),
            "tuning": [each.canonical() for each in found],
            "notes": list(sentences(found)),
            "figures": [{"name": table.name, "stream": stream} for stream, table in drawn],
        }
        write_json(store.folder / TUNING, said)
    return said


def sentences(found: Sequence[Found]) -> Iterator[str]:
    """Yield what tunings found, in words, and what the words mean."""
    for each in found:
        yield from each.sentences
    if found:
        yield EXPLAINED


def winners(found: Sequence[Found]) -> dict[tuple[str, str], Cell]:
    """Return the cells that take the place of those with ranges, by stream and label; no two have one label."""
    cells: dict[tuple[str, str], Cell] = {}
    seen: set[tuple[str, str]] = set()
    for each in found:
        winner = each.winner
        if (each.stream, winner.label) in seen:  # other ranges, with the same best values
            winner = replace(winner, label=f"{winner.label}, of {each.cell.label}")
        seen.add((each.stream, winner.label))
        cells[each.stream, each.cell.label] = winner
    return cells


def figures(found: Sequence[Found]) -> Iterator[tuple[str, FigureTable]]:
    """Yield the responses to parameters, each with the name of its stream."""
    names = [f"{each.stream} {each.cell.label}" for each in found]
    for each, ending in zip(found, endings(names), strict=True):
        table = response(
            each.settings,
            each.said["parameters"],
            metric=each.said["metric"],
            level=each.said["tune"]["level"],
            name="response" if len(found) == 1 else f"response-{ending}",
        )
        yield (
            each.stream,
            replace(table, caption=f"{each.stream}, {each.cell.label}, {before(each.said)}. {table.caption}"),
        )


def _found(
    experiment: Experiment, of: Loaded, cell: Cell, store: Store, *, by: Workers, many: bool, watch: Watch
) -> Found:
    key = _key(experiment, of, cell)
    kept = store.tuning(key)
    if kept is None:
        memory = Recalled(store, _sums_of(experiment, of, cell))
        store.keep_tuning(key, *_tuned(experiment, of, cell, memory, by=by, many=many, watch=watch))
        kept = store.tuning(key)
        assert kept is not None  # noqa: S101  # it has just been written
    return Found(key, of.source.name, cell, *kept)


def _tuned(
    experiment: Experiment, of: Loaded, cell: Cell, memory: Recalled, *, by: Workers, many: bool, watch: Watch
) -> tuple[dict[str, Any], pl.DataFrame]:
    metric = experiment.tune.build(f"{experiment.file}, tune")
    stream, space = _in_memory(of), cell.space
    assert space is not None  # noqa: S101  # only such cells are tuned
    sign, seed = 1 if metric.lower_is_better else -1, experiment.header.seed
    with sweeping(
        stream, metric, calendar=cell.calendar, start=of.start, by_pool=of.source.by_pool, executor=by.how,
        workers=by.workers, plugins=by.plugins, memory=memory, tried=watch.tried,
    ) as lost:  # fmt: skip
        try:
            found = tuned(
                space, stream, experiment.tune, sign=sign, seed=seed, many=many, sweep=lost,
                scored=experiment.score.sample, begin=partial(watch.tuning, f"tuning {cell.label}"),
            )  # fmt: skip
        except InputError as error:
            raise error.inside(f"{experiment.file}, {cell.label}") from None
    return {"metric": metric.title, **found.canonical()}, found.settings


def _key(experiment: Experiment, of: Loaded, cell: Cell) -> str:
    """Return the address of a tuning: the digest of all that it depends on."""
    assert cell.space is not None  # noqa: S101  # only such cells are tuned
    made_of = {
        **_sums_of(experiment, of, cell),
        "system": cell.system.canonical(),
        "policy": cell.policy.canonical() if cell.policy else None,
        "ranges": cell.space.canonical(),
        "tune": experiment.tune.canonical(),
        "scored": experiment.score.sample.canonical(),
        "seed": experiment.header.seed,
        "tuning": [sources_of(each) for each in ("tuning", "ranges", "inference", "sample")],
        "searched": searched_by(experiment.tune),
    }
    return address(made_of)


def _sums_of(experiment: Experiment, of: Loaded, cell: Cell) -> dict[str, Any]:
    """Return what the sums of losses of any setting depend on, but for the setting and the games that are judged."""
    metric = experiment.tune.build()
    return {
        "calendar": cell.calendar.canonical(),
        "metric": metric.canonical(),
        "sources": [sources(cell.system, cell.policy, cell.calendar, metric), sources_of("metrics")],
        "depends": dependencies(cell.system),
        **of.made_of,
    }


def _since(experiment: Experiment, of: Loaded) -> dt.date | None:
    how, stream = experiment.tune, _in_memory(of)
    try:
        found = parts(stream, train=how.train, folds=how.folds, burn_in=how.burn_in)
    except InputError as error:
        raise error.inside(f"{experiment.file}, tune, stream {of.source.name}") from None
    since = date_on(float(stream.time[found.split])) if found.tested else None
    try:
        experiment.score.after(since)
    except InputError as error:
        raise error.inside(f"{experiment.file}, score") from None
    return since


def _in_memory(of: Loaded) -> GameStream:
    if isinstance(of.stream, GameFile):
        expected = "forecasts left out or 'all' in [score]: tuning has all games in memory"
        raise InputError("games on disk are not tuned on", where=of.source.where, expected=expected)
    return of.stream
