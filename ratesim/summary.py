"""What an experiment found: `summary.json` and `metrics.parquet`."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from .analysis import counted, listed
from .errors import InputError
from .experiment import Experiment
from .inference import Mean, mean, month_blocks, paired
from .keys import Score
from .metrics import Metric
from .plan import Loaded, Planned
from .provenance import versions
from .sample import Strata, strata
from .store import Store, write_json, write_table

Floats = NDArray[np.float64]
METRICS_TABLE = "metrics.parquet"


@dataclass(frozen=True)
class Bench:
    """Where the runs over one stream are judged: on the same games, in the same blocks."""

    of: Loaded
    mask: NDArray[np.bool_]  # (G,)
    blocks: NDArray[np.int32]  # of the games judged
    weight: Floats | None  # of the games judged
    parts: Mapping[str, Strata]  # of all games

    @classmethod
    def over(cls, of: Loaded, score: Score) -> "Bench":
        """Prepare a stream.

        Raises
        ------
        InputError : no game of it is judged, or it has no column for the strata.
        """
        name = of.source.name
        mask = score.sample.mask(of.stream)
        if not mask.any():
            raise InputError(f"{_sampled(score)} no game of stream {name}", expected="a game")
        try:
            parts = {by: strata(of.stream, by) for by in score.strata}
        except InputError as error:
            raise error.inside(f"strata, stream {name}") from None
        weight = None if of.stream.weight is None else of.stream.weight[mask]
        return cls(of, mask, month_blocks(of.stream.time[mask]), weight, parts)

    def losses(self, metric: Metric, forecast: Floats) -> Floats:
        """Return the loss of each game judged, NaN without a forecast."""
        return metric.each(forecast[self.mask], self.of.stream.score[self.mask])


@dataclass(frozen=True)
class Judged:
    """A run with its means; losses per game are made when they are needed, for many runs do not fit in memory."""

    run: Planned
    bench: Bench
    means: Mapping[str, Mean]
    rows: Sequence[dict[str, Any]]  # of metrics.parquet


def benches(loaded: Sequence[Loaded], experiment: Experiment) -> dict[str, Bench]:
    """Return where the runs over each stream are judged, by the stream's name.

    Raises
    ------
    InputError : a stream has no game to judge, or no column for the strata.
    """
    try:
        return {of.source.name: Bench.over(of, experiment.score) for of in loaded}
    except InputError as error:
        raise error.inside(f"{experiment.file}, score") from None


def _sampled(score: Score) -> str:
    """Return what leaves games out, with its verb."""
    said = [f"{key} = {value}" for key in ("burn_in", "since", "until") if (value := getattr(score, key))]
    return f"{' and '.join(said) or 'weight 0'} {'leave' if len(said) > 1 else 'leaves'}"


def write(
    experiment: Experiment,
    judges: Mapping[str, Bench],
    runs: Sequence[Planned],
    figures: Sequence[tuple[str, str | None]],
    remarks: Sequence[str],
    store: Store,
) -> dict[str, Any]:
    """Judge every run, write what was found, and return the summary.

    Parameters
    ----------
    figures : those that were drawn, each with the stream whose games it shows.
    remarks : more that a reader should know.
    """
    metrics = experiment.score.build()
    judged = [_judge(run, judges[run.of.source.name], metrics, store) for run in runs]
    rows = [row for each in judged for row in each.rows]
    weighted = any(bench.weight is not None for bench in judges.values())
    kinds = dict.fromkeys(("n", "left_out"), pl.Float64) if weighted else {}
    write_table(store.folder / METRICS_TABLE, pl.DataFrame(rows, schema_overrides=kinds))
    standings = list(_standings(judged, metrics))
    streams = [_stream(bench) for bench in judges.values()]
    summary = {
        "experiment": _about(experiment),
        "versions": versions(),
        "stream": streams[0],
        "streams": streams,
        "runs": [_run(each, metrics, experiment.score, store) for each in judged],
        "standings": [
            {"stream": stream, "calendar": calendar, "runs": [each.run.id for each in group]}
            for (stream, calendar), group in standings
        ],
        "paired": [pair for _, group in standings for pair in _pairs(group, metrics, experiment, store)],
        "figures": [{"name": name, "stream": stream} for name, stream in figures],
        "strata": {"by": list(experiment.score.strata), "table": METRICS_TABLE} if experiment.score.strata else None,
        "notes": [*_notes(judged, metrics, experiment.score), *remarks],
    }
    write_json(store.folder / "summary.json", summary)
    return summary


def _judge(run: Planned, bench: Bench, metrics: Mapping[str, Metric], store: Store) -> Judged:
    forecast = store.forecast(run.id)
    losses = {name: bench.losses(metric, forecast) for name, metric in metrics.items()}
    means = {name: mean(each, bench.blocks, bench.weight) for name, each in losses.items()}
    return Judged(run, bench, means, list(_rows(run, bench, losses, means)))


def _about(experiment: Experiment) -> dict[str, Any]:
    return {
        "file": experiment.file,
        **{key: value for key, value in experiment.header.canonical().items() if key != "kind"},
        "score": experiment.score.canonical(),
        "figures": experiment.figures.canonical(),
    }


def _stream(bench: Bench) -> dict[str, Any]:
    stream = bench.of.stream
    first, last = (np.datetime64(int(np.floor(t)), "D") for t in stream.time[[0, -1]])
    return {
        "name": bench.of.source.name,
        "games": len(stream),
        "judged": int(bench.mask.sum()),
        "players": stream.n_players,
        "first": str(first),
        "last": str(last),
        "digest": stream.digest,
        "notes": list(stream.notes),
        "source": dict(stream.source),
        "world": None if bench.of.source.world is None else bench.of.source.world.canonical(),
    }


def _run(judged: Judged, metrics: Mapping[str, Metric], score: Score, store: Store) -> dict[str, Any]:
    run, cell = judged.run, judged.run.cell
    return {
        "id": run.id,
        "label": run.label,
        "stream": run.of.source.name,
        "system": cell.system.canonical(),
        "policy": cell.policy.canonical() if cell.policy else None,
        "calendar": cell.calendar.canonical(),
        "metrics": {name: each._asdict() for name, each in judged.means.items()},
        "rests_on": {
            "parameters": f"tuned on {cell.tuned_on}" if cell.tuned_on else "default",
            "calendar": cell.calendar.label,
            "clip": next(iter(_clips(metrics).values()), None),
            "block": score.block,
        },
        "diagnostics": store.record(run.id)["diagnostics"],
    }


def _rows(
    run: Planned, bench: Bench, losses: Mapping[str, Floats], means: Mapping[str, Mean]
) -> Iterator[dict[str, Any]]:
    """The means of a run, over all games and over each stratum."""
    names = {
        "run": run.id,
        "label": run.label,
        "stream": run.of.source.name,
        "system": run.cell.system.label,
        "calendar": run.cell.calendar.label,
    }
    for metric, each in losses.items():
        yield {**names, "metric": metric, "by": "all", "stratum": "all", **means[metric]._asdict()}
        for by, parts in bench.parts.items():
            code = parts.code[bench.mask]
            for number, stratum in enumerate(parts.names):
                here = code == number
                found = mean(each[here], bench.blocks[here], None if bench.weight is None else bench.weight[here])
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
    clips = [f"{name.replace('_', ' ')} is clipped at {clip:g}" for name, clip in _clips(metrics).items()]
    yield "; ".join([games, f"errors are made from blocks of one {score.block}", *clips])
    if score.strata:
        yield f"losses by {listed(score.strata)} are in {METRICS_TABLE} and in the report"
    if any(each.bench.weight is not None for each in judged):
        yield "games count by their weights: one of weight 2 is two games, one of weight 0 none"
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
        a, b = (each.bench.losses(metric, store.forecast(each.run.id)) for each in (below, above))
        bench = below.bench
        found = paired(a, b, bench.blocks, bench.weight, seed=seed, level=score.level, draws=score.draws)
        yield {"metric": name, "run": below.run.id, "against": above.run.id, **found._asdict()}
