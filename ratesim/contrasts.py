"""The figures of an experiment that hold two runs over a stream against each other: which two, and their tables."""

import math
from collections.abc import Iterator, Sequence
from functools import partial

import polars as pl

from .analysis import EmptyFigureError, FigureTable, counted, reasons
from .benches import Judge
from .experiment import Experiment
from .keys import Score
from .plan import Planned
from .replay import replay
from .replaying.paths import paths
from .replaying.run import Run
from .store import Store
from .stream import GameStream
from .systems.base import System


def leading(runs: Sequence[Planned], bench: Judge, score: Score, store: Store) -> list[Planned]:
    """Return the first two of a standing that keep ratings, fewer where there are: by the first metric.

    Parameters
    ----------
    runs : over the stream of the bench; the standing is of those under the calendar of the first that keeps ratings.
    """
    rated = [run for run in runs if isinstance(run.cell.system, System)]
    alike = [run for run in rated if run.cell.calendar == rated[0].cell.calendar]
    name, metric = next(iter(score.build().items()))
    sign = 1 if metric.lower_is_better else -1
    lost = {run.id: sign * bench.judge(run, {name: metric}, store).means[name].mean for run in alike}
    return sorted(alike, key=lambda run: (math.isnan(lost[run.id]), lost[run.id]))[:2]


def contrasts(
    experiment: Experiment, bench: Judge, runs: Sequence[Planned], named: Sequence[Planned] | None, store: Store
) -> Iterator["partial[FigureTable]"]:
    """Yield what makes each table that is asked for, once it is given its name.

    Parameters
    ----------
    runs : all over the stream of the bench. named : the two that the file names, None where it names none.
    """
    figures = experiment.figures
    if not (figures.parting or figures.scales or figures.ranks):
        return
    pair = leading(runs, bench, experiment.score, store) if named is None else named
    ratings = {run.cell.label: store.ratings(run.id) for run in pair}
    if figures.parting:
        yield partial(parting, pair, most=figures.parting)
    if figures.scales:
        yield partial(reasons.scales, ratings)
    if figures.ranks:
        yield partial(reasons.ranks, ratings, most=figures.ranks)


def parting(pair: Sequence[Planned], *, most: int, name: str) -> FigureTable:
    """Play two runs again, and return what parted them about the players drawn.

    Raises
    ------
    InputError : as in `reasons.parting`; there are not two, their games are on disk, or no player is rated by both.
    """
    if len(pair) != 2:
        raise EmptyFigureError(f"{counted(len(pair), 'run')} with ratings", where=f"figure {name}", expected="two")
    one, other = (_played(run, name) for run in pair)
    own, theirs = one.ratings(), other.ratings()
    scale = reasons.scale_map(own, theirs)
    both = reasons.rated_by_both(own, theirs, 1)["player"].implode()
    drawn = pl.Series(pair[0].of.drawn.players or (), dtype=pl.String)
    players = drawn.filter(drawn.is_in(both)).to_list()
    if not players:
        raise EmptyFigureError("no player drawn is rated by both", where=f"figure {name}", expected="one who is")
    sides = [paths(run, players).partition_by("player", as_dict=True) for run in (one, other)]
    parted = {player: reasons.parted(sides[0][player,], sides[1][player,], one, other, scale) for player in players}
    labels = pair[0].cell.label, pair[1].cell.label
    return reasons.parting(parted, labels, scale, most=most, days=pair[0].of.simulated, name=name)


def _played(run: Planned, name: str) -> Run:
    """Play a run again.

    Raises
    ------
    InputError : it keeps no ratings, or keeps them by pool, or its games are on disk.
    """
    of, cell = run.of, run.cell
    if not isinstance(cell.system, System):
        raise EmptyFigureError("a system keeps no ratings", where=f"figure {name}", expected="two that do")
    if not isinstance(of.stream, GameStream):
        raise EmptyFigureError("games are on disk", where=f"figure {name}", expected="games in memory")
    if of.source.by_pool:
        raise EmptyFigureError("ratings are kept by pool", where=f"figure {name}", expected="one rating a player")
    return replay(cell.system, of.stream, policy=cell.policy, calendar=cell.calendar, start=of.start)
