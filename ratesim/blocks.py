"""Games that are taken as one in errors: of a month, a season, a replicate of a world."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .errors import InputError
from .inference import Interval, time_blocks
from .keys import Score
from .stream import GameStream


class Blocks(NamedTuple):
    """Games that are taken as one in errors."""

    of: NDArray[np.int32]  # (G,)
    kind: str  # as [score] calls it
    interval: Interval


def blocks(stream: GameStream, mask: NDArray[np.bool_], score: Score, name: str) -> Blocks:
    """Return the blocks of the games judged: those asked for, or replicates where there are two or more, else months.

    Raises
    ------
    InputError : the stream has no seasons, or no replicates.
    """
    columns = {"season": stream.season, "replicate": stream.replicate}
    found = {key: column[mask] for key, column in columns.items() if column is not None}
    match score.block:
        case ("season" | "replicate") as key if key in found:
            return Blocks(found[key], key, "student" if key == "replicate" else "bootstrap")
        case ("season" | "replicate") as key:
            has = "a column season" if key == "season" else "a world"
            said = f"block = '{key}' of stream {name}, which has no {key}s"
            raise InputError(said, expected=f"{has}, or block = 'month'")
        case None if "replicate" in found and np.ptp(found["replicate"]) > 0:
            return Blocks(found["replicate"], "replicate", "student")
        case span:
            return Blocks(time_blocks(stream.time[mask], span or "month"), span or "month", "bootstrap")
