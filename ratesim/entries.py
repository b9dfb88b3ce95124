"""The tables of an experiment file by family: unfolded into specs, each with its label, and no key astray."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Generic, TypeVar

from .calendars import CALENDARS
from .errors import InputError
from .grid import Point, unfold
from .keys import Figures, Score, StreamTable, Tune
from .policies import POLICIES
from .ranges import Path, Ranged, with_values
from .registry import Registry
from .spec import Spec, brief
from .systems.base import SYSTEMS

S = TypeVar("S", bound=Spec)
Block = tuple[str, dict[str, Any]]  # a table, and its place in the file
Blocks = Mapping[str, list[Block]]  # by family
Values = Mapping[Path, float]  # of what has a range
FAMILIES = ("stream", "world", "system", "policy", "calendar")
OWN = {"system": {"label", "tuned_on"}, "policy": {"label", "systems"}, "calendar": {"label"}}  # of the experiment
SPECS: Mapping[str, Registry[Any]] = {"policy": POLICIES, "system": SYSTEMS, "calendar": CALENDARS}
TABLES: Mapping[str, type[Spec]] = {"stream": StreamTable, "tune": Tune, "score": Score, "figures": Figures}


@dataclass(frozen=True)
class Entry(Generic[S]):
    """One spec of the grid and what the file says about it."""

    spec: S
    label: str
    where: str = ""
    tuned_on: str = ""
    only: tuple[str, ...] = ()  # of a policy: the systems it is for, all of them if empty
    ranges: tuple[Ranged, ...] = ()
    called: Callable[[Values], str] | None = field(default=None, compare=False)  # by the values that tuning found
    moved: bool = False  # whether usual values of ranges are others than defaults and middles

    def tuned(self, values: Sequence[float]) -> str:
        """Return the label once ranges have values, one each."""
        if not self.ranges or self.called is None:
            return self.label
        rounded = (float(f"{value:.4g}") for value in values)
        short = (int(value) if value.is_integer() else value for value in rounded)
        return self.called({each.path: value for each, value in zip(self.ranges, short, strict=True)})


def entries(registry: Registry[S], blocks: list[Block]) -> Iterator[Entry[S]]:
    """Unfold the tables of one family.

    Raises
    ------
    InputError : a key or a value is wrong, or a range stands where nothing is tuned.
    """
    own = OWN[registry.word]
    for where, block in blocks:
        said = {key: block[key] for key in own & block.keys()}
        for key, value in said.items():
            _check_text(key, value, where)
        for point in unfold(registry, {key: value for key, value in block.items() if key not in own}, where):
            only, name = said.get("systems", ()), said.get("label")
            check_ranges(registry.word, point, where, tuned="tuned_on" in said)
            yield Entry(
                point.spec,
                _label(point, name),
                where,
                said.get("tuned_on", ""),
                (only,) if isinstance(only, str) else tuple(only),
                point.ranges,
                partial(_label, point, name),
                point.moved,
            )


def alone(registry: Registry[S], kind: str | Mapping[str, Any]) -> Entry[S]:
    """Return what a system takes where the file says nothing."""
    spec = registry.build(kind)
    return Entry(spec, spec.label)


def check_ranges(family: str, point: Point[Any], where: str, *, tuned: bool = False) -> None:
    """Refuse a range of what is not tuned, or of what was tuned elsewhere.

    Raises
    ------
    InputError : there is one.
    """
    for each in point.ranges:
        if family not in {"system", "policy"}:
            expected = "a value, or a list of some: what is tuned has its range under [[system]] or [[policy]]"
            raise InputError(f"{each.name} is a range", where=where, expected=expected)
        if tuned:
            raise InputError("key 'tuned_on'", where=where, expected=f"none, for {each.name} is to be tuned here")


def check_places(blocks: Blocks) -> None:
    """Refuse a key that its kind does not have and another table has, such as k under [[system]].

    Raises
    ------
    InputError : there is one; where it belongs is said.
    """
    known = {family: _keys(registry) for family, registry in SPECS.items()}
    homes = {**known, **{name: {*model.model_fields} - {"kind", "name"} for name, model in TABLES.items()}}
    for family, registry in SPECS.items():
        for where, block in blocks[family]:
            kind = registry.kinds().get(block["kind"]) if isinstance(block.get("kind"), str) else None
            mine = known[family] if kind is None else kind.model_fields.keys()
            for key in block:
                if key in mine or key in OWN[family] or key == "kind":
                    continue
                home = next((other for other, keys in homes.items() if other != family and key in keys), None)
                if home is not None:
                    under = f"[{home}]" if home in {"tune", "score", "figures"} else f"[[{home}]]"
                    raise InputError(f"key '{key}'", where=where, expected=f"it under {under}")


def _keys(registry: Registry[Any]) -> set[str]:
    return {key for model in registry.kinds().values() for key in model.model_fields} - {"kind"}


def _check_text(key: str, value: object, where: str) -> None:
    texts = value if key == "systems" and isinstance(value, list) else [value]
    if not all(isinstance(text, str) and text for text in texts):
        raise InputError(f"{key} = {value!r}", where=where, expected="text")


def _label(point: Point[Any], name: str | None, values: Values | None = None) -> str:
    """Return the kind, or the name given to it, with what an axis chose and what differs from the defaults.

    Parameters
    ----------
    values : what was found of ranges, which then stands in their place.
    """
    spec: Spec = point.spec
    ranged = {str(each.path[0]) for each in point.ranges}
    whole = {*point.axes, *(ranged if values else ())} if name else {*point.axes, *spec.changed, *ranged}
    table = with_values(point.table, values or {})
    said = {key: value for key, value in table.items() if key in whole}
    label = " ".join([name or spec.kind, *told({**said, **_within(point.axes, said)})])
    return label if values is None or "tuned" in label else f"{label} (tuned)"


def _within(axes: Mapping[str, Any], said: Mapping[str, Any]) -> dict[str, Any]:
    """Return what axes inside parts chose, but for parts that are said whole."""
    return {key: value for key, value in axes.items() if key.partition(".")[0] not in said}


def told(values: Mapping[str, Any]) -> Iterator[str]:
    """Yield values as labels have them, `k=20`."""
    return (f"{key}={brief(value)}" for key, value in values.items() if key != "kind")
