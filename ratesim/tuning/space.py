"""What may vary: a system, its policy, and the ranges of their parameters."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError, TogetherError, nearest
from ..grid import numeric
from ..policies import Policy
from ..ranges import Path, Range, Ranged, named, value_at, with_values
from ..replaying.pairs import Pair
from ..spec import Spec
from ..systems.base import Rater

S = TypeVar("S", bound=Spec)
Setting = tuple[float, ...]  # a value for each range


class Impossible(NamedTuple):
    """A setting whose values do not go together, and why."""

    setting: Setting
    why: str


@dataclass(frozen=True)
class Space:
    """A system and a policy with usual values, and what of them has a range."""

    system: Rater
    policy: Policy | None
    of_system: tuple[Ranged, ...] = ()
    of_policy: tuple[Ranged, ...] = ()
    moved: bool = False  # whether usual values are others than defaults and middles of ranges, which do not go together

    @classmethod
    def of(cls, system: Rater, policy: Policy | None, ranges: Mapping[str, Range]) -> "Space":
        """Make one from names of parameters: `k`, `base.k`, `k.2`; `system.x` or `policy.x` where both have an x.

        Raises
        ------
        InputError : neither has a parameter of that name, both have, it is no number, or it is named twice; or the
            system is fitted in hindsight, to the games that it would be scored on.
        """
        if getattr(system, "hindsight", False):
            said = f"system '{system.kind}' in hindsight is fitted to what comes after too"
            raise InputError(said, where="key hindsight", expected="false where parameters are tuned")
        families: dict[str, Spec] = {"system": system} | ({} if policy is None else {"policy": policy})
        found: dict[str, list[Ranged]] = {"system": [], "policy": []}
        for name, each in ranges.items():
            family, path = _found(name, families)
            if any(path == other.path for other in found[family]):
                raise InputError(f"parameter '{name}' has two ranges", where="ranges", expected="one")
            found[family].append(Ranged(path, each))
        space = cls(system, policy, tuple(found["system"]), tuple(found["policy"]))
        for family, spec in families.items():
            for ranged in found[family]:
                ranged.check(lambda end, spec=spec, ranged=ranged: _with(spec, [ranged], [end]), spec.kind)  # type: ignore[misc]
        return space

    @property
    def ranges(self) -> list[Range]:
        """The ranges, those of the system first."""
        return [each.range for each in (*self.of_system, *self.of_policy)]

    @property
    def names(self) -> list[str]:
        """What has a range, told apart by its family where both have such a parameter."""
        system, policy = ([each.name for each in some] for some in (self.of_system, self.of_policy))
        both = {*system} & {*policy}
        return [
            f"{family}.{name}" if name in both else name
            for family, names in (("system", system), ("policy", policy)) for name in names
        ]  # fmt: skip

    @property
    def usual(self) -> list[float | None]:
        """The usual value of each."""
        return [*_values(self.system, self.of_system), *(_values(self.policy, self.of_policy) if self.policy else ())]

    def rank(self, settings: Sequence[Setting]) -> NDArray[np.int64]:
        """Return the rank of each setting among equals (S,): the more usual values the better, then the earlier."""
        usual = np.array([np.nan if each is None else each for each in self.usual], dtype=np.float64)
        strange = ~np.isclose(np.array(settings, dtype=np.float64), usual, rtol=1e-11, atol=0)  # a grid's are rounded
        rank = np.empty(len(settings), np.int64)
        rank[np.argsort(strange.sum(axis=1), kind="stable")] = np.arange(len(settings))
        return rank

    def pair(self, setting: Sequence[float]) -> Pair:
        """Return the system and the policy with these values.

        Raises
        ------
        TogetherError : together they are none.
        """
        whole = [round(value) if each.whole else value for value, each in zip(setting, self.ranges, strict=True)]
        n = len(self.of_system)
        policy = None if self.policy is None else _with(self.policy, self.of_policy, whole[n:])
        return _with(self.system, self.of_system, whole[:n]), policy

    def possible(self, settings: Sequence[Setting]) -> tuple[list[Setting], list[Pair], list[Impossible]]:
        """Return the settings whose values go together, their systems and policies, and the settings that are none."""
        found: dict[Setting, Pair] = {}
        others = []
        for setting in settings:
            try:
                found[setting] = self.pair(setting)
            except TogetherError as error:
                others.append(Impossible(setting, str(error)))
        return [*found], [*found.values()], others

    def canonical(self) -> list[dict[str, Any]]:
        """Return what has ranges and which, as JSON has it."""
        return [
            {"parameter": name, **each.canonical()} for name, each in zip(self.names, self.ranges, strict=True)
        ]  # fmt: skip


def _with(spec: S, ranged: Sequence[Ranged], values: Sequence[float]) -> S:
    if not ranged:
        return spec
    chosen = {each.path: value for each, value in zip(ranged, values, strict=True)}
    return type(spec).parse(with_values(spec.canonical(), chosen), spec.kind)


def _values(spec: Spec, ranged: Sequence[Ranged]) -> Iterator[float | None]:
    said = spec.canonical()
    return (value_at(said, each.path) for each in ranged)


def _found(name: str, families: Mapping[str, Spec]) -> tuple[str, Path]:
    """Return whose parameter is meant, and its path."""
    family, _, inner = name.partition(".")
    asked = {family: families[family]} if family in families and inner else families
    name = inner if len(asked) == 1 and inner and family in families else name
    there = {each: dict(_numbers(spec)) for each, spec in asked.items()}
    having = [each for each, paths in there.items() if name in paths]
    if len(having) > 1:
        raise InputError(f"parameter '{name}'", where="ranges", expected=f"system.{name} or policy.{name}")
    if not having:
        known = sorted({each for paths in there.values() for each in paths})
        kinds = " and ".join(spec.kind for spec in asked.values())
        near = nearest(name, known)
        expected = "" if near else f"one of {', '.join(known)}" if known else "another: it has no numbers"
        raise InputError(f"{kinds}: no number is called '{name}'", where="ranges", expected=expected, near=near)
    return having[0], there[having[0]][name]


def _numbers(spec: Spec) -> Iterator[tuple[str, Path]]:
    """Yield the numbers in a spec by name, those that are none so far among them."""
    said = spec.canonical()
    for key, info in type(spec).model_fields.items():
        if said[key] is None and numeric(info.annotation):
            yield key, (key,)
        yield from ((named(path), path) for path in _leaves(said[key], (key,)))


def _leaves(value: object, path: Path) -> Iterator[Path]:
    if isinstance(value, Mapping):
        for key, each in value.items():
            yield from _leaves(each, (*path, key))
    elif isinstance(value, list):
        for n, each in enumerate(value):
            yield from _leaves(each, (*path, n))
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield path
