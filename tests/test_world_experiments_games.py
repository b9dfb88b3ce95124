"""Experiments about what single games are worth: what their headers say comes out, and would with another seed."""

import json
import math
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from articles import ARTICLES, header, runner, table

import ratesim as rs
from ratesim.experiment import read

S = 400 / math.log(10)


def expected(gap):
    """The logistic curve."""
    return 1 / (1 + np.exp(-np.asarray(gap) / S))


def share(value: float, digits: int) -> str:
    """A number under one as headers write it."""
    return f"{value:.{digits}f}".removeprefix("0")


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return runner(tmp_path_factory)


def test_d08_quotes_what_four_games_are_worth():
    foes, change = (1300, 1500, 1700, 1900), rs.calculator.elo.change
    uneven, even = (
        [(foe, score) for foe, score in zip(some, (1, 1, 1, 0), strict=True)] for some in (foes, [1600] * 4)
    )
    short, exact = (change(1700, uneven, 20, average=average).change for average in (True, False))
    assert f"gains {short:.1f} points with K 20 so, and {exact:.1f} game by game;" in header("d08-average")
    same = {f"{change(1700, even, 20, average=average).change:.1f}" for average in (True, False)}
    assert same == {f"{short:.1f}"}
    assert f"against four of 1600 it is {same.pop()} either way" in header("d08-average")


@pytest.mark.slow
def test_d08_its_header(run):
    folder = run("d08-average")
    frame = table(folder, "bands").filter(system="average opponent")
    weak, strong = (frame.filter(pl.col("from") == begin)["more"].item() for begin in (1000, 2000))
    summary = json.loads((folder / "summary.json").read_text())
    slope = {each["label"]: each["truth"]["errors"][0]["slope"] for each in summary["runs"]}
    (pair,) = summary["paired"]
    labels = {each["id"]: each["label"] for each in summary["runs"]}
    assert labels[pair["run"]] == "average opponent"
    assert 0 < pair["low"] < pair["difference"]
    assert (
        f"it rates players of 2000 to 2100 lower by {-strong:.0f} points than game by game does and those of 1000 to "
        f"1100 higher by {weak:.0f}, spreads ratings {share(slope['average opponent'], 2)} times as wide as skills "
        f"({slope['game by game']:.2f} game by game), and forecasts worse by {share(pair['difference'], 4)} of log "
        "loss a game."
    ) in header("d08-average")
    assert frame.sort("from").filter(pl.col("from").is_between(1000, 1900))["more"].is_sorted(descending=True)
    assert slope["average opponent"] == pytest.approx(at_rest(7), abs=0.04)


def at_rest(games: int) -> float:
    """Spread of ratings to that of skills where what is asked against a mean of so many is what is scored."""
    random = np.random.default_rng(1)
    skill = np.sort(random.normal(0, 250, 1000))
    scored = expected(skill[:, None] - skill[None, :]).mean(axis=1)
    rating = skill.copy()
    for _ in range(15):
        means = random.choice(rating, (1500, games)).mean(axis=1)
        asked = expected(rating[:, None] - means[None, :]).mean(axis=1)
        rating += 0.7 * S * (scored - asked) / (asked * (1 - asked))
    return float(np.polyfit(skill, rating, 1)[0])


def test_d08_quotes_theory():
    assert f"spread {share(at_rest(7), 2)} times as wide as skills, at some seven games a month" in header(
        "d08-average"
    )
    world = read(ARTICLES / "d08-average.toml").sources[0].world
    assert 2 * world.rounds * (world.players // 2) / world.players / 36 == pytest.approx(7, abs=0.5)


K20, K40, CAPPED, GLICKO, GLICKO2 = "Elo, K k=20", "Elo, K k=40", "Elo, cap 400, K k=20", "Glicko", "Glicko-2"


@pytest.fixture(scope="module")
def d14(run):
    return run("d14-upsets")


def at(folder: Path, panel: str, begin: float, digits: int = 1) -> dict[str, str]:
    """What one game is worth in a band, by system, without sign."""
    frame = table(folder, "upsets").filter(pl.col("from") == begin, panel=panel)
    return {row["line"]: f"{abs(row['y']):.{digits}f}" for row in frame.rows(named=True)}


@pytest.mark.slow
def test_d14_its_header(d14):
    strong, weak, every, lost = (
        at(d14, *where) for where in (("wins", 300), ("wins", -400), ("all games", 300), ("losses", -400))
    )
    systems = (K20, K40, GLICKO, GLICKO2)
    w, v, e, x = ([each[system] for system in systems] for each in (strong, weak, every, lost))
    assert (
        f"A win over somebody 300 to 400 points stronger gains {w[0]} points with K 20, {w[1]} with K 40, {w[2]} by "
        f"Glicko and {w[3]} by Glicko-2, a win over somebody as much weaker {v[0]}, {v[1]}, {v[2]} and {v[3]}, but "
        f"upsets are as rare as they are dear: all games against the stronger together gain {e[0]}, {e[1]}, "
        f"{e[2]} and {e[3]} points each."
    ) in header("d14-upsets")
    assert f"What the stronger loses by it is as much: {x[0]}, {x[1]}, {x[2]} and {x[3]} points." in header(
        "d14-upsets"
    )
    far, far_all = (at(d14, panel, -900) for panel in ("wins", "all games"))
    assert (
        f"a win over somebody 800 to 900 points weaker still gains {far[CAPPED]} points, where Elo without it has "
        f"{far[K20]}: that is more than upsets cost, and all games against them gain {far_all[CAPPED]} points each by "
        "it."
    ) in header("d14-upsets")


@pytest.mark.slow
def test_d14_elo_pays_what_its_formula_says(d14):
    frame = table(d14, "upsets")
    for label, k, cap in ((K20, 20, math.inf), (K40, 40, math.inf), (CAPPED, 20, 400)):
        for panel, score in (("wins", 1.0), ("draws", 0.5), ("losses", 0.0)):
            for row in frame.filter(panel=panel, line=label).rows(named=True):
                if -400 <= row["from"] < 400:  # a band holds few beyond, and the curve bends within it
                    due = k * (score - expected(np.clip(-row["x"], -cap, cap)))
                    assert row["y"] == pytest.approx(due, abs=0.006 * k)
    seen = f"with K 20 in this band K (1 - E) is {at(d14, 'wins', 300)[K20]}"
    assert seen in header("d14-upsets")


@pytest.mark.slow
def test_d14_upsets_are_as_rare_as_dear(d14):
    every = table(d14, "upsets").filter(pl.col("from").is_between(-500, 400), panel="all games")
    won = table(d14, "upsets").filter(pl.col("from") == 300, panel="wins")
    for label in (K20, GLICKO, GLICKO2):
        assert every.filter(line=label)["y"].abs().max() < 0.05 * won.filter(line=label)["y"].item()
    capped = table(d14, "upsets").filter(pl.col("from") == -900, panel="all games", line=CAPPED)
    assert capped["low"].item() > 1
