"""vElo and the simplified Kalman filter: bounds, growth, periods of several games, and Elo as a limit."""

import math

import pytest

import ratesim as rs

pytestmark = pytest.mark.interpreted
ROUND = [("A", "B", 1), ("B", "C", 1), ("C", "A", 0.5), ("A", "C", 1), ("B", "A", 0)]


def played(games, time=None):
    first, second, score = zip(*games, strict=True)
    return rs.GameStream.of(
        first=first, second=second, score=score, time=time or [float(day) for day in range(len(games))]
    )


def of(run, who):
    return next(row for row in run.ratings().iter_rows(named=True) if row["player"] == who)


def test_vskf_is_elo_where_variances_are_small():
    """K = v / s: of a v of 1e-4, h omega is 5e-5 beside s^2 of 30,000, and v as good as constant."""
    s, v = 400 / math.log(10), 1e-4
    start = {"A": {"rating": 1600.0}, "B": {"rating": 1500.0}, "C": {"rating": 1450.0}}
    games = played(ROUND)
    system = rs.Vskf(rating=1500.0, deviation=math.sqrt(v), scale=s, epsilon=0.0)
    ours = rs.replay(system, games, start=start, calendar=rs.PerGame())
    elo = rs.replay(rs.Elo(), games, start=start, policy=rs.Constant(v / s), calendar=rs.PerGame())
    assert ours.forecast == pytest.approx(elo.forecast, abs=1e-12)
    for who, row in start.items():
        moved, expected = (of(run, who)["rating"] - row["rating"] for run in (ours, elo))
        assert moved == pytest.approx(expected, rel=1e-5)


def test_vskf_in_rating_points_is_vskf_in_natural_units():
    """s and the deviation grow by 173.7, and epsilon, of points squared, by its square."""
    s, games = 400 / math.log(10), played(ROUND, [0.0, 40.0, 90.0, 130.0, 200.0])
    natural = rs.replay(rs.Vskf(), games)
    points = rs.replay(rs.Vskf(rating=1500.0, scale=s, deviation=s, epsilon=0.01 * s * s), games)
    assert points.forecast == pytest.approx(natural.forecast, abs=1e-14)
    for who in "ABC":
        scaled, plain = of(points, who), of(natural, who)
        assert scaled["rating"] == pytest.approx(1500.0 + s * plain["rating"], abs=1e-10)
        assert scaled["deviation"] == pytest.approx(s * plain["deviation"], abs=1e-10)


def test_vskf_ages_as_the_paper_has_it():
    """beta 0.9 and epsilon 0.02 a day, three days idle: mu beta^3, v beta^6 + 3 epsilon."""
    system = rs.Vskf(beta=0.9, epsilon=0.02, per="1d")
    run = rs.replay(system, played([("A", "B", 1)]), calendar=rs.PerGame())
    now, later = (run.history([day], ["A"]).row(0, named=True) for day in (0.0, 3.0))
    assert later["rating"] == pytest.approx(0.9**3 * now["rating"], abs=1e-14)
    assert later["deviation"] ** 2 == pytest.approx(0.9**6 * now["deviation"] ** 2 + 0.06, abs=1e-14)


def test_vskf_adds_precisions_over_a_period():
    """Two games against equals of variance 1: each adds h / (s^2 + h) = 1/5."""
    run = rs.replay(rs.Vskf(epsilon=0.0), played([("A", "B", 1), ("A", "C", 1)], [0.0, 0.0]), calendar=rs.PerGame())
    assert of(run, "A")["deviation"] == pytest.approx(math.sqrt(1 / 1.4), abs=1e-15)
    assert of(run, "A")["rating"] == pytest.approx(2 * 0.4 / 1.4, abs=1e-15)


def test_velo_comes_down_to_its_bound():
    games = played([("A", f"B{k}", k % 2) for k in range(300)])
    run = rs.replay(rs.Velo(), games)
    assert of(run, "A")["deviation"] == pytest.approx(100.0, abs=1e-12)


def test_velo_multiplies_what_games_of_a_period_leave():
    def left(*games):
        return of(rs.replay(rs.Velo(), played(games, [0.0] * len(games))), "A")["deviation"] / 200.0

    one, two = left(("A", "B", 1)), left(("C", "A", 0.5))
    assert left(("A", "B", 1), ("C", "A", 0.5)) == pytest.approx(one * two, abs=1e-14)


def test_velo_refuses_a_newcomer_below_its_bound():
    with pytest.raises(rs.InputError, match="deviation 90 is below floor 100"):
        rs.Velo(deviation=90)
