"""A law, what it says of one setting, and what was found."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import t

Floats = NDArray[np.float64]
RATE = 6.334e-5  # of rows that a right program fails: what lies beyond four standard deviations of a normal


class Row(NamedTuple):
    """What a law says of one setting, and what a simulation found."""

    law: str
    setting: str
    measured: str
    theory: float
    found: float
    error: float  # standard error of `found`; of an exact law, the bound of all rounding
    freedom: float = math.inf  # degrees of freedom that the standard error has
    tolerance: float = 0.0  # what the law itself may be off by: those of leading order are
    exact: bool = False

    @property
    def agrees(self) -> bool:
        """Whether the simulation does not refute the law.

        Student's test that the two differ by no more than the tolerance; a true law fails it with a chance of `RATE`
        at most, an exact one never.
        """
        errors = 1.0 if self.exact else float(t.isf(RATE / 2.0, self.freedom))
        return abs(self.found - self.theory) <= self.tolerance + self.error * errors

    @property
    def within(self) -> bool:
        """Whether the simulation itself, with its noise, is inside the tolerance."""
        return abs(self.found - self.theory) <= self.tolerance


def mean(value: Floats, *controls: Floats) -> tuple[float, float, float]:
    """Return a mean over independent replicates, its standard error and the degrees of freedom of that.

    Parameters
    ----------
    value : (R,)
    controls : (R,) each, of which it is known that their mean is 0: what value has in common with them is taken out
        (control variates, by least squares).
    """
    regressors = np.column_stack([np.ones(len(value)), *controls])
    inverse = np.linalg.inv(regressors.T @ regressors)
    fitted = inverse @ (regressors.T @ value)
    rest = value - regressors @ fitted
    freedom = len(value) - regressors.shape[1]
    return float(fitted[0]), math.sqrt(rest @ rest / freedom * inverse[0, 0]), float(freedom)


def root(square: tuple[float, float, float]) -> tuple[float, float, float]:
    """Return the root of a mean of squares, and the standard error of the root."""
    value = math.sqrt(square[0])
    return value, square[1] / (2.0 * value), square[2]
