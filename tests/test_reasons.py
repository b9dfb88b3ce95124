"""Why two systems differ: differences taken apart add up, scales are fitted, groups and ranks are counted by hand."""

import numpy as np
import polars as pl
import pytest
from test_paths import START, SYSTEMS, stream

import ratesim as rs
from ratesim.analysis import (
    EmptyFigureError,
    careers,
    gainers,
    groups_moved,
    partings,
    rank_agreement,
    rank_changes,
    scale_map,
)
from ratesim.analysis.policies import players_moved
from ratesim.analysis.reasons import careers_of, parting, ranks, scales
from ratesim.plots import draw
from ratesim.plots.style import Style

pytestmark = [pytest.mark.interpreted, pytest.mark.filterwarnings("ignore:overflow")]
GAMES = stream(tied=True)


@pytest.fixture(scope="module")
def runs():
    return {
        name: rs.replay(system, GAMES, calendar=calendar, start=START) for name, (system, calendar) in SYSTEMS.items()
    }


@pytest.mark.parametrize("name", SYSTEMS)
def test_rows_add_up_to_the_difference_of_the_final_ratings_over_every_system(name, runs):
    run, other = runs["elo"], runs[name]
    ratings = (dict(each.ratings().select("player", "rating").iter_rows()) for each in (run, other))
    one, two = next(ratings), next(ratings)
    rated = [player for player, rating in two.items() if not np.isnan(rating)][:1]
    assert rated or name == "fide, unrated"
    for player in rated:
        found = partings(run, other, player)
        assert found["running"][-1] == one[player] - two[player]
        assert found["rating"][-1] == one[player]
        assert found["rating_other"][-1] == two[player]
        assert found["difference"].sum() == pytest.approx(one[player] - two[player], abs=1e-9)
        number = GAMES.players["player"].to_list().index(player)
        played = np.flatnonzero((GAMES.first == number) | (GAMES.second == number)).tolist()
        assert sorted(found["games"].explode().drop_nulls()) == played
        assert found["n"].sum() == len(played)
        assert found["time"].is_sorted()
        assert name != "elo" or (found["difference"] == 0).all()


def test_two_k_by_hand():
    """A beats B, equals, by K 20 and 40: +10 and +20; then draws with C, an equal of 1500, twice on one day."""
    games = rs.GameStream.of(first=["A", "C", "A"], second=["B", "A", "C"], score=[1, 0.5, 0.5], time=[0, 5, 5])
    slow, fast = (rs.replay(rs.Elo(), games, policy=rs.Constant(k)) for k in (20, 40))
    found = partings(fast, slow, "A")
    expected, expected_slow = (1 / (1 + 10 ** (-ahead / 400)) for ahead in (20, 10))
    moved, moved_slow = 80 * (0.5 - expected), 40 * (0.5 - expected_slow)
    assert found.select("cause", "games", "n", "against", "score").rows() == [
        ("first rating", [], 0, None, None), ("games", [0], 1, "B", 1.0), ("games", [1, 2], 2, "C", 1.0),
    ]  # fmt: skip
    assert found["moved"].to_list() == pytest.approx([1500, 20, moved], rel=1e-12)
    assert found["moved_other"].to_list() == pytest.approx([1500, 10, moved_slow], rel=1e-12)
    assert found["expected"].to_list()[1:] == pytest.approx([0.5, 2 * expected], rel=1e-12)
    assert found["running"].to_list() == pytest.approx([0, 10, 10 + moved - moved_slow], rel=1e-12)
    assert partings(fast, slow, "A", by="difference")["n"].to_list() == [1, 2, 0]


def test_periods_of_two_calendars_that_overlap_are_one_row():
    """Games on 30 and 31 January and 1 and 20 February: by months two periods, by days from 31 on others."""
    days = [19752.0, 19753, 19754, 19773]
    games = rs.GameStream.of(first=["A"] * 4, second=list("BCDE"), score=[1] * 4, time=days)
    by_month = rs.replay(rs.Elo(), games, calendar=rs.Months())
    by_two = rs.replay(rs.Elo(), games, calendar=rs.Every(days=2, origin="2024-01-31"))
    assert partings(by_month, by_two, "A")["games"].to_list() == [[], [0, 1, 2, 3]]
    by_game = rs.replay(rs.Elo(), games)
    assert partings(by_month, by_game, "A")["games"].to_list() == [[], [0, 1], [2, 3]]


def test_on_a_scale_of_its_own_a_system_differs_by_nothing():
    """The same Elo with ratings twice as wide and 300 higher: by the map nothing is left of the difference."""
    wide = rs.replay(rs.Elo(start=3300, scale=800), GAMES, policy=rs.Constant(40))
    plain = rs.replay(rs.Elo(), GAMES, policy=rs.Constant(20))
    scale = scale_map(plain.ratings(), wide.ratings(), min_games=1)
    assert scale.spread == pytest.approx(0, abs=1e-9)
    assert scale.told([3300 + 2 * (x - 1500) for x in scale.rating]) == pytest.approx(scale.rating, abs=1e-9)
    found = partings(plain, wide, "3", scale=scale)
    assert found["running"][-1] == pytest.approx(0, abs=1e-9)
    assert partings(plain, wide, "3")["running"][-1] < -1000


def test_partings_refuse_what_cannot_be_compared(runs):
    with pytest.raises(rs.InputError, match="different games"):
        partings(runs["elo"], rs.replay(rs.Elo(), stream(tied=False)), "3")
    with pytest.raises(rs.InputError, match="no pool 'blitz'"):
        partings(runs["elo"], runs["glicko"], "3", pool="blitz")
    pools = rs.replay(rs.Elo(), stream(tied=True, pools=True), by_pool=True)
    with pytest.raises(rs.InputError, match="3 has a rating in each pool; expected pool = one of"):
        partings(pools, pools, "3")
    with pytest.raises(rs.InputError, match="by: unknown order 'x'; expected 'time' or 'difference'"):
        partings(runs["elo"], runs["glicko"], "3", by="x")


def table(ratings, games=20.0):
    return pl.DataFrame({"player": [f"p{n}" for n in range(len(ratings))], "rating": ratings, "games": games})


def test_a_scale_pools_what_falls_weighted_by_games():
    """20, 30 and 40 are rated 1500, 1700 with one game more, 1600: the last two are one step, at its weighted mean."""
    one = table([1500.0, 1700.0, 1600.0, 1900.0], pl.Series([10.0, 30.0, 10.0, 10.0]))
    scale = scale_map(one, table([20.0, 30.0, 40.0, 50.0]))
    assert scale.other.tolist() == pytest.approx([20, 32.5, 50])
    assert scale.rating.tolist() == pytest.approx([1500, 1675, 1900])
    assert (scale.n, scale.games, scale.covered) == (4, 60.0, (20.0, 50.0))
    fitted = np.interp([20, 30, 40, 50], scale.other, scale.rating)
    error = np.array([1500, 1700, 1600, 1900]) - fitted
    assert scale.spread == pytest.approx(np.sqrt((error**2 * [10, 30, 10, 10]).sum() / 60))


def test_a_scale_is_rising_has_an_inverse_and_ends():
    rng = np.random.default_rng(3)
    skill = rng.normal(1500, 200, 300)
    one, other = skill + rng.normal(0, 30, 300), np.exp(skill / 1000) + rng.normal(0, 0.1, 300)
    scale = scale_map(table(one), table(other))
    assert (np.diff(scale.other) > 0).all()
    assert (np.diff(scale.rating) > 0).all()
    inside = np.linspace(*scale.covered, 50)
    assert scale.back(scale.told(inside)) == pytest.approx(inside, rel=1e-12)
    assert scale.told([-9.0, 99.0]).tolist() == [scale.rating[0], scale.rating[-1]]
    assert scale.covers([-9.0, inside[3], 99.0]).tolist() == [False, True, False]
    middle = np.exp(np.array([1300, 1500, 1700]) / 1000)
    assert scale.told(middle) == pytest.approx([1300, 1500, 1700], abs=30)
    assert 25 < scale.spread < 45


def test_a_scale_needs_players_who_rise_together():
    with pytest.raises(rs.InputError, match="1 player rated by both after 10 games"):
        scale_map(table([1500.0]), table([20.0]))
    with pytest.raises(rs.InputError, match="rated higher by the one is not by the other"):
        scale_map(table([1500.0, 1400.0]), table([20.0, 30.0]))


def test_ranks_by_hand():
    changes = rank_changes(table([1900.0, 1800.0, 1700.0, 1600.0, 1000.0], 20.0), table([50.0, 60.0, 40.0, 40.0, 99.0]))
    assert changes.select("player", "rank", "rank_other", "up").rows() == [
        ("p4", 5.0, 1.0, 4.0), ("p0", 1.0, 3.0, -2.0), ("p2", 3.0, 4.5, -1.5), ("p3", 4.0, 4.5, -0.5),
        ("p1", 2.0, 2.0, 0.0),
    ]  # fmt: skip
    agreement = rank_agreement(changes)
    # pairs: 3 alike (p0-p2, p0-p3, p1-p2, p1-p3 are 4), apart p0-p1 and p4 with all four, a tie p2-p3
    assert agreement.kendall == pytest.approx((4 - 5) / np.sqrt(10 * 9))
    assert (agreement.n, agreement.same) == (5, 0.2)
    assert rank_agreement(changes.head(1)).n == 1


@pytest.mark.filterwarnings("error")
def test_where_all_are_equal_there_is_no_order_to_agree_with():
    alike, apart = table([1500.0] * 3), table([1.0, 2.0, 3.0])
    for one, other, label in ((alike, apart, "one"), (apart, alike, "other"), (alike, alike, "one")):
        agreement = rank_agreement(rank_changes(one, other))
        assert np.isnan([agreement.kendall, agreement.spearman]).all()
        with pytest.raises(EmptyFigureError, match=f"all 3 players are equal by {label}"):
            ranks({"one": one, "other": other})


def test_newcomers_and_returners_by_hand():
    """A plays on, B is back after 400 days, C has just come, D was here once; few is 2 games."""
    rows = [
        ("A", "B", 0),
        ("A", "B", 1),
        ("A", "D", 2),
        ("A", "B", 300),
        ("A", "C", 600),
        ("A", "B", 720),
        ("A", "B", 730),
    ]
    first, second, time = zip(*rows, strict=True)
    games = rs.GameStream.of(first=first, second=second, score=[1] * 7, time=time)
    careers = careers_of(games, few=2)
    assert dict(careers.select("player", "group").iter_rows()) == {
        "A": "others", "B": "returners", "C": "newcomers", "D": "newcomers",
    }  # fmt: skip
    moved = players_moved(table([1500.0] * 4), table([1560.0, 1510.0, 1490.0, 1430.0])).with_columns(
        player=pl.col("player").replace_strict({"p0": "A", "p1": "B", "p2": "C", "p3": "D"})
    )
    found = groups_moved(moved, games, few=2)
    assert found.select("group", "n", "mean", "absolute", "raised", "lowered").rows() == [
        ("newcomers", 2, -40.0, 40.0, 0.0, 0.5), ("returners", 1, 10.0, 10.0, 0.0, 0.0),
        ("others", 1, 60.0, 60.0, 1.0, 0.0), ("everybody", 4, -2.5, 37.5, 0.25, 0.25),
    ]  # fmt: skip
    low, high = found.row(0, named=True)["low"], found.row(0, named=True)["high"]
    assert (low + high) / 2 == pytest.approx(-40)
    assert gainers(moved, 1)["player"].to_list() == ["A", "D"]


def test_the_figures_say_what_their_tables_say(runs):
    one, other = runs["elo"], runs["glicko monthly"]
    ratings = {"one": one.ratings(), "other": other.ratings()}
    scale = scale_map(*ratings.values(), min_games=1)
    table = parting({"3": partings(one, other, "3", scale=scale)}, ("one", "other"), scale, most=2)
    lines = table.frame.partition_by("line", as_dict=True)
    final = dict(one.ratings().select("player", "rating").iter_rows())["3"]
    assert lines["one",]["rating"][-1] == final
    assert sorted(lines["one",]["mark"].drop_nulls()) == [1, 2]
    worst = (
        partings(one, other, "3", scale=scale, by="difference").filter(pl.col("cause") == "games").row(0, named=True)
    )
    marked = lines["one",].filter(pl.col("mark") == 1)
    assert marked["time"].to_list() == [worst["time"]]
    assert f"score {worst['score']:g}: {worst['difference']:+.1f}; 2," in table.caption
    points = scales(ratings, min_games=1)
    assert points.frame["kind"].value_counts().sort("kind")["count"].to_list() == [len(scale.other), scale.n]
    order = ranks(ratings, min_games=1, most=4)
    assert order.frame.height == 4
    assert f"tau {rank_agreement(rank_changes(*ratings.values(), min_games=1)).kendall:.3f}" in order.caption
    for each in (table, points, order):
        for width in (84, 170):
            assert draw(each, Style(width_mm=width)).axes


def test_effective_k_of_two_systems_stands_side_by_side(runs):
    times = np.unique(GAMES.time)
    told = {name: rs.k_in_force(runs[name], times, ["3"]) for name in ("elo", "glicko")}
    table = careers(told, ["3"])
    assert table.meta["panels"] == ["3"]
    assert set(table.frame["line"]) == {"elo", "glicko"}
    assert draw(table).axes


def test_figures_of_runs_that_are_alike_or_alone_are_empty(runs):
    ratings = runs["elo"].ratings()
    scale = scale_map(ratings, ratings, min_games=1)
    with pytest.raises(EmptyFigureError, match="no game moves the two apart"):
        parting({"3": partings(runs["elo"], runs["elo"], "3")}, ("one", "other"), scale)
    with pytest.raises(EmptyFigureError, match="1 run with ratings"):
        ranks({"one": ratings})
    with pytest.raises(EmptyFigureError, match="0 players rated by both after 999 games"):
        ranks({"one": ratings, "other": ratings}, min_games=999)
