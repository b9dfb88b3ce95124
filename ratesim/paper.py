"""What theory says of the runs of an experiment, where a law covers them."""

import math
from collections.abc import Sequence

import polars as pl

from .analysis.truth.convergence import expected_convergence
from .curves import Q
from .plan import Planned
from .policies import Constant
from .stream import GameStream
from .worlds.league import League

MOST = 0.3 / Q  # K, rating points: T8 lacks 8 % of the variance there, and more beyond


def on_paper(runs: Sequence[Planned]) -> dict[str, pl.DataFrame]:
    """Return the error of ratings over games played that theory expects, by label of the runs that it covers.

    These are Elo with the logistic curve, one K of at most 52 and a list after every game, newcomers with one rating,
    over a world of skills that stand still, pairs drawn at random of all who there are, and results as the curve has
    them.
    """
    found = {}
    for run in runs:
        cell, stream = run.cell, run.of.stream
        plain = cell.system.kind == "elo" and not cell.system.changed.keys() - {"start"} and run.of.start is None
        singly = plain and cell.calendar.kind == "per-game"
        k = cell.policy.k if isinstance(cell.policy, Constant) else math.inf
        if singly and k <= MOST and isinstance(stream, GameStream) and _at_random(run):
            found[run.cell.label] = expected_convergence(stream, k)
    return found


def _at_random(run: Planned) -> bool:
    """Whether skills stand still, all play alike with anybody, and the expected score is that of the skills."""
    world = run.of.source.world
    if not isinstance(world, League) or world.pairing.kind != "uniform" or world.outcomes.kind != "logistic":
        return False
    if world.changes or world.activity or world.stress or world.pools is not None:
        return False
    return not world.outcomes.changed.keys() - {"draw", "draw_growth"}
