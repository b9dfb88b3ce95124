"""Rows of a table as games, under a column map; those that are wrong as rejects."""

import zlib
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, NamedTuple

import polars as pl

from ..errors import InputError
from ..intake import shown
from ..stream import MOMENTS
from . import parse
from .batch import PRECISION, REJECTS
from .categories import categories
from .columns import ROW, ColumnMap

NAMES: Final = {
    "first", "second", "player", "season", "stage", "event", "pool", "termination",
    "title_first", "title_second", "federation_first", "federation_second",
}  # fmt: skip
THREADS: Final = 2  # that make categories of names
PLAYERS: Final = {"first", "second", "player"}
POINTS: Final = {"points", "points_first", "points_second"}
TEXTS: Final = {"id", "side", "name_first", "name_second"}
FLAGS: Final = {"neutral", "rated"}
KINDS: Final[dict[str, pl.DataType]] = {
    **dict.fromkeys(NAMES, pl.Categorical()),  # a name takes four bytes, not sixteen and more
    **dict.fromkeys(TEXTS, pl.String()),
    "precision": PRECISION,
    "fingerprint": pl.UInt64(),
}
NEEDED: Final = {  # what a game cannot be without, and how an error says what was expected
    **dict.fromkeys(PLAYERS, "a name"),
    **dict.fromkeys(POINTS, "a number of points"),
    "id": "what joins the two rows of a game",
    "score": "a number from 0 to 1",
    "time": "a date, or days since 1970-01-01 (a file's map may say `time_unit`)",
    "neutral": "true or false",
}
BLANK, UNFINISHED = "blank", "unfinished"  # why a row is none to rate
READABLE: Final = {pl.String, pl.Boolean, pl.Null}
CODED: Final = (pl.Categorical(),)
DATED: Final = {pl.Date, pl.Datetime}


class Rows(NamedTuple):
    """What some rows of a table say.

    Attributes
    ----------
    games : a column for each key of the map that is used, and `place`; `good` where a row is a game.
    rejects : columns of `REJECTS`.
    gone : rows that are none to rate: `place`, `id` if the table has ids, and `reason`.
    """

    games: pl.DataFrame
    rejects: pl.DataFrame
    gone: pl.DataFrame


class Fault(NamedTuple):
    """Cells that are wrong in one way."""

    bad: pl.Series  # of bool
    key: str
    what: str
    expected: str


class Reading(NamedTuple):
    """How the cells of a table are read.

    Attributes
    ----------
    used : the table's name of each key of the map. forms : how times that are text are written, by key.
    place : what messages call the table. raw : whether rejects keep their row.
    header : all columns, where rows without an id are told apart by all that they hold; otherwise nothing.
    extra : columns of cells beyond those of the header, which a row must not have. across : how many the header has.
    """

    used: Mapping[str, str]
    given: ColumnMap
    forms: Mapping[str, str]
    place: str
    raw: bool = False
    header: tuple[str, ...] = ()
    extra: tuple[str, ...] = ()
    across: int = 0

    @property
    def cells(self) -> list[str]:
        """The columns that are read, as the table names them."""
        if self.header:
            return [*self.header, *self.extra]
        rows = self.used.get("time") == ROW == self.given.time
        used = {name for key, name in self.used.items() if not (key == "time" and rows)}
        return [*sorted(used | self.given.where.keys()), *self.extra]

    def rows(self, cells: pl.DataFrame, start: int, days: int = 0) -> Rows:
        """Read some rows.

        Parameters
        ----------
        start : rows before them. days : of `time = "row"`, those that other tables took.

        Raises
        ------
        InputError : a column holds what cannot be read at all.
        """
        place = pl.int_range(start + 1, start + len(cells) + 1, dtype=pl.Int64).alias("place")
        words = self._named(cells)
        parsed = {key: self._parsed(key, name, words.schema, start + days) for key, name in self.used.items()}
        frame = self._in_years(words.select(place, **parsed), words.schema)
        gone = [frame.head(0).select("place", *self._id, reason=pl.lit(BLANK))]
        frame, cells = self._without(self._blank(cells), BLANK, frame, cells, gone)
        frame, cells = self._without(self._others(cells), self.given.unkept, frame, cells, gone)
        frame = self._dated(frame, cells)
        frame, cells = self._without(self._unfinished(frame, cells), UNFINISHED, frame, cells, gone)
        rejects, good = self._rejects(frame, cells)
        if self.header:
            frame = frame.with_columns(self._fingerprints(frame, cells))
        return Rows(frame.with_columns(good.alias("good")), rejects, pl.concat(gone))

    @property
    def _id(self) -> list[str]:
        return ["id"] if "id" in self.used else []

    def _without(
        self, left: pl.Series | None, reason: str, frame: pl.DataFrame, cells: pl.DataFrame, gone: list[pl.DataFrame]
    ) -> tuple[pl.DataFrame, pl.DataFrame]:
        """Return rows and their cells without those that are left out, if any, which are put to what is gone."""
        if left is None or not left.any():
            return frame, cells
        gone.append(frame.filter(left).select("place", *self._id, reason=pl.lit(reason)))
        return frame.filter(~left), cells.filter(~left)

    def _named(self, cells: pl.DataFrame) -> pl.DataFrame:
        """Return the cells with names as categories."""
        names = {name for key, name in self.used.items() if key in NAMES and cells.schema[name] == pl.String}
        names -= {name for key, name in self.used.items() if key not in NAMES}
        with ThreadPoolExecutor(THREADS) as threads:
            return cells.with_columns(threads.map(categories, (cells[name] for name in sorted(names))))

    def _in_years(self, frame: pl.DataFrame, schema: Mapping[str, pl.DataType]) -> pl.DataFrame:
        """Return rows with null for dates before the year 1."""
        dated = [key for key in self.used if key in MOMENTS and self.used[key] in schema]
        dated = [key for key in dated if self._is_dated(key, schema[self.used[key]])]
        early = [key for key in dated if (frame[key] < parse.YEAR_1).any()]
        return frame.with_columns(pl.when(pl.col(key) >= parse.YEAR_1).then(key).alias(key) for key in early)

    def _parsed(self, key: str, name: str, schema: Mapping[str, pl.DataType], before: int) -> pl.Expr:
        """Return a column as what it means, null where it cannot be read."""
        if name not in schema:  # the time of games without dates
            return (pl.int_range(1, pl.len() + 1) + before).cast(pl.Float64)
        column, dtype = pl.col(name), schema[name]
        text = column.cast(pl.String)
        if kind := KINDS.get(key):
            return column if dtype == kind else text.cast(kind, strict=False)
        if isinstance(dtype, pl.Categorical | pl.Enum):
            column, dtype = text, pl.String()
        if key in FLAGS:
            return parse.truth(column, dtype)
        if key == "score" and self.given.scores:
            return parse.label(column, self.given.scores)
        return self._number(key, name, column, dtype)

    def _number(self, key: str, name: str, column: pl.Expr, dtype: pl.DataType) -> pl.Expr:
        """Return a column of numbers or times.

        Raises
        ------
        InputError : it is of a type that holds neither.
        """
        if not (dtype.is_numeric() or dtype in READABLE or (key in MOMENTS and dtype.base_type() in DATED)):
            expected = "dates, or days since 1970-01-01" if key in MOMENTS else "numbers"
            raise InputError(f"holds {dtype}", where=f"{self.place}, column {name}", expected=expected)
        if key == "score":
            return parse.score(column, dtype)
        if key in MOMENTS:
            moment = parse.moment(column, dtype, self.given.time_unit, self.forms.get(key, parse.NUMBER))
            dated = self._is_dated(key, dtype)
            return parse.days(moment, dates=self._is_day(key, dtype)) if dated else moment
        number = parse.number(column, dtype)
        return number.fill_nan(None) if key in POINTS else number

    def is_number(self, key: str, schema: Mapping[str, pl.DataType]) -> bool:
        """Return whether a time of the table is a number without a unit."""
        name = self.used[key]
        return name in schema and self.given.time_unit in {None, "D"} and not self._is_dated(key, schema[name])

    def _is_dated(self, key: str, dtype: pl.DataType) -> bool:
        return dtype.base_type() in DATED or self.forms.get(key, parse.NUMBER) != parse.NUMBER

    def _is_day(self, key: str, dtype: pl.DataType) -> bool:
        """Return whether a time that is no number has no clock."""
        return dtype == pl.Date or (dtype == pl.String and "%H" not in self.forms[key])

    def _blank(self, cells: pl.DataFrame) -> pl.Series | None:
        """Return which rows hold nothing, None if no row does."""
        read = [name for name in self.cells if name in {*self.used.values(), *self.extra}]
        if not all(cells[name].null_count() for name in read):
            return None
        return cells.select(pl.all_horizontal(pl.col(name).is_null() for name in read)).to_series()

    def _others(self, cells: pl.DataFrame) -> pl.Series | None:
        """Return which rows the map's `where` does not keep, None if it says nothing."""
        if not self.given.where:
            return None
        tests = [
            pl.any_horizontal(
                parse.matches(pl.col(name), cells.schema[name], each)
                for each in (wanted if isinstance(wanted, list) else [wanted])
            )
            for name, wanted in self.given.where.items()
        ]
        return cells.select(~pl.all_horizontal(tests).fill_null(value=False)).to_series()

    def _dated(self, frame: pl.DataFrame, cells: pl.DataFrame) -> pl.DataFrame:
        """Return rows with how well their time is known, if that is known, and times for dates of which a part is."""
        name = self.used["time"]
        if name not in cells.columns or "precision" in self.used or not self._is_dated("time", cells.schema[name]):
            return frame
        day = self._is_day("time", cells.schema[name])
        frame = frame.with_columns(pl.lit("day" if day else "second", PRECISION).alias("precision"))
        if not day or "time" not in self.forms or not frame["time"].null_count():
            return frame
        last, known = cells.select(*parse.partial(pl.col(name)))
        partly = frame["time"].is_null() & last.is_not_null()
        return frame.with_columns(
            pl.when(partly).then(last).otherwise("time").alias("time"),
            pl.when(partly).then(known.cast(PRECISION)).otherwise("precision").alias("precision"),
        )

    def _unfinished(self, frame: pl.DataFrame, cells: pl.DataFrame) -> pl.Series | None:
        """Return which rows say that there is no result yet, None if no row can."""
        if "score" not in self.used or not frame["score"].null_count():
            return None
        star = cells[self.used["score"]].cast(pl.String).str.strip_chars() == parse.UNFINISHED
        return frame["score"].is_null() & star.fill_null(value=False)

    def _fingerprints(self, frame: pl.DataFrame, cells: pl.DataFrame) -> pl.Series:
        """Return a number for each row by what its cells mean: however numbers are written, and whatever stands beside.

        A column that says nothing counts as one that is not there; those that no key is for count as text.
        """
        text = pl.String()
        names = {key: cells[name].cast(text) for key, name in self.used.items() if KINDS.get(key) in CODED}
        said = frame.drop("place").with_columns(**names).with_columns(pl.col(pl.Enum).cast(text))
        others = [name for name in self.header if name not in self.used.values()]
        beside = {
            f"column {name}": pl.col(name) if cells.schema[name].is_nested() else pl.col(name).cast(text)
            for name in others
        }
        whole = said.hstack(cells.select(**beside)) if others else said
        columns = ((pl.col(name), zlib.crc32(name.encode())) for name in whole.columns)
        there = [pl.when(column.is_not_null()).then(column.hash(seed)) for column, seed in columns]
        return whole.select(pl.sum_horizontal(there).alias("fingerprint")).to_series()

    def _rejects(self, frame: pl.DataFrame, cells: pl.DataFrame) -> tuple[pl.DataFrame, pl.Series]:
        """Return the rows that are wrong, each with its first fault, and which ones are right."""
        good = pl.repeat(value=True, n=len(frame), eager=True)
        found = [pl.DataFrame(schema=REJECTS)]
        for fault in self._faults(frame, cells):
            bad = good & fault.bad
            good &= ~bad
            rows = cells.filter(bad)
            column = self.used.get(fault.key)
            text = (self._width(rows) if column is None else rows[column]).cast(pl.String)
            raw = rows.select(pl.struct(pl.all()).struct.json_encode()).to_series() if self.raw else [None] * len(rows)
            values = pl.Series([None if cell is None else shown(cell) for cell in text], dtype=pl.String)
            found.append(rejected(frame["place"].filter(bad), column, fault, values, raw))
        return pl.concat(found), good

    def _width(self, cells: pl.DataFrame) -> pl.Series:
        """Return how many cells rows have, null where no more than the header."""
        there = [pl.when(pl.col(name).is_not_null()).then(n) for n, name in enumerate(self.extra, self.across + 1)]
        return cells.select(pl.max_horizontal(there).alias("cells")).to_series()

    def _faults(self, frame: pl.DataFrame, cells: pl.DataFrame) -> Iterator[Fault]:
        if self.extra:
            yield Fault(self._width(cells).is_not_null(), "", "{} cells", f"{self.across}, as in the header")
        for key, name in self.used.items():
            column, words = frame[key], key.replace("_", " ")
            if key in POINTS:
                yield Fault(column.is_infinite().fill_null(value=False), key, f"{words} {{}}", NEEDED[key])
            if not column.null_count() or name not in cells.columns:
                continue
            missing = column.is_null()
            if key not in NAMES | TEXTS:
                text = cells[name].cast(pl.String).str.strip_chars()
                empty = text.is_null() | text.is_in(parse.MISSING)
                yield from self._unread(key, missing & ~empty, text)
                missing &= empty
            if key in NEEDED and not (key == "id" and self.given.rows == "games"):
                yield Fault(missing, key, f"no {'player' if key in PLAYERS else words}", NEEDED[key])

    def _unread(self, key: str, bad: pl.Series, text: pl.Series) -> Iterator[Fault]:
        """Yield what is wrong with cells that hold something of which nothing could be made."""
        form = self.forms.get(key, parse.NUMBER)
        if key in MOMENTS and "%H" in form:
            other = form.removesuffix("%#z") if form.endswith("%#z") else f"{form}%#z"
            zoned = bad & pl.select(parse.written(pl.lit(text), other).is_not_null()).to_series()
            has, have = ("has a zone", "have none") if other.endswith("z") else ("has no zone", "have")
            yield Fault(zoned, key, f"'{{}}' {has}, others of the column {have}", "all times with a zone, or none")
        if key == "score" and self.given.scores:
            what, expected = "'{}' is no label of scores", "one of " + ", ".join(self.given.scores)
        elif key in MOMENTS:
            what, expected = "'{}' is not a time", "a time written as in other rows"
        elif key == "precision":
            what, expected = "'{}' is no precision", "one of " + ", ".join(PRECISION.categories)
        else:
            kind = "true or false" if key in FLAGS else "a number"
            what, expected = f"'{{}}' is not {kind}", kind if key != "score" else "a number from 0 to 1, or `scores`"
        yield Fault(bad, key, what, expected)


def rejected(place: pl.Series, column: str | None, fault: Fault, value: pl.Series, raw: Any) -> pl.DataFrame:  # noqa: ANN401
    """Return games that are wrong in one way as rejects."""
    said = {"column": column, "what": fault.what, "expected": fault.expected}
    same = {key: pl.repeat(text, len(place), dtype=pl.String, eager=True) for key, text in said.items()}
    return pl.DataFrame({"place": place, "value": value, "raw": raw, **same}, schema_overrides=REJECTS).select(*REJECTS)


def as_games(rows: pl.DataFrame, given: ColumnMap) -> pl.DataFrame:
    """Return the rows that are games with columns of `GAMES`: points as score and margin, neutral as edge."""
    games = rows if rows["good"].all() else rows.filter("good")
    made: dict[str, pl.Expr] = {}
    if "points_first" in games.columns:
        ahead = pl.col("points_first") - pl.col("points_second")
        made["score"] = (ahead.sign() + 1) / 2
        if given.margin is None and "margin" not in games.columns:
            made["margin"] = ahead
    if "neutral" in games.columns:
        made["edge"] = 1.0 - pl.col("neutral").cast(pl.Float64)
    elif isinstance(given.edge, float):
        made["edge"] = pl.lit(given.edge)
    games = games.with_columns(**made) if made else games
    games = games.drop("good", "points_first", "points_second", "neutral", strict=False)
    return games.rename({"id": "game_id"}, strict=False)
