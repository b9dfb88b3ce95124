"""Games of PGN as a batch: what the tags say of each, what is wrong with some, which are none to rate."""

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..intake import shown
from .batch import PRECISION, REJECTS, Asked, Batch
from .pgn_lines import NOTHING, OTHER, UNKNOWN
from .pgn_places import Places
from .pgn_table import Table, Words, decoded
from .pgn_words import (
    DAY,
    FALSE_DAY,
    FORFEIT,
    MOST,
    NO_CLOCK,
    NO_DAY,
    NO_RESULT,
    PRECISIONS,
    SAID,
    SCORES,
    change_of,
    day_code,
    id_of,
    rating_of,
)
from .trf_words import title_of

SIDES: Final = {"first": "White", "second": "Black"}
EVENT_DAY: Final = 4  # in PRECISION
A_RESULT: Final = "1-0, 0-1, 1/2-1/2 or *"
A_DAY: Final = "a date, YYYY.MM.DD"
NO_REJECTS: Final = pl.DataFrame(schema=REJECTS)
A_RATING: Final = f"a rating below {MOST:,.0f}"


class Fault(NamedTuple):
    """Games that are wrong in one way."""

    games: NDArray[np.bool_]  # (G,)
    tag: str
    what: str
    expected: str


class Found(NamedTuple):
    """Games that a scanner has found."""

    table: Table
    lines: NDArray[np.int64]  # (G,) of the first tag
    endings: NDArray[np.int64]  # (G,) what moves end with
    prints: NDArray[np.int64]  # (G,) fingerprints


class When(NamedTuple):
    """When games were played."""

    time: NDArray[np.float64]  # NaN: not known
    precision: NDArray[np.int64]  # in PRECISION
    false: dict[str, NDArray[np.bool_]]  # tags of dates that are of no calendar, where no good one stands beside them


def batch_of(source: str, found: Found, asked: Asked, raw: "Raw | None" = None) -> Batch:
    """Return what was found as a batch.

    A game that no result can be told of is left out if the source says so: `*` is `unfinished`, a termination
    `unplayed` (broadcasts of Lichess), results such as `0-0` and `+/-` are `forfeit`. The result is that of the tag,
    or that which the moves end with where the tag says `*` or nothing; where they say two different things, and where
    nobody says anything, the game is a reject.
    """
    table = found.table
    places = Places(table, asked.list)
    players = {side: _player(table, tag) for side, tag in SIDES.items()}
    results, contradicts = _results(found)
    when = _when(table)
    ratings = {tag: _ratings(table, tag, places) for tag in SIDES.values()}
    left = _left_out(table, results)
    faults = _faults(players, results, contradicts, when, ratings)
    good, rejects = _rejected(found, faults, ~np.any([*left.values()], axis=0), raw)
    columns = {
        "place": pl.Series(found.lines),
        **{side: words.series() for side, (words, _) in players.items()},
        "score": pl.Series(_lookup(SCORES, np.nan)[results]),
        "time": pl.Series(when.time),
        "precision": pl.Series(when.precision.astype(np.uint8)).cat.to(PRECISION),
        "edge": pl.Series([1.0]).new_from_index(0, len(table)),
        **{f"published_{side}": pl.Series(ratings[tag], nan_to_null=True) for side, tag in SIDES.items()},
        **places.columns(),
        **(places.beside() | dict(_changes(table)) if asked.beside else {}),
        **({"fingerprint": _prints(found, places.ids)} if asked.beside else {}),
        **dict(_attributes(table, players)),
    }
    games = pl.DataFrame(columns)
    games = games if good.all() else games.filter(pl.Series(good))
    games = games.drop([name for name in games.columns[6:] if _empty(games[name], name, places)])
    counts = {why: int(which.sum()) for why, which in left.items() if which.any()}
    return Batch(source, games, rejects, counts, notes=places.notes())


class Raw(NamedTuple):
    """The lines of tags of games as they stand."""

    text: NDArray[np.uint8]
    ends: NDArray[np.int64]  # (G,)

    def of(self, row: int) -> str:
        """Return those of one game."""
        lines = self.text[self.ends[row - 1] if row else 0 : self.ends[row]].tobytes().split(b"\n")
        return "\n".join(map(decoded, lines))


def _lookup(values: dict[int, float], other: float) -> NDArray[np.float64]:
    return np.array([values.get(code, other) for code in range(NO_RESULT + 1)])


def _empty(column: pl.Series, name: str, places: Places) -> bool:
    """Whether a column can be left out."""
    return column.null_count() == len(column) and not (name == "event_start" and places.unsure)


def _player(table: Table, tag: str) -> tuple[Words, Words]:
    """Return what players are called, by FIDE id or else by name; and the ids."""
    ids = table.words(f"{tag}FideId").mapped(id_of)
    return table.words(tag).under(ids), ids


def _results(found: Found) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return how games ended, and whether tag and moves say two different things."""
    told = found.table.results()
    moves = np.where(found.endings == OTHER, NOTHING, found.endings)
    played = (moves > UNKNOWN) & (told <= UNKNOWN)
    silent = (told == NOTHING) & (moves == UNKNOWN)
    contradicts = (moves > UNKNOWN) & (told > UNKNOWN) & (told < FORFEIT) & (moves != told)
    return np.where(played | silent, moves, told), contradicts


def _left_out(table: Table, results: NDArray[np.int64]) -> dict[str, NDArray[np.bool_]]:
    """Return which games the source says are none to rate, by reason."""
    unplayed = table.words("Termination").numbers(lambda word: word.lower() == "unplayed", missing=False, dtype=bool)
    return {
        "unplayed": unplayed,
        "unfinished": (results == UNKNOWN) & ~unplayed,
        "forfeit": (results == FORFEIT) & ~unplayed,
    }


def _when(table: Table) -> When:
    """Return when games were played: by the better known of UTCDate and Date, or else by EventDate.

    A clock counts with its own date: UTCTime with UTCDate, Time, whatever zone it is of, with Date; one that cannot be
    read counts for nothing, and the game is known by its day. Where there is no clock, GameStartTime counts, unless it
    is more than a day away. Of a date that is known in part, the game stands on the last day that it can mean.
    """
    codes = {tag: table.words(tag).numbers(day_code, NO_DAY, np.int64) for tag in ("UTCDate", "Date", "EventDate")}
    utc, local, event = codes.values()
    best = np.where(_worth(utc) <= _worth(local), utc, local)
    of_event = (best <= FALSE_DAY) & (event > FALSE_DAY)
    days, known = np.divmod(np.where(of_event, event, best), PRECISIONS)
    seconds = np.where(best == utc, table.clock("UTCTime"), table.clock("Time"))
    dated = best > FALSE_DAY
    told = dated & (known == DAY)
    timed = told & (seconds != NO_CLOCK)
    time = np.where(dated | of_event, days + np.where(timed, seconds, 0) / 86400, np.nan)
    stamp = table.stamps()
    stamped = ~timed & ~np.isnan(stamp) & (~told | (np.abs(np.floor(stamp) - days) <= 1))
    time = np.where(stamped, stamp, time)
    precision = np.where(timed | stamped, 0, np.where(of_event & (known == DAY), EVENT_DAY, known))
    false = {tag: ~dated & (codes[tag] == FALSE_DAY) for tag in ("UTCDate", "Date")}
    false["EventDate"] = np.isnan(time) & (event == FALSE_DAY)
    return When(time, np.where(np.isnan(time), 0, precision), false)


def _worth(codes: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.where(codes > FALSE_DAY, codes % PRECISIONS, PRECISIONS)


def _faults(
    players: dict[str, tuple[Words, Words]], results: NDArray[np.int64], contradicts: NDArray[np.bool_], when: When,
    ratings: dict[str, NDArray[np.float64]],
) -> Iterator[Fault]:  # fmt: skip
    """Yield what can be wrong with games, in the order in which it is said of one that has several faults."""
    for side, tag in SIDES.items():
        words = players[side][0]
        yield Fault(words.names.is_null().to_numpy()[words.at], tag, "no player", "a name or a FIDE id")
    yield Fault(results == NO_RESULT, "Result", "'{}' is no result", A_RESULT)
    yield Fault(contradicts, "Result", "result '{}' contradicts the moves", "what the moves end with")
    yield Fault(results == NOTHING, "Result", "no result", A_RESULT)
    unknown = np.isnan(when.time)
    for tag, false in when.false.items():
        yield Fault(false, tag, "'{}' is no date", A_DAY)
    yield Fault(unknown, "Date", "no date", A_DAY)
    for tag, values in ratings.items():
        yield Fault(np.isinf(values), f"{tag}Elo", "'{}' is no rating", A_RATING)


def _rejected(
    found: Found, faults: Iterator[Fault], there: NDArray[np.bool_], raw: Raw | None
) -> tuple[NDArray[np.bool_], pl.DataFrame]:
    """Return which games are good, and what is wrong with the others."""
    rows: list[tuple[int, str, str, str, str, str | None]] = []
    for fault in faults:
        for row in np.flatnonzero(there & fault.games).tolist():
            value = shown(found.table.word(row, fault.tag))
            said = SAID.get(int(found.endings[row])) if fault.what.endswith("the moves") else None
            expected = f"{said}, as the moves end" if said else fault.expected
            lines = raw.of(row) if raw else None
            rows.append((int(found.lines[row]), fault.tag, fault.what, value, expected, lines))
        there = there & ~fault.games
    rows.sort(key=lambda reject: reject[0])
    return there, pl.DataFrame(rows, schema=REJECTS, orient="row") if rows else NO_REJECTS


def _ratings(table: Table, tag: str, places: Places) -> NDArray[np.float64]:
    """Return ratings before games, see `rating_of`."""
    found = table.words(f"{tag}Elo").numbers(rating_of, np.nan)
    return np.where(places.after, np.nan, found) if places.after.any() else found


def _changes(table: Table) -> Iterator[tuple[str, pl.Series]]:
    for side, tag in SIDES.items():
        change = table.words(f"{tag}RatingDiff").numbers(change_of, np.nan)
        yield f"change_{side}", pl.Series(change, nan_to_null=True)


def _prints(found: Found, ids: pl.Series) -> pl.Series:
    """Return fingerprints of games that have no id, of all their tags and moves."""
    nobody = pl.Series([None], dtype=pl.UInt64)
    return pl.Series(found.prints.astype(np.uint64)).zip_with(ids.is_null(), nobody)


def _attributes(table: Table, players: dict[str, tuple[Words, Words]]) -> Iterator[tuple[str, pl.Series]]:
    """Yield what tags say of the players: their names where they are called by id, titles and federations."""
    for side, tag in SIDES.items():
        ids = players[side][1]
        if not ids.silent:
            by_id = ids.series().is_not_null()
            yield f"name_{side}", table.words(tag).series().zip_with(by_id, pl.Series([None], dtype=pl.String))
        yield f"title_{side}", table.words(f"{tag}Title").mapped(title_of).series()
        federation = table.words(f"{tag}Fed").under(table.words(f"{tag}Federation"))
        yield f"federation_{side}", federation.series()
