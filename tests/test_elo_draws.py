"""Elo with Davidson's draws: what it is at kappa 0 and 2, chances that add up, and what it is the gradient of."""

import numpy as np
import pytest
from mpmath import mp, mpf

import ratesim as rs
from ratesim.errors import InputError
from ratesim.jit import plain
from ratesim.records import Game
from ratesim.systems.elo_kernels import Belief, Params, draw_davidson, predict_davidson
from ratesim.testing import checks_for
from ratesim.worlds import League

SYSTEM = rs.Elo(draws="davidson", kappa=0.7, advantage=30)
GAPS = [0.0, 0.25, -1.0, 37.5, -100.0, 400.0, -750.0, 1500.0, 4000.0, -9000.0]
KAPPAS = [0.0, 1e-6, 0.5, 1.0, 2.0, 3.5, 1e6]
predict, draw = plain(predict_davidson), plain(draw_davidson)

pytestmark = pytest.mark.interpreted


def asked(gap: float, kappa: float, scale: float = 400.0) -> tuple[Params, Belief, Belief, Game]:
    params = dict.fromkeys(Params._fields, 0.0) | {"q": np.log(10) / scale, "cap": np.inf, "kappa": kappa}
    return Params(**params), Belief(1500.0 + gap), Belief(1500.0), Game(1.0, 0.0, 1.0, np.nan)


@pytest.mark.parametrize("kappa", KAPPAS)
@pytest.mark.parametrize("gap", GAPS)
def test_chances_are_davidsons_to_many_digits(gap, kappa):
    with mp.workdps(40):
        x = mpf(10) ** (mpf(gap) / 800)
        total = x + mpf(kappa) + 1 / x
        expected, drawn = (x + mpf(kappa) / 2) / total, mpf(kappa) / total
    here = asked(gap, kappa)
    e = predict(*here)
    assert e == pytest.approx(float(expected), rel=2e-14)
    assert draw(*here, e) == pytest.approx(float(drawn), rel=2e-14, abs=0)
    assert draw(*here, e) <= 2 * min(e, 1 - e) * (1 + 1e-12) + 1e-15


@pytest.mark.parametrize("gap", GAPS)
def test_both_sides_expect_one_point_and_one_chance_of_a_draw(gap):
    for kappa in KAPPAS:
        here, there = asked(gap, kappa), asked(-gap, kappa)
        assert predict(*here) + predict(*there) == pytest.approx(1.0, abs=2**-52)
        assert draw(*here, 0.5) == draw(*there, 0.5)


@pytest.fixture(scope="module")
def games() -> rs.GameStream:
    outcomes = {"kind": "davidson", "draw": 1.0}
    return League(players=12, rounds=40, outcomes=outcomes, skills={"kind": "normal", "sd": 200}).simulate(5)


@pytest.mark.parametrize(("kappa", "scale"), [(0.0, 400.0), (2.0, 800.0)])
def test_without_draws_it_is_elo_and_with_half_of_them_elo_of_twice_the_scale(games, kappa, scale):
    ours = rs.replay(rs.Elo(draws="davidson", kappa=kappa), games, policy=rs.Constant(24))
    elo = rs.replay(rs.Elo(scale=scale), games, policy=rs.Constant(24))
    np.testing.assert_allclose(ours.forecast, elo.forecast, rtol=0, atol=1e-13)
    np.testing.assert_allclose(ours.ratings()["rating"], elo.ratings()["rating"], rtol=0, atol=1e-10)


def test_a_step_climbs_the_likelihood_of_what_happened():
    """K (S - F) is a multiple of the slope of the log-likelihood: K = step x q, whatever the result."""
    slope = 1e-4
    for gap in (-250.0, 30.0, 500.0):
        for score in (0.0, 0.5, 1.0):
            chances = []
            for moved in (gap - slope, gap + slope):
                here = asked(moved, 0.8)
                e, d = predict(*here), draw(*here, 0.0)
                chances.append(np.log({1.0: e - d / 2, 0.5: d, 0.0: 1 - e - d / 2}[score]))
            climbed = (chances[1] - chances[0]) / (2 * slope)
            assert climbed == pytest.approx(np.log(10) / 400 * (score - predict(*asked(gap, 0.8))), rel=1e-5)


def test_a_replay_knows_the_chance_of_a_draw(games):
    run = rs.replay(SYSTEM, games, policy=rs.Constant(24))
    chance = run.draws()
    assert chance is not None
    fitting = rs.davidson(run.forecast, 0.7)  # of the same model, by way of the expected score
    np.testing.assert_allclose(chance, fitting, rtol=0, atol=1e-12)
    assert rs.replay(rs.Elo(), games, policy=rs.Constant(24)).draws() is None


def test_it_finds_its_own_kappa(games):
    """Of games with nu = 1, where a third of the games of equals is drawn, kappa 1 forecasts draws best."""
    lost = {}
    for kappa in (0.25, 1.0, 4.0):
        run = rs.replay(rs.Elo(draws="davidson", kappa=kappa), games, policy=rs.Constant(16))
        chances = rs.three_way(run.forecast, run.draws())
        came = np.select([games.score == 1, games.score == 0.5], [chances[:, 0], chances[:, 1]], chances[:, 2])
        lost[kappa] = -np.log(came).mean()
    assert min(lost, key=lost.get) == 1.0


@pytest.mark.parametrize("check", [c for c in checks_for(SYSTEM) if c.law != "one kernel"], ids=str)
def test_law(check):
    check()


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"kappa": 0.5}, "kappa = 0.5 with draws = 'none'; expected draws = 'davidson'"),
        ({"draws": "davidson", "kappa": -1}, "kappa = -1; expected a number at least 0 and at most 1e+06 (ratio)"),
        ({"draws": "davidson", "curve": "normal"}, "draws = 'davidson' with curve = 'normal'; expected curve"),
        ({"draws": "davidson", "opponents": "average"}, "opponents = 'average' with draws = 'davidson'; expected"),
        ({"draws": "davidsen"}, "draws = 'davidsen'; did you mean 'davidson'?"),
    ],
)
def test_what_does_not_go_together_is_refused(wrong, said):
    with pytest.raises(InputError) as error:
        rs.Elo(**wrong)
    assert str(error.value).startswith(said)
