"""Two normal performances and a draw margin: chances, v and w against fifty digits, near and far out."""

import mpmath
import numpy as np
import pytest

import ratesim as rs
from ratesim.jit import plain
from ratesim.systems import gaussian
from ratesim.systems.base import Start

GAPS = (0.0, 1e-3, 0.4, 1.0, 3.0, 8.0, 20.0, 1e3, 1e5)
MARGINS = (1e-9, 1e-3, 0.06, 0.74, 2.5)
WORK = 60  # digits; those of a tail are kept by asking for the tail itself


def tail(x):
    """Phi(-x) to all digits."""
    return mpmath.erfc(x / mpmath.sqrt(2)) / 2


def between(low, high):
    """Mass, mean and variance of the standard normal between two places, by its tails."""
    mass, here, there = tail(low) - tail(high), mpmath.npdf(low), mpmath.npdf(high)
    mean = (here - there) / mass
    return mass, mean, 1 + (low * here - high * there) / mass - mean**2


@pytest.mark.parametrize("gap", [*GAPS, -0.4, -3.0, -20.0, -1e3, -1e5])
@pytest.mark.parametrize("margin", [0.0, *MARGINS])
def test_a_win_says_what_the_tail_beyond_the_margin_has(gap, margin):
    with mpmath.workdps(2 * WORK):
        low = mpmath.mpf(margin) - mpmath.mpf(gap)
        v = mpmath.npdf(low) / tail(low)
        w = v * (v - low)
        found = plain(gaussian.won)(gap, margin)
        assert abs(found.v - v) <= 1e-13 * abs(v) + 1e-300
        assert abs(found.w - w) <= 1e-13 * abs(w) + 1e-300
        assert 0.0 <= found.w <= 1.0 + 1e-15


@pytest.mark.parametrize("gap", GAPS)
@pytest.mark.parametrize("margin", MARGINS)
def test_a_draw_says_what_the_strip_within_the_margin_has(gap, margin):
    with mpmath.workdps(2 * WORK):
        a, m = mpmath.mpf(gap), mpmath.mpf(margin)
        _, v, variance = between(a - m, a + m)
        for side in (1.0, -1.0):
            found = plain(gaussian.said)(side * gap, margin, 0.5)
            assert abs(found.v + side * v) <= 1e-11 * max(abs(v), 1)
            assert abs(found.w - (1 - variance)) <= 1e-11


@pytest.mark.parametrize("gap", GAPS)
@pytest.mark.parametrize("margin", [0.0, *MARGINS])
def test_win_draw_and_loss_make_one(gap, margin):
    with mpmath.workdps(2 * WORK):
        a, m = mpmath.mpf(gap), mpmath.mpf(margin)
        loss, draw = tail(a + m), tail(a - m) - tail(a + m)
        expected = plain(gaussian.expected_score)(-gap, margin)
        found = plain(gaussian.draw_chance)(gap, margin)
        # gap + margin is rounded to its last place, which a tail there feels 1 + gap times over
        assert abs(expected - (loss + draw / 2)) <= (1e-14 + 2e-16 * gap**2) * (loss + draw / 2) + 1e-300
        assert abs(found - draw) <= 1e-15 + 1e-13 * draw
    for e in (expected, plain(gaussian.expected_score)(gap, margin)):
        chances = rs.three_way([e], [found])
        assert chances.sum() == pytest.approx(1.0, abs=1e-15)
        assert (chances >= 0).all()


def test_chances_are_monotone_in_the_gap():
    gaps = np.linspace(-45, 45, 2001)
    for margin in (0.0, *MARGINS):
        expected = [plain(gaussian.expected_score)(gap, margin) for gap in gaps]
        assert (np.diff(expected) >= 0).all()
        draws = np.array([plain(gaussian.draw_chance)(gap, margin) for gap in np.abs(gaps)])
        assert (np.diff(draws[gaps >= 0]) <= 1e-16).all()


def test_a_win_far_out_is_worth_the_more_the_less_it_was_expected():
    worth = [plain(gaussian.won)(gap, 0.1).v for gap in (1e5, 30.0, 3.0, 0.0, -3.0, -30.0, -1e3, -1e5)]
    assert worth == sorted(worth)
    assert worth[-1] == pytest.approx(1e5 + 0.1, rel=1e-9)


@pytest.mark.parametrize(
    ("system", "deviation", "why"),
    [(rs.TrueSkill(), 0.0, "at least 1e-09"), (rs.Velo(), 99.0, "at least 100, as system velo has it")],
)
def test_a_start_without_a_deviation_is_refused(system, deviation, why):
    with pytest.raises(rs.InputError, match=why):
        system.belief(Start(deviation=deviation))
