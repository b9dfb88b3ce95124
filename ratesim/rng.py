"""Random numbers by what they are for: independent of the order they are asked in, of workers and of machines."""

import hashlib
import math
from collections.abc import Callable, Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from .errors import InputError
from .jit import Function, kernel, specialise, to_float
from .maths import log

Floats = NDArray[np.float64]
Keys = NDArray[np.uint64]

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
MIX_1, MIX_2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
S27, S30, S31, S12 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(12)
ONE_BITS = 0x3FF0000000000000
BELOW_ONE = 1.0 - 2.0**-53
MOST = 2**31 - 1  # replicates: tables have their numbers as int32
ROUND = np.uint64(2**32)  # draws that a round has of one purpose


def check_seed(seed: int, *replicates: int) -> None:
    """Refuse what no numbers are keyed by.

    Raises
    ------
    InputError : a seed or replicate that is negative or no whole number, or a replicate above 2,147,483,646.
    """
    for name, value in (("seed", seed), *(("replicate", each) for each in replicates)):
        whole: object = value
        if isinstance(whole, bool) or not isinstance(whole, int | np.integer) or value < 0:
            raise InputError(f"{name} = {value!r}", expected="a whole number, at least 0")
    for replicate in replicates:
        if replicate >= MOST:
            raise InputError(f"replicate = {replicate}", expected=f"at most {MOST - 1:,}")


def check_counts(least: int = 1, /, **values: object) -> None:
    """Refuse what is no number of things, by name; None is left to whoever asks.

    Raises
    ------
    InputError : a value below the least one, or no whole number.
    """
    for name, value in values.items():
        whole = isinstance(value, int | np.integer) and not isinstance(value, bool) and value >= least
        if value is not None and not whole:
            raise InputError(f"{name} = {value!r}", expected=f"a whole number, at least {least}")


def generator(seed: int, replicate: int, purpose: str) -> np.random.Generator:
    """Return the generator of one purpose in one replicate.

    Keys are hashed by numpy's SeedSequence. The bit generator, PCG64, is one whose stream numpy keeps fixed (NEP 19);
    draw `random`, `integers` and `permutation` from it, which are arithmetic on its bits. Worlds have `Luck`, which is
    the same for many replicates at once.

    Parameters
    ----------
    seed, replicate : at least 0.
    purpose : what the numbers decide: "bootstrap", "newcomers".

    Raises
    ------
    InputError : a negative seed or replicate.

    >>> bool(generator(1, 0, "bootstrap").random() == generator(1, 0, "bootstrap").random())
    True
    >>> bool(generator(1, 0, "bootstrap").random() == generator(1, 1, "bootstrap").random())
    False
    """
    check_seed(seed, replicate)
    words = np.frombuffer(hashlib.sha256(purpose.encode()).digest(), "<u4")
    sequence = np.random.SeedSequence(seed, spawn_key=(replicate, *words.tolist()))
    return np.random.Generator(np.random.PCG64(sequence))


@kernel
def bits(key: np.uint64, counter: np.uint64) -> np.uint64:
    """Return number `counter` of the SplitMix64 stream that begins at `key` (Steele, Lea & Flood, OOPSLA 2014)."""
    return mixed(key + (counter + np.uint64(1)) * GOLDEN)


@kernel
def mixed(state: np.uint64) -> np.uint64:
    """Return what a state of SplitMix64 gives; each is the one before it plus `GOLDEN`."""
    z = (state ^ (state >> S30)) * MIX_1
    z = (z ^ (z >> S27)) * MIX_2
    return z ^ (z >> S31)


@kernel
def unit(key: np.uint64, counter: np.uint64) -> float:
    """Return the same as a number inside (0, 1): an odd multiple of 2**-53, so neither end is ever met."""
    return inside(key + (counter + np.uint64(1)) * GOLDEN)


@kernel
def inside(state: np.uint64) -> float:
    """Return `unit` of a state of SplitMix64: loops that go from state to state multiply less."""
    u: float = to_float(np.int64(mixed(state) >> S12) | ONE_BITS) - BELOW_ONE
    return u


@kernel
def quantile(p: float) -> float:
    """Return the standard normal quantile of p inside (0, 1), to 16 digits (Wichura, AS 241: PPND16, 1988)."""
    q = p - 0.5
    if abs(q) <= 0.425:
        r = 0.180625 - q * q
        a = 2509.0809287301226727 * r + 33430.575583588128105
        a = ((a * r + 67265.770927008700853) * r + 45921.953931549871457) * r + 13731.693765509461125
        a = ((a * r + 1971.5909503065514427) * r + 133.14166789178437745) * r + 3.387132872796366608
        b = 5226.495278852545925 * r + 28729.085735721942674
        b = ((b * r + 39307.89580009271061) * r + 21213.794301586595867) * r + 5394.1960214247511077
        b = ((b * r + 687.1870074920579083) * r + 42.313330701600911252) * r + 1.0
        return q * a / b
    r = math.sqrt(-log(min(p, 1.0 - p)))
    if r <= 5.0:
        r -= 1.6
        a = 7.7454501427834140764e-4 * r + 0.0227238449892691845833
        a = ((a * r + 0.24178072517745061177) * r + 1.27045825245236838258) * r + 3.64784832476320460504
        a = ((a * r + 5.7694972214606914055) * r + 4.6303378461565452959) * r + 1.42343711074968357734
        b = 1.05075007164441684324e-9 * r + 5.475938084995344946e-4
        b = ((b * r + 0.0151986665636164571966) * r + 0.14810397642748007459) * r + 0.68976733498510000455
        b = ((b * r + 1.6763848301838038494) * r + 2.05319162663775882187) * r + 1.0
    else:
        r -= 5.0
        a = 2.01033439929228813265e-7 * r + 2.71155556874348757815e-5
        a = ((a * r + 0.0012426609473880784386) * r + 0.026532189526576123093) * r + 0.29656057182850489123
        a = ((a * r + 1.7848265399172913358) * r + 5.4637849111641143699) * r + 6.6579046435011037772
        b = 2.04426310338993978564e-15 * r + 1.4215117583164458887e-7
        b = ((b * r + 1.8463183175100546818e-5) * r + 7.868691311456132591e-4) * r + 0.0148753612908506148525
        b = ((b * r + 0.13692988092273580531) * r + 0.59983220655588793769) * r + 1.0
    return a / b if q > 0.0 else -a / b


def fill_uniform(keys: Keys, start: np.uint64, out: Floats) -> None:
    """Write the numbers from `start` on of each key (R,) into a row (R, n), uniform in (0, 1)."""
    for r in range(out.shape[0]):
        state = keys[r] + start * GOLDEN
        for k in range(out.shape[1]):
            state += GOLDEN
            out[r, k] = inside(state)


def fill_normal(keys: Keys, start: np.uint64, out: Floats) -> None:
    """Write the same as standard normal deviates."""
    for r in range(out.shape[0]):
        state = keys[r] + start * GOLDEN
        for k in range(out.shape[1]):
            state += GOLDEN
            out[r, k] = quantile(inside(state))


@cache
def _filling(fill: Callable[[Keys, np.uint64, Floats], None]) -> Function:
    return specialise(fill, "random numbers")


class Luck:
    """The luck of some replicates: numbers keyed by (seed, replicate, purpose), a fresh row of them each round.

    Nothing is consumed: number k of a round is always the same, so replicate 731 alone is replicate 731 of 1,000, in
    blocks of any size, and costs what replicate 0 costs. A purpose has 2**32 numbers a round. The same bits everywhere.

    Parameters
    ----------
    seed : at least 0.
    replicates : (R,) numbers of replicates, each at least 0.
    path : purposes further out, as `under` adds them.

    Raises
    ------
    InputError : a negative seed or replicate.

    >>> some, one = Luck(1, range(5)), Luck(1, [3])
    >>> bool((some.uniform("results", 2, 4)[3] == one.uniform("results", 2, 4)[0]).all())
    True
    """

    def __init__(self, seed: int, replicates: Sequence[int], path: str = "") -> None:
        check_seed(seed, *replicates)
        self.seed, self.replicates, self.path = seed, replicates, path
        self._keys: dict[str, Keys] = {}
        self._inner: dict[str, Luck] = {}

    def __len__(self) -> int:
        """Return the number of replicates R."""
        return len(self.replicates)

    def under(self, purpose: str) -> "Luck":
        """Return luck apart from all other: what one part of a world draws is nothing to the others."""
        if purpose not in self._inner:
            self._inner[purpose] = Luck(self.seed, self.replicates, f"{self.path}{purpose}/")
        return self._inner[purpose]

    def keys(self, purpose: str) -> Keys:
        """Return the key (R,) of each replicate, for kernels that draw with `bits` or `unit` themselves."""
        if purpose not in self._keys:
            texts = (f"{self.seed} {replicate} {self.path}{purpose}".encode() for replicate in self.replicates)
            whole = b"".join(hashlib.sha256(text).digest()[:8] for text in texts)
            self._keys[purpose] = np.frombuffer(whole, "<u8").astype(np.uint64)
        return self._keys[purpose]

    def uniform(self, purpose: str, round_: int, count: int) -> Floats:
        """Return uniform numbers (R, count) inside (0, 1)."""
        out = np.empty((len(self), count))
        _filling(fill_uniform)(self.keys(purpose), np.uint64(round_) * ROUND, out)
        return out

    def normal(self, purpose: str, round_: int, count: int) -> Floats:
        """Return standard normal deviates (R, count)."""
        out = np.empty((len(self), count))
        _filling(fill_normal)(self.keys(purpose), np.uint64(round_) * ROUND, out)
        return out
