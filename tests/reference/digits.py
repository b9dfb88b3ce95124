"""Forty digits: what the kernels' sixteen are held to."""

import mpmath

mp = mpmath.mp.clone()
mp.dps = 40


def number(x):
    """A double, an int or a string as a number of forty digits, its value unchanged."""
    return mp.mpf(x)


TEN = number(10)
Q = mp.log(TEN) / 400
