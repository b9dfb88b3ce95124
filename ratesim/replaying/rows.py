"""What the engine keeps a row for, and how many games counted for each."""

from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..errors import InputError
from ..state import Floats, Ints
from ..stream import GameStream
from ..systems.base import Games


class Rows(NamedTuple):
    """What the engine keeps a row for: players, or players in a pool."""

    first: Ints  # (G,)
    second: Ints
    player: NDArray[np.int64]  # (R,) of each row
    pool: NDArray[np.int64] | None  # (R,)

    def of_next(self, stream: GameStream) -> "Rows":
        """Return the same rows for other games of the same players and pools."""
        if self.pool is None:
            return self._replace(first=stream.first, second=stream.second)
        first, second = _in_pools(stream)
        return self._replace(first=first, second=second)


def rows_of(stream: GameStream, *, by_pool: bool) -> Rows:
    """Return the rows of a stream: its players, or every player in every pool, in that order."""
    players = np.arange(stream.n_players)
    if not by_pool:
        return Rows(stream.first, stream.second, players, None)
    first, second = _in_pools(stream)
    n = len(stream.pools)
    return Rows(first, second, np.repeat(players, n), np.tile(np.arange(n), stream.n_players))


def seen(stream: GameStream, rows: Rows, period: Ints) -> Games:
    """Return what a system may look at before anything is played."""
    pools = () if stream.pool is None else tuple(stream.pools[code] for code in np.unique(stream.pool))
    return Games(
        rows.first, rows.second, stream.score, stream.time, period, len(rows.player),
        stream.published_first, stream.published_second, stream.weight, pools,
        stream.performance_first, stream.performance_second, stream.margin, stream.season,
        stream.edge, stream.stage, stream.stages,
    )  # fmt: skip


def _in_pools(stream: GameStream) -> tuple[Ints, Ints]:
    if stream.pool is None:
        raise InputError("by_pool needs a column 'pool'", where="columns", expected="pool = ...")
    n = len(stream.pools)
    return stream.first * n + stream.pool, stream.second * n + stream.pool


def add_games(counts: Floats, stream: GameStream, rows: Rows, upto: int, begin: int = 0) -> Floats:
    """Add the games from number `begin` to `upto` that counted for each row (R,), in place, and return the counts.

    Game after game, so that a stream cut anywhere has the same bits, whatever its weights.
    """
    games = slice(begin, upto)
    sides = np.stack([rows.first[games], rows.second[games]], axis=1).ravel()
    weight = 1.0 if stream.weight is None else np.repeat(stream.weight[games], 2)
    np.add.at(counts, sides, weight)
    return counts


def places(table: pl.DataFrame, stream: GameStream) -> NDArray[np.int64]:
    """Return the row of each player of a table among those of the stream, -1 for those who have no game."""
    players = pl.DataFrame({"player": stream.players["player"], "row": np.arange(stream.n_players)})
    found = table.select(pl.col("player").cast(pl.String)).join(players, on="player", how="left", maintain_order="left")
    return found["row"].fill_null(-1).to_numpy()
