"""Games on disk in order of time, taken piece by piece: memory holds players, not games."""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..errors import InputError
from ..intake import Origin, days, numbers
from ..stream import LABELS, NUMBERS, SCORE, GameStream, with_attributes
from .canonical import players_of
from .numbering import Numbering
from .table import PARQUET, readable

PIECE: Final = 2**20  # games
NEEDED: Final = ("first", "second", "score", "time")
COLUMNS: Final = (*NEEDED, *NUMBERS, *LABELS)  # starts and ends of events are for lists, which need all games at once
NAMES: Final = {"first", "second", *LABELS}


@dataclass(frozen=True, eq=False, repr=False)
class GameFile:
    """Games of a Parquet file in order of time; make one with `scan`.

    Attributes
    ----------
    path, source : where the games are.
    games : their number G. columns : what the file has of a stream's.
    players : one row a player, in order of first appearance, as of a `GameStream`.
    begins, ends : time of the first and the last game, days since 1970-01-01 UTC.
    tied : whether any two games share a time.
    seasons, events, pools : names, in order of first appearance.
    piece : games in a piece, at most.
    """

    path: Path
    games: int
    columns: tuple[str, ...]
    players: pl.DataFrame
    begins: float
    ends: float
    tied: bool
    seasons: tuple[str, ...] = ()
    events: tuple[str, ...] = ()
    pools: tuple[str, ...] = ()
    piece: int = PIECE
    notes: tuple[str, ...] = ()
    source: Mapping[str, Any] = field(default_factory=dict)

    def __len__(self) -> int:
        """Return the number of games G."""
        return self.games

    def __repr__(self) -> str:
        """Return a line about the file: `<GameFile lichess.parquet: 93,000,000 games of 1,500,000 players>`."""
        return f"<{type(self).__name__} {self.path.name}: {self.games:,} games of {self.n_players:,} players>"

    def __getstate__(self) -> dict[str, Any]:
        """Leave behind what another process makes anew."""
        return {name: value for name, value in self.__dict__.items() if name != "_numberings"}

    @property
    def n_players(self) -> int:
        """The number of players N."""
        return self.players.height

    @cached_property
    def digest(self) -> str:
        """SHA-256 in hex of the file, which stands for its games: that of a stream in memory is another."""
        with self.path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()

    @cached_property
    def _numberings(self) -> dict[str, Numbering]:
        names = {"first": self.players["player"]}
        names |= {name: pl.Series(getattr(self, of), dtype=pl.String) for name, of in LABELS.items()}
        return {name: Numbering(names[name], kind) for name, kind in _kinds(self.path, self.columns).items()}

    def pieces(self) -> Iterator[GameStream]:
        """Yield the games in order of time as streams that share players, seasons, events and pools.

        Raises
        ------
        InputError : the file is no longer what it was.
        """
        common: dict[str, Any] = {"players": self.players, **{of: getattr(self, of) for of in LABELS.values()}}
        for frame, origin in _frames(self.path, self.columns, self.piece):
            found: dict[str, Any]
            first, second = self._numberings["first"].known(frame["first"], frame["second"])
            found = {"first": first, "second": second, **_values(frame, origin)}
            for name in LABELS:
                if name in self.columns:
                    (found[name],) = self._numberings[name].known(frame[name])
            if any((found[name] < 0).any() for name in NAMES & found.keys()):
                raise InputError("has changed since it was looked at", where=str(self.path), expected="rs.scan again")
            yield GameStream(**common, **found)

    def among(self, players: pl.DataFrame, seasons: tuple[str, ...], pools: tuple[str, ...]) -> Self:
        """Return the same games with other players, seasons and pools before its own."""
        return replace(self, players=players, seasons=seasons, pools=pools)

    def published_starts(self) -> pl.DataFrame:
        """Return the first rating that the games publish of each player, as `GameStream.published_starts` does.

        Raises
        ------
        InputError : they publish no rating.
        """
        starts = self._starts("published_first", "published_second")
        if starts is None:
            expected = "columns published_first and published_second"
            raise InputError("the stream has no published ratings", where="start", expected=expected)
        return starts

    def skill_starts(self) -> pl.DataFrame:
        """Return the skill of each player in their first game, as `GameStream.skill_starts` does.

        Raises
        ------
        InputError : the games know no skills.
        """
        starts = self._starts("skill_first", "skill_second")
        if starts is None:
            raise InputError("the stream has no skills", where="start", expected="a simulated stream")
        return starts.with_columns(pl.col("rating").round())

    def _starts(self, *sides: str) -> pl.DataFrame | None:
        """Return what two columns first say of each player as ratings; None if they say nothing."""
        if not set(sides) <= set(self.columns):
            return None
        rating = np.full(self.n_players, np.nan)
        for games in self.pieces():
            player = np.stack([games.first, games.second], axis=1).ravel()
            found = np.stack([getattr(games, side) for side in sides], axis=1).ravel()
            new = np.flatnonzero(~np.isnan(found) & np.isnan(rating[player]))[::-1]  # what is told first is put last
            rating[player[new]] = found[new]
        born = [pl.col("born").cast(pl.Float64)] if "born" in self.players.columns else []
        table = self.players.select("player", pl.Series("rating", rating), *born).filter(pl.col("rating").is_not_nan())
        return table if len(table) else None


def games_in(path: Path) -> int:
    """Return how many rows a Parquet file has."""
    return int(pl.scan_parquet(path, glob=False, hive_partitioning=False).select(pl.len()).collect().item())


def scan(path: str | Path, *, piece: int = PIECE) -> GameFile:
    """Look at games on disk, to replay them with memory for players only.

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
    columns = _columns(path)
    labels = {name: Numbering(kind=kind) for name, kind in _kinds(path, columns).items()}
    players = labels.pop("first")
    games, begins, ends, tied = 0, np.nan, -np.inf, False
    for frame, origin in _frames(path, columns, piece):
        first, second = players.learn(frame["first"], frame["second"])
        origin.refuse(first == second, "second", "{} plays against themselves", frame["first"], "another player")
        for name, numbering in labels.items():
            numbering.learn(frame[name])
        time = _values(frame, origin)["time"]  # which are all looked at
        if time[0] < ends or (time[1:] < time[:-1]).any():
            raise _not_canonical(path, "has games that stand after later ones")
        tied = tied or bool(time[0] == ends or (time[1:] == time[:-1]).any())
        begins, ends, games = (begins if games else float(time[0])), float(time[-1]), games + len(time)
    if not games:
        raise InputError("no games", where=str(path), expected="at least one")
    table = with_attributes(_named(players.names, path).alias("player"), players_of(path))
    told = {LABELS[name]: tuple(_named(numbering.names, path)) for name, numbering in labels.items()}
    return GameFile(path, games, columns, table, begins, ends, tied, piece=piece, source={"path": path.name}, **told)


def _columns(path: Path) -> tuple[str, ...]:
    """Return the columns of a stream that a file has.

    Raises
    ------
    InputError : it is not as we write them.
    """
    with readable(path):
        with path.open("rb") as file:
            if file.read(len(PARQUET)) != PARQUET:
                raise _not_canonical(path, "is no Parquet file")
        schema = pl.scan_parquet(path, glob=False, hive_partitioning=False).collect_schema()
    columns = tuple(name for name in COLUMNS if name in schema)
    for name in NEEDED:
        if name not in columns:
            raise _not_canonical(path, f"has no column '{name}'")
    for name in columns:
        text = schema[name] == pl.String or isinstance(schema[name], pl.Categorical | pl.Enum)
        if text != (name in NAMES) or not (text or schema[name].is_numeric()):
            raise _not_canonical(path, f"has {schema[name]} in column '{name}'")
    return columns


def _kinds(path: Path, columns: tuple[str, ...]) -> dict[str, pl.DataType]:
    """Return the type of each column of names; first's is second's too, or will do."""
    with readable(path):
        schema = pl.scan_parquet(path, glob=False, hive_partitioning=False).collect_schema()
    return {name: schema[name] for name in columns if name in NAMES and name != "second"}


def _not_canonical(path: Path, what: str) -> InputError:
    return InputError(what, where=str(path), expected=f"a file that `ratesim import {path} -o GAMES.parquet` makes")


def _frames(path: Path, columns: tuple[str, ...], piece: int) -> Iterator[tuple[pl.DataFrame, Origin]]:
    """Yield so many games at a time, and where they stand."""
    with readable(path):
        table = pl.scan_parquet(path, glob=False, hive_partitioning=False).select(columns)
        games = table.select(pl.len()).collect().item()
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
