"""What laws are tried on: a system, a calendar and a small league of games."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from ..calendars import Calendar
from ..policies import Policy
from ..replay import replay
from ..replaying.run import Run
from ..stream import GameStream
from ..systems.base import Floats, Rater, Refit, Start, System

PLAYERS = "ABCDEFGH"
BREAK = 150  # the day on which the second season begins
DAYS = (3, 9, 20, 33, 41, 62, 70, 75, 93, 99, 190, 200, 213, 221, 230, 245)  # three games each; spring is empty
LONG = {"games": 100.0, "peak": 1e6, "born": 1940.0}  # of players who have played long: their K is the lowest
Starts = Mapping[str, Mapping[str, float]]


@dataclass(frozen=True)
class Trial:
    """A system under a calendar."""

    system: Rater
    calendar: Calendar

    def __str__(self) -> str:
        return f"{self.system.label} under {self.calendar.label}"

    def replay(self, games: GameStream, *, start: Starts | None = None, policy: Policy | None = None) -> Run:
        """Replay a stream; the start table is for systems made of kernels."""
        takes = isinstance(self.system, System)
        return replay(self.system, games, policy=policy, calendar=self.calendar, start=start if takes else None)

    def with_parameters(self, **values: float) -> "Trial":
        """Return a trial of the same system with other parameters."""
        return Trial(type(self.system)(**{**self.system.model_dump(exclude={"kind"}), **values}), self.calendar)


def league() -> pl.DataFrame:
    """Return 48 games of eight players over eight months, as `GameStream.of` takes them.

    A day has three games, two of its players in two of them. H comes late, G pauses. There are edges, margins, draws,
    two seasons, published ratings and performances.
    """
    rng = np.random.default_rng(20120222)
    rows = []
    for day in DAYS:
        active = [p for p in PLAYERS if not (p == "H" and day < 90) and not (p == "G" and 30 < day < 220)]
        a, b, c, d = rng.permutation(active)[:4]
        for first, second in ((a, b), (b, c), (c, d)):
            rows.append((first, second, rng.integers(3) / 2, float(day), rng.choice([-1.0, 0.0, 0.5, 1.0])))
    games = pl.DataFrame(rows, schema=["first", "second", "score", "time", "edge"], orient="row")
    ratings = rng.normal(1500, 150, (2, len(rows))).round()
    shown = rng.normal(1500, 250, (2, len(rows)))
    return games.with_columns(
        margin=2 * pl.col("score") - 1, season=pl.when(pl.col("time") < BREAK).then(pl.lit("1")).otherwise(pl.lit("2")),
        published_first=pl.Series(ratings[0]), published_second=pl.Series(ratings[1]),
        performance_first=pl.Series(shown[0]), performance_second=pl.Series(shown[1]),
    )  # fmt: skip


def stream(games: pl.DataFrame) -> GameStream:
    """Return a table of games as a stream."""
    table: dict[str, Any] = dict(games.to_dict())
    return GameStream.of(**table)


def starts(system: Rater, shift: float = 0.0) -> dict[str, dict[str, float]]:
    """Return a start for each player but H: ratings from 1400 to 1700, deviations from 60 to 300 if there are any.

    Deviations are held to the system's own bounds; games, peak and birth year are there for policies that ask for them.
    """
    table = {
        p: {"rating": 1400.0 + 50.0 * i + shift, "games": 20.0 * i, "peak": 1750.0 + shift, "born": 1940.0}
        for i, p in enumerate(PLAYERS[:-1])
    }
    if "deviation" in columns(system):
        for i, row in enumerate(table.values()):
            row["deviation"] = bounded(system, 60.0 + 40.0 * i)
    return table


def bounded(system: Rater, deviation: float) -> float:
    """Return a deviation as close as the system's floor and ceiling let it come."""
    return float(min(max(deviation, getattr(system, "floor", 0.0)), getattr(system, "ceiling", math.inf)))


def columns(system: Rater) -> tuple[str, ...]:
    """Return what a system believes of a player, by name; nothing where it sees a whole stream at once."""
    if isinstance(system, Refit):
        return system.tells
    return tuple(system.columns(np.array([system.belief(Start())]))) if isinstance(system, System) else ()


def ratings(run: Run) -> pl.DataFrame:
    """Return the ratings, a row a player by name."""
    return run.ratings().sort("player")


def figures(run: Run) -> Floats:
    """Return the same as numbers (N, C)."""
    return ratings(run).drop("player").to_numpy().astype(np.float64)


def swapped(games: pl.DataFrame, some: pl.Expr) -> pl.DataFrame:
    """Return the games with some of them told from the other side."""
    other = {
        "first": pl.col("second"),
        "second": pl.col("first"),
        "score": 1 - pl.col("score"),
        "edge": -pl.col("edge"),
        "margin": -pl.col("margin"),
        "published_first": pl.col("published_second"),
        "published_second": pl.col("published_first"),
        "performance_first": pl.col("performance_second"),
        "performance_second": pl.col("performance_first"),
    }
    return games.with_columns(
        pl.when(some).then(told).otherwise(pl.col(name)).alias(name) for name, told in other.items()
    )


def holds(condition: object, message: str) -> None:
    """Raise an AssertionError with the message unless the condition holds; `python -O` leaves it in."""
    if not condition:
        raise AssertionError(message)


def near(found: Floats, expected: Floats, tolerance: float, message: str) -> None:
    """Hold two arrays to each other, absolutely; NaN equals NaN."""
    holds(found.shape == expected.shape, f"{message}: {found.shape} numbers instead of {expected.shape}")
    holds((np.isnan(found) == np.isnan(expected)).all(), f"{message}: not the same numbers are missing")
    off = float(np.nanmax(np.abs(found - expected), initial=0.0)) if found.size else 0.0
    holds(off <= tolerance, f"{message}: off by {off:.3g}, more than {tolerance:g}")


def same_bits(found: Floats, expected: Floats, message: str) -> None:
    """Hold two arrays to the last bit of each other."""
    holds(found.shape == expected.shape, f"{message}: {found.shape} numbers instead of {expected.shape}")
    differ = np.count_nonzero(found.view(np.uint64) != expected.view(np.uint64))
    holds(not differ, f"{message}: {differ} of {found.size} numbers differ in their bits")
