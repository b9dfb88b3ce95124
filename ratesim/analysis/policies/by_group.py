"""Groups of players by rating, age and games: what they gain by each policy, and how well their games are forecast."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ...inference import Interval, paired

Floats = NDArray[np.float64]
WIDTH = 100.0  # of bands of rating, points
EDGES = {"age": (0.0, 12.0, 18.0, 30.0, 50.0, 65.0), "games": (0.0, 10.0, 30.0, 100.0, 300.0, 1000.0)}
BY = ("rating", "age", "games")
ORDER = {by: n for n, by in enumerate(BY)}


class Losses(NamedTuple):
    """What forecasts of games by two policies cost; all (G,)."""

    base: Floats
    new: Floats
    blocks: NDArray[np.int32]  # of games that depend on each other: months, or replicates
    year: NDArray[np.int32]
    weight: Floats | None  # of games; None: 1 each
    interval: Interval
    seed: int
    level: float


def lower_edge(values: Floats, by: str) -> Floats:
    """Return where the group of each value begins, NaN where it is not known."""
    if by == "rating":
        return np.floor(values / WIDTH) * WIDTH
    edges = np.array(EDGES[by])
    found = edges[np.maximum(np.searchsorted(edges, np.nan_to_num(values), side="right") - 1, 0)]
    return np.where(np.isnan(values), np.nan, found)


def group_name(by: str, lower: float) -> str:
    """Return a group in words.

    >>> group_name("rating", 2300.0), group_name("age", 65.0), group_name("games", 10.0)
    ('2300 to 2399', '65 and more', '10 to 29')
    """
    if by == "rating":
        return f"{lower:.0f} to {lower + WIDTH - 1:.0f}"
    above = [edge for edge in EDGES[by] if edge > lower]
    return f"{lower:.0f} to {above[0] - 1:.0f}" if above else f"{lower:.0f} and more"


def gains(moves: pl.DataFrame) -> pl.DataFrame:
    """Return what players of each group gain by their games.

    Parameters
    ----------
    moves : as for `by_year`, with columns rating, age and games: what the groups go by, NaN where not known.

    Returns
    -------
    Columns: replicate, by, from, players, games (each counts for both its players), gained (points a game), k (mean
    over games).
    """
    learning = moves.filter(pl.col("fresh") > 0, pl.col("before").is_not_nan(), pl.col("after").is_not_nan())
    parts = []
    for by in BY:
        lower = pl.Series("from", lower_edge(learning[by].to_numpy(), by))
        there = learning.with_columns(lower).filter(pl.col("from").is_not_nan())
        weight = pl.col("fresh")
        means = there.group_by("replicate", "from").agg(
            players=pl.col("row").n_unique().cast(pl.Int64), games=weight.sum(),
            gained=(pl.col("after") - pl.col("before")).sum() / weight.sum(),
            k=(pl.col("k") * weight).sum() / weight.sum(),
        )  # fmt: skip
        parts.append(means.select("replicate", pl.lit(by).alias("by"), "from", "players", "games", "gained", "k"))
    return pl.concat(parts).sort("replicate", pl.col("by").replace_strict(ORDER), "from")


def losses_by_group(losses: Losses, sides: Mapping[str, Floats]) -> pl.DataFrame:
    """Return the loss of the games of each group by both policies: a game is of a group if either player is.

    Parameters
    ----------
    losses : of all games, NaN where there is no forecast.
    sides : rating, age and games of both players, (2, G) each, NaN where not known.

    Returns
    -------
    Columns: by, from, n (games that both forecast), base and new (mean loss), difference (new - base), low, high.
    """
    rows = []
    for by in BY:
        first, second = (lower_edge(side, by) for side in sides[by])
        groups = np.unique(np.concatenate([first, second]))
        rows += [
            (by, group, *_compared(losses, (first == group) | (second == group)))
            for group in groups[~np.isnan(groups)].tolist()
        ]
    return _framed({"by": pl.String, "from": pl.Float64}, rows)


def losses_by_year(losses: Losses) -> pl.DataFrame:
    """Return the same by the year of the game: year, n, base, new, difference, low, high."""
    years = np.unique(losses.year).tolist()
    return _framed({"year": pl.Int32}, [(year, *_compared(losses, losses.year == year)) for year in years])


def all_losses(losses: Losses) -> dict[str, float | None]:
    """Return the same of all games: n, base, new, difference, low, high."""
    found = _framed({}, [_compared(losses, np.ones(len(losses.base), np.bool_))])
    return found.row(0, named=True)


def _compared(losses: Losses, mask: NDArray[np.bool_]) -> tuple[float, ...]:
    there = mask & ~np.isnan(losses.new) & ~np.isnan(losses.base)
    weight = None if losses.weight is None else losses.weight[there]
    if not there.any() or (weight is not None and not weight.any()):
        return (0.0, *[np.nan] * 5)
    a, b = losses.new[there], losses.base[there]
    found = paired(
        a, b, losses.blocks[there], weight, seed=losses.seed, level=losses.level, interval=losses.interval
    )  # fmt: skip
    means = (float(np.average(each, weights=weight)) for each in (b, a))
    return (found.n, *means, found.difference, found.low, found.high)


def _framed(keys: Mapping[str, type[pl.DataType]], rows: Sequence[tuple[object, ...]]) -> pl.DataFrame:
    numbers = dict.fromkeys(("base", "new", "difference", "low", "high"), pl.Float64)
    frame = pl.DataFrame(list(rows), schema={**keys, "n": pl.Float64, **numbers}, orient="row")
    return frame.with_columns(pl.selectors.by_name(*numbers).fill_nan(None))
