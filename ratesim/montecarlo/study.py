"""What many replicates of a world say of systems."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import polars as pl

from ..analysis import counted
from ..analysis.truth import averaged
from ..worlds.base import World


class Part(NamedTuple):
    """What a block of replicates says, by label of the run."""

    tables: dict[str, dict[str, pl.DataFrame]]
    losses: dict[str, pl.DataFrame]


@dataclass(frozen=True, eq=False)
class Study:
    """What many replicates of a world say of systems.

    Attributes
    ----------
    world : that was simulated; None where it is not known.
    tables : by name, those of `analysis.truth.truth_tables` with a column `system` in front; none of systems that keep
        no ratings.
    losses : a row a system, replicate and metric: mean loss of its forecasts, of the oracle that knows the truth, and
        the number of games n.
    """

    tables: dict[str, pl.DataFrame] = field(repr=False)
    losses: pl.DataFrame = field(repr=False)
    world: World | None = None

    def __repr__(self) -> str:
        """Return a line: `<Study: 100 replicates of league by elo, glicko; tables errors, games, losses>`."""
        found = {**self.tables, "losses": self.losses}
        rows = [(each["system"], each["replicate"]) for each in found.values() if each.width]
        systems = ", ".join(dict.fromkeys(name for system, _ in rows for name in system.unique(maintain_order=True)))
        replicates = len({number for _, replicate in rows for number in replicate.unique()})
        of = f" of {self.world.kind}" if self.world else ""
        tables = ", ".join(name for name, each in found.items() if each.width)
        return f"<{type(self).__name__}: {counted(replicates, 'replicate')}{of} by {systems}; tables {tables}>"

    def averaged(self, name: str) -> pl.DataFrame:
        """Return a table averaged over replicates, with 95 % intervals, for one system after another.

        Parameters
        ----------
        name : of the table; see `analysis.truth.averaged`.
        """
        parts = self.tables[name].partition_by("system", maintain_order=True)
        return pl.concat([_labelled(part["system"][0], averaged(name, part.drop("system"))) for part in parts])


def study_of(world: World, labels: Sequence[str], parts: Sequence[Part]) -> Study:
    """Return what blocks of replicates of a world say together, system after system, each in order of replicates."""
    tables = {}
    for name in dict.fromkeys(name for part in parts for found in part.tables.values() for name in found):
        known = [{label: found[name] for label, found in part.tables.items() if name in found} for part in parts]
        tables[name] = _together(labels, known)
    return Study(tables, _together(labels, [part.losses for part in parts]), world)


def _together(labels: Sequence[str], parts: Sequence[dict[str, pl.DataFrame]]) -> pl.DataFrame:
    frames = [_labelled(label, part[label]) for label in labels for part in parts if label in part]
    return pl.concat(frames) if frames else pl.DataFrame()


def _labelled(label: str, frame: pl.DataFrame) -> pl.DataFrame:
    return frame.select(pl.lit(label).alias("system"), pl.all())
