"""K of some players, by the kernel of the policy."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..assembly import gaining
from ..state import Floats, Ints

if TYPE_CHECKING:
    from .session import Session


def gains(
    session: "Session", rows: Floats, places: NDArray[np.int64] | Ints, rule: int | Ints, now: Floats, fresh: Floats,
    lane: int = 0,
) -> Floats:  # fmt: skip
    """Return what the kernel says of some rows in one lane (n,), even where that is no K.

    Parameters
    ----------
    rows : (n, fields and more) of the state. places : (n,) which they are.
    rule : row of parameters in force, of all or (n,) of each.
    now : (n,) opening of the period, days since 1970-01-01. fresh : (n,) games that count in it.
    """
    tell = gaining(session.kernels, session.gains, f"K {session.variants[lane].policy.kind}")
    year = np.floor(now).astype("datetime64[D]").astype("datetime64[Y]").astype(np.float64) + 1970
    q = np.ascontiguousarray(session.dated.policy[:, :, lane : lane + 1])
    born, rules, k = session.born[places], np.broadcast_to(rule, len(rows)), np.empty(len(rows))
    for each in np.unique(rules).tolist():
        some = rules == each
        out = np.empty((int(some.sum()), 1))
        tell(np.ascontiguousarray(rows[some, :, None]), q, each, born[some], now[some], year[some], fresh[some], out)
        k[some] = out[:, 0]
    return k
