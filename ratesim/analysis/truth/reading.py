"""One reading of all ratings of a simulated stream beside the skills."""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from ...replaying.snapshots import Snapshot

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]


class Reading(NamedTuple):
    """What all measures look at. A player is listed who is there, has a rating and has played.

    Nothing of a replicate depends on another, so that a block of replicates says of each what it says alone.
    """

    day: float
    replicate: NDArray[np.integer]  # (R,)
    rating: Floats  # (R, N)
    skill: Floats  # (R, N), NaN of those who are not there
    games: Floats  # (R, N)
    deviation: Floats | None  # (R, N)
    listed: Mask  # (R, N)
    error: Floats  # (R, N) rating - skill
    shift: Floats  # (R,) mean error of those listed: all that the best shift takes off, NaN where nobody is
    volatility: Floats | None = None  # (R, N), as the system has it
    foul: Mask | None = None  # (R, N) who plays foul, where the world says so

    @property
    def shifted(self) -> Floats:
        """Errors after the best shift, (R, N), NaN where one is listed: only differences of ratings mean anything."""
        shift = np.where(self.listed.sum(axis=1) > 1, self.shift, np.nan)
        left: Floats = self.error - shift[:, None]
        return left

    @property
    def compared(self) -> Mask:
        """Those listed of whom another is, (R, N): the best shift leaves one alone no error."""
        some: Mask = self.listed & (self.listed.sum(axis=1) > 1)[:, None]
        return some

    @property
    def sure(self) -> Mask:
        """Those of them who claim a deviation above 0, (R, N): one of 0 is no interval that could hold anything."""
        if self.deviation is None:
            return np.zeros_like(self.listed)
        some: Mask = self.compared & (self.deviation > 0)
        return some


def reading(snapshot: "Snapshot") -> Reading:
    """Return what is to be measured of a snapshot."""
    rating, skill = snapshot.rating, snapshot.skill
    games = np.asarray(snapshot.games, dtype=np.float64)
    listed = np.isfinite(skill) & np.isfinite(rating) & (games > 0)
    error = rating - skill
    return Reading(
        snapshot.day, snapshot.replicate, rating, skill, games, snapshot.deviation, listed, error, mean(error, listed),
        snapshot.volatility, snapshot.foul,
    )  # fmt: skip


def total(values: Floats, some: Mask) -> Floats:
    """Return the sums (R,) of some values (R, N), one replicate like another whatever stands beside it."""
    sums: Floats = np.where(some, values, 0.0).sum(axis=1)
    return sums


def mean(values: Floats, some: Mask) -> Floats:
    """Return the means (R,) of some values (R, N), NaN of none."""
    return over(total(values, some), some.sum(axis=1))


def over(part: Floats, whole: NDArray[np.number]) -> Floats:
    """Return quotients, NaN where there is nothing to divide by."""
    none = whole == 0
    quotient: Floats = np.where(none, np.nan, part / np.where(none, 1, whole))
    return quotient


def root(square: Floats) -> Floats:
    """Return square roots, those of what rounding made negative being 0."""
    found: Floats = np.sqrt(np.maximum(square, 0.0))
    return found
