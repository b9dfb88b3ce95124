"""The articles' differences: every number in a header comes out when its experiment is run."""

import datetime as dt
import json
import math
import re
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from articles import ARTICLES, header, runner, table

import ratesim as rs
from ratesim.experiment import read

S = 400 / math.log(10)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return runner(tmp_path_factory)


def ratings(folder: Path) -> dict[str, np.ndarray]:
    runs = json.loads((folder / "summary.json").read_text())["runs"]
    return {
        each["label"]: pl.read_parquet(folder / f"ratings/{each['id']}.parquet")["rating"].to_numpy() for each in runs
    }


def log_loss(folder: Path) -> dict[str, float]:
    runs = json.loads((folder / "summary.json").read_text())["runs"]
    return {each["label"]: each["metrics"]["log_loss"]["mean"] for each in runs}


def test_every_article_needs_nothing_but_its_file():
    paths = sorted(ARTICLES.glob("*.toml"))
    assert {f"d{n:02}" for n in range(1, 18)} == {path.stem[:3] for path in paths} - {"cov", "far"}
    for path in paths:
        experiment = read(path)
        what = experiment.header.title.partition(": ")[0]
        numbered = re.match(r"d\d\d-", path.stem)
        assert what == f"D{int(path.stem[1:3])}" if numbered else path.stem in what.lower().split()
        assert header(path.stem).startswith(f" {what}: ")
        assert f"ratesim run experiments/articles/{path.name}" in header(path.stem)
        answer, main = experiment.header.answer, experiment.figures.main
        assert main
        assert re.search(r"\d", answer)
        assert re.fullmatch(r"[^.!?].*[.]", answer)
        assert not re.search(r"[a-z)][.!?] [A-Z]", answer)  # one sentence
        assert all(source.world is not None for source in experiment.sources)
        starts = {str(start) for source in experiment.sources for start in source.start or ()}
        assert starts <= {"skills"}


@pytest.mark.slow
def test_d01_the_table_and_the_curves(run):
    folder = run("d01-curves")
    curves = {name: part for (name,), part in table(folder, "curves").group_by("curve", maintain_order=True)}
    fide, logistic = curves["FIDE table 8.1.2"], curves["logistic, scale 400"]["expected"]
    most = int(fide["more"].arg_max())
    skill = read(ARTICLES / "d01-curves.toml").sources[0].world.simulate(1).players["skill"].to_numpy()
    strongest = np.argsort(-skill)[:10]
    rated = ratings(folder)
    elo, table_, normal = (rated[name] for name in ("elo curve=logistic", "fide forecast=table", "elo curve=normal"))
    assert np.array_equal(table_, rated["fide forecast=logistic"])
    (apart, lower), (apart_normal, lower_normal) = (
        (np.abs(each - elo).mean(), (elo - each)[strongest].mean()) for each in (table_, normal)
    )
    assert (
        f"FIDE's table expects up to {100 * fide['more'][most]:.1f} hundredths of a point more of the favourite than "
        f"the logistic curve (at a gap of {fide['gap'][most]}; {fide['expected'][400]:.3f} against {logistic[400]:.3f} "
        "at 400), and after ten years and 400 games each it rates the same players "
        f"{apart:.1f} points apart from the logistic formula on average, the ten strongest {lower:.0f} points lower; "
        f"it is the normal curve that it stands for ({apart_normal:.1f} and {lower_normal:.0f})."
    ).replace("0.9", ".9") in header("d01-curves")


@pytest.mark.slow
def test_d02_who_gains_by_the_cap(run):
    frame = table(folder := run("d02-cap"), "bands")
    rated = ratings(folder)

    def more(system, begin):
        return frame.filter(pl.col("from") == begin, system=system)["more"].item()

    capped, exempt = "cap 400", "cap 400, exempt from 2650"
    loss, left = -more(capped, 1200), more(exempt, 1200) - more(capped, 1200)
    everybody = [(rated["no cap"] - rated[each]).mean() for each in (capped, exempt)]
    assert left == 0
    assert (
        f"players of 2700 to 2800 are rated {more(capped, 2700):.0f} points higher with the cap than without, those "
        f"of 1200 to 1300 rated {loss:.0f} lower. The exemption leaves the former {more(exempt, 2700):.0f} of their "
        "points and gives the latter nothing back: all players together lose {:.1f} points by the cap, {:.1f} with it."
    ).format(*everybody) in header("d02-cap")
    stream = json.loads((folder / "summary.json").read_text())["stream"]
    assert 2 * stream["games"] / stream["players"] == 100


def test_d02_quotes_what_a_win_against_a_weaker_opponent_is_worth():
    def gain(system):
        games = rs.GameStream.of(first=["A"], second=["B"], score=[1], time=[0])
        start = {"A": {"rating": 1500}, "B": {"rating": 1000}}
        run = rs.replay(system, games, policy=rs.Constant(20), start=start, calendar=rs.Months())
        return run.ratings()["rating"][0] - 1500

    logistic = [20 * (1 - 1 / (1 + 10 ** (-gap / 400))) for gap in (500, 400)]
    assert gain(rs.Elo()) == pytest.approx(logistic[0], rel=1e-12)
    assert gain(rs.FideElo(cap=400, floor="none")) == round(20 * (1 - 0.92)) == 2
    said = header("d02-cap")
    assert (
        "gains {:.1f} points with K 20 by the logistic formula, and {:.1f} if the difference".format(*logistic) in said
    )
    assert f"({20 * (1 - 0.92):.1f} by FIDE's table)" in said
    share = [f"{1 / (1 + 10 ** (-gap / 400)):.3f}"[1:] for gap in (400, 500)]
    assert "by it {} is scored at 400 points and {} at 500, where the cap expects .92".format(*share) in said
    games = read(ARTICLES / "d02-cap.toml").sources[0].world.simulate(1)
    assert round((np.abs(games.skill_first - games.skill_second) > 400).mean(), 1) == 0.4


def spread(k: float) -> float:
    """Standard deviation of ratings of equals who meet at random, to second order (Zanco et al. 2024)."""
    return math.sqrt(k * S / 2 / (1 - k / (4 * S)))


@pytest.mark.parametrize(("k", "games"), [(10, 159.0), (20, 79.5), (40, 39.7)])
def test_d03_quotes_theory_that_replays_keep(k, games):
    """A hundred players begin 400 points off, among 1,900 who are rated rightly, in each of four worlds."""
    world = rs.League(players=2000, rounds=200, skills={"kind": "normal", "sd": 0}).simulate(1, replicates=4)
    names = world.players["player"].to_list()
    off = {name: 400 if n % 2 else -400 for n, name in enumerate(names) if n % 2000 < 100}
    start = {name: {"rating": 1500 + gap} for name, gap in off.items()}
    run = rs.replay(rs.Elo(), world, policy=rs.Constant(k), start=start)
    read = run.history(np.linspace(0, world.time[-1], 201)).with_columns(pl.col("rating") - 1500)
    newcomers = read.join(pl.DataFrame({"player": list(off), "off": list(off.values())}), on="player")
    gap = newcomers.unique(["player", "games"]).group_by("games").agg((pl.col("rating") * pl.col("off") / 400).mean())
    assert gap.sort("games").filter(pl.col("rating") < 50)["games"][0] == pytest.approx(games, rel=0.1)
    late = read.filter(~pl.col("player").is_in(list(off)), pl.col("games") > 150)["rating"]
    assert late.std() == pytest.approx(spread(k), rel=0.04)
    assert round((4 * S / k) * math.log(math.sinh(200 / S) / math.sinh(25 / S)), 1) == games
    assert re.search(rf"from 400 points off to 50, [a-z ]+ rated[ .\d]* {games}\b", header("d03-k"))


def test_d03_quotes_the_spread_of_a_chain():
    """Against a rightly rated opponent as strong, x = rating - skill steps by K/2 up or down: detailed balance."""
    exact = []
    for k in (10, 20, 40):
        x = np.arange(-160, 161) * k / 2
        balance = np.log1p(np.exp(-(x[1:]) / S)) - np.log1p(np.exp(x[:-1] / S))
        height = np.cumsum(np.append(0, balance))
        weight = np.exp(height - height.max())
        exact.append(math.sqrt((weight * x * x).sum() / weight.sum()))
    assert "matched opponents, exact {:.1f} {:.1f} {:.1f}".format(*exact) in header("d03-k")


@pytest.mark.slow
def test_d04_many_games_in_a_month(run):
    months = table(run("d04-700"), "monthly")
    frame = months.filter(pl.col("from") == 45)
    assert frame["n"].min() > 200

    def row(k, rule):
        return frame.row(by_predicate=pl.col("system") == f"FIDE, K {k}, {rule}", named=True)

    (slow, fast), (free, wild) = ([row(k, rule) for k in (20, 40)] for rule in ("700 rule", "no limit"))
    said = header("d04-700")
    assert slow["change"] == pytest.approx(fast["change"], rel=0.01)  # 700 / n is below 20 from 36 games on
    assert (
        f"In months of 45 to 63 games a rating moves by {slow['change']:.0f} points (root mean square) under the "
        f"rule with K 20, by {fast['change']:.0f} with K 40, for the rule leaves both the same K then, and is wrong by "
        f"{slow['error']:.0f} and {fast['error']:.0f} after them. Without it, a rating moves by {free['change']:.0f} "
        f"points with K 20 and by {wild['change']:.0f} with K 40, and is wrong by {free['error']:.0f} and "
        f"{wild['error']:.0f}:"
    ) in said
    rising = months.filter(pl.col("from") >= 11, system="FIDE, K 40, no limit")["error"]
    assert rising.to_list() == sorted(rising)


@pytest.mark.parametrize(("k", "games", "limited"), [(40, 20, 35), (20, 40, 17), (40, 17, 40), (20, 35, 20)])
def test_d04_quotes_k_of_many_games(k, games, limited):
    """A player wins every game of a month against equals: half a point more than expected, each."""
    names = [f"P{n}" for n in range(games)]
    stream = rs.GameStream.of(first=["A"] * games, second=names, score=[1] * games, time=[0] * games)
    start = {name: {"rating": 1500} for name in ("A", *names)}
    policy = rs.Fide(assume=True, most=k)
    won = rs.replay(rs.FideElo(), stream, policy=policy, start=start).ratings()["rating"][0] - 1500
    assert won == math.floor(limited * games / 2 + 0.5)
    free = rs.replay(rs.FideElo(), stream, policy=policy.model_copy(update={"limit": 1e6}), start=start)
    assert free.ratings()["rating"][0] - 1500 == k * games / 2
    if limited < k:
        assert re.search(rf"K {k} becomes {limited} with {games}( games|\.)", header("d04-700"))


def test_d04_quotes_why_700():
    said = header("d04-700")
    assert f"With K n = 700 that is {700 / (4 * S):.2f} of it" in said
    assert f"with K n = {8 * S:.0f} it comes back as large on the other side" in said
    assert f"K 40 and 60 games make it {40 * 60 / (4 * S) - 1:.1f} times as large" in said


def test_d05_quotes_what_two_games_are_worth():
    gains = []
    for times in ([0, 0], [0, 1]):
        games = rs.GameStream.of(first=["A", "A"], second=["B", "C"], score=[1, 0.5], time=times)
        start = {"A": {"rating": 1750}, "B": {"rating": 1810}, "C": {"rating": 1810}}
        gains.append(rs.replay(rs.Elo(), games, policy=rs.Constant(20), start=start).ratings()["rating"][0] - 1750)
    expected = 1 / (1 + 10 ** (60 / 400))
    assert gains[0] == pytest.approx(20 * (1.5 - 2 * expected), rel=1e-12)
    assert "gains {:.1f} points with K 20 if both games are rated together, and {:.1f} one after".format(
        *gains
    ) in header("d05-period")


@pytest.mark.slow
def test_d12_first_ratings(run):
    frame = table(folder := run("d12-initial"), "initial")
    caption = json.loads((folder / "tables" / "initial.json").read_text())["caption"]
    whole = r"By rules of {} ([\d,]+) got one, ([+-]\d+) points from their skill on average and (\d+) in the root"
    (old, low, wrong), (new, high, less) = (re.search(whole.format(year), caption).groups() for year in (2022, 2024))

    def error(year, begin):
        return abs(frame.filter(pl.col("from") == begin, system=f"rules of {year}")["error"].item())

    strong, weak = ([error(year, begin) for year in (2022, 2024)] for begin in (2100, 1300))
    assert (
        f"Of 1,000 newcomers, {old} and {new} get a rating in three years, {low.strip('-')} points too low on average "
        f"by the rules of 2022 and {high.strip('+')} too high by those of 2024, wrong by {wrong} and {less} (root mean "
        f"square). Those of 2100 to 2200 begin {strong[0]:.0f} and {strong[1]:.0f} points too low, those of 1300 to "
        f"1400 begin {weak[0]:.0f} and {weak[1]:.0f} too high:"
    ) in header("d12-initial")
    assert frame["n"].sum() <= 2000


def first(rules: str, scores: list[float], days: list[float]) -> float:
    """The first rating of one who scores so against 1500, 1600, ... 1900, NaN where there is none."""
    foes = [f"P{1500 + 100 * n}" for n in range(len(scores))]
    games = rs.GameStream.of(
        first=["A"] * len(scores), second=foes, score=scores, time=days, event=[f"E{day // 31}" for day in days]
    )
    start = {name: {"rating": int(name[1:])} for name in foes}
    system = rs.FideElo(rules=dt.date.fromisoformat(rules))
    return rs.replay(system, games, policy=rs.Fide(assume=True), start=start).ratings()["rating"][0]


TWO, HALF, TOGETHER = [1, 0, 1, 0, 0], [0.5, 0, 0, 0, 0], [0] * 5


def test_d12_quotes_first_ratings_of_five_games():
    by_2022, by_2024 = (
        [first(day, scores, TOGETHER) for scores in (TWO, HALF)] for day in ("2022-01-01", "2024-03-01")
    )
    assert by_2022 == [1628, 1334]  # published too: the floor was 1000 then
    assert by_2024 == [1679, 1499]
    said = header("d12-initial")
    assert "make {:.0f}, and half a point of 5 makes {:.0f}, below the floor".format(*by_2022) in said
    assert "they make {:.0f} and {:.0f}.".format(*by_2024) in said
    assert first("2022-01-01", [1] * 5, TOGETHER) == 1700 + 100  # five wins


def test_d12_half_a_point_five_games_and_26_months():
    rules = "2024-03-01"
    assert math.isnan(first(rules, [0] * 5, TOGETHER))  # a first event without a point
    assert first(rules, [0, 0, 0, 0, 0.5], TOGETHER) == 1499
    assert math.isnan(first(rules, TWO[:4], TOGETHER[:4]))
    month = 30.436875
    for months, there in ((25, True), (27, False)):
        assert math.isnan(first(rules, TWO, [0, 0, 0, 0, 15 + month * months])) != there
