"""What kernels are told. All fields are floats, all from the point of view of `me`."""

from typing import NamedTuple


class Game(NamedTuple):
    """One game, as one of its sides sees it."""

    score: float  # 0..1
    edge: float  # +1 I have the advantage, -1 the other; fractions and multiples are allowed
    margin: float  # signed to me, NaN unknown
    extra: float  # the one further column a system names, NaN without


class Clock(NamedTuple):
    """Time since my belief was last brought up to date; all 0 at my debut.

    `idle` and `span` are in the system's unit of growth `per`: elapsed time over `per` where that is a
    duration, periods of the calendar where it was left out.
    """

    now: float  # days since 1970-01-01 UTC: the opening of the period, or the asked-for moment
    days: float  # days since the opening of the period my belief was brought to
    idle: float  # time since the close of the period I last played
    span: float  # length of that period (drift), or of the one being absorbed (absorb)
    seasons: float  # changes of season


class Career(NamedTuple):
    """What a K policy may look at."""

    games: float  # that counted (sum of Evidence.games), before this period, those brought from elsewhere included
    fresh: float  # that counted in this period
    peak: float  # highest rating held at the end of a period, start included
    idle: float  # days since a game last counted, 0 at debut
    born: float  # birth year, NaN unknown
    year: float  # of the opening of this period
