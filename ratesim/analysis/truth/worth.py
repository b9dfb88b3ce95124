"""What a rating is worth: who has it, how strong they are, and how many stand below it."""

import math

import numpy as np
import polars as pl

from .measure import framed
from .reading import Floats, Reading

STEP = 100.0  # rating points from one rating looked at to the next
REACH = 5000.0  # rating points: ratings may grow beyond all bounds, the table may not


class Worth:
    """A row a replicate, reading and whole hundred of rating points, from the lowest rating or skill to the highest.

    Hundreds further than 5,000 points from the median skill are left out.

    Columns: replicate, day, rating (the hundred), players (listed within 50 points of it), skill (their mean, null of
    nobody), below (share of all listed who are rated lower), weaker (share whose skill is lower).
    """

    name = "worth"

    def __init__(self) -> None:
        self.rows: list[dict[str, Floats]] = []

    def see(self, reading: Reading) -> None:
        """Measure a reading."""
        for number, rating, skill, some in zip(
            reading.replicate, reading.rating, reading.skill, reading.listed, strict=True
        ):
            if some.any():
                row = _worth(rating[some], skill[some])
                same = {"replicate": int(number), "day": reading.day}
                self.rows.append({name: np.full(len(row["rating"]), each) for name, each in same.items()} | row)

    def table(self) -> pl.DataFrame:
        """Return the rows, a replicate after the other."""
        names = ("rating", "players", "skill", "below", "weaker")
        if not self.rows:
            return pl.DataFrame(schema={"replicate": pl.Int64, "day": pl.Float64, **dict.fromkeys(names, pl.Float64)})
        columns = {name: np.concatenate([row[name] for row in self.rows]) for name in ("replicate", "day", *names)}
        return framed(columns).sort("replicate", "day", "rating", maintain_order=True)


def _worth(rating: Floats, skill: Floats) -> dict[str, Floats]:
    """Return the columns that one replicate's list (n,) has."""
    both, middle = np.concatenate([rating, skill]), float(np.median(skill))
    lowest = math.floor(max(float(both.min()), middle - REACH) / STEP)
    count = math.ceil(min(float(both.max()), middle + REACH) / STEP) - lowest + 1
    near = np.floor(rating / STEP + 0.5) - lowest
    some = (near >= 0) & (near < count)
    at = near[some].astype(np.int64)
    players, total = np.bincount(at, minlength=count), np.bincount(at, skill[some], count)
    return {
        "rating": STEP * (lowest + np.arange(count)),
        "players": players,
        "skill": np.where(players > 0, total / np.maximum(players, 1), np.nan),
        "below": _below(rating, lowest, count),
        "weaker": _below(skill, lowest, count),
    }


def _below(values: Floats, lowest: int, count: int) -> Floats:
    """Return the share of values below each hundred (count,)."""
    above = np.clip(np.floor(values / STEP) - lowest + 1, 0, count).astype(np.int64)  # the first hundred above each
    share: Floats = np.cumsum(np.bincount(above, minlength=count))[:count] / len(values)
    return share
