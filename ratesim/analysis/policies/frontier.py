"""Speed against rest: how far ratings wander by themselves, and what is added where skills change."""

import math
from collections.abc import Mapping
from typing import Literal, NamedTuple

import numpy as np
import polars as pl

from ...theory import best_k_improving, best_k_walking, stationary_sd, tracking_lag
from ..replicates import over_replicates
from ..table import EmptyFigureError, FigureTable, listed
from ..truth.gathering import Runs, replicates
from ..truth.movers import CHANGED, UNCHANGED

KS = np.geomspace(1.0, 256.0, 161)
COLUMNS = {
    "kind": pl.String, "label": pl.String,
    **dict.fromkeys(("noise", "noise_low", "noise_high", "lag", "lag_low", "lag_high", "error", "k"), pl.Float64),
}  # fmt: skip


class Drifting(NamedTuple):
    """How skills change in a world that theory covers."""

    by: Literal["walk", "improvement"]
    amount: float  # from game to game: standard deviation, or gain, rating points
    expected: float = 0.5  # score whose p (1 - p) is the mean over games
    draw: float = 0.0  # share of draws

    def best(self) -> float:
        """Return the K of the least error, T11."""
        if self.by == "walk":
            return best_k_walking(self.amount, self.expected)
        return best_k_improving(self.amount)

    def point(self, k: float) -> tuple[float, float] | None:
        """Return noise, T6, and lag, T11, of a K, rating points; None where ratings cannot follow."""
        noise = stationary_sd(k, self.expected, self.draw)
        if self.by == "improvement":
            return (noise, tracking_lag(k, self.amount)) if abs(self.amount) < k / 2.0 else None
        h = self.expected * (1.0 - self.expected)
        return noise, math.sqrt(400.0 / math.log(10.0) / (2.0 * k * h)) * self.amount


def frontier(
    runs: Runs, rest: Runs | None = None, *, theory: Drifting | None = None, name: str = "frontier"
) -> FigureTable:
    """Return each run as a point: the error of ratings at rest, and what changes of skill add to it.

    Parameters
    ----------
    runs : by label, what `truth_tables` returns of a world where skills change.
    rest : the same runs, by the same labels, in a world that is like it but for the changes; None: those at rest are
        the players of the one world whose skill has not changed.
    theory : what theory says of constants K, drawn in.
    name : of the figure.

    Returns
    -------
    Rows of kind "run": label, noise (root mean square error at rest, rating points), lag (the root of what the mean
    square error of those who change is above that, 0 where it is not), error (root mean square of those who change),
    each over the later half of the readings, noise and lag with 95 % intervals over replicates. The mean error is taken
    off first: of all, and in one world of those at rest. Rows of kind "theory": noise, lag and k of constants K, by T6
    and T11; and of kind "best", T11's K.

    Raises
    ------
    InputError : fewer than two runs have both, as where all players change, or none does, and there is no `rest`.
    """
    still = runs if rest is None else rest
    found = [_point(label, tables, still.get(label), apart=rest is not None) for label, tables in runs.items()]
    points = [each for each in found if each is not None]
    if len(points) < 2:
        said = "fewer than two runs with players at rest and players whose skill changes"
        raise EmptyFigureError(said, where=f"figure {name}", expected="some of both, or a world like it at rest")
    frame = pl.concat([*points, *([] if theory is None else [_paper(theory)])])
    n = replicates(runs)
    who = "in a world like it where skills stand still" if rest is not None else "of players whose skill stands still"
    whose = "all players" if rest is not None else "players whose skill changes"
    base = "all" if rest is not None else "those at rest"
    caption = (
        f"Speed against rest, for {listed([each['label'][0] for each in points])}. Across: the error of ratings {who}; "
        f"up: what is added for {whose}, so that the distance from the corner is their whole error (circles). Root "
        f"mean squares over the later half of the readings, the mean error of {base} taken off"
        + (f"; bars: 95 % intervals over {n} replicates. " if n > 1 else ". ")
        + _best(frame.filter(kind="run"))
        + (_said(theory) if theory is not None else "")
    )
    meta = {"drawing": "frontier", "title": "Lag against noise", "runs": list(runs)}
    return FigureTable(name, frame, caption.strip(), meta)


def _point(
    label: str, tables: Mapping[str, pl.DataFrame], rest: Mapping[str, pl.DataFrame] | None, *, apart: bool
) -> pl.DataFrame | None:
    """Return the row of a run, None where it does not have both kinds of players."""
    if not tables or not rest:
        return None
    each = _apart(tables["errors"], rest["errors"]) if apart else _side_by_side(tables["movers"])
    if each.is_empty():
        return None
    (row,) = over_replicates(each, []).rows(named=True)
    ends = {end: [_root(row[f"{name}{end}"]) for name in ("still", "added")] for end in ("", "_low", "_high")}
    noise, lag = zip(*ends.values(), strict=True)
    return pl.DataFrame([("run", label, *noise, *lag, _root(row["square"]), None)], schema=COLUMNS, orient="row")


def _apart(moving: pl.DataFrame, still: pl.DataFrame) -> pl.DataFrame:
    """Return mean squares by replicate: in a world where skills change, what of it is theirs, and where they do not."""
    here, there = (_late(each).select("replicate", square=pl.col("shifted") ** 2) for each in (moving, still))
    return _added(_averaged(here).join(_averaged(there).rename({"square": "still"}), on="replicate"))


def _side_by_side(movers: pl.DataFrame) -> pl.DataFrame:
    """Return the same of players who change and of others of one world, errors counted from the mean of the others.

    Where those who change are behind, the shift that is best for all puts the others too high.
    """
    both = _late(movers)
    changed, still = (both.filter(pl.col("who") == who) for who in (CHANGED, UNCHANGED))
    spread = pl.col("shifted") ** 2 - pl.col("bias") ** 2
    other = still.select("replicate", "day", still=spread, level="bias")
    each = changed.join(other, on=["replicate", "day"], how="inner", maintain_order="left")
    return _added(_averaged(each.select("replicate", "still", square=spread + (pl.col("bias") - pl.col("level")) ** 2)))


def _added(squares: pl.DataFrame) -> pl.DataFrame:
    return squares.with_columns(added=pl.col("square") - pl.col("still"))


def _late(table: pl.DataFrame) -> pl.DataFrame:
    """Return the later half of the readings."""
    days = table["day"].unique().sort()
    return table.filter(pl.col("day") >= days[len(days) // 2], pl.col("shifted").is_not_null()) if len(days) else table


def _averaged(squares: pl.DataFrame) -> pl.DataFrame:
    """Return means over readings, by replicate, in NumPy, whose sums are the same with any number of cores."""
    names = [name for name in squares.columns if name != "replicate"]
    rows = [
        (part["replicate"][0], *(float(part[name].to_numpy().mean()) for name in names))
        for part in squares.partition_by("replicate", maintain_order=True)
    ]
    schema = {"replicate": pl.Int64, **dict.fromkeys(names, pl.Float64)}
    return pl.DataFrame(rows, schema=schema, orient="row")


def _root(square: float | None) -> float | None:
    return None if square is None else math.sqrt(max(square, 0.0))


def _paper(theory: Drifting) -> pl.DataFrame:
    """Return what theory says of constants, and of the best one."""
    rows = []
    for kind, ks in (("theory", KS.tolist()), ("best", [theory.best()])):
        for k in ks:
            point = theory.point(k) if k > 0 else None
            if point is not None:
                noise, lag = point
                rows.append((kind, f"K {k:.3g}", noise, None, None, lag, None, None, math.hypot(noise, lag), k))
    return pl.DataFrame(rows, schema=COLUMNS, orient="row")


def _best(points: pl.DataFrame) -> str:
    least = points.sort("error", maintain_order=True).row(0, named=True)
    return f"The least whole error is that of {least['label']}, {least['error']:.1f} points. "


def _said(theory: Drifting) -> str:
    k = theory.best()
    how = "walk at random by" if theory.by == "walk" else "gain"
    return (
        f"Dashed: what theory says of constants K against opponents who are known, T6 and T11 of `rs.theory`, where "
        f"skills {how} {theory.amount:.3g} points from game to game; star: its best K, {k:.3g}."
    )
