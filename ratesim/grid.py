"""A list where one value is meant is an axis: the tables of an experiment file, unfolded."""

import types
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Annotated, Any, Generic, Literal, NamedTuple, TypeVar, Union, get_args, get_origin

from pydantic.fields import FieldInfo

from .errors import InputError
from .registry import Registry
from .spec import Spec

S = TypeVar("S", bound=Spec)


class Point(NamedTuple, Generic[S]):
    """One spec of a grid, the table it was made from, and what the axes chose, by key: `k`, `skills.sd`."""

    spec: S
    table: dict[str, Any]
    axes: dict[str, Any]


@dataclass(frozen=True)
class Chosen:
    """One value out of what axes span, and what they chose to come to it."""

    value: Any
    axes: dict[str, Any] = field(default_factory=dict)

    def inside(self, key: str) -> "Chosen":
        """Return the same with axes named from outside: those of the part `key`, whose kind is the part itself."""
        return Chosen(self.value, {key if k == "kind" else f"{key}.{k}": v for k, v in self.axes.items()})


def unfold(registry: Registry[S], table: Mapping[str, Any], where: str = "") -> list[Point[S]]:
    """Return every spec of one family that a table spans, the last key fastest.

    A value nested deeper in lists than the model's field is an axis: `k = [20, 40]` is two constants, while the
    steps of a policy, which are a list of pairs, make one policy, and a list of such lists several. Axes may stand in
    the tables of parts too: `skills = { kind = "normal", sd = [100, 200] }` is the axis `skills.sd`.

    Raises
    ------
    InputError : an axis has no values; a kind, key or value is wrong.
    """
    found = _tables(registry, table, where)
    return [Point(registry.build(each.value, where), each.value, each.axes) for each in found]


def _tables(family: Registry[Any] | type[Spec], table: Mapping[str, Any], where: str) -> Iterator[Chosen]:
    """Yield every table without axes that a table spans."""
    kinds = table.get("kind")
    if isinstance(kinds, list):
        for kind in kinds:
            for each in _tables(family, {**table, "kind": kind}, where):
                yield Chosen(each.value, {"kind": kind, **each.axes})
        return
    fields = _model(family, kinds, where).model_fields
    for chosen in product(*(_values(key, value, fields.get(key), where) for key, value in table.items())):
        axes = {name: value for each in chosen for name, value in each.axes.items()}
        yield Chosen(dict(zip(table, (each.value for each in chosen), strict=True)), axes)


def _model(family: Registry[Any] | type[Spec], kind: object, where: str) -> type[Spec]:
    if not isinstance(family, Registry):
        return family
    return family.find(kind, where) if isinstance(kind, str) else Spec  # without a kind `build` says so


def _values(key: str, value: object, info: FieldInfo | None, where: str) -> list[Chosen]:
    """Return what a key may be: each value of its axis, or each that axes within its parts span."""
    family = None if info is None else part(info)
    if not (isinstance(value, list) and depth(value) > (nesting(info.annotation) if info else 0)):
        return [each.inside(key) for each in _inner(value, family, f"{where}, {key}")]
    if not value:
        raise InputError(f"{key} = []", where=where, expected="a value, or a list of at least one")
    return [Chosen(each.value, {key: each.value}) for one in value for each in _inner(one, family, f"{where}, {key}")]


def _inner(value: object, family: Registry[Any] | type[Spec] | None, where: str) -> Iterator[Chosen]:
    """Yield each value without axes that a part spans, or a list of parts."""
    if family is not None and isinstance(value, Mapping):
        yield from _tables(family, value, where)
    elif family is not None and isinstance(value, list):
        inner = [list(_inner(each, family, f"{where} {n}")) for n, each in enumerate(value, 1)]
        many = len(value) > 1
        for chosen in product(*inner):
            named = (each.inside(str(n)) if many else each for n, each in enumerate(chosen, 1))
            yield Chosen([each.value for each in chosen], {k: v for each in named for k, v in each.axes.items()})
    else:
        yield Chosen(value)


def part(info: FieldInfo) -> Registry[Any] | type[Spec] | None:
    """Return the kinds that a field's value may be of, or its model where it has no kinds; None for plain values."""
    return _registry(info.metadata) or _part(info.annotation)


def _registry(metadata: object) -> Registry[Any] | None:
    assert isinstance(metadata, list | tuple)  # noqa: S101  # as pydantic and typing have it
    return next((each for each in metadata if isinstance(each, Registry)), None)


def _part(annotation: object) -> Registry[Any] | type[Spec] | None:
    if isinstance(annotation, type) and issubclass(annotation, Spec):
        return annotation
    inside = get_args(annotation)
    if get_origin(annotation) is Annotated:
        return _registry(inside[1:]) or _part(inside[0])
    return next((found for each in inside if (found := _part(each)) is not None), None)


def depth(value: object) -> int:
    """Return how many lists deep a value is.

    >>> depth(1), depth([1, 2]), depth([[30, 40]])
    (0, 1, 2)
    """
    return 1 + max(map(depth, value), default=0) if isinstance(value, list) else 0


def nesting(annotation: object) -> int:
    """Return how many lists deep the values of an annotation are by nature.

    >>> nesting(float), nesting(tuple[float, ...]), nesting(list[tuple[int, float]] | None)
    (0, 1, 2)
    """
    origin, inside = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return nesting(inside[0])
    if origin in {Union, types.UnionType}:
        return max(map(nesting, inside))
    if origin is Literal:
        return 0
    family = origin or annotation
    if isinstance(family, type) and issubclass(family, (list, tuple, set, frozenset)):
        return 1 + max((nesting(each) for each in inside if each is not Ellipsis), default=0)
    return 0
