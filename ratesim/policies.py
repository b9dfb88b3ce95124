"""K policies: how far one game moves a rating, apart from the system that says in which direction.

A policy is parameters and one kernel, `gain(q, rating, career) -> K`; one K holds for all games of a period.
"""

import functools
import math
from collections import namedtuple
from datetime import date
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, Self

import polars as pl
from annotated_types import Ge, MinLen
from pydantic import Strict, StrictBool, model_validator

from .careers import STEPS, FideParams, k_params, known
from .dates import date_on, day_of
from .jit import Function, kernel
from .records import Career
from .registry import Registry
from .rules import FIRST, LATEST, List, Rules, changes, rules
from .spec import Spec, choice, quantity


class PolicyKernels(NamedTuple):
    """What the engine needs of a policy."""

    Params: type
    gain: Function  # (q, rating, career) -> K
    career: bool  # whether it looks at the career: the engine keeps none otherwise


class Policy(Spec):
    """A K policy."""

    def kernels(self) -> PolicyKernels:
        """Return the record of parameters and the kernel."""
        raise NotImplementedError

    def params(self) -> tuple[float, ...]:
        """Return one value for each field of `kernels().Params`."""
        raise NotImplementedError

    @property
    def changes(self) -> tuple[float, ...]:
        """Days since 1970-01-01 from which `params_at` says something else, rising."""
        return ()

    def params_at(self, day: float) -> tuple[float, ...]:
        """Return the parameters in force on a day."""
        return self.params()

    def known(self, start: pl.DataFrame, day: float) -> pl.DataFrame:
        """Return a start table with all that the policy goes by, as of the day on which the first period opens.

        Raises
        ------
        InputError : it lacks something.
        """
        return start


POLICIES: Registry[Policy] = Registry("policy", "ratesim.policies")
MOST = 10_000.0
K = Annotated[float, Ge(0.0), Strict()]


class ConstantParams(NamedTuple):
    """One K."""

    k: float


@kernel
def constant_gain(q: ConstantParams, rating: float, career: Career) -> float:
    """Return the same K for everybody."""
    return q.k


@POLICIES.add
class Constant(Policy):
    """The same K for every player and game (Elo 1978; 32 and 20 are the usual values)."""

    kind: Literal["constant"] = "constant"
    k: float = quantity(20.0, "K-factor", unit="rating points a game", ge=0, le=MOST)

    def __init__(self, k: float = 20.0, **values: Any) -> None:  # noqa: ANN401  # as pydantic's own
        super().__init__(k=k, **values)  # type: ignore[call-arg]  # its plugin sees the fields of Policy only

    def kernels(self) -> PolicyKernels:
        """Return the record of parameters and the kernel."""
        return PolicyKernels(ConstantParams, constant_gain, career=False)

    def params(self) -> tuple[float, ...]:
        """Return K."""
        return (self.k,)


@kernel
def fide_base(q: FideParams, career: Career) -> float:
    """Return K by games, age and peak, as it is published."""
    young = career.year - career.born <= q.age and career.peak < q.junior
    return q.top if career.peak >= q.ratchet else q.new if young or career.games < q.games else q.most


@kernel
def fide_gain(q: FideParams, rating: float, career: Career) -> float:
    """Return K, held down so that K times the games of the period is at most the limit."""
    k = fide_base(q, career)
    return math.floor(q.limit / career.fresh) if k * career.fresh > q.limit else k


@POLICIES.add
class Fide(Policy):
    """FIDE's steps: 40 until 30 games or for juniors, 20, and 10 for ever once 2400 was reached; 30/15/10 before 2014.

    FIDE Rating Regulations of 1 March 2024, article 8.3.3, and those before: `ratesim.rules` is the table. K x n is at
    most 700 for the n games of a rating period. The order of precedence, which the text leaves open, is the one found
    in FIDE's own lists: the 2400 ratchet first, then juniors never published at 2300, then fewer than 30 games.

    Departures
    ----------
    Where no birth year is known nobody is a junior. Games against rated opponents count before the first list too. K
    goes by the period in which an event is rated, also where it began under an older list. The 700-point rule and the
    end of a junior's year are taken to be as old as the steps they go with.
    A start table says how K goes on: games, peak and born, or born and the published k. A K of 10 then stands for a
    peak of 2400, one of 20 for 30 games, and in a junior for a peak of 2300.
    """

    kind: Literal["fide"] = "fide"
    rules: date | Literal["as-of"] | None = choice(
        None, "date whose rules hold, or as-of: those of each period; left out, the system's, or those of today"
    )
    list: List | None = choice(None, "whose rules: standard, rapid or blitz; left out, the system's, or standard")
    assume: StrictBool = choice(
        default=False,
        about="whether those of a start table that lacks it have no higher peak and 30 games, none where their k is 40",
    )
    new: float | None = quantity(
        None, "K of new players and juniors; none: by the rules", unit="rating points a game", ge=0, le=MOST
    )
    most: float | None = quantity(
        None, "K of everybody else; none: by the rules", unit="rating points a game", ge=0, le=MOST
    )
    top: float | None = quantity(
        None, "K once the ratchet was reached; none: by the rules", unit="rating points a game", ge=0, le=MOST
    )
    games: float | None = quantity(
        None, "rated games after which a player is no longer new; none: by the rules", unit="games", ge=0
    )
    ratchet: float | None = quantity(
        None, "rating that brings the lowest K for ever; none: by the rules", unit="rating points"
    )
    age: float | None = quantity(
        None, "a junior until the end of the year of this birthday; none: by the rules", unit="years", ge=0
    )
    junior: float | None = quantity(
        None, "rating from which a junior is one no longer; none: by the rules", unit="rating points"
    )
    limit: float | None = quantity(
        None, "most that K times the games of a period can be; none: by the rules", unit="rating points", gt=0
    )

    def kernels(self) -> PolicyKernels:
        """Return the record of parameters and the kernel."""
        return PolicyKernels(FideParams, fide_gain, career=True)

    def params(self) -> tuple[float, ...]:
        """Return the steps in the order of the record, those of today where they go by date."""
        return self.params_at(day_of(LATEST))

    def params_at(self, day: float) -> tuple[float, ...]:
        """Return the steps in force on a day; what is left out is as the rules say."""
        own = {step: getattr(self, step) for step in STEPS}
        return k_params(self._rules(day))._replace(**{step: value for step, value in own.items() if value is not None})

    @property
    def changes(self) -> tuple[float, ...]:
        """Days on which the rules change."""
        dates = changes(self.list or "standard") if self.rules == "as-of" else ()
        return tuple(map(day_of, dates))

    def under(self, rules: date | Literal["as-of"], of: List) -> "Fide":
        """Return the same under the rules and the list of a system, where it names none of its own."""
        return self.model_copy(update={"rules": self.rules or rules, "list": self.list or of})

    def _rules(self, day: float) -> Rules:
        on = max(date_on(day), FIRST) if self.rules == "as-of" else self.rules
        return rules(on or LATEST, self.list or "standard")

    def known(self, start: pl.DataFrame, day: float) -> pl.DataFrame:
        """Return a start table with the games and the peak of all who are rated in it.

        Raises
        ------
        InputError : somebody's are not known, and nothing is to be assumed.
        """
        own = FideParams(*self.params_at(day))
        return known(start, k_params(self._rules(day)), own, date_on(day).year, assume=self.assume)


@functools.cache
def steps(n: int) -> type:
    """Return the record of n thresholds and the n + 1 values between them: every length is a compilation of its own."""
    names = " ".join([*(f"k{i}" for i in range(n + 1)), *(f"at{i}" for i in range(n))])
    record: type = namedtuple(f"Steps{n}", names)  # type: ignore[misc]  # noqa: PYI024  # the number is known at run time
    record.__module__ = __name__
    return record


@kernel
def step(q: tuple[float, ...], x: float) -> float:
    """Return the value of the last threshold that x has reached."""
    n = len(q) // 2
    k = q[0]
    for i in range(n):
        k = q[i + 1] if x >= q[n + 1 + i] else k
    return k


@kernel
def games_gain(q: tuple[float, ...], rating: float, career: Career) -> float:
    """Return K by the games played before this period."""
    return step(q, career.games)


@kernel
def rating_gain(q: tuple[float, ...], rating: float, career: Career) -> float:
    """Return K by the rating before this period."""
    return step(q, rating)


class Steps(Policy):
    """K by thresholds: `k[0]` below `at[0]`, `k[i]` from `at[i - 1]` on."""

    looks_at: ClassVar[str]
    k: Annotated[tuple[K, ...], MinLen(1)]
    at: tuple[Annotated[float, Strict()], ...]

    @model_validator(mode="after")
    def _match(self) -> Self:
        if len(self.k) != len(self.at) + 1:
            msg = f"{len(self.k)} values of k need {len(self.k) - 1} thresholds in 'at', not {len(self.at)}"
            raise ValueError(msg)
        if list(self.at) != sorted(set(self.at)):
            msg = f"the thresholds in 'at' must rise, not {list(self.at)}"
            raise ValueError(msg)
        return self

    def kernels(self) -> PolicyKernels:
        """Return the record of parameters and the kernel."""
        by_games = self.looks_at == "games"
        return PolicyKernels(steps(len(self.at)), games_gain if by_games else rating_gain, career=by_games)

    def params(self) -> tuple[float, ...]:
        """Return the values, then the thresholds."""
        return (*self.k, *self.at)


@POLICIES.add
class StepsByGames(Steps):
    """K by the number of games a player has had: 32 below 30 games and 26 from there, say (Stephenson 2012)."""

    looks_at: ClassVar[str] = "games"
    kind: Literal["steps-by-games"] = "steps-by-games"
    k: Annotated[tuple[K, ...], MinLen(1)] = choice((32.0, 26.0), "K below the first threshold, then from each on")
    at: tuple[Annotated[float, Strict()], ...] = choice((30.0,), "thresholds, in games played before the period")


@POLICIES.add
class StepsByRating(Steps):
    """K by a player's own rating: 32 below 2300 and 26 from there, say (Stephenson 2012)."""

    looks_at: ClassVar[str] = "rating"
    kind: Literal["steps-by-rating"] = "steps-by-rating"
    k: Annotated[tuple[K, ...], MinLen(1)] = choice((32.0, 26.0), "K below the first threshold, then from each on")
    at: tuple[Annotated[float, Strict()], ...] = choice((2300.0,), "thresholds, in rating points")


class HarmonicParams(NamedTuple):
    """First K, the games that halve it, and the least K."""

    k: float
    half: float
    least: float


@kernel
def harmonic_gain(q: HarmonicParams, rating: float, career: Career) -> float:
    """Return k / (1 + games / half), at least the least."""
    return max(q.k / (1.0 + career.games / q.half), q.least)


@POLICIES.add
class Harmonic(Policy):
    """K that falls with the games played, k / (1 + n / half): the gain of averaging all results alike.

    Glicko without growth of the deviation, against opponents known exactly, has this K with half = 4 x 173.7 / K0
    games (Glickman 1999, equations for one game at a time).
    """

    kind: Literal["harmonic"] = "harmonic"
    k: float = quantity(120.0, "K of the first game", unit="rating points a game", ge=0, le=MOST)
    half: float = quantity(10.0, "games that halve it", unit="games", gt=0)
    least: float = quantity(0.0, "K never falls below this", unit="rating points a game", ge=0, le=MOST)

    def kernels(self) -> PolicyKernels:
        """Return the record of parameters and the kernel."""
        return PolicyKernels(HarmonicParams, harmonic_gain, career=True)

    def params(self) -> tuple[float, ...]:
        """Return the first K, the games that halve it, the least K."""
        return (self.k, self.half, self.least)
