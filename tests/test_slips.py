"""Slips in a kernel of somebody else's: one line, with file, line and the nearest right name."""

from typing import NamedTuple

import pytest

import ratesim as rs
from ratesim.jit import COMPILED, specialise
from ratesim.registry import load_plugin

pytestmark = pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
PLUGIN = """from typing import ClassVar, Literal
import math
from ratesim.jit import kernel
from ratesim.policies import POLICIES, Policy

@kernel
def halved(x):
    return x / 2

{above}
def rested({takes}):
    {does}

@POLICIES.add
class Rested(Policy):
    gain: ClassVar = rested
    kind: Literal["{kind}"] = "{kind}"
    k: float = 20
    days: float = 365
"""
TAKES = "q, rating, career"
SLIPS = {
    "field": ("return q.kk", "line 12: unknown field 'kk' of Rested; did you mean 'k'?"),
    "far-field": ("return q.xyz", "line 12: unknown field 'xyz' of Rested; expected one of k, days"),
    "name": ("return q.k * halvd(2)", "line 12, kernel rested: unknown name 'halvd'; did you mean 'halved'?"),
    "argument": ("return q.k + ratng", "line 12, kernel rested: unknown name 'ratng'; did you mean 'rating'?"),
    "module": ("return math.sqr(q.k)", "line 12, kernel rested: unknown name 'math.sqr'; did you mean 'sqrt'?"),
    "nothing": ("pass", "line 10, kernel rested: returns none; expected a number, or a record"),
    "text": (
        "return 'a'",
        "line 10, kernel rested: returns Literal[str](a); expected a number, or a record",
    ),
    "half": (
        "if rating > 3: return q.k",
        "line 10, kernel rested: may end without a value; expected return on every way through it",
    ),
    "truth": ("return q.k > 5", "line 10, kernel rested: returns true or false; expected K, a number"),
    "python": ("return eval('1')", "line 10, kernel rested: does not compile (Untyped global name 'eval': Cannot"),
}


class Career(NamedTuple):
    games: float


def engine(x: float) -> float:
    """What stands for an engine, since an engine takes seconds."""
    return GAIN(PARAMS(x, x), x, CAREER(x)) + 1.0  # noqa: F821  # bound below


def plugin(folder, kind, does="return q.k", takes=TAKES, above="@kernel"):
    path = folder / f"{kind}.py"
    path.write_text(PLUGIN.format(kind=kind, does=does, takes=takes, above=above), encoding="utf-8")
    load_plugin(path)
    return rs.POLICIES.build(kind), path


def compiled(policy):
    kernels = policy.kernels()
    return specialise(engine, "a test", GAIN=kernels.gain, PARAMS=kernels.Params, CAREER=Career)


def refused(policy):
    with pytest.raises(rs.InputError) as error:
        compiled(policy)(2.0)
    assert "\n" not in str(error.value)
    return str(error.value)


@pytest.fixture(autouse=True)
def _apart(monkeypatch, tmp_path):
    monkeypatch.setenv("RATESIM_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(rs.POLICIES, "_kinds", rs.POLICIES.kinds())


@pytest.mark.parametrize("kind", SLIPS)
def test_a_slip_is_one_line(tmp_path, kind):
    does, said = SLIPS[kind]
    policy, path = plugin(tmp_path, kind, does)
    assert refused(policy).startswith(f"{path}, {said}")


def test_parameters_that_are_not_those_of_a_policy_are_told(tmp_path):
    policy, path = plugin(tmp_path, "few", takes="q, rating")
    said = "takes (q, rating); expected 3 parameters, for Rested, float64, Career"
    assert refused(policy) == f"{path}, line 10, kernel rested: {said}"


def test_a_function_that_is_no_kernel_is_told(tmp_path):
    policy, path = plugin(tmp_path, "bare", above="")
    assert (
        refused(policy) == f"{path}, line 11, kernel rested: is no kernel; expected @kernel, of ratesim.jit, above it"
    )


def test_what_is_right_compiles(tmp_path):
    policy, _ = plugin(tmp_path, "right", "return halved(q.k) + math.sqrt(career.games)")
    assert compiled(policy)(4.0) == 2.0 + 2.0 + 1.0


def test_a_slip_in_a_plugin_is_a_mistake_of_the_users(tmp_path, call, monkeypatch):
    """Not a failure of ours: exit code 2, one line."""
    plugin(tmp_path, "typo", "return q.k * career.gamez")
    (tmp_path / "g.csv").write_text("first,second,score,time\nA,B,1,2024-01-01\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    code, _, told = call("rate", "g.csv", "--system", "elo", "--policy", "typo", "--plugin", "typo.py")
    assert code == 2
    assert told.endswith(f"{tmp_path / 'typo.py'}, line 12: unknown field 'gamez' of Career; did you mean 'games'?\n")
