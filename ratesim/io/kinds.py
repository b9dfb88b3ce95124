"""Types of the names that games carry: a name of a kind (player, event, pool) is kept once, rows have its number."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import polars as pl

from .batch import ATTRIBUTES, GAMES

OWN: Final = ("game_id",)  # texts that are another for each game


def named(kind: str) -> pl.Categorical:
    """Return the type of names of a kind (player, event, pool ...): each name is kept once, a row has its number."""
    return pl.Categorical(pl.Categories(kind, namespace="ratesim"))


def _kind(column: str) -> str:
    stem, _, side = column.rpartition("_")
    if column in {"first", "second"}:
        return "player"
    return stem if stem in ATTRIBUTES and side in {"first", "second"} else column


NAMES: Final = {
    column: named(_kind(column)) for column, dtype in GAMES.items() if dtype == pl.String and column not in OWN
}  # type of each column of names


@contextmanager
def kept_names() -> Iterator[None]:
    """Keep the names of all kinds and their numbers until the block ends, whether or not rows in memory use them."""
    keep = [pl.Series(dtype=dtype) for dtype in NAMES.values()]
    yield
    del keep
