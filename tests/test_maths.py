"""exp, log, logistic, normal and its hazard against forty digits."""

import math

import mpmath
import numpy as np
import pytest

from ratesim import maths

RNG = np.random.default_rng(0)


def hazard(x):
    """Density over upper tail; far out by its continued fraction, x + 1 / (x + 2 / (x + ...))."""
    if x < 40:
        return mpmath.npdf(x) / (mpmath.erfc(x / mpmath.sqrt(2)) / 2)
    return x + beyond(x)


def beyond(x):
    """hazard(x) - x; at 40 the fraction has forty digits in sixty steps."""
    if x < 40:
        return hazard(x) - x
    rest = mpmath.mpf(0)
    for n in range(60, 0, -1):
        rest = n / (x + rest)
    return rest


CASES = {
    "exp": (maths.exp, mpmath.exp, RNG.uniform(-700, 700, 2000), 2.0),
    "exp near 0": (maths.exp, mpmath.exp, RNG.uniform(-1, 1, 2000), 2.0),
    "log": (maths.log, mpmath.log, np.exp(RNG.uniform(-700, 700, 2000)), 2.0),
    "log near 1": (maths.log, mpmath.log, RNG.uniform(0.5, 2, 2000), 2.0),
    "logistic": (maths.logistic, lambda x: 1 / (1 + mpmath.exp(-x)), RNG.uniform(-40, 40, 2000), 3.0),
    "normal": (maths.normal, mpmath.ncdf, RNG.uniform(-6, 6, 2000), 5.0),
    "normal far out": (maths.normal, lambda x: mpmath.erfc(-x / mpmath.sqrt(2)) / 2, RNG.uniform(-37, -6, 1000), 5.0),
    "hazard": (maths.hazard, hazard, RNG.uniform(-6, 12, 1000), 5.0),
    "hazard far out": (maths.hazard, hazard, RNG.uniform(-37, 1e5, 500), 5.0),
    "excess": (maths.excess, beyond, RNG.uniform(-6, 12, 1000), 8.0),
    "excess far out": (maths.excess, beyond, 10.0 ** RNG.uniform(1, 8, 500), 8.0),
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
    assert 0.0 < maths.hazard(-1e9) < 1e-300
    assert maths.hazard(1e9) == pytest.approx(1e9, rel=1e-15)
    assert maths.excess(-1e9) == 1e9
    assert math.isfinite(maths.excess(1e300))
