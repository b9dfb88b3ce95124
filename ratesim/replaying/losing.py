"""Losses summed in the pass over games itself, lane by lane, and what lanes have of their own."""

from typing import NamedTuple

import numpy as np

from ..jit import Function
from ..state import DAY, SPAN, Floats, Ints, State, fixed


class Losing(NamedTuple):
    """What a forecast costs, and where it is added."""

    loss: Function  # kernel (forecast, score) -> loss
    bucket: Ints  # (G,) 0..buckets-1, -1 where a game is not judged
    buckets: int


class Weights(NamedTuple):
    """What games count in each lane: whole blocks of them so many times."""

    block: Ints  # (G,) 0..B-1
    times: Floats  # (B, L)

    def of(self, games: slice, own: Floats) -> Floats:
        """Return the weights of some games (G, L), each times its own (G, 1) or (1, 1)."""
        return fixed(self.times[self.block[games]] * own)


def apart(state: State) -> State:
    """Return a state in which each lane has debuts and last spans of its own, in a column more of each row."""
    spans = np.where(np.isnan(state.marks[:, DAY]), np.nan, state.marks[:, SPAN])
    own = np.repeat(spans[:, None, None], state.rows.shape[2], axis=2)
    state.marks[:, SPAN] *= 0.0  # what all lanes have in common has none
    return state._replace(rows=np.concatenate([state.rows, own], axis=1))


def by_lane(values: Floats | None, games: int, lanes: int, name: str) -> Floats | None:
    """Return what each lane has of its own, an array (G, L); None where all have that of the stream."""
    if values is not None and values.shape != (games, lanes):
        raise ValueError(f"{name} {values.shape}; expected {(games, lanes)}")
    return values
