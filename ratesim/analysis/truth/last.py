"""What the last rating list is worth: ranks, percentiles, and how often deviations hold."""

import numpy as np
import polars as pl

from .errors import pearson, spearman
from .measure import framed
from .reading import Floats, Reading, mean

LEVELS = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99)
BANDS = 20  # of percentiles


class Last:
    """The last reading."""

    def __init__(self) -> None:
        self.reading: Reading | None = None

    def see(self, reading: Reading) -> None:
        """Keep it for the last."""
        self.reading = reading

    def listed(self) -> list[tuple[int, Floats, Floats]]:
        """Return of each replicate its number, and ratings and skills of those listed, where there are two or more."""
        if self.reading is None:
            return []
        rows = zip(*self.reading[1:4], self.reading.listed, strict=True)
        return [(int(number), rating[some], skill[some]) for number, rating, skill, some in rows if some.sum() > 1]


class Ranks(Last):
    """A row a replicate: how the last list ranks players.

    Columns: replicate, players, correlation (Pearson), spearman, kendall (tau-b), each of rating and skill.
    """

    name = "ranks"

    def table(self) -> pl.DataFrame:
        """Return the rows."""
        names = ("correlation", "spearman", "kendall")
        rows = [(number, len(rating), *_agree(rating, skill)) for number, rating, skill in self.listed()]
        schema = {"replicate": pl.Int64, "players": pl.Int64, **dict.fromkeys(names, pl.Float64)}
        return pl.DataFrame(rows, schema=schema, orient="row").with_columns(pl.col(names).fill_nan(None))


def _agree(rating: Floats, skill: Floats) -> tuple[float, float, float]:
    from scipy.stats import kendalltau  # slow to import

    if np.ptp(rating) == 0 or np.ptp(skill) == 0:
        return np.nan, np.nan, np.nan
    return pearson(rating, skill), spearman(rating, skill), float(kendalltau(rating, skill).statistic)


class Coverage(Last):
    """A row a replicate and level: how often the interval that a deviation claims holds the skill.

    Columns: replicate, level (0..1), players, covered (share of |error after the best shift| < z deviation), and
    unsure (mean of z deviation, half the width of such intervals).
    """

    name = "coverage"

    def table(self) -> pl.DataFrame:
        """Return the rows; none where no deviation is claimed."""
        from scipy.special import ndtri

        reading = self.reading
        schema = {"replicate": pl.Int64, "level": pl.Float64, "players": pl.Int64}
        schema |= {"covered": pl.Float64, "unsure": pl.Float64}
        if reading is None or reading.deviation is None:
            return pl.DataFrame(schema=schema)
        some = reading.sure
        rows = []
        for level in LEVELS:
            half = float(ndtri((1 + level) / 2)) * reading.deviation
            inside = mean((np.abs(reading.shifted) < half).astype(np.float64), some)
            columns = {"replicate": reading.replicate, "level": np.full(len(inside), level)}
            columns |= {"players": some.sum(axis=1), "covered": inside, "unsure": mean(half, some)}
            rows.append(framed(columns).filter(pl.col("players") > 0))
        return pl.concat(rows).sort("replicate", "level", maintain_order=True)


class Percentiles(Last):
    """A row a replicate and twentieth of the players: where the last list places them.

    Columns: replicate, percentile (middle of the band, 2.5 to 97.5), players (whose skill lies in it), skill and rating
    (their means), rated (their mean percentile by rating), moved (mean of percentile by rating - true percentile),
    astray (the same without signs).
    """

    name = "percentiles"

    def table(self) -> pl.DataFrame:
        """Return the rows."""
        names = ("skill", "rating", "rated", "moved", "astray")
        schema = {"replicate": pl.Int64, "percentile": pl.Float64, "players": pl.Int64}
        schema |= dict.fromkeys(names, pl.Float64)
        rows = [(number, *row) for number, rating, skill in self.listed() for row in _placed(rating, skill)]
        return pl.DataFrame(rows, schema=schema, orient="row").with_columns(pl.col(names).fill_nan(None))


def percentiles(values: Floats) -> Floats:
    """Return of each value what percentage of all lies below, half of itself and of its equals counted.

    >>> percentiles(np.array([10.0, 20, 20, 30])).tolist()
    [12.5, 50.0, 50.0, 87.5]
    """
    from scipy.stats import rankdata  # slow to import

    placed: Floats = 100 * (rankdata(values) - 0.5) / len(values)
    return placed


def _placed(rating: Floats, skill: Floats) -> list[tuple[float, ...]]:
    true, rated, width = percentiles(skill), percentiles(rating), 100 / BANDS
    band, off = np.minimum(true // width, BANDS - 1), rated - true
    rows = []
    for k in range(BANDS):
        some = band == k
        if some.any():
            means = (float(each[some].mean()) for each in (skill, rating, rated, off, np.abs(off)))
            rows.append(((k + 0.5) * width, int(some.sum()), *means))
    return rows
