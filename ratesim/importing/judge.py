"""What no format may say of a game, judged alike for all: who played, how it ended, when, and numbers out of range."""

from collections import Counter
from collections.abc import Iterator
from typing import Final, Literal, NamedTuple

import polars as pl

from ..intake import FARTHEST, Numbers, all_within, distinct, shown
from ..io.batch import ANONYMOUS, GAMES, REJECTS, Batch
from ..stream import NUMBERS, SCORE

Themselves = Literal["refuse", "drop"]

DAY: Final = Numbers("a date, or days since 1970-01-01", -FARTHEST, FARTHEST)
OTHER_DAY: Final = DAY._replace(missing=True)
CHANGE: Final = Numbers("a change of a rating, in rating points", missing=True)
RANGES: Final = {
    "score": SCORE,
    "time": DAY,
    **NUMBERS,
    "event_start": OTHER_DAY,
    "event_end": OTHER_DAY,
    "rated_on": OTHER_DAY,
    "change_first": CHANGE,
    "change_second": CHANGE,
}
PLAYERS: Final = ("first", "second")
LABELS: Final = ("season", "stage", "event", "pool")
CODED: Final = (pl.Categorical, pl.Enum)
CONTROL: Final = r"[\p{Cc}\x{2028}\x{2029}]"
NO_NAME: Final = rf"^\s*$|{CONTROL}"


class Fault(NamedTuple):
    """Games that are wrong in one way."""

    games: pl.Series  # (G,) of bool
    column: str
    what: str  # `{}` where the value belongs
    expected: str


def judged(batch: Batch, *, themselves: Themselves = "refuse", raw: bool = True) -> Batch:
    """Return a batch without the games that are wrong; they are among its rejects, with the first fault of each.

    Parameters
    ----------
    themselves : what becomes of a player's games against themselves: refused as wrong, or dropped and counted.
    raw : whether rejects keep what was read of the game, as JSON.
    """
    nothing = {name: GAMES[name] for name, dtype in batch.games.schema.items() if dtype == pl.Null}
    games, left_out = batch.games.cast(nothing), Counter(batch.left_out)  # type: ignore[arg-type]  # names are columns
    if (same := _same(games)).any():
        nobody = same & (games["first"].cast(pl.String).str.to_lowercase() == ANONYMOUS)
        left_out["both anonymous"] += int(nobody.sum())
        if themselves == "drop":
            left_out["against themselves"] += int((same & ~nobody).sum())
            nobody = same
        games = games.filter(~nobody)
    found = [each for each in _faults(games) if each.games.any()]
    if not found:
        return batch._replace(games=games, left_out=+left_out)
    good = pl.repeat(value=True, n=len(games), eager=True)
    rejects = [batch.rejects]
    for fault in found:
        rejects.append(_rejected(games, fault, good & fault.games, batch, raw=raw))
        good &= ~fault.games
    return batch._replace(games=games.filter(good), left_out=+left_out, rejects=pl.concat(rejects))


def _rejected(games: pl.DataFrame, fault: Fault, bad: pl.Series, batch: Batch, *, raw: bool) -> pl.DataFrame:
    told = games.filter(bad)
    place = told["place"] if "place" in told.columns else pl.repeat(None, len(told), dtype=pl.Int64, eager=True)
    return pl.DataFrame(
        {
            "place": place,
            "column": pl.repeat(batch.names.get(fault.column, fault.column), len(told), dtype=pl.String, eager=True),
            "what": pl.repeat(fault.what, len(told), dtype=pl.String, eager=True),
            "value": pl.Series([shown(value) for value in told[fault.column]], dtype=pl.String),
            "expected": pl.repeat(fault.expected, len(told), dtype=pl.String, eager=True),
            "raw": told.select(pl.struct(pl.exclude("place")).struct.json_encode()).to_series() if raw else None,
        },
        schema=REJECTS,
    )


def _faults(games: pl.DataFrame) -> Iterator[Fault]:
    if _doubtful([games[side] for side in PLAYERS]):
        for side in PLAYERS:
            yield from _of_names(games[side], "player", "a name", missing=False)
    yield Fault(
        _same(games),
        "second",
        "'{}' plays against themselves",
        "another player, or themselves = 'drop' (--no-self-play)",
    )
    for label in LABELS:
        if label in games.columns:
            yield from _of_names(games[label], label, "a plain name", missing=True)
    for name, kind in RANGES.items():
        if name in games.columns:
            yield from _of_numbers(games[name], kind)


def _same(games: pl.DataFrame) -> pl.Series:
    first, second = games["first"], games["second"]
    if first.dtype != second.dtype:
        first, second = first.cast(pl.String), second.cast(pl.String)
    return (first == second).fill_null(value=False)


def _doubtful(columns: list[pl.Series]) -> bool:
    """Return whether any name is missing, blank or not on one line: looked up once for all columns of a kind."""
    if any(column.null_count() for column in columns):
        return True
    if len({column.dtype for column in columns}) == 1:
        columns = [pl.concat(columns)]
    return any(_there(column).str.contains(NO_NAME).any() for column in columns)


def _there(column: pl.Series) -> pl.Series:
    return distinct(column) if column.dtype in CODED else column.unique().cast(pl.String)


def _of_names(column: pl.Series, what: str, expected: str, *, missing: bool) -> Iterator[Fault]:
    there = _there(column)
    blank = there.filter(there.str.strip_chars() == "")
    if len(blank) or (column.null_count() and not missing):
        none = column.cast(pl.String).str.strip_chars() == ""
        yield Fault(none.fill_null(value=not missing), column.name, f"no {what}", expected)
    broken = there.filter(there.str.contains(CONTROL))
    if len(broken):
        bad = column.cast(pl.String).is_in(broken.implode()).fill_null(value=False)
        yield Fault(bad, column.name, f"{what} '{{}}' has a control character", "a plain name")


def _of_numbers(column: pl.Series, kind: Numbers) -> Iterator[Fault]:
    if not column.null_count() and all_within(column.to_numpy(), kind):
        return
    words = column.name.replace("_", " ")
    unknown = column.is_null() | column.is_nan()
    if not kind.missing:
        yield Fault(unknown, column.name, f"no {words}", kind.expected)
    known = column.fill_nan(None)
    outside = (known < kind.low) | (known > kind.high) | known.is_infinite()
    yield Fault(outside.fill_null(value=False), column.name, f"{words} {{}}", kind.expected)
