"""Where the rating points of a pool come from, and where they go: a balance, year by year."""

import polars as pl

from .by_year import KEYS, yearly

NOTHING = 1e-6  # rating points: what rounding of doubles may leave
DIGITS = 8  # decimals of sums of rating points, so that 0 is 0
CAUSES = {
    "entries": "newcomers' first ratings",
    "returns": "ratings of those back after a year or more",
    "exits": "ratings of those who stop",
    "games": "what games give both sides together",
    "floor": "what nobody falls below",
    "rounding": "to whole ratings",
    "other": "rules, reversion, ratings set anew",
}


def causes(moves: pl.DataFrame, floor: float | None = None) -> pl.DataFrame:
    """Return moves with the causes of each: games, floor, rounding, other, which add up to after - before.

    A move is K (S - E) of its games; what it is more or less, is by the floor where the rating ends there, by rounding
    where it is up to half a point, and by something else otherwise, as is what time does before the games. Of who is
    not rated before or after there is no cause but entry and exit.

    Parameters
    ----------
    moves : as `replaying.moves` has them. floor : rating that nobody falls below, None without one.
    """
    rated = pl.col("before").is_not_nan() & pl.col("after").is_not_nan()
    learned, drift = pl.col("after") - pl.col("drifted"), pl.col("drifted") - pl.col("before")
    rest = pl.when(pl.col("earned").is_nan()).then(0.0).otherwise(learned - pl.col("earned"))
    some, small = rest.abs() > NOTHING, rest.abs() <= 0.5 + NOTHING
    held = pl.lit(value=False) if floor is None else pl.col("after") <= floor + NOTHING
    parts = {
        "floor": pl.when(rated & some & held).then(rest).otherwise(0.0),
        "rounding": pl.when(rated & some & ~held & small).then(rest).otherwise(0.0),
        "other": pl.when(rated).then(drift + pl.when(some & ~held & ~small).then(rest).otherwise(0.0)).otherwise(0.0),
    }
    found = moves.with_columns(**parts)
    return found.with_columns(
        games=pl.when(rated)
        .then(pl.col("after") - pl.col("before") - pl.col("floor") - pl.col("rounding") - pl.col("other"))
        .otherwise(0.0)
    )


def balance(moves: pl.DataFrame, floor: float | None = None) -> pl.DataFrame:
    """Return the balance of the pool of each year: the points of all in it, and by what they have changed.

    The pool of a year are those who had a game in it and are rated at its end, and its points are the sum of their
    ratings then. Where all have one K, what a game gives one side it takes from the other: `games` is 0.

    Parameters
    ----------
    moves : as for `by_year`. floor : rating that nobody falls below, None without one.

    Returns
    -------
    Columns: replicate, year, players, points, change (of the points since the year before, that of the first year
    since there was nobody), then the causes, whose sum the change is: entries, returns, exits, games, floor, rounding,
    other (all rating points, to 1e-8).
    """
    whole = yearly(moves)
    active = whole.select("replicate", "year", "row")
    here = causes(moves, floor).join(active, on=active.columns, how="semi", maintain_order="left")
    summed = here.group_by(KEYS).agg(pl.col("games", "floor", "rounding", "other").sum())
    flows = pl.concat([_within(here), _at_the_turn(whole)]).group_by(KEYS).agg(pl.all().sum())
    points = (
        whole.group_by(KEYS)
        .agg(
            players=pl.col("end").is_not_nan().sum().cast(pl.Int64), points=pl.col("end").fill_nan(0.0).sum(),
        )
        .sort(KEYS)
        .with_columns(change=pl.col("points").diff().over("replicate").fill_null(pl.col("points")))
    )  # fmt: skip
    order = [*KEYS, "players", "points", "change", *CAUSES]
    joined = points.join(summed, on=KEYS, how="left").join(flows, on=KEYS, how="left", maintain_order="left")
    sums = pl.col("points", "change", *CAUSES).fill_null(0.0).round(DIGITS)
    return joined.select(order).with_columns(sums + 0.0)  # no -0.0


def _within(here: pl.DataFrame) -> pl.DataFrame:
    """Return who becomes rated in a year, and who falls off the list in one."""
    before, after = pl.col("before"), pl.col("after")
    was = before.is_not_nan().cum_max().over("replicate", "row") | (
        after.is_not_nan().cum_max().shift(1, fill_value=False).over("replicate", "row")
    )
    comes, goes = before.is_nan() & after.is_not_nan(), before.is_not_nan() & after.is_nan()
    return here.select(
        *KEYS,
        entries=pl.when(comes & ~was).then(after).otherwise(0.0),
        returns=pl.when(comes & was).then(after).otherwise(0.0),
        exits=pl.when(goes).then(-before).otherwise(0.0),
    )


def _at_the_turn(whole: pl.DataFrame) -> pl.DataFrame:
    """Return who has a game in a year and none in the one before, with the rating held, and who has none any more."""
    begin, held = pl.col("begin").fill_nan(0.0), pl.col("held").fill_nan(0.0)
    arrived = whole.select(
        *KEYS,
        entries=pl.when(pl.col("new")).then(begin).otherwise(0.0),
        returns=pl.when(pl.col("new")).then(0.0).when(pl.col("stays")).then(begin - held).otherwise(begin),
        exits=pl.lit(0.0),
    )
    years = whole.select("replicate", "order", "year").unique()
    after = whole.select("replicate", pl.col("order") + 1, "row", "end").join(years, on=["replicate", "order"])
    gone = after.join(whole, on=["replicate", "order", "row"], how="anti")
    nothing = pl.lit(0.0)
    left = gone.select(*KEYS, entries=nothing, returns=nothing, exits=-pl.col("end").fill_nan(0.0))
    return pl.concat([arrived, left])
