"""A stream of games as columns: what every reader and every world makes, and every replay takes."""

import hashlib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any, Literal, NamedTuple, Self

import numpy as np
import polars as pl
from numpy.typing import NDArray

from . import intake
from .debuts import Debuts
from .errors import InputError, nearest
from .intake import Floats, Ints, Mask, Numbers, Origin, Values

LABELS = {"season": "seasons", "stage": "stages", "event": "events", "pool": "pools"}  # column of codes: its names
MOMENTS = ("time", "event_start", "event_end", "rated_on")
SCORE = Numbers("a number from 0 to 1", low=0.0, high=1.0)
NUMBERS = {
    "edge": Numbers("a number: 1 where first has the advantage, 0 neutral, -1 where second has it"),
    "margin": Numbers("a number, positive where first was ahead", missing=True),
    "weight": Numbers("a number, at least 0", low=0.0),
    "published_first": Numbers("a rating, in rating points", missing=True),
    "published_second": Numbers("a rating, in rating points", missing=True),
    "truth": Numbers("an expected score from 0 to 1", low=0.0, high=1.0),
    "skill_first": Numbers("a skill, in rating points"),
    "skill_second": Numbers("a skill, in rating points"),
    "performance_first": Numbers("a performance, in rating points"),
    "performance_second": Numbers("a performance, in rating points"),
}
OF_A_PAIR = {"published_first": "published_second", "published_second": "published_first"}
MAY_BE_MISSING = {name for name, kind in NUMBERS.items() if kind.missing} | {"event_end", "rated_on"}


class Paths(NamedTuple):
    """The skills of a simulated stream's players over time."""

    days: Floats  # (T,) since 1970-01-01
    skill: Floats  # (T, N), or by pool (T, N, P), rating points; NaN of those who are not there


@dataclass(frozen=True, eq=False, repr=False)
class GameStream(Debuts):
    """Games in order of time. Arrays are C-contiguous and read-only; make one with `of`.

    Attributes
    ----------
    players : one row a player, in order of first appearance; `player` is the name (unique), attributes may follow.
    first, second : (G,) rows of `players`.
    score : (G,) of first, 0 to 1.
    time : (G,) days since 1970-01-01 UTC, never decreasing; games of one time stand as in their source.
    edge : (G,) 1 where first has the advantage, 0 on neutral ground, -1 where second has it; None: nobody has, ever.
    margin : (G,) signed to first, NaN unknown. weight : (G,) at least 0.
    published_first, published_second : (G,) ratings that the source carries, before the game; NaN unknown.
    truth, skill_first, skill_second : (G,) expected score of first, and skills, of a simulated stream.
    performance_first, performance_second : (G,) strength shown in this very game of a simulated stream, rating points.
    season, stage, event, pool : (G,) codes into `seasons`, `stages`, `events`, `pools`, in order of first appearance.
        A stage is what a game was played for: a league, its play-offs, a friendly.
    event_start, event_end : (G,) days since 1970-01-01 UTC, one for each event; NaN: no end is known.
    rated_on : (G,) day of the rating list on which a game counts, NaN unknown.
    paths : skills over time of a simulated stream, also between games; not part of the digest.
    notes : what reading found (sorted, duplicates, left out), a line each.
    source : where the games came from; not part of the digest.

    >>> games = GameStream.of(first=["A", "C"], second=["B", "A"], score=[1, 0.5], time=[1, 0])
    >>> games.players["player"].to_list(), games.first, games.notes
    (['C', 'A', 'B'], array([0, 1], dtype=int32), ('1 game stood after a later one: sorted by time',))
    """

    players: pl.DataFrame
    first: Ints
    second: Ints
    score: Floats
    time: Floats
    edge: Floats | None = None
    margin: Floats | None = None
    weight: Floats | None = None
    published_first: Floats | None = None
    published_second: Floats | None = None
    truth: Floats | None = None
    skill_first: Floats | None = None
    skill_second: Floats | None = None
    performance_first: Floats | None = None
    performance_second: Floats | None = None
    season: Ints | None = None
    stage: Ints | None = None
    event: Ints | None = None
    pool: Ints | None = None
    event_start: Floats | None = None
    event_end: Floats | None = None
    rated_on: Floats | None = None
    seasons: tuple[str, ...] = ()
    stages: tuple[str, ...] = ()
    events: tuple[str, ...] = ()
    pools: tuple[str, ...] = ()
    paths: Paths | None = None
    notes: tuple[str, ...] = ()
    source: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        *,
        first: Values,
        second: Values,
        score: Values,
        time: Values,
        players: pl.DataFrame | None = None,
        duplicates: Literal["keep", "drop"] = "keep",
        origin: Origin | None = None,
        **columns: Values | None,
    ) -> Self:
        """Make a stream from columns in any order of time.

        Parameters
        ----------
        first, second : (G,) names of the players.
        score : (G,) of first, 0 to 1.
        time : (G,) dates, datetimes (UTC where they name no zone), or days since 1970-01-01.
        players : a table with a column `player`, for their attributes; those without a game come last.
        duplicates : whether to keep or drop games seen before; they are counted and noted in either case.
        origin : where the columns came from, for messages.
        columns : any of edge, margin, weight, published_first, published_second, truth, skill_first, skill_second,
            performance_first, performance_second, season, stage, event, pool (names), event_start, event_end,
            rated_on, and `id`, by which duplicates are found.
            None: not there; nor are columns that say nothing of any game.

        Raises
        ------
        InputError : a value is missing or out of range, a player meets themselves, lengths differ, no games.
        """
        origin = origin or Origin()
        given = {"first": first, "second": second, "score": score, "time": time, **columns}
        data, names = _checked(_gathered(given, origin), origin)
        notes = doubts(names["player"], None if origin.place else intake.series(time, "time", origin))
        told = _told_apart(_in_order(data, notes), duplicates, notes)
        if told is not data:  # names stand in order of the games as they were given
            told = _numbered(told, names)
        return cls(notes=tuple(notes), **_labelled(told, names, players))

    def __post_init__(self) -> None:
        """Make every array contiguous and read-only."""
        for name, column in self.columns():
            object.__setattr__(self, name, np.ascontiguousarray(column))
            getattr(self, name).flags.writeable = False

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Come back from another process with arrays as read-only as they went."""
        self.__dict__.update(state)
        for _, column in self.columns():
            column.flags.writeable = False

    def __repr__(self) -> str:
        """Return a line about the stream: `<GameStream: 49,520 games of 337 players>`."""
        return f"<{type(self).__name__}: {len(self):,} games of {self.n_players:,} players>"

    def __len__(self) -> int:
        """Return the number of games G."""
        return len(self.first)

    @property
    def n_players(self) -> int:
        """The number of players N."""
        return self.players.height

    @property
    def replicate(self) -> Ints | None:
        """(G,) number of the replicate that each game of a simulated stream is of; None of any other."""
        if "replicate" not in self.players.columns:
            return None
        return np.asarray(self.players["replicate"].to_numpy(), dtype=np.int32)[self.first]

    def columns(self) -> Iterator[tuple[str, Floats | Ints]]:
        """Yield the name and the array of every column that is there."""
        for each in fields(self):
            value = getattr(self, each.name)
            if isinstance(value, np.ndarray):
                yield each.name, value

    def pieces(self) -> Iterator[Self]:
        """Yield the stream: games on disk come in several pieces, those in memory in one."""
        yield self

    @cached_property
    def digest(self) -> str:
        """SHA-256 in hex over all columns, names and attributes of players: the same on every machine."""
        h = hashlib.sha256(b"ratesim stream 1")
        for piece in self._bytes():
            h.update(piece)
        return h.hexdigest()

    def _bytes(self) -> Iterator[bytes | memoryview]:
        for name, column in self.columns():
            yield from _framed(name, column.astype(column.dtype.newbyteorder("<"), copy=False).data)
        for names in LABELS.values():
            yield from _framed(names, *(label.encode() for label in getattr(self, names)))
        for attribute in self.players:
            yield from _framed(attribute.name, str(attribute.dtype).encode(), *_cells(attribute))

    def in_order(self, order: NDArray[np.int64]) -> Self:
        """Return the same games in another order, which need not be that of time: only replays look at such a one."""
        taken: dict[str, Any] = {name: column[order] for name, column in self.columns()}
        return replace(self, **taken)

    def take(self, games: Mask | slice) -> Self:
        """Return some of the games, in the same order, with the same players.

        Parameters
        ----------
        games : (G,) of bool, or a slice with a positive step.
        """
        backwards = isinstance(games, slice) and (games.step or 1) < 0
        if backwards or (not isinstance(games, slice) and (games.dtype != np.bool_ or games.shape != (len(self),))):
            raise InputError("games are taken by a mask or a slice", expected="one boolean a game, or a step above 0")
        taken: dict[str, Any] = {name: column[games] for name, column in self.columns()}
        return replace(self, **taken)

    def to_frame(self) -> pl.DataFrame:
        """Return the columns that are there as a table, with names for codes: what `of` takes."""
        names = {"first": self.players["player"], "second": self.players["player"]}
        names |= {label: pl.Series(getattr(self, of), dtype=pl.String) for label, of in LABELS.items()}
        return pl.DataFrame(
            {
                name: names[name].gather(pl.Series(column)).alias(name) if name in names else pl.Series(name, column)
                for name, column in self.columns()
            }
        )


Data = dict[str, NDArray[Any]]


def _gathered(given: Mapping[str, Any], origin: Origin) -> dict[str, pl.Series]:
    """Return the columns that are there as series of one length."""
    known = {"first", "second", "score", "id", *MOMENTS, *NUMBERS, *LABELS}
    for name in given:
        if name not in known:
            raise InputError(f"unknown column '{name}'", where=origin.place, near=nearest(name, known))
    table = {name: intake.series(values, name, origin) for name, values in given.items() if values is not None}
    intake.lengths(table, origin)
    return table


def _checked(table: Mapping[str, pl.Series], origin: Origin) -> tuple[Data, dict[str, pl.Series]]:
    """Return columns as numbers and codes, in the order given, and the names that codes stand for."""
    sides = {side: table[side] for side in ("first", "second")}
    names: dict[str, pl.Series] = {}
    (first, second), names["player"] = intake.coded(sides, origin, "player")
    expected = "another player, or themselves = 'drop'"
    origin.refuse(first == second, "second", "{} plays against themselves", sides["second"], expected)
    data: Data = {"first": first, "second": second}
    for name, column in table.items():
        if name in MOMENTS:
            data[name] = intake.days(column, name, origin, missing=name in {"event_end", "rated_on"})
        elif name == "score":
            data[name] = intake.numbers(column, name, origin, SCORE)
        elif name in NUMBERS:
            data[name] = intake.numbers(column, name, origin, NUMBERS[name])
        elif name not in data:
            (data[name],), names[name] = intake.coded({name: column}, origin, name)
    _check_events(data, origin)
    for name in silent({name for name in MAY_BE_MISSING & data.keys() if not np.isnan(data[name]).all()}, data):
        del data[name]
    return data, names


def silent(told: Collection[str], there: Collection[str]) -> set[str]:
    """Return the columns that are there and may be empty and are: they are none, unless the other of a pair is told."""
    return {name for name in MAY_BE_MISSING.intersection(there) if not {name, OF_A_PAIR.get(name)} & {*told}}


def _check_events(data: Data, origin: Origin) -> None:
    """Refuse an event that starts or ends twice, starts after one of its games or ends before one."""
    for name, one, verb, wrong in (
        ("event_start", "a start", "starts", "after"),
        ("event_end", "an end", "ends", "before"),
    ):
        if name not in data:
            continue
        said, time = data[name], data["time"]
        if "event" not in data:
            raise InputError(f"{one} of events without events", where=origin.where(name), expected="event too")
        known = np.full(data["event"].max() + 1, np.nan)
        known[data["event"]] = said
        twice = ~np.isnan(said) & (said != known[data["event"]])
        day = np.floor(np.nan_to_num(said)).astype("datetime64[D]")
        origin.refuse(twice, name, f"event {verb} on {{}} and on another day", day, f"one {verb[:-1]}")
        bad = said > time if wrong == "after" else np.floor(said) < np.floor(time)
        expected = f"the time of the game or {'before' if wrong == 'after' else 'after'}"
        origin.refuse(bad, name, f"event {verb} on {{}}, {wrong} this game", day, expected)


def doubts(players: pl.Series, time: pl.Series | None = None) -> list[str]:
    """Return notes on names and times that may be meant otherwise; a reader of files judges times itself."""
    notes: list[str] = []
    if count := int((players != players.str.strip_chars()).sum()):
        some, has = ("1 name of a player", "has") if count == 1 else (f"{count:,} names of players", "have")
        notes.append(f"{some} {has} blanks at an end, kept as written")
    if time is not None and (line := intake.years(time)):
        notes.append(line)
    return notes


def _in_order(data: Data, notes: list[str]) -> Data:
    """Sort by time, keeping the order of games that share one."""
    time = data["time"]
    if not (time[1:] < time[:-1]).any():
        return data
    late = int(np.count_nonzero(time < np.maximum.accumulate(time)))
    notes.append(f"{late:,} game{'s' if late > 1 else ''} stood after a later one: sorted by time")
    order = np.argsort(time, kind="stable")
    return {name: column[order] for name, column in data.items()}


def _told_apart(data: Data, duplicates: str, notes: list[str]) -> Data:
    """Count games that were there before, by `id` or else by everything, and drop them if so asked."""
    by_id = "id" in data
    identity = data.pop("id", None)
    again = intake.repeated(data) if identity is None else _of_one_id(identity, data, notes)
    if count := int(np.count_nonzero(again)):
        drop = duplicates == "drop"
        how = f"repeat{'s' if count == 1 else ''} an earlier {'id' if by_id else 'row'}"
        notes.append(f"{count:,} game{'s' if count > 1 else ''} {how}: {'dropped' if drop else 'kept'}")
        return {name: column[~again] for name, column in data.items()} if drop else data
    return data


def _of_one_id(identity: NDArray[Any], data: Data, notes: list[str]) -> NDArray[np.bool_]:
    """Return which games have the id, the two players and the result of one before; note those with its id alone."""
    again = ~pl.Series(identity).is_first_distinct().to_numpy()
    if not again.any():
        return again
    first, second, score = data["first"], data["second"], data["score"]
    told = {
        "id": identity,
        "low": np.minimum(first, second),
        "high": np.maximum(first, second),
        "result": np.where(first < second, score, 1.0 - score),
    }
    same = ~pl.DataFrame(told).select(pl.struct(pl.all()).is_first_distinct()).to_series().to_numpy()
    if count := int(np.count_nonzero(again & ~same)):
        notes.append(f"{count:,} game{'s have' if count > 1 else ' has'} the id of another game: kept")
    alike: NDArray[np.bool_] = again & same
    return alike


def _numbered(data: Data, names: dict[str, pl.Series]) -> Data:
    """Return columns with players and labels numbered by first appearance; `names` come to stand in that order."""
    done = dict(data)
    sides, seen = intake.appearance(data["first"], data["second"], size=len(names["player"]))
    done["first"], done["second"] = sides
    names["player"] = names["player"].gather(seen)
    for label in LABELS.keys() & data.keys():
        (done[label],), seen = intake.appearance(data[label], size=len(names[label]))
        names[label] = names[label].gather(seen)
    return done


def _labelled(data: Data, names: Mapping[str, pl.Series], players: pl.DataFrame | None) -> dict[str, Any]:
    """Return the columns of a stream with what their codes stand for."""
    labels = {plural: tuple(names[label]) for label, plural in LABELS.items() if label in data}
    return {**data, **labels, "players": with_attributes(names["player"].alias("player"), players)}


def with_attributes(seen: pl.Series, players: pl.DataFrame | None) -> pl.DataFrame:
    """Return the table of players: those seen, in order, then the rest of the given table."""
    if players is None:
        return seen.to_frame()
    if "player" not in players.columns:
        near = nearest("player", players.columns)
        raise InputError("the table of players has no column 'player'", expected="their names", near=near)
    players = players.with_columns(pl.col("player").cast(pl.String))
    name = players["player"]
    if name.null_count() or name.n_unique() < len(name):
        wrong = name.filter(name.is_null() | name.is_duplicated())[0]
        raise InputError(f"{wrong or 'a player without a name'} in the table of players", expected="each player once")
    table = seen.to_frame().join(players, on="player", how="left", maintain_order="left")
    return pl.concat([table, players.filter(~name.is_in(seen.implode())).select(table.columns)])


def _framed(name: str, *parts: bytes | memoryview) -> Iterator[bytes | memoryview]:
    """Yield a named list of bytes with lengths, so that no two lists hash alike."""
    for part in (name.encode(), *parts):
        yield memoryview(part).nbytes.to_bytes(8, "little")
        yield part
    yield b"end of list"


def _cells(column: pl.Series) -> tuple[bytes, ...]:
    """Return what a column of attributes holds: its values, and which of them are missing."""
    missing = np.packbits(column.is_null().to_numpy()).tobytes()
    if column.dtype.is_numeric() or column.dtype.is_temporal() or column.dtype == pl.Boolean:
        values = column.to_physical().cast(pl.Float64).fill_null(0.0).to_numpy()
        return missing, values.astype("<f8").tobytes()
    texts = column.cast(pl.String).fill_null("")
    return missing, texts.str.len_bytes().to_numpy().astype("<u8").tobytes(), "".join(texts).encode()
