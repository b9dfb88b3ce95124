"""Policies made of policies: kernels made of kernels, with the parameters of all in one record."""

import functools
from collections import namedtuple
from collections.abc import Callable, Iterator, Mapping
from datetime import date
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

import polars as pl
from pydantic import BeforeValidator, SerializeAsAny

from ..jit import Function, part
from ..records import Career
from ..rules import List
from .base import MOST, POLICIES, Policy, PolicyKernels
from .constant import Constant

if TYPE_CHECKING:
    from .slots import *  # noqa: F403  # the capitals: `compose` binds them


def valued(value: object) -> object:
    """Return a K, or a policy out of its name or a table with a kind."""
    if isinstance(value, str | Mapping):
        return POLICIES.build(value)
    number = isinstance(value, int | float) and not isinstance(value, bool) and 0.0 <= value <= MOST
    if not (number or isinstance(value, Policy)):
        msg = f"K is a number from 0 to {MOST:g}, or a policy"
        raise ValueError(msg)
    return value


# The registry stands beside what builds from it, for who unfolds axes and for the schema: see `ratesim.grid.part`.
Valued = Annotated[
    float | SerializeAsAny[Policy],
    BeforeValidator(valued, json_schema_input_type=float | str | dict[str, Any]),
    POLICIES,
]


class Composed(Policy):
    """A policy made of numbers and of policies."""

    def laid(self) -> Iterator[float | Policy]:
        """Yield its numbers and its policies in the order in which their parameters lie."""
        raise NotImplementedError

    def params(self) -> tuple[float, ...]:
        """Return its numbers and those of its policies."""
        return self._flat(lambda policy: policy.params())

    def params_at(self, day: float) -> tuple[float, ...]:
        """Return the same as they are in force on a day."""
        return self._flat(lambda policy: policy.params_at(day))

    def _flat(self, params: Callable[[Policy], tuple[float, ...]]) -> tuple[float, ...]:
        return tuple(x for each in self.laid() for x in (params(each) if isinstance(each, Policy) else (each,)))

    @property
    def inner(self) -> tuple[Policy, ...]:
        """The policies that it is made of."""
        return tuple(each for each in self.laid() if isinstance(each, Policy))

    @property
    def changes(self) -> tuple[float, ...]:
        """Days on which any of its policies changes."""
        return tuple(sorted({day for each in self.inner for day in each.changes}))

    def under(self, rules: date | Literal["as-of"], of: List) -> Self:
        """Return the same with all its policies under the rules and the list of a system."""
        fields = {name: getattr(self, name) for name in type(self).model_fields}
        return self.model_copy(update={name: _under(value, rules, of) for name, value in fields.items()})

    def known(self, start: pl.DataFrame, day: float) -> pl.DataFrame:
        """Return a start table with all that any of its policies goes by.

        Raises
        ------
        InputError : it lacks something.
        """
        for each in self.inner:
            start = each.known(start, day)
        return start


def _under(value: object, rules: date | Literal["as-of"], of: List) -> object:
    if isinstance(value, tuple):
        return tuple(_under(each, rules, of) for each in value)
    return value.under(rules, of) if isinstance(value, Policy) else value


@functools.cache
def numbers(n: int) -> type:
    """Return the record of n numbers."""
    record: type = namedtuple(f"Numbers{n}", [f"q{i}" for i in range(n)])  # type: ignore[misc]  # noqa: PYI024  # known at run time
    record.__module__ = __name__
    return record


def inside(q: tuple[float, ...], rating: float, career: Career) -> float:
    """Return K of a policy whose parameters lie among those of another."""
    k: float = INNER(PARAMS(*q[FROM:TO]), rating, career)
    return k


@functools.cache
def compose(
    template: Function, inner: tuple[PolicyKernels, ...], own: int = 0, *, career: bool = False, **parts: Any
) -> PolicyKernels:
    """Return the kernels of a policy made of others: the same for all that are made alike, whatever their numbers.

    Parameters
    ----------
    template : (q, rating, career) -> K, in which K0, K1, ... are the kernels of the inner policies on the same q.
    own : how many numbers of its own come first in q. career : whether the template itself looks at the career.
    parts : what other names in capitals stand for.
    """
    begin = own
    for n, each in enumerate(inner):
        end = begin + len(each.Params._fields)  # type: ignore[attr-defined]  # every NamedTuple has them
        parts[f"K{n}"] = part(inside, inline=True, INNER=each.gain, PARAMS=each.Params, FROM=begin, TO=end)
        begin = end
    career = career or any(each.career for each in inner)
    sound = all(each.sound for each in inner)
    return PolicyKernels(numbers(begin), part(template, inline=True, **parts), career, sound)


def kernels_of(*values: float | Policy) -> tuple[PolicyKernels, ...]:
    """Return the kernels of some policies; a number is a constant."""
    return tuple((each if isinstance(each, Policy) else Constant()).kernels() for each in values)
