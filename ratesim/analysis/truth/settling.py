"""How many games it takes to come near the truth, and to stay there."""

import numpy as np
import polars as pl

from .measure import framed
from .reading import Floats, Ints, Mask, Reading, mean

WITHIN = (50.0, 100.0, 200.0)  # rating points
QUARTILES = (0.25, 0.5, 0.75)


class Settling:
    """A row a replicate and distance X, of players who are further off than X where they are first read, if any are.

    Columns: replicate, within (X, rating points), players, settled (share who are within X of the truth where they are
    last read, so that they came and stayed), lower, median, upper (quartiles over all of them of the games played when
    they came to stay; null where fewer than that share are settled), first (median games played when they were first
    within X). Errors are those after the best shift of all who are there and have a rating, played or not: the mean
    error of the few who have played at first says nothing of the others. Between readings errors are taken as straight
    over games. Players whose rating is known before they play are first read there.
    """

    name = "settling"

    def __init__(self, within: tuple[float, ...] = WITHIN) -> None:
        self.within = within
        self.replicate: Ints = np.empty(0, dtype=np.int64)
        self.crossings: list[Crossing] = []
        self.error: Floats = np.empty((0, 0))
        self.games: Floats = np.empty((0, 0))

    def see(self, reading: Reading) -> None:
        """Look who has come nearer or gone astray since the reading before."""
        there = np.isfinite(reading.skill) & np.isfinite(reading.rating)
        error = np.where(there, reading.error - mean(reading.error, there)[:, None], np.nan)
        if not self.crossings:
            self.replicate = reading.replicate.astype(np.int64)
            self.crossings = [Crossing(error.shape) for _ in self.within]
            self.error, self.games = np.full(error.shape, np.nan), np.zeros(error.shape)
        for within, crossing in zip(self.within, self.crossings, strict=True):
            crossing.see(within, (self.error, self.games), (error, reading.games), there)
        self.error, self.games = np.where(there, error, self.error), np.where(there, reading.games, self.games)

    def table(self) -> pl.DataFrame:
        """Return the rows, a replicate after the other."""
        rows = [
            (number, within, *crossing.told(r))
            for r, number in enumerate(self.replicate.tolist())
            for within, crossing in zip(self.within, self.crossings, strict=True)
            if crossing.began[r].any()
        ]
        names = ("replicate", "within", "players", "settled", "lower", "median", "upper", "first")
        schema = dict.fromkeys(names, pl.Float64) | {"replicate": pl.Int64, "players": pl.Int64}
        return framed(pl.DataFrame(rows, schema=schema, orient="row").to_dict())


class Crossing:
    """When players (R, N) came within a distance."""

    def __init__(self, shape: tuple[int, ...]) -> None:
        self.began: Mask = np.zeros(shape, dtype=np.bool_)  # outside, where first read
        self.first: Floats = np.full(shape, np.inf)  # games
        self.stays: Floats = np.full(shape, np.inf)

    def see(self, within: float, before: tuple[Floats, Floats], now: tuple[Floats, Floats], there: Mask) -> None:
        """Look at errors and games now, beside those at the reading before (error NaN of those not yet read)."""
        (was, played), (error, games) = before, now
        outside = there & (np.abs(error) > within)
        self.began |= outside & np.isnan(was)
        inside = there & ~outside
        came = inside & (np.abs(was) > within)
        part = (np.abs(was) - within) / np.where(came, np.abs(was - error), 1.0)
        at = np.where(came, played + part * (games - played), np.inf)
        self.first = np.where(came, np.minimum(self.first, at), self.first)
        self.stays = np.where(came, at, np.where(outside, np.inf, self.stays))

    def told(self, r: int) -> tuple[float, ...]:
        """Return what became of one replicate's players who began outside."""
        stays, first = (each[r, self.began[r]] for each in (self.stays, self.first))
        quartiles = (_quantile(stays, q) for q in QUARTILES)
        return (len(stays), float(np.isfinite(stays).mean()), *quartiles, _quantile(first, 0.5))


def _quantile(values: Floats, q: float) -> float:
    """Return a quantile of games, NaN where it lies among those who never come."""
    found = float(np.quantile(values, q, method="inverted_cdf"))
    return found if np.isfinite(found) else np.nan
