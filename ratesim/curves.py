"""Expected score from a rating difference: the logistic curve, the normal one, FIDE's table."""

import math

import numpy as np
from numpy.typing import NDArray

from .jit import kernel
from .maths import logistic, normal

SCALE = 400.0  # rating points for odds of ten to one
LN10 = math.log(10.0)
Q = LN10 / SCALE
NORMAL_SD = 2000.0 / 7.0  # of the difference of two performances: what FIDE's table was made with, see `fide_table`

# FIDE Rating Regulations 8.1.2 (in force since before 2014, unchanged on 1 March 2024): the largest difference of each
# row, from the row of .50 (0-3) to that of .99 (620-735); 736 and more is 1.00.
UPPER = (
    *(3, 10, 17, 25, 32, 39, 46, 53, 61, 68, 76, 83, 91, 98, 106, 113, 121, 129, 137, 145, 153, 162, 170, 179, 188),
    *(
        197,
        206,
        215,
        225,
        235,
        245,
        256,
        267,
        278,
        290,
        302,
        315,
        328,
        344,
        357,
        374,
        391,
        411,
        432,
        456,
        484,
        517,
        559,
    ),
    *(619, 735),
)


def fide_table() -> NDArray[np.int64]:
    """Return table 8.1.2 as hundredths of the higher rated side, int64 (737,), by difference 0..736 and more."""
    bounds = np.array((-1, *UPPER))
    return np.append(np.repeat(np.arange(50, 100), np.diff(bounds)), 100)


def fide_differences() -> NDArray[np.int64]:
    """Return table 8.1.1 as rating differences, int64 (101,), by hundredths of the fractional score.

    From .51 to .99 they are the middles, rounded down, of the rows of 8.1.2; .50 is 0 and 1.00 is 800 by definition.
    """
    bounds = np.array((-1, *UPPER))
    upper = (bounds[1:-1] + 1 + bounds[2:]) // 2
    half = np.array([*upper, 800])
    return np.concatenate([-half[::-1], [0], half])


HUNDREDTHS = fide_table()
DIFFERENCES = fide_differences()


@kernel
def hundredths(difference: float) -> float:
    """Return the expected score of table 8.1.2 in hundredths, for a difference that is a whole number."""
    h = HUNDREDTHS[int(min(736.0, abs(difference)))]  # in this order, of NaN the last: within the table
    return float(h if difference >= 0.0 else 100 - h)


@kernel
def logistic_curve(q: float, difference: float) -> float:
    """Return 1 / (1 + 10**(-difference / scale)), with q = ln 10 / scale."""
    return logistic(q * difference)


@kernel
def normal_curve(q: float, difference: float) -> float:
    """Return the normal curve whose standard deviation is 2000/7 where the scale is 400."""
    return normal(q * difference * (SCALE / (NORMAL_SD * LN10)))
