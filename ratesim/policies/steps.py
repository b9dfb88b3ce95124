"""K by thresholds of the games, the rating, the age or the idle time of a player."""

import functools
import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

from annotated_types import MinLen
from pydantic import Strict, ValidationInfo, field_validator, model_validator

from ..errors import InputError
from ..jit import Function, kernel, part
from ..records import Career
from ..spec import choice, days
from .base import POLICIES, Policy, PolicyKernels
from .composed import Composed, Valued, compose, kernels_of, numbers

if TYPE_CHECKING:
    from .slots import *  # noqa: F403  # the capitals: `compose` binds them

By = Literal["games", "rating", "age", "idle"]


@kernel
def games_of(rating: float, career: Career) -> float:
    """Return the games played before this period."""
    return career.games


@kernel
def rating_of(rating: float, career: Career) -> float:
    """Return the rating before this period."""
    return rating


@kernel
def age_of(rating: float, career: Career) -> float:
    """Return the birthday of this year, NaN where no birth year is known."""
    return career.year - career.born


@kernel
def idle_of(rating: float, career: Career) -> float:
    """Return the days since a game last counted."""
    return career.idle


LOOKS: dict[str, Function] = {"games": games_of, "rating": rating_of, "age": age_of, "idle": idle_of}


def step(q: tuple[float, ...], rating: float, career: Career) -> float:
    """Return the number before the first threshold that was not reached; each stands before its number."""
    x = LOOK(rating, career)
    n = len(q) // 2
    k = q[2 * n]
    for i in range(n - 1, -1, -1):
        k = q[2 * i + 1] if x < q[2 * i] else k
    return k


def split(q: tuple[float, ...], rating: float, career: Career) -> float:
    """Return K of one policy below a threshold and of another from there on."""
    k: float = K0(q, rating, career) if LOOK(rating, career) < q[0] else K1(q, rating, career)
    return k


def room(n: int) -> int:
    """Return how many numbers the kernel of n has room for, so that few are compiled and most share their lanes."""
    return max(4, 1 << (n - 1).bit_length())


@functools.cache
def stepped(look: Function, n: int, *, career: bool) -> PolicyKernels:
    """Return the kernels of n numbers and the thresholds between them."""
    return PolicyKernels(numbers(2 * n - 1), part(step, inline=True, LOOK=look), career, sound=True)


@POLICIES.add
class Steps(Composed):
    """K by thresholds of games, rating, age or idle time: `k[0]` below `at[0]`, `k[i]` from `at[i - 1]` on.

    What is left out is 32 below 30 games and 26 from there; `by = "rating"`, `k = [32, 26]`, `at = [2300]` is the other
    that Stephenson tried on FIDE's games (2012). Values of `k` may be policies themselves: `k = [40, { kind = "steps",
    by = "rating", k = [20, 10], at = [2400] }]`, `at = [30]` is FIDE's K without juniors and without the ratchet.

    All is as it was before the period. Games are those that counted; an age is that of the birthday in the year of the
    period; idle time is in days since the opening of the last period in which a game counted, 0 before any has.

    Departures
    ----------
    Where no birth year is known, a player is taken to be past all thresholds of age; players of a start table that does
    not say their games have had none. In Stephenson's `kgames` and `krating` the threshold itself is still below.
    """

    kind: Literal["steps"] = "steps"
    by: By = choice("games", "what thresholds are of")
    k: Annotated[tuple[Valued, ...], MinLen(1)] = choice(
        (32.0, 26.0), "K below the first threshold, then from each on: numbers, or policies"
    )
    at: tuple[Annotated[float, Strict()], ...] = choice(
        (30.0,), "thresholds, rising: games, rating points, years, or days (or texts such as '6mo')"
    )

    @field_validator("at", mode="before")
    @classmethod
    def _durations(cls, at: Any, info: ValidationInfo) -> Any:
        idle = info.data.get("by") == "idle" and isinstance(at, list | tuple)
        return tuple(map(days, at)) if idle else at

    @model_validator(mode="after")
    def _match(self) -> Self:
        if self.by != "games" and not {"k", "at"} <= self.model_fields_set:
            raise InputError(f"by = '{self.by}'", expected="k and at beside it")
        if len(self.k) != len(self.at) + 1:
            msg = f"{len(self.k)} values of k need {len(self.k) - 1} thresholds in 'at', not {len(self.at)}"
            raise ValueError(msg)
        if list(self.at) != sorted(set(self.at)):
            raise InputError(f"at = {list(self.at)}", expected="thresholds that rise")
        return self

    def laid(self) -> Iterator[float | Policy]:
        """Yield each threshold before what holds below it, those that nobody reaches, then what holds from the last on.

        Where all are numbers the kernel has room for more.
        """
        for k, at in zip(self.k, self.at, strict=False):
            yield from (at, k)
        if not any(isinstance(k, Policy) for k in self.k):
            yield from (math.inf, self.k[-1]) * (room(len(self.k)) - len(self.k))
        yield self.k[-1]

    def kernels(self) -> PolicyKernels:
        """Return the record of parameters and the kernel."""
        look, career = LOOKS[self.by], self.by != "rating"
        if not self.inner:
            return stepped(look, room(len(self.k)), career=career)
        *below, above = kernels_of(*self.k)
        for each in reversed(below):
            above = compose(split, (each, above), 1, career=career, LOOK=look)
        return above
