"""Figures of ratings beside the truth say what their tables say, and theory what simulations do."""

import math

import numpy as np
import polars as pl
import pytest
from scipy import stats
from test_truth import R, hand_made, readings, still

import ratesim as rs
from ratesim.analysis import convergence, truth_figures, truth_tables
from ratesim.analysis.truth import averaged, expected_convergence
from ratesim.analysis.truth.panels import Panel, lined
from ratesim.errors import InputError
from ratesim.plots import draw
from ratesim.plots.style import look
from ratesim.replaying.snapshots import snapshots

ALL = {
    "convergence", "errors", "settling", "lag", "jumps", "movers", "spread", "percentiles", "worth", "coverage",
    "ledger",
}  # fmt: skip


@pytest.fixture(scope="module")
def runs():
    return {"one": truth_tables(hand_made(1)), "other": truth_tables(hand_made(2))}


@pytest.fixture(scope="module")
def figures(runs):
    return {each.name: each for each in truth_figures(runs)}


def test_all_figures_are_there_and_name_runs_and_replicates(figures):
    assert set(figures) == ALL
    for figure in figures.values():
        assert "3 replicates of the world" in figure.caption
        assert figure.frame.height > 1
        assert "one" in figure.caption
        assert "other" in figure.caption


def test_figures_that_would_be_empty_are_left_out():
    tables = truth_tables(still([1500.0, 1600], [[1500.0, 1500]], [[1.0, 1]]))
    figures = truth_figures({"few": tables, "keeps no ratings": {}}, suffix="-x")
    assert {each.name for each in figures} == {
        "errors-x", "spread-x", "percentiles-x", "worth-x", "ledger-x"
    }  # fmt: skip
    assert all("One replicate of the world" in each.caption for each in figures)


def test_colours_go_by_the_order_of_the_runs_whoever_comes_first_in_a_table():
    plain = [each._replace(deviation=None) for each in hand_made(1)]
    runs = {
        "weak": truth_tables(hand_made(2)), "plain": truth_tables(plain), "one": truth_tables(hand_made(1))
    }  # fmt: skip
    figures = {each.name: each for each in truth_figures(runs)}
    assert figures["coverage"].meta["lines"] == ["weak", "one"], "a system that claims no deviations is not there"
    panels = [Panel("a", "coverage", "level", "covered", "", ""), Panel("b", "worth", "day", "skill", "", "")]
    mixed = lined(runs, panels, name="mixed", title="", caption="")
    assert mixed.frame["line"].unique(maintain_order=True).to_list() == ["weak", "one", "plain"]
    assert mixed.meta["lines"] == ["weak", "plain", "one"]
    axes = draw(figures["coverage"]).axes[-1]
    assert [line.get_color() for line in axes.get_lines()[-2:]] == [look(0)["color"], look(2)["color"]]


def test_captions_say_that_replicates_share_a_schedule(runs):
    said = "All replicates share one schedule: bands are over skills and results under it, not over schedules."
    assert all(each.caption.endswith(said) for each in truth_figures(runs, shared=True))
    assert not any("share one schedule" in each.caption for each in truth_figures(runs))
    alone = {"one": truth_tables(hand_made(1, replicates=[0]))}
    assert not any("share one schedule" in each.caption for each in truth_figures(alone, shared=True))


def test_the_ends_that_captions_tell_are_those_of_the_tables(figures, runs):
    last = [averaged("errors", tables["errors"])["shifted"][-1] for tables in runs.values()]
    assert f"Error at the end: {last[0]:.1f} by one and {last[1]:.1f} by other." in figures["errors"].caption


def test_convergence_of_replicates_is_the_mean_of_theirs(figures, runs):
    expected = averaged("games", runs["one"]["games"])
    frame = figures["convergence"].frame.filter(system="one")
    for row in frame.rows(named=True):
        (own,) = expected.filter((pl.col("games") - row["games"]).abs() < 1e-9).rows(named=True)
        assert [row["rmse"], row["rmse_low"], row["rmse_high"]] == [own[f"shifted{x}"] for x in ("", "_low", "_high")]
        assert [row["correlation"], row["claimed"]] == [own["correlation"], own["claimed"]]
    assert (frame["n"] >= 10).all()
    assert len(frame) > 8


def test_convergence_of_one_replicate_has_bands_over_players():
    alone = truth_tables(hand_made(replicates=[0]))
    frame = convergence({"x": alone}).frame
    entered, groups = {}, {}
    for r, _, rows in readings():
        for player, rating, skill, games, _, shifted in rows if r == 0 else []:
            begin = max(end for end in (1, 2, 3, 4, 6, 8, 11, 16, 23, 32, 45) if end <= games)
            if entered.get(player) != begin:
                entered[player] = begin
                groups.setdefault(begin, []).append((rating, skill, shifted))
    kept = [np.array(rows).T for _, rows in sorted(groups.items()) if len(rows) >= 10]
    assert frame["n"].to_list() == [rows.shape[1] for rows in kept]
    assert len(kept) > 5
    for row, (rating, skill, error) in zip(frame.rows(named=True), kept, strict=True):
        interval = stats.pearsonr(rating, skill).confidence_interval(0.95)
        half = stats.norm.ppf(0.975) * stats.sem(error**2)
        assert row["rmse"] ** 2 == pytest.approx(np.mean(error**2))
        assert row["rmse_low"] ** 2 == pytest.approx(max(0, np.mean(error**2) - half))
        assert row["rmse_high"] ** 2 == pytest.approx(np.mean(error**2) + half)
        assert (row["correlation_low"], row["correlation_high"]) == pytest.approx((interval.low, interval.high))


def test_convergence_of_fewer_than_ten_players_is_none():
    with pytest.raises(InputError, match="no 10 players have played equally many games"):
        convergence({"few": truth_tables(still([1500.0, 1600], [[1500.0, 1500]], [[1.0, 1]]))})


def test_theory_is_read_at_the_games_of_each_row(runs):
    curve = pl.DataFrame({"games": [2.0, 8.0], "rmse": [100.0, 50.0]})
    frame = convergence(runs, theory={"one": curve}).frame
    assert frame.filter(system="other")["theory"].is_null().all()
    for games, theory in frame.filter(system="one").select("games", "theory").rows():
        inside = 2 <= games <= 8
        assert (theory is not None) == inside
        if inside:
            assert theory == pytest.approx(100 - 50 * math.log(games / 2) / math.log(4))


def test_causes_of_the_ledger_add_up_to_the_change_of_the_mean_rating(figures):
    frame = figures["ledger"].frame
    wide = frame.pivot(on="line", index=["panel", "x"], values="y").sort("panel", "x")
    causes = wide.select("by departures", "by games of newcomers", "by other games").sum_horizontal()
    assert "by arrivals" not in wide.columns, "whoever arrives has the mean rating of the first reading"
    assert causes.to_numpy() == pytest.approx(wide["mean rating"].to_numpy(), abs=1e-9)
    first, last = hand_made()[0], hand_made()[-1]
    change = [
        np.mean(last.rating[r][np.isfinite(last.skill[r])]) - np.mean(first.rating[r][np.isfinite(first.skill[r])])
        for r in range(R)
    ]
    assert wide.filter(panel="one")["mean rating"][-1] == pytest.approx(np.mean(change))


def test_a_median_beyond_the_last_game_of_any_replicate_is_none():
    table = pl.DataFrame({"replicate": [0, 1], "within": [50.0, 50.0], "players": [9, 9], "median": [4.0, None]})
    assert averaged("settling", table)["median"].to_list() == [None]


def test_theory_follows_elo_to_within_four_per_cent():
    """Elo at K 10, 20 and 40 in a random pool: T8 is good to 8 % of the variance, the band to its 95 %."""
    world = rs.WORLDS.build({"kind": "league", "players": 120, "rounds": 200})
    games = world.simulate(seed=11, replicates=8)
    for k in (10.0, 20.0, 40.0):
        tables = truth_tables(snapshots(rs.replay(rs.Elo(), games, policy=rs.Constant(k=k))))
        frame = convergence({"elo": tables}, theory={"elo": expected_convergence(games, k)}).frame.drop_nulls("theory")
        assert len(frame) > 10
        assert (frame["theory"] * 1.04 > frame["rmse_low"]).all()
        assert (frame["theory"] * 0.96 < frame["rmse_high"]).all()
        assert ((frame["rmse_high"] - frame["rmse_low"]) < 0.3 * frame["rmse"]).all()
        assert frame["theory"][-1] < frame["theory"][0] / 2, "a curve that falls"


def test_only_a_simulated_stream_has_a_truth_to_converge_to():
    games = rs.GameStream.of(first=["A"], second=["B"], score=[1], time=[0])
    with pytest.raises(InputError, match="no skills to converge to"):
        expected_convergence(games, 20.0)
