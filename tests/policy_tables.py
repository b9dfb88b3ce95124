"""Small tables that views of K policies are made of."""

import math

import numpy as np
import polars as pl

N, DAY = pl.col("n"), pl.col("time")


def gains(k) -> pl.DataFrame:
    """Twelve players with five games each, a day apart."""
    rows = [(float(day), f"p{n}", 1500.0, float(day), float(n)) for day in range(5) for n in range(12)]
    table = pl.DataFrame(rows, schema=["time", "player", "rating", "games", "n"], orient="row")
    return table.with_columns(k=pl.lit(k).cast(pl.Float64) if isinstance(k, int) else k).drop("n")


def ratings(values) -> pl.DataFrame:
    names = [f"p{n}" for n in range(len(values))]
    return pl.DataFrame({"player": names, "rating": values, "games": np.arange(1.0, len(values) + 1)})


def movers(still: float, changed: float, *, behind: float = 0.0, replicates: int = 2) -> dict[str, pl.DataFrame]:
    """Tables of a run: errors of so much spread, those who change `behind` on average, a quarter of all."""
    rows = []
    for replicate in range(replicates):
        for day in (0.0, 1.0, 2.0, 3.0):
            early = 999.0 if day < 2 else 0.0
            for who, spread, bias in (("changed", changed, -0.75 * behind), ("unchanged", still, 0.25 * behind)):
                rows.append((replicate, day, who, 10, math.hypot(spread, bias) + early, bias))
    table = pl.DataFrame(rows, schema=["replicate", "day", "who", "players", "shifted", "bias"], orient="row")
    return {"movers": table, "errors": table.filter(who="changed").drop("who", "bias")}
