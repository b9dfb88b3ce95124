"""Losses by games played before, bin by bin, and beside the best system's."""

import numpy as np
import pytest

import ratesim as rs
from ratesim.analysis import EmptyFigureError, cold_start
from ratesim.comparing import Asked
from ratesim.plots import draw


@pytest.fixture
def games():
    random = np.random.default_rng(3)
    before, month = random.integers(0, 20, 1500), np.arange(1500) // 50
    hard = random.gamma(2, 0.3, 1500)
    losses = {"slow": hard + 0.3 / (1 + before) + random.normal(0, 0.1, 1500), "fast": hard}
    losses["slow"][:10] = np.nan
    return losses, before, month


def test_bins_double_and_differences_are_paired(games):
    losses, before, month = games
    found = cold_start(losses, before, month, asked=Asked(7), metric="log loss")
    assert found.meta["best"] == "fast"
    there = ~np.isnan(losses["slow"])
    for label, loss in losses.items():
        rows = found.frame.filter(system=label).rows(named=True)
        assert [(row["from"], row["to"]) for row in rows] == [(0, 0), (1, 2), (3, 6), (7, 14), (15, 30)]
        for row in rows:
            here = there & (before >= row["from"]) & (before <= row["to"])
            assert row["n"] == here.sum()
            assert row["loss"] == pytest.approx(loss[here].mean(), rel=1e-12)
            assert row["before"] == pytest.approx(before[here].mean(), rel=1e-12)
            apart = rs.paired(loss[here], losses["fast"][here], month[here], seed=7)
            assert (row["difference"], row["low"], row["high"]) == pytest.approx(apart[:1] + apart[2:4], abs=1e-12)
    assert found.meta["share"] == pytest.approx([each / there.sum() for each in found.frame["n"][:5]])
    assert found.frame["low"][0] > 0.2  # of debutants "slow" is surely worse
    assert "of 1,490 games that all forecast" in found.caption
    assert "from fast, the best over all games" in found.caption


def test_games_count_by_their_weights(games):
    losses, before, month = games
    weight = np.random.default_rng(1).choice([0.0, 1, 2], 1500)
    found = cold_start(losses, before, month, weight, asked=Asked(7))
    twice = np.repeat(np.arange(1500), weight.astype(int))
    told = cold_start({k: v[twice] for k, v in losses.items()}, before[twice], month[twice], asked=Asked(7))
    assert found.frame["n"].to_list() == told.frame["n"].to_list()
    for column in ("loss", "difference", "low", "high"):
        assert found.frame[column].to_list() == pytest.approx(told.frame[column].to_list(), abs=1e-12)


def test_the_best_is_that_of_the_metric(games):
    losses, before, month = games
    found = cold_start(losses, before, month, asked=Asked(7, lower_is_better=False))
    assert found.meta["best"] == "slow"


def test_few_games_make_no_figure(games):
    losses, _, month = games
    with pytest.raises(EmptyFigureError, match="figure cold_start: fewer than two bins with 30 games"):
        cold_start(losses, np.zeros(1500), month, asked=Asked(7))
    with pytest.raises(rs.InputError, match="losses of unlike lengths"):
        cold_start(losses, np.zeros(3), month, asked=Asked(7))


@pytest.mark.parametrize("systems", [1, 2])
def test_it_is_drawn(games, systems):
    losses, before, month = games
    table = cold_start(dict(list(losses.items())[:systems]), before, month, asked=Asked(7), metric="log loss")
    panels = draw(table).axes
    assert len(panels) == systems
    assert [len(axes.lines) for axes in panels] == [systems, systems + 1][:systems]  # and a line at zero


FILE = """
[stream]
games = "games.csv"
[[system]]
kind = "even"
[[system]]
kind = "first-rate"
"""


@pytest.mark.parametrize(
    ("games", "asked", "drawn"),
    [(2000, "", True), (1999, "", False), (1999, "[figures]\ncold_start = true", True),
     (2000, "[figures]\ncold_start = false", False)],
)  # fmt: skip
def test_it_is_drawn_where_it_tells_anything(tmp_path, undrawn, games, asked, drawn):
    random = np.random.default_rng(2)
    pairs = [random.choice(60, 2, replace=False) for _ in range(games)]
    lines = [f"{a},{b},{random.integers(2)},{2000 + n // 100}-01-{1 + n % 28:02}" for n, (a, b) in enumerate(pairs)]
    (tmp_path / "games.csv").write_text("\n".join(["first,second,score,time", *lines]))
    (tmp_path / "e.toml").write_text(FILE + asked)
    summary = rs.run(tmp_path / "e.toml", tmp_path / "out", workers=1)
    assert ("cold_start" in [each["name"] for each in summary["figures"]]) == drawn
