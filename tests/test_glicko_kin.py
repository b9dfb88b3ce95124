"""What Glicko, Stephenson and Glicko-2 have in common, and whose Glicko a preset is."""

import numpy as np
import pytest

import ratesim as rs
from ratesim.testing import checks_for
from ratesim.testing.trial import figures, league, starts, stream

pytestmark = pytest.mark.interpreted
FICS = rs.Glicko(preset="fics", c=15, per="30d")


@pytest.mark.parametrize("calendar", [rs.Months(), rs.Whole(), rs.Every(days=7)])
@pytest.mark.parametrize("advantage", [0.0, 35.0])
def test_stephenson_without_his_additions_is_glicko(calendar, advantage):
    glicko = rs.Glicko(c=40, advantage=advantage)
    own = {"h": 0, "bonus": 0, "neighbourhood": 0, "forecast_advantage": advantage}
    stephenson = rs.Stephenson(rating=1500, deviation=350, c=40, advantage=advantage, **own)
    games, table = stream(league()), starts(glicko)
    one, two = (rs.replay(system, games, calendar=calendar, start=table) for system in (glicko, stephenson))
    assert two.forecast.tolist() == one.forecast.tolist()
    assert figures(two).tolist() == figures(one).tolist()


@pytest.mark.parametrize("sigma", [0.03, 0.06, 0.15])
def test_glicko_2_without_tau_is_glicko_with_c_of_the_volatility(sigma):
    """Against newcomers alone, whose deviations are what they were told to be.

    Glicko widens before a period and Glicko-2 within it, so Glicko begins one period wider. It has the exact scale,
    400 / ln 10, and Glicko-2 the printed one, 4e-8 off.
    """
    c, rng, rounds = 173.7178 * sigma, np.random.default_rng(5), 12
    foes = [f"F{i}" for i in range(rounds)]
    games = rs.GameStream.of(
        first=["A"] * rounds, second=foes, score=rng.integers(3, size=rounds) / 2, time=np.arange(float(rounds))
    )
    start = {foe: {"rating": rng.normal(1500, 200), "deviation": rng.uniform(30, 300)} for foe in foes}
    found = []
    for system, deviation in (
        (rs.Glicko(c=c), (200.0**2 + c**2) ** 0.5),
        (rs.Glicko2(tau=1e-5, volatility=sigma, volatility_cap=1), 200),
    ):
        run = rs.replay(
            system, games, calendar=rs.Every(days=1), start={**start, "A": {"rating": 1500, "deviation": deviation}}
        )
        row = next(row for row in run.ratings().to_dicts() if row["player"] == "A")
        found.append((row["rating"], row["deviation"]))
    assert found[1] == pytest.approx(found[0], abs=2e-5)


@pytest.mark.parametrize("check", checks_for(FICS, rs.PerGame()), ids=str)
def test_law_of_a_least_k(check):
    if check.law != "one kernel":  # which compiles
        check()


def change(system, mine, theirs, score):
    start = {"A": dict(mine), "B": dict(theirs)}
    run = rs.replay(system, rs.GameStream.of(first=["A"], second=["B"], score=[score], time=[0.0]), start=start)
    return dict(run.ratings().select("player", "rating").iter_rows())["A"] - mine["rating"]


@pytest.mark.parametrize("score", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("gap", [-300.0, 0.0, 120.0])
def test_no_k_is_below_16_on_fics(gap, score):
    known, foe = {"rating": 1500.0, "deviation": 30.0}, {"rating": 1500.0 + gap, "deviation": 50.0}
    shrunk = 1 / np.sqrt(1 + 3 * (np.log(10) / 400) ** 2 * 50.0**2 / np.pi**2)
    expected = 1 / (1 + 10 ** (shrunk * gap / 400))
    assert change(FICS, known, foe, score) == pytest.approx(16 * (score - expected), abs=1e-9)


def test_a_k_above_16_is_glickos_own():
    wide, foe = {"rating": 1500.0, "deviation": 120.0}, {"rating": 1550.0, "deviation": 50.0}
    assert change(FICS, wide, foe, 1.0) == change(rs.Glicko(c=15, per="30d"), wide, foe, 1.0) > 16


def test_presets_are_played_game_by_game_and_begin_as_published():
    games = rs.GameStream.of(first=["A", "A"], second=["B", "B"], score=[1, 1], time=[0.0, 1.0])
    run = rs.replay(FICS, games)
    assert run.forecast[0] == 0.5 < run.forecast[1]
    assert rs.Glicko(preset="fics", c=15, per="30d").rating == 1720
    chess_com = rs.Glicko(preset="chess.com", rating=1200, c=15, per="30d")
    assert (chess_com.deviation, chess_com.least_k) == (350, 0)


def test_what_is_given_holds_against_a_preset():
    assert rs.Glicko(preset="fics", rating=1500, c=0, per="1d").rating == 1500


@pytest.mark.parametrize(
    ("preset", "given", "wanted"),
    [
        ("fics", {}, "c and per"),
        ("fics", {"c": 15}, "per"),
        ("chess.com", {"c": 15, "per": "30d"}, "rating"),
    ],
)
def test_what_a_server_has_not_published_has_to_be_given(preset, given, wanted):
    with pytest.raises(rs.InputError, match=f"expected {wanted}, which {preset} has not published"):
        rs.Glicko(preset=preset, **given)
