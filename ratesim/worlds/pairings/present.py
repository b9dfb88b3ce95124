"""Who is there to be paired."""

import numpy as np

from ...errors import InputError
from ..base import Floats, Moment


def two_at_least(weight: Floats, kind: str, moment: Moment) -> None:
    """Refuse a round of chance meetings that has nobody to meet, by weights (R, N).

    Raises
    ------
    InputError : fewer than two players are there.
    """
    if (np.count_nonzero(weight, axis=1) < 2).any():
        said = f"pairing {kind}, round {moment.round}: fewer than two players are there"
        raise InputError(said, expected="two players in every round")
