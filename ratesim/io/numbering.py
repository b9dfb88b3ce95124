"""Names as numbers by first appearance, over any number of pieces of a column."""

import numpy as np
import polars as pl
from numpy.typing import NDArray

Ints = NDArray[np.int32]


class Numbering:
    """Numbers for names: those given first, then, unless all are known, others as they appear.

    Parameters
    ----------
    names : those that have their numbers already.
    kind : type of the columns to come: their own categories then serve, others make ones that go when they do.

    >>> numbering = Numbering()
    >>> [column.tolist() for column in numbering.learn(pl.Series(["B", "A"]), pl.Series(["A", "C"]))]
    [[0, 1], [1, 2]]
    >>> numbering.names.to_list()
    ['B', 'A', 'C']
    """

    def __init__(self, names: pl.Series | None = None, kind: pl.DataType | None = None) -> None:
        own = pl.Categorical(pl.Categories.random("ratesim"))
        self._kind = kind if isinstance(kind, pl.Categorical) and not kind.categories.is_global() else own
        self._held = pl.Series(dtype=self._kind)  # categories are forgotten when no column has them
        self._number = np.empty(0, np.int32)  # by category, -1 unknown
        self._order: list[NDArray[np.uint32]] = []  # categories in order of their numbers
        self._count = 0
        if names is not None:
            self.learn(names)

    @property
    def names(self) -> pl.Series:
        """The names in order of their numbers."""
        known = self._kind.categories.to_series().cast(pl.String)
        return known.gather(pl.Series(np.concatenate([np.empty(0, np.uint32), *self._order])))

    def learn(self, *columns: pl.Series) -> list[Ints]:
        """Return columns (G,) as numbers; names that are new get theirs row by row, column by column."""
        coded = self._coded(columns)
        numbers = [self._number[column] for column in coded]
        if any((column < 0).any() for column in numbers):
            rows = np.stack(coded, axis=1).ravel()
            new = pl.Series(rows[self._number[rows] < 0]).unique(maintain_order=True).to_numpy()
            self._number[new] = np.arange(self._count, self._count + len(new), dtype=np.int32)
            self._count += len(new)
            self._order.append(new)
            numbers = [self._number[column] for column in coded]
        return numbers

    def known(self, *columns: pl.Series) -> list[Ints]:
        """Return columns (G,) as numbers, -1 for names that nobody has learnt."""
        return [self._number[column] for column in self._coded(columns)]

    def _coded(self, columns: tuple[pl.Series, ...]) -> list[NDArray[np.uint32]]:
        side_by_side = pl.DataFrame([column.alias(str(n)) for n, column in enumerate(columns)])
        coded = [column.to_numpy() for column in side_by_side.select(pl.all().cast(self._kind).to_physical())]
        most = max((int(column.max()) + 1 for column in coded if len(column)), default=0)
        if most > len(self._number):
            more = np.full(max(most, 2 * len(self._number)) - len(self._number), -1, np.int32)
            self._number = np.concatenate([self._number, more])
        return coded
