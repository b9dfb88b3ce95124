"""How far ratings are from skills at each reading, how well they rank, and what deviations claim."""

import numpy as np
import polars as pl

from ..table import Z95
from .measure import framed
from .reading import Floats, Mask, Reading, mean, over, root, total

COLUMNS = (
    *("replicate", "day", "players", "games", "bias", "rmse", "shifted", "slope", "correlation", "spearman"),
    *("claimed", "coverage", "z_mean", "z_sd"),
)


class Errors:
    """A row a replicate and reading; null where too few are listed, or no deviation is claimed.

    Columns: replicate, day, players (listed), games (mean that they have played), bias (mean of rating - skill), rmse,
    shifted (RMSE after the best shift, the standard deviation of errors), slope (of the regression of rating on skill:
    1 is a list as spread as the truth, above 1 stretched, below compressed), correlation (Pearson), spearman, claimed
    (root mean square of deviations), and of z = error after the best shift / deviation: coverage (share of |z| < 1.96),
    z_mean, z_sd (standard deviation of z, about that mean).
    """

    name = "errors"

    def __init__(self) -> None:
        self.rows: dict[str, list[Floats]] = {column: [] for column in COLUMNS}

    def see(self, reading: Reading) -> None:
        """Measure a reading."""
        listed, n = reading.listed, reading.listed.sum(axis=1)
        row = {"replicate": reading.replicate, "day": np.full(len(n), reading.day), "players": n}
        row |= {"games": mean(reading.games, listed), "bias": reading.shift, "rmse": rms(reading.error, listed)}
        row |= {"shifted": rms(reading.shifted, listed)}
        row |= _agreement(reading) | _claims(reading)
        for name, values in row.items():
            self.rows[name].append(values)

    def table(self) -> pl.DataFrame:
        """Return the rows, a replicate after the other."""
        columns = {name: np.concatenate(values) for name, values in self.rows.items()}
        return framed(columns).sort("replicate", "day", maintain_order=True)


def rms(values: Floats, some: Mask) -> Floats:
    """Return root mean squares (R,) of some values (R, N)."""
    return root(mean(values * values, some))


def _agreement(reading: Reading) -> dict[str, Floats]:
    """Return how ratings go along with skills."""
    listed = reading.listed
    rating, skill = (each - mean(each, listed)[:, None] for each in (reading.rating, reading.skill))
    both, own, true = (total(each, listed) for each in (rating * skill, rating * rating, skill * skill))
    return {"slope": over(both, true), "correlation": over(both, np.sqrt(own * true)), "spearman": _ranks(reading)}


def _ranks(reading: Reading) -> Floats:
    found = np.full(len(reading.listed), np.nan)
    for r, some in enumerate(reading.listed):
        if some.sum() > 1:
            found[r] = spearman(reading.rating[r, some], reading.skill[r, some])
    return found


def spearman(a: Floats, b: Floats) -> float:
    """Return the correlation of ranks, equal values sharing theirs; NaN where all are equal.

    >>> round(spearman(np.array([1.0, 2, 3, 4]), np.array([10.0, 30, 20, 40])), 12)
    0.8
    """
    from scipy.stats import rankdata  # slow to import

    return pearson(rankdata(a), rankdata(b))


def pearson(a: Floats, b: Floats) -> float:
    """Return the correlation, NaN where all are equal; by plain sums, which are the same on every machine.

    >>> round(pearson(np.array([1.0, 2, 3]), np.array([1.0, 3, 2])), 12)
    0.5
    """
    x, y = a - a.mean(), b - b.mean()
    return float(over(np.sum(x * y), np.sqrt(np.sum(x * x) * np.sum(y * y))))


def _claims(reading: Reading) -> dict[str, Floats]:
    """Return what deviations say of errors."""
    if reading.deviation is None:
        none = np.full(len(reading.listed), np.nan)
        return dict.fromkeys(("claimed", "coverage", "z_mean", "z_sd"), none)
    some = reading.sure
    z = reading.shifted / np.where(some, reading.deviation, 1.0)
    middle = mean(z, some)
    return {
        "claimed": rms(reading.deviation, some),
        "coverage": mean((np.abs(z) < Z95).astype(np.float64), some),
        "z_mean": middle,
        "z_sd": np.where(some.sum(axis=1) > 1, rms(z - middle[:, None], some), np.nan),
    }
