"""A list is an axis where one value is meant, and nowhere else."""

from typing import ClassVar, Literal, NamedTuple

import pytest

from ratesim.errors import InputError
from ratesim.grid import depth, nesting, unfold
from ratesim.registry import Registry
from ratesim.spec import Duration, Spec, quantity
from ratesim.worlds.base import CHANGES, WORLDS, Change
from ratesim.worlds.skills.normal import Normal


class Step(NamedTuple):
    games: int
    k: float


class Shape(Spec):
    name: ClassVar[str] = "shape"
    kind: Literal["shape"] = "shape"
    k: float = quantity(20.0, "gain", unit="points", gt=0)
    per: Duration | None = None
    steps: tuple[Step, ...] = ()
    marks: tuple[float, ...] = ()
    curve: Literal["straight", "bent"] = "straight"


class Plain(Spec):
    kind: Literal["plain"] = "plain"
    k: float = 1.0


@pytest.fixture(scope="module")
def shapes() -> Registry[Spec]:
    registry: Registry[Spec] = Registry("shape", "ratesim.errors")  # a module that registers nothing
    registry.add(Shape)
    registry.add(Plain)
    return registry


class Toy(Change):
    kind: Literal["toy"] = "toy"
    size: float = 1.0


@pytest.fixture
def leagues(monkeypatch):
    """The worlds, with a change of skill that is a toy."""
    monkeypatch.setattr(CHANGES, "_kinds", {**CHANGES.kinds(), "toy": Toy})
    return WORLDS


def specs(registry, **table):
    return [point.spec for point in unfold(registry, table, "a.toml, shape 1")]


def test_without_lists_there_is_one(shapes):
    assert specs(shapes, kind="shape", k=30) == [Shape(k=30)]


def test_axes_multiply_with_the_last_key_fastest(shapes):
    found = specs(shapes, kind="shape", k=[1, 2], per=["30d", 1])
    assert [(s.k, s.per) for s in found] == [(1, 30), (1, 1), (2, 30), (2, 1)]


def test_text_and_choices_may_be_axes(shapes):
    assert [s.curve for s in specs(shapes, kind="shape", curve=["straight", "bent"])] == ["straight", "bent"]


def test_a_list_by_nature_is_one_value_and_a_list_of_such_an_axis(shapes):
    assert specs(shapes, kind="shape", steps=[[30, 40], [60, 20]]) == [Shape(steps=((30, 40), (60, 20)))]
    assert specs(shapes, kind="shape", steps=[[[30, 40]], [[60, 20]]]) == [
        Shape(steps=((30, 40),)),
        Shape(steps=((60, 20),)),
    ]
    assert specs(shapes, kind="shape", marks=[1, 2]) == [Shape(marks=(1, 2))]
    assert specs(shapes, kind="shape", marks=[[1], [2, 3]]) == [Shape(marks=(1,)), Shape(marks=(2, 3))]
    assert specs(shapes, kind="shape", marks=[]) == [Shape()]


def test_what_was_written_and_chosen_is_said(shapes):
    points = unfold(shapes, {"kind": ["plain", "shape"], "k": [1, 2]})
    assert [point.table for point in points] == [{"kind": kind, "k": k} for kind in ("plain", "shape") for k in (1, 2)]
    assert [point.axes for point in points] == [point.table for point in points]
    (point,) = unfold(shapes, {"kind": "shape", "per": "1y", "marks": [1]})
    assert (point.table["per"], point.axes) == ("1y", {})


@pytest.mark.parametrize(
    ("table", "line"),
    [
        ({"kind": "shape", "k": []}, "a.toml, shape 1: k = []; expected a value, or a list of at least one"),
        ({"kind": "shape", "stps": [1, 2]}, "a.toml, shape 1: unknown key 'stps'; did you mean 'steps'?"),
        ({"kind": "shpe"}, "a.toml, shape 1: unknown shape 'shpe'; did you mean 'shape'?"),
        ({"k": 1}, "a.toml, shape 1: missing key 'kind'; expected one of plain, shape"),
        ({"kind": "shape", "k": [1, -1]}, "a.toml, shape 1: k = -1; expected a number more than 0 (points)"),
    ],
)
def test_a_mistake_is_one_line(shapes, table, line):
    with pytest.raises(InputError) as error:
        unfold(shapes, table, "a.toml, shape 1")
    assert str(error.value) == line


def test_depth_counts_lists_alone():
    assert [depth(x) for x in (1, "ab", [], [1], [[1], 2], {"a": [1]})] == [0, 0, 1, 1, 2, 0]


@pytest.mark.parametrize(
    ("annotation", "lists"),
    [
        (float, 0),
        (Duration | None, 0),
        (Literal["a"], 0),
        (dict[str, int], 0),
        (list[float], 1),
        (Step, 1),
        (tuple[Step, ...] | None, 2),
    ],
)
def test_an_annotation_says_how_deep_its_values_are(annotation, lists):
    assert nesting(annotation) == lists


def test_axes_within_parts(leagues):
    found = unfold(
        leagues,
        {
            "kind": "league",
            "skills": {"kind": "normal", "sd": [100, 200]},
            "outcomes": {"kind": "logistic", "draw": [0, 1], "edge": 30},
        },
    )
    assert [(point.spec.skills.sd, point.spec.outcomes.draw) for point in found] == [
        (100, 0), (100, 1), (200, 0), (200, 1),
    ]  # fmt: skip
    assert found[1].axes == {"skills.sd": 100, "outcomes.draw": 1}
    assert {point.spec.outcomes.edge for point in found} == {30}


def test_parts_are_an_axis_and_have_their_own(leagues):
    table = {"kind": "league", "skills": [{"kind": "normal", "sd": [100, 200]}, "normal"]}
    found = unfold(leagues, table)
    assert [point.spec.skills for point in found] == [Normal(sd=100), Normal(sd=200), Normal()]
    assert found[0].axes == {"skills": {"kind": "normal", "sd": 100}}


def test_kinds_of_parts_are_an_axis(leagues):
    (point,) = unfold(leagues, {"kind": "league", "skills": {"kind": ["normal"], "sd": [100]}})
    assert point.axes == {"skills": "normal", "skills.sd": 100}


def test_parts_of_a_list_have_axes_by_their_number(leagues):
    one = [{"kind": "toy", "size": [1, 2]}]
    assert [p.axes for p in unfold(leagues, {"kind": "league", "changes": one})] == [
        {"changes.size": 1}, {"changes.size": 2},
    ]  # fmt: skip
    two = [{"kind": "toy", "size": 5}, *one]
    assert [p.axes for p in unfold(leagues, {"kind": "league", "changes": two})] == [
        {"changes.2.size": 1}, {"changes.2.size": 2},
    ]  # fmt: skip
    lists = unfold(leagues, {"kind": "league", "changes": [[], one]})
    assert [len(p.spec.changes) for p in lists] == [0, 1, 1]
    assert [p.axes["changes"] for p in lists] == [[], [{"kind": "toy", "size": 1}], [{"kind": "toy", "size": 2}]]


def test_models_without_kinds_have_axes_too(leagues):
    found = unfold(leagues, {"kind": "league", "pools": {"names": ["a", "b"], "bridges": [0.1, 1]}})
    assert [(p.spec.pools.names, p.axes) for p in found] == [(("a", "b"), {"pools.bridges": each}) for each in (0.1, 1)]


@pytest.mark.parametrize(
    ("table", "line"),
    [
        ({"skills": {"kind": "normal", "sd": []}}, "w, skills: sd = []; expected a value, or a list of at least one"),
        ({"skills": {"kind": "norml"}}, "w, skills: unknown skills 'norml'; did you mean 'normal'?"),
        ({"skills": "norml"}, "w, skills: unknown skills 'norml'; did you mean 'normal'?"),
        ({"skills": {"sd": 100}}, "w, skills: missing key 'kind'; expected one of"),
        ({"skills": {"kind": "normal", "sd": [1, -1]}}, "w, skills: sd = -1; expected a number at least 0 and"),
        ({"changes": [{"kind": "toy"}, {"kind": "toy", "siz": 1}]}, "w, changes 2: unknown key 'siz'; did you mean"),
        ({"changes": {"kind": "toy"}}, "w: changes = {'kind': 'toy'}; expected a list"),
        ({"skills": 5}, "w: skills = 5; expected a table"),
    ],
)
def test_a_mistake_in_a_part_is_one_line(leagues, table, line):
    with pytest.raises(InputError) as error:
        unfold(leagues, {"kind": "league", **table}, "w")
    assert str(error.value).startswith(line)
