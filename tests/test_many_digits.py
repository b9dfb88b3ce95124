"""The kernels against the same formulas at forty digits (tests/reference), over a league with idle months and ties."""

import math

import numpy as np
import pytest
from reference import elo, glicko, glicko2
from reference.agree import agree
from reference.digits import number
from reference.play import Career, Played, play

import ratesim as rs
from ratesim.testing.trial import PLAYERS, league

TABLE = league().with_columns(time=league()["time"] // 30)  # one day a month, so that days are the periods
GAMES = [Played(*row) for row in TABLE.select("time", "first", "second", "score", "edge").iter_rows()]
WEIGHTS = np.tile([1.0, 2.0, 0.5, 1.25], 12)
START = {p: {"rating": 1400.0 + 57 * i, "deviation": 60.0 + 35 * i} for i, p in enumerate(PLAYERS)}
NEW = {"games": 0.0, "peak": 0.0, "born": math.nan}


def begin(*columns, **rest):
    """The start table as the reference has it: a rating, or a tuple of figures."""
    if not columns:
        return {who: number(row["rating"]) for who, row in START.items()}
    return {who: tuple(number({**rest, **row}[c]) for c in columns) for who, row in START.items()}


def replayed(system, *, policy=None, weights=None):
    keep = ("rating", "deviation")[: 2 if hasattr(system, "deviation") else 1]
    return rs.replay(
        system,
        rs.GameStream.of(**TABLE.to_dict(), weight=weights),
        policy=policy,
        calendar=rs.Every(days=1),
        start={who: {**NEW, **{c: row[c] for c in keep}} for who, row in START.items()},
    )


@pytest.mark.parametrize("curve", ["logistic", "normal"])
@pytest.mark.parametrize("cap", [None, 100.0])
def test_elo(curve, cap):
    run = replayed(rs.Elo(curve=curve, advantage=65, cap=cap), policy=rs.Constant(24.0), weights=WEIGHTS)
    games = [game._replace(weight=w) for game, w in zip(GAMES, WEIGHTS, strict=True)]
    agree(run, play(elo.Elo(curve, advantage=65, cap=cap), games, begin(), k=lambda *_: 24))


def test_fide():
    run = replayed(rs.FideElo(start=1500, exempt=None, floor=None))
    start = {who: int(row["rating"]) for who, row in START.items()}
    agree(run, play(elo.FideList(), GAMES, start, k=elo.fide_k))


def test_fide_steps_of_k():
    """Enough games to pass thirty, to meet the 700 rule, and ratings on both sides of 2400."""
    rng = np.random.default_rng(3)
    sides = ["".join(rng.choice(list("ABCD"), 2, replace=False)) for _ in range(240)]
    scores = rng.integers(3, size=240) / 2
    games = [Played(g // 40, *pair, s) for g, (pair, s) in enumerate(zip(sides, scores, strict=True))]
    start = {"A": 2390, "B": 2405, "C": 2000, "D": 2380}
    run = rs.replay(
        rs.FideElo(exempt=None, floor=None),
        rs.GameStream.of(
            first=[g.first for g in games],
            second=[g.second for g in games],
            score=[g.score for g in games],
            time=[float(g.period) for g in games],
        ),
        calendar=rs.Every(days=1),
        start={who: {"rating": float(r), **NEW} for who, r in start.items()},
    )
    careers = {who: Career(0, r) for who, r in start.items()}
    agree(run, play(elo.FideList(), games, start, k=elo.fide_k, careers=careers))
    assert {elo.fide_k(career, 1) for career in careers.values()} >= {10, 20}


def test_glicko():
    run = replayed(rs.Glicko(c=40, advantage=30), weights=WEIGHTS)
    games = [game._replace(weight=w) for game, w in zip(GAMES, WEIGHTS, strict=True)]
    agree(run, play(glicko.Glicko(c=40, advantage=30), games, begin("rating", "deviation")))


@pytest.mark.parametrize("tau", [0.2, 0.5, 1.2])
def test_glicko2(tau):
    run = replayed(rs.Glicko2(tau=tau, volatility=0.09))
    system = glicko2.Glicko2(tau=tau, cap=0.1, ceiling=350)
    agree(run, play(system, GAMES, begin("rating", "deviation", "volatility", volatility=0.09)))


def test_glicko2_from_one_upset_to_the_next():
    """Results that move the volatility much, up to where the equation has three roots; the nearest is taken."""
    losses = [Played(period, "A", "B", 0.0) for period, games in enumerate((5, 12, 8)) for _ in range(games)]
    start = {"A": {"rating": 2100.0, "deviation": 40.0}, "B": {"rating": 1300.0, "deviation": 30.0}}
    run = rs.replay(
        rs.Glicko2(volatility_cap=None),
        rs.GameStream.of(first=["A"] * 25, second=["B"] * 25, score=[0.0] * 25, time=[float(g.period) for g in losses]),
        calendar=rs.Every(days=1),
        start=start,
    )
    beliefs = {p: (number(r["rating"]), number(r["deviation"]), number(0.06)) for p, r in start.items()}
    agree(run, play(glicko2.Glicko2(root=glicko2.nearest_root, ceiling=350), losses, beliefs))
    assert "several roots of the volatility equation" in {d.name for d in run.diagnostics}
