"""Replicates that share one schedule: their games as one stream, with results by replicate."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ..state import Floats
from ..stream import GameStream


class Shared(NamedTuple):
    """A schedule, and what came of its games in each replicate."""

    stream: GameStream  # of the first replicate
    scores: Floats  # (G, R) of first


def shared_by(stream: GameStream, replicates: int) -> Shared | None:
    """Return the one schedule of a simulated stream of replicates, game by game and replicate by replicate within.

    None where they have no such schedule: foul play may change who meets whom.
    """
    players, each = stream.n_players // replicates, slice(None, None, replicates)
    for side in (stream.first, stream.second):
        if len(side) % replicates:
            return None
        own = side.reshape(-1, replicates) - np.arange(replicates, dtype=np.int32) * np.int32(players)
        if (own != own[:, :1]).any():
            return None
    if (stream.time.reshape(-1, replicates) != stream.time[each, None]).any():
        return None
    one = replace(stream.take(each), players=stream.players.head(players), paths=None)
    return Shared(one, stream.score.reshape(-1, replicates))
