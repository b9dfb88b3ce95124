"""The tables of several runs put together, over replicates, for figures."""

from collections.abc import Mapping

import polars as pl

from ..table import counted
from .tables import KEYS, averaged

UNDER_ONE = "All replicates share one schedule: bands are over skills and results under it, not over schedules."
Runs = Mapping[str, Mapping[str, pl.DataFrame]]  # by label of the run, what `truth_tables` returns


def gathered(runs: Runs, name: str) -> pl.DataFrame:
    """Return one table of all runs that have it, averaged over replicates, sorted by its keys, after `system`."""
    found = {label: tables[name] for label, tables in runs.items() if name in tables and tables[name].height}
    frames = [
        averaged(name, table).select(pl.lit(label).alias("system"), pl.all()).sort(*KEYS[name] or ("system",))
        for label, table in found.items()
    ]
    return pl.concat(frames) if frames else pl.DataFrame(schema={"system": pl.String})


def behind(frame: pl.DataFrame, runs: Runs, name: str, measure: str) -> pl.DataFrame:
    """Return rows of `gathered` whose `replicates` are those that know a measure: others have nobody to tell it of."""
    keys = ["system", *KEYS[name]]
    found = [
        tables[name].drop_nulls(measure).select(pl.lit(label).alias("system"), *KEYS[name])
        for label, tables in runs.items() if name in tables
    ]  # fmt: skip
    known = pl.concat(found).group_by(keys).agg(replicates=pl.len().cast(pl.Int64))
    return frame.drop("replicates").join(known, on=keys, how="left", maintain_order="left")


def fewer(frame: pl.DataFrame) -> str:
    """Return the sentence about points behind which not all replicates stand; "" where all do."""
    least, most = (int(each) for each in (frame["replicates"].min() or 0, frame["replicates"].max() or 0))  # type: ignore[arg-type]
    said = " Where not all replicates have such players a point is over those that do"
    return f"{said}: {least:,} at least (column `replicates` of the table)." if least < most else ""


def replicates(runs: Runs) -> int:
    """Return how many replicates there are."""
    return max((tables["errors"]["replicate"].n_unique() for tables in runs.values() if tables), default=0)


def replicated(runs: Runs) -> str:
    """Return the sentence about replicates and what is shaded."""
    n = replicates(runs)
    said = "One replicate of the world, so there are no bands."
    return said if n < 2 else f"Means over {counted(n, 'replicate')} of the world; shaded: 95 % bands (Student's t)."
