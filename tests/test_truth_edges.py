"""Who has nobody beside them, or claims to be certain, is no error and no coverage; few replicates are said."""

import math

import numpy as np
import polars as pl
import pytest
from test_truth import R, hand_made, still

from ratesim.analysis.truth import truth_figures, truth_tables
from ratesim.analysis.truth.panels import Panel, lined


def test_a_deviation_of_0_claims_no_interval():
    skill, rating, deviation = [1500.0, 1600, 1700], [1510.0, 1590, 1700], [50.0, 4.0, 0.0]
    tables = truth_tables(still(skill, [rating], [[1.0, 1, 1]], deviation))
    (row,) = tables["games"].rows(named=True)
    (last,) = tables["errors"].rows(named=True)
    assert row["players"] == 3
    assert row["coverage"] == last["coverage"] == 0.5, "10 is within 1.96 x 50, not within 1.96 x 4"
    assert row["claimed"] == last["claimed"] == pytest.approx(math.sqrt((50**2 + 4**2) / 2))
    assert row["z_rms"] == pytest.approx(math.sqrt((0.2**2 + 2.5**2) / 2))
    certain = truth_tables(still(skill, [rating], [[1.0, 1, 1]], [0.0] * 3))["games"]
    assert certain.select("claimed", "coverage", "z_rms").null_count().row(0) == (1, 1, 1)


def test_one_alone_has_no_error_after_the_best_shift():
    skill = [1500.0, 1600]
    tables = truth_tables(still(skill, [[1520.0, 1600]] * 2, [[1.0, 0], [2.0, 0]], [50.0, 50]))
    assert tables["games"].is_empty()
    assert tables["movers"]["shifted"].null_count() == tables["movers"].height == 2
    assert tables["errors"].select("bias", "rmse", "shifted").rows() == [(20.0, 20.0, None)] * 2
    games = 20.0 * np.arange(30)[:, None] * [[1.0, 0.0]]
    (rest,) = truth_tables(still(skill, np.full((30, 2), 1520.0), games))["jitter"].rows(named=True)
    assert (rest["players"], rest["jitter"], rest["lasting"]) == (1, 0, None)


def test_points_say_how_many_replicates_know_them():
    whole = {"one": truth_tables(hand_made())}
    figures = {each.name: each for each in truth_figures(whole)}
    assert set(figures["errors"].frame["replicates"]) == {R}
    assert "column `replicates`" not in figures["errors"].caption
    cut = whole["one"]["errors"].with_columns(
        spearman=pl.when((pl.col("replicate") > 0) | (pl.col("day") > 100)).then("spearman")
    )
    panel = Panel("rank", "errors", "day", "spearman", "", "")
    figure = lined({"one": {**whole["one"], "errors": cut}}, [panel], name="x", title="", caption="Ranks.")
    assert set(figure.frame.filter(pl.col("x") > 100)["replicates"]) == {R}
    assert set(figure.frame.filter(pl.col("x") <= 100)["replicates"]) == {R - 1}
    said = f"a point is over those that do: {R - 1} at least (column `replicates` of the table)."
    assert figure.caption == f"Ranks. Where not all replicates have such players {said}"
