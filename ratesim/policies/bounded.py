"""Bounds on top of a policy, and policies times each other."""

import functools
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Literal, Self

from annotated_types import MinLen
from pydantic import model_validator

from ..errors import InputError
from ..records import Career
from ..spec import Bound, choice, quantity
from .base import MOST, POLICIES, Policy, PolicyKernels
from .composed import Composed, Valued, compose, kernels_of
from .constant import Constant
from .fide import held_down

if TYPE_CHECKING:
    from .slots import *  # noqa: F403  # the capitals: `compose` binds them


def between(q: tuple[float, ...], rating: float, career: Career) -> float:
    """Return K held between its bounds; where they cross, the upper one holds."""
    k: float = min(max(K0(q, rating, career), K1(q, rating, career)), K2(q, rating, career))
    return k


def limited(q: tuple[float, ...], rating: float, career: Career) -> float:
    """Return K held down so that K times the games of the period is at most the limit."""
    k: float = held_down(K0(q, rating, career), career.fresh, q[0])
    return k


def times(q: tuple[float, ...], rating: float, career: Career) -> float:
    """Return the product of two."""
    k: float = K0(q, rating, career) * K1(q, rating, career)
    return k


@POLICIES.add
class Bounded(Composed):
    """A policy between a least and a greatest K, and, if asked for, with FIDE's 700-point rule on top.

    Bounds may be policies themselves: the larger or the smaller of two is then meant. With `limit`, K of a player with
    n games in a rating period is limit / n, rounded down, where K n were more (FIDE Rating Regulations of 1 March 2024,
    article 8.3.3, has 700), and that goes before `least`.

    The Free Internet Chess Server has had `least = 16` on top of Glicko's K since 28 April 1997 (its help file
    `rating_changes`): `policy = { kind = "glicko-effective" }`, `least = 16`.
    """

    kind: Literal["bounded"] = "bounded"
    policy: Valued = choice(Constant(), "what is bounded")
    least: Valued = choice(0.0, "K is never below this: rating points a game, or a policy")
    most: Valued = choice(MOST, "K is never above this: rating points a game, or a policy")
    limit: Bound = quantity(
        None, "most that K times the games of a period can be; none: no such rule", unit="rating points", gt=0, le=1e6
    )

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if isinstance(self.least, float) and isinstance(self.most, float) and self.least > self.most:
            raise InputError(f"least = {self.least:g}", expected=f"at most most = {self.most:g}")
        return self

    def laid(self) -> Iterator[float | Policy]:
        """Yield the limit if there is one, the policy, the bounds."""
        yield from () if self.limit is None else (self.limit,)
        yield from (self.policy, self.least, self.most)

    def kernels(self) -> PolicyKernels:
        """Return the record of parameters and the kernel."""
        found = compose(between, kernels_of(self.policy, self.least, self.most))
        if self.limit is None:
            return found
        return compose(limited, (found,), 1, career=True)


@POLICIES.add
class Product(Composed):
    """Policies times each other: K of one, and factors that the others make of it.

    `of = [{ kind = "fide" }, { kind = "steps", by = "idle", k = [1, 2], at = ["1y"] }]` doubles FIDE's K of who has not
    played for a year.
    """

    kind: Literal["product"] = "product"
    of: Annotated[tuple[Valued, ...], MinLen(1)] = choice((Constant(),), "policies, and numbers, that are multiplied")

    def laid(self) -> Iterator[float | Policy]:
        """Yield the factors."""
        yield from self.of

    def kernels(self) -> PolicyKernels:
        """Return the record of parameters and the kernel."""
        # Each is at most MOST, but not so their product: it is looked at as it comes.
        return functools.reduce(lambda one, two: compose(times, (one, two))._replace(sound=False), kernels_of(*self.of))
