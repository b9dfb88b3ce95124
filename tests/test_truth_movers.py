"""Measures of those whose skill changes and of those who come back from a break, by hand."""

import numpy as np
import polars as pl
import pytest

import ratesim as rs
from ratesim.analysis import EmptyFigureError
from ratesim.analysis.truth import truth_figures, truth_tables
from ratesim.analysis.truth.figures import returns
from ratesim.plots import draw
from ratesim.replaying.snapshots import Snapshot, snapshots


def read(day, rating, skill, games, deviation=None, volatility=None) -> Snapshot:
    """One replicate at one moment."""
    rows = [
        None if each is None else np.array([each], dtype=np.float64)
        for each in (rating, deviation, games, skill, volatility)
    ]
    rating, deviation, games, skill, volatility = rows
    return Snapshot(float(day), np.array([0], np.int32), rating, deviation, games, skill, volatility)


def test_those_who_change_stand_beside_all_others_from_their_change_on():
    flat, nan = [1500.0] * 4, float("nan")
    moved = [[1500, 1500, 1500, nan], [1700, 1500, 1500, 1500], [1500, 1500, 1500, 1500]]
    volatility = [0.09, 0.06, 0.06, 0.06]
    rows = [read(t, flat, skill, [5] * 4, [50] * 4, volatility) for t, skill in enumerate(moved)]
    table = truth_tables(rows)["movers"].drop("replicate")
    assert table.select("day", "who", "players").rows() == [
        (1.0, "changed", 1), (2.0, "changed", 1), (0.0, "unchanged", 3), (1.0, "unchanged", 3), (2.0, "unchanged", 3),
    ], "one who arrives has not changed, one whose skill is back where it was has"  # fmt: skip
    assert table["shifted"].to_list() == [150, 0, 0, 50, 0], "the mean error of all four is taken off"
    assert table["claimed"].to_list() == pytest.approx([50] * 5)
    assert table["volatility"].to_list() == pytest.approx([0.09, 0.09, 0.07, 0.06, 0.06])


def test_systems_without_deviation_or_volatility_claim_none():
    (row,) = truth_tables([read(0, [1500, 1500], [1500, 1600], [1, 1])])["movers"].rows(named=True)
    assert (row["claimed"], row["volatility"]) == (None, None)


def test_a_break_begins_anew_the_games_of_who_takes_it():
    days = [0, 100, 200, 300, 400, 500, 700]
    away = [1, 2, 2, 2, 3, 5, 6]  # for 300 days
    here = [1, 2, 3, 4, 5, 6, 7]
    late = [0, 0, 0, 0, 1, 2, 2]  # a newcomer is not back from anything
    skill, rating = [1600.0, 1500, 1400], [[1500.0, 1500, 1500]] * 4 + [[1570.0, 1500, 1430]] * 3
    rows = [
        read(day, rating[t], skill, [away[t], here[t], late[t]], [100, 50, 50]) for t, day in enumerate(days)
    ]  # fmt: skip
    table = truth_tables(rows)["returns"].drop("replicate")
    assert table["from"].to_list() == [1, 3, 4]
    assert table["players"].to_list() == [1, 1, 1], "nobody is away who has played whenever there was a reading"
    assert table["away"].to_list() == [300, 300, 300]
    assert table["shifted"].to_list() == pytest.approx([30, 30, 30])
    assert table["z_rms"].to_list() == pytest.approx([0.3, 0.3, 0.3])


def test_each_break_counts():
    games = [1, 1, 1, 2, 2, 2, 3]
    rows = [read(100 * t, [1500 + 10.0 * n, 1500], [1500, 1500], [n, t + 1]) for t, n in enumerate(games)]
    table = truth_tables(rows)["returns"].drop("replicate")
    assert table.select("from", "players", "away").rows() == [(1, 2, 300)]
    assert table["shifted"][0] == pytest.approx(np.sqrt((10**2 + 15**2) / 2))


def test_readings_far_apart_make_no_break():
    rows = [read(400 * t, [1500, 1500], [1600, 1500], [3 * t + 1, t + 1]) for t in range(5)]
    assert truth_tables(rows)["returns"].is_empty()


@pytest.mark.parametrize(("world", "shown"), [
    ({"changes": [{"kind": "jump", "share": 0.5, "at": "200d"}]}, {"movers", "jumps"}),
    ({"activity": [{"kind": "breaks", "share": 0.5, "length": "300d"}]}, {"returns"}),
    ({}, set()),
])  # fmt: skip
def test_figures_are_of_what_there_is(world, shown):
    games = rs.WORLDS.build({"kind": "league", "players": 20, "rounds": 40} | world).simulate(seed=1, replicates=2)
    tables = {"glicko-2": truth_tables(snapshots(rs.replay(rs.Glicko2(), games)))}
    figures = {each.name: each for each in truth_figures(tables)}
    assert set(figures) & {"movers", "jumps", "returns"} == shown
    for name in shown & {"movers", "returns"}:
        frame = figures[name].frame
        assert frame["panel"].n_unique() == 4
        assert frame.filter(pl.col("panel").str.contains("error,|: error$"))["y"].min() > 0


def test_returns_of_few_players_make_no_figure():
    """A pause that luck alone makes: nine come back, and panels of them would have a scale and no line."""
    steady = [[t + 1] for t in range(12)]
    games = np.hstack([np.tile([[1], [2], *[[2]] * 4, *[[3]] * 6], 10), np.array(steady)])
    games[:, 9] = games[:, 10]
    skill = np.linspace(1400, 1600, 11)
    rows = [read(50 * t, skill + 7, skill, each) for t, each in enumerate(games)]
    tables = truth_tables(rows)
    assert tables["returns"]["players"].to_list() == [9]
    with pytest.raises(EmptyFigureError, match="fewer than 10 players come back after 180 days"):
        returns({"x": tables})
    games[:, 9] = games[:, 0]
    found = returns({"x": truth_tables([read(50 * t, skill + 7, skill, each) for t, each in enumerate(games)])})
    assert [panel["name"] for panel in found.meta["panels"]] == ["newcomers: error", "back from a break: error"]
    assert found.frame.filter(panel="back from a break: error")["y"].to_list() == [pytest.approx(0, abs=1e-9)]
    assert [len(axes.get_lines()[-1].get_xdata()) for axes in draw(found).axes] == [3, 1]
    assert draw(found).axes[-1].get_lines()[-1].get_marker() == "o", "one point is seen"
