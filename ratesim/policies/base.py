"""What a K policy is: parameters and one kernel, `gain(q, rating, career) -> K`; one K holds for a whole period."""

import functools
from collections import namedtuple
from datetime import date
from typing import Annotated, ClassVar, Literal, NamedTuple, Self

import polars as pl
from annotated_types import Ge
from pydantic import Strict

from ..errors import InputError
from ..jit import Function
from ..registry import Registry
from ..rules import List
from ..spec import Spec


class PolicyKernels(NamedTuple):
    """What the engine needs of a policy."""

    Params: type
    gain: Function  # (q, rating, career) -> K
    career: bool  # whether it looks at the career: the engine keeps none otherwise
    sound: bool = False  # whether K is always a number from 0 to `MOST`: the engine looks at each otherwise


class Policy(Spec):
    """A K policy.

    What is plain numbers and a kernel `gain`, named in the class, is whole; any other says its `kernels` and `params`.
    """

    gain: ClassVar[Function | None] = None  # (q, rating, career) -> K; q has the fields of the class by name
    career: ClassVar[bool] = True  # whether `gain` looks at the career
    sound: ClassVar[bool] = False  # whether the bounds of parameters are such that K is from 0 to `MOST`

    def kernels(self) -> PolicyKernels:
        """Return the record of parameters and the kernel.

        Raises
        ------
        InputError : the class has no kernel, and says none.
        """
        own = type(self)
        if own.gain is None:
            expected = "`gain`, a kernel (q, rating, career) -> K, or `kernels` and `params`"
            raise InputError(f"policy {own.__name__} has no kernel", expected=expected)
        return PolicyKernels(_record(own), own.gain, own.career, _sound(own))

    def params(self) -> tuple[float, ...]:
        """Return one value for each field of `kernels().Params`.

        Raises
        ------
        InputError : one is no number.
        """
        values = {name: getattr(self, name) for name in _names(type(self))}
        for name, value in values.items():
            if not isinstance(value, int | float):
                said = f"policy {type(self).__name__}: {name} = {value!r}"
                raise InputError(said, expected="a number, or `kernels` and `params` of the class's own")
        return tuple(values.values())

    @property
    def changes(self) -> tuple[float, ...]:
        """Days since 1970-01-01 from which `params_at` says something else, rising."""
        return ()

    def params_at(self, day: float) -> tuple[float, ...]:
        """Return the parameters in force on a day."""
        return self.params()

    def under(self, rules: date | Literal["as-of"], of: List) -> Self:
        """Return the same under the rules and the list of a system, where it goes by rules and names none."""
        return self

    def known(self, start: pl.DataFrame, day: float) -> pl.DataFrame:
        """Return a start table with all that the policy goes by, as of the day on which the first period opens.

        Raises
        ------
        InputError : it lacks something.
        """
        return start


POLICIES: Registry[Policy] = Registry("policy", "ratesim.policies")
MOST = 10_000.0  # K of any policy, built in or not
K = Annotated[float, Ge(0.0), Strict()]


def _names(cls: type[Policy]) -> tuple[str, ...]:
    return tuple(name for name in cls.model_fields if name != "kind")


def _sound(cls: type[Policy]) -> bool:
    """Return what is said of K where the kernel is named: a class that inherits it may name another."""
    named = next(each for each in cls.__mro__ if "gain" in vars(each))
    return bool(vars(named).get("sound", False))


@functools.cache
def _record(cls: type[Policy]) -> type:
    """Return the record of the fields of a class: one for all its specs, so that they share a compilation."""
    record: type = namedtuple(cls.__name__, _names(cls))  # type: ignore[misc]  # noqa: PYI024  # known at run time
    record.__module__ = cls.__module__
    return record
