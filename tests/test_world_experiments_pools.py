"""Experiments over worlds with pools, performances and foul play: what their headers claim."""

import json
import re
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from articles import ARTICLES, header, runner

import ratesim as rs
from ratesim.analysis.truth import averaged
from ratesim.experiment import read
from ratesim.replaying.snapshots import snapshots


def dotted(number: float, digits: int) -> str:
    """A number without the zero before its point."""
    return f"{number:.{digits}f}".replace("0.", ".", 1)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    done = runner(tmp_path_factory)

    def run(name: str) -> tuple[Path, dict[str, dict]]:
        runs = json.loads((done(name) / "summary.json").read_text())["runs"]
        return done(name), {each["label"]: each for each in runs}

    return run


def in_both(folder: Path, run: dict, pool: str, other: str) -> tuple[np.ndarray, np.ndarray]:
    """The ratings in two pools of those who have played 20 games in each."""
    ratings = pl.read_parquet(folder / f"ratings/{run['id']}.parquet").filter(pl.col("games") >= 20)
    both = ratings.filter(pool=pool).join(ratings.filter(pool=other), on="player")
    return both["rating"].to_numpy(), both["rating_right"].to_numpy()


@pytest.mark.slow
def test_d11_a_number_means_something_in_its_own_pool_only(run):
    folder, runs = run("d11-pools")
    said, caption = header("d11-pools"), json.loads((folder / "tables" / "pool_map.json").read_text())["caption"]
    for system in ("Glicko", "Elo"):
        fide, other = in_both(folder, runs[system], "FIDE", "Chess.com")
        more, low, high = re.search(
            rf"by {system} they stand \+(\d+) points \(\+(\d+) to \+(\d+)\) in Chess.com beside FIDE", caption
        ).groups()
        assert f"{(other - fide).mean():.0f}" == more
        assert f"{low} to {high}" in said
        assert f"{more} points higher on Chess.com" in said or f"and {more} by Elo" in said
        assert int(low) > 150  # the same players, who play alike in both
    fide, other = in_both(folder, runs["Glicko"], "FIDE", "Chess.com")
    assert f"The same {len(fide):,} players" in said
    there, back, r = np.polyfit(fide, other, 1)[0], np.polyfit(other, fide, 1)[0], np.corrcoef(fide, other)[0, 1]
    assert f"100 points more on FIDE's list are {100 * there:.0f} more on Chess.com" in said
    assert f"100 more on Chess.com are {100 * back:.0f} more on FIDE's list" in said
    assert f"correlate at {dotted(r, 2)}" in said
    assert max(there, back) < 0.97
    ratings = pl.read_parquet(folder / f"ratings/{runs['Elo']['id']}.parquet")
    assert ratings.group_by("pool").agg(pl.col("rating").mean())["rating"].to_numpy() == pytest.approx([1500] * 3)


def excess(runs: dict[str, dict], label: str) -> dict[str, float]:
    return runs[label]["excess"]["log_loss"]


@pytest.mark.slow
def test_d15_one_list_wins_while_strengths_agree_and_games_are_few(run):
    _, runs = run("d15-three-lists")
    said = header("d15-three-lists")
    worlds = ("spread 0", "spread 100", "spread 100, four times the games", "spread 200")
    kinds = ("one list", "three lists")
    lost = {
        system: [[excess(runs, f"{system}, {lists}, {world}") for lists in kinds] for world in worlds]
        for system in ("Glicko", "Elo")
    }
    for rows in lost.values():
        for one, three in rows:
            assert dotted(one["difference"], 4) in said
            assert dotted(three["difference"], 4) in said
    same, alike, later, apart = lost["Glicko"]
    assert same[0]["high"] < same[1]["low"]
    assert alike[0]["difference"] < alike[1]["difference"]
    assert later[0]["low"] > later[1]["high"]
    assert apart[0]["low"] > apart[1]["high"]
    same, alike, later, apart = lost["Elo"]
    assert same[0]["high"] < same[1]["low"]
    assert alike[0]["high"] < alike[1]["low"]
    assert abs(later[0]["difference"] - later[1]["difference"]) < 0.005
    assert abs(apart[0]["difference"] - apart[1]["difference"]) < 0.015


def line(folder: Path, world: str, system: str) -> tuple[np.ndarray, np.ndarray]:
    """Games played, and how wrong ratings are then."""
    table = pl.read_parquet(folder / "tables" / f"convergence-{world.replace(' ', '-')}.parquet")
    here = table.filter(system=system).sort("games")
    return here["games"].to_numpy(), here["rmse"].to_numpy()


def games_by_moves(folder: Path, world: str, moves: str, error: float) -> float:
    """After how many games ratings by moves are as wrong, between readings by logarithm, beyond them by theory."""
    games, errors = line(folder, world, moves)
    if error < errors[-1]:
        return (1 / error**2 - 1 / 200**2) * scatter({"moves, noise 600": 600}[moves])
    return float(np.exp(np.interp(-np.log(error), -np.log(errors), np.log(games))))


def scatter(noise: float) -> float:
    """Variance of a reading about the skill: the performance's, Gumbel's, and its own."""
    return np.pi**2 / 6 * (400 / np.log(10)) ** 2 + noise**2


@pytest.mark.slow
def test_d16_what_a_reading_is_worth(run):
    folder, _ = run("d16-moves")
    said, worth, wrong, exact = header("d16-moves"), {}, [], []
    for world in ("decisive", "half drawn"):
        games, errors = line(folder, world, "results, Glicko")
        k = int(np.argmin(np.abs(games - 33)))
        wrong.append(errors[k])
        for moves in ("no noise", "noise 300", "noise 600"):
            needed = games_by_moves(folder, world, f"moves, {moves}", errors[k])
            worth[world, moves] = games[k] / needed
            exact += [needed] if moves == "no noise" else []
    kinds = ("no noise", "noise 300", "noise 600")
    one, two = ([worth[world, moves] for moves in kinds] for world in ("decisive", "half drawn"))
    assert f"worth {one[0]:.1f} decisive games, and {two[0]:.1f} where equals draw every second game" in said
    assert "wrong by {:.0f} and {:.0f} points, as by moves after {:.1f} and {:.1f}.".format(*wrong, *exact) in said
    assert f"worth {one[1]:.1f} and {two[1]:.1f} results, and with one" in said
    assert (
        f"with one of 600 points {one[2]:.1f} and, by the theory that its curve follows to its end, {two[2]:.1f}:"
        in said
    )
    games, errors = line(folder, "decisive", "results, Elo K 20")
    slow = games_by_moves(folder, "decisive", "moves, no noise", errors[int(np.argmin(np.abs(games - 33)))])
    assert f"worth {slow:.1f} exact readings" in said
    assert 3.4 < one[0] < 4.8
    assert 2.2 < two[0] < 3.2
    assert 1.2 < one[1] < 1.8
    for noise, moves, prior in ((0, "no noise", 1.25), (300, "noise 300", 3.5), (600, "noise 600", 10.25)):
        games, errors = line(folder, "decisive", f"moves, {moves}")
        assert prior == pytest.approx(scatter(noise) / 200**2, abs=0.02)
        paper = 1 / np.sqrt(1 / 200**2 + games / scatter(noise))
        late = (games > 10) & (games < 100)
        assert errors[late] == pytest.approx(paper[late], rel=0.05)


def foul(folder: Path, run: dict) -> pl.DataFrame:
    """What farmers have gained by each day that is read, over replicates."""
    (path,) = (folder / "truth").glob(f"{run['id']}-*/foul.parquet")
    return averaged("foul", pl.read_parquet(path))


@pytest.mark.slow
def test_farming_gains_nothing_where_volatility_has_a_cap(run):
    folder, runs = run("farming")
    said, ends, soon, lacked = header("farming"), [], [], []
    for each in runs.values():
        gained = foul(folder, each)
        during = gained.filter(pl.col("day").is_between(20, 80))  # they stop on day 80
        after, late = (gained.row(by_predicate=pl.col("day") == day, named=True) for day in (91, 120))
        ends.append(late["ahead"])
        soon.append(-after["ahead"])
        lacked.append(-during["ahead"].mean())
        assert during["ahead_high"].max() < -150  # who throws games stands too low while at it
        assert late["ahead_low"] < 5  # and no higher than is due in the end
        assert late["ahead_high"] < 40
    assert f"stand {min(lacked):.0f} to {max(lacked):.0f} points too low meanwhile" in said
    assert "{:.0f}, {:.0f}, {:.0f}, {:.0f} and {:.0f} points".format(*ends).replace("-", "−") in said
    assert "they lack {:.0f}, {:.0f} and {:.0f} points by Glicko-2, and {:.0f} by Glicko.".format(*soon) in said
    assert soon[2] < soon[1] < soon[0] < soon[3]


@pytest.mark.slow
def test_farming_without_a_cap_breaks_the_list():
    league = read(ARTICLES / "farming.toml").sources[0].world
    games = league.simulate(1, 3)
    errors = []
    for cap in (0.3, 10.0):
        system = rs.Glicko2(per=1, tau=1.2, volatility_cap=cap)
        (last,) = snapshots(rs.replay(system, games, calendar=rs.Every(days=1)), [119.0])
        errors.append(np.nanmax(np.abs(last.rating - last.skill)))
    assert errors[0] < 500
    assert errors[1] > 10_000
