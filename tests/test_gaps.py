"""Forecasts beside the truth, by the gap of skills."""

import numpy as np
import pytest
from scipy import stats
from scipy.special import rel_entr

import ratesim as rs
from ratesim.analysis import EmptyFigureError, gaps
from ratesim.metrics import LogLoss
from ratesim.plots import draw
from ratesim.worlds import League

FIRST, SECOND = "too much of the stronger", "what it costs"


@pytest.fixture(scope="module")
def stream():
    return League(players=40, rounds=100).simulate(1, 5)


@pytest.fixture(scope="module")
def forecast(stream):
    """One who takes the skills for closer together than they are."""
    return 1 / (1 + 10 ** (-(stream.skill_first - stream.skill_second) / 800))


def test_bands_are_means_over_replicates_of_difference_and_entropy(stream, forecast):
    table = gaps({"flat": forecast}, stream)
    gap, e = stream.skill_first - stream.skill_second, stream.truth
    stronger = np.where(gap > 0, forecast - e, e - forecast)
    entropy = rel_entr(e, forecast) + rel_entr(1 - e, 1 - forecast)
    assert table.frame["panel"].unique(maintain_order=True).to_list() == [FIRST, SECOND]
    for row in table.frame.rows(named=True):
        value, factor = (stronger, 100) if row["panel"] == FIRST else (entropy, 1000)
        here = (np.abs(gap) >= row["from"]) & (np.abs(gap) < row["from"] + 100)
        assert row["n"] == here.sum() >= 100
        assert row["x"] == pytest.approx(np.abs(gap)[here].mean(), rel=1e-12)
        assert row["y"] == pytest.approx(factor * value[here].mean(), rel=1e-9)
        of = [value[here & (stream.replicate == r)] for r in range(5)]
        rest = np.array([(each - value[here].mean()).sum() for each in of])
        se = np.sqrt(5 / 4 * (rest**2).sum()) / here.sum()
        half = factor * stats.t.ppf(0.975, 4) * se
        assert [row["low"], row["high"]] == pytest.approx([row["y"] - half, row["y"] + half], rel=1e-6, abs=1e-9)
    assert f"{entropy.mean():.5f} (" in table.caption


def test_the_cost_is_what_log_loss_loses_on_average(stream, forecast):
    """Expected over results it is the mean excess of log loss, which results move by their luck alone."""
    excess = LogLoss().each(forecast, stream.score) - LogLoss().each(stream.truth, stream.score)
    frame = gaps({"flat": forecast}, stream).frame.filter(panel=SECOND)
    gap = np.abs(stream.skill_first - stream.skill_second)
    for row in frame.rows(named=True):
        here = (gap >= row["from"]) & (gap < row["from"] + 100)
        error = excess[here].std(ddof=1) / np.sqrt(here.sum())
        assert row["y"] / 1000 == pytest.approx(excess[here].mean(), abs=4 * error)


def test_the_oracle_is_never_wrong(stream):
    assert (gaps({"oracle": stream.truth}, stream).frame["y"] == 0).all()


def test_one_replicate_has_no_bands(stream, forecast):
    one = stream.take(stream.replicate == 0)
    table = gaps({"flat": forecast[stream.replicate == 0]}, one)
    assert table.frame["low"].null_count() == len(table.frame) > 0
    assert "one replicate, so no bands" in table.caption


def test_games_without_truth_are_refused_and_few_games_are_not_shown(stream, forecast):
    games = rs.GameStream.of(first=["A"], second=["B"], score=[1], time=[0])
    with pytest.raises(EmptyFigureError, match="figure gaps: no truth; expected a stream that a world simulated"):
        gaps({"a": [0.5]}, games)
    with pytest.raises(EmptyFigureError, match="no band has 100 games"):
        gaps({"flat": forecast[:99]}, stream.take(slice(0, 99)))
    with pytest.raises(rs.errors.InputError, match="width = 0; expected above 0 points"):
        gaps({"flat": forecast}, stream, width=0)


def test_two_panels_are_drawn(stream, forecast):
    figure = draw(gaps({"flat": forecast, "oracle": stream.truth}, stream))
    assert [axes.get_title("left") for axes in figure.axes] == [FIRST, SECOND]


def test_a_cost_has_no_band_below_nothing_and_a_shared_schedule_is_told():
    """Two replicates: Student's interval is 12.7 standard errors to each side."""
    stream = League(players=40, rounds=30, shared=True).simulate(1, 2)
    forecast = 1 / (1 + 10 ** (-(stream.skill_first - stream.skill_second) / 500))
    table = gaps({"flat": forecast}, stream)
    low = table.frame.filter(panel=SECOND)["low"]
    assert low.min() == 0
    assert table.frame.filter(panel=FIRST)["low"].min() < 0
    assert table.caption.endswith("bands are over skills and results under it, not over schedules.")
    assert "share one schedule" not in gaps({"flat": forecast}, League(players=40, rounds=30).simulate(1, 2)).caption
