"""Whole-history rating: the packages' numbers, an independent solver, no drift and boundless drift."""

import math

import numpy as np
import pytest
from reference.strengths import Game, S, histories

import ratesim as rs
from ratesim.systems.base import Games

ELSEWHERE = [
    ("a", "b", 1, 1), ("b", "c", 0.5, 3), ("c", "a", 0, 3), ("a", "b", 0.5, 10), ("d", "a", 1, 40), ("c", "d", 1, 41),
    ("b", "d", 0, 90), ("a", "c", 1, 90),
]  # fmt: skip
# The package whr 2.2.0 (C++), `iterate(500)` over these games: day, rating, deviation.
OF_PACKAGE = {
    14: {
        "a": [(1, 74.21449722429121, 138.47467263880452), (3, 74.2040305093377, 138.4606954485446),
              (10, 73.97531418679444, 138.5126132922614), (40, 73.5376637314156, 139.11170248970535),
              (90, 74.90385729625683, 140.88264055674145)],
        "b": [(1, -93.87966865249396, 151.4583365113474), (3, -93.87780930659639, 151.4594278658847),
              (10, -93.91418669773039, 151.5834159271781), (90, -95.77676125874616, 154.08094746637065)],
        "c": [(3, -40.64132997222146, 146.0399235615206), (41, -39.722393979303696, 146.6864454832089),
              (90, -41.0612636728481, 148.25958266865112)],
        "d": [(40, 59.58816288682747, 160.38277257847673), (41, 59.55993867141392, 160.39389541863278),
              (90, 60.700765590036085, 161.76908989149894)],
    },
    300: {
        "a": [(1, 75.1016943907808, 143.32859155620682), (3, 74.86471373184945, 143.1596599838411),
              (10, 69.93023452240723, 144.57298007147742), (40, 59.8072774405484, 155.62858933288845),
              (90, 86.97486271106673, 182.43328037309274)],
        "b": [(1, -87.70511310191968, 154.1026569376088), (3, -87.5867789999496, 154.20465550344693),
              (10, -87.98361691249137, 157.0162075276089), (90, -121.91840323116112, 199.00996519176175)],
        "c": [(3, -40.685909071443106, 150.1641447878968), (41, -21.648581265913947, 162.51378068562616),
              (90, -48.27281483102195, 186.83188154630602)],
        "d": [(40, 52.83960147905088, 162.08665702801514), (41, 52.21945229195207, 162.35017168961878),
              (90, 73.00450891213728, 188.76254770979287)],
    },
}  # fmt: skip
DAMPING = 0.001  # what the packages take off the curvature of each day, where a player has several


def stream(rows: list[tuple[str, str, float, float]]) -> rs.GameStream:
    first, second, score, day = zip(*rows, strict=True)
    return rs.GameStream.of(first=first, second=second, score=score, time=[float(t) for t in day])


def named(games: list[Game]) -> rs.GameStream:
    first, second, score, day, _, weight = map(np.array, zip(*games, strict=True))
    sides = {"first": [f"p{p}" for p in first], "second": [f"p{p}" for p in second]}
    return rs.GameStream.of(**sides, score=score, time=day, weight=weight)


def smoothed(system: rs.Whr, games: rs.GameStream) -> dict[tuple[str, float], tuple[float, float]]:
    """Rating about 0 and deviation of each player on each day of a game."""
    run = rs.replay(system, games, calendar=rs.PerGame())
    assert run.diagnostics == []
    table = run.history(np.unique(games.time)).select("time", "player", "rating", "deviation")
    return {(player, day): (rating - system.rating, deviation) for day, player, rating, deviation in table.rows()}


@pytest.mark.parametrize("w2", [14, 300])
def test_histories_are_those_of_the_package(w2):
    found = smoothed(rs.Whr(w2=w2, hindsight=True), stream(ELSEWHERE))
    for player, days in OF_PACKAGE[w2].items():
        for day, rating, deviation in days:
            ours = found[player, float(day)]
            assert ours[0] == pytest.approx(rating, abs=1e-9)
            damped = S * math.sqrt(1 / (S**2 / ours[1] ** 2 + DAMPING))  # at the least: its other days are damped too
            assert deviation <= damped + 1e-9 < ours[1]


@pytest.mark.parametrize("w2", [14, 300])
def test_its_deviations_are_ours_once_the_curvature_is_damped(w2):
    names = sorted(OF_PACKAGE[w2])
    games = [Game(names.index(a), names.index(b), float(s), float(t)) for a, b, s, t in ELSEWHERE]
    damped = histories(games, w2, damping=DAMPING)
    for player, days in OF_PACKAGE[w2].items():
        for day, _, deviation in days:
            assert damped[names.index(player), float(day)][1] == pytest.approx(deviation, abs=1e-6)


def games(n: int = 20, players: int = 4) -> list[Game]:
    rng = np.random.default_rng(3)
    pairs = [rng.choice(players, 2, replace=False).tolist() for _ in range(n)]
    return [
        Game(*pair, rng.integers(3) / 2, k // 4 * 7.0, 0.0, rng.choice([0.5, 1, 2])) for k, pair in enumerate(pairs)
    ]


def test_an_independent_solver_finds_the_same():
    found = smoothed(rs.Whr(hindsight=True), named(games()))
    for (player, day), (rating, deviation) in histories(games(), 14.0).items():
        assert found[f"p{player}", day] == (pytest.approx(rating, abs=1e-9), pytest.approx(deviation, abs=1e-6))


def test_without_drift_it_is_bradley_terry():
    table = named(games(60))
    one = rs.replay(rs.Whr(w2=0, virtual_draws=1.5, advantage=30), table, calendar=rs.Every(days=7))
    two = rs.replay(rs.BradleyTerry(virtual_draws=1.5, advantage=30), table, calendar=rs.Every(days=7))
    assert one.forecast == pytest.approx(two.forecast, abs=1e-12)
    for column in ("rating", "games", "deviation"):
        assert one.ratings()[column].to_numpy() == pytest.approx(two.ratings()[column].to_numpy(), abs=1e-9)


def test_with_boundless_drift_every_day_is_a_world_of_its_own():
    """Day after day: the strengths of its own games alone, where these have an answer without a prior."""
    rounds = [(("a", "b", s), ("b", "c", t), ("c", "a", u), ("a", "b", 0.5), ("b", "c", 0.5), ("c", "a", 0.5))
              for s, t, u in ((1, 0, 0.5), (0, 0, 1), (1, 1, 0))]  # fmt: skip
    rows = [(*game, float(day)) for day, played in enumerate(rounds) for game in played]
    found = smoothed(rs.Whr(w2=1e15, hindsight=True, virtual_draws=0, spread=1e6), stream(rows))
    for day, played in enumerate(rounds):
        alone = rs.replay(rs.BradleyTerry(virtual_draws=0), stream([(*g, 0.0) for g in played]), calendar=rs.Whole())
        expected = dict(alone.ratings().select("player", "rating").rows())
        ratings = {player: found[player, float(day)][0] for player in expected}
        level = sum(ratings.values()) / 3
        assert {p: r - level + 1500 for p, r in ratings.items()} == pytest.approx(expected, abs=1e-4)


def test_the_gradient_is_zero_at_the_answer():
    """Of each node: results less what was expected of them, and the pull of its neighbours and the prior."""
    found = smoothed(rs.Whr(w2=40, hindsight=True), named(games(60)))
    slope = dict.fromkeys(found, 0.0)
    for g in games(60):
        one, two = (f"p{g.first}", g.day), (f"p{g.second}", g.day)
        expected = 1 / (1 + 10 ** ((found[two][0] - found[one][0]) / 400))
        slope[one] += g.weight * (g.score - expected)
        slope[two] -= g.weight * (g.score - expected)
    own: dict[str, list[float]] = {}
    for g in games(60):
        for p in (g.first, g.second):
            own.setdefault(f"p{p}", []).append(g.day)
    total = {}
    for player, played in own.items():
        days = sorted(set(played))
        r = [found[player, day][0] / S for day in days]
        for k, day in enumerate(days):
            pull = 2 * (0.5 - 1 / (1 + math.exp(-r[0]))) if k == 0 else 0.0
            for other in (k - 1, k + 1):
                if 0 <= other < len(days):
                    pull -= (r[k] - r[other]) / (40 / S**2 * abs(days[other] - day))
            total[player, day] = slope[player, day] + pull
    assert max(map(abs, total.values())) < 1e-8


def test_sweeps_alone_come_to_the_same_answer():
    table = named(games(60))
    swept = rs.replay(rs.Whr(iterations=500), table).ratings()["rating"].to_numpy()
    assert swept == pytest.approx(rs.replay(rs.Whr(), table).ratings()["rating"].to_numpy(), abs=1e-7)
    once = rs.replay(rs.Whr(iterations=1), table).ratings()["rating"].to_numpy()
    assert np.abs(once - swept).max() > 0.1


def test_an_idle_player_keeps_the_rating_and_is_known_less_and_less():
    table = stream([("A", "B", 1, 0), ("B", "C", 1, 100), ("C", "D", 1, 200)])
    run = rs.replay(rs.Whr(w2=25), table, calendar=rs.Every(days=10))
    found = run.history([20.0, 60.0], ["A"])
    assert found["rating"].n_unique() == 1
    grown = found["deviation"].to_numpy() ** 2
    assert grown[1] - grown[0] == pytest.approx(40 * 25, abs=1e-9)


def test_between_two_days_a_history_is_a_bridge():
    """Half-way the mean of both ends, and the variance of a bridge over what is known of them."""
    table = stream([("A", "B", 1, 0), ("A", "B", 0, 100)])
    run = rs.replay(rs.Whr(w2=25, hindsight=True), table, calendar=rs.PerGame())
    ends = smoothed(rs.Whr(w2=25, hindsight=True), table)
    middle = run.history([50.0], ["A"]).to_dicts()[0]
    assert middle["rating"] - 1500 == pytest.approx(0.5 * (ends["A", 0.0][0] + ends["A", 100.0][0]), abs=1e-9)
    three = histories([Game(0, 1, 1.0, 0.0), Game(0, 1, 0.0, 100.0), Game(0, 2, 0.5, 50.0, 0.0, 1e-9)], 25.0)
    assert middle["deviation"] == pytest.approx(three[0, 50.0][1], abs=1e-4)


@pytest.mark.parametrize("games", [[("A", "B", 1, 0)], [("A", "B", 1, 0), ("A", "B", 0, 5)]])
def test_without_a_prior_there_is_no_answer(games):
    with pytest.raises(rs.InputError, match=r"ratings have no zero.*virtual_draws above 0, or a spread"):
        rs.replay(rs.Whr(virtual_draws=0), stream(games))


@pytest.mark.parametrize("w2", [0, 1e-13, 1e-12, 1e-10, 1e-8])
def test_the_least_drift_is_nearly_none(w2):
    """Of two players one rating is the other's below the mean, and both are known as well."""
    table = stream([("A", "B", 1, 0), ("A", "B", 0, 3), ("B", "A", 1, 9), ("A", "B", 1, 20), ("A", "B", 1, 400)])
    still = rs.replay(rs.BradleyTerry(virtual_draws=2), table, calendar=rs.Whole()).ratings()
    run = rs.replay(rs.Whr(w2=w2), table, calendar=rs.Whole())
    assert run.diagnostics == []
    now = run.ratings()
    assert now["rating"].sum() == pytest.approx(3000, abs=1e-9)
    for column in ("rating", "deviation"):
        assert now[column].to_numpy() == pytest.approx(still[column].to_numpy(), abs=1e-5)


@pytest.mark.parametrize("days", [1, 5])
def test_under_a_weak_prior_ratings_keep_their_mean(days):
    table = stream([("A", "B", 1, float(day)) for day in np.sort(np.arange(20_000) % days)])
    for system in (rs.Whr(virtual_draws=1e-6), rs.BradleyTerry(virtual_draws=1e-6)):
        run = rs.replay(system, table, calendar=rs.Whole())
        assert run.diagnostics == []
        assert run.ratings()["rating"].sum() == pytest.approx(3000, abs=1e-4)


def test_far_apart_and_one_sided_games_settle():
    """`UnstableRatingException` in packages: Newton's step overshoots where it is not shortened."""
    rows = [("A", "B", 1, float(day)) for day in range(50)] + [("B", "A", 1, 5000.0 + k) for k in range(50)]
    run = rs.replay(rs.Whr(w2=1000, virtual_draws=0.01), stream(rows), calendar=rs.Every(days=30))
    assert run.diagnostics == []
    assert np.isfinite(run.ratings()["rating"].to_numpy()).all()


@pytest.mark.slow
def test_a_fit_of_many_games_settles():
    rng = np.random.default_rng(1)
    skill = rng.normal(0, 1, 500)
    first = rng.integers(500, size=20_000)
    second = (first + rng.integers(1, 500, size=20_000)) % 500
    score = (rng.random(20_000) < 1 / (1 + np.exp(skill[second] - skill[first]))) * 1.0
    day = np.sort(rng.random(20_000) * 1000)
    told = Games(first.astype(np.int32), second.astype(np.int32), score, day, np.zeros(20_000, np.int32), 500)
    fit = rs.Whr().fitter(told).refit(20_000, 1000.0)
    assert fit.settled
    assert np.corrcoef(fit.columns(1000.0)["rating"], skill)[0, 1] > 0.9
