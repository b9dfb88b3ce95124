"""Elo-MMR: performances against forty digits, from equals to deviations and gaps out of all measure."""

import pytest
from reference.digits import mp, number

import ratesim as rs
from ratesim.jit import plain
from ratesim.systems.elo_mmr import shown

pytestmark = pytest.mark.interpreted


def exact(ahead, ratio):
    """h(u) of the likelihood's peak, by halving a bracket of the slope's sign."""
    ahead, ratio = number(ahead), number(ratio)

    def hazard(u):
        if u > 30:
            rest = number(0)
            for n in range(120, 0, -1):
                rest = n / (u + rest)
            return u + rest
        return mp.npdf(u) / (mp.erfc(u / mp.sqrt(2)) / 2)

    low, high = -abs(ahead) - 10 - 10 * mp.sqrt(ratio), abs(ahead) + 10
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (low, middle) if middle + ahead + ratio * hazard(middle) > 0 else (middle, high)
    return hazard(low)


@pytest.mark.parametrize("ahead", [0.0, 0.3, 2.0, 6.0, -0.3, -2.0, -6.0, -40.0, -1e3, -1e5])
@pytest.mark.parametrize("ratio", [1e-4, 0.3, 1.0, 4.0, 2600.0, 1e8])
def test_performance(ahead, ratio):
    assert plain(shown)(ahead, ratio) == pytest.approx(float(exact(ahead, ratio)), rel=1e-12)


def test_long_careers_end_at_the_limit():
    """Drift and games weigh each other out at a deviation of `limit` after a game."""
    games = rs.GameStream.of(first=["A"] * 300, second=["B"] * 300, score=[0.5] * 300, time=list(range(300)))
    run = rs.replay(rs.EloMmr(), games)
    assert run.ratings()["deviation"].to_list() == pytest.approx([80.0, 80.0], abs=1e-9)


def test_it_takes_draws_but_forecasts_none():
    games = rs.GameStream.of(first=["A"], second=["B"], score=[0.75], time=[0.0])
    with pytest.raises(rs.InputError, match=r"a score of 0\.75"):
        rs.replay(rs.EloMmr(), games)
    assert rs.replay(rs.EloMmr(), rs.GameStream.of(first=["A"], second=["B"], score=[0.5], time=[0.0])).draws() is None
