"""Every policy has the bits of plain Python, alone and among lanes; and one that a user writes is one of them."""

import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import ClassVar, Literal

import numpy as np
import pytest
from small_runs import MAIN, UNDRAWN

import ratesim as rs
from ratesim.jit import plain, rows, specialise
from ratesim.policies import Policy
from ratesim.policies.constant import constant_gain
from ratesim.records import Career
from ratesim.registry import load_plugin

GUIDE = Path(__file__).resolve().parents[1] / "CONTRIBUTING.md"
NESTED = {
    "kind": "bounded",
    "policy": {
        "kind": "steps",
        "by": "age",
        "k": [40, {"kind": "steps", "by": "rating", "k": [25, "uscf"], "at": [1500]}],
        "at": [18],
    },
    "least": {"kind": "product", "of": ["five-thirty-eight", 0.25]},
    "limit": 700,
}
EVERY = ("fide", "glicko-effective", "harmonic", "steps", "nested")  # all kernels that there are
LANES, PLAYERS = 5, 40


def table(name):
    return NESTED if name == "nested" else name


def lanes(name):
    """A policy with other numbers in each lane: its own, the first of them a little smaller each time."""
    kernels = rs.POLICIES.build(table(name)).kernels()
    first, *others = rs.POLICIES.build(table(name)).params()
    return kernels, [kernels.Params(first * (1 - 0.03 * lane), *others) for lane in range(LANES)]


def careers():
    rng = np.random.default_rng(11)
    games, fresh = rng.integers(0, 60, PLAYERS), rng.integers(1, 40, PLAYERS)
    born = np.where(rng.random(PLAYERS) < 0.2, np.nan, rng.integers(1940, 2015, PLAYERS))
    fields = (
        games,
        fresh,
        rng.uniform(1200, 2600, PLAYERS),
        rng.exponential(200, PLAYERS),
        born,
        np.full(PLAYERS, 2020),
    )
    return rng.uniform(1200, 2600, PLAYERS), np.array(fields, np.float64)


def loop(qs, ratings, careers, out):
    """Write K of every player in every lane, as the engine asks for it."""
    for i in range(out.shape[0]):
        for lane in range(out.shape[1]):
            c = Career(careers[0, i], careers[1, i], careers[2, i], careers[3, i], careers[4, i], careers[5, i])
            out[i, lane] = GAIN(POLICY.load(qs, 0, lane), ratings[i], c)  # noqa: F821  # bound as it is compiled


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=() if name in EVERY else pytest.mark.slow) for name in (*rs.POLICIES.kinds(), "nested")],
)
def test_a_policy_has_the_bits_of_plain_python_in_every_lane(name):
    kernels, params = lanes(name)
    ratings, histories = careers()
    compiled = specialise(loop, f"K {name}", GAIN=kernels.gain, POLICY=rows(kernels.Params))
    out = np.empty((PLAYERS, LANES))
    compiled(np.array([params]).transpose(0, 2, 1).copy(), ratings, histories, out)
    gain = plain(kernels.gain)
    expected = np.array(
        [
            [gain(q, rating, Career(*career)) for q in params]
            for rating, career in zip(ratings, histories.T, strict=True)
        ]
    )
    assert np.isfinite(out).all()
    assert out.tobytes() == expected.astype(np.float64).tobytes()
    assert len(np.unique(out)) > 1
    alone = np.empty((PLAYERS, 1))
    for lane in range(LANES):
        compiled(np.array([params[lane]])[:, :, None].copy(), ratings, histories, alone)
        assert alone.tobytes() == out[:, [lane]].tobytes()


def snippet():
    """The policy that the guide shows."""
    (code,) = re.findall(
        r"^### A K policy in ten lines$.*?^```python\n(.*?)^```",
        GUIDE.read_text(encoding="utf-8"),
        re.MULTILINE | re.DOTALL,
    )
    return code


class Bare(Policy):
    """A policy whose author forgot something."""

    kind: Literal["bare"] = "bare"
    how: str = "well"


class Named(Bare):
    """A policy that is more than numbers, and does not say how."""

    gain: ClassVar = constant_gain


@pytest.mark.parametrize(
    ("policy", "said"),
    [
        (Bare(), "policy Bare has no kernel; expected `gain`, a kernel (q, rating, career) -> K, or `kernels` and"),
        (Named(), "policy Named: how = 'well'; expected a number, or `kernels` and `params` of the class's own"),
    ],
    ids=["no kernel", "no number"],
)
def test_what_a_policy_of_a_users_lacks_is_said_in_a_line(policy, said):
    games = rs.GameStream.of(first=["A"], second=["B"], score=[1], time=[0])
    with pytest.raises(rs.InputError) as error:
        rs.replay(rs.Elo(), games, policy=policy)
    assert str(error.value).startswith(said)
    assert "\n" not in str(error.value)


def test_the_policy_of_the_guide_is_ten_lines():
    lines = [line for line in snippet().splitlines() if line.strip() and not line.startswith(("from", "import"))]
    assert len(lines) == 10


EXPERIMENT = """
[[stream]]
games = "games.csv"
[[system]]
kind = "elo"
[[policy]]
kind = "rested"
k = [10, 20, 40]
[[policy]]
kind = "steps"
k = [40, { kind = "rested", days = 30 }]
at = [4]
[[calendar]]
kind = "months"
"""
GAMES = "first,second,score,time\n" + "".join(f"{'ABC'[n % 3]},D,{n % 2},2024-{n % 12 + 1:02}-01\n" for n in range(60))
RUN = [sys.executable, "-c", UNDRAWN + MAIN, "run", "a.toml"]


def test_a_policy_of_a_users_runs_in_a_sweep_from_a_file(tmp_path):
    """In plain Python, whose bits are those of compiled code."""
    for name, text in {"rested.py": snippet(), "a.toml": EXPERIMENT, "games.csv": GAMES}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    done = subprocess.run(
        [*RUN, "--plugin", "rested.py", "--json", "--workers", "1"],
        cwd=tmp_path, env={**os.environ, "NUMBA_DISABLE_JIT": "1"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    labels = [run["label"] for run in json.loads(done.stdout)["runs"]]
    assert set(labels) == {
        "elo, rested k=10",
        "elo, rested k=20",
        "elo, rested k=40",
        "elo, steps k=[40, rested(days=30)] at=[4]",
    }


@pytest.mark.slow
def test_a_policy_of_a_users_runs_at_compiled_speed(tmp_path):
    path = tmp_path / "rested.py"
    path.write_text(snippet(), encoding="utf-8")
    load_plugin(path)
    rng = np.random.default_rng(3)
    n = 300_000
    first = rng.integers(0, 5000, n)
    games = rs.GameStream.of(
        first=first.astype(str), second=((first + rng.integers(1, 5000, n)) % 5000).astype(str),
        score=rng.choice([0, 0.5, 1.0], n), time=np.sort(rng.uniform(0, 3000, n)),
    )  # fmt: skip

    def seconds(policies):
        pairs = [(rs.Elo(), policy) for policy in policies]
        rs.replay_many(pairs, games, calendar=rs.Months())
        begin = time.perf_counter()
        rs.replay_many(pairs, games, calendar=rs.Months())
        return time.perf_counter() - begin

    users = [rs.POLICIES.build({"kind": "rested", "k": float(k)}) for k in range(10, 42, 2)]
    ours = [rs.Harmonic(k=float(k)) for k in range(10, 42, 2)]
    assert seconds(users) < 1.5 * seconds(ours)
