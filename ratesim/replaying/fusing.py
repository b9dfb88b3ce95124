"""Which games the engine can play one by one, with the same bits, although they share their periods with others."""

from functools import cache

import numpy as np

from ..calendars import Calendar, Schedule
from ..jit import Function, specialise
from ..state import Ints
from ..systems.base import System
from .rows import Rows


def fusible(system: System, calendar: Calendar, schedule: Schedule, rows: Rows) -> bool:
    """Return whether all games of a stream can be played one by one.

    So it is where each is a period of its own, and where periods have no length and nobody stands in one twice: no
    game then looks at what another of its period has changed.
    """
    if schedule.singly:
        return True
    if calendar.lasting or calendar.depth > 1 or system.alone:
        return False
    seen = np.full(len(rows.player), schedule.base - 1, np.int32)
    return bool(_check()(rows.first, rows.second, schedule.at, seen))


@cache
def _check() -> Function:
    return specialise(once_each, "who plays when")


def once_each(first: Ints, second: Ints, at: Ints, seen: Ints) -> bool:
    """Return whether no row (R,) is in two games (G,) of one period; the last period of each is written to `seen`."""
    for g in range(first.size):
        for i in (first[g], second[g]):
            if seen[i] == at[g]:
                return False
            seen[i] = at[g]
    return True
