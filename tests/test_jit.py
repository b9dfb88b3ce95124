"""Names and digests of compiled functions."""

import enum
import math
import types
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from filelock import FileLock
from hypothesis import given, strategies as st

from ratesim import jit
from ratesim.curves import Q, logistic_curve
from ratesim.jit import fma, kernel, part
from ratesim.visible import functions, mentioned, pieces


def template(x):
    return INNER(x) + OFFSET  # noqa: F821  # bound below


def name(**parts):
    return part(template, **parts).__qualname__


def make(constant):
    """A kernel that differs from its siblings in a constant alone."""
    space = {}
    exec(f"def inner(x): return x * {constant}", space)  # noqa: S102  # a kernel by its text
    return kernel(space["inner"])


def test_the_name_tells_all_that_a_function_can_see():
    table = np.arange(3)
    same = name(INNER=make(2.0), OFFSET=1.0)
    assert name(INNER=make(2.0), OFFSET=1.0) == same
    others = {
        name(INNER=make(3.0), OFFSET=1.0), name(INNER=make(2.0), OFFSET=2.0), name(INNER=make(2.0), OFFSET=(1.0,)),
        name(INNER=make(2.0), OFFSET=table), name(INNER=make(2.0), OFFSET=table + 1),
    }  # fmt: skip
    assert len(others | {same}) == 6


def test_an_edit_far_below_changes_the_name():
    def chain(constant):
        space = {"INNER": make(constant), "OFFSET": 0.0}
        middle = types.FunctionType(template.__code__, space, "middle")
        return name(INNER=kernel(middle), OFFSET=0.0)

    assert chain(2.0) == chain(2.0)
    assert chain(2.0) != chain(2.5)


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


def test_constants_of_every_kind_are_told_apart():
    def of(value):
        return name(INNER=make(1.0), OFFSET=value)

    alike = [np.int64(3), np.int64(4), np.float32(3), np.float32(4), 3, 3.0, Level.LOW, Level.HIGH, (3, 4), (4, 3)]
    assert len({of(value) for value in alike}) == len(alike)


def test_constants_read_from_a_module_are_seen():
    def of(scale):
        module = types.ModuleType("scales")
        module.SCALE = scale
        space = {}
        exec("def template(x): return scales.SCALE * x", space)  # noqa: S102  # a template of its own
        return part(space["template"], scales=module).__qualname__

    assert of(2.0) == of(2.0) != of(3.0)


def test_defaults_by_keyword_are_seen():
    def of(k):
        def template(x, *, factor=k):
            return x * factor

        return part(template).__qualname__

    assert of(1.0) == of(1.0) != of(2.0)


def test_a_field_is_not_taken_for_a_global_of_its_name():
    space = {"games": object(), "limit": 3.0}  # of no kind that has a digest, as a stream in a notebook
    exec("def kernel(me):\n    return min(me.games, limit)", space)  # noqa: S102
    assert "3.0" in list(pieces(space["kernel"], set()))


def test_an_edit_of_a_class_of_constants_is_seen():
    def of(**members):
        space = {"Mode": enum.IntEnum("Mode", members, module="modes")}
        exec("def template(x): return x * Mode.FAST", space)  # noqa: S102  # a template of its own
        return part(space["template"], Mode=space["Mode"]).__qualname__

    assert of(FAST=1) == of(FAST=1)
    assert len({of(FAST=1), of(FAST=2), of(FAST=1, SLOW=2), of(SLOW=2, FAST=1)}) == 4


def test_a_plugin_that_has_moved_is_compiled_anew():
    def of(module):
        space = {"__name__": module}
        exec("def template(x): return x", space)  # noqa: S102  # a plugin's kernel
        return name(INNER=kernel(space["template"]), OFFSET=0.0)

    assert of("ratesim_plugin_a_0") == of("ratesim_plugin_a_0") != of("ratesim_plugin_a_1")


class Loose:
    FAST = 1


@pytest.mark.parametrize("unknown", [object(), Loose])
def test_what_has_no_digest_is_refused(unknown):
    with pytest.raises(TypeError, match="an edit of it would go unnoticed"):
        name(INNER=make(1.0), OFFSET=unknown)


def test_functions_seen_through_a_closure_are_found():
    def inside(x):
        return math.floor(x)

    compiled = kernel(inside)

    def outside(x):
        return compiled(x)

    assert list(functions(outside)) == [outside, compiled]
    assert "floor" in mentioned(outside)


def test_a_cache_that_cannot_be_written_is_left_alone(tmp_path, monkeypatch):
    monkeypatch.setenv("RATESIM_CACHE", str(tmp_path))
    monkeypatch.setattr(jit.tempfile, "NamedTemporaryFile", refuse)
    double = jit.specialise(doubled, "doubling")
    assert double(2.0) == 4.0
    assert not list(tmp_path.rglob("*.nbi"))


def test_a_process_waits_for_one_that_compiles_the_same_and_not_for_ever(tmp_path, monkeypatch):
    """The other one is seen by its lock alone."""
    monkeypatch.setenv("RATESIM_CACHE", str(tmp_path))
    double = jit.specialise(doubled, "doubling")
    (home,) = (tmp_path / "kernels").iterdir()
    with ThreadPoolExecutor() as pool, FileLock(home / ".lock"):
        asked = pool.submit(double, 2)
        with pytest.raises(TimeoutError):
            asked.result(0.2)
        monkeypatch.setattr(jit, "PATIENCE", 0.0)
        assert jit.specialise(doubled, "doubling")(3) == 6
        (made,) = home.rglob("*.nbi")
        stamp = made.stat().st_mtime_ns
    assert asked.result() == 4
    assert made.stat().st_mtime_ns == stamp  # it took what was there


def refuse(*_, **__):
    raise PermissionError


def doubled(x):
    return 2.0 * x


def test_a_digest_holds_no_address_and_no_order_of_sets():
    told = list(pieces((frozenset({"a", "b", "c"}), len, jit.fma, np.exp, template), set()))
    assert not [piece for piece in told if "0x" in piece]
    assert "['\"'a'\"', " not in told
    assert repr(sorted(map(repr, ("a", "b", "c")))) in told


@kernel
def fused(a, b, c):
    return fma(a, b, c)


def test_fma_rounds_once():
    tiny = 2.0**-30
    a, b, c = 1.0 + tiny, 1.0 - tiny, -1.0
    assert fused(a, b, c) == -(tiny**2)
    assert a * b + c == 0.0


@given(*[st.floats(-1e150, 1e150, allow_subnormal=False)] * 3)
def test_in_python_it_rounds_once_too(a, b, c):
    assert jit.plain(fused)(a, b, c) == jit._exact_fma(a, b, c) == fused(a, b, c)


def test_plain_is_the_same_to_the_last_bit():
    """As Python all the way down, through exp and its fused steps."""
    curve = jit.plain(logistic_curve)
    assert type(curve) is types.FunctionType
    assert all(curve(Q, gap) == logistic_curve(Q, gap) for gap in (-3999.5, -400.0, -0.1, 0.0, 7.0, 123.456))
    assert jit.plain(curve) is curve
