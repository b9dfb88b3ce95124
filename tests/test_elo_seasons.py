"""Elo with 538's margins and its way back to the mean: laws, a loop of our own, and what is refused."""

import math

import numpy as np
import polars as pl
import pytest

import ratesim as rs
from ratesim.testing import checks_for
from ratesim.testing.trial import league, stream

K, HOME, SHARE, MEAN = 20, 65.0, 1 / 3, 1505.0
SYSTEM = rs.Elo(margin="538", reversion=SHARE, reversion_to=MEAN, advantage=HOME)
GOES_BACK = {  # laws that no system keeps which goes back to a mean of its own
    "translation": "ratings moved by more or less than their starts",
    "conservation": "the sum of ratings went from",
}
CHECKS = checks_for(SYSTEM)
BY_MONTHS = [check for check in checks_for(SYSTEM, rs.Months()) if check.law not in GOES_BACK]
QUICK = {"resume", "weights"}


@pytest.mark.interpreted
@pytest.mark.parametrize("check", [check for check in CHECKS if check.law not in GOES_BACK], ids=str)
def test_law(check):
    check()


@pytest.mark.parametrize(
    "check",
    [pytest.param(c, marks=pytest.mark.interpreted if c.law in QUICK else pytest.mark.slow) for c in BY_MONTHS],
    ids=str,
)
def test_law_by_months(check):
    check()


@pytest.mark.interpreted
@pytest.mark.parametrize("check", [check for check in CHECKS if check.law in GOES_BACK], ids=str)
def test_the_way_back_is_the_only_reason(check):
    with pytest.raises(AssertionError, match=GOES_BACK[check.law]):
        check()


@pytest.mark.interpreted
@pytest.mark.parametrize("calendar", [rs.PerGame(), rs.Months()], ids=lambda each: each.kind)
def test_what_one_side_wins_the_other_loses_whatever_the_margin(calendar):
    games = league().with_columns(
        season=pl.lit("1"), margin=21 * pl.col("margin"), weight=1 + 0.25 * (pl.col("time") % 4)
    )
    start = {name: {"rating": 1400.0 + 50 * n} for n, name in enumerate("ABCDEFGH")}
    found = rs.replay(SYSTEM, stream(games), policy=rs.Constant(K), calendar=calendar, start=start)
    assert found.ratings()["rating"].sum() == pytest.approx(8 * 1575, abs=1e-9)
    assert np.ptp(found.ratings()["rating"].to_numpy()) > 100


def by_hand(games, start):
    """Return forecasts and ratings, game by game; no player is in two games of one day."""
    rating, season, forecasts = dict(start), {}, []
    for first, second, score, edge, margin, now in games.select(
        "first", "second", "score", "edge", "margin", "season"
    ).iter_rows():
        for player in (first, second):
            rating.setdefault(player, 1500.0)
            if season.setdefault(player, now) != now:
                rating[player] = rating[player] * 2 / 3 + MEAN / 3
                season[player] = now
        gap = rating[first] - rating[second] + HOME * edge
        expected = 1 / (1 + 10 ** (-gap / 400))
        ahead = gap if score > 0.5 else -gap
        times = math.log(max(abs(margin), 1) + 1) * 2.2 / (1 if score == 0.5 else 0.001 * ahead + 2.2)
        shift = K * times * (score - expected)
        rating[first] += shift
        rating[second] -= shift
        forecasts.append(expected)
    return forecasts, rating


def test_it_is_a_plain_loop_over_years_that_some_sit_out():
    rng = np.random.default_rng(5)
    sides = np.array([rng.choice(10, 2, replace=False) for _ in range(300)])
    sides[100:200] %= 5  # half of them miss a season and more
    sides[280:] %= 6  # and four the last one
    games = pl.DataFrame({"first": sides[:, 0].astype(str), "second": sides[:, 1].astype(str)}).with_columns(
        time=pl.int_range(300) * 1.0, margin=pl.Series(rng.integers(-20, 21, 300) * 1.0),
        edge=pl.Series(rng.choice([0.0, 1.0, -0.5], 300)), season=(pl.int_range(300) // 40).cast(pl.String),
    ).filter(pl.col("first") != pl.col("second")).with_columns(score=pl.col("margin").sign() / 2 + 0.5)  # fmt: skip
    start = {"0": 1800.0, "1": 1200.0, "7": 1650.0}
    found = rs.replay(
        SYSTEM, stream(games), policy=rs.Constant(K), start={name: {"rating": rating} for name, rating in start.items()}
    )
    forecasts, ratings = by_hand(games, start)
    np.testing.assert_allclose(found.forecast, forecasts, rtol=0, atol=1e-12)
    last = games["season"][-1]
    played = {*games.filter(season=last)["first"], *games.filter(season=last)["second"]}
    for name, rating, _ in found.ratings().iter_rows():  # who sat the last season out has gone back too
        expected = ratings[name] if name in played else ratings[name] * 2 / 3 + MEAN / 3
        assert rating == pytest.approx(expected, abs=1e-9)
    assert len(played) < 10


def test_a_giant_killer_wins_a_bounded_multiple():
    """The formula divides by nothing where the winner was 2200 behind."""
    games = rs.GameStream.of(first=["A"], second=["B"], score=[1], time=[0], margin=[1], season=["1"])
    start = {"A": {"rating": 0.0}, "B": {"rating": 1e5}}
    found = rs.replay(SYSTEM, games, policy=rs.Constant(K), start=start)
    won = dict(found.ratings().select("player", "rating").iter_rows())["A"]
    assert won == pytest.approx(K * math.log(2) * 2.2 / 0.2, rel=1e-12)


@pytest.mark.interpreted
def test_the_mean_is_that_of_newcomers_unless_it_is_said():
    games = {"first": ["A", "A"], "second": ["B", "B"], "score": [1, 1], "time": [0, 1], "season": ["1", "2"]}
    found = rs.replay(rs.Elo(start=1000, reversion=1), rs.GameStream.of(**games), policy=rs.Constant(K))
    assert found.forecast.tolist() == [0.5, 0.5]


BARE = {"first": ["A", "B"], "second": ["B", "A"], "score": [1, 0.5], "time": [0, 1]}


@pytest.mark.parametrize(
    ("system", "columns", "said"),
    [
        (rs.Elo(margin="538"), {}, "system elo, key margin: the stream has no margins; expected a column margin, or"),
        (
            rs.Elo(margin="538"),
            {"margin": [3, None]},
            "system elo, key margin: a game of 1970-01-02 has no margin; expected one, or weight 0",
        ),
        (rs.Elo(reversion=0.5), {}, "system elo, key reversion: the stream has no seasons; expected a column season"),
    ],
)
def test_a_stream_that_lacks_what_is_looked_at_is_refused(system, columns, said):
    with pytest.raises(rs.InputError) as error:
        rs.replay(system, rs.GameStream.of(**BARE, **columns))
    assert str(error.value).startswith(said)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("wrong", [{"margin": "goals"}, {"reversion": 1.1}, {"reversion": -0.1}, {"reversion_to": "x"}])
def test_a_wrong_parameter_is_refused(wrong):
    with pytest.raises(rs.InputError, match=next(iter(wrong))):
        rs.Elo(**wrong)


def test_a_game_of_weight_0_needs_no_margin():
    known = rs.GameStream.of(**BARE, margin=[3, 0], season=["1", "1"], weight=[1, 0])
    unknown = rs.GameStream.of(**BARE, margin=[3, None], season=["1", "1"], weight=[1, 0])
    one, two = (rs.replay(SYSTEM, games) for games in (known, unknown))
    assert one.forecast.tolist() == two.forecast.tolist()
    assert one.ratings().rows() == two.ratings().rows()
