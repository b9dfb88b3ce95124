"""Calls that other processes make."""

import os
import time
from pathlib import Path

import numpy as np


def doubled(number: int) -> int:
    return 2 * number


def summed(number: int, games: dict[str, np.ndarray]) -> tuple[float, bool, bool, int]:
    """A sum over a shared array, whether it is mapped, whether it may be written to, and where it was made."""
    array = games["score"]
    base = array
    while isinstance(base, np.ndarray):
        base = base.base
    return float(array.sum()) + number, isinstance(base, memoryview), array.flags.writeable, os.getpid()


def dies(number: int, folder: str, times: int) -> int:
    """Kills its process the first few times that number 1 is asked for."""
    place = Path(folder)
    if number == 1 and len(list(place.iterdir())) < times:
        (place / str(time.time_ns())).touch()
        os.kill(os.getpid(), 9)
    return 2 * number


def nowhere(folder: str) -> bool:
    """What a worker on another machine says of a folder."""
    return False
