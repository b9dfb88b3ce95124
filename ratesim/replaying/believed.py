"""What a session believes of players, and what it noted, as people read it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..errors import InputError, nearest
from ..state import Floats
from .session import Session

Places = NDArray[np.int64]


@dataclass(frozen=True)
class Diagnostic:
    """Something a system noted while it learned."""

    name: str
    count: int  # of players and periods
    player: str  # the first it happened to
    time: float  # opening of the period in which it did, days since 1970-01-01 UTC


def believed(session: Session, rows: Floats, lane: int, games: Floats, places: Places | None = None) -> pl.DataFrame:
    """Return beliefs as a table: player, pool where kept apart, rating, games, then the system's own columns.

    Parameters
    ----------
    rows : (K, fields and more, L) of the state. lane : of these. games : (K,) that counted.
    places : (K,) which rows they are; None: all, in order.
    """
    player, pool = session.rows.player, session.rows.pool
    if places is not None:
        player, pool = player[places], None if pool is None else pool[places]
    columns = session.system.columns(rows[:, : session.fields, lane])
    if session.gains.career:
        games = rows[:, session.fields, lane]
    return pl.DataFrame(
        {
            "player": session.stream.players["player"].gather(player),
            **({} if pool is None else {"pool": pl.Series(list(session.stream.pools)).gather(pool)}),
            "rating": columns.pop("rating"),
            "games": games,
            **columns,
        }
    )


def nothing() -> pl.DataFrame:
    """Return the history of a system that keeps no ratings."""
    return pl.DataFrame(schema={"time": pl.Float64, "player": pl.String, "rating": pl.Float64})


def ratings(session: Session, lane: int) -> pl.DataFrame:
    """Return what a lane believes after the last period, of everybody, or of everybody who has played in a pool."""
    games, state = session.counted(len(session.stream)), session.finished()
    table = believed(session, state.rows, lane, games)
    return table if session.rows.pool is None else table.filter(pl.Series(games > 0))


def diagnostics(session: Session, flags: Floats) -> list[Diagnostic]:
    """Return what a lane noted, from its counts (flags, 3)."""
    names = session.stream.players["player"]
    found = []
    for name, (count, row, day) in zip(session.kernels.flags, flags.tolist(), strict=False):
        if count:
            found.append(Diagnostic(name, int(count), names[int(session.rows.player[int(row)])], day))
    return found


def known(players: Sequence[str], names: pl.Series) -> None:
    """Refuse players who are not among those of a stream.

    Raises
    ------
    InputError : the first of them, and the nearest name.
    """
    strange = sorted(set(players) - set(names.filter(names.is_in(list(players)))))
    if strange:
        raise InputError(f"no player '{strange[0]}' in the stream", near=nearest(strange[0], names.to_list()))
