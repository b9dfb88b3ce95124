"""Sessions over one block of replicates after another, set up once."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..calendars import Calendar
from ..replaying.openings import Variant
from ..replaying.session import Session
from ..state import Floats, State, copied
from ..stream import GameStream


class Ready(NamedTuple):
    """A session, the times that it was set up for, and the state that it began with."""

    session: Session
    time: Floats
    beginning: State


class Sessions:
    """Sessions of one thread, kept for blocks whose games are at the same times, of as many players."""

    def __init__(self) -> None:
        self._ready: dict[tuple[int, ...], Ready] = {}

    def over(
        self, number: int, variants: Sequence[Variant], stream: GameStream, calendar: Calendar, scores: Floats | None,
        *, by_pool: bool,
    ) -> Session:  # fmt: skip
        """Return a session that is to play a simulated stream; `number` tells it from others of the same block.

        It is the same that was returned for the block before, which is over.
        """
        if variants[0].system.alone:
            return Session(variants, stream, calendar, scores=scores, by_pool=by_pool)
        key = (number, len(variants), stream.n_players)
        ready = self._ready.get(key)
        if ready is None or not (ready.time is stream.time or np.array_equal(ready.time, stream.time)):
            fresh = Session(variants, stream, calendar, scores=scores, by_pool=by_pool)
            ready = self._ready[key] = Ready(fresh, stream.time, copied(fresh.state))
        ready.session.start_over(ready.beginning, stream, scores)
        return ready.session
