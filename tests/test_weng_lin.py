"""Weng and Lin's system: several games in a period, the least share of a variance, and what it refuses."""

import math

import pytest

import ratesim as rs

pytestmark = pytest.mark.interpreted


def played(*games):
    first, second, score = zip(*games, strict=True)
    return rs.GameStream.of(first=first, second=second, score=score, time=[0.0] * len(games))


def of(run, who):
    return next(row for row in run.ratings().iter_rows(named=True) if row["player"] == who)


def test_messages_of_a_period_are_multiplied():
    """Two wins over equals, by hand, from tau 0: each alone would leave 1 - delta and move by omega."""
    run = rs.replay(rs.WengLin(tau=0.0), played(("A", "B", 1), ("A", "C", 1)))
    wide, c = 625 / 9, math.sqrt(2 * 625 / 36 + 2 * 625 / 9)  # (25/3)^2; 2 (25/6)^2 + 2 (25/3)^2
    omega, delta = wide / c * 0.5, (25 / 3 / c) * (wide / c**2) * 0.25
    narrow = wide * (1 - delta)
    both = 1 / (1 / wide + 2 * (1 / narrow - 1 / wide))
    assert of(run, "A")["rating"] == pytest.approx(25 + both * 2 * omega / narrow, abs=1e-12)
    assert of(run, "A")["deviation"] == pytest.approx(math.sqrt(both), abs=1e-12)


@pytest.mark.parametrize("model", ["bradley-terry", "thurstone-mosteller"])
def test_a_period_of_many_games_leaves_a_newcomer_room_to_move(model):
    """Sums over the period, as over opponents in one game of many, would leave 1e-4 of the variance after a dozen."""
    games = played(*[("A", f"B{k}", k % 2) for k in range(12)])
    alone, together = (
        of(rs.replay(rs.WengLin(model=model, tau=0.0), games, calendar=rs.PerGame(ties=ties)), "A")["deviation"]
        for ties in ("file", "period")
    )
    assert alone / 2 < together < alone


def test_a_game_leaves_the_share_kappa_of_a_variance():
    run = rs.replay(rs.WengLin(tau=0.0, kappa=0.99), played(("A", "B", 1)))
    assert of(run, "A")["deviation"] == pytest.approx(25 / 3 * math.sqrt(0.99), rel=1e-12)


def test_only_thurstone_and_mosteller_have_draws_and_a_margin():
    games = played(("A", "B", 0.5))
    assert rs.replay(rs.WengLin(), games).draws() is None
    run = rs.replay(rs.WengLin(model="thurstone-mosteller", epsilon=1.0, deviation=1e-6, tau=0.0), games)
    z = 1.0 / (math.sqrt(2) * 25 / 6)
    assert run.draws() == pytest.approx([math.erf(z / math.sqrt(2))], abs=1e-12)
    with pytest.raises(rs.InputError, match="epsilon is of model = 'thurstone-mosteller' alone"):
        rs.WengLin(epsilon=0.1)


def test_scores_between_are_bradley_and_terrys_alone():
    games = played(("A", "B", 0.25))
    assert of(rs.replay(rs.WengLin(), games), "A")["rating"] < 25
    with pytest.raises(rs.InputError, match=r"a score of 0\.25"):
        rs.replay(rs.WengLin(model="thurstone-mosteller"), games)
