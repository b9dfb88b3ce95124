"""Replicates that share one schedule: their games as one stream, with results by replicate."""

from dataclasses import replace
from typing import NamedTuple

from ..state import Floats
from ..stream import GameStream


class Shared(NamedTuple):
    """A schedule, and what came of its games in each replicate."""

    stream: GameStream  # of the first replicate
    scores: Floats  # (G, R) of first


def shared_by(stream: GameStream, replicates: int) -> Shared:
    """Return the one schedule of a simulated stream of replicates, game by game and replicate by replicate within."""
    players = stream.players.head(stream.n_players // replicates)
    one = replace(stream.take(slice(None, None, replicates)), players=players, paths=None)
    return Shared(one, stream.score.reshape(-1, replicates))
