"""FIDE's two tables: against the curve they were made with, against each other, and line by line where at hand.

Rating Regulations of 1 March 2024, 8.1.1 (score to difference) and 8.1.2 (difference to score).
"""

import csv
import math
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

import ratesim as rs
from ratesim.curves import UPPER, fide_differences, fide_table, hundredths

FACTS = Path(__file__).resolve().parents[2] / "shared/facts"
SD = 2000 / 7
NOT_THE_CURVE = {54: 58, 343: 88, 344: 88, 358: 90, 392: 92, 620: 99}  # where the table departs from its own curve
GAPS = np.arange(1001)


def table(gaps):
    return fide_table()[np.minimum(gaps, 736)]


def test_the_table_is_the_normal_curve_rounded_half_up_but_for_six_differences():
    curve = np.floor(100 * stats.norm.cdf(GAPS / SD) + 0.5).astype(int)
    other = GAPS[table(GAPS) != curve]
    assert {int(gap): int(table(gap)) for gap in other} == NOT_THE_CURVE
    assert (np.abs(table(GAPS) - curve) <= 1).all()


def test_the_curve_has_2000_sevenths_and_no_other_deviation():
    """200 sqrt 2, which is often named, fits badly."""
    curve = np.floor(100 * stats.norm.cdf(GAPS / (200 * math.sqrt(2))) + 0.5).astype(int)
    assert np.count_nonzero(table(GAPS) != curve) == 110


def test_the_rows_are_fifty_and_follow_each_other():
    assert len(UPPER) == 50
    assert (np.diff(UPPER) > 0).all()
    assert (UPPER[0], UPPER[-1], len(fide_table())) == (3, 735, 737)
    assert np.diff(fide_table()).tolist().count(1) == 50
    assert (fide_table()[0], fide_table()[735], fide_table()[736]) == (50, 99, 100)


def test_differences_are_the_middles_of_the_rows_of_the_other_table():
    for p in range(51, 100):
        row = np.flatnonzero(fide_table() == p)
        assert fide_differences()[p] == (row[0] + row[-1]) // 2, p


def test_differences_are_those_of_the_inverse_curve():
    """To a point up to .97; the rows of .98 and .99 are long, and their middles lie further out."""
    p = np.arange(51, 100)
    off = np.abs(fide_differences()[51:100] - SD * stats.norm.ppf(p / 100))
    assert off[p <= 97].max() < 1.0
    assert off[p == 98] == pytest.approx(2.2, abs=0.05)
    assert off[p == 99] == pytest.approx(12.3, abs=0.05)


def test_differences_of_losing_are_those_of_winning_negated():
    found = fide_differences()
    assert len(found) == 101
    assert (found == -found[::-1]).all()
    assert (found[0], found[10], found[40], found[50], found[57], found[100]) == (-800, -366, -72, 0, 50, 800)


def test_the_logistic_curve_is_another_one():
    logistic = np.floor(100 / (1 + 10 ** (-GAPS[:736] / 400)) + 0.5).astype(int)
    assert np.count_nonzero(logistic != table(GAPS[:736])) == 460


def test_the_kernel_reads_both_columns():
    gaps = np.concatenate([-GAPS[::-1], GAPS])
    found = np.array([hundredths(float(gap)) for gap in gaps])
    assert (found == np.where(gaps >= 0, table(abs(gaps)), 100 - table(abs(gaps)))).all()


def test_a_replay_reads_every_row_from_both_sides():
    gaps = np.repeat(GAPS, 2)
    start = {"top": {"rating": 2000}, **{str(gap): {"rating": 2000 - int(gap)} for gap in GAPS}}
    sides = [("top", str(gap)) if g % 2 else (str(gap), "top") for g, gap in enumerate(gaps)]
    first, second = zip(*sides, strict=True)
    games = rs.GameStream.of(first=first, second=second, score=[0.5] * len(gaps), time=[0.0] * len(gaps))
    whole = rs.replay(rs.FideElo(cap=None), games, policy=rs.Constant(), calendar=rs.Whole(), start=start).forecast
    assert whole[1::2] == pytest.approx(table(GAPS) / 100, abs=1e-15)
    assert whole[::2] == pytest.approx(1 - table(GAPS) / 100, abs=1e-15)
    capped = rs.replay(rs.FideElo(), games, policy=rs.Constant(), calendar=rs.Whole(), start=start).forecast
    assert capped[1::2] == pytest.approx(table(np.minimum(GAPS, 400)) / 100, abs=1e-15)


def rows(name):
    return list(csv.DictReader((FACTS / name).read_text(encoding="utf-8").splitlines()))


@pytest.mark.data
def test_8_1_2_line_by_line():
    lines = rows("fide_8_1_2.csv")
    assert len(lines) == 51
    assert [int(line["d_max"]) for line in lines[:-1]] == list(UPPER)
    for line in lines:
        gaps = np.arange(int(line["d_min"]), int(line["d_max"] or 1000) + 1)
        assert (table(gaps) == round(100 * float(line["pd_high"]))).all(), line
        assert (100 - table(gaps) == round(100 * float(line["pd_low"]))).all(), line


@pytest.mark.data
def test_8_1_1_line_by_line():
    lines = rows("fide_8_1_1.csv")
    assert len(lines) == 101
    assert {int(line["p_hundredths"]): int(line["dp"]) for line in lines} == dict(
        enumerate(fide_differences().tolist())
    )
