"""Means over replicates of a world, and how sure they are."""

import math
from collections.abc import Collection, Mapping, Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..inference import student

Floats = NDArray[np.float64]
LEVEL = 0.95
UNBOUNDED = (-math.inf, math.inf)


def over_replicates(
    table: pl.DataFrame, keys: Sequence[str] = (), *, squared: Collection[str] = (), whole: Collection[str] = (),
    ranges: Mapping[str, tuple[float, float]] | None = None, level: float = LEVEL,
) -> pl.DataFrame:  # fmt: skip
    """Return the mean of each measure over replicates, with Student's interval, which takes replicates as independent.

    Parameters
    ----------
    table : a row a replicate and whatever `keys` tell apart; columns of numbers are measures, null where not known.
    keys : columns that say of what a row is.
    squared : measures whose squares are averaged, and the root taken of mean and ends: root mean squares.
    whole : measures that are null unless all replicates know them: an average over some of them would deceive.
    ranges : by measure, the least and the most that it can be; None: no bounds.
    level : of the intervals, 0..1.

    Returns
    -------
    A row a combination of keys, in order of first appearance: keys, `replicates` (with such a row), then for each
    measure x: x (mean), x_low, x_high (null with fewer than two replicates that know it). The ends are those of
    Student's interval cut at the range of the measure (that of root mean squares begins at 0), which a normal law does
    not know of: with few replicates it would reach beyond. What lies outside cannot be, so it covers as often.

    >>> table = pl.DataFrame({"replicate": [0, 1, 2], "rmse": [1.0, 2.0, 3.0]})
    >>> over_replicates(table).row(0)
    (3, 2.0, -0.484..., 4.484...)
    """
    measures = [
        name for name, kind in table.schema.items() if kind.is_numeric() and name not in {"replicate", *keys}
    ]  # fmt: skip
    if keys:
        group = table.select(pl.struct(keys).rank("dense").cast(pl.Int64) - 1).to_series().to_numpy()
        named = table.select(keys).unique(maintain_order=True)
        order = group[table.select(pl.struct(keys).is_first_distinct()).to_series().to_numpy()]
    else:
        group, named, order = np.zeros(len(table), dtype=np.int64), pl.DataFrame(), np.zeros(1, dtype=np.int64)
    count = np.bincount(group, minlength=len(order))[order]
    columns = {"replicates": count}
    for name in measures:
        values = table[name].cast(pl.Float64).fill_null(np.nan).to_numpy()
        if name in whole:
            values = np.where(np.isin(group, group[np.isnan(values)]), np.nan, values)
        found = _interval(values, group, len(order), level, square=name in squared)
        means = np.clip(found, *(ranges or {}).get(name, UNBOUNDED))
        columns |= {f"{name}{end}": each[order] for end, each in zip(("", "_low", "_high"), means, strict=True)}
    table = pl.DataFrame(columns).with_columns(pl.selectors.float().fill_nan(None))
    return pl.concat([named, table], how="horizontal") if keys else table


def _interval(
    values: Floats, group: NDArray[np.int64], groups: int, level: float, *, square: bool
) -> tuple[Floats, Floats, Floats]:
    """Return mean and ends by group (groups,), in NumPy, whose sums are the same with any number of cores."""
    there = ~np.isnan(values)
    group, values = group[there], values[there] ** 2 if square else values[there]
    n = np.bincount(group, minlength=groups)
    some, many = np.maximum(n, 1), np.maximum(n - 1, 1)
    mean = np.where(n > 0, np.bincount(group, values, groups) / some, np.nan)
    spread = np.bincount(group, (values - mean[group]) ** 2, groups)
    sizes, size = np.unique(many, return_inverse=True)
    width = np.array([student(each, level) for each in sizes.tolist()])[size]
    half = np.where(n > 1, width * np.sqrt(spread / many / some), np.nan)
    ends = (mean, mean - half, mean + half)
    return tuple(np.sqrt(np.maximum(each, 0.0)) for each in ends) if square else ends  # type: ignore[return-value]
