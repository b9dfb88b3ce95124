"""Who is first of two who meet."""

from ...jit import kernel
from ..base import Ints


@kernel
def takes_first(due: Ints, then: Ints, r: int, i: int, j: int, coin: float) -> bool:
    """Whether i is first against j: who has less in one account (R, N), or else in another; of equals by a coin."""
    if due[r, i] != due[r, j]:
        ahead = due[r, i] < due[r, j]
    elif then[r, i] != then[r, j]:
        ahead = then[r, i] < then[r, j]
    else:
        ahead = coin < 0.5
    return bool(ahead)
