"""Cells as text turned into numbers, times and yes or no: polars expressions that give null where they cannot."""

from collections.abc import Iterator, Mapping

import polars as pl

from ..intake import MICROSECONDS, in_days

MISSING = ("", "NA", "N/A", "na", "n/a", "NaN", "nan", "null", "None")  # cells of numbers and times that hold nothing
YES = ("true", "t", "yes", "y", "1", "1.0")
NO = ("false", "f", "no", "n", "0", "0.0")
RESULTS = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5, "½-½": 0.5, "1/2": 0.5, "½": 0.5}  # of chess
UNFINISHED = "*"  # a result in PGN
UNITS = {"s": 86_400.0, "ms": 86_400e3, "us": 86_400e6, "D": 1.0}  # in a day
NUMBER = "number"
TIME = "a number, or a date or time such as 2024-01-31 or 2024-01-31 17:30:00"
FORMATS = tuple(
    date + clock
    for date in ("%Y-%m-%d", "%Y.%m.%d", "%Y/%m/%d")
    for clock in ("", *(f"{gap}%H:%M{rest}" for gap in " T" for rest in ("", ":%S%.f", "%#z", ":%S%.f%#z")))
)
YEAR_1 = -719_162.0  # its first day; what stands as the year 0 is no date
YEAR = r"^\s*\d{4}\s*$"
PARTIAL = r"^\s*(\d{4})(?:([-./])(\d\d|00|\?\?)(?:[-./](?:00|\?\?))?)?\s*$"  # a date of which a part is unknown


def number(column: pl.Expr, dtype: pl.DataType) -> pl.Expr:
    """Return a column as numbers."""
    if dtype == pl.String:
        return column.str.strip_chars().cast(pl.Float64, strict=False)
    return column.cast(pl.Float64) if dtype.is_numeric() or dtype == pl.Boolean else column


def truth(column: pl.Expr, dtype: pl.DataType) -> pl.Expr:
    """Return a column of yes and no, however spelt, as booleans."""
    if dtype == pl.Boolean:
        return column
    words = dict.fromkeys(YES, True) | dict.fromkeys(NO, False)
    text = column.cast(pl.String).str.strip_chars().str.to_lowercase()
    return text.replace_strict(words, default=None, return_dtype=pl.Boolean)


def label(column: pl.Expr, scores: Mapping[str, float]) -> pl.Expr:
    """Return labels as the scores they stand for."""
    return column.cast(pl.String).replace_strict(dict(scores), default=None, return_dtype=pl.Float64)


def score(column: pl.Expr, dtype: pl.DataType) -> pl.Expr:
    """Return scores: numbers, or results as chess has them."""
    if dtype != pl.String:
        return number(column, dtype)
    results = column.str.strip_chars().replace_strict(RESULTS, default=None, return_dtype=pl.Float64)
    return pl.coalesce(number(column, dtype), results)


def form_of(cells: pl.Series) -> str | None:
    """Return how the times of a column are written, a format of strptime or NUMBER, by the first that we know to read.

    Some may be partial dates; a year alone, which may be a number, tells nothing where others do. None where all are
    written in no way that we know.

    >>> form_of(pl.Series(["2024-01-31"])), form_of(pl.Series(["1.5E+12"])), form_of(pl.Series(["31/01/2024"]))
    ('%Y-%m-%d', 'number', None)
    >>> form_of(pl.Series(["1951", "1951-03-02"])), form_of(pl.Series(["1951.??.??"])), form_of(pl.Series(["1951"]))
    ('%Y-%m-%d', '%Y.%m.%d', 'number')
    """
    years = cells.str.contains(YEAR)
    dated = cells.filter(~years)
    return _first_form(dated.head(1)) or _first_form(dated) or (NUMBER if years.any() else None)


def _first_form(cells: pl.Series) -> str | None:
    """Return how the first of those cells is written that we know to read."""
    first = {form: found for form, reads in _forms(cells) if (found := reads.arg_max()) is not None and reads[found]}
    return min(first, key=first.__getitem__, default=None)


def _forms(cells: pl.Series) -> Iterator[tuple[str, pl.Series]]:
    """Yield each form with where it reads a cell."""
    sign = cells.str.extract(PARTIAL, 2).fill_null("")
    yield from ((f"%Y{each}%m{each}%d", sign == each) for each in "-./")
    yield NUMBER, cells.str.strip_chars().cast(pl.Float64, strict=False).is_not_null()
    for form in FORMATS:
        yield form, pl.select(written(pl.lit(cells), form).is_not_null()).to_series()


def moment(column: pl.Expr, dtype: pl.DataType, unit: str | None, form: str) -> pl.Expr:
    """Return times as dates, datetimes, or days since 1970-01-01.

    Parameters
    ----------
    unit : of numbers, one of `UNITS`; None for days.
    form : of the column where it is text, see `form_of`.
    """
    if dtype.is_temporal():
        return column
    if dtype == pl.String and form != NUMBER:
        return written(column, form)
    found = number(column, dtype)
    return found if UNITS[unit or "D"] == 1 else in_days(found, UNITS[unit or "D"])


def days(column: pl.Expr, *, dates: bool = False) -> pl.Expr:
    """Return datetimes, or dates, as days since 1970-01-01, UTC."""
    if dates:
        return column.to_physical().cast(pl.Float64)
    return in_days(column.cast(pl.Datetime("us")).dt.timestamp("us"), MICROSECONDS)


def written(column: pl.Expr, form: str) -> pl.Expr:
    """Return text as dates or datetimes."""
    text = column.str.strip_chars()
    if "%H" not in form:
        return text.str.to_date(form, strict=False)
    zone = "UTC" if form.endswith("z") else None
    return text.str.to_datetime(form, time_unit="us", time_zone=zone, strict=False)


def partial(column: pl.Expr) -> tuple[pl.Expr, pl.Expr]:
    """Return, of dates of which a part is unknown, the last day that each can have had, and what is known.

    That is "year" or "month"; the day is null where there is no such date.
    """
    year, month = (column.str.extract(PARTIAL, part).cast(pl.Int32, strict=False) for part in (1, 3))
    known = month.is_between(1, 12)
    unknown = month.is_null() | (month == 0)
    start = pl.date(year, pl.when(known).then(month).otherwise(12), 1)
    last = pl.when((year > 0) & (known | unknown)).then(start.dt.month_end())
    return days(last, dates=True), pl.when(known).then(pl.lit("month")).otherwise(pl.lit("year"))


def matches(column: pl.Expr, dtype: pl.DataType, wanted: object) -> pl.Expr:
    """Return where a column holds a value: text as it stands, numbers by value, yes and no however spelt."""
    if isinstance(wanted, bool) or (dtype == pl.Boolean and str(wanted).lower() in YES + NO):
        yes = wanted is True or str(wanted).lower() in YES
        return truth(column, dtype) == yes
    if isinstance(wanted, str):
        return column.cast(pl.String) == wanted
    return number(column, dtype) == pl.lit(wanted)
