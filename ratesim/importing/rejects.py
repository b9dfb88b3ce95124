"""Games that are wrong: counted by reason, listed where that is asked for, and the first of them as an error."""

from collections import Counter
from pathlib import Path
from typing import Any, Final

import polars as pl

from ..errors import InputError
from ..files import whole
from ..io.batch import REJECTS, Batch

SUFFIXES: Final = (".csv", ".tsv", ".parquet", ".ndjson")
Reason = tuple[str | None, str]  # column and what


class Rejects:
    """What is wrong with games, as they come in.

    Parameters
    ----------
    keep : whether they are to be listed; otherwise memory holds their counts alone.
    """

    def __init__(self, *, keep: bool) -> None:
        self._keep = keep
        self._frames: list[pl.DataFrame] = []
        self._counts: Counter[Reason] = Counter()
        self._first: tuple[Reason, str, InputError] | None = None  # its reason, what places count, and itself

    @property
    def count(self) -> int:
        """How many there are."""
        return self._counts.total()

    def hear(self, batch: Batch) -> None:
        """Take note of those of a batch."""
        if not len(batch.rejects):
            return
        for column, what, count in batch.rejects.group_by("column", "what", maintain_order=True).len().iter_rows():
            self._counts[column, what] += count
        if self._keep:
            self._frames.append(batch.rejects.select(pl.lit(batch.source).alias("source"), pl.all()))
        if self._first is None:
            row = batch.rejects.sort("place", maintain_order=True, nulls_last=True).row(0, named=True)
            said, where = _filled(row), batch.where(row["place"], row["column"])
            error = InputError(said, where=where, expected=row["expected"] or "")
            self._first = (row["column"], row["what"]), batch.unit, error

    def reasons(self) -> dict[str, int]:
        """Return how many there are of each reason, the most frequent first."""
        told: Counter[str] = Counter()
        for (column, what), count in self._counts.items():
            told[_reason(column, what)] += count
        return dict(told.most_common())

    def error(self, hint: str) -> InputError:
        """Return the first as an error, with how many more are alike."""
        assert self._first is not None  # noqa: S101  # the caller has looked
        reason, unit, first = self._first
        more = self._counts[reason] - 1
        also = f" (and {more:,} more {'row' if unit == 'row' else 'game'}{'s' if more > 1 else ''})" if more else ""
        return InputError(first.what + also, where=first.where, expected=f"{first.expected}{hint}")

    def write(self, path: Path) -> None:
        """Write them as a table: source, place, column, reason, value, expected, raw.

        Raises
        ------
        InputError : the file cannot be written.
        """
        frame = pl.concat([pl.DataFrame(schema={"source": pl.String, **REJECTS}), *self._frames])
        reason = pl.col("what").str.replace("{}", pl.col("value").fill_null(""), literal=True)
        columns = ("source", "place", "column", reason.alias("reason"), "value", "expected", "raw")
        table = frame.select(columns)
        with whole(path) as place:
            if path.suffix == ".parquet":
                table.write_parquet(place)
            elif path.suffix == ".ndjson":
                table.write_ndjson(place)
            else:
                table.write_csv(place, separator="\t" if path.suffix == ".tsv" else ",")


def listable(path: Path) -> Path:
    """Return the name of a file that rejects can be written to.

    Raises
    ------
    InputError : it has another suffix.
    """
    if path.suffix not in SUFFIXES:
        raise InputError(f"unknown suffix '{path.suffix}'", where=str(path), expected=f"one of {', '.join(SUFFIXES)}")
    return path


def _filled(row: dict[str, Any]) -> str:
    return str(row["what"]).replace("{}", row["value"] or "")


def _reason(column: str | None, what: str) -> str:
    """Return a reason without its value, with what it is about."""
    said = what.replace("'{}' ", "").replace(" '{}'", "").replace(" {}", " out of range").replace("{}", "").strip()
    return said if column is None or column.lower() in said.lower() else f"{column} {said}"
