"""Losses summed in the pass over games itself, lane by lane, and what lanes have of their own."""

from typing import NamedTuple

from ..jit import Function
from ..state import Floats, Ints


class Losing(NamedTuple):
    """What a forecast costs, and where it is added."""

    loss: Function  # kernel (forecast, score) -> loss
    bucket: Ints  # (G,) 0..buckets-1, -1 where a game is not judged
    buckets: int


def by_lane(values: Floats | None, games: int, lanes: int, name: str) -> Floats | None:
    """Return what each lane has of its own, an array (G, L); None where all have that of the stream."""
    if values is not None and values.shape != (games, lanes):
        raise ValueError(f"{name} {values.shape}; expected {(games, lanes)}")
    return values
