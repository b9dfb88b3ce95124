"""Experiments about rating lists: what their headers say comes out, and would with another seed."""

import json
import math
from pathlib import Path

import polars as pl
import pytest
from articles import header, runner

from ratesim.analysis.truth import averaged

S = 400 / math.log(10)
YEARS = 3652.425 / 365.2425


class Runs:
    """What an experiment left: its runs by label, and tables about the truth averaged over replicates."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        runs = json.loads((folder / "summary.json").read_text())["runs"]
        self.runs = {run["label"]: run for run in runs}

    def truth(self, label: str, name: str) -> pl.DataFrame:
        (folder,) = (self.folder / "truth").glob(f"{self.runs[label]['id']}-*")
        table = pl.read_parquet(folder / f"{name}.parquet")
        return averaged(name, table)

    def last(self, label: str, name: str) -> dict[str, float]:
        return self.truth(label, name).sort("day").row(-1, named=True)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    done = runner(tmp_path_factory)
    return lambda name: Runs(done(name))


@pytest.fixture(scope="module")
def d05(run):
    return run("d05-period")


PERIODS = ("one game", "a week", "a month", "a quarter", "a year")


def over_periods(runs: Runs, system: str) -> tuple[list[float], list[float]]:
    """Error to the truth at the end, and excess log loss over the oracle, by the length of the period."""
    labels = [f"{system}, {period}" for period in PERIODS]
    errors = [runs.runs[label]["truth"]["errors"][0]["shifted"] for label in labels]
    return errors, [runs.runs[label]["excess"]["log_loss"]["difference"] for label in labels]


def written(values: list[float], digits: int) -> str:
    *head, last = (f"{value:.{digits}f}".lstrip("0") for value in values)
    return f"{', '.join(head)} and {last}"


@pytest.mark.slow
def test_d05_says_what_longer_periods_cost(d05):
    said = header("d05-period")
    slow, worse = over_periods(d05, "elo, K k=20")
    fast, glicko = (over_periods(d05, system)[0] for system in ("elo, K k=40", "glicko"))
    assert (
        f"with K 20 log loss lies {written(worse, 4)} above that of an oracle who knows the skills, and ratings are "
        f"wrong by {written(slow, 0)} points in the end; with K 40 by {written(fast, 0)}, by Glicko by "
        f"{written(glicko, 0)}."
    ) in said


@pytest.mark.slow
def test_d05_longer_periods_forecast_worse_and_a_year_is_too_long_for_elo(d05):
    for system in ("elo, K k=20", "elo, K k=40", "glicko"):
        errors, excess = over_periods(d05, system)
        assert excess == sorted(excess)
        assert excess[1] - excess[0] < 0.003, "a week costs next to nothing"
        assert excess[4] > 2 * excess[0]
        if system != "glicko":
            assert errors[4] > 2 * errors[0]
    year = d05.runs["elo, K k=40, a year"]["truth"]["errors"][0]
    assert year["slope_low"] > 1.5
    assert d05.runs["glicko, a year"]["truth"]["errors"][0]["shifted_high"] < 70


def test_d05_quotes_when_summing_overshoots():
    games = 2 * 200 * 200 / 300 / 3
    assert f"{games:.0f} games a year" in header("d05-period")
    assert f"K n = 8 s = {8 * S:.0f}" in header("d05-period")
    assert 20 * games > 8 * S > 20 * games / 4


@pytest.fixture(scope="module")
def d06(run):
    return run("d06-inflation")


SYSTEMS = ("elo, K 20", "elo, K 40, 20, 10", "floor 1000, K 20", "floor 1000, K 40, 20, 10")


def made(runs: Runs, label: str) -> float:
    """Points a player that games have made."""
    row = runs.last(label, "ledger")
    return (row["newcomers"] + row["others"]) / row["players"]


@pytest.mark.slow
def test_d06_says_by_how_much_ratings_deflate_and_why(d06):
    juniors = [f"{system}, juniors" for system in SYSTEMS]
    bias = [-d06.last(label, "errors")["bias"] for label in juniors]
    games = [made(d06, label) for label in juniors[1:]]
    equal = d06.truth(juniors[0], "worth").filter(rating=2000.0).sort("day")
    still = [d06.last(f"{system}, nobody learns", "errors")["bias"] for system in SYSTEMS]
    said = header("d06-inflation")
    assert (
        "with K 20 for all, who lose to each other what they win, ratings stand {:.0f} points below skills after ten "
        "years, {:.0f} a year; with K 40 below 1400, 20, and 10 from 2000 on {:.0f}, with a floor of 1000 {:.0f}, with "
        "both {:.0f}"
    ).format(bias[0], bias[0] / YEARS, *bias[1:]) in said
    assert "In the last three, games make {:.0f}, {:.0f} and {:.0f} points a player".format(*games) in said
    assert f"A 2000 of the tenth year is worth {equal['skill'][-1]:.0f} of the first" in said
    assert "ratings stand {:+.1f}, {:+.1f}, {:+.1f} and {:+.1f} points from skills".format(*still) in said


@pytest.mark.slow
def test_d06_equal_k_makes_no_point_and_juniors_deflate(d06):
    for world in ("juniors", "nobody learns"):
        ledger = d06.truth(f"elo, K 20, {world}", "ledger")
        assert (ledger["newcomers"] + ledger["others"]).abs().to_numpy().max() < 1e-6 * ledger["points"][0]
        for system in SYSTEMS[1:]:
            assert made(d06, f"{system}, {world}") > 1
    ends = [d06.last(f"{system}, juniors", "errors") for system in SYSTEMS]
    assert ends[0]["bias_high"] < -200
    for less, more in ((0, 2), (2, 3), (1, 3)):
        assert ends[less]["bias_high"] < ends[more]["bias_low"]
    assert ends[0]["bias"] < ends[1]["bias"]
    assert ends[3]["bias_high"] < -100
    worth = d06.truth("elo, K 20, juniors", "worth").filter(rating=2000.0).sort("day")
    assert abs(worth.filter(pl.col("players") > 20)["skill"][0] - 2000) < 25
    assert worth["skill_low"][-1] > 2050


@pytest.mark.slow
def test_d06_ratings_keep_their_worth_where_nobody_learns(d06):
    equal, *others = (d06.last(f"{system}, nobody learns", "errors") for system in SYSTEMS)
    assert equal["bias_low"] < 0 < equal["bias_high"] or abs(equal["bias"]) < 2
    for each in others:
        assert each["bias_low"] > 0
        assert each["bias_high"] < 15


@pytest.fixture(scope="module")
def d17(run):
    return run("d17-percentiles")


def below(runs: Runs, start: int, rating: int, column: str = "below") -> dict[str, float]:
    worth = runs.truth(f"elo start={start}", "worth")
    last = worth.filter(pl.col("day") == worth["day"].to_numpy().max(), rating=float(rating))
    row = last.row(0, named=True)
    return {end: 100 * (row[f"{column}{end}"] or 0) for end in ("", "_low", "_high")}


@pytest.mark.slow
def test_d17_says_what_share_lies_below(d17):
    said = header("d17-percentiles")
    thousand = [below(d17, start, 1000)[""] for start in (1000, 1200, 1500)]
    assert (
        "below 1000 stand {:.0f} % of a pool that began at 1000, {:.0f} % of one that began at 1200, and {:.0f} % of "
        "one that began at 1500"
    ).format(*thousand) in said
    true = [below(d17, 1500, rating, "weaker")[""] for rating in (1500, 2000)]
    own = [below(d17, 1500, rating)[""] for rating in (1500, 2000)]
    assert (
        f"And below 1500 {true[0]:.0f} % by skill, as on FIDE's list, and {own[0]:.0f} % in the pool that began at "
        f"1500; below 2000 {true[1]:.0f} and {own[1]:.0f} %"
    ) in said
    percentiles = pl.read_parquet(d17.folder / "tables" / "percentiles.parquet")
    astray = percentiles.filter(panel="astray, without sign", line="elo start=1500")
    assert f"stand {astray['y'].min():.0f} to {astray['y'].max():.0f} percentiles from their place" in said
    lower, upper = (astray.filter(half)["y"].mean() for half in (pl.col("x") < 50, pl.col("x") > 50))
    assert lower > upper + 1


@pytest.mark.slow
def test_d17_a_number_has_its_place_in_its_pool_alone(d17):
    assert below(d17, 1500, 2000)["_low"] > below(d17, 1500, 2000, "weaker")["_high"] + 5
    assert 45 < below(d17, 1000, 1000)["_low"] < below(d17, 1000, 1000)["_high"] < 65
    assert 10 < below(d17, 1200, 1000)["_low"] < below(d17, 1200, 1000)["_high"] < 25
    assert below(d17, 1500, 1000)[""] < 0.5
    for rating in range(700, 1700, 100):  # the same list, moved
        assert below(d17, 1000, rating)[""] == pytest.approx(below(d17, 1500, rating + 500)[""], abs=0.2)
