"""When events began, where their games do not all say one day: known once all games are, by any number of passes."""

from collections.abc import Iterable
from typing import Final, Self

import numpy as np
import polars as pl

UNKNOWN: Final = "unknown"
KEYS: Final = ("event", "event_start", "day")
PAUSE: Final = 90.0  # days without a game after which an event of no stated start is another edition
PIECES: Final = 64  # tables that wait before they become one


class Events:
    """The events of games, each with the day on which it began.

    Games of one `event` and one `event_start` are an event. Where no start is said, games of one name are, up to a
    pause of more than 90 days. An event starts on the day said, or on that of its first game where that is earlier or
    nothing is said. Events of one name carry that day beside it. A game of no event is one of its own day.

    Attributes
    ----------
    needed : whether games have to be told any of this: a start is not said, or one name has several.
    """

    def __init__(self, table: pl.DataFrame, *, needed: bool) -> None:
        self._table, self.needed = table, needed

    @classmethod
    def of(cls, frames: Iterable[pl.DataFrame]) -> Self:
        """Look at all games, of which any number stand in a frame."""
        parts: list[pl.DataFrame] = []
        for frame in frames:
            parts.append(_keyed(frame).select(KEYS).unique(maintain_order=True))
            if len(parts) > PIECES:
                parts = [pl.concat(parts).unique(maintain_order=True)]
        days = pl.concat(parts).unique(maintain_order=True).sort("event", "event_start", "day", nulls_last=True)
        fresh = pl.col("event_start").is_null() & (pl.col("day").diff() > PAUSE).fill_null(value=False)
        edition = fresh.cum_sum().over("event", "event_start")
        told = days.with_columns(edition=edition)
        of_one = ("event", "event_start", "edition")
        begun = pl.min_horizontal("event_start", pl.col("day").min().over(of_one))
        told = told.with_columns(start=begun, several=pl.struct(of_one).n_unique().over("event") > 1)
        named = pl.concat_str("event", _date("start"), separator=" ")
        table = told.with_columns(label=pl.when("several").then(named).otherwise("event"))
        needed = bool(table["several"].any() or table["event_start"].null_count())
        return cls(table.select(*KEYS, "label", "start"), needed=needed)

    def applied(self, frame: pl.DataFrame) -> pl.DataFrame:
        """Return games with their events told apart and the start of each."""
        order = list(dict.fromkeys([*frame.columns, "event_start"]))
        known = _keyed(frame).join(self._table, on=KEYS, how="left", nulls_equal=True, maintain_order="left")
        return known.with_columns(event="label", event_start="start").select(order)


def _keyed(frame: pl.DataFrame) -> pl.DataFrame:
    """Return games whose event is text, that of the day where there is none, with a start or none, and their day."""
    if "event_start" not in frame.columns:
        frame = frame.with_columns(pl.lit(None, pl.Float64).alias("event_start"))
    frame = frame.with_columns(day=pl.col("time").floor())
    nobody = pl.concat_str(pl.lit(UNKNOWN), _date("day"), separator=" ")
    return frame.with_columns(event=pl.col("event").cast(pl.String).fill_null(nobody))


def _date(column: str) -> pl.Expr:
    """Return days as dates, such as 2024-01-31."""
    return pl.col(column).map_batches(
        lambda days: pl.Series(np.datetime_as_string(days.to_numpy().astype("datetime64[D]"))), return_dtype=pl.String
    )
