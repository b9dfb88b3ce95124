"""A list where one value is meant is an axis: the tables of an experiment file, unfolded."""

import types
from collections.abc import Mapping
from itertools import product
from typing import Annotated, Any, Generic, Literal, NamedTuple, TypeVar, Union, get_args, get_origin

from .errors import InputError
from .registry import Registry
from .spec import Spec

S = TypeVar("S", bound=Spec)


class Point(NamedTuple, Generic[S]):
    """One spec of a grid, the table it was made from, and the keys of that which were axes."""

    spec: S
    table: dict[str, Any]
    axes: tuple[str, ...]


def unfold(registry: Registry[S], table: Mapping[str, Any], where: str = "") -> list[Point[S]]:
    """Return every spec of one family that a table spans, the last key fastest.

    A value nested deeper in lists than the model's field is an axis: `k = [20, 40]` is two constants, while the
    steps of a policy, which are a list of pairs, make one policy, and a list of such lists several.

    Raises
    ------
    InputError : an axis has no values; a kind, key or value is wrong.
    """
    kinds = table.get("kind")
    if isinstance(kinds, list):
        return [
            Point(point.spec, point.table, ("kind", *point.axes))
            for kind in kinds
            for point in unfold(registry, {**table, "kind": kind}, where)
        ]
    model = registry.find(kinds, where) if isinstance(kinds, str) else Spec  # without a kind `build` says so
    axes = {key: value for key, value in table.items() if _is_axis(key, value, model)}
    for key, values in axes.items():
        if not values:
            raise InputError(f"{key} = []", where=where, expected="a value, or a list of at least one")
    choices = (dict(zip(axes, values, strict=True)) for values in product(*axes.values()))
    tables = [{**table, **chosen} for chosen in choices]
    return [Point(registry.build(each, where), each, tuple(axes)) for each in tables]


def _is_axis(key: str, value: object, model: type[Spec]) -> bool:
    field = model.model_fields.get(key)
    return isinstance(value, list) and depth(value) > (nesting(field.annotation) if field else 0)


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
