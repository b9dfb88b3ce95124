"""Tables of games, row by row in batches: CSV, TSV, Parquet and Arrow IPC, one map of columns for all."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Final

import polars as pl

from ..errors import InputError
from ..intake import Span, refuse_dates, shown
from ..stream import MOMENTS
from . import parse
from .batch import GAMES, NEEDED, Asked, Batch
from .canonical import is_canonical, players_of
from .columns import BESIDE, ROW, ColumnMap
from .games import BLANK, FLAGS, NAMES, TEXTS, Reading, Rows, as_games
from .sides import OF_A_SIDE, Sides
from .sources import Source
from .table import RAGGED, SUFFIXES as SUFFIXES, is_table as is_table, readable, scan, widened  # noqa: PLC0414

SIZE: Final = 2**20  # rows of a batch, about: tables have short rows, and each batch looks up every name anew
SAMPLE: Final = 1000  # rows by which columns of text are known as numbers
OURS: Final = {*NEEDED, "points_first", "points_second"}  # columns, none of which only a stray file has
WORDS: Final = NAMES | TEXTS | FLAGS | {"precision"}  # keys of columns that are not read as numbers


def batches(sources: Sequence[Source], asked: Asked, size: int = SIZE) -> Iterator[Batch]:
    """Yield the games of tables, in the order of their rows.

    Numbers of a text file are read as such from the start, which is fast, as long as all cells are numbers: from the
    first that is none on, the rest is read as text.

    Parameters
    ----------
    size : rows of a batch, about. Memory is bounded by it; with `rows = "sides"` also by the games of which only one
        row has come.

    Raises
    ------
    InputError : a table cannot be read, or lacks a column that the map names or that no game is without.
    """
    used: dict[str, str] = {}
    days = 0
    for source in sources:
        with source.file() as path, readable(path, source.name), ExitStack() as room:
            if source.inside and _is_stray(path, source.name, asked):
                yield _passed_over(source.name)
                continue
            table = Table(source.name, path, asked, room)
            used |= table.used
            for batch in _with_players(table.batches(size, days), table.used, path):
                yield batch._replace(about={"columns": {**asked.columns.changed, **used}})
            days += table.done


def _is_stray(path: Path, name: str, asked: Asked) -> bool:
    """Return whether a file has nothing of games, where no map says that it has."""
    header = scan(path, name).collect_schema().names()
    return not asked.columns.maps and OURS.isdisjoint(header)


def _passed_over(name: str) -> Batch:
    games = pl.DataFrame(schema={key: GAMES[key] for key in NEEDED})
    return Batch(name, games, notes=(f"{name} has no columns of games: passed over",), unit="row", field="column")


def _with_players(batches: Iterator[Batch], used: Mapping[str, str], path: Path) -> Iterator[Batch]:
    """Yield batches, the first with what a file of ours knows of players."""
    own = (used.get("first"), used.get("second")) == ("first", "second")
    players = players_of(path) if own else None
    for batch in batches:
        yield batch._replace(players=players)
        players = None


class Table:
    """A table of games on its way in.

    Attributes
    ----------
    used : the table's name of each key of the map. done : rows read.

    Parameters
    ----------
    room : what holds a copy of the file, if one is needed.
    """

    def __init__(self, name: str, path: Path, asked: Asked, room: ExitStack) -> None:
        self.name, self._path, self._given, self._room = name, path, asked.columns, room
        self._table = scan(path, name)
        header = self._table.collect_schema()
        found = self._given.find(header.names(), name)
        self.used = _wanted(found, header.names(), self._given, beside=asked.beside)
        self._unnamed_id = "id" in found and "id" not in self.used
        if asked.beside and header.get("fingerprint") == GAMES["fingerprint"] and is_canonical(path):
            self.used["fingerprint"] = "fingerprint"
        self._beside = asked.beside
        self._extra: tuple[str, ...] = ()
        try:
            self._numbers, forms = self._seen(header)
        except pl.exceptions.ComputeError as error:
            self._widen(error)
            self._numbers, forms = self._seen(header)
        told_apart = tuple(header.names()) if asked.beside and {"id", "fingerprint"}.isdisjoint(self.used) else ()
        self._reading = Reading(self.used, self._given, forms, name, asked.raw, told_apart, self._extra, len(header))
        self._sides = Sides(self._given, self.used) if self._given.rows == "sides" else None
        self._span = Span()
        self.done = 0
        self._gone: Counter[str] = Counter()

    def batches(self, size: int, days: int) -> Iterator[Batch]:
        """Yield the games; the last batch has the notes on all of them."""
        held = None
        for cells in self._frames(size):
            batch = self._batch(self._reading.rows(cells, self.done, days))
            self.done += len(cells)
            if held is not None:
                yield held
            held = batch
        if held is None:
            held = self._batch(self._reading.rows(self._table.select(self._reading.cells).head(0).collect(), 0))
        if self._sides:
            held = held._replace(rejects=pl.concat([held.rejects, self._sides.rest()]))
        yield held._replace(notes=tuple(self._notes()))

    def _frames(self, size: int) -> Iterator[pl.DataFrame]:
        """Yield the cells: numbers as such, as long as they are, and as text those of rows with too many cells."""
        if self._numbers and not self._extra:
            typed = scan(self._path, self.name, self._numbers)
            with suppress(pl.exceptions.ComputeError):
                yield from typed.select(self._reading.cells).collect_batches(chunk_size=size)
                return
        try:
            yield from self._rest(size)
        except pl.exceptions.ComputeError as error:
            self._widen(error)
            self._reading = self._reading._replace(extra=self._extra)
            yield from self._rest(size)

    def _rest(self, size: int) -> Iterator[pl.DataFrame]:
        yield from self._table.select(self._reading.cells).slice(self.done).collect_batches(chunk_size=size)

    def _widen(self, error: pl.exceptions.ComputeError) -> None:
        """Make room for rows that have more cells than the header, if that is what is wrong."""
        if RAGGED not in str(error) or self._extra:
            raise error
        place = self._room.enter_context(NamedTemporaryFile(prefix="ratesim-", suffix=".csv"))  # noqa: SIM115  # it is
        self._table, self._extra = widened(self._path, self.name, place)

    def _seen(self, header: Mapping[str, pl.DataType]) -> tuple[set[str], dict[str, str]]:
        """Return which columns of text hold numbers, and how times are written, by the first rows."""
        texts = {name for name in self.used.values() if header.get(name) == pl.String}
        sample = self._table.select(sorted(texts)).head(SAMPLE).collect()
        forms = {}
        for key, name in self.used.items():
            if key in MOMENTS and name in texts and not self._given.time_unit:
                forms[key] = self._form(sample[name], name)
        dated = {key for key, form in forms.items() if form != parse.NUMBER}
        words = {name for key, name in self.used.items() if key in WORDS | dated}
        words |= self._given.where.keys() | ({self.used["score"]} if self._given.scores else set())
        numbers = {name for name in texts - words if _are_numbers(sample[name])}
        return numbers, forms

    def _form(self, sample: pl.Series, name: str) -> str:
        """Return how the times of a column are written.

        Raises
        ------
        InputError : in no way that we know.
        """
        cells = sample.filter(~sample.is_in(parse.MISSING))
        if not len(cells):
            column = pl.col(name)
            there = self._table.select(column).filter(~column.is_in(parse.MISSING))
            cells = there.head(SAMPLE).collect().to_series()
        form = parse.form_of(cells) if len(cells) else parse.NUMBER
        if form is None:
            where = f"{self.name}, column {name}"
            raise InputError(f"'{shown(cells[0])}' is not a time", where=where, expected=parse.TIME)
        return form

    def _batch(self, rows: Rows) -> Batch:
        games, rejects, gone = rows
        self._gone.update(_reasons(gone))
        self._look(games)
        if self._sides:
            games, rejects, gone = self._sides.joined(rows)
        return Batch(
            self.name,
            as_games(games, self._given),
            rejects,
            _reasons(gone),
            unit="row",
            field="column",
            names=_names(self.used),
        )

    def _look(self, rows: pl.DataFrame) -> None:
        """Look whether numbers are times: not dates without hyphens; and note whether they may be years."""
        numbers = rows if rows["good"].all() else rows.filter("good")
        for key in MOMENTS:
            if key in self.used and self._reading.is_number(key, self._table.collect_schema()):
                if not self.done:
                    refuse_dates(numbers[key].to_numpy(), f"{self.name}, column {self.used[key]}")
                if key == "time" and not self._given.time_unit:
                    self._span.add(numbers[key].to_numpy())

    def _notes(self) -> Iterator[str]:
        """Yield what a reader should know of the rows.

        Raises
        ------
        InputError : the map's `where` keeps none of the rows.
        """
        others = self._gone[self._given.unkept]
        if others and others + self._gone[BLANK] == self.done:
            where = self._given.unkept.partition("not where ")[2]
            raise InputError(f"no row of {others:,} has {where}", where=self.name, expected="at least one")
        if line := self._span.years():
            yield line
        if self._beside and self._given.time == ROW:
            yield f"{self.name}: no dates, row n stands on day n since 1970-01-01"
        if self._unnamed_id:
            yield f"{self.name}: rows are told apart by all that they hold; by the column id with --map id=id"


def _wanted(used: dict[str, str], header: Sequence[str], given: ColumnMap, *, beside: bool) -> dict[str, str]:
    """Return the columns that are read, with all that a file of ours has only if it is wanted.

    An import drops games of one id, so it takes a column `id` for one only if the map says so: it may number questions.
    """
    if not beside:
        return {key: name for key, name in used.items() if key not in BESIDE}
    if given.id is None and given.rows != "sides":
        used = {key: name for key, name in used.items() if key != "id"}
    return used if "id" in used or "game_id" not in header else {**used, "id": "game_id"}


def _reasons(gone: pl.DataFrame) -> dict[str, int]:
    return dict(gone.group_by("reason", maintain_order=True).len().iter_rows())


def _are_numbers(cells: pl.Series) -> bool:
    return cells.cast(pl.Float64, strict=False).null_count() == cells.null_count()


def _names(used: Mapping[str, str]) -> dict[str, str]:
    """Return what the table calls columns of `GAMES`."""
    names = dict(used)
    for key, ours in (("id", "game_id"), ("neutral", "edge"), ("points_first", "score"), ("points", "score")):
        if key in used:
            names.setdefault(ours, used[key])
    for key, pair in OF_A_SIDE.items():
        if key in used:
            names |= dict.fromkeys(pair, used[key])
    return names
