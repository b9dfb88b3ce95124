"""A league written to disk as it is played: its games never stand in memory together."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..files import whole
from ..io.batch import SIZE
from ..io.canonical import Footer, write_frames
from .league import League
from .remarks import nobody_met
from .telling import Known, Room, in_events


class Written(NamedTuple):
    """What came to stand on disk."""

    games: int
    players: int
    moments: int  # at which skills were read


class Writing:
    """Some replicates of a league as tables of games.

    Attributes
    ----------
    games : how many have been taken.
    known : what is known of players, whole once all games have been taken.
    """

    def __init__(self, world: League, seed: int, replicates: Sequence[int]) -> None:
        self.world, self.replicates, self.games = world, replicates, 0
        self._playing = world.play(seed, replicates)
        self.known = Known(self._playing)

    def __iter__(self) -> Iterator[pl.DataFrame]:
        """Play, and yield games with names, those of some rounds in each table."""
        room, most = Room(self.world), SIZE + self.world.games * len(self.replicates)
        room.begin(most)
        for number, played in enumerate(self._playing, 1):
            room.add(played)
            self.known.read(played)
            if room.count >= SIZE or number == self.world.rounds:
                self.games += room.count
                if not self.games:
                    raise nobody_met(self.world)
                yield self._frame(room.columns(own=True))
                room.begin(most)
        self.known.end()

    @cached_property
    def names(self) -> pl.Series:
        """The names of players, once the first round is played."""
        return self.known.players()["player"]

    def _frame(self, columns: Mapping[str, NDArray[Any]]) -> pl.DataFrame:
        table = {name: pl.Series(values) for name, values in columns.items()}
        table |= {side: self.names.gather(columns[side]) for side in ("first", "second")}
        if self.world.pools is not None:
            table["pool"] = pl.Series(self.world.pools.names).gather(columns["pool"])
        if self.world.events:
            event, called = in_events(self.world, self.replicates, columns)
            table["event"] = pl.Series(called).gather(event)
        return pl.DataFrame(table)


def write(world: League, seed: int, replicates: Sequence[int], games: Path, skills: Path) -> Written:
    """Write the games of some replicates as the canonical file, and skills over time as a table beside it.

    Parameters
    ----------
    games : as `write_games` writes them, with `truth`, `skill_first` and `skill_second`; attributes of players are
        `replicate` and `skill`, the one that each began with, and `foul` where there is some.
    skills : Parquet with `time` (days since 1970-01-01), `player`, `pool` where there are some, and `skill` (rating
        points) at 60 moments at most, of those who are there.

    Raises
    ------
    InputError : a file cannot be written, or no game is played.
    """
    told = Writing(world, seed, replicates)
    about = {"world": world.canonical(), "seed": seed, "replicates": list(replicates)}
    write_frames(games, told, lambda: Footer(told.known.players(), about))
    with whole(skills) as place:
        over_time(told).write_parquet(place, compression="zstd")
    return Written(told.games, len(told.names), len(told.known.paths.days))


def over_time(told: Writing) -> pl.DataFrame:
    """Return skills over time as a table, once all games have been taken."""
    (days, skill), names = told.known.paths, told.names
    pools = told.world.pools.names if told.world.pools is not None else ("",)
    by_pool = skill.reshape(len(days), len(names), len(pools))
    moment, player, pool = (each.ravel() for each in np.indices(by_pool.shape, dtype=np.int32))
    table = pl.DataFrame(
        {
            "time": days[moment],
            "player": names.cast(pl.Enum(names)).gather(player),
            "pool": pl.Series(pools, dtype=pl.Enum(pools)).gather(pool),
            "skill": by_pool.ravel(),
        }
    )
    return table.filter(pl.col("skill").is_not_nan()).drop([] if told.world.pools is not None else ["pool"])
