"""What a system is shown: of a player beforehand, of games, of a period that opens."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]
Mask = NDArray[np.bool_]


class Start(NamedTuple):
    """What is known of a player before the first game; NaN where the system's own default holds."""

    rating: float = math.nan  # rating points
    deviation: float = math.nan  # rating points
    volatility: float = math.nan  # as the system's paper has it
    games: float = math.nan  # that counted elsewhere
    standard: float = math.nan  # rating on FIDE's standard list


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
    edge: Floats | None = None  # 1 where first has the advantage, -1 where second has it
    stage: NDArray[np.int32] | None = None  # codes of `stages`
    stages: tuple[str, ...] = ()


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
    edge: Floats | None = None  # `Game.edge`, of first; None: the stream's
