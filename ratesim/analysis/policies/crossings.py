"""How often ratings cross a level."""

from collections.abc import Sequence

import polars as pl

from .by_year import KEYS

FLOOR = "floor"


def crossings(moves: pl.DataFrame, levels: Sequence[float], floor: float | None = None) -> pl.DataFrame:
    """Return how often players cross levels of rating, year by year.

    Up is from below a level to it or above it, down the reverse. A first rating crosses nothing. The floor is crossed
    down by who comes to stand on it or falls off the list, and up by who leaves it or is rated again.

    Parameters
    ----------
    moves : as for `by_year`. levels : rating points, rising. floor : None where nobody is held or falls off.

    Returns
    -------
    A row a replicate, year with moves and level: replicate, year, level (a text, `floor` for the floor), up, down
    (crossings), players (who cross it in the year, either way).
    """
    before, after = pl.col("before"), pl.col("after")
    parts = [_counted(moves, f"{level:g}", (before < level) & (after >= level), (before >= level) & (after < level))
             for level in levels]  # fmt: skip
    if floor is not None:
        seen = before.is_not_nan().cum_max().over("replicate", "row")
        above, under = before.is_not_nan() & (before > floor), after.is_nan() | (after <= floor)
        down = above & under
        up = seen & (before.is_nan() | (before <= floor)) & after.is_not_nan() & (after > floor)
        parts.append(_counted(moves, FLOOR, up, down))
    return pl.concat(parts) if parts else pl.DataFrame(schema=SCHEMA)


SCHEMA = {
    "replicate": pl.Int32, "year": pl.Int32, "level": pl.String, "up": pl.Int64, "down": pl.Int64, "players": pl.Int64,
}  # fmt: skip


def _counted(moves: pl.DataFrame, level: str, up: pl.Expr, down: pl.Expr) -> pl.DataFrame:
    known = pl.col("before").is_not_nan() & pl.col("after").is_not_nan()
    if level == FLOOR:
        known = pl.lit(value=True)
    there = moves.with_columns(up=known & up, down=known & down)
    return (
        there.group_by(KEYS)
        .agg(
            up=pl.col("up").sum().cast(pl.Int64), down=pl.col("down").sum().cast(pl.Int64),
            players=pl.col("row").filter(pl.col("up") | pl.col("down")).n_unique().cast(pl.Int64),
        )
        .sort(KEYS)
        .select(*KEYS, pl.lit(level).alias("level"), "up", "down", "players")
        .cast({"replicate": pl.Int32, "year": pl.Int32})
    )  # fmt: skip
