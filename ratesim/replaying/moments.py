"""What a session believes at moments on its way."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from ..state import Floats
from .rows import add_games
from .session import Session


class Moment(NamedTuple):
    """A moment of a replay: it sees the periods that have closed by then."""

    day: float  # since 1970-01-01
    forecast: Floats  # (g, L) of the games since the moment before
    rows: Floats  # (R, fields and more, L) of the state, aged to the day
    games: Floats  # (R,) that counted


def moments(session: Session, days: Sequence[float] | Floats) -> Iterator[Moment]:
    """Play a session that has not begun, and yield what it believes on rising days."""
    schedule = session.schedule
    games = session.brought.copy()
    for day in np.unique(np.asarray(days, dtype=np.float64)):
        period = schedule.base + int(np.searchsorted(schedule.closes, day, side="right"))
        begin = session.played
        upto = max(int(np.searchsorted(schedule.at, period)), begin)
        forecast = session.advance(upto)
        session.close(period)
        add_games(games, session.stream, session.rows, upto, begin)
        yield Moment(float(day), forecast, session.aged(float(day)).rows, games.copy())
