"""A simulated world as a stream of games with its truth."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..intake import Ints, appearance
from ..stream import GameStream, Paths
from .compiled import compiled
from .remarks import nobody_met, remarks

if TYPE_CHECKING:
    from .base import Floats, Moment
    from .league import League
    from .rounds import Played, Playing

ONE = np.ones((1, 1))
READINGS = 60  # moments at the most at which skills are written down, the end among them


class Room:
    """Memory for the columns of games, one world's after another's: memory that is new costs more than what is done.

    Parameters
    ----------
    world : whose games are written.
    truth : whether there is room for the truth, which takes half of it.

    Attributes
    ----------
    count : games written so far.
    """

    def __init__(self, world: "League", *, truth: bool = True) -> None:
        self.world, self.truth = world, truth
        self.count = self._capacity = 0
        self._columns: dict[str, NDArray[Any]] = {}
        self._constant: dict[str, Any] = {}  # the value of a column that has no other, however often it was written
        self._written: dict[str, None] = {}  # names of what the games at hand have
        self._rounds: list[tuple[Moment, int | Ints]] = []  # with how many replicates have a game, (M,) or all alike
        self._time: tuple[object, Floats] = (None, np.empty(0))  # and what rounds they are of, where all are full

    def begin(self, capacity: int) -> None:
        """Forget all games, and make room for so many."""
        if capacity > self._capacity:
            self._columns, self._constant, self._capacity = {}, {}, capacity
        self.count, self._written, self._rounds = 0, {}, []

    def add(self, played: "Played") -> None:
        """Write down the games of a round: game by game, and replicate by replicate within."""
        columns = game_columns(played, self.world, truth=self.truth)
        there, begin = played.first, self.count
        full = bool(there.min() >= 0)
        whole = full and len(there) == 1  # nothing to be left out or brought into order
        seats = len(there) if full else np.count_nonzero(there >= 0, axis=0).astype(np.int32)
        self._rounds.append((played.moment, seats))
        self.count += there.size if full else int(np.sum(seats))
        for name, values in columns.items():
            if name not in self._columns:
                self._columns[name] = np.empty(self._capacity, values.dtype)
                if values.size == 1:
                    self._columns[name][:] = self._constant[name] = values.flat[0]
            into = self._columns[name][begin : self.count]
            if values.size == 1 and values.flat[0] == self._constant.get(name):
                continue  # it is there already
            self._constant.pop(name, None)
            if whole:
                into[:] = values[0]
            else:
                compiled(lay, "columns of games")(values, there, into)
        self._written = dict.fromkeys(columns)

    def columns(self, *, own: bool) -> dict[str, NDArray[Any]]:
        """Return the columns (G,), which lie here; where they are all there will be, without the room left over."""
        found = {name: self._columns[name][: self.count] for name in self._written}
        if own and self.count < self._capacity:
            found = {name: x.copy() for name, x in found.items()}
        return found | {"time": self._times()}

    def _times(self) -> "Floats":
        """Return when games are played: the same array again where rounds are the same, and every place has a game."""
        full = all(isinstance(seats, int) for _, seats in self._rounds)
        rounds = (len(self._rounds), *self._rounds[:1]) if full else None
        if rounds is None or self._time[0] != rounds:
            times = [np.repeat(self.world.times(moment), seats) for moment, seats in self._rounds]
            self._time = rounds, np.concatenate(times)
        return self._time[1]


class Known:
    """What is known of players who play, read off round by round.

    Parameters
    ----------
    playing : the replicates, of which no round has been played.
    """

    def __init__(self, playing: "Playing") -> None:
        self._playing, self._readings = playing, set(reading_rounds(playing.league.rounds))
        self._opening: Floats = np.empty(0)
        self._days: list[float] = []
        self._skill: list[Floats] = []

    def read(self, played: "Played") -> None:
        """Write down what is to be known of a round."""
        if not played.moment.round:
            self._opening = played.skill.copy()
        if played.moment.round in self._readings:
            self._write(played.moment.day)

    def end(self) -> None:
        """Write down what is to be known when all is played."""
        self._write(self._playing.league.days)

    def players(self, *, plain: bool = False) -> pl.DataFrame:
        """Return the table of players, once the first round is read; `plain` as of `roster`."""
        players = roster(self._playing.league.players, self._playing.luck.replicates, self._opening, plain=plain)
        return players if self._playing.foul is None else players.with_columns(foul=self._playing.foul.ravel())

    @property
    def paths(self) -> Paths:
        """Skills over time, so far."""
        return Paths(np.array(self._days), _stacked(self._skill))

    def _write(self, day: float) -> None:
        self._days.append(day)
        self._skill.append(self._skill[0] if self._skill and self._playing.still else _there(self._playing))


def told(
    world: "League", seed: int, replicates: Sequence[int], room: Room | None = None, *, bare: bool = False
) -> GameStream:  # fmt: skip
    """Return all games of some replicates in order of time, of replicates within one moment.

    Parameters
    ----------
    room : of this world, where games are written, and the stream's arrays lie until it is used again; None: room of
        their own. A single replicate that is to be forgotten soon has names without its number.
    bare : whether players have names and nothing else is told of them, for who wants ratings alone.

    Raises
    ------
    InputError : no game is played.
    """
    games = Room(world) if room is None else room
    games.begin(world.rounds * world.games * len(replicates))
    playing = world.play(seed, replicates, truth=games.truth)
    known = Known(playing)
    for played in playing:
        games.add(played)
        if not bare:
            known.read(played)
    if not bare:
        known.end()
    if not games.count:
        raise nobody_met(world)
    columns: dict[str, Any] = games.columns(own=room is None)
    if world.events:
        columns["event"], columns["events"] = in_events(world, replicates, columns)
    plain = room is not None and len(replicates) == 1
    return GameStream(
        players=names(world.players * len(replicates)).to_frame() if bare else known.players(plain=plain),
        paths=None if bare else known.paths,
        pools=() if world.pools is None else world.pools.names,
        notes=tuple(remarks(world)) if room is None else (),
        source={"world": world.canonical(), "seed": seed}, **columns,
    )  # fmt: skip


def in_events(
    world: "League", replicates: Sequence[int], columns: Mapping[str, NDArray[Any]]
) -> tuple[Ints, tuple[str, ...]]:
    """Return the event of each game, (G,), and what events are called: each replicate has events of its own."""
    span = np.floor(columns["time"] / world.events).astype(np.int64)
    row = columns["first"] // world.players
    found, codes = np.unique(span * len(replicates) + row, return_inverse=True)
    (event,), met = appearance(codes, size=len(found))
    plain = len(replicates) == 1 and replicates[0] == 0
    called = ((number // len(replicates), replicates[number % len(replicates)]) for number in found[met].tolist())
    return event, tuple(f"{when}" if plain else f"{when} #{replicate}" for when, replicate in called)


def reading_rounds(rounds: int) -> NDArray[np.int64]:
    """Return the rounds at whose opening skills are written down: all, or half evenly and half by logarithm."""
    if rounds < READINGS:
        return np.arange(rounds)
    even = np.linspace(0, rounds, READINGS // 2)
    found = np.unique(np.round([*even, *np.geomspace(1, rounds, READINGS - len(even))]).astype(np.int64))
    return found[:-1]  # the last is the end, which has no round


def roster(players: int, replicates: Sequence[int], skill: "Floats", *, plain: bool = False) -> pl.DataFrame:
    """Return the table of players: names, replicates and the skills that the world began with.

    Parameters
    ----------
    plain : whether names go without the number of the replicate.
    """
    number = pl.Series("replicate", np.repeat(np.array(replicates, dtype=np.int32), players))
    named = names(players)
    if not plain and (len(replicates) > 1 or replicates[0] > 0):
        every = pl.concat([named] * len(replicates))
        named = pl.select(pl.concat_str(every, pl.lit(" #"), number.cast(pl.String)).alias("player")).to_series()
    return pl.DataFrame([named, number, pl.Series("skill", skill.ravel())])


@lru_cache(maxsize=8)
def names(players: int) -> pl.Series:
    """Return the names of the players of one replicate."""
    number = pl.int_range(1, players + 1, dtype=pl.Int64).cast(pl.String).str.zfill(len(str(players)))
    return pl.select(pl.concat_str(pl.lit("P"), number).alias("player")).to_series()


def _there(playing: "Playing") -> "Floats":
    """Return the skills of all players now, (R N,) or by pool (R N, P); NaN of those who are not there."""
    skill = np.where(playing.there, playing.skill, np.nan)
    if playing.offset is None:
        return skill.ravel()
    assert playing.member is not None  # noqa: S101  # it comes with the offsets
    by_pool: Floats = np.where(playing.member, skill[:, :, None] + playing.offset, np.nan)
    return by_pool.reshape(-1, by_pool.shape[2])


def _stacked(skill: "list[Floats]") -> "Floats":
    """Return skills over time; where they stand still, all times share one row of memory."""
    if all(row is skill[0] for row in skill):
        return np.broadcast_to(skill[0], (len(skill), *skill[0].shape))
    return np.array(skill)


def game_columns(played: "Played", world: "League", *, truth: bool = True) -> dict[str, NDArray[Any]]:
    """Return the games of a round as columns (R, M), or (1, M) or (1, 1) where replicates or games are alike."""
    first, second = played.first, played.second
    if len(first) > 1:
        offset = np.arange(len(first), dtype=np.int32)[:, None] * np.int32(world.players)
        first, second = first + offset, second + offset
    columns: dict[str, NDArray[Any]] = {
        "first": first,
        "second": second,
        "score": played.score,
    }
    if truth:
        columns |= {"truth": played.truth, "skill_first": played.skill_first, "skill_second": played.skill_second}
    if played.shown is not None:
        columns |= {"performance_first": played.shown.first, "performance_second": played.shown.second}
    if world.outcomes.edged:
        columns["edge"] = ONE
    if world.pools is not None:
        columns["pool"] = np.full((1, 1), played.moment.pool, np.int32)
    return columns


def lay(values: NDArray[Any], there: Ints, into: NDArray[Any]) -> None:
    """Write values (R or 1, M or 1) of games (R, M) one after another, but for those that are -1 in `there`."""
    g, rows, games = 0, values.shape[0] > 1, values.shape[1] > 1
    for m in range(there.shape[1]):
        for r in range(there.shape[0]):
            if there[r, m] >= 0:
                into[g] = values[r * rows, m * games]
                g += 1
