"""Games on disk in order of time, taken piece by piece: memory holds players, not games."""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..debuts import Debuts
from ..errors import InputError
from ..intake import Origin, Span, days, numbers
from ..stream import LABELS, MAY_BE_MISSING, NUMBERS, OF_A_PAIR, SCORE, GameStream, doubts, silent, with_attributes
from .canonical import players_of
from .numbering import Numbering
from .table import PARQUET, readable

PIECE: Final = 2**20  # games
NEEDED: Final = ("first", "second", "score", "time")
NAMED: Final = {
    label: names for label, names in LABELS.items() if label != "event"
}  # of a season, stage or pool are many games
COLUMNS: Final = (
    *NEEDED,
    *NUMBERS,
    *NAMED,
)  # events are for lists and for strata by event, which need all games at once
NAMES: Final = {"first", "second", *NAMED}


class Stamp(NamedTuple):
    """By which a file is known to be as it was."""

    size: int  # bytes
    changed: int  # nanoseconds since 1970

    @classmethod
    def of(cls, path: Path) -> Self:
        """Look at a file.

        Raises
        ------
        InputError : there is none.
        """
        with readable(path):
            found = path.stat()
        return cls(found.st_size, found.st_mtime_ns)


@dataclass(frozen=True, eq=False, repr=False)
class GameFile(Debuts):
    """Games of a Parquet file in order of time; make one with `scan`.

    Attributes
    ----------
    path, source : where the games are.
    games : their number G. columns : what the file has of a stream's.
    players : one row a player, in order of first appearance, as of a `GameStream`.
    begins, ends : time of the first and the last game, days since 1970-01-01 UTC.
    tied : whether any two games share a time.
    seasons, stages, pools : names, in order of first appearance.
    piece : games in a piece, at most.
    notes : what a look at all games found, a line each.
    stamp : of the file as it was looked at; it must not change from then on.
    """

    path: Path
    games: int
    columns: tuple[str, ...]
    players: pl.DataFrame
    begins: float
    ends: float
    tied: bool
    seasons: tuple[str, ...] = ()
    stages: tuple[str, ...] = ()
    pools: tuple[str, ...] = ()
    piece: int = PIECE
    notes: tuple[str, ...] = ()
    source: Mapping[str, Any] = field(default_factory=dict)
    stamp: Stamp | None = None

    def __len__(self) -> int:
        """Return the number of games G."""
        return self.games

    def __repr__(self) -> str:
        """Return a line about the file: `<GameFile lichess.parquet: 93,000,000 games of 1,500,000 players>`."""
        return f"<{type(self).__name__} {self.path.name}: {self.games:,} games of {self.n_players:,} players>"

    def __getstate__(self) -> dict[str, Any]:
        """Leave behind what another process makes anew, which may work in another folder."""
        kept = {name: value for name, value in self.__dict__.items() if name != "_numberings"}
        return {**kept, "path": self.path.absolute()}

    @property
    def n_players(self) -> int:
        """The number of players N."""
        return self.players.height

    @cached_property
    def digest(self) -> str:
        """SHA-256 in hex of the file, which stands for its games: that of a stream in memory is another.

        Raises
        ------
        InputError : the file is no longer what it was.
        """
        with readable(self.path), self.path.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
        self._check_same()
        return found

    @cached_property
    def _numberings(self) -> dict[str, Numbering]:
        names = {"first": self.players["player"]}
        names |= {name: pl.Series(getattr(self, of), dtype=pl.String) for name, of in NAMED.items()}
        return {name: Numbering(names[name], kind) for name, kind in _kinds(self.path, self.columns).items()}

    def pieces(self) -> Iterator[GameStream]:
        """Yield the games in order of time as streams that share players, seasons, stages and pools.

        Raises
        ------
        InputError : the file is no longer what it was.
        """
        common: dict[str, Any] = {"players": self.players, **{of: getattr(self, of) for of in NAMED.values()}}
        for frame, origin in self._unchanged():
            found: dict[str, Any]
            first, second = self._numberings["first"].known(frame["first"], frame["second"])
            found = {"first": first, "second": second, **_values(frame, origin)}
            for name in NAMED:
                if name in self.columns:
                    (found[name],) = self._numberings[name].known(frame[name])
            if any((found[name] < 0).any() for name in NAMES & found.keys()):
                raise self._changed()
            yield GameStream(**common, **found)

    def _unchanged(self) -> Iterator[tuple[pl.DataFrame, Origin]]:
        """Yield all games in frames, and where they stand, as long as they are those that `scan` saw.

        Raises
        ------
        InputError : they are not.
        """
        games, ends = 0, self.begins
        frames = _frames(self.path, self.columns, self.piece)
        while True:
            self._check_same()
            try:
                found = next(frames, None)
            except InputError:
                self._check_same()
                raise
            self._check_same()
            if found is None:
                break
            time = found[0]["time"].cast(pl.Float64)
            games += len(time)
            if games > self.games or time[0] < ends or not time.is_sorted():
                raise self._changed()
            ends = float(time[-1])
            yield found
        if (games, ends) != (self.games, self.ends):
            raise self._changed()

    def _check_same(self) -> None:
        if self.stamp is not None and Stamp.of(self.path) != self.stamp:
            raise self._changed()

    def _changed(self) -> InputError:
        return InputError(
            "has changed since it was looked at", where=str(self.path), expected="the same games throughout"
        )

    def among(self, players: pl.DataFrame, labels: Mapping[str, tuple[str, ...]]) -> Self:
        """Return the same games with other players, and `seasons`, `stages` and `pools`, before its own."""
        named: dict[str, Any] = dict(labels)
        return replace(self, players=players, **named)


def games_in(path: Path) -> int:
    """Return how many rows a Parquet file has.

    Raises
    ------
    InputError : it cannot be read.
    """
    with readable(path):
        return int(_table(path).select(pl.len()).collect().item())


def scan(path: str | Path, *, piece: int = PIECE) -> GameFile:
    """Look at games on disk, to replay them with memory for players only.

    Ratings by pool have a row for each player in each pool, played there or not. Columns that say nothing of any game
    are none, as `read` has it, and events are not read.

    Parameters
    ----------
    path : a Parquet file as `ratesim import` and `write_games` make: in order of time, which is in days since
        1970-01-01 UTC, with a stream's own names of columns.
    piece : games that are in memory at a time.

    Raises
    ------
    InputError : it is not so; what to do is said.
    """
    path = Path(path)
    stamp, columns = Stamp.of(path), _columns(path)
    labels = {name: Numbering(kind=kind) for name, kind in _kinds(path, columns).items()}
    players, span = labels.pop("first"), Span()
    games, begins, ends, tied, told = 0, np.nan, -np.inf, False, set[str]()
    for frame, origin in _frames(path, columns, piece):
        first, second = players.learn(frame["first"], frame["second"])
        origin.refuse(first == second, "second", "{} plays against themselves", frame["first"], "another player")
        for name, numbering in labels.items():
            numbering.learn(frame[name])
        values = _values(frame, origin)
        time = values["time"]
        span.add(time)
        told |= {name for name, value in values.items() if name not in told and not np.isnan(value).all()}
        if time[0] < ends or (time[1:] < time[:-1]).any():
            raise _not_canonical(path, "has games that stand after later ones")
        tied = tied or bool(time[0] == ends or (time[1:] == time[:-1]).any())
        begins, ends, games = (begins if games else float(time[0])), float(time[-1]), games + len(time)
    if not games:
        raise InputError("no games", where=str(path), expected="at least one")
    names = _named(players.names, path)
    table = with_attributes(names.alias("player"), players_of(path))
    labelled = {NAMED[name]: tuple(_named(numbering.names, path)) for name, numbering in labels.items()}
    none = silent(told, columns)
    years = span.years()
    file = GameFile(
        path, games, tuple(name for name in columns if name not in none), table, begins, ends, tied, piece=piece,
        notes=(*doubts(names), *([years] if years else [])), source={"path": path.name}, stamp=stamp, **labelled,
    )  # fmt: skip
    file._check_same()  # noqa: SLF001  # it may have changed while it was looked at
    return file


def _table(path: Path) -> pl.LazyFrame:
    return pl.scan_parquet(path, glob=False, hive_partitioning=False)


def _columns(path: Path) -> tuple[str, ...]:
    """Return the columns of a stream that a file has, but for names that it gives to no game.

    Of columns that are told of first and of second, one alone brings the other.

    Raises
    ------
    InputError : it is not as we write them.
    """
    with readable(path):
        with path.open("rb") as file:
            if file.read(len(PARQUET)) != PARQUET:
                raise _not_canonical(path, "is no Parquet file")
        table = _table(path)
        schema = table.collect_schema()
        named = [name for name in NAMED if name in schema]
        counts = table.select(pl.len(), pl.col(named).count()).collect().row(0, named=True)
    found = {name for name in COLUMNS if name in schema and not (counts["len"] and counts.get(name) == 0)}
    for name in NEEDED:
        if name not in found:
            raise _not_canonical(path, f"has no column '{name}'")
    for name in sorted(found):
        if schema[name] == pl.Null and name in MAY_BE_MISSING:
            continue
        text = schema[name] == pl.String or isinstance(schema[name], pl.Categorical | pl.Enum)
        if text != (name in NAMES) or not (text or schema[name].is_numeric()):
            raise _not_canonical(path, f"has {schema[name]} in column '{name}'")
    found |= {pair for name, pair in OF_A_PAIR.items() if name in found}
    return tuple(name for name in COLUMNS if name in found)


def _kinds(path: Path, columns: tuple[str, ...]) -> dict[str, pl.DataType]:
    """Return the type of each column of names; first's is second's too, or will do."""
    with readable(path):
        schema = _table(path).collect_schema()
    return {name: schema[name] for name in columns if name in NAMES and name != "second"}


def _not_canonical(path: Path, what: str) -> InputError:
    return InputError(what, where=str(path), expected=f"a file that `ratesim import {path} -o GAMES.parquet` makes")


def _frames(path: Path, columns: tuple[str, ...], piece: int) -> Iterator[tuple[pl.DataFrame, Origin]]:
    """Yield so many games at a time, and where they stand."""
    with readable(path):
        whole = _table(path)
        there = whole.collect_schema().names()
        table = whole.select(name if name in there else pl.lit(None, pl.Float64).alias(name) for name in columns)
        games = whole.select(pl.len()).collect().item()
    for begin in range(0, games, piece):
        with readable(path):
            frame = table.slice(begin, piece).collect()
        origin = Origin(str(path), np.arange(begin + 1, begin + len(frame) + 1, dtype=np.int32))
        for name in NAMES.intersection(columns):
            origin.refuse(frame[name].is_null().to_numpy(), name, f"no {name}", frame[name], "a name")
        yield frame, origin


def _values(frame: pl.DataFrame, origin: Origin) -> dict[str, NDArray[np.float64]]:
    """Return the columns that are numbers, checked."""
    found = {"score": numbers(frame["score"], "score", origin, SCORE), "time": days(frame["time"], "time", origin)}
    for name in frame.columns:
        if name in NUMBERS:
            found[name] = numbers(frame[name], name, origin, NUMBERS[name])
    return found


def _named(names: pl.Series, path: Path) -> pl.Series:
    """Return names, all of them plain."""
    wrong = names.filter((names.str.strip_chars() == "") | names.str.contains(r"[\p{Cc}\x{2028}\x{2029}]"))
    if len(wrong):
        raise _not_canonical(path, f"has {str(wrong[0])!r} for a name")
    return names
