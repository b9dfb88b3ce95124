"""What an experiment found: `summary.json` and `metrics.parquet`."""

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

import polars as pl

from .analysis import counted, listed
from .analysis.truth import KEYS, averaged
from .benches import Judge, Judged
from .calendars import date_of
from .experiment import Experiment
from .io.gamefile import GameFile
from .keys import Score
from .metrics import Metric
from .plan import Planned
from .provenance import versions
from .store import Store, write_json, write_table

METRICS_TABLE = "metrics.parquet"
AT_THE_END = ("errors", "settling", "lag", "jitter", "ledger", "ranks")  # tables with few rows of the last day


def write(
    experiment: Experiment,
    judges: Mapping[str, Judge],
    runs: Sequence[Planned],
    figures: Sequence[tuple[str, str | None]],
    remarks: Sequence[str],
    store: Store,
    tuning: Sequence[Mapping[str, Any]] = (),
) -> dict[str, Any]:
    """Judge every run, write what was found, and return the summary.

    Parameters
    ----------
    figures : those that were drawn, each with the stream whose games it shows.
    remarks : more that a reader should know.
    tuning : what was found for the parameters that had ranges.
    """
    metrics = experiment.score.build()
    judged = [judges[run.of.source.name].judge(run, metrics, store) for run in runs]
    rows = [row for each in judged for row in _rows(each)]
    weighted = any(bench.weighted for bench in judges.values())
    kinds = dict.fromkeys(("n", "left_out"), pl.Float64) if weighted else {}
    write_table(store.folder / METRICS_TABLE, pl.DataFrame(rows, schema_overrides=kinds))
    standings = list(_standings(judged, metrics))
    streams = [_stream(judges[name], of, metrics) for name, of in _by_stream(judged).items()]
    summary = {
        "experiment": _about(experiment),
        "versions": versions(),
        "stream": streams[0],
        "streams": streams,
        "runs": [_run(each, metrics, experiment, store) for each in judged],
        "standings": [
            {"stream": stream, "calendar": calendar, "runs": [each.run.id for each in group]}
            for (stream, calendar), group in standings
        ],
        "paired": [pair for _, group in standings for pair in _pairs(group, metrics, experiment, store)],
        "tuning": list(tuning),
        "figures": [{"name": name, "stream": stream} for name, stream in figures],
        "strata": {"by": list(experiment.score.strata), "table": METRICS_TABLE} if experiment.score.strata else None,
        "notes": [*_notes(judged, metrics, experiment.score), *remarks],
    }
    write_json(store.folder / "summary.json", summary)
    return summary


def _by_stream(judged: Sequence[Judged]) -> dict[str, list[Judged]]:
    """Return the runs by the name of their stream."""
    found: dict[str, list[Judged]] = {}
    for each in judged:
        found.setdefault(each.run.of.source.name, []).append(each)
    return found


def _about(experiment: Experiment) -> dict[str, Any]:
    return {
        "file": experiment.file,
        **{key: value for key, value in experiment.header.canonical().items() if key != "kind"},
        "score": experiment.score.canonical(),
        "figures": experiment.figures.canonical(),
    }


def _stream(bench: Judge, judged: Sequence[Judged], metrics: Mapping[str, Metric]) -> dict[str, Any]:
    stream = bench.of.stream
    ends = (stream.begins, stream.ends) if isinstance(stream, GameFile) else stream.time[[0, -1]].tolist()
    first, last = map(date_of, ends)
    return {
        "name": bench.of.source.name,
        "games": len(stream),
        "judged": bench.count(judged),
        "players": stream.n_players,
        "first": first,
        "last": last,
        "digest": stream.digest,
        "notes": list(stream.notes),
        "source": dict(stream.source),
        "world": None if bench.of.source.world is None else bench.of.source.world.canonical(),
        "replicates": bench.of.replicates,
        "oracle": {name: found._asdict() for name, found in bench.oracle(metrics).items()},
    }


def _run(judged: Judged, metrics: Mapping[str, Metric], experiment: Experiment, store: Store) -> dict[str, Any]:
    run, cell, score, seed = judged.run, judged.run.cell, experiment.score, experiment.header.seed
    excess = judged.bench.excess(run, metrics, store, seed=seed, level=score.level, draws=score.draws)
    return {
        "id": run.id,
        "label": run.label,
        "stream": run.of.source.name,
        "system": cell.system.canonical(),
        "policy": cell.policy.canonical() if cell.policy else None,
        "calendar": cell.calendar.canonical(),
        "metrics": {name: each._asdict() for name, each in judged.means.items()},
        "excess": {name: each._asdict() for name, each in excess.items()},
        "truth": _truth(run, store, score.level),
        "rests_on": {
            "parameters": f"tuned on {cell.tuned_on}" if cell.tuned_on else "default",
            "calendar": cell.calendar.label,
            "clip": next(iter(_clips(metrics).values()), None),
            "block": judged.bench.block,
        },
        "diagnostics": store.record(run.id)["diagnostics"],
    }


def _truth(run: Planned, store: Store, level: float) -> dict[str, Any]:
    """Return how ratings stand to skills in the end: averages over replicates, each x with x_low and x_high."""
    if run.of.truth is None:
        return {}
    tables = {name: table for name, table in store.truth(run.id, run.of.truth).items() if table.height}
    ends = {name: _end(tables[name], KEYS[name]) for name in AT_THE_END if name in tables}
    return {name: averaged(name, end, level).to_dicts() for name, end in ends.items()}


def _end(table: pl.DataFrame, keys: Sequence[str]) -> pl.DataFrame:
    return table.filter(pl.col("day") == pl.col("day").max()) if "day" in keys else table


def _rows(judged: Judged) -> Iterator[dict[str, Any]]:
    """The means of a run, over all games and over each stratum."""
    run = judged.run
    names = {
        "run": run.id,
        "label": run.label,
        "stream": run.of.source.name,
        "system": run.cell.system.label,
        "calendar": run.cell.calendar.label,
    }
    for metric, by, stratum, found in judged.parts:
        yield {**names, "metric": metric, "by": by, "stratum": stratum, **found._asdict()}


def _standings(
    judged: Sequence[Judged], metrics: Mapping[str, Metric]
) -> Iterator[tuple[tuple[str, str], list[Judged]]]:
    """Runs that saw the same information (one stream, one calendar), the best mean of the first metric on top."""
    name, metric = next(iter(metrics.items()))
    sign = 1 if metric.lower_is_better else -1
    groups: dict[tuple[str, str], list[Judged]] = {}
    for each in judged:
        groups.setdefault((each.run.of.source.name, each.run.cell.calendar.label), []).append(each)
    for saw, group in groups.items():
        means = {each.run.id: sign * each.means[name].mean for each in group}
        yield saw, sorted(group, key=lambda each: (math.isnan(means[each.run.id]), means[each.run.id]))


def _clips(metrics: Mapping[str, Metric]) -> dict[str, float]:
    """Return the clip of each metric that has one."""
    return {name: metric.clip for name, metric in metrics.items() if hasattr(metric, "clip")}


def _notes(judged: Sequence[Judged], metrics: Mapping[str, Metric], score: Score) -> Iterator[str]:
    """What the numbers rest on, in words."""
    sample = [f"both players with {counted(score.burn_in, 'game')} or more before"] if score.burn_in else []
    sample += [f"{word} {day}" for word, day in (("since", score.since), ("until", score.until)) if day]
    games = f"games judged: {', '.join(sample)}" if sample else "all games are judged"
    tuned = {each.run.of.source.name: each.run.of.since for each in judged if each.run.of.since}
    games += ", but for those that are tuned on" if tuned else ""
    clips = [f"{name.replace('_', ' ')} is clipped at {clip:g}" for name, clip in _clips(metrics).items()]
    blocks = listed(list(dict.fromkeys(f"one {each.bench.block}" for each in judged)))
    yield "; ".join([games, f"errors are made from blocks of {blocks}", *clips])
    yield from (f"{name}: judged from {since} on, games before it are tuned on" for name, since in tuned.items())
    if score.strata:
        yield f"losses by {listed(score.strata)} are in {METRICS_TABLE} and in the report"
    if any(each.bench.weighted for each in judged):
        yield "games count by their weights: one of weight 2 is two games, one of weight 0 none"
    yield from dict.fromkeys(remark for each in judged for remark in each.bench.remarks(each))
    if len({each.run.cell.calendar for each in judged}) > 1:
        yield "systems under different calendars saw different information: compare within a table, not across"
    if not any(each.run.cell.tuned_on for each in judged):
        yield "no system was tuned: they are listed by what they scored as they stand, and none is called best"
    elif not all(each.run.cell.tuned_on for each in judged):
        yield "untuned systems are listed as they stand; they might do better"


def _pairs(
    group: Sequence[Judged], metrics: Mapping[str, Metric], experiment: Experiment, store: Store
) -> Iterator[dict[str, Any]]:
    """Each run against the one above it in the standings, on the games that both forecast."""
    name, metric = next(iter(metrics.items()))
    score, seed = experiment.score, experiment.header.seed
    for above, below in pairwise(group):
        found = below.bench.pair(below.run, above.run, metric, store, seed=seed, level=score.level, draws=score.draws)
        if found is not None:
            yield {"metric": name, "run": below.run.id, "against": above.run.id, **found._asdict()}
