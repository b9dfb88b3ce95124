"""Bradley and Terry's model: published scores, gradients, an independent solver, pools apart, hindsight."""

import csv
import math
from pathlib import Path

import mpmath
import numpy as np
import pytest
from reference.strengths import Game, S, bradley_terry, half_point, result, slope

import ratesim as rs
from ratesim.systems.base import Games
from ratesim.systems.ties import MODELS

LLM = Path(__file__).parents[2] / "shared" / "data" / "llm"
SCORES = {"left": 1.0, "right": 0.0, "tie": 0.5}
TIES = ("half", "davidson", "rao-kupper")


def games(n: int = 40, players: int = 5) -> list[Game]:
    """Games with draws, edges and weights, everybody against everybody."""
    rng = np.random.default_rng(3)
    pairs = [rng.choice(players, 2, replace=False).tolist() for _ in range(n)]
    return [
        Game(*pair, rng.integers(3) / 2, k // 4 * 7.0, rng.integers(-1, 2), rng.choice([0.5, 1.0, 2.0]))
        for k, pair in enumerate(pairs)
    ]


def stream(played: list[Game]) -> rs.GameStream:
    first, second, score, day, edge, weight = map(np.array, zip(*played, strict=True))
    names = {"first": [f"p{p}" for p in first], "second": [f"p{p}" for p in second]}
    return rs.GameStream.of(**names, score=score, time=day, edge=edge, weight=weight)


def whole(system: rs.BradleyTerry, played: list[Game]) -> rs.Run:
    return rs.replay(system, stream(played), calendar=rs.Whole())


def strengths(run: rs.Run, players: int = 5) -> np.ndarray:
    table = run.ratings().sort("player")
    return (table["rating"].to_numpy() - run.system.rating) / S


@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize("fitted", [False, True])
def test_an_independent_solver_finds_the_same(ties, fitted):
    system = rs.BradleyTerry(ties=ties, virtual_draws=1.5, spread=300, advantage="fitted" if fitted else 0.2 * S)
    run = whole(system, games())
    expected = bradley_terry(games(), 5, ties, draws=1.5, ridge=(S / 300) ** 2, worth=0.2, fitted=fitted)
    assert strengths(run) == pytest.approx(expected[:5], abs=1e-11)
    found = {"advantage": S * expected[5]} if fitted else {}
    found |= (
        {} if ties == "half" else {"davidson": {"nu": np.exp(expected[6])}}.get(ties, {"theta": np.exp(expected[6])})
    )
    assert dict(run.fit().found) == pytest.approx(found, abs=1e-8)


@pytest.mark.parametrize("ties", TIES)
def test_the_gradient_is_zero_at_the_answer(ties):
    run = whole(rs.BradleyTerry(ties=ties), games())
    tie = math.log(next(iter(run.fit().found.values()), 1.0))

    def posterior(x: np.ndarray) -> complex:
        total = sum(half_point(r) for r in x[:5])
        if ties != "half":
            total += sum(result(ties, 0.0, x[5], s) for s in (0.0, 0.5, 1.0)) / 3
        return total + sum(g.weight * result(ties, x[g.first] - x[g.second], x[5], g.score) for g in games())

    gradient = slope(posterior, np.append(strengths(run), tie))
    assert np.abs(gradient).max() < 1e-8


@pytest.mark.parametrize("ties", TIES)
def test_chances_are_those_of_the_model(ties):
    fit = whole(rs.BradleyTerry(ties=ties, advantage=40), games()).fit()
    first, second, edge = np.array([0, 1, 2], np.int32), np.array([3, 4, 0], np.int32), np.array([1.0, 0.0, -1.0])
    rating = fit.columns(0.0)["rating"]
    tie = math.log(next(iter(fit.found.values()), 1.0))
    gaps = (rating[first] - rating[second] + 40 * edge) / S
    chance = np.exp([[result(ties, z, tie, score) for score in (1.0, 0.5, 0.0)] for z in gaps])
    draws = np.zeros(3) if ties == "half" else chance[:, 1]
    assert fit.predict(first, second, edge, 0.0) == pytest.approx(chance[:, 0] + 0.5 * draws, abs=1e-14)
    drawn = fit.draw(first, second, edge, 0.0)
    assert (drawn is None) == (ties == "half")
    if drawn is not None:
        assert drawn == pytest.approx(draws, abs=1e-14)
        assert rs.three_way(fit.predict(first, second, edge, 0.0), drawn).sum(axis=1) == pytest.approx(np.ones(3))


def judgements() -> rs.GameStream:
    with (LLM / "llmfao.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return rs.GameStream.of(
        first=[row["left"] for row in rows], second=[row["right"] for row in rows],
        score=[SCORES[row["winner"]] for row in rows], time=np.zeros(len(rows)),
    )  # fmt: skip


def published(algorithm: str) -> dict[str, float]:
    with (LLM / "llmfao-golden.csv").open(encoding="utf-8") as file:
        return {row["item"]: float(row["score"]) for row in csv.DictReader(file) if row["algorithm"] == algorithm}


@pytest.mark.data
@pytest.mark.skipif(not LLM.exists(), reason="needs ../shared/data/llm")
@pytest.mark.parametrize(("algorithm", "ties"), [("bradley_terry", "half"), ("newman", "davidson")])
def test_published_scores_of_language_models(algorithm, ties):
    """evalica's scores of 8,931 judgements, a tie half a win and half a loss, in its order and to its last digits.

    They are strengths p = 10**(rating / 400), of which data know ratios only: `bradley_terry` of this file has their
    sum at 1 (evalica of today has their geometric mean there), ours have their mean logarithm at 1500. `newman` is
    Davidson's model by another name (Newman, JMLR 24, 2023), its v half of ν, on a scale that its iteration leaves.
    """
    run = rs.replay(rs.BradleyTerry(virtual_draws=0, ties=ties), judgements(), calendar=rs.Whole())
    ours = dict(run.ratings().sort("rating", descending=True).select("player", "rating").rows())
    theirs = published(algorithm)
    assert list(ours) == sorted(theirs, key=lambda name: -theirs[name])
    p = {name: 10 ** (rating / 400) for name, rating in ours.items()}
    scale = sum(p.values()) / sum(theirs.values())
    assert {name: value / scale for name, value in p.items()} == pytest.approx(theirs, rel=1e-12)
    if ties == "half":
        assert sum(theirs.values()) == pytest.approx(1, abs=1e-12)
    else:
        assert run.fit().found["nu"] == pytest.approx(2 * 0.7398537938892268, abs=1e-9)  # evalica 0.4.2, 61 steps


def test_pools_that_never_met_are_not_far_apart():
    """WHR issue 11: undefeated in another pool, forecast at .99."""
    played = [Game(0, 1, 1.0)] * 30 + [Game(2, 3, 1.0)] * 30
    fit = whole(rs.BradleyTerry(), played).fit()
    forecast = fit.predict(np.array([0, 0], np.int32), np.array([2, 3], np.int32), None, 0.0)
    assert forecast[0] == 0.5
    wide = whole(rs.BradleyTerry(virtual_draws=4), played).fit()
    other = wide.predict(np.array([0], np.int32), np.array([3], np.int32), None, 0.0)[0]
    assert 0.5 < other < forecast[1] < 0.99


def test_newcomers_and_players_without_games_are_at_the_mean_of_the_prior():
    played = stream(games())
    run = rs.replay(rs.BradleyTerry(rating=1200), played, calendar=rs.Whole())
    assert run.forecast.tolist() == [0.5] * len(played)  # nothing is earlier than the only period
    silent = rs.replay(rs.BradleyTerry(rating=1200), rs.GameStream.of(
        first=["A", "A"], second=["B", "C"], score=[1, 1], time=[0, 1], weight=[1, 0]))  # fmt: skip
    row = silent.ratings().filter(player="C").to_dicts()[0]
    assert row == pytest.approx({"player": "C", "rating": 1200.0, "games": 0.0, "deviation": 2 * S})


def test_without_a_prior_what_has_no_answer_is_refused():
    with pytest.raises(rs.InputError, match=r"no strengths are likeliest.*virtual_draws above 0, or a spread"):
        whole(rs.BradleyTerry(virtual_draws=0), [Game(0, 1, 1.0), Game(1, 2, 1.0)])


DECIDED = [Game(0, 1, 1.0), Game(1, 2, 1.0), Game(2, 0, 1.0)]
DRAWN = [Game(0, 1, 0.5), Game(1, 2, 0.5), Game(2, 0, 0.5)]
LEADING = [Game(0, 1, 1.0, edge=1), Game(1, 0, 1.0, edge=1)]


@pytest.mark.parametrize("spread", [None, 300])
@pytest.mark.parametrize(
    ("ties", "advantage", "played", "named"),
    [
        ("rao-kupper", 0.0, DECIDED, "tie parameter"), ("rao-kupper", 0.0, DRAWN, "tie parameter"),
        ("davidson", 0.0, DECIDED, "tie parameter"), ("davidson", 0.0, DRAWN, "tie parameter"),
        ("half", "fitted", LEADING, "advantage"), ("davidson", "fitted", LEADING, "advantage or tie parameter"),
    ],
)  # fmt: skip
def test_without_virtual_games_a_parameter_without_a_top_is_refused(ties, advantage, played, named, spread):
    system = rs.BradleyTerry(ties=ties, advantage=advantage, virtual_draws=0, spread=spread)
    with pytest.raises(rs.InputError, match=rf"no {named} is likeliest.*virtual_draws above 0"):
        whole(system, played)


def test_a_win_between_draws_alone_leads_on_without_end():
    """A beat B, and both drew with C: the further A is above C and C above B, the likelier, as fast as ties spread."""
    played = [Game(0, 1, 1.0), Game(1, 2, 0.5), Game(2, 0, 0.5)]
    with pytest.raises(rs.InputError, match="no tie parameter is likeliest"):
        whole(rs.BradleyTerry(ties="davidson", virtual_draws=0), played)
    whole(rs.BradleyTerry(ties="davidson", virtual_draws=0), [*played, Game(1, 0, 1.0)])


@pytest.mark.parametrize("ties", ["davidson", "rao-kupper"])
def test_what_has_a_top_without_virtual_games_is_found_there(ties):
    run = whole(rs.BradleyTerry(ties=ties, advantage="fitted", virtual_draws=0, spread=300), games())
    expected = bradley_terry(games(), 5, ties, draws=0.0, ridge=(S / 300) ** 2, fitted=True)
    assert strengths(run) == pytest.approx(expected[:5], abs=1e-10)
    assert run.fit().found["advantage"] == pytest.approx(S * expected[5], abs=1e-8)


def test_a_fit_that_does_not_come_to_an_end_says_so(monkeypatch):
    assert whole(rs.BradleyTerry(), games()).diagnostics == []
    monkeypatch.setattr("ratesim.systems.solving.MOST", 1)
    run = whole(rs.BradleyTerry(), games())
    assert not run.fit().settled
    assert len(run.diagnostics) == 1


@pytest.mark.parametrize("ties", ["davidson", "rao-kupper"])
@pytest.mark.parametrize("tie", [1e-6, 0.7, 3.0, 400.0])
def test_chances_of_draws_are_right_however_far_players_are_apart(ties, tie):
    chances = MODELS[ties][1]
    for z in (0.0, 0.3, 5.0, 37.0, 38.0, 120.0):
        with mpmath.workdps(400):
            up, drawn = mpmath.exp(mpmath.mpf(z)), mpmath.exp(mpmath.mpf(tie))
            if ties == "davidson":
                shares = up, drawn * mpmath.sqrt(up), mpmath.mpf(1)
            else:
                win, loss = up / (up + drawn), 1 / (1 + drawn * up)
                shares = win, (drawn**2 - 1) * win * loss, loss
            draw = shares[1] / sum(shares)
            score = (shares[0] + shares[1] / 2) / sum(shares)
        for gap, expected in ((z, float(score)), (-z, float(1 - score))):
            e, d = chances(gap, tie)
            assert 0 <= d <= 2 * min(e, 1 - e)
            assert e == pytest.approx(expected, rel=1e-13, abs=0)
            assert d == pytest.approx(float(draw), rel=1e-9, abs=3e-16)


def test_forecasts_are_by_earlier_periods_alone():
    table = stream(games(60))
    system = rs.BradleyTerry()
    calendar = rs.Every(days=14)
    run = rs.replay(system, table, calendar=calendar)
    for period in np.unique(run.period):
        begin, end = np.flatnonzero(run.period == period)[[0, -1]]
        if begin:
            earlier = rs.replay(system, stream(games(60)[:begin]), calendar=rs.Whole()).ratings()
            known = dict(earlier.select("player", "rating").rows())
            for g in range(begin, end + 1):
                one, two = (known.get(f"p{p}", system.rating) for p in games(60)[g][:2])
                assert run.forecast[g] == pytest.approx(1 / (1 + 10 ** ((two - one) / 400)), abs=1e-12)


def test_hindsight_is_the_last_fit_for_all_games_and_says_so():
    table = stream(games())
    system = rs.BradleyTerry(hindsight=True)
    assert "hindsight" in system.label
    run = rs.replay(system, table)
    honest = rs.replay(rs.BradleyTerry(), table)
    assert run.forecast == pytest.approx(honest.fit().predict(table.first, table.second, None, 0.0), abs=1e-12)
    assert run.ratings()["rating"].to_numpy() == pytest.approx(honest.ratings()["rating"].to_numpy(), abs=1e-9)
    assert rs.LogLoss().each(run.forecast, table.score).mean() < rs.LogLoss().each(honest.forecast, table.score).mean()


def test_scores_that_are_no_results_are_draws_as_far_as_they_can_be():
    quarter = whole(rs.BradleyTerry(ties="davidson"), [*games(), Game(0, 1, 0.75, weight=2.0)])
    split = whole(rs.BradleyTerry(ties="davidson"), [*games(), Game(0, 1, 0.5), Game(0, 1, 1.0)])
    assert strengths(quarter) == pytest.approx(strengths(split), abs=1e-11)


@pytest.mark.slow
def test_a_fit_of_many_games_is_quick_and_settled():
    rng = np.random.default_rng(1)
    skill = rng.normal(0, 1, 2_000)
    first = rng.integers(2_000, size=100_000)
    second = (first + rng.integers(1, 2_000, size=100_000)) % 2_000
    score = (rng.random(100_000) < 1 / (1 + np.exp(skill[second] - skill[first]))) * 1.0
    told = Games(first.astype(np.int32), second.astype(np.int32), score, np.zeros(100_000),
                 np.zeros(100_000, np.int32), 2_000)  # fmt: skip
    fit = rs.BradleyTerry().fitter(told).refit(100_000, 0.0)
    assert fit.settled
    assert np.corrcoef(fit.columns(0.0)["rating"], skill)[0, 1] > 0.97
