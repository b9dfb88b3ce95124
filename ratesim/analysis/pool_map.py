"""The map between pools: what a rating in one is worth in another, by those who play in both."""

import itertools
from collections.abc import Mapping

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..errors import InputError
from ..inference import mean, student
from .table import EmptyFigureError, FigureTable, listed, with_ratings, without_ratings
from .truth.errors import pearson
from .truth.panels import Panel, meta_of_panels

FEWEST = 10  # players behind a point of the figure
GAMES = 20  # in each of both pools, before a rating says something
MOST = 3  # pools
COLUMNS = {
    "panel": pl.String, "line": pl.String, "pool": pl.String, "other": pl.String, "from": pl.Float64, "n": pl.Int64,
    **dict.fromkeys(("x", "y", "low", "high"), pl.Float64),
}  # fmt: skip


def pool_map(
    ratings: Mapping[str, pl.DataFrame], players: pl.DataFrame | None = None, *, width: float = 100.0,
    name: str = "pool_map",
) -> FigureTable:  # fmt: skip
    """Return the mean rating in one pool over the rating in another, of those who have played 20 games in each.

    Parameters
    ----------
    ratings : by label of the run, what `Run.ratings` returns of a run by pool.
    players : the table of a stream; where it has replicates, intervals are over these, else over players.
    width : of the bands of ratings, rating points.
    name : of the figure.

    Returns
    -------
    A row a run, ordered pair of the first three pools and band of at least ten players: panel ("OTHER over POOL"), line
    (the run), pool, other, from (where the band begins), n, x and y (mean rating in the one and in the other), low and
    high (95 % band of y). The way there is not the way back: both lines are flatter than what ratings without error
    would draw, and flatter still where skills differ from pool to pool.

    Raises
    ------
    InputError : no run keeps ratings by pool, a width of no points, or no band of any pair has ten players.
    """
    if not width > 0:
        raise InputError(f"width = {width}", where=f"figure {name}", expected="above 0 points")
    rated = {label: frame for label, frame in with_ratings(ratings).items() if "pool" in frame.columns}
    if not rated:
        raise EmptyFigureError("no ratings by pool", where=f"figure {name}", expected="by_pool = true")
    block = _blocks(players)
    pools = next(iter(rated.values()))["pool"].unique(maintain_order=True).to_list()[:MOST]
    both = {
        (label, *pair): _of_both(frame, *pair, block)
        for label, frame in rated.items()
        for pair in itertools.permutations(pools, 2)
    }
    none = pl.DataFrame(schema=COLUMNS)
    frame = pl.concat([none, *(_banded(*where, each, width) for where, each in both.items())])
    if frame.is_empty():
        said = f"no {FEWEST} players of one band have played {GAMES} games in two pools"
        raise EmptyFigureError(said, where=f"figure {name}", expected="more of them, or wider bands")
    names = frame["panel"].unique(maintain_order=True).to_list()
    over = {each: frame.filter(panel=each).row(0, named=True) for each in names}
    panels = [
        Panel(each, "", "x", "y", f"rating in {row['pool']}", f"rating in {row['other']}", diagonal=True)
        for each, row in over.items()
    ]
    caption = (
        f"What ratings of one pool are worth in another, by {listed(list(rated))}: mean rating in the one over the "
        f"rating in the other, in bands of {width:g} points, of players with {GAMES} games or more in both; shaded: 95 "
        f"% bands over {'players' if block is None else 'replicates'}. On the grey line a number means the same in "
        f"both. {_shifts(both)}{without_ratings(ratings, rated)}"
    )
    return FigureTable(name, frame, caption.strip(), meta_of_panels("The map between pools", panels, list(rated)))


def _blocks(players: pl.DataFrame | None) -> pl.DataFrame | None:
    """Return the replicate of each player, None where there are not several."""
    if players is None or "replicate" not in players.columns or players["replicate"].n_unique() < 2:
        return None
    return players.select("player", block="replicate")


def _of_both(frame: pl.DataFrame, pool: str, other: str, block: pl.DataFrame | None) -> pl.DataFrame:
    """Return those rated in both pools: x and y, their ratings there, and block, what is independent of the others."""
    played = frame.filter(pl.col("games") >= GAMES)
    one, two = (played.filter(pool=each).select("player", "rating") for each in (pool, other))
    both = one.join(two, on="player", maintain_order="left").select("player", x="rating", y="rating_right")
    if block is None:
        return both.with_row_index("block")
    return both.join(block, on="player", maintain_order="left")


def _banded(label: str, pool: str, other: str, both: pl.DataFrame, width: float) -> pl.DataFrame:
    x, y, block = (both[name].to_numpy() for name in ("x", "y", "block"))
    into = np.floor(x / width)
    rows = []
    for band in np.unique(into):
        here = into == band
        if here.sum() >= FEWEST:
            middle, low, high = _interval(y[here], block[here])
            start = float(band * width)
            at = float(x[here].mean())
            rows.append((f"{other} over {pool}", label, pool, other, start, int(here.sum()), at, middle, low, high))
    return pl.DataFrame(rows, schema=COLUMNS, orient="row").with_columns(pl.col("low", "high").fill_nan(None))


def _interval(values: NDArray[np.float64], block: NDArray[np.integer]) -> tuple[float, float, float]:
    """Return the mean with its 95 % interval by blocks, NaN of one."""
    found = mean(values, block)
    half = student(max(found.blocks - 1, 1), 0.95) * found.se
    return found.mean, found.mean - half, found.mean + half


def _shifts(both: Mapping[tuple[str, str, str], pl.DataFrame]) -> str:
    """Return in words how much higher the same players stand in one pool than in the other, and how both agree."""
    said: list[str] = []
    seen: set[tuple[str, str, str]] = set()
    for (label, pool, other), each in both.items():
        if (label, other, pool) not in seen and each.height >= FEWEST:
            seen.add((label, pool, other))
            x, y = each["x"].to_numpy(), each["y"].to_numpy()
            more, low, high = _interval(y - x, each["block"].to_numpy())
            between = "" if np.isnan(low) else f" ({_number(low, '+.0f')} to {_number(high, '+.0f')})"
            said.append(
                f"by {label} they stand {_number(more, '+.0f')} points{between} in {other} beside {pool}, "
                f"correlation {_number(pearson(x, y), '.2f')}"
            )
    return f"All together, {'; '.join(said)}. " if said else ""


def _number(value: float, form: str) -> str:
    return format(value, form).replace("-", "−")
