"""Columns as people have them, checked and made canonical: the rim that everything below it relies on."""

from collections.abc import Mapping, Sequence
from types import NoneType
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from .errors import InputError

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]
Mask = NDArray[np.bool_]
Values = Sequence[Any] | NDArray[Any] | pl.Series

MICROSECONDS = 86_400e6  # in a day
PIECE = 2**16  # rows
FIRST_PIECE = 2**10  # rows, of which most have names not met before
SHOWN = 60  # characters of a cell in a message
FEW = 0.25  # of the games: a share worth taking out
GOLDEN, PRIME = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)  # odd: they keep what they multiply apart
YEARS = (1000, 2100)
DATES = (1000_01_01, 2100_12_31)  # without their hyphens
FARTHEST = 1e9  # days from 1970; a time beyond is a count of seconds or less


def shown(value: object) -> str:
    r"""Return a value as a message shows it: on one line, and not all of a long one.

    >>> print(shown("two\nlines"), shown("a" * 100)[-3:])
    two\nlines ...
    """
    text = str(value)
    text = text if text.isprintable() else repr(text)[1:-1]
    return text if len(text) <= SHOWN else text[: SHOWN - 3] + "..."


class Origin(NamedTuple):
    """Where columns came from, so that a mistake is placed where the user will look for it."""

    place: str = ""  # the file's name
    rows: Ints | None = None  # data row of each game in the file, 1-based; None where they are 1 to G
    names: Mapping[str, str] = {}  # what the file calls a column

    def where(self, column: str, game: int | None = None) -> str:
        """Return "results.csv, row 17, column home_score"; without a game, no row."""
        row = "" if game is None else f"row {game + 1 if self.rows is None else int(self.rows[game])}"
        return ", ".join(filter(None, (self.place, row, f"column {self.names.get(column, column)}")))

    def refuse(self, bad: Mask, column: str, what: str, values: Values, expected: str) -> None:
        """Raise for the first of the bad games, and say how many more there are.

        Parameters
        ----------
        bad : (G,) which games are wrong.
        what : what is wrong with them, `{}` where the value of `values` (G,) belongs.
        """
        if bad.any():
            game = int(bad.argmax())
            more = int(np.count_nonzero(bad)) - 1
            also = f" (and {more:,} more row{'s' if more > 1 else ''})" if more else ""
            raise InputError(what.format(shown(values[game])) + also, where=self.where(column, game), expected=expected)


class Numbers(NamedTuple):
    """What a column of numbers may hold."""

    expected: str  # as an error says it
    low: float = -np.inf
    high: float = np.inf
    missing: bool = False  # missing ones are allowed, and NaN
    whole: bool = False


def series(values: Values, column: str, origin: Origin) -> pl.Series:
    """Return any sequence, array or polars series as a series.

    Raises
    ------
    InputError : its values are of several kinds.

    >>> series([1, 0.5], "score", Origin()).to_list()
    [1.0, 0.5]
    """
    if isinstance(values, pl.Series):
        return values
    try:
        if not isinstance(values, np.ndarray):
            values = list(values)
            if {int, float} <= {type(value) for value in values} <= {int, float, NoneType}:
                return pl.Series(column, values, pl.Float64, strict=False)
        return pl.Series(column, values.copy() if isinstance(values, np.ndarray) else values)  # the caller's may change
    except (TypeError, ValueError, OverflowError, pl.exceptions.PolarsError):
        wrong = "not one sequence of values of one kind"
        raise InputError(wrong, where=origin.where(column), expected="all numbers, or all texts") from None


def lengths(columns: Mapping[str, pl.Series], origin: Origin) -> int:
    """Return the number of games, the same in each column.

    Raises
    ------
    InputError : columns of several lengths, or no games at all.
    """
    games = len(columns["first"])
    for name, column in columns.items():
        if len(column) != games:
            raise InputError(f"{len(column):,} values", where=origin.where(name), expected=f"{games:,}, as in first")
    if not games:
        raise InputError("no games", where=origin.place, expected="at least one")
    return games


def coded(columns: Mapping[str, pl.Series], origin: Origin, what: str) -> tuple[list[Ints], pl.Series]:
    """Return columns of names as codes into the names, which stand in order of first appearance, row by row.

    Parameters
    ----------
    what : what is named: "player", "season".

    Raises
    ------
    InputError : a name is missing, blank, or not on one line.

    >>> coded({"first": pl.Series(["A", "C"]), "second": pl.Series(["B", "A"])}, Origin(), "player")[0]
    [array([0, 2], dtype=int32), array([1, 0], dtype=int32)]
    """
    sides = [_categories(column) for column in columns.values()]
    if len({column.dtype for column in sides}) > 1:
        sides = [column.cast(pl.String).cast(pl.Categorical) for column in sides]
    named = dict(zip(columns, sides, strict=True))
    for name, column in named.items():
        if column.null_count():
            _refuse_names(column, name, origin, what)
    stored = [column.to_physical() for column in sides]
    size = max(_highest(codes) for codes in stored) + 1
    found, order = appearance(*(codes.to_numpy() for codes in stored), size=size)
    names = pl.Series(order, dtype=stored[0].dtype).cat.to(sides[0].dtype).cast(pl.String)
    if (_blank(names) | _broken(names)).any():
        for name, column in named.items():
            _refuse_names(column, name, origin, what)
    return found, names


def texts(column: pl.Series, name: str, origin: Origin, what: str) -> pl.Series:
    """Return a column of names (Categorical, or Enum as given), none of them missing, each on one line.

    Parameters
    ----------
    what : what is named: "player", "season".
    """
    column = _categories(column)
    coded({name: column}, origin, what)
    return column


def distinct(column: pl.Series) -> pl.Series:
    """Return the names in a column (Categorical or Enum) as texts, in no particular order; null if any is missing."""
    there = np.zeros(_highest(column.to_physical()) + 1, np.bool_)
    there[column.to_physical().drop_nulls().to_numpy()] = True
    stored = pl.Series(np.flatnonzero(there), dtype=column.to_physical().dtype)
    names = stored.cat.to(column.dtype).cast(pl.String)
    return names.extend_constant(None, 1) if column.null_count() else names


def _highest(codes: pl.Series) -> int:
    highest = codes.max()
    return highest if isinstance(highest, int) else -1


def _refuse_names(column: pl.Series, name: str, origin: Origin, what: str) -> None:
    """Refuse names that are missing or no names."""
    cells = column.cast(pl.String)
    origin.refuse(_blank(cells).fill_null(value=True).to_numpy(), name, f"no {what}", cells, "a name")
    said = f"{what} '{{}}' has a control character"
    origin.refuse(_broken(cells).to_numpy(), name, said, cells, "a plain name")


def _categories(column: pl.Series) -> pl.Series:
    """Return names as categories (Enum as given)."""
    if isinstance(column.dtype, pl.Enum | pl.Categorical):
        return column
    pieces = column.rechunk().to_frame().iter_slices(PIECE)  # all numbers at once as texts would take 16 bytes each
    return pl.concat([piece.to_series().cast(pl.String).cast(pl.Categorical) for piece in pieces], rechunk=True)


def _blank(names: pl.Series) -> pl.Series:
    return names.str.strip_chars() == ""


def _broken(names: pl.Series) -> pl.Series:
    return names.str.contains(r"[\p{Cc}\x{2028}\x{2029}]")


def numbers(column: pl.Series, name: str, origin: Origin, kind: Numbers) -> Floats:
    """Return a column of finite numbers (G,) of a kind; those that are missing, where they may be, as NaN."""
    if not (column.dtype.is_numeric() or column.dtype in {pl.Boolean, pl.Null}):
        origin.refuse(column.is_not_null().to_numpy(), name, "'{}' is not a number", column, kind.expected)
    words = name.replace("_", " ")
    values: Floats = column.cast(pl.Float64).to_numpy()  # nulls are NaN
    if all_within(values, kind) and not np.signbit(values).any():
        return values  # which is the column's own memory
    values = values + 0.0  # no negative zeros
    if all_within(values, kind):
        return values
    unknown = np.isnan(values)
    if kind.missing:
        values[unknown] = np.nan  # one NaN of all that there are
    else:
        origin.refuse(unknown, name, f"no {words}", values, kind.expected)
    bad = np.isinf(values) | (values < kind.low) | (values > kind.high)
    if kind.whole:
        bad |= ~unknown & (values != np.floor(values))
    origin.refuse(bad, name, f"{words} {{}}", values, kind.expected)
    return values


def all_within(values: Floats, kind: Numbers) -> bool:
    """Return whether all numbers are there and in range: two passes, where finding those that are not takes many."""
    if not len(values) or kind.whole:
        return False
    low, high = values.min(), values.max()  # NaN if any is
    return bool(kind.low <= low and high <= kind.high and np.isfinite(low) and np.isfinite(high))


def in_days(count: pl.Expr, per_day: float) -> pl.Expr:
    """Return numbers of a unit of time as days.

    polars divides a column by one number by way of its inverse, a row alone by the number itself: a last digit would
    depend on how many games stand together.
    """
    return count / (count * 0 + per_day)


def days(column: pl.Series, name: str, origin: Origin, *, missing: bool = False) -> Floats:
    """Return times as days since 1970-01-01 UTC (G,): from dates, datetimes (UTC where they name no zone) or days.

    Dates and datetimes may be texts as ISO 8601 has them, such as 2024-01-31 or 2024-01-31T17:30:00.

    Raises
    ------
    InputError : a time is missing, too far away or no time; or all are dates written as numbers, such as 20240131.
    """
    if column.dtype == pl.String:
        column = _written(column, name, origin)
    if column.dtype == pl.Date or isinstance(column.dtype, pl.Datetime):
        moments = column.cast(pl.Datetime("us")) if column.dtype == pl.Date else column
        column = moments.to_frame("us").select(in_days(pl.col("us").dt.timestamp("us"), MICROSECONDS)).to_series()
    expected = "a date, or days since 1970-01-01 (a file's map may say `time_unit`)"
    found = numbers(column, name, origin, Numbers(expected, -FARTHEST, FARTHEST, missing))
    refuse_dates(found, origin.where(name))
    return found


def _written(column: pl.Series, name: str, origin: Origin) -> pl.Series:
    """Return texts as datetimes; those that are missing stay so."""
    text = pl.col("text").str.strip_chars()
    dates = text.str.to_datetime("%Y-%m-%d", time_unit="us", strict=False)
    clocks = text.str.replace("T", " ").str.to_datetime("%Y-%m-%d %H:%M:%S%.f", time_unit="us", strict=False)
    found = column.alias("text").to_frame().select(pl.coalesce(dates, clocks)).to_series()
    bad = (found.is_null() & column.is_not_null()).to_numpy()
    origin.refuse(bad, name, "'{}' is no date", column, "a date such as 2024-01-31, or days since 1970-01-01")
    return found


def written_as_dates(values: Floats) -> bool:
    """Return whether all numbers read as dates of the years 1000 to 2100 without their hyphens.

    >>> written_as_dates(np.array([20240131.0, 19991231.0])), written_as_dates(np.array([20249931.0]))
    (True, False)
    """
    if not len(values) or _is_out(values[0], *DATES):
        return False
    if not np.fmin.reduce(values) >= DATES[0] or np.fmax.reduce(values) > DATES[1]:
        return False
    known = values[~np.isnan(values)]
    month, day = known // 100 % 100, known % 100
    return bool(((known % 1 == 0) & (month >= 1) & (month <= 12) & (day >= 1) & (day <= 31)).all())


def _is_out(value: float, low: float, high: float) -> bool:
    """Return whether a number is known, and not in a range: one tells that not all are."""
    return value < low or value > high


def refuse_dates(times: Floats, where: str) -> None:
    """Refuse times that are dates without their hyphens, all of them.

    Raises
    ------
    InputError : they are.
    """
    if written_as_dates(times):
        first = times[~np.isnan(times)][0]
        said = f"{first:.0f} looks like a date, and is read as days since 1970-01-01"
        raise InputError(said, where=where, expected="dates written as 2024-01-31")


class Span:
    """Whether times, given in pieces, may be meant as years: numbers, all of them whole and from 1000 to 2100."""

    def __init__(self) -> None:
        self._low, self._high, self._whole = np.inf, -np.inf, True

    def add(self, times: Floats) -> None:
        """Take a piece into account."""
        if not self._whole or not len(times) or _is_out(times[0], *YEARS):
            self._whole = self._whole and not len(times)
            return
        self._low, self._high = min(self._low, np.fmin.reduce(times)), max(self._high, np.fmax.reduce(times))
        self._whole = YEARS[0] <= self._low and self._high <= YEARS[1] and not (times % 1 > 0).any()

    def years(self) -> str | None:
        """Return a line about them, if they may be."""
        if not self._whole or self._low > self._high:
            return None
        return f"time looks like years, {self._low:.0f} to {self._high:.0f}: read as days since 1970-01-01"


def years(column: pl.Series) -> str | None:
    """Return a line about times that may be meant as years.

    >>> years(pl.Series([1999, 2001])), years(pl.Series([0, 2001]))
    ('time looks like years, 1999 to 2001: read as days since 1970-01-01', None)
    """
    span = Span()
    if column.dtype.is_numeric():
        span.add(column.cast(pl.Float64).to_numpy())
    return span.years()


def appearance(*columns: NDArray[np.integer[Any]], size: int) -> tuple[list[Ints], Ints]:
    """Renumber codes below `size` by first appearance, row by row; return the new columns and the old codes in order.

    Piece by piece: most rows have codes that are known from the piece before, which is one look at each.

    >>> import numpy as np
    >>> appearance(np.array([4, 4], np.int32), np.array([1, 0], np.int32), size=5)
    ([array([0, 0], dtype=int32), array([1, 2], dtype=int32)], array([4, 1, 0], dtype=int32))
    """
    rank = np.full(size, -1, np.int32)
    found = [np.empty(len(column), np.int32) for column in columns]
    order: list[Ints] = []
    known, start, end = 0, 0, FIRST_PIECE
    while start < len(columns[0]):
        piece = [column[start:end] for column in columns]
        for ranks, codes in zip(found, piece, strict=True):
            ranks[start:end] = rank[codes]
        rows = np.flatnonzero(np.minimum.reduce([ranks[start:end] for ranks in found]) < 0)
        if len(rows):
            met = np.stack([codes[rows] for codes in piece], axis=1).ravel()
            new = pl.Series(met[rank[met] < 0]).unique(maintain_order=True).to_numpy()
            rank[new] = np.arange(known, known + len(new), dtype=np.int32)
            order.append(new.astype(np.int32))
            known += len(new)
            for ranks, codes in zip(found, piece, strict=True):
                ranks[start + rows] = rank[codes[rows]]
        start, end = end, min(end * 2, end + PIECE)
    return found, np.concatenate(order) if order else np.empty(0, np.int32)


def repeated(data: Mapping[str, NDArray[Any]]) -> Mask:
    """Return which games (G,), in order of time, are equal to one before in everything.

    Games of one time stand together, and no others can be equal. Those of other players or times are told apart by 32
    bits made of both; the few that are left are compared.

    Parameters
    ----------
    data : columns (G,), among them `first` and `second` (codes) and `time`.
    """
    again = np.zeros(len(data["time"]), np.bool_)
    tied = data["time"][1:] == data["time"][:-1]
    if not tied.any():
        return again
    near = np.flatnonzero(np.append(tied, False) | np.insert(tied, 0, False))
    some = slice(None) if len(near) > FEW * len(again) else near  # looking at all is faster than taking many
    mixed = data["first"][some].astype(np.uint64)
    mixed <<= np.uint64(32)
    mixed |= data["second"][some].view(np.uint32)
    mixed *= GOLDEN
    mixed += data["time"][some].view(np.uint64) * PRIME
    bits = (mixed >> np.uint64(32)).astype(np.uint32)
    ordered = np.sort(bits)
    twice = pl.Series(ordered[1:][ordered[1:] == ordered[:-1]])
    alike = pl.Series(bits).is_in(twice.implode()).arg_true().to_numpy()
    near = near[alike] if some is near else alike
    rows = pl.DataFrame({name: column[near] for name, column in data.items()})
    again[near] = ~rows.select(pl.struct(pl.all()).is_first_distinct()).to_series().to_numpy()
    return again
