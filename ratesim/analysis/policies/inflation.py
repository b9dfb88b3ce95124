"""What becomes of the ratings of those who play: whether a pool inflates, and whether it spreads."""

from collections.abc import Mapping

import polars as pl

from ...errors import InputError
from ..table import EmptyFigureError, FigureTable, listed, with_ratings, without_ratings

ACTIVE = 365.0  # days
FEWEST = 10  # players behind a point
MEAN, SPREAD = "mean rating", "standard deviation"
COLUMNS = {"panel": pl.String, "line": pl.String, "x": pl.Float64, "y": pl.Float64, "n": pl.Int64}


def pool_over_time(history: pl.DataFrame, *, active: float = ACTIVE) -> pl.DataFrame:
    """Return the ratings of those who play, at each reading.

    Parameters
    ----------
    history : all players at rising moments, as `Run.history` returns them, with `games` played.
    active : days within which a player has had a game, as far as readings tell, to be counted.

    Returns
    -------
    A row a reading with two active players and more: time, n, mean and sd (of their ratings, rating points). A player
    in two pools is counted in both.

    Raises
    ------
    InputError : a time that is not above 0.
    """
    if not active > 0:
        raise InputError(f"active = {active}", expected="above 0 days")
    whose = [name for name in ("player", "pool") if name in history.columns]
    times = history["time"].unique().sort()
    read = history.select("time", *whose, "rating", "games").sort("time", maintain_order=True)
    before = read.select(pl.col("time").alias("before"), *whose, pl.col("games").alias("had"))
    ago = pl.DataFrame({"time": times, "ago": times - active}).sort("ago")
    since = ago.join_asof(before.select("before").unique().sort("before"), left_on="ago", right_on="before")
    played = (
        read.join(since.select("time", "before"), on="time", maintain_order="left")
        .join(before, on=["before", *whose], how="left", maintain_order="left")
        .filter(pl.col("games") > pl.col("had").fill_null(0.0), pl.col("rating").is_not_nan())
    )
    rows = []
    for part in played.partition_by("time", maintain_order=True):
        rating = part["rating"].to_numpy()  # sums of NumPy are the same with any number of cores
        if len(rating) > 1:
            rows.append((part["time"][0], len(rating), float(rating.mean()), float(rating.std(ddof=1))))
    return pl.DataFrame(
        rows, schema={"time": pl.Float64, "n": pl.Int64, "mean": pl.Float64, "sd": pl.Float64}, orient="row"
    )


def inflation(
    histories: Mapping[str, pl.DataFrame], *, active: float = ACTIVE, days: bool = False, name: str = "inflation"
) -> FigureTable:
    """Return the mean and the spread of the ratings of those who play, over time.

    Parameters
    ----------
    histories : by label of the run, all players at rising moments, as `pool_over_time` takes them.
    active : days within which a player has had a game to be counted.
    days : time is counted in days, as in a simulated stream, and not shown as dates.
    name : of the figure.

    Returns
    -------
    A row a panel ("mean rating", "standard deviation"), line (label of the run) and reading with ten active players and
    more: x (time), y (rating points), n (active players).

    Raises
    ------
    InputError : no run keeps ratings, or there are never ten active players.
    """
    rated = with_ratings(histories)
    found = {label: pool_over_time(each, active=active).filter(pl.col("n") >= FEWEST) for label, each in rated.items()}
    frame = pl.concat(
        [pl.DataFrame(schema=COLUMNS)]
        + [
            each.select(panel=pl.lit(panel), line=pl.lit(label), x="time", y=column, n="n")
            for panel, column in ((MEAN, "mean"), (SPREAD, "sd"))
            for label, each in found.items()
        ]
    )
    if frame.is_empty():
        said = f"never {FEWEST} players with a game in {active:g} days"
        raise EmptyFigureError(said, where=f"figure {name}", expected="more players")
    ends = {label: each for label, each in found.items() if each.height}
    change = [f"{each['mean'][-1] - each['mean'][0]:+.1f} by {label}" for label, each in ends.items()]
    caption = (
        f"Mean and standard deviation of the ratings of players with a game in the last {active:g} days, by "
        f"{listed(list(rated))}. From the first reading to the last the mean changes by {listed(change)}; where skills "
        f"stay as they are that is inflation. {without_ratings(histories, rated)}"
    )
    meta = {"drawing": "inflation", "title": "Ratings of those who play", "lines": list(ends), "days": days}
    return FigureTable(name, frame, caption.strip(), meta | {"panels": [MEAN, SPREAD], "runs": list(histories)})
