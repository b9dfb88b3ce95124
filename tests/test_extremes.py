"""Gaps of 1e5 and deviations from 1e-6 to 1e4, which no ceiling holds down: numbers, and the right ones."""

import hashlib
import json
import os
import subprocess
import sys
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from reference import elo, glicko
from reference.agree import agree
from reference.digits import number
from reference.play import Played, play

import ratesim as rs

START = {
    "A": {"rating": 0.0, "deviation": 1e-6}, "B": {"rating": 1e5, "deviation": 1e-6},
    "C": {"rating": 1e5, "deviation": 1e4}, "D": {"rating": -1e5, "deviation": 350.0},
    "E": {"rating": 0.0, "deviation": 1e4}, "F": {"rating": 0.0, "deviation": 1.0},
}  # fmt: skip
SYSTEMS = {
    "elo": rs.Elo(),
    "normal": rs.Elo(curve="normal"),
    "glicko": rs.Glicko(ceiling=2e4, per="30d"),
    "glicko2": rs.Glicko2(ceiling=2e4, per="30d"),
    "glicko2 uncapped": rs.Glicko2(ceiling=1e6, per="30d", tau=1.2, volatility_cap=None),
    "glicko2 at its wildest": rs.Glicko2(ceiling=1e6, per="30d", tau=10),
}
CALENDARS = {"periods": rs.Every(days=10), "per game": rs.PerGame()}
CASES = [(system, calendar) for system in SYSTEMS for calendar in CALENDARS]
PAIRS = [*combinations(START, 2)] * 3
SCORES = [(0.0, 1.0, 0.5)[(7 * g + g // len(PAIRS)) % 3] for g in range(len(PAIRS))]
TIMES = [g / 4 + 100_000 * (g >= 30) for g in range(len(PAIRS))]  # 270 years between


def replay(system, calendar):
    first, second = zip(*PAIRS, strict=True)
    games = rs.GameStream.of(first=first, second=second, score=SCORES, time=TIMES)
    known = ("rating", "deviation")[: 2 if hasattr(SYSTEMS[system], "deviation") else 1]
    start = {player: {name: row[name] for name in known} for player, row in START.items()}
    return rs.replay(SYSTEMS[system], games, policy=None, calendar=CALENDARS[calendar], start=start)


def figures(run):
    return run.ratings().drop("player").to_numpy()


@pytest.mark.filterwarnings("ignore:overflow:RuntimeWarning")  # of NumPy's numbers, where nothing is compiled
@pytest.mark.interpreted
@pytest.mark.parametrize(("system", "calendar"), CASES)
def test_all_is_finite_and_within_bounds(system, calendar):
    run = replay(system, calendar)
    assert np.isfinite(run.forecast).all()
    assert ((run.forecast >= 0) & (run.forecast <= 1)).all()
    assert np.isfinite(figures(run)).all()
    history = run.history([20.0, 50_000.0, 1e6])
    assert history.height == 3 * len(START)
    assert np.isfinite(history.drop("player").to_numpy()).all()
    if "deviation" in history.columns:
        assert 0 < history["deviation"].min() <= history["deviation"].max() <= SYSTEMS[system].ceiling


def digests():
    """What each replay leaves, to the bit; run by another process too."""
    runs = {f"{system} {calendar}": replay(system, calendar) for system, calendar in CASES}
    return {
        name: hashlib.sha256(run.forecast.tobytes() + figures(run).tobytes()).hexdigest() for name, run in runs.items()
    }


@pytest.mark.slow
def test_plain_python_has_the_same_bits():
    code = "import json, test_extremes; print(json.dumps(test_extremes.digests()))"
    paths = os.pathsep.join([str(Path(__file__).parent), *filter(None, sys.path)])
    plain = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": paths},
    )  # fmt: skip
    assert json.loads(plain.stdout) == digests()


def played(period):
    return [Played(period(t), *pair, score) for t, pair, score in zip(TIMES, PAIRS, SCORES, strict=True)]


PERIOD_OF = {"periods": lambda t: (t - 4) // 10, "per game": lambda t: number(t) / 30}


@pytest.mark.interpreted
@pytest.mark.parametrize("calendar", CALENDARS)
@pytest.mark.parametrize("curve", ["logistic", "normal"])
def test_elo(calendar, curve):
    run = replay({"logistic": "elo"}.get(curve, curve), calendar)
    start = {player: number(row["rating"]) for player, row in START.items()}
    agree(run, play(elo.Elo(curve), played(PERIOD_OF[calendar]), start, k=lambda *_: 20))


@pytest.mark.parametrize("calendar", CALENDARS)
def test_glicko(calendar):
    run = replay("glicko", calendar)
    start = {player: (number(row["rating"]), number(row["deviation"])) for player, row in START.items()}
    unit = {"periods": lambda t: number((t - 4) // 10) / 3, "per game": PERIOD_OF["per game"]}[calendar]
    reference = glicko.Glicko(c=SYSTEMS["glicko"].c, ceiling=20_000)
    agree(run, play(reference, played(unit), start), within=1e-11)


def test_fides_extremes_are_whole_numbers_and_nobody():
    """Ratings from 1 to 4000, gaps to 3999 without a cap, and everybody meets everybody for 270 years."""
    first, second = zip(*PAIRS, strict=True)
    games = rs.GameStream.of(first=first, second=second, score=SCORES, time=TIMES)
    start = {who: {"rating": rating} for who, rating in zip(START, (1, 4000, 4000, 1, 2650, 1400), strict=True)}
    for system in (rs.FideElo(cap=None, floor=None), rs.FideElo(cap=None), rs.FideElo(list="blitz")):
        run = rs.replay(system, games, policy=rs.Fide(assume=True), calendar=rs.Lists(), start=start)
        ratings = run.ratings()["rating"].to_numpy()
        known = ratings[~np.isnan(ratings)]
        assert len(known)
        assert (known % 1 == 0).all()
        assert system.floor != "none" or len(known) == len(START)
        there = run.forecast[~np.isnan(run.forecast)]
        assert ((there >= 0) & (there <= 1)).all()
        assert {0.0, 1.0} <= set(there.tolist()) or system.cap != "none"
