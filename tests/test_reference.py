"""The references themselves, held to what the papers and others print: they are what kernels are held to."""

import csv
from pathlib import Path

import pytest
from reference.digits import mp, number
from reference.elo import Elo, FideList, hundredths
from reference.glicko import Glicko
from reference.glicko2 import Glicko2, nearest_root
from reference.play import Played, Result, play

TABLE = Path(__file__).resolve().parents[2] / "shared/facts/fide_8_1_2.csv"
FOES = [(1400, 30, 1), (1550, 100, 0), (1700, 300, 0)]  # the example of both Glicko papers


def results(foes, *rest):
    return [Result((number(r), number(rd), *rest), number(s), number(0), number(1)) for r, rd, s in foes]


def exact(*values):
    return tuple(number(x) for x in values)


def near(found, expected, tolerance):
    assert [float(x) for x in found] == pytest.approx(expected, abs=tolerance)


def test_glicko_paper():
    near(Glicko().learnt(exact(1500, 200), results(FOES), None), (1464.1064627569, 151.3989024480), 1e-10)
    near([Glicko().expected(exact(1400, 80), exact(1500, 150), 0)], [0.3759876557], 1e-10)


def test_glicko_ages_up_to_the_ceiling():
    glicko = Glicko(c=mp.sqrt(4000))
    near(glicko.aged(exact(1500, 50), 30), (1500, 350), 1e-12)
    near(glicko.aged(exact(1500, 50), 31), (1500, 350), 1e-12)


def test_glicko2_paper():
    found = Glicko2().learnt(exact(1500, 200, "0.06"), results(FOES, None), None)
    near(found, (1464.0506705, 151.5165241, 0.059995984401), 1e-7)
    near(Glicko2().aged(exact(1500, 200, "0.06"), 2), (1500, 200.2714167, 0.06), 1e-7)


def test_glicko2_chain():
    """A vector of players' forums, one win over 1378/99 a period."""
    belief, seen = exact(1500, 350, "0.06"), {}
    for period in range(1, 13):
        belief = Glicko2().learnt(belief, results([(1378, 99, 1)], None), None)
        seen[period] = belief
    # its authors stop step 5 at the paper's 1e-6
    near(seen[1], (1624.6843311135674, 258.9833844666815, 0.059998916282524656), 5e-9)
    near(seen[6], (1784.1249094900672, 174.0166009044842, 0.05999352678496988), 5e-9)
    near(seen[12], (1852.1791130427082, 147.7423555294418, 0.059988698087976626), 5e-9)


@pytest.mark.parametrize(("games", "rating", "volatility"), [(29, 1728.5, 0.081214), (30, 1718.4, 0.086627)])
def test_the_paper_takes_the_low_root_while_it_can(games, rating, volatility):
    lost = results([(1300, 30, 0)] * games, None)
    for system in (Glicko2(), Glicko2(root=nearest_root)):
        found = system.learnt(exact(1900, 30, "0.06"), lost, None)
        near(found[::2], (rating, volatility), 0.05)
        near(found[2:], (volatility,), 1e-6)


def test_one_loss_more_and_only_the_far_root_is_left():
    lost = results([(1300, 30, 0)] * 31, None)
    for system in (Glicko2(), Glicko2(root=nearest_root)):
        near(system.learnt(exact(1900, 30, "0.06"), lost, None)[::2], (-3288.1435, 3.6499455), 1e-4)


def test_elo_curves():
    logistic, normal = Elo(), Elo("normal")
    near([logistic.expected(number(1750), number(1810), 0)], [0.4145013], 1e-7)
    near([normal.expected(number(1750), number(1810), 0)], [0.4168], 1e-4)
    near([Elo(cap=400).expected(number(1500), number(1000), 0)], [10 / 11], 1e-12)
    near([Elo(advantage=65).expected(number(1500), number(1565), 1)], [0.5], 1e-12)


def test_fide_sums_a_period_and_rounds_halves_away_from_zero():
    half, zero, one = number("0.5"), number(0), number(1)
    results = [Result(1500, score, zero, one) for score in (one, half, half)]
    assert FideList().learnt(1500, results, 25) == 1513
    assert FideList().learnt(1500, [Result(1500, zero, zero, one)], 25) == 1487
    assert FideList().expected(1500, 2000, 0) == number("0.08")


@pytest.mark.data
def test_fide_table():
    rows = list(csv.DictReader(TABLE.read_text(encoding="utf-8").splitlines()))
    assert len(rows) == 51
    for row in rows:
        for gap in range(int(row["d_min"]), int(row["d_max"] or 800) + 1):
            assert hundredths(gap) == round(100 * float(row["pd_high"]))
            assert gap == 0 or hundredths(-gap) == round(100 * float(row["pd_low"]))


def test_a_period_is_judged_before_it_is_learnt():
    games = [Played(0, "a", "b", 1), Played(0, "b", "c", 1), Played(1, "a", "c", 0.5)]
    start = {who: number(1500) for who in "abc"}
    forecasts, ratings = play(Elo(), games, start, k=lambda *_: 20)
    assert [float(x) for x in forecasts[:2]] == [0.5, 0.5]
    near([sum(ratings.values())], [4500], 1e-30)
    near([ratings["b"]], [1500], 1e-30)
