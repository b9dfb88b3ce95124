"""Every law is broken by a system made to break it, and kept by the same system without that fault."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import ratesim as rs
from ratesim.testing import checks_for, laws

SCRIPT = Path(__file__).with_name("broken_systems.py")


@pytest.fixture(scope="module")
def said():
    """What the checks say of each broken system; without numba there is nothing to compile."""
    done = subprocess.run(
        [sys.executable, SCRIPT],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("law", sorted(set(laws.LAWS) - {"one kernel"}))
def test_a_system_that_breaks_the_law_is_found(said, law):
    assert said["broken"][law], f"the check of '{law}' lets a system pass that breaks it"


def test_the_same_system_without_a_fault_passes(said):
    assert {law: wrong for law, wrong in said["sound"].items() if wrong} == {}
    assert len(said["sound"]) == len(laws.LAWS) - 1


def test_chances_of_a_draw_that_are_none_are_found(said):
    """By the laws of both sides and of numbers far out, in this order."""
    assert said["draws"].pop("none") == [None, None]
    assert "same chance of a draw" in said["draws"].pop("of one side")[0]
    assert "leaves room for" in said["draws"].pop("too many")[1]
    assert "at least 0" in said["draws"].pop("negative")[1]
    assert "finite" in said["draws"].pop("endless")[1]
    assert said["draws"] == {}


def test_kernels_that_differ_un_jitted_are_found(monkeypatch):
    def one_ulp_off(trial, games):
        run = trial.replay(games, start=laws.starts(trial.system))
        return np.nextafter(run.forecast, 2), laws.figures(run)

    monkeypatch.setattr(laws, "replay_interpreted", one_ulp_off)
    (check,) = (check for check in checks_for(rs.Elo()) if check.law == "one kernel")
    with pytest.raises(AssertionError, match="48 of 48 numbers differ in their bits"):
        check()
