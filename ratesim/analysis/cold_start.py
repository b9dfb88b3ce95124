"""What forecasts cost while players are new: losses by the games that the less experienced of the two has played."""

from collections.abc import Mapping

import numpy as np
import polars as pl
from numpy.typing import ArrayLike, NDArray

from ..comparing import Asked
from ..errors import InputError
from ..inference import Paired, block_sums, count, paired_of
from .table import EmptyFigureError, FigureTable, counted, listed, meta_of

Floats = NDArray[np.float64]
FEWEST = 30  # games behind a point of the figure
COLUMNS = {
    "system": pl.String, "from": pl.Float64, "to": pl.Float64, "n": pl.Float64, "before": pl.Float64,
    **dict.fromkeys(("loss", "difference", "low", "high"), pl.Float64),
}  # fmt: skip


def cold_start(
    losses: Mapping[str, ArrayLike], before: ArrayLike, blocks: ArrayLike, weight: ArrayLike | None = None, *,
    asked: Asked, metric: str = "loss", name: str = "cold_start",
) -> FigureTable:  # fmt: skip
    """Return mean losses by games played before by the less experienced of the two, and how they differ from the best.

    Parameters
    ----------
    losses : by label of the run, losses per game (G,), NaN where there is no forecast; games that some run does not
        forecast are left out, so that all are judged on the same ones.
    before : (G,) games played before by the less experienced of the two, as `rs.games_before` counts them.
    blocks : (G,) whole numbers, such as `rs.month_blocks(games.time)`.
    weight : (G,) at least 0, 1 where None.
    asked : how differences are made sure of: seed, level, draws and interval; whether less of the metric is better.
    metric : what the losses are called.
    name : of the figure.

    Returns
    -------
    A row a system and bin of at least thirty games: from and to (games before, bins that double: 0, 1-2, 3-6, 7-14,
    ...), n, before (their mean), loss, and difference (from the system that is best over all games), with low and high,
    its interval by blocks; the best one differs from itself by 0.

    Raises
    ------
    InputError : lengths differ, or fewer than two bins have thirty games.
    """
    every = {label: np.asarray(loss, dtype=np.float64) for label, loss in losses.items()}
    games = np.asarray(before, dtype=np.float64)
    block, weights = np.asarray(blocks), np.ones(len(games)) if weight is None else np.asarray(weight, dtype=np.float64)
    if not all(each.shape == games.shape == block.shape == weights.shape for each in every.values()):
        raise InputError("losses of unlike lengths", where=f"figure {name}", expected="one a game, all (G,)")
    known = (weights > 0) & ~np.isnan(sum(every.values(), np.zeros(len(games))))
    into = np.where(known, np.frexp(np.floor(games) + 1.0)[1] - 1, -1)  # by powers of two of which game it is
    n = np.bincount(into[known], weights[known])
    bins = np.flatnonzero(n >= FEWEST).tolist()
    if len(bins) < 2:
        said = f"fewer than two bins with {FEWEST} games"
        raise EmptyFigureError(said, where=f"figure {name}", expected="more games")
    means = {label: float(np.average(loss[known], weights=weights[known])) for label, loss in every.items()}
    best = (min if asked.lower_is_better else max)(means, key=lambda label: means[label])
    rows = []
    for label, loss in every.items():
        for k in bins:
            here = into == k
            middle, lost = (float(np.average(each[here], weights=weights[here])) for each in (games, loss))
            gap = _differing(loss - every[best], here, block, weights, asked)
            ends = (float(2**k - 1), float(2 ** (k + 1) - 2))
            rows.append((label, *ends, float(n[k]), middle, lost, gap.difference, gap.low, gap.high))
    frame = pl.DataFrame(rows, schema=COLUMNS, orient="row")
    told = {"best": best, "metric": metric, "share": [float(n[k] / n.sum()) for k in bins]}
    caption = _caption(frame, best, metric, asked.level, count(float(weights[known].sum())))
    return FigureTable(name, frame, caption, meta_of("cold_start", "While players are new", every) | told)


def _differing(gap: Floats, here: NDArray[np.bool_], block: NDArray[np.int32], weight: Floats, asked: Asked) -> Paired:
    sums = block_sums(gap[here], block[here], weight[here])
    return paired_of(sums, seed=asked.seed, level=asked.level, draws=asked.draws, interval=asked.interval)


def _caption(frame: pl.DataFrame, best: str, metric: str, level: float, games: float) -> str:
    newest = frame.filter(pl.col("from") == pl.col("from").min())
    begins, ends = newest.row(0, named=True), frame.row(-1, named=True)["to"]
    apart = [f"{row['difference']:+.4f} by {row['system']}" for row in newest.rows(named=True) if row["system"] != best]
    caption = (
        f"Mean {metric} of a game over how many games the less experienced of the two had played, up to {ends:,.0f} in "
        f"bins that double, of {counted(games, 'game')} that all forecast. "
        "Grey: the share of games in each bin, of the height of the panel."
    )
    if not apart:
        return caption
    played = "none" if begins["to"] == 0 else f"{begins['from']:,.0f} to {begins['to']:,.0f}"
    return (
        f"{caption} The other panel: the difference from {best}, the best over all games, with {100 * level:g} % "
        f"intervals. With {played} played, {counted(count(begins['n']), 'game')}: {listed(apart)}."
    )
