"""The order in which a calendar plays the games of a stream, and back."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..calendars import Calendar
from ..stream import GameStream

Order = NDArray[np.int64]


class Arranged(NamedTuple):
    """A stream in the order in which a calendar plays it, and that order; None where it is its own."""

    stream: GameStream
    order: Order | None


def arranged(stream: GameStream, calendar: Calendar) -> Arranged:
    """Return a stream in the order of its periods."""
    order = calendar.order(stream)
    return Arranged(stream if order is None else stream.in_order(order), order)


def restored(played: NDArray[Any], order: Order | None) -> NDArray[Any]:
    """Return values (G,) of games in the order of the stream, from those in the order of play."""
    if order is None:
        return np.ascontiguousarray(played)
    values = np.empty_like(played)
    values[order] = played
    return values
