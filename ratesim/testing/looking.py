"""The law of what kernels look at."""

import itertools

import numpy as np

from ..jit import plain
from ..records import Game
from ..systems.base import Rater, System
from .laws import law
from .trial import Trial, league, same_bits, starts, stream


def selective(system: Rater) -> bool:
    """Systems whose kernels say which fields of a belief they look at."""
    return isinstance(system, System) and system.kernels().seen is not None


@law("seen", selective)
def seen(trial: Trial) -> None:
    """`predict` and `evidence` look at no field of a belief beyond those that `Kernels.seen` counts."""
    system, games = trial.system, stream(league())
    if not isinstance(system, System):
        raise TypeError(f"{trial} has no kernels")
    kernels = system.kernels()
    fields = len(kernels.Belief._fields)  # type: ignore[attr-defined]  # a NamedTuple
    session = trial.replay(games, start=starts(system)).session
    beliefs = [] if session is None else session.finished().rows[:, :fields, 0].tolist()
    p = kernels.Params(*system.params())
    for mine, theirs in itertools.pairwise(beliefs):
        said = []
        for unseen in (lambda x: x, lambda _: float("nan")):
            me, foe = (
                kernels.Belief(*belief[: kernels.seen], *map(unseen, belief[kernels.seen :]))
                for belief in (mine, theirs)
            )
            game = Game(0.5, 1.0, 0.0, float("nan"))
            e = float(plain(kernels.predict)(p, me, foe, game))
            said.append(np.array([e, *plain(kernels.evidence)(p, me, foe, game, e)], dtype=np.float64))
        same_bits(said[1], said[0], f"a field after the first {kernels.seen} is looked at")
