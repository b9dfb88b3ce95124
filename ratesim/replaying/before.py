"""What a replay believed of both players before each game, as its forecast was made."""

from collections.abc import Iterator

import numpy as np

from ..state import Floats
from ..systems.base import Rater, Start, System
from .order import restored
from .overrides import periods_of, put
from .run import Run
from .session import Session


def beliefs_before(run: Run) -> dict[str, Floats]:
    """Return what was believed of both players as each game was judged, by column: the rating first.

    The run is played again for it, step by step: a step is a rating period, or games of one moment in which nobody
    plays twice where each is a period by itself. So it takes as long as there are moments with games.

    Returns
    -------
    By name of the column, as `Run.ratings` has them (rating and deviation in rating points), (2, G): of first and of
    second, deviations grown to the game. Empty for a whole-stream system, which keeps no beliefs.

    >>> import ratesim as rs
    >>> games = rs.GameStream.of(first=["A", "A"], second=["B", "B"], score=[1, 1], time=[0, 1])
    >>> beliefs_before(rs.replay(rs.Elo(), games, policy=rs.Constant(20)))["rating"].tolist()
    [[1500.0, 1510.0], [1500.0, 1490.0]]
    """
    if run.session is None:
        return {}
    session = run.again()
    found: list[dict[str, Floats]] = []
    for games in _steps(session):
        first = int(session.schedule.at[games.start])
        session.advance(games.start)
        session.close(first)
        for period in {first, *periods_of(session.due, games)}:  # which is put again as its games are played
            put(session.state, session.due, period, session.shape)
        rows = np.concatenate([session.rows.first[games], session.rows.second[games]]).astype(np.int64)
        aged = session.aged(float(session.schedule.opens[first - session.schedule.base]), rows).rows
        found.append(session.system.columns(aged[:, : session.fields, 0]))
    sides = {name: np.concatenate([each[name].reshape(2, -1) for each in found], axis=1) for name in found[0]}
    return {name: np.stack([restored(side, run.order) for side in both]) for name, both in sides.items()}


def columns_of(system: Rater) -> frozenset[str]:
    """Return what a system says of a player: rating, and perhaps deviation and more; nothing if it keeps no beliefs.

    >>> import ratesim as rs
    >>> sorted(columns_of(rs.Glicko())), sorted(columns_of(rs.Even()))
    (['deviation', 'rating'], [])
    """
    if not isinstance(system, System):
        return frozenset()
    return frozenset(system.columns(np.array([system.belief(Start())])))


def _steps(session: Session) -> Iterator[slice]:
    """Yield runs of games that are judged at one moment by what no game of them changes."""
    at = session.schedule.at - session.schedule.base
    apart = at if session.system.alone or not session.fused else session.schedule.opens[at]
    first, second = session.rows.first.tolist(), session.rows.second.tolist()
    season = session.stream.season
    fresh = np.diff(apart, prepend=apart[0]) != 0
    if season is not None and session.fused:
        fresh |= np.diff(season, prepend=season[0]) != 0
    begin, playing = 0, set[int]()
    for g, new in enumerate(fresh.tolist()):
        if new or (session.fused and (first[g] in playing or second[g] in playing)):
            yield slice(begin, g)
            begin = g
            playing.clear()
        playing |= {first[g], second[g]}
    yield slice(begin, len(first))
