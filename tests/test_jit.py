"""Names and digests of compiled functions."""

import types

import numpy as np

from ratesim import jit
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


def test_a_digest_holds_no_address_and_no_order_of_sets():
    pieces = list(jit._pieces((object(), frozenset({"a", "b", "c"}), len), set()))
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
