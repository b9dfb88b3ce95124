"""When events began, where only their games tell: known once all games are, by any number of passes over them."""

from collections.abc import Iterable
from typing import Final, Self

import numpy as np
import polars as pl

UNKNOWN: Final = "unknown"
KEYS: Final = ("event", "event_start")


class Events:
    """The events of games of which some do not say when theirs began.

    Games of one `event` and one `event_start`, or none, are an event. It starts on the day said, or on that of its
    first game where that is earlier or nothing is said. Events of one name that say several days carry it beside the
    name. A game of no event is one of its own day.
    """

    def __init__(self, table: pl.DataFrame) -> None:
        self._table = table

    @classmethod
    def of(cls, frames: Iterable[pl.DataFrame]) -> Self:
        """Look at all games, of which any number stand in a frame."""
        parts: list[pl.DataFrame] = []
        for frame in frames:
            parts.append(
                _keyed(frame).group_by(*KEYS, maintain_order=True).agg(pl.col("time").floor().min().alias("begun"))
            )
            if len(parts) > 64:  # so that a season of blitz does not pile up
                parts = [_earliest(parts)]
        found = _earliest(parts)
        said = found["event_start"].cast(pl.Int64).fill_null(0).to_numpy().astype("datetime64[D]")
        days = pl.Series(np.datetime_as_string(said), dtype=pl.String)
        table = found.with_columns(
            label=pl.when(pl.len().over("event") > 1)
            .then(
                pl.concat_str(
                    "event", pl.when(pl.col("event_start").is_null()).then(pl.lit("?")).otherwise(days), separator=" "
                )
            )
            .otherwise("event"),
            start=pl.min_horizontal("begun", "event_start"),
        )
        return cls(table.select(*KEYS, "label", "start"))

    def applied(self, frame: pl.DataFrame) -> pl.DataFrame:
        """Return games with their events told apart and the start of each."""
        order = list(dict.fromkeys([*frame.columns, "event_start"]))
        known = _keyed(frame).join(self._table, on=KEYS, how="left", nulls_equal=True, maintain_order="left")
        return known.with_columns(event="label", event_start="start").select(order)


def _keyed(frame: pl.DataFrame) -> pl.DataFrame:
    """Return games whose event is text, that of the day where there is none, and with a start or none."""
    if "event_start" not in frame.columns:
        frame = frame.with_columns(pl.lit(None, pl.Float64).alias("event_start"))
    day = pl.from_epoch(pl.col("time").floor().cast(pl.Int64), "d").cast(pl.String)
    return frame.with_columns(
        event=pl.col("event").cast(pl.String).fill_null(pl.concat_str(pl.lit(UNKNOWN), day, separator=" "))
    )


def _earliest(parts: list[pl.DataFrame]) -> pl.DataFrame:
    return pl.concat(parts).group_by(*KEYS, maintain_order=True).agg(pl.col("begun").min())
