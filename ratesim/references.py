"""Strata that go by what one run made of the games: which run that is, and what it believed before each of them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import polars as pl

from .analysis import listed
from .benches import ForecastJudge, Judge
from .experiment import NEEDED
from .keys import Score
from .plan import Planned
from .replay import replay
from .replaying.before import beliefs_before, columns_of
from .sample import SEEN, Seen, strata
from .store import Store
from .stream import GameStream


def referred(
    judges: Mapping[str, Judge], runs: Sequence[Planned], score: Score, store: Store
) -> tuple[dict[str, Judge], list[str]]:
    """Return the judges with strata by what one run over each stream made of its games, and which run, in words.

    What it believed before each game takes a replay, which is kept with the run.
    """
    wanted = [by for by in score.strata if by in SEEN]
    found, told = dict(judges), []
    for name, judge in judges.items() if wanted else ():
        run = _reference([run for run in runs if run.of.source.name == name], wanted, score.reference)
        if run is None or not isinstance(judge, ForecastJudge):
            continue
        seen = _seen(run, judge.stream, wanted, store)
        own = {by: strata(judge.stream, by, seen=seen) for by in wanted}
        found[name] = replace(judge, strata={by: own.get(by) or judge.strata[by] for by in score.strata})
        told.append(f"{name}: strata by {listed(wanted)} go by {run.label}")
    return found, told


def _reference(runs: Sequence[Planned], wanted: Sequence[str], label: str) -> Planned | None:
    """Return the run of this label, or the first that has what is needed."""
    needed = {NEEDED[by] for by in wanted}
    fit = (run for run in runs if needed <= columns_of(run.cell.system))
    named = (run for run in runs if label in {run.cell.asked, run.cell.label})
    return next(named if label else fit, None)


def _seen(run: Planned, stream: GameStream, wanted: Sequence[str], store: Store) -> Seen:
    """Return what a run made of the games; beliefs where strata go by them."""
    forecast = store.forecast(run.id)
    if not {"rating", "deviation"}.intersection(wanted):
        return Seen(forecast)
    kept = store.beliefs(run.id)
    if kept is None:
        kept = _beliefs(run, stream)
        store.keep_beliefs(run.id, kept)
    return Seen(forecast, **{name: kept[name].to_numpy().reshape(2, -1) for name in kept.columns})


def _beliefs(run: Planned, stream: GameStream) -> pl.DataFrame:
    """Return what a run believed of first in each game, then of second, (2 G) rows: rating, and deviation if it can."""
    cell, of = run.cell, run.of
    played = replay(
        cell.system, stream, policy=cell.policy, calendar=cell.calendar, start=of.start, by_pool=of.source.by_pool
    )
    found = beliefs_before(played)
    return pl.DataFrame({name: found[name].ravel() for name in ("rating", "deviation") if name in found})
