"""Games from a table, under a column map."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import polars as pl

from ..errors import InputError
from ..intake import Numbers, Origin, numbers, shown, years
from ..stream import MOMENTS
from . import parse
from .columns import ROW, ColumnMap

NAMES = {"first", "second", "season", "event", "pool", "id"}
TIMES = set(MOMENTS)
POINTS = Numbers("a number of points")
YES_OR_NO = Numbers("true or false")


class Games(NamedTuple):
    """What `GameStream.of` is given, and what was left out on the way."""

    columns: dict[str, pl.Series]
    origin: Origin
    notes: tuple[str, ...]


class Reader(NamedTuple):
    """A table, and which of its columns hold what."""

    table: pl.LazyFrame
    used: Mapping[str, str]
    given: ColumnMap
    place: str

    def games(self) -> Games:
        """Return the rows that the map keeps.

        Raises
        ------
        InputError : a cell cannot be read, or no row is kept.
        """
        schema = self.table.collect_schema()
        parsed = {key: self._parsed(key, schema[name]) for key, name in self.used.items()}
        blank = pl.all_horizontal(pl.col(name).is_null() for name in sorted(self._cells()))
        origin = Origin(self.place, None, self.used)
        frame = self.table.select(**parsed, blank=blank, kept=self._kept(schema)).collect(engine="streaming")
        notes: list[str] = []
        kept = self._chosen(frame, notes)
        if not kept.all():
            frame = frame.filter(kept)
            origin = origin._replace(rows=kept.arg_true().cast(pl.Int32).to_numpy() + 1)
        for key in parsed:
            if frame[key].null_count() and key not in NAMES:
                self._check_read(key, frame[key], kept, origin)
        if not self.given.time_unit and self.given.time != ROW and (line := years(frame["time"])):
            notes.append(line)
        return Games(_scored(frame.drop("blank", "kept").to_dict(), self.given, origin), origin, tuple(notes))

    def _cells(self) -> set[str]:
        """Return the columns that are read, as the file names them."""
        return {name for key, name in self.used.items() if not (key == "time" and self.given.time == ROW)}

    def _parsed(self, key: str, dtype: pl.DataType) -> pl.Expr:
        column = pl.col(self.used[key])
        if key in NAMES:  # as categories a name takes four bytes, not sixteen and more
            return column.cast(pl.String).cast(pl.Categorical)
        if key == "score" and self.given.scores:
            return parse.label(column, self.given.scores)
        if key == "neutral":
            return parse.truth(column, dtype)
        if key in TIMES:
            written = self._form(key) if dtype == pl.String and not self.given.time_unit else parse.NUMBER
            return parse.moment(column, dtype, self.given.time_unit, written)
        return parse.number(column, dtype)

    def _form(self, key: str) -> str:
        """Return how the times of a column are written, by its first cell."""
        column = pl.col(self.used[key])
        cells = self.table.select(column).filter(~column.is_in(parse.MISSING)).head(1).collect().to_series()
        written = parse.form(cells[0]) if len(cells) else parse.NUMBER
        if written is None:
            where = f"{self.place}, column {self.used[key]}"
            raise InputError(f"'{shown(cells[0])}' is not a time", where=where, expected=parse.TIME)
        return written

    def _kept(self, schema: pl.Schema) -> pl.Expr:
        tests = [
            pl.any_horizontal(
                parse.matches(pl.col(name), schema[name], each)
                for each in (wanted if isinstance(wanted, list) else [wanted])
            )
            for name, wanted in self.given.where.items()
        ]
        return pl.all_horizontal(pl.lit(value=True), *tests).fill_null(value=False)

    def _chosen(self, frame: pl.DataFrame, notes: list[str]) -> pl.Series:
        """Return which rows are games to be read, and note what the others are."""
        blank, kept = frame["blank"], frame["kept"] & ~frame["blank"]
        if count := blank.sum():
            notes.append(f"{count:,} blank row{'s' if count > 1 else ''} left out")
        if count := (~kept & ~blank).sum():
            where = " and ".join(f"{name} = {wanted}" for name, wanted in self.given.where.items())
            if not kept.any():
                raise InputError(f"no row of {count:,} has {where}", where=self.place, expected="at least one")
            notes.append(f"{count:,} of {len(frame):,} rows left out: kept are those with {where}")
            if "id" in frame.columns and (again := (~frame["id"].is_first_distinct() & ~blank).sum()):
                notes.append(f"{again:,} of {len(frame):,} rows repeat an earlier id, those left out included")
        same = kept & (frame["first"] == frame["second"]).fill_null(value=False)
        if self.given.themselves == "drop" and (count := same.sum()):
            notes.append(f"{count:,} game{'s' if count > 1 else ''} of a player against themselves: dropped")
            kept &= ~same
        return kept

    def _check_read(self, key: str, read: pl.Series, kept: pl.Series, origin: Origin) -> None:
        """Refuse cells that hold something, of which nothing could be made."""
        cells = self.table.select(pl.col(self.used[key])).collect().to_series().filter(kept).cast(pl.String)
        empty = cells.is_null() | cells.str.strip_chars().is_in(parse.MISSING)
        if key == "score" and self.given.scores:
            what, expected = "'{}' is no label of scores", "one of " + ", ".join(self.given.scores)
        elif key in TIMES:
            what, expected = "'{}' is not a time", "a time written as in the first row"
        else:
            kind = "true or false" if key == "neutral" else "a number"
            what, expected = f"'{{}}' is not {kind}", kind if key != "score" else "a number from 0 to 1, or `scores`"
        origin.refuse((read.is_null() & ~empty).to_numpy(), key, what, cells, expected)


def _scored(games: dict[str, pl.Series], given: ColumnMap, origin: Origin) -> dict[str, pl.Series]:
    """Return columns of a stream: points as score and margin, neutral as edge."""
    if "points_first" in games:
        ours, theirs = (numbers(games.pop(key), key, origin, POINTS) for key in ("points_first", "points_second"))
        games["score"] = pl.Series((np.sign(ours - theirs) + 1) / 2)
        if given.margin is None:
            games.setdefault("margin", pl.Series(ours - theirs))
    if "neutral" in games:
        games["edge"] = pl.Series(1.0 - numbers(games.pop("neutral"), "neutral", origin, YES_OR_NO))
    elif isinstance(given.edge, float):
        games["edge"] = pl.repeat(given.edge, len(games["first"]), eager=True)
    return games
