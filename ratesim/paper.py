"""What theory says of the runs of an experiment, where a law covers them."""

import math
from collections.abc import Sequence

import numpy as np
import polars as pl

from .analysis.policies import Drifting
from .analysis.truth.convergence import expected_convergence
from .curves import Q
from .plan import Loaded, Planned
from .policies import Constant
from .stream import GameStream
from .worlds.changes import Improve, Walk
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


def drifting(of: Loaded) -> Drifting | None:
    """Return how skills change from game to game, for T6 and T11; None of a world which they do not cover.

    They are held to cover worlds where all play alike, results are as the logistic curve has them, and the one change
    is a random walk of all skills, or a steady improvement of some. Opponents, whom the laws take to be known and
    equal, are so on average: p (1 - p) is its mean over games.
    """
    world, stream = of.source.world, of.stream
    if not isinstance(world, League) or not isinstance(stream, GameStream) or stream.truth is None:
        return None
    if len(world.changes) != 1 or world.activity or world.stress or world.pools or world.outcomes.kind != "logistic":
        return None
    change, between = world.changes[0], world.days * world.players / (2.0 * world.most)  # days from game to game
    h = float(np.mean(stream.truth * (1.0 - stream.truth)))
    draw = float(np.mean(stream.score == 0.5))  # a draw
    equal = {"expected": (1.0 + math.sqrt(1.0 - 4.0 * h)) / 2.0, "draw": draw}
    if isinstance(change, Walk):
        return Drifting("walk", change.sd * math.sqrt(between / change.per), **equal)
    if isinstance(change, Improve) and change.share < 1.0:
        return Drifting("improvement", abs(change.points) * between / change.per, **equal)
    return None


def at_rest(of: Loaded, others: Sequence[Loaded]) -> Loaded | None:
    """Return the one of other streams whose world is the same but for changes of skill, of which it has none."""

    def still(each: Loaded) -> object:
        return None if each.source.world is None else {**each.source.world.canonical(), "changes": None}

    alike = (each for each in others if each is not of and still(each) == still(of) is not None)
    return next((each for each in alike if not getattr(each.source.world, "changes", ())), None)


def _at_random(run: Planned) -> bool:
    """Whether skills stand still, all play alike with anybody, and the expected score is that of the skills."""
    world = run.of.source.world
    if not isinstance(world, League) or world.pairing.kind != "uniform" or world.outcomes.kind != "logistic":
        return False
    if world.changes or world.activity or world.stress or world.pools is not None:
        return False
    return not world.outcomes.changed.keys() - {"draw", "draw_growth"}
