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


def replicates(runs: Runs) -> int:
    """Return how many replicates there are."""
    return max((tables["errors"]["replicate"].n_unique() for tables in runs.values() if tables), default=0)


def replicated(runs: Runs) -> str:
    """Return the sentence about replicates and what is shaded."""
    n = replicates(runs)
    said = "One replicate of the world, so there are no bands."
    return said if n < 2 else f"Means over {counted(n, 'replicate')} of the world; shaded: 95 % bands (Student's t)."
