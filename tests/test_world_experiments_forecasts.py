"""Experiments about forecasts and deviations: what their headers say comes out, and would with another seed."""

import json
import math
import re
from pathlib import Path
from statistics import NormalDist

import polars as pl
import pytest
from articles import header, runner, table

from ratesim import theory


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return runner(tmp_path_factory)


def share(value: float, digits: int = 3) -> str:
    """A number under one as headers write it."""
    return f"{value:.{digits}f}".lstrip("0")


S = 400 / math.log(10)
WORLDS = {"no-draws": 0.0, "a-fifth-drawn": 0.5, "half-drawn": 2.0}
SURE, TEN_TO_ONE = 20 / 27, 24 / 27  # where the bins begin


def drawn(expected: float, nu: float) -> float:
    """Davidson's share of draws where so much is expected, his strengths being found by bisection."""
    low, high = -20.0, 20.0  # of z in e^(z/2) : ν : e^(-z/2)
    for _ in range(80):
        z = (low + high) / 2
        x = math.exp(z / 2)
        whole = x + nu + 1 / x
        low, high = (z, high) if (x + nu / 2) / whole < expected else (low, z)
    return nu / whole


@pytest.fixture(scope="module")
def d07(run):
    return run("d07-draws")


def at(folder: Path, world: str, system: str, begin: float) -> dict[str, dict[str, float]]:
    """Shares by result in one bin of forecasts."""
    rows = table(folder, f"shares-{world}").filter(
        pl.col("panel").str.starts_with(system), (pl.col("from") - begin).abs() < 1e-9
    )
    return {row["line"]: row for row in rows.rows(named=True)}


@pytest.mark.slow
def test_d07_its_header(d07):
    sure = [at(d07, world, "Elo", SURE) for world in WORLDS]
    score, win = ([share(f(each)) for each in sure] for f in (scored, lambda each: each["win"]["y"]))
    odds = [each["win"]["y"] / each["loss"]["y"] for each in (at(d07, world, "Elo", TEN_TO_ONE) for world in WORLDS)]
    assert (
        f"first scores {score[0]}, {score[1]} and {score[2]} as no game, every fifth or every second game between "
        f"equals is drawn, but wins {win[0]}, {win[1]} and {win[2]} of the games. Where it expects .91, ten points to "
        f"one, first wins {odds[0]:.0f}, {odds[1]:.0f} and {odds[2]:.0f} times as often as it loses."
    ) in header("d07-draws")


def scored(shares: dict[str, dict[str, float]]) -> float:
    return shares["win"]["y"] + shares["draw"]["y"] / 2


@pytest.mark.slow
@pytest.mark.parametrize("system", ["Elo", "Glicko"])
@pytest.mark.parametrize(("world", "nu"), WORLDS.items())
def test_d07_wins_follow_the_draws_and_scores_the_forecast(d07, world, nu, system):
    for begin in (SURE, TEN_TO_ONE):
        found = at(d07, world, system, begin)
        forecast = found["win"]["x"]
        off = 4 * math.sqrt(0.25 / found["win"]["n"]) + 0.01  # luck at most, and what ratings err by
        assert scored(found) == pytest.approx(forecast, abs=off)
        assert found["win"]["y"] == pytest.approx(forecast - drawn(forecast, nu) / 2, abs=off)
        assert found["draw"]["y"] == pytest.approx(drawn(forecast, nu), abs=off)
    told = table(d07, f"calibration-{world}").filter(pl.col("system").str.starts_with(system))
    assert (told["score"] - told["forecast"]).abs().max() < 0.035


def test_d07_quotes_theory():
    said = header("d07-draws")
    for gap in (200, 400):
        expected = 1 / (1 + 10 ** (-gap / 400))
        draws = [drawn(expected, nu) for nu in WORLDS.values()]
        wins = [expected - each / 2 for each in draws]
        odds = [win / (1 - win - draw) for win, draw in zip(wins, draws, strict=True)]
        shown = " ".join(map(share, wins))
        assert f"wins of {gap} points more, E = {share(expected)} {shown}" in said
        assert "their wins to losses {:.2f} {:.2f} {:.2f}".format(*odds) in said


LOGISTIC, NORMAL, TABLE, GLICKO = "Elo curve=logistic", "Elo curve=normal", "FIDE's table", "Glicko"


@pytest.fixture(scope="module")
def d13(run):
    return run("d13-normal")


def apart(folder: Path, truth: str, panel: str) -> dict[str, float]:
    """Means over games between players of 400 points or more apart, by system."""
    frame = table(folder, f"gaps-{truth}-truth").filter(pl.col("from") >= 400, panel=panel)
    mean = (pl.col("y") * pl.col("n")).sum() / pl.col("n").sum()
    rows = frame.group_by("line", maintain_order=True).agg(mean).rows()
    assert [label for label, _ in rows] == [LOGISTIC, NORMAL, TABLE, GLICKO]
    return dict(rows)


def costs(folder: Path, truth: str) -> dict[str, float]:
    """Expected excess log loss over all games, as the caption says it."""
    caption = json.loads((folder / "tables" / f"gaps-{truth}-truth.json").read_text())["caption"]
    said = re.findall(r"(0\.\d+) \([\d. to]+\) by (.*?)(?:, | and |\. )", caption)
    return {label: float(value) for value, label in said}


def next_below(folder: Path, label: str) -> tuple[str, dict[str, float]]:
    """The run that stands right below another, and by how much more it loses."""
    summary = json.loads((folder / "summary.json").read_text())
    labels = {run["id"]: run["label"] for run in summary["runs"]}
    (found,) = (pair for pair in summary["paired"] if labels[pair["against"]] == label)
    return labels[found["run"]], found


@pytest.mark.slow
def test_d13_its_header(d13):
    cost, normal_cost = (costs(d13, truth) for truth in ("logistic", "normal"))
    wrong, normal_wrong = (apart(d13, truth, "too much of the stronger") for truth in ("logistic", "normal"))
    lost, normal_lost = (apart(d13, truth, "what it costs") for truth in ("logistic", "normal"))
    assert share(normal_cost[LOGISTIC], 4) == share(normal_cost[NORMAL], 4)
    short, normal_short = (
        [f"{-found[system]:.1f}".removeprefix("0") for system in (LOGISTIC, NORMAL, TABLE)]
        for found in (wrong, normal_wrong)
    )
    thousandths = [share(found[system] / 1000, 4) for found in (normal_lost, lost) for system in (LOGISTIC, NORMAL)]
    assert (
        f"Elo loses {share(cost[LOGISTIC], 4)} of log loss a game to an oracle with the logistic curve and "
        f"{share(cost[NORMAL], 4)} with the normal one; where it is normal, {share(normal_cost[LOGISTIC], 4)} with "
        f"either, and Glicko with its logistic curve {share(normal_cost[GLICKO], 4)}. From gaps of 400 points on the "
        f"curve shows: where the truth is normal, the stronger scores {normal_short[0]} hundredths of a point more "
        f"than logistic Elo forecasts, {normal_short[1]} more than normal Elo and {normal_short[2]} more than FIDE's "
        f"table, and logistic Elo loses {thousandths[0]} a game where normal Elo loses {thousandths[1]}. Where the "
        f"truth is logistic it is {short[0]}, {short[1]} and {short[2]} hundredths, and {thousandths[2]} against "
        f"{thousandths[3]}."
    ) in header("d13-normal")


@pytest.mark.slow
def test_d13_the_wrong_curve_costs_next_to_nothing_beside_jitter(d13):
    worse, more = next_below(d13, f"{LOGISTIC}, logistic truth")
    assert worse in {f"{NORMAL}, logistic truth", f"{TABLE}, logistic truth"}  # these two lose all but the same
    assert 0 < more["low"] < more["high"] < 0.001
    for truth in ("logistic", "normal"):
        found = costs(d13, truth)
        assert abs(found[NORMAL] - found[LOGISTIC]) < 0.1 * found[LOGISTIC]
        assert found[GLICKO] < 0.6 * min(found[LOGISTIC], found[NORMAL], found[TABLE])
    assert abs(costs(d13, "normal")[NORMAL] - costs(d13, "normal")[LOGISTIC]) < 0.0002


@pytest.mark.slow
def test_d13_far_apart_each_truth_has_its_curve(d13):
    lost = {truth: apart(d13, truth, "what it costs") for truth in ("logistic", "normal")}
    assert lost["logistic"][NORMAL] - lost["logistic"][LOGISTIC] > 0.6
    assert lost["normal"][LOGISTIC] - lost["normal"][NORMAL] > 0.6
    wrong = apart(d13, "normal", "too much of the stronger")
    assert wrong[LOGISTIC] + 0.5 < min(wrong[NORMAL], wrong[TABLE]) < 0
    band = table(d13, "gaps-normal-truth").filter(pl.col("from") == 500, panel="too much of the stronger")
    low, high = ({row["line"].partition(",")[0]: row[end] for row in band.rows(named=True)} for end in ("low", "high"))
    assert high[LOGISTIC] < low[NORMAL]
    assert high[GLICKO] < 0


@pytest.mark.slow
def test_d13_jitter_costs_what_theory_says(d13):
    """To leading order in the error of ratings, which holds up to gaps of 300 points."""
    for truth, system, curve in (("logistic", LOGISTIC, logistic), ("normal", NORMAL, normal)):
        frame = table(d13, f"gaps-{truth}-truth").filter(panel="what it costs", line=system)
        for row in frame.filter(pl.col("from") < 300).rows(named=True):
            assert row["y"] == pytest.approx(1000 * jitter(*curve(row["x"])), rel=0.08)


def logistic(gap: float) -> tuple[float, float]:
    """Expected score and its slope."""
    expected = 1 / (1 + 10 ** (-gap / 400))
    return expected, expected * (1 - expected) / S


def normal(gap: float) -> tuple[float, float]:
    """Expected score and its slope, of performances whose difference has the standard deviation 2000/7."""
    of = NormalDist(0, 2000 / 7)
    return of.cdf(gap), of.pdf(gap)


def jitter(expected: float, slope: float) -> float:
    """Log loss that a difference of ratings costs by being wrong as K 20 makes it."""
    return slope**2 * 20 * S / (2 * expected * (1 - expected))


def test_d13_quotes_theory():
    said = header("d13-normal")
    each, both = math.sqrt(20 * S / 2), math.sqrt(20 * S)
    assert f"sqrt(K s / 2) = {each:.1f} points each" in said
    assert f"D = {both:.1f} and costs" in said
    for name, curve in (("logistic", logistic), ("normal", normal)):
        found = [curve(gap) for gap in (0, 200, 400, 600)]
        assert f"expected, {name} {' '.join(share(expected) for expected, _ in found)}" in said
        assert f"cost, {name} {' '.join(f'{1000 * jitter(*each):.1f}' for each in found)}" in said


PRIORS = ((200, 200), (200, 350), (350, 350), (350, 200))  # spread of skills, deviation of newcomers


@pytest.fixture(scope="module")
def cover(run):
    return run("coverage")


def covered(folder: Path, system: str, skill_sd: int, deviation: int) -> dict[float, dict[str, float]]:
    """The share of skills that intervals hold in the end, in per cent, by what they claim."""
    return points(folder, "at the end", system, skill_sd, deviation)


def spread(folder: Path, system: str, skill_sd: int, deviation: int) -> dict[float, dict[str, float]]:
    """The root mean square of z by games played."""
    return points(folder, "by games played", system, skill_sd, deviation)


def points(folder: Path, panel: str, system: str, skill_sd: int, deviation: int) -> dict[float, dict[str, float]]:
    frame = table(folder, f"coverage-pool-skills.sd-{skill_sd}")
    rows = frame.filter(panel=panel, line=f"{system} deviation={deviation}").rows(named=True)
    return {row["x"]: row for row in rows}


@pytest.mark.slow
def test_coverage_its_header(cover):
    ends = {
        system: [covered(cover, system, *each)[95.0]["y"] for each in PRIORS] for system in ("Glicko", "Glicko-2")
    }  # fmt: skip
    first, last, second = (
        [spread(cover, system, *each)[games]["y"] for each in PRIORS]
        for system, games in (("Glicko", 5.0), ("Glicko", 185.0), ("Glicko-2", 185.0))
    )
    said = header("coverage")
    assert (
        "hold {:.1f} % of the skills if these spread by 200 points and newcomers begin with the deviation 200, and "
        "{:.1f} % if they begin with 350. Of skills that spread by 350 they hold {:.1f} % with the right deviation, "
        "350, and {:.1f} % with 200: "
    ).format(*ends["Glicko"]) in said
    assert f"errors are {last[2]:.2f} and {last[3]:.2f} times what is claimed" in said
    assert "{:.1f} and {:.1f} %, and {:.1f} and {:.1f} %.".format(*ends["Glicko-2"]) in said
    for what, row in (("here, after 5 games", first), ("here, after 185", last), ("Glicko-2, after 185", second)):
        assert f"{what} {' '.join(f'{each:.3f}' for each in row)}" in said


@pytest.mark.slow
@pytest.mark.parametrize("prior", PRIORS)
def test_coverage_of_the_first_period_is_that_of_theory(cover, prior):
    found = spread(cover, "Glicko", *prior)[5.0]
    half = found["high"] - found["y"]
    assert found["y"] == pytest.approx(theory.first_period(*prior, games=5).sd_z, abs=2 * half + 0.005)


@pytest.mark.slow
def test_coverage_holds_of_moderate_skills_alone(cover):
    right, cautious, wide, wrong = (covered(cover, "Glicko", *each)[95.0] for each in PRIORS)
    assert 91 < right["low"] < right["high"] < cautious["high"] < 95.5
    assert 80 < wide["low"] < wide["high"] < 90
    assert 50 < wrong["low"] < wrong["high"] < 70
    for prior in PRIORS[2:]:
        by_games = spread(cover, "Glicko", *prior)
        assert by_games[185.0]["low"] > by_games[5.0]["high"] > 1.1


@pytest.mark.slow
def test_coverage_of_glicko2_grows_for_it_takes_still_skills_to_move(cover):
    for prior in PRIORS[:2]:
        by_games = spread(cover, "Glicko-2", *prior)
        assert by_games[185.0]["high"] < 0.85
        assert covered(cover, "Glicko-2", *prior)[95.0]["low"] > 97
    for prior in PRIORS:
        glicko, glicko2 = (spread(cover, system, *prior)[185.0] for system in ("Glicko", "Glicko-2"))
        assert glicko2["high"] < glicko["low"]


def test_coverage_quotes_theory():
    found = [theory.first_period(*each, games=5).sd_z for each in PRIORS]
    assert "SD of z = error / deviation {:.3f} {:.3f} {:.3f} {:.3f}".format(*found) in header("coverage")
