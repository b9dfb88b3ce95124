"""TrueSkill: its own draws, games of one period, and what it refuses."""

import mpmath
import numpy as np
import pytest

import ratesim as rs

pytestmark = pytest.mark.interpreted
PAIR = {"A": {"rating": 27.0, "deviation": 5.0}, "B": {"rating": 21.0, "deviation": 7.0}}


def played(*games, **columns):
    first, second, score = zip(*games, strict=True)
    return rs.GameStream.of(first=first, second=second, score=score, time=[0.0] * len(games), **columns)


def test_equals_draw_as_often_as_told():
    """TrueSkill Through Time prints an evidence of .25 for a draw and .375 for a win where p_draw is .25."""
    system = rs.TrueSkill(p_draw=0.25, deviation=1e-7, tau=0.0)
    run = rs.replay(system, played(("A", "B", 0.5)))
    assert run.forecast == pytest.approx([0.5], abs=1e-15)
    assert run.draws() == pytest.approx([0.25], abs=1e-12)
    assert rs.three_way(run.forecast, run.draws())[0] == pytest.approx([0.375, 0.25, 0.375], abs=1e-12)


@pytest.mark.parametrize("score", [1.0, 0.5, 0.0])
def test_a_game_leaves_the_moments_of_the_posterior(score):
    """By integration over the first player's skill, apart from v and w."""
    system = rs.TrueSkill()
    run = rs.replay(system, played(("A", "B", score)), start=PAIR)
    found = next(row for row in run.ratings().iter_rows(named=True) if row["player"] == "A")
    with mpmath.workdps(25):
        spread, noise, margin, _ = map(mpmath.mpf, system.params())
        own, other = mpmath.sqrt(25 + noise), mpmath.sqrt(49 + noise + spread)

        def likelihood(skill):
            low, high = ((-margin - skill + 21) / other, (margin - skill + 21) / other)
            if score == 0.5:
                return mpmath.ncdf(high) - mpmath.ncdf(low)
            return mpmath.ncdf(-high) if score == 1.0 else mpmath.ncdf(low)

        def moment(k):
            return mpmath.quad(
                lambda x: x**k * mpmath.npdf(x, 27, own) * likelihood(x), np.linspace(-33, 87, 13).tolist()
            )

        mass, mean = moment(0), moment(1) / moment(0)
        deviation = mpmath.sqrt(moment(2) / mass - mean**2)
    assert found["rating"] == pytest.approx(float(mean), abs=1e-9)
    assert found["deviation"] == pytest.approx(float(deviation), abs=1e-9)


def test_messages_of_a_period_are_multiplied():
    """Each game by itself says what the two say together: precisions, and precisions times means, add."""
    system = rs.TrueSkill(tau=0.0)
    start = PAIR | {"C": {"rating": 30.0, "deviation": 2.0}}

    def natural(*games):
        run = rs.replay(system, played(*games), start=start)
        row = next(row for row in run.ratings().iter_rows(named=True) if row["player"] == "A")
        return np.array([row["rating"], 1.0]) / row["deviation"] ** 2

    before = np.array([27.0, 1.0]) / 25.0
    one, two = natural(("A", "B", 0)), natural(("C", "A", 0.5))
    assert natural(("A", "B", 0), ("C", "A", 0.5)) - before == pytest.approx(one + two - 2 * before, abs=1e-12)


def test_a_score_between_is_refused():
    with pytest.raises(rs.InputError, match=r"a score of 0\.25.*expected 0, 0\.5 or 1"):
        rs.replay(rs.TrueSkill(), played(("A", "B", 0.25)))
    light = played(("A", "B", 0.25), ("A", "B", 1.0), weight=[0.0, 1.0])
    assert len(rs.replay(rs.TrueSkill(), light).forecast) == 2


def test_an_edge_is_a_head_start():
    system = rs.TrueSkill(advantage=2.0)
    ahead = rs.replay(system, played(("A", "B", 1), edge=[1.0]), start=PAIR)
    moved = rs.replay(system, played(("A", "B", 1)), start=PAIR | {"A": {"rating": 29.0, "deviation": 5.0}})
    assert ahead.forecast == pytest.approx(moved.forecast, abs=1e-15)
    assert ahead.draws() == pytest.approx(moved.draws(), abs=1e-15)
