"""Whom a change of system moves in the order of players, and how far two orders agree."""

from typing import NamedTuple

import numpy as np
import polars as pl

from .scale import MIN_GAMES, rated_by_both


class Agreement(NamedTuple):
    """How far the orders of two systems agree."""

    n: int  # players
    kendall: float  # tau-b, -1..1; NaN under two players, or where all are equal by either
    spearman: float  # -1..1; NaN where Kendall's is
    same: float  # share of players with one rank in both


def rank_changes(ratings: pl.DataFrame, other: pl.DataFrame, *, min_games: float = MIN_GAMES) -> pl.DataFrame:
    """Return the ranks of players by two systems, those moved most first.

    Ranks are among the players whom both rate after at least so many games, 1 the highest; equals share the mean of
    theirs. No scale is needed for them.

    Parameters
    ----------
    ratings, other : what `Run.ratings` returns of two runs over the same games. min_games : that a player has had at
        least.

    Returns
    -------
    Columns: player (pool where kept apart), rating, other (rating points, each on its own scale), games, rank,
    rank_other, up (rank - rank_other: places that the player gains by the other). Among those moved equally far, the
    higher rated by the one is first.

    Raises
    ------
    InputError : a run keeps no ratings, or only one keeps them by pool.

    >>> names = ["A", "B", "C"]
    >>> one = pl.DataFrame({"player": names, "rating": [1700.0, 1600.0, 1500.0], "games": 20.0})
    >>> other = pl.DataFrame({"player": names, "rating": [20.0, 19.0, 21.0], "games": 20.0})
    >>> rank_changes(one, other).select("player", "rank", "rank_other", "up").rows()
    [('C', 3.0, 1.0, 2.0), ('A', 1.0, 2.0, -1.0), ('B', 2.0, 3.0, -1.0)]
    """
    both = rated_by_both(ratings, other, min_games)
    ranks = {"rank": "rating", "rank_other": "other"}
    ranked = both.with_columns(pl.col(of).rank("average", descending=True).alias(name) for name, of in ranks.items())
    return ranked.with_columns(up=pl.col("rank") - pl.col("rank_other")).sort(
        pl.col("up").abs(), -pl.col("rank"), descending=True, maintain_order=True
    )


def rank_agreement(changes: pl.DataFrame) -> Agreement:
    """Return how far two orders agree.

    Parameters
    ----------
    changes : from `rank_changes`.

    References
    ----------
    Kendall, A New Measure of Rank Correlation, 1938 (tau-b of 1945 where there are ties); Spearman, 1904.
    """
    from scipy.stats import kendalltau, spearmanr  # slow to import

    rank, other = changes["rank"].to_numpy(), changes["rank_other"].to_numpy()
    if len(rank) < 2:
        return Agreement(len(rank), float("nan"), float("nan"), float("nan"))
    same = float((rank == other).mean())
    if np.ptp(rank) == 0 or np.ptp(other) == 0:  # no order to agree with
        return Agreement(len(rank), float("nan"), float("nan"), same)
    return Agreement(len(rank), float(kendalltau(rank, other).statistic), float(spearmanr(rank, other).statistic), same)
