"""Random numbers by what they are for: independent of the order they are asked in, of workers and of machines."""

import hashlib

import numpy as np

from .errors import InputError


def generator(seed: int, replicate: int, purpose: str) -> np.random.Generator:
    """Return the generator of one purpose in one replicate.

    Keys are hashed by numpy's SeedSequence, so that replicate 731 costs what replicate 0 costs, and all systems
    of a replicate meet the same luck. The bit generator, PCG64, is one whose stream numpy keeps fixed (NEP 19);
    draw `random`, `integers` and `standard_normal` from it, which are arithmetic on its bits.

    Parameters
    ----------
    seed : at least 0.
    replicate : at least 0.
    purpose : what the numbers decide: "skills", "pairing", "results".

    Raises
    ------
    InputError : a negative seed or replicate.

    >>> bool(generator(1, 0, "skills").random() == generator(1, 0, "skills").random())
    True
    >>> bool(generator(1, 0, "skills").random() == generator(1, 1, "skills").random())
    False
    """
    for name, value in (("seed", seed), ("replicate", replicate)):
        if value < 0:
            raise InputError(f"{name} = {value}", expected="a whole number, at least 0")
    words = np.frombuffer(hashlib.sha256(purpose.encode()).digest(), "<u4")
    sequence = np.random.SeedSequence(seed, spawn_key=(replicate, *words.tolist()))
    return np.random.Generator(np.random.PCG64(sequence))
