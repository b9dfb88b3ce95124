"""The lists that a replay of FIDE's system publishes, one after the other."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from .careers import FideParams
from .dates import date_on
from .errors import InputError
from .given import check_games
from .jit import plain
from .policies import Fide, fide_base
from .records import Career
from .replaying.run import Run
from .replaying.session import Session
from .rules import FIRST, rules
from .state import Floats, Past
from .stream import GameStream
from .systems.fide import FideElo
from .systems.fide_records import Params

ATTRIBUTES = ("name", "federation", "sex", "title")


class Kinds(NamedTuple):
    """How many games of a replay counted for whom."""

    rated: int  # for both players
    with_unrated: int  # for an unrated one alone, or for nobody
    too_far: int  # for nobody: the 600-point rule of rapid and blitz


class Careers(NamedTuple):
    """What is kept of players besides ratings; each (R,)."""

    games: Floats
    peak: Floats
    last: Floats  # days


class Listed(NamedTuple):
    """What a replay publishes, and what became of its games."""

    lists: pl.DataFrame
    kinds: Kinds


def with_everybody(games: GameStream, start: pl.DataFrame) -> GameStream:
    """Return the same games with the players of a start table who have none: they stand on the lists too.

    Parameters
    ----------
    start : column player, and any of name, federation, sex, title for those who have no game.
    """
    check_games(games)
    named = start.select("player", *(name for name in ATTRIBUTES if name in start.columns))
    idle = named.filter(~pl.col("player").is_in(games.players["player"].implode()))
    return replace(games, players=pl.concat([games.players, idle], how="diagonal"))


def rating_lists(run: Run) -> pl.DataFrame:
    """Return every list from the first after the stream began to the one that its last games count on.

    Parameters
    ----------
    run : of system `fide` with policy `fide`, all players in one pool. Players of a start table without a game are
        not in it, unless the stream is one `with_everybody`.

    Returns
    -------
    A row for each list and player rated on it, best first: list (date), player, those of name, federation, sex and
    title that the stream has, rating, change (since the list before; null where there was no rating), games (rated
    for this list), k (as published: the 700-point rule comes later), born (year, null unknown), inactive (no game
    rated in the year before; 24 months in the pandemic). Who has had no game yet last played when `last` of the start
    says so, or more than a year ago where `inactive` does, or else when the replay began.

    Raises
    ------
    InputError : the run is of another system or policy, or by pool.
    """
    return published(run).lists


def published(run: Run) -> Listed:
    """Return the lists of a run, see `rating_lists`, and how many of its games counted.

    Raises
    ------
    InputError : as `rating_lists`.
    """
    if not (isinstance(run.system, FideElo) and isinstance(run.policy, Fide)) or run.by_pool:
        raise InputError("lists are published by system 'fide' with policy 'fide'", expected="such a run, not by pool")
    session, tables, kinds = run.again(), [], np.zeros(len(Kinds._fields), np.int64)
    for period in range(session.schedule.base, session.schedule.base + len(session.schedule.opens)):
        session.close(period)
        kinds += _judged(session, run.system, period)
        tables.append(_listed(session, run.system, period))
    known = run.stream.players.select("player", *(name for name in ATTRIBUTES if name in run.stream.players.columns))
    lists = pl.concat(tables).join(known, on="player", how="left")
    lists = lists.select("list", *known.columns, *tables[0].columns[2:])
    best = lists.sort(["list", "rating", "player"], descending=[False, True, False])
    return Listed(best, Kinds(*kinds.tolist()))


def _judged(session: Session, system: FideElo, period: int) -> NDArray[np.int64]:
    """Count the games that a list in force judges, by kind."""
    schedule, rating = session.schedule, session.state.rows[:, 0, 0]
    games = slice(*np.searchsorted(schedule.at, np.array([period, period + 1], schedule.at.dtype)))
    p = Params(*system.params_at(float(schedule.opens[period - schedule.base])))
    one, other = rating[session.rows.first[games]], rating[session.rows.second[games]]
    weight = session.stream.weight
    counts = np.ones(len(one), np.bool_) if weight is None else weight[games] > 0.0
    both = counts & (one > 0.0) & (other > 0.0)
    far = both & (np.abs(one - other) >= p.far) & (np.maximum(one, other) > p.top)
    return np.array([(both & ~far).sum(), (counts & ~both).sum(), far.sum()])


def _listed(session: Session, system: FideElo, period: int) -> pl.DataFrame:
    """Play a period to its end, and return the list that it makes."""
    schedule, fields = session.schedule, session.fields
    day = float(schedule.closes[period - schedule.base])
    before, played = session.state.rows[:, 0, 0].copy(), session.state.rows[:, fields, 0].copy()
    session.advance(max(session.played, int(np.searchsorted(schedule.at, period, side="right"))))
    session.close(period + 1)
    rating = session.state.rows[:, 0, 0].copy()
    careers = Careers(*session.state.rows[:, fields : fields + len(Past._fields), 0].T.copy())
    idle = _months(np.array([day])) - _months(careers.last)
    return pl.DataFrame(
        {
            "list": pl.repeat(date_on(day), len(rating), dtype=pl.Date, eager=True),
            "player": session.stream.players["player"].gather(session.rows.player),
            "rating": pl.Series(rating).cast(pl.Int64),
            "change": pl.Series(np.where(before > 0.0, rating - before, np.nan)).fill_nan(None).cast(pl.Int64),
            "games": pl.Series(careers.games - played).cast(pl.Int64),
            "k": pl.Series(_steps(session, careers, day)).cast(pl.Float64),
            "born": pl.Series(session.born.copy()).fill_nan(None).cast(pl.Int64),
            "inactive": idle > rules(max(date_on(day), FIRST), system.list).idle,
        }
    ).filter(pl.col("rating") > 0)


def _steps(session: Session, careers: Careers, day: float) -> list[float]:
    """Return the K of each player on a list."""
    q, year, base = FideParams(*session.variants[0].policy.params_at(day)), date_on(day).year, plain(fide_base)
    each = zip(careers.games.tolist(), careers.peak.tolist(), session.born.tolist(), strict=True)
    return [base(q, Career(games, 0.0, peak, 0.0, born, year)) for games, peak, born in each]


def _months(day: Floats) -> NDArray[np.int64]:
    return np.floor(day).astype("datetime64[D]").astype("datetime64[M]").astype(np.int64)
