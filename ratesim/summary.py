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
from .comparing import Asked
from .experiment import Experiment
from .io.gamefile import GameFile
from .keys import Score
from .metrics import Metric
from .plan import Planned
from .provenance import versions
from .references import referred
from .replaying.guessed import guesses
from .store import Store, write_json, write_table
from .systems.base import Refit

METRICS_TABLE = "metrics.parquet"
MOST_COMPARED = 20  # runs of a standing that are held each against each
BASELINES = ("even", "first-rate")  # kinds of systems that know nothing of players
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
    metrics, score = experiment.score.build(), experiment.score
    asked = Asked(experiment.header.seed, score.level, score.draws)
    judges, references = referred(judges, runs, experiment.score, store)
    judged = [judges[run.of.source.name].judge(run, metrics, store) for run in runs]
    for bench in judges.values():
        bench.keep(store)
    rows = [row for each in judged for row in _rows(each)]
    weighted = any(bench.weighted for bench in judges.values())
    kinds = dict.fromkeys(("n", "left_out"), pl.Float64) if weighted else {}
    write_table(store.folder / METRICS_TABLE, pl.DataFrame(rows, schema_overrides=kinds))
    standings = list(_standings(judged, metrics))
    compared = [_compared(group, metrics, asked, store) for _, group in standings]
    streams = [_stream(judges[name], of, metrics) for name, of in _by_stream(judged).items()]
    summary = {
        "experiment": _about(experiment),
        "versions": versions(),
        "stream": streams[0],
        "streams": streams,
        "runs": [
            _run(each, metrics, experiment, store) | {"skill": list(_skills(each, judged, metrics, asked, store))}
            for each in judged
        ],
        "standings": [
            {
                "stream": stream,
                "calendar": calendar,
                "runs": [each.run.id for each in group],
                "in_hindsight": [each.run.id for each in group if _in_hindsight(each)],
            }
            for (stream, calendar), group in standings
        ],
        "comparison": [
            {"stream": stream, "calendar": calendar, **found}
            for ((stream, calendar), _), found in zip(standings, compared, strict=True)
            if found
        ],
        "paired": [
            pair
            for (_, group), found in zip(standings, compared, strict=True)
            for pair in _pairs(group, found, metrics, asked, store)
        ],
        "tuning": list(tuning),
        "figures": [{"name": name, "stream": stream} for name, stream in figures],
        "strata": {"by": list(experiment.score.strata), "table": METRICS_TABLE} if experiment.score.strata else None,
        "notes": [*_notes(judged, metrics, experiment.score, store), *references, *remarks],
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
        "lookup": bench.of.looked_up.key if bench.of.looked_up else None,
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
        "scores": judged.bench.scores(run, store),
        "truth": _truth(run, store, score.level),
        "rests_on": {
            "parameters": f"tuned on {cell.tuned_on}" if cell.tuned_on else "default",
            "calendar": cell.calendar.label,
            "clip": next(iter(_clips(metrics).values()), None),
            "block": judged.bench.block,
            "draws": _draws(judged, metrics, store),
        },
        "diagnostics": store.record(run.id)["diagnostics"],
    }


def _draws(judged: Judged, metrics: Mapping[str, Metric], store: Store) -> str | None:
    """Return by which model draws are forecast, the system's own or one fitted to it; None where nothing asks."""
    if not any(metric.three_way for metric in metrics.values()):
        return None
    return "fitted" if store.draw(judged.run.id) is None else "own"


def _skills(
    judged: Judged, every: Sequence[Judged], metrics: Mapping[str, Metric], asked: Asked, store: Store
) -> Iterator[dict[str, Any]]:
    """Yield how much of each baseline's loss a run takes away, by the metric that standings go by."""
    name, metric = next(iter(metrics.items()))
    run = judged.run
    for other in every if metric.lower_is_better else ():
        baseline = other.run
        if baseline.cell.system.kind not in BASELINES or baseline.of is not run.of or baseline.id == run.id:
            continue
        found = judged.bench.skill(run, baseline, metric, store, asked)
        if found is not None:
            yield {"metric": name, "baseline": baseline.id, **found._asdict()}


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
    """Runs that saw the same information (one stream, one calendar), the best mean of the first metric on top.

    Those in hindsight saw more than the others, so they come last.
    """
    name, metric = next(iter(metrics.items()))
    sign = 1 if metric.lower_is_better else -1
    groups: dict[tuple[str, str], list[Judged]] = {}
    for each in judged:
        groups.setdefault((each.run.of.source.name, each.run.cell.calendar.label), []).append(each)
    for saw, group in groups.items():
        means = {each.run.id: sign * each.means[name].mean for each in group}
        ranks = {run: (math.isnan(mean), mean) for run, mean in means.items()}
        yield saw, sorted(group, key=lambda each: (_in_hindsight(each), *ranks[each.run.id]))


def _clips(metrics: Mapping[str, Metric]) -> dict[str, float]:
    """Return the clip of each metric that has one."""
    return {name: metric.clip for name, metric in metrics.items() if hasattr(metric, "clip")}


def _notes(judged: Sequence[Judged], metrics: Mapping[str, Metric], score: Score, store: Store) -> Iterator[str]:
    """What the numbers rest on, in words."""
    sample = [f"both players with {counted(score.burn_in, 'game')} or more before"] if score.burn_in else []
    sample += [f"{word} {day}" for word, day in (("since", score.since), ("until", score.until)) if day]
    games = f"games judged: {', '.join(sample)}" if sample else "all games are judged"
    tuned = {each.run.of.source.name: each.run.of.since for each in judged if each.run.of.since}
    games += ", but for those that are tuned on" if tuned else ""
    clips = [f"{name.replace('_', ' ')} is clipped at {clip:g}" for name, clip in _clips(metrics).items()]
    blocks = listed(list(dict.fromkeys(f"one {each.bench.block}" for each in judged)))
    yield "; ".join([games, f"errors are made from blocks of {blocks}", *clips])
    drawn = [_draws(each, metrics, store) for each in judged]
    if "fitted" in drawn:
        whose = "for each run" if "own" not in drawn else "for each run without a model of its own"
        yield f"chances of draws: Davidson's model, {whose} fitted to its forecasts of all games of earlier months"
    if "own" in drawn:
        own = listed([each.run.label for each, model in zip(judged, drawn, strict=True) if model == "own"])
        yield f"chances of draws by the system's own model: {own}"
    if hindsight := [each.run.label for each in judged if _in_hindsight(each)]:
        said = "in hindsight, by a fit to the very games that are judged, which is no forecast and is not ranked"
        yield f"{said}: {listed(hindsight)}"
    yield from (f"{name}: judged from {since} on, games before it are tuned on" for name, since in tuned.items())
    if score.strata:
        yield f"losses by {listed(score.strata)} are in {METRICS_TABLE} and in the report"
    if any(each.bench.weighted for each in judged):
        yield "games count by their weights: one of weight 2 is two games, one of weight 0 none"
    yield from dict.fromkeys(remark for each in judged for remark in each.bench.remarks(each))
    yield from dict.fromkeys(line for each in judged for line in _guesses(each.run))
    if len({each.run.cell.calendar for each in judged}) > 1:
        yield "systems under different calendars saw different information: compare within a table, not across"
    if len(judged) < 2:
        return
    if not any(each.run.cell.tuned_on for each in judged):
        yield "no system was tuned: they are listed by what they scored as they stand, and might do better"
    elif not all(each.run.cell.tuned_on for each in judged):
        yield "untuned systems are listed as they stand; they might do better"


def _in_hindsight(judged: Judged) -> bool:
    """Whether a system is fitted to the games that it is asked about."""
    system = judged.run.cell.system
    return isinstance(system, Refit) and system.hindsight


def _forecasting(group: Sequence[Judged]) -> list[Judged]:
    """Return the runs of a standing that may be ranked."""
    return [each for each in group if not _in_hindsight(each)]


def _guesses(run: Planned) -> list[str]:
    """Return what K goes by and is not known of those who begin with a rating."""
    of, (system, policy) = run.of, (run.cell.system, run.cell.policy)
    if of.start is None:
        return []
    begins = of.stream.begins if isinstance(of.stream, GameFile) else float(of.stream.time[0])
    return [f"{of.source.name}: {line}" for line in guesses(system, policy, of.start, of.stream, begins)]


def _compared(group: Sequence[Judged], metrics: Mapping[str, Metric], asked: Asked, store: Store) -> dict[str, Any]:
    """Hold the runs of a standing against each other, the best of many; nothing where there is one or none can be."""
    name, metric = next(iter(metrics.items()))
    top = [each.run for each in _forecasting(group)[:MOST_COMPARED]]
    found = group[0].bench.compare(top, metric, store, asked) if len(top) > 1 else None
    if found is None:
        return {}
    table, pairs = (each.rename({"system": "run"}).to_dicts() for each in (found.table, found.pairs))
    return {"metric": name, "level": found.level, "table": table, "pairs": pairs}


def _pairs(
    group: Sequence[Judged], compared: Mapping[str, Any], metrics: Mapping[str, Metric], asked: Asked, store: Store
) -> Iterator[dict[str, Any]]:
    """Each run against the one above it in the standings, on the games that both forecast."""
    name, metric = next(iter(metrics.items()))
    known = {frozenset((pair["run"], pair["against"])): pair for pair in compared.get("pairs", ())}
    for above, below in pairwise(_forecasting(group)):
        run, against = below.run.id, above.run.id
        if pair := known.get(frozenset((run, against))):
            yield {"metric": name, **_below(pair, run), "level": asked.level}
        elif found := below.bench.pair(below.run, above.run, metric, store, asked):
            yield {"metric": name, "run": run, "against": against, **found._asdict()}


def _below(pair: Mapping[str, Any], run: str) -> dict[str, Any]:
    """Return a pair as the difference of this run less the other: over other games than its own it may stand above."""
    kept = {key: pair[key] for key in ("run", "against", "difference", "se", "low", "high", "n", "left_out", "blocks")}
    if pair["run"] == run:
        return kept
    turned = {"difference": -pair["difference"], "low": -pair["high"], "high": -pair["low"]}
    return {**kept, "run": run, "against": pair["run"], **turned}
