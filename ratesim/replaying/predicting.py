"""Expected scores of games to come, by what a replay believes at a moment."""

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..assembly import foretelling
from ..calendars import Calendar, Regular, Schedule
from ..chances import three_way
from ..errors import InputError, nearest
from ..state import Floats, Ints
from ..stream import GameStream
from ..systems.base import Fit, Games, System, WholeStream
from .asked import Asked
from .whole import columns_of

if TYPE_CHECKING:
    from .session import Session

Places = NDArray[np.int64]


class Foreseen(NamedTuple):
    """What a system says of games before it has seen them; both (n,)."""

    forecast: Floats  # expected score of first, NaN where it has none
    draw: Floats | None = None  # chance of a draw by a model of its own


def by_kernels(
    session: "Session", asked: Asked, day: float, *, pool: str | None, season: str | None, lane: int = 0
) -> Foreseen:
    """Return what kernels expect of games at a moment.

    Parameters
    ----------
    session : that has played nothing yet, or all of its games, none of them later than the day; it is played to it.
    pool : in which the games are, where players have a belief for each.
    season : of the games; None: that of the last game up to then.

    Raises
    ------
    InputError : a pool is lacking or unknown, or a season of games that have none.
    """
    sides = np.stack([asked.first, asked.second], axis=1).ravel().astype(np.int64)
    places, code = _in_pool(session, sides, pool), _season(session.stream, season)
    schedule = session.schedule
    period = schedule.base + int(np.searchsorted(schedule.closes, day, side="right"))
    session.advance(max(int(np.searchsorted(schedule.at, period)), session.played))
    session.close(period)
    rows = session.aged(day, places, season=code).rows
    system = session.variants[lane].system
    beliefs = np.ascontiguousarray(rows[:, : session.fields, lane : lane + 1])
    params = np.array(system.params_at(day), dtype=np.float64).reshape(1, -1, 1)
    out = np.empty((len(asked.edge), 2))
    given = session.stream.edge
    as_given = given is None or session.told[0] is given
    edges = asked.edge if as_given else _worth(session, system, asked, day)
    foretelling(session.kernels, f"{system.kind} of games to come")(beliefs, params, edges, out)
    forecast, draw = np.ascontiguousarray(out.T)
    return Foreseen(forecast, None if session.kernels.draw is None else draw)


def by_whole(system: WholeStream, stream: GameStream, calendar: Calendar, asked: Asked, day: float) -> Foreseen:
    """Return what a whole-stream system expects of games that are appended, as a period more, to those closed by then.

    A forecast looks at no result of its own period, so the draws that stand for results are not seen.

    Parameters
    ----------
    stream : in the calendar's order.

    Raises
    ------
    InputError : as `by_game`.
    """
    if system.by_game:
        return by_game(system, stream.n_players, asked, day)
    schedule, columns = columns_of(system, stream, calendar, None, by_pool=False, saved=None)
    longer = _longer(columns, schedule, calendar, asked, day)
    found, asked_for = system.whole(longer), slice(len(longer.score) - len(asked.edge), None)
    return Foreseen(found.forecast[asked_for], None if found.draw is None else found.draw[asked_for])


def by_game(system: WholeStream, players: int, asked: Asked, day: float) -> Foreseen:
    """Return what a system expects that looks at each game alone.

    Raises
    ------
    InputError : it goes by what games to come do not tell.
    """
    games = len(asked.edge)
    period, score, time = np.zeros(games, np.int32), np.full(games, 0.5), np.full(games, day)
    alone = Games(asked.first, asked.second, score, time, period, players)
    try:
        system.check(alone)
    except InputError as error:
        said = f"system '{system.kind}' goes by more than who plays: {error.what}"
        raise InputError(said, where="predict", expected="a system that rates players") from None
    found = system.whole(alone)
    return Foreseen(found.forecast, found.draw)


def by_fit(fit: Fit, first: Ints, second: Ints, edge: Floats | None, day: Floats | float) -> Foreseen:
    """Return what a fit expects of games (n,) of a day, or of a day each."""
    return Foreseen(fit.predict(first, second, edge, day), fit.draw(first, second, edge, day))


def told(asked: Asked, found: Foreseen) -> pl.DataFrame:
    """Return forecasts as a table: first, second, forecast, and win, draw and loss of a system that tells draws."""
    table = asked.names.with_columns(forecast=pl.Series(found.forecast, dtype=pl.Float64))
    if found.draw is None:
        return table
    return table.hstack(pl.DataFrame(three_way(found.forecast, found.draw), schema=["win", "draw", "loss"]))


def _in_pool(session: "Session", players: Places, pool: str | None) -> Places:
    """Return the rows of players, of those that they have in a pool where they have several."""
    pools = session.stream.pools
    if session.rows.pool is None:
        if pool is not None:
            raise InputError(f"pool '{pool}', but players have one belief", where="predict", expected="by_pool = True")
        return players
    if pool not in pools:
        said = "players have a belief for each pool" if pool is None else f"no pool '{pool}' in the stream"
        near = None if pool is None else nearest(pool, pools)
        raise InputError(said, where="predict", expected=f"pool = one of {', '.join(pools)}", near=near)
    return players * len(pools) + pools.index(pool)


def _worth(session: "Session", system: System, asked: Asked, day: float) -> Floats:
    """Return the edges of games to come as a system has them that goes by what games are played for.

    Raises
    ------
    InputError : it is not said what they are.
    """
    if asked.stage is None or asked.stage.null_count():
        said = f"system '{system.kind}' goes by what games are played for"
        raise InputError(said, where="pairs", expected="a column stage, of every pair")
    stages = list(dict.fromkeys([*session.stream.stages, *asked.stage]))
    codes = np.array([stages.index(name) for name in asked.stage], np.int32)
    games = len(asked.edge)
    nothing, none = np.full(games, np.nan), np.zeros(games, np.int32)
    told = system.told(Games(
        asked.first, asked.second, nothing, np.full(games, day), none, session.stream.n_players, edge=asked.edge,
        stage=codes, stages=tuple(stages),
    ))  # fmt: skip
    return asked.edge if told is None or told.edge is None else np.ascontiguousarray(told.edge)


def _season(stream: GameStream, season: str | None) -> float | None:
    """Return the code of a season, one that follows all that there are if it is new."""
    if season is None:
        return None
    if stream.season is None:
        raise InputError(f"season '{season}'", where="predict", expected="games with a column season")
    return float(stream.seasons.index(season)) if season in stream.seasons else float(len(stream.seasons))


def _longer(games: Games, schedule: Schedule, calendar: Calendar, asked: Asked, day: float) -> Games:
    """Return the games of periods closed by a day, and one period more."""
    period = schedule.base + int(np.searchsorted(schedule.closes, day, side="right"))
    played, more = int(np.searchsorted(games.period, period)), len(asked.edge)
    if isinstance(calendar, Regular):
        period = max(period, int(calendar.index(np.array([day]))[0]))
    own: dict[str, Any] = {"first": asked.first, "second": asked.second}
    own |= {"edge": asked.edge, "score": 0.5, "time": day, "period": period, "weight": 1.0}
    longer: dict[str, Any] = {}
    for name, column in games._asdict().items():
        if isinstance(column, np.ndarray):
            added = np.empty(more, column.dtype)
            added[:] = own.get(name, np.nan if column.dtype.kind == "f" else column[max(played - 1, 0)])
            longer[name] = np.concatenate([column[:played], added])
    return games._replace(**longer)
