"""A list where one value is meant is an axis, a table a range: the tables of an experiment file, unfolded."""

import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice, product
from typing import Annotated, Any, Generic, Literal, NamedTuple, TypeVar, Union, get_args, get_origin

from pydantic.fields import FieldInfo

from .errors import InputError, TogetherError
from .ranges import Path, Range, Ranged, ranges_in, told, value_at, with_values
from .registry import Registry
from .spec import Spec, is_range

S = TypeVar("S", bound=Spec)
MOST_TRIED = 10_000  # combinations of values among which one is sought that go together


class Point(NamedTuple, Generic[S]):
    """One spec of a grid, the table it was made from, and what the axes chose, by key: `k`, `skills.sd`."""

    spec: S  # where there are ranges, with the usual value of each
    table: dict[str, Any]
    axes: dict[str, Any]
    ranges: tuple[Ranged, ...] = ()
    moved: bool = False  # whether usual values are others than defaults and middles, which do not go together


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

    A table where a number is meant is a `Range`: `k = { low = 5, high = 80 }`. The usual value of such a parameter is
    its default, or the middle of the range where it has none; others, where those do not go together (`moved`).

    Raises
    ------
    InputError : an axis has no values; a kind, key or value is wrong, or an end of a range; what has a range is no
        number.
    """
    return [_point(registry, each, where) for each in _tables(registry, table, where)]


def _point(registry: Registry[S], chosen: Chosen, where: str) -> Point[S]:
    found = tuple(ranges_in(chosen.value))
    if not found:
        return Point(registry.build(chosen.value, where), chosen.value, chosen.axes)
    asked = _usual(registry, chosen.value, found)
    for each in found:
        path = each.path
        each.check(lambda end, path=path: registry.build(with_values(chosen.value, {**asked, path: end})), where)  # type: ignore[misc]
    usual, spec = _feasible(registry, chosen.value, found, asked, where)
    return Point(spec, chosen.value, chosen.axes, found, usual != asked)


def _feasible(
    registry: Registry[S], table: dict[str, Any], found: Sequence[Ranged], usual: dict[Path, Any], where: str
) -> tuple[dict[Path, Any], S]:
    """Return usual values, or the next best that go together, and the spec that has them.

    Raises
    ------
    TogetherError : no setting does; ranges are named, and what is expected of their values.
    """
    for values in (usual, *_rising(found), *_coarse(found)):
        try:
            return values, registry.build(with_values(table, values), where)
        except TogetherError as error:
            mistake = error
    tried = sum(1 for _ in _coarse(found))
    which = told([each.name for each in found], [each.range for each in found])
    said = f"none of {tried:,} settings of {which} goes together"
    raise TogetherError(said, where=where, expected=mistake.expected or f"ranges in which some do: {mistake.what}")


def _rising(found: Sequence[Ranged]) -> Iterator[dict[Path, Any]]:
    """Yield values that rise from range to range, and values that fall."""
    rising = tuple(n / (len(found) + 1) for n in range(1, len(found) + 1))
    for shares in (rising, rising[::-1]):
        yield {path: each.at(share) for (path, each), share in zip(found, shares, strict=True)}


def _coarse(found: Sequence[Ranged]) -> Iterator[dict[Path, Any]]:
    """Yield the settings of a grid, of five values a range where it does not say how many."""
    for values in islice(product(*(each.range.values(5) for each in found)), MOST_TRIED):
        yield {each.path: value for each, value in zip(found, values, strict=True)}


def _usual(registry: Registry[S], table: Mapping[str, Any], ranges: Sequence[Ranged]) -> dict[Path, Any]:
    """Return what parameters are that have a range where nothing is said, or the middle of the range."""
    middle = {path: each.at(0.5) for path, each in ranges}
    try:
        said = registry.build(_without(table)).canonical()
    except InputError:  # one that must be given
        return middle
    for path in middle:
        with suppress(LookupError, TypeError):
            middle[path] = value_at(said, path)
    return middle


def _without(value: Any) -> Any:  # noqa: ANN401  # whatever tables hold
    """Return a table without the keys that have a range, or a list with one."""
    if isinstance(value, Mapping):
        return {key: _without(each) for key, each in value.items() if not _direct(each)}
    return [_without(each) for each in value] if isinstance(value, list) else value


def _direct(value: object) -> bool:
    """Whether a value is a range, or a list, of lists too, with one in it."""
    return isinstance(value, Range) or (isinstance(value, list) and any(map(_direct, value)))


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
    value = value if info is None else _ranged(value, info, family, f"{where}, {key}")
    if not (isinstance(value, list) and depth(value) > (nesting(info.annotation) if info else 0)):
        return [each.inside(key) for each in _inner(value, family, f"{where}, {key}")]
    if not value:
        raise InputError(f"{key} = []", where=where, expected="a value, or a list of at least one")
    return [Chosen(each.value, {key: each.value}) for one in value for each in _inner(one, family, f"{where}, {key}")]


def _ranged(
    value: object, info: FieldInfo, family: Registry[Any] | type[Spec] | None, where: str, level: int = 0
) -> object:
    """Return a value, so many lists deep, with ranges in the place of tables that stand for numbers."""
    if isinstance(value, list):
        return [_ranged(each, info, family, where, level + 1) for each in value]
    number = numeric(info.annotation)
    if not isinstance(value, Mapping) or (family is not None and not (number and is_range(value))):
        return value
    if keyed(info.annotation):
        return {key: Range.parse(each, f"{where}.{key}") if is_range(each) else each for key, each in value.items()}
    if not number:
        raise InputError(f"{{ {', '.join(value)} }}", where=where, expected="a value: only numbers have ranges")
    found = Range.parse(value, where)
    if (lists := nesting(info.annotation, min) - level) > 0:
        said = f"{{ low = {found.low:g}, high = {found.high:g} }}"
        raise InputError(said, where=where, expected=f"a list, such as {'[' * lists}{said}{']' * lists}")
    return found.model_copy(update={"whole": True}) if found.whole or not numeric(info.annotation, float) else found


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


def numeric(annotation: object, kinds: type | tuple[type, ...] = (int, float)) -> bool:
    """Return whether values of an annotation may be numbers, or hold some.

    >>> numeric(float | None), numeric(tuple[int, ...]), numeric(Literal["a"]), numeric(bool), numeric(int, float)
    (True, True, False, False, False)
    """
    if isinstance(annotation, type) and not get_args(annotation):
        return issubclass(annotation, kinds) and annotation is not bool
    if get_origin(annotation) is Literal:
        return False
    inside = get_args(annotation)
    return any(numeric(each, kinds) for each in (inside[:1] if get_origin(annotation) is Annotated else inside))


def keyed(annotation: object) -> bool:
    """Return whether values of an annotation may be tables of numbers by name, which are no ranges themselves.

    >>> keyed(dict[str, float] | None), keyed(tuple[float, ...])
    (True, False)
    """
    inside = get_args(annotation)
    return get_origin(annotation) is dict or any(map(keyed, inside))


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


def nesting(annotation: object, of: Callable[..., int] = max) -> int:
    """Return how many lists deep the values of an annotation are by nature: at most, or with `min` at least.

    >>> nesting(float), nesting(tuple[float, ...]), nesting(list[tuple[int, float]] | None)
    (0, 1, 2)
    >>> nesting(float | tuple[float, ...]), nesting(float | tuple[float, ...], min)
    (1, 0)
    """
    origin, inside = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return nesting(inside[0], of)
    if origin in {Union, types.UnionType}:
        return of(nesting(each, of) for each in inside if each is not type(None))
    if origin is Literal:
        return 0
    family = origin or annotation
    if isinstance(family, type) and issubclass(family, (list, tuple, set, frozenset)):
        return 1 + of((nesting(each, of) for each in inside if each is not Ellipsis), default=0)
    return 0
