"""A package that brings systems and a policy by entry points: found, named, run by the verbs, held to our laws."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from small_runs import UNDRAWN

PACKAGE = Path(__file__).parent / "plugin_package"
VERB = "import sys; from ratesim.cli import main; sys.exit(main(sys.argv[1:]))"

CODE = """
import json, sys
import ratesim as rs
from ratesim.jit import plain
from ratesim.policies import POLICIES
from ratesim.records import Career
from ratesim.systems.base import SYSTEMS
from ratesim.testing import checks_for

failed, tried = {}, set()
for kind in sys.argv[1:]:
    system = SYSTEMS.build({"kind": kind})
    for calendar in (rs.PerGame(), rs.Months())[kind != "ladder" :]:
        for check in checks_for(system, calendar):
            tried.add((kind, check.law))
            try:
                check()
            except AssertionError as error:
                failed[str(check)] = str(error)
policy = POLICIES.build({"kind": "bounded", "policy": {"kind": "rested", "k": 30.0}, "most": 50.0})
kernels = policy.kernels()
q, gain = kernels.Params(*policy.params()), plain(kernels.gain)
ks = [gain(q, 1500.0, Career(9, 1, 0, idle, 0, 0)) for idle in (0, 73, 365)]
ladder = SYSTEMS.build({"kind": "ladder", "step": 30.0})
print(json.dumps({"ks": ks, "label": ladder.label, "module": type(ladder).__module__, "failed": failed,
    "kinds": list(SYSTEMS.kinds()), "tried": sorted(tried)}))
"""
GAMES = """first,second,score,time
A,B,1,2020-01-01
B,C,0.5,2020-01-01
A,C,1,2020-02-03
B,A,0,2020-02-05
C,B,1,2020-03-01
"""
EXPERIMENT = """seed = 1
[stream]
games = "games.csv"
[[system]]
kind = "even"
[[system]]
kind = "ladder"
step = [10, 30]
[[system]]
kind = "drawing-ladder"
[[system]]
kind = "shares"
[[calendar]]
kind = "months"
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("installed") / "site"
    shutil.copytree(PACKAGE, folder, ignore=shutil.ignore_patterns("__pycache__"))
    (folder.parent / "games.csv").write_text(GAMES)
    (folder.parent / "toys.toml").write_text(EXPERIMENT)
    (folder.parent / "pairs.csv").write_text("first,second\nA,C\n")
    return folder


PLAIN = {"NUMBA_DISABLE_JIT": "1"}  # for few games; one is compiled


def told(site, code, *words, **environment):
    """What Python prints that has the package on its path."""
    done = subprocess.run(
        [sys.executable, "-c", code, *words],
        cwd=site.parent,
        env={**os.environ, "PYTHONPATH": str(site), **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_systems_and_a_policy_from_another_package_are_as_ours(site):
    found = json.loads(told(site, CODE, "ladder", "shares", "drawing-ladder", **PLAIN))
    assert found["failed"] == {}
    assert {("ladder", "resume"), ("shares", "foresight"), ("drawing-ladder", "resume")} <= set(
        map(tuple, found["tried"])
    )
    assert (found["label"], found["module"]) == ("ladder step=30", "ratesim_toy")
    assert {"elo", "glicko", "ladder", "shares", "drawing-ladder"} <= set(found["kinds"])
    assert found["ks"] == [30, 36, 50]


def test_an_experiment_names_them(site):
    told(site, UNDRAWN + VERB, "run", "toys.toml", "--out", "out", "--workers", "1", **PLAIN)
    summary = json.loads((site.parent / "out" / "summary.json").read_text())
    kinds = [run["system"]["kind"] for run in summary["runs"]]
    assert kinds == ["even", "ladder", "ladder", "drawing-ladder", "shares"]
    assert all(run["scores"] for run in summary["runs"])


# By hand, over January, February and March: a line of 800 points and steps of 24; shares of points with a draw more.
LADDER = {"A": 1500 + 24 * (0.5 + 0.485 + 0.47), "B": 1465.0692, "C": 1500.0108}
SHARES = {"A": 1000 * 3.5 / 4, "B": 1000 * 1 / 5, "C": 1000 * 2 / 4}


@pytest.mark.parametrize(
    ("kind", "ratings", "forecast"),
    [
        ("ladder", LADDER, 0.5 + (1534.92 - 1500.0108) / 800),
        ("shares", SHARES, 0.5 + 0.5 * (3.5 / 4 - 2 / 4)),
    ],
)
def test_the_verbs_rate_and_predict_by_them(site, kind, ratings, forecast):
    how = ("--system", kind, "--calendar", "months", "--json")
    rated = json.loads(told(site, VERB, "rate", "games.csv", *how, **({} if kind == "ladder" else PLAIN)))
    assert {row["player"]: row["rating"] for row in rated["ratings"]} == pytest.approx(ratings)
    (game,) = json.loads(told(site, VERB, "predict", "games.csv", "pairs.csv", *how, **PLAIN))["forecasts"]
    assert game == {"first": "A", "second": "C", "forecast": pytest.approx(forecast)}


def test_a_model_of_draws_is_told(site):
    how = ("--system", "drawing-ladder", "--calendar", "months", "--json")
    (game,) = json.loads(told(site, VERB, "predict", "games.csv", "pairs.csv", *how, **PLAIN))["forecasts"]
    expected = game["forecast"]
    assert 0.5 < expected < 1.0
    chances = {"win": expected - (1 - expected) / 2, "draw": 1 - expected, "loss": (1 - expected) / 2}
    assert {name: game[name] for name in chances} == pytest.approx(chances)
