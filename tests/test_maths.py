"""exp, log, logistic and normal against forty digits."""

import math

import mpmath
import numpy as np
import pytest

from ratesim import maths

RNG = np.random.default_rng(0)
CASES = {
    "exp": (maths.exp, mpmath.exp, RNG.uniform(-700, 700, 2000), 2.0),
    "exp near 0": (maths.exp, mpmath.exp, RNG.uniform(-1, 1, 2000), 2.0),
    "log": (maths.log, mpmath.log, np.exp(RNG.uniform(-700, 700, 2000)), 2.0),
    "log near 1": (maths.log, mpmath.log, RNG.uniform(0.5, 2, 2000), 2.0),
    "logistic": (maths.logistic, lambda x: 1 / (1 + mpmath.exp(-x)), RNG.uniform(-40, 40, 2000), 3.0),
    "normal": (maths.normal, mpmath.ncdf, RNG.uniform(-6, 6, 2000), 5.0),
    "normal far out": (maths.normal, lambda x: mpmath.erfc(-x / mpmath.sqrt(2)) / 2, RNG.uniform(-37, -6, 1000), 5.0),
}


@pytest.mark.parametrize("name", CASES)
def test_units_in_the_last_place(name):
    ours, exact, values, bound = CASES[name]
    with mpmath.workdps(40):
        off = [abs(mpmath.mpf(ours(x)) - exact(mpmath.mpf(x))) / math.ulp(float(exact(mpmath.mpf(x)))) for x in values]
    assert max(off) < bound


def test_the_ends_are_finite_and_exact_where_they_must_be():
    for x in (-1e9, -710.0, 0.0, 710.0, 1e9):
        assert all(math.isfinite(f(x)) for f in (maths.exp, maths.logistic, maths.normal))
    assert (maths.exp(0.0), maths.log(1.0), maths.logistic(0.0), maths.normal(0.0)) == (1.0, 0.0, 0.5, 0.5)
    assert maths.logistic(1e9) == maths.normal(1e9) == 1.0
    assert maths.normal(-1e9) < 1e-300
