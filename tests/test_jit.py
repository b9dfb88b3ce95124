"""Names and digests of compiled functions."""

import enum
import types

import numpy as np
import pytest

from ratesim import jit
from ratesim.curves import Q, logistic_curve
from ratesim.jit import kernel, part


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


def test_what_has_no_digest_is_refused():
    with pytest.raises(TypeError, match="an edit of it would go unnoticed"):
        name(INNER=make(1.0), OFFSET=object())


def test_a_cache_that_cannot_be_written_is_left_alone(tmp_path, monkeypatch):
    monkeypatch.setenv("RATESIM_CACHE", str(tmp_path))
    monkeypatch.setattr(jit.tempfile, "NamedTemporaryFile", refuse)
    double = jit.specialise(doubled, "doubling")
    assert double(2.0) == 4.0
    assert not list(tmp_path.rglob("*.nbi"))


def refuse(*_, **__):
    raise PermissionError


def doubled(x):
    return 2.0 * x


def test_a_digest_holds_no_address_and_no_order_of_sets():
    pieces = list(jit._pieces((frozenset({"a", "b", "c"}), len, jit.fma, np.exp, template), set()))
    assert not [piece for piece in pieces if "0x" in piece]
    assert "['\"'a'\"', " not in pieces
    assert repr(sorted(map(repr, ("a", "b", "c")))) in pieces


@kernel
def fused(a, b, c):
    return jit.fma(a, b, c)


def test_fma_rounds_once():
    tiny = 2.0**-30
    a, b, c = 1.0 + tiny, 1.0 - tiny, -1.0
    assert fused(a, b, c) == -(tiny**2)
    assert a * b + c == 0.0


def test_plain_is_the_same_to_the_last_bit():
    """As Python all the way down, through exp and its fused steps."""
    curve = jit.plain(logistic_curve)
    assert type(curve) is types.FunctionType
    assert all(curve(Q, gap) == logistic_curve(Q, gap) for gap in (-3999.5, -400.0, -0.1, 0.0, 7.0, 123.456))
    assert jit.plain(curve) is curve
