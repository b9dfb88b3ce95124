"""Many comparisons at once."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
TURNED = {"better": "worse", "worse": "better", "tie": "tie"}  # what the other is then


def holm(p: ArrayLike) -> Floats:
    """Return p values corrected for being many, so that the chance of any false finding stays what it is for one.

    Holm, Scand. J. Statist. 6 (1979) 65: the smallest of m times m, the next times m - 1, and so on, never falling. It
    asks nothing of how comparisons hang together. NaN, where there is no test, stays and is not counted.

    Parameters
    ----------
    p : (P,) 0..1 or NaN.

    >>> holm([0.01, 0.04, 0.03, float("nan")]).round(12).tolist()
    [0.03, 0.06, 0.06, nan]
    """
    p = np.asarray(p, dtype=np.float64)
    tested = np.flatnonzero(~np.isnan(p))
    order = tested[np.argsort(p[tested], kind="stable")]
    out = np.full(len(p), np.nan)
    out[order] = np.minimum(np.maximum.accumulate(p[order] * np.arange(len(order), 0, -1)), 1.0)
    return out


def verdict(difference: float, p: float, level: float) -> str:
    """Return how one stands to another by a difference of losses: "better", "worse", or "tie" where p is not small.

    >>> verdict(-0.01, 0.04, 0.95), verdict(0.01, 0.06, 0.95), verdict(0.01, float("nan"), 0.95)
    ('better', 'tie', 'tie')
    """
    if not p <= 1 - level:
        return "tie"
    return "better" if difference < 0 else "worse"
