"""The pool of those who play, year by year."""

import polars as pl

KEYS = ("replicate", "year")


def yearly(moves: pl.DataFrame) -> pl.DataFrame:
    """Return what each player who had a game in a year was rated, first and last in it.

    Parameters
    ----------
    moves : as `replaying.moves` has them, in order, with `replicate` and `year`.

    Returns
    -------
    Columns: replicate, year, row, begin, end (rating points, NaN unrated), order (of the year among those with games),
    new (whether it is the player's first), stays (whether they had a game in the year before), held (`end` of the last
    year with a game, null in the first).
    """
    whose = ("replicate", "row")
    order = pl.col("year").rank("dense").over("replicate").cast(pl.Int64)
    return (
        moves.group_by("replicate", "year", "row", maintain_order=True)
        .agg(begin=pl.col("before").first(), end=pl.col("after").last(), played=pl.col("fresh").sum())
        .filter(pl.col("played") > 0)
        .with_columns(order=order)
        .sort("replicate", "row", "year", maintain_order=True)
        .with_columns(
            new=pl.col("order") == pl.col("order").min().over(whose),
            stays=(pl.col("order").diff().over(whose) == 1).fill_null(value=False),
            held=pl.col("end").shift(1).over(whose),
        )
        .drop("played")
    )


def by_year(moves: pl.DataFrame) -> pl.DataFrame:
    """Return the pool of each year: all who had a game in it and are rated at its end.

    Parameters
    ----------
    moves : as for `yearly`.

    Returns
    -------
    Columns: replicate, year, players, mean (of their ratings at the end of the year, rating points), change (of that
    mean since the year before, null in the first), spread (standard deviation of the ratings), k (mean K in force over
    games of the year, both sides).
    """
    rated = yearly(moves).filter(pl.col("end").is_not_nan())
    end, k = pl.col("end"), (pl.col("k") * pl.col("fresh")).sum() / pl.col("fresh").sum()
    pool = rated.group_by(KEYS).agg(players=pl.len().cast(pl.Int64), mean=end.mean(), spread=end.std())
    force = moves.filter(pl.col("fresh") > 0, pl.col("k").is_not_nan()).group_by(KEYS).agg(k=k)
    return (
        pool.join(force, on=KEYS, how="left")
        .sort(KEYS)
        .select(*KEYS, "players", "mean", pl.col("mean").diff().over("replicate").alias("change"), "spread", "k")
    )
