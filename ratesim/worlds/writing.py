"""A league written to disk as it is played: its games never stand in memory together."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from ..files import whole
from ..io.batch import SIZE
from ..io.canonical import Footer, write_frames
from ..stream import Paths
from .league import League
from .telling import Room, game_columns, in_events, reading_rounds, roster, skills_there

if TYPE_CHECKING:
    from .base import Floats


class Written(NamedTuple):
    """What came to stand on disk."""

    games: int
    players: int
    moments: int  # at which skills were read


class Writing:
    """Some replicates of a league as tables of games; what is known of players is whole once all have been taken.

    Attributes
    ----------
    games : how many have been taken.
    players : the table of players, from the first game on.
    """

    def __init__(self, world: League, seed: int, replicates: Sequence[int]) -> None:
        self.world, self.seed, self.replicates = world, seed, replicates
        self.games = 0
        self.players = pl.DataFrame()
        self._days: list[float] = []
        self._skill: list[Floats] = []

    def __iter__(self) -> Iterator[pl.DataFrame]:
        """Play, and yield games with names, those of some rounds in each table."""
        readings, room = set(reading_rounds(self.world.rounds)), Room()
        most = SIZE + self.world.games * len(self.replicates)
        room.begin(most)
        playing = self.world.play(self.seed, self.replicates)
        for number, played in enumerate(playing):
            room.add(game_columns(played, self.world), (played.first >= 0).T)
            if not number:
                self.players = roster(self.world.players, self.replicates, played.skill.copy())
            if number in readings:
                self._days.append(played.moment.day)
                self._skill.append(skills_there(playing, played).copy())
            if room.count >= SIZE or number == self.world.rounds - 1:
                self.games += room.count
                yield self._frame(room)
                room.begin(most)

    @property
    def paths(self) -> Paths:
        """Skills over time, so far."""
        return Paths(np.array(self._days), np.array(self._skill))

    def _frame(self, room: Room) -> pl.DataFrame:
        columns = room.columns(own=True)
        names = self.players["player"]
        table = {name: pl.Series(values) for name, values in columns.items()}
        table |= {side: names.gather(columns[side]) for side in ("first", "second")}
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
        `replicate` and `skill`, the one that each began with.
    skills : Parquet with `time` (days since 1970-01-01), `player`, `pool` where there are some, and `skill` (rating
        points) at 60 moments at most, of those who are there.

    Raises
    ------
    InputError : a file cannot be written, or no game is played.
    """
    told = Writing(world, seed, replicates)
    about = {"world": world.canonical(), "seed": seed, "replicates": list(replicates)}
    write_frames(games, told, lambda: Footer(told.players, about))
    with whole(skills) as place:
        over_time(told).write_parquet(place, compression="zstd")
    return Written(told.games, len(told.players), len(told.paths.days))


def over_time(told: Writing) -> pl.DataFrame:
    """Return skills over time as a table, once all games have been taken."""
    (days, skill), names = told.paths, told.players["player"]
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
