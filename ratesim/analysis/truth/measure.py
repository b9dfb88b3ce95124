"""What a measure is: it sees readings as they come, and tells what it found as a table."""

from typing import TYPE_CHECKING, Protocol

import numpy as np
import polars as pl

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import ArrayLike

    from .reading import Reading


class Measure(Protocol):
    """A measure of one run."""

    name: str  # of its table

    def see(self, reading: "Reading") -> None:
        """Take in a reading; they come in order of time."""

    def table(self) -> pl.DataFrame:
        """Return what was found, with a column `replicate`."""
        ...


def framed(columns: "Mapping[str, ArrayLike]") -> pl.DataFrame:
    """Return a table of numbers whose missing values are null."""
    frame = pl.DataFrame({name: np.asarray(column) for name, column in columns.items()})
    floats = [name for name, kind in frame.schema.items() if kind == pl.Float64]
    return frame.with_columns(pl.col(floats).fill_nan(None), pl.col("replicate").cast(pl.Int64))
