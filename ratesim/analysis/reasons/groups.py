"""Who gains and who loses by a change of system: newcomers, those who return, and the others."""

import numpy as np
import polars as pl

from ...given import check_games
from ...stream import GameStream
from ..means import mean

FEW, AWAY, FAR = 30, 365.0, 50.0  # games; days; rating points
NEW, BACK, OTHERS, ALL = "newcomers", "returners", "others", "everybody"
COLUMNS = {
    "group": pl.String, "n": pl.Int64,
    **dict.fromkeys(("mean", "low", "high", "absolute", "raised", "lowered"), pl.Float64),
}  # fmt: skip


def gainers(moved: pl.DataFrame, most: int = 10) -> pl.DataFrame:
    """Return those whom a change of system raises most, then those whom it lowers most, the lowest last.

    Parameters
    ----------
    moved : from `players_moved`; where scales differ, of `ScaleMap.ratings`. most : players of each.

    >>> moved = pl.DataFrame({"player": ["A", "B", "C"], "difference": [-30.0, 20.0, 10.0]})
    >>> gainers(moved, 1).rows()
    [('B', 20.0), ('A', -30.0)]
    """
    ordered = moved.sort("difference", descending=True, maintain_order=True)
    up, down = ordered.filter(pl.col("difference") > 0), ordered.filter(pl.col("difference") < 0)
    return pl.concat([up.head(most), down.tail(most)])


def groups_moved(
    moved: pl.DataFrame, games: GameStream, *, few: int = FEW, away: float = AWAY, far: float = FAR
) -> pl.DataFrame:
    """Return how far a change of system moves newcomers, those who are back after a break, and the others.

    Parameters
    ----------
    moved : from `players_moved`; where scales differ, of `ScaleMap.ratings`. games : of both runs, in all pools.
    few : newcomers have had at most so many games, returners since their last break. away : days of a break.
    far : what counts as far, rating points.

    Returns
    -------
    A row a group that has players (newcomers, returners, others, everybody): group, n (players; in pools, players of
    each), mean (of the difference), low and high (its 95 % interval over players, NaN of one alone), absolute (mean
    without sign), raised and lowered (shares of players who are moved by more than `far`).

    Raises
    ------
    InputError : a path stands in the place of the games.
    """
    check_games(games)
    group = moved.join(careers_of(games, few=few, away=away), on="player", how="left", maintain_order="left")["group"]
    rows = []
    for name in (NEW, BACK, OTHERS, ALL):
        change = moved["difference"].to_numpy() if name == ALL else moved.filter(group == name)["difference"].to_numpy()
        if change.size:
            middle = mean(change) if change.size > 1 else (float(change[0]), float("nan"), float("nan"))
            shares = (float((sign * change > far).mean()) for sign in (1, -1))
            rows.append((name, change.size, *middle, float(np.abs(change).mean()), *shares))
    return pl.DataFrame(rows, schema=COLUMNS, orient="row")


def careers_of(games: GameStream, *, few: int = FEW, away: float = AWAY) -> pl.DataFrame:
    """Return what players are at the end of a stream: newcomers, returners or others.

    Returns
    -------
    Columns: player, played (games in the stream), since (games since the last break of so many days, all of who made
    none), group.
    """
    sides = pl.DataFrame({"row": np.concatenate([games.first, games.second]), "time": np.tile(games.time, 2)})
    gap = pl.col("time").diff().over("row").fill_null(0.0)
    counted = (
        sides.sort("time", maintain_order=True)
        .with_columns(stretch=(gap >= away).cum_sum().over("row"))
        .group_by("row")
        .agg(
            played=pl.len(), breaks=pl.col("stretch").max(), since=(pl.col("stretch") == pl.col("stretch").max()).sum()
        )
        .sort("row")
    )
    group = (
        pl.when(pl.col("played") <= few)
        .then(pl.lit(NEW))
        .when((pl.col("breaks") > 0) & (pl.col("since") <= few))
        .then(pl.lit(BACK))
        .otherwise(pl.lit(OTHERS))
    )
    names = games.players["player"].gather(counted["row"])
    return counted.select(names.alias("player"), "played", "since", group=group)
