"""How near ratings come to skills, by games played."""

import numpy as np
import polars as pl

from ..table import Z95
from .groups import Groups
from .measure import framed
from .reading import Floats, Ints, Reading, over, root

SUMS = 14
NOTHING = 1e-12  # of a square: what rounding leaves of a variance


class ByGames:
    """A row a replicate and group of games played (`groups`): each player enters a group once, when another is listed.

    Columns: replicate, from (where the group begins), games (mean), players, bias and rmse of rating - skill, shifted
    (RMSE after the best shift of all who are listed at the same time), shifted_se (its standard error over players, by
    the delta method), slope (of the regression of rating on skill), correlation; and of those who claim a deviation
    above 0: claimed (its root mean square), coverage and z_rms (share of |z| < 1.96 and root mean square of z = error
    after the same shift / deviation).
    """

    name = "games"

    def __init__(self) -> None:
        self.groups: Groups | None = None
        self.replicate: Ints = np.empty(0, dtype=np.int64)

    def see(self, reading: Reading) -> None:
        """Take in those who enter a group."""
        if self.groups is None:
            self.groups, self.replicate = Groups(reading.rating.shape, SUMS), reading.replicate.astype(np.int64)
        new = self.groups.enter(reading.games, reading.compared)
        rating, skill, error, shifted = (
            each[new] for each in (reading.rating, reading.skill, reading.error, reading.shifted)
        )
        sure, square = reading.sure[new], shifted * shifted
        claim = np.where(sure, 0.0 if reading.deviation is None else reading.deviation[new], 0.0)
        z = shifted / np.where(sure, claim, np.inf)
        self.groups.add(
            new, reading.games[new], error, error * error, square, square * square, rating, skill, rating * rating,
            skill * skill, rating * skill, sure, claim * claim, sure & (np.abs(z) < Z95), z * z,
        )  # fmt: skip

    def table(self) -> pl.DataFrame:
        """Return the rows, a replicate after the other."""
        groups = self.groups or Groups((0, 0), SUMS)
        row, begin, n, means = groups.filled()
        games, bias, error2, square, square2, rating, skill, rating2, skill2, both, sure, *claims = means
        shifted = np.sqrt(square)
        own, true = _variance(rating2, rating), _variance(skill2, skill)
        together = both - rating * skill
        claim2, inside, z2 = (over(each, sure) for each in claims)
        return framed(
            {
                "replicate": self.replicate[row],
                "from": begin,
                "games": games,
                "players": n,
                "bias": bias,
                "rmse": np.sqrt(error2),
                "shifted": shifted,
                "shifted_se": over(root(square2 - square * square), 2 * shifted * np.sqrt(np.maximum(n - 1, 0))),
                "slope": over(together, true),
                "correlation": over(together, np.sqrt(own * true)),
                "claimed": np.sqrt(claim2),
                "coverage": inside,
                "z_rms": np.sqrt(z2),
            }
        )


def _variance(square: Floats, mean: Floats) -> Floats:
    """Return variances from mean squares and means, 0 where there is no more than rounding."""
    found = square - mean * mean
    return np.where(found > NOTHING * square, found, 0.0)
