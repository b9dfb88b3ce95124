"""The tables behind the figures, against the same things computed otherwise."""

import math
from collections import defaultdict

import numpy as np
import polars as pl
import pytest
from scipy import stats

from ratesim.analysis import calibration, curves, difference, history
from ratesim.analysis.calibration import wilson
from ratesim.errors import InputError


def read(player, time, rating, **columns) -> pl.DataFrame:
    """A history, as a run returns it."""
    return pl.DataFrame({"time": time, "player": player, "rating": rating, **columns})


ELO = read(["A", "B", "A", "B"], [0.0, 0.0, 1.0, 1.0], [1500.0, 1490.0, 1510.0, 1480.0])
GLICKO = read(["A", "A", "B"], [0.0, 1.0, 1.0], [1500.0, 1600.0, 1300.0], deviation=[350.0, 100.0, 50.0])
NOBODY = pl.DataFrame({"player": ["A", "B"]})


def test_history_bands_are_196_deviations():
    table = history({"elo": ELO, "even": NOBODY, "glicko": GLICKO})
    z = stats.norm.ppf(0.975)
    rows = table.frame.filter(pl.col("system") == "glicko").rows()
    assert rows == [
        ("glicko", "A", 0.0, 1500.0, pytest.approx(1500 - 350 * z), pytest.approx(1500 + 350 * z)),
        ("glicko", "A", 1.0, 1600.0, pytest.approx(1600 - 100 * z), pytest.approx(1600 + 100 * z)),
        ("glicko", "B", 1.0, 1300.0, pytest.approx(1300 - 50 * z), pytest.approx(1300 + 50 * z)),
    ]
    elo = table.frame.filter(pl.col("system") == "elo")
    assert elo.select("player", "time", "rating").rows() == ELO.select("player", "time", "rating").rows()
    assert elo["low"].null_count() == elo["high"].null_count() == 4


def test_history_says_who_and_what():
    table = history({"elo": ELO, "even": NOBODY, "glicko": GLICKO})
    assert table.meta == {
        "drawing": "history",
        "title": "Ratings over time",
        "systems": ["elo", "glicko"],
        "players": ["A", "B"],
        "days": False,
    }
    assert "of A and B, by elo and glicko" in table.caption
    assert "95 % sure (glicko)" in table.caption
    assert table.caption.endswith("No ratings are kept by even.")


def test_a_player_of_two_pools_is_two_lines():
    table = history({"elo": read(["A", "A"], [0.0, 0.0], [1500.0, 1600.0], pool=["blitz", "rapid"])})
    assert table.frame["player"].to_list() == table.meta["players"] == ["A (blitz)", "A (rapid)"]


def test_difference_is_of_the_same_player_at_the_same_time():
    table = difference({"elo": ELO, "glicko": GLICKO})
    assert table.frame.select("player", "time", "difference").rows() == [("A", 0, 0), ("A", 1, -90), ("B", 1, 180)]
    assert table.frame.select("a", "b").rows() == [(1500, 1500), (1510, 1600), (1480, 1300)]
    assert table.meta["title"] == "elo minus glicko"


def test_difference_keeps_pools_apart():
    a = read(["A", "A"], [0.0, 0.0], [1500.0, 1600.0], pool=["blitz", "rapid"])
    b = read(["A", "A"], [0.0, 0.0], [1510.0, 1700.0], pool=["blitz", "rapid"])
    assert difference({"a": a, "b": b}).frame["difference"].to_list() == [-10, -100]


@pytest.mark.parametrize(
    ("histories", "said"),
    [
        ({"elo": ELO}, "figure difference: 1 run with ratings; expected two, to be compared"),
        ({"elo": ELO, "even": NOBODY}, "figure difference: 1 run with ratings"),
        ({"even": NOBODY}, "no run keeps ratings"),
        ({"elo": ELO, "late": read(["A"], [9.0], [1.0])}, "figure difference: the two runs share no player and time"),
    ],
)
def test_what_cannot_be_compared_is_one_line(histories, said):
    with pytest.raises(InputError) as error:
        difference(histories)
    assert str(error.value).startswith(said)


@pytest.fixture
def forecasts():
    random = np.random.default_rng(2)
    forecast = random.random(3000)
    score = (random.random(3000) < forecast) * 1.0
    forecast[:5] = [0, 1, 0.05, 0.1, np.nextafter(0.1, 0)]
    forecast[100::50] = np.nan
    return forecast, score


def test_calibration_is_that_of_a_plain_count(forecasts):
    forecast, score = forecasts
    bins = defaultdict(list)
    for e, s in zip(forecast, score, strict=True):
        if not math.isnan(e):
            bins[min(int(e * 20), 19)].append((e, s))
    table = calibration({"x": forecast}, score)
    assert table.frame["n"].to_list() == [len(bins[k]) for k in sorted(bins)]
    for k, row in zip(sorted(bins), table.frame.iter_rows(named=True), strict=True):
        wins = sum(s for _, s in bins[k])
        expected = stats.binomtest(int(wins), len(bins[k])).proportion_ci(0.95, "wilson")
        assert (row["from"], row["to"]) == (k / 20, (k + 1) / 20)
        assert row["forecast"] == pytest.approx(np.mean([e for e, _ in bins[k]]), rel=1e-12)
        assert row["score"] == pytest.approx(wins / len(bins[k]), rel=1e-12)
        assert (row["low"], row["high"]) == (pytest.approx(expected.low, abs=1e-12), pytest.approx(expected.high))
    assert table.meta["left_out"] == {"x": 58}
    assert "3,000 games in 20 bins" in table.caption
    assert table.caption.endswith("Games without a forecast are left out: 58 by x.")


def test_a_game_of_weight_k_is_k_games_in_calibration():
    random = np.random.default_rng(4)
    forecast, score, weight = random.random(300), random.integers(0, 3, 300) / 2, random.integers(0, 4, 300)
    forecast[::7] = np.nan
    one = calibration({"elo": forecast}, score, weight)
    other = calibration({"elo": np.repeat(forecast, weight)}, np.repeat(score, weight))
    numbers = [table.frame.drop("system").cast(pl.Float64).to_numpy() for table in (one, other)]
    np.testing.assert_allclose(*numbers, rtol=1e-12)
    assert (one.caption, one.meta) == (other.caption, other.meta)


def test_bands_of_calibration_cover_what_is_true():
    random = np.random.default_rng(3)
    forecast = random.random(200_000)
    frame = calibration({"right": forecast}, random.random(200_000) < forecast, bins=100).frame
    assert ((frame["low"] <= frame["forecast"]) & (frame["forecast"] <= frame["high"])).mean() >= 0.9


@pytest.mark.parametrize(("wins", "n"), [(0, 1), (1, 1), (0, 50), (50, 50), (3, 10)])
def test_wilson_is_that_of_scipy(wins, n):
    expected = stats.binomtest(wins, n).proportion_ci(0.95, "wilson")
    assert wilson(wins / n, n) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_a_run_without_forecasts_has_no_bins(forecasts):
    forecast, score = forecasts
    table = calibration({"none": np.full(3000, np.nan), "x": forecast}, score)
    assert table.frame["system"].unique().to_list() == ["x"]
    with pytest.raises(InputError, match="no game is forecast"):
        calibration({"none": np.full(3000, np.nan)}, score)
    with pytest.raises(InputError, match="bins = 0; expected at least 1"):
        calibration({"x": forecast}, score, bins=0)


def test_curves_are_those_of_the_rules_and_of_scipy():
    frame = curves().frame
    fide, logistic, normal = (
        frame.filter(pl.col("curve") == name) for name in frame["curve"].unique(maintain_order=True)
    )
    gap = np.arange(801)
    assert logistic["expected"].to_numpy() == pytest.approx(1 / (1 + 10 ** (-gap / 400)), rel=1e-14)
    assert normal["expected"].to_numpy() == pytest.approx(stats.norm.cdf(gap / (2000 / 7)), rel=1e-13)
    # Rows of table 8.1.2 of the FIDE Rating Regulations.
    rows = {
        0: 50,
        3: 50,
        4: 51,
        100: 64,
        180: 74,
        188: 74,
        189: 75,
        391: 91,
        392: 92,
        400: 92,
        619: 98,
        735: 99,
        736: 100,
    }
    expected = fide["expected"].to_numpy()
    assert {row: round(100 * expected[row], 9) for row in rows} == rows
    assert frame["more"].to_numpy() == pytest.approx(frame["expected"].to_numpy() - np.tile(logistic["expected"], 3))


def test_curves_go_as_far_as_asked():
    table = curves(limit=10)
    assert table.frame.height == 33
    assert "0 to 10 points" in table.caption
    assert table.caption.endswith("by the table at most 0.4, at a difference of 4.")
    assert curves().caption.endswith("by the table at most 1.8, at a difference of 560.")
