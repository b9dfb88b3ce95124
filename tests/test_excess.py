"""The figure of what runs lose more than an oracle: the numbers of the summary, world by world."""

import polars as pl
import pytest

import ratesim as rs
from ratesim.analysis import EmptyFigureError, excess
from ratesim.inference import Paired
from ratesim.plots import draw

EXPERIMENT = """[[world]]
name = "wide"
players = 12
rounds = 20
replicates = 3
[[world]]
name = "narrow"
players = 12
rounds = 20
replicates = 3
skills = { kind = "normal", sd = 100 }
[[system]]
kind = "even"
[[system]]
kind = "first-rate"
[score]
metrics = ["brier"]
[figures]
main = "excess"
excess = true
"""


def test_it_is_what_the_summary_says(file, tmp_path):
    summary = rs.run(file(EXPERIMENT, "e.toml"), tmp_path / "out")
    frame = pl.read_parquet(tmp_path / "out" / "tables" / "excess.parquet")
    told = {(run["stream"], run["label"].partition(",")[0]): run["excess"]["brier"] for run in summary["runs"]}
    assert len(told) == 4
    for row in frame.rows(named=True):
        each = told.pop((row["stream"], row["system"]))
        assert (row["excess"], row["low"], row["high"]) == (each["difference"], each["low"], each["high"])
        assert each["low"] < each["difference"] < each["high"]
    assert not told
    assert {"name": "excess", "stream": None} in summary["figures"]


def test_it_is_drawn_with_and_without_intervals():
    found = {
        ("a", "x"): Paired(0.1, 0.01, 0.08, 0.12, 100, 0, 9, 0.9),
        ("b", "x"): Paired(0.2, float("nan"), float("nan"), float("nan"), 100, 0, 1, 0.9),
    }
    table = excess(found, "log loss")
    assert "90 % intervals" in table.caption
    assert [tick.get_text() for tick in draw(table).axes[0].get_yticklabels()] == ["a", "b"]
    with pytest.raises(EmptyFigureError, match="no truth is known"):
        excess({}, "log loss")
