"""The tables behind the figures, against the same things computed otherwise."""

import math
from collections import defaultdict
from itertools import pairwise

import numpy as np
import polars as pl
import pytest
from scipy import stats

from ratesim.analysis import calibration, convergence, curves, difference, history, milestones
from ratesim.analysis.calibration import wilson
from ratesim.errors import InputError
from ratesim.stream import GameStream


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
        ({"elo": ELO}, "figure difference: 1 runs with ratings; expected two, to be compared"),
        ({"elo": ELO, "even": NOBODY}, "figure difference: 1 runs with ratings"),
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


def test_a_game_of_weight_k_is_k_games_in_calibration_and_at_milestones():
    random = np.random.default_rng(4)
    forecast, score, weight = random.random(300), random.integers(0, 3, 300) / 2, random.integers(0, 4, 300)
    forecast[::7] = np.nan
    one = calibration({"elo": forecast}, score, weight)
    other = calibration({"elo": np.repeat(forecast, weight)}, np.repeat(score, weight))
    numbers = [table.frame.drop("system").cast(pl.Float64).to_numpy() for table in (one, other)]
    np.testing.assert_allclose(*numbers, rtol=1e-12)
    assert (one.caption, one.meta) == (other.caption, other.meta)
    games = {"first": ["A"] * 300, "second": ["B"] * 300, "score": score, "time": np.arange(300)}
    light = GameStream.of(**games, weight=weight)
    heavy = GameStream.of(**{name: np.repeat(column, weight) for name, column in games.items()})
    assert milestones(light).tolist() == milestones(heavy).tolist()


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


@pytest.fixture(scope="module")
def world():
    """A simulated stream of players whose skills drift, and ratings that follow them with noise."""
    random = np.random.default_rng(7)
    N, G = 60, 900
    skill = random.normal(1500, 200, N)
    first = random.integers(N, size=G)
    second = (first + random.integers(1, N, size=G)) % N
    time = np.sort(random.uniform(0, 100, G))
    games = GameStream.of(
        first=[f"p{k}" for k in first],
        second=[f"p{k}" for k in second],
        score=random.integers(0, 2, G).astype(float),
        time=time,
        truth=np.full(G, 0.5),
        skill_first=skill[first] + time,
        skill_second=skill[second] + time,
    )
    rows = []
    for moment in milestones(games, 15):
        for k in range(N):
            played = int(((first == k) | (second == k))[time <= moment].sum())
            if played:
                rating = skill[k] + 30 + random.normal(0, 200 / math.sqrt(played))
                rows.append((float(moment), f"p{k}", rating, 250 / math.sqrt(played), float(played)))
    history = pl.DataFrame(rows, schema=["time", "player", "rating", "deviation", "games"], orient="row")
    return games, history.sample(fraction=1, shuffle=True, seed=1)


def by_hand(games: GameStream, history: pl.DataFrame) -> dict[int, list[tuple[float, float, float, float]]]:
    """Rating, skill, error and games of everybody's first reading in each group."""
    names = games.players["player"].to_list()
    skill: dict[tuple[str, float], float] = {}
    for g in range(len(games)):
        skill[names[games.first[g]], games.time[g]] = games.skill_first[g]
        skill[names[games.second[g]], games.time[g]] = games.skill_second[g]
    readings = sorted(history.iter_rows(named=True), key=lambda row: (row["time"], row["player"]))
    errors = defaultdict(list)
    for row in readings:
        row["skill"] = skill[row["player"], max(t for name, t in skill if name == row["player"] and t <= row["time"])]
        errors[row["time"]].append(row["rating"] - row["skill"])
    begins = [1, 2, 3, 4, 6, 8, 11, 16, 23, 32, 45]
    found, seen = defaultdict(list), set()
    for row in readings:
        group = max(begin for begin in begins if begin <= row["games"])
        if (row["player"], group) not in seen:
            seen.add((row["player"], group))
            error = row["rating"] - row["skill"] - float(np.mean(errors[row["time"]]))
            found[group].append((row["rating"], row["skill"], error, row["games"], row["deviation"]))
    return {group: rows for group, rows in sorted(found.items()) if len(rows) >= 10}


def test_convergence_is_that_by_hand(world):
    games, history = world
    frame = convergence({"x": history}, games).frame
    expected = by_hand(games, history)
    assert frame["n"].to_list() == [len(rows) for rows in expected.values()]
    assert frame.height > 5
    for row, rows in zip(frame.iter_rows(named=True), expected.values(), strict=True):
        rating, skill, error, played, deviation = np.array(rows).T
        assert row["games"] == pytest.approx(played.mean())
        assert row["rmse"] == pytest.approx(math.sqrt(np.mean(error**2)), rel=1e-10)
        assert row["claimed"] == pytest.approx(math.sqrt(np.mean(deviation**2)), rel=1e-10)
        r = stats.pearsonr(rating, skill)
        interval = r.confidence_interval(0.95)
        assert row["correlation"] == pytest.approx(r.statistic, rel=1e-10)
        assert (row["correlation_low"], row["correlation_high"]) == pytest.approx((interval.low, interval.high))
        half = stats.norm.ppf(0.975) * stats.sem(error**2)
        assert row["rmse_low"] ** 2 == pytest.approx(max(0, np.mean(error**2) - half))
        assert row["rmse_high"] ** 2 == pytest.approx(np.mean(error**2) + half)


def test_convergence_knows_no_origin(world):
    games, history = world
    shifted = history.with_columns(rating=pl.col("rating") + 1000)
    one, other = (convergence({"x": each}, games).frame for each in (history, shifted))
    assert other["rmse"].to_list() == pytest.approx(one["rmse"].to_list(), rel=1e-9)


def test_perfect_ratings_have_no_error(world):
    games, history = world
    names = games.players["player"].to_list()
    skill = {names[p]: s - t for p, s, t in zip(games.first, games.skill_first, games.time, strict=True)}
    still = GameStream.of(
        first=[names[p] for p in games.first],
        second=[names[p] for p in games.second],
        score=games.score,
        time=games.time,
        skill_first=games.skill_first - games.time,
        skill_second=games.skill_second - games.time,
    )
    right = history.filter(pl.col("player").is_in(list(skill))).with_columns(
        rating=pl.col("player").replace_strict(skill, return_dtype=pl.Float64)
    )
    frame = convergence({"right": right.drop("deviation")}, still).frame
    assert frame["rmse"].max() < 1e-9
    assert " games each: 0.0 by right." in convergence({"right": right.drop("deviation")}, still).caption
    assert frame["correlation"].min() > 1 - 1e-9
    assert frame["claimed"].null_count() == frame.height


def test_only_a_simulated_stream_has_a_truth():
    games = GameStream.of(first=["A"], second=["B"], score=[1], time=[0])
    with pytest.raises(InputError, match="no skills to converge to; expected a simulated stream"):
        convergence({"elo": ELO}, games)


def test_milestones_are_spread_over_games_played():
    games = GameStream.of(first=["A", "C"] * 50, second=["B", "D"] * 50, score=[1] * 100, time=range(100))
    times = milestones(games, 6)  # 100 games of four players: 50 each
    assert times[-1] == 99
    ratios = [b / a for a, b in pairwise(times[1:])]
    assert ratios == pytest.approx([50 ** (1 / 5)] * len(ratios), rel=0.2)


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
