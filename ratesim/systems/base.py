"""The three protocols of a rating system: four pure kernels, a whole stream at once, (later) a refit."""

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..policies import Policy
from ..registry import Registry
from ..spec import Duration, Spec, quantity

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]
Mask = NDArray[np.bool_]
Kernel = Callable[..., Any]


class Kernels(NamedTuple):
    """The four functions of a system and the records they speak.

    Records are NamedTuples of floats. `evidence` is additive over a period; its first field, `games`, says whether
    a game counts. A system with flags keeps them as a bit field in the last field of its belief.
    """

    Params: type
    Belief: type
    Evidence: type
    predict: Kernel  # (p, me, foe, game) -> expected score of me, before the game
    evidence: Kernel  # (p, me, foe, game, expected) -> Evidence
    absorb: Kernel  # (p, me, total, gain, clock) -> Belief, once per period
    drift: Kernel | None = None  # (p, me, clock) -> Belief: time passes; None where nothing does
    complement: bool = False  # the foe's expectation is exactly 1 minus mine
    flags: tuple[str, ...] = ()  # diagnostics, lowest bit first
    seen: int | None = None  # leading fields of a belief that predict and evidence look at; None: all
    careful: Kernel | None = None  # (p, me, total, clock): absorb again where absorb raised the bit above its flags


class Start(NamedTuple):
    """What is known of a player before the first game; NaN where the system's own default holds."""

    rating: float = math.nan  # rating points
    deviation: float = math.nan  # rating points
    volatility: float = math.nan  # as the system's paper has it
    games: float = math.nan  # that counted elsewhere
    standard: float = math.nan  # rating on FIDE's standard list


class Kept(NamedTuple):
    """Columns of games that a system keeps in mind, from the period that judged them to the one that absorbs them."""

    who: float  # row of a player
    into: float  # period
    event: float  # code; -1 without
    day: float  # opening of the period that judged it
    score: float
    foe: float  # first field of the opponent's belief then
    weight: float


class Opening(NamedTuple):
    """A period that opens, and the games that its opening beliefs are about to judge."""

    period: int

    day: float  # of the opening, since 1970-01-01
    before: float  # the same of the period before; its own where the replay begins
    first: Ints  # (n,) rows of the players
    second: Ints
    score: Floats
    into: Ints  # (n,) periods that absorb them
    evidence: Floats  # (R, E) what this period will absorb so far; it may be changed in place
    kept: list[
        Floats
    ]  # (k, columns of `Kept`) each: what is kept in mind, saved with the state; to be changed in place
    event: Ints | None = None  # (n,) codes
    time: Floats | None = None  # (n,) days since 1970-01-01
    weight: Floats | None = None  # (n,) 0: only forecast; None: every game counts
    standard: Floats | None = None  # (R,) each player's rating on FIDE's standard list, NaN unknown
    blank: bool = True  # whether the first field of a belief was 0 for anybody when the replay began
    peak: Floats | None = None  # (R,) highest rating so far, where careers are kept: it may be changed in place


class Told(NamedTuple):
    """Columns of games (G,) that a system has made of others."""

    margin: Floats  # `Game.margin`, of first
    extra: Floats  # `Game.extra`


class Rater(Spec):
    """Anything that forecasts a stream: a kernel system or a whole-stream one."""

    takes_policy: ClassVar[bool] = False  # a K policy means something to it
    default_policy: ClassVar[str] = "constant"
    default_calendar: ClassVar[str] = "per-game"
    depends: ClassVar[tuple[str, ...]] = ()  # distributions whose version its forecasts depend on, beside ratesim's own
    by_halves: ClassVar[bool] = False  # it knows the scores 0, 0.5 and 1 alone
    breaks: ClassVar[dict[str, str]] = {}  # law of ratesim.testing it rightly breaks -> why

    @property
    def grows(self) -> bool:
        """Whether time changes a belief, so that growth must have a unit."""
        return False

    @property
    def usual_calendar(self) -> Mapping[str, Any]:
        """What the calendar is made of where none is named."""
        return {"kind": self.default_calendar}

    def learning(self, policy: Policy) -> Policy:
        """Return the policy as this system uses it."""
        return policy


class System(Rater):
    """A rating system made of kernels: the engine plays it.

    Subclasses are frozen parameter sets in units of the rim (rating points, deviations); `params` turns them into
    what the kernels read.
    """

    surplus_in: ClassVar[float] = 1.0  # points of score in one of its evidence's `surplus`, where it has one

    def kernels(self) -> Kernels:
        """Return the kernels; which ones may depend on a parameter (the curve of `elo`)."""
        raise NotImplementedError

    def params(self) -> tuple[float, ...]:
        """Return one value for each field of `kernels().Params`."""
        raise NotImplementedError

    def belief(self, start: Start) -> tuple[float, ...]:
        """Return the belief about a player who has not played, one value for each field of `kernels().Belief`."""
        raise NotImplementedError

    def columns(self, beliefs: Floats) -> dict[str, Floats]:
        """Return beliefs (N, F) as columns of the rim: `rating` first, then the system's own, each (N,)."""
        raise NotImplementedError

    @property
    def unit(self) -> float | None:
        """Days in one unit of growth, or None where it is one period of the calendar."""
        return None

    @property
    def changes(self) -> tuple[float, ...]:
        """Days since 1970-01-01 from which `params_at` says something else, rising."""
        return ()

    def params_at(self, day: float) -> tuple[float, ...]:
        """Return the parameters in force on a day."""
        return self.params()

    @property
    def alone(self) -> bool:
        """Whether it attends to openings, so that it cannot share a pass with others."""
        return False

    def check(self, games: "Games", beliefs: Floats) -> None:
        """Refuse a stream, or starts (R, F), that the system has no use for, before anything is played.

        Raises
        ------
        InputError : what is wrong.
        """

    def told(self, games: "Games") -> Told | None:
        """Return what `Game.margin` and `Game.extra` are, where they are not the stream's margin and what `open` says.

        Raises
        ------
        InputError : the stream lacks what they are made of.
        """
        return None

    def attends(self, opens: Floats, before: Floats, judging: Mask) -> Mask:
        """Return the periods (T,) at whose opening `open` is to be called; it is asked only where `alone` holds.

        Parameters
        ----------
        opens : (T,) days on which periods open. before : (T,) the same of the period before each, its own of the first.
        judging : (T,) whether it judges or absorbs any games.
        """
        return np.zeros(len(opens), np.bool_)

    def open(self, beliefs: Floats, opening: Opening) -> Floats | None:
        """Change beliefs (R, F) in place as a period opens; return `Game.extra` of the games that it judges."""
        return None


class Growing(System):
    """A system whose deviation grows with time."""

    per: Duration | None = quantity(
        None, "unit of growth: a duration; left out, one period of the calendar", unit="days", gt=0, le=1e6
    )

    @property
    def unit(self) -> float | None:
        """Days in one unit of growth (`per`), or None where it is one period of the calendar."""
        return self.per

    @property
    def grows(self) -> bool:
        """Whether time changes a belief, so that growth must have a unit."""
        return True


class Games(NamedTuple):
    """The columns a whole-stream system sees, in order of time; each (G,)."""

    first: NDArray[np.int32]
    second: NDArray[np.int32]
    score: Floats
    time: Floats  # days since 1970-01-01 UTC
    period: NDArray[np.int32]  # non-decreasing
    players: int
    published_first: Floats | None = None
    published_second: Floats | None = None
    weight: Floats | None = None
    pools: tuple[str, ...] = ()  # names of those that the games are in, where the stream has them
    performance_first: Floats | None = None
    performance_second: Floats | None = None
    margin: Floats | None = None  # signed to first, NaN unknown
    season: NDArray[np.int32] | None = None  # codes, in order of first appearance


class Noted(NamedTuple):
    """Something that a whole-stream system met with, as it knows players and periods: by number."""

    name: str
    times: int  # players and periods
    player: int  # the first it happened to
    period: int  # in which it did


class Found(NamedTuple):
    """What a whole-stream system makes of a stream."""

    forecast: Floats  # (G,) made before any result of the game's period, NaN where it has none
    columns: Mapping[str, Floats] = MappingProxyType({})  # (players,) after the last game; none where it keeps none
    noted: tuple[Noted, ...] = ()


class WholeStream(Rater):
    """A baseline or a peer that forecasts all games of a stream in one call."""

    keeps_ratings: ClassVar[bool] = False  # so that a start table or pools would mean something to it
    by_game: ClassVar[bool] = False  # a forecast looks at its game alone, so that games on disk will do

    def check(self, games: Games) -> None:
        """Refuse a stream that lacks what the system goes by, before anything is played.

        Raises
        ------
        InputError : what is lacking.
        """

    def whole(self, games: Games) -> Found:
        """Return the forecasts, and what is believed after the last game."""
        raise NotImplementedError


SYSTEMS: Registry[Rater] = Registry("system", "ratesim.systems")
