"""FIDE's numbers: expected scores, changes, first ratings, performance ratings and K.

Whole hundredths and exact fractions throughout: what comes out is `Decimal` or `Fraction`, exact to the last digit.
"""

import math
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction

import numpy as np

from ..curves import DIFFERENCES, UPPER, hundredths
from ..dates import day_of
from ..errors import InputError
from ..jit import plain
from ..rules import COMPRESSION, LATEST, NEVER, RAISE
from ..systems.base import Opening
from ..systems.fide_kernels import counted, rateable
from ..systems.fide_openings import one_offs
from ..systems.fide_records import Params, params_of
from . import given
from .first import Initial, initial
from .gain import KFactor, doubts, k_factor
from .given import Day, Number, Result, Score, Under

__all__ = [
    "Change", "Expected", "Game", "Initial", "KFactor", "Performance",
    "change", "expected", "initial", "k_factor", "one_off", "performance", "row",
]  # fmt: skip

COUNTED, RATEABLE, HUNDREDTHS = plain(counted), plain(rateable), plain(hundredths)
NO_RATING = "unrated opponent"


@dataclass(frozen=True, slots=True)
class Expected:
    """Expected scores of both sides of a game."""

    difference: int
    counted: int  # the difference after the 400-point rule
    expected: Decimal
    opponent: Decimal  # the other side's, by its own 400-point rule
    d_min: int  # of the row of table 8.1.2
    d_max: int | None  # None: there is no end to it
    reason: str | None  # why the game is not rated

    @property
    def capped(self) -> bool:
        """Whether the 400-point rule changed the difference."""
        return self.counted != self.difference


@dataclass(frozen=True, slots=True)
class Game:
    """What one game is worth; None where it is not rated."""

    opponent: int | None
    score: Decimal
    difference: int | None
    counted: int | None  # the difference after the 400-point rule
    expected: Decimal | None
    change: Decimal | None  # K (score - expected)
    reason: str | None  # why it is not rated

    @property
    def capped(self) -> bool:
        """Whether the 400-point rule changed the difference."""
        return self.reason is None and self.counted != self.difference


@dataclass(frozen=True, slots=True)
class Change:
    """What games change in a rating."""

    rating: int
    k: Decimal
    k_reason: str | None  # the rule that gave K; None where it was given
    games: tuple[Game, ...]
    sum: Decimal  # of score - expected
    change: Decimal  # K times it
    other_events: Decimal
    new_rating: int  # change and other events' rounded as one, half away from zero
    published: bool  # whether the new rating is not below the floor
    doubts: tuple[str, ...]  # what the rules say against what was given


@dataclass(frozen=True, slots=True)
class Performance:
    """A performance rating, and how it comes about."""

    performance: int
    average: int  # of the opponents, nearest whole number, half up
    p: Decimal  # fractional score in whole hundredths, half up
    dp: int
    games: int
    points: Decimal


def expected(
    difference: Number,
    *,
    rating: Number | None = None,
    date: Day = LATEST,
    list: str = "standard",  # noqa: A002  # FIDE's word for it
) -> Expected:
    """Return the expected scores of a rating difference (FIDE Rating Regulations 8.1.2 and 8.3.1).

    Parameters
    ----------
    difference : own rating less the opponent's, a whole number from -4000 to 4000.
    rating : own rating, which the exemption from the 400-point rule and the 600-point rule of rapid and blitz depend
        on; left out, neither side is so high.
    date, list : the rules of that day for that list.

    Raises
    ------
    InputError : a value that cannot be.

    >>> expected(100).expected, expected(-50).expected
    (Decimal('0.64'), Decimal('0.43'))
    """
    on = given.under(date, list)
    gap = given.whole(difference, "difference", -given.HIGHEST, given.HIGHEST)
    p, mine = params_of(on.rules), 0
    if rating is None:
        p = p._replace(exempt=NEVER, top=NEVER)
    else:
        mine = given.rating(rating)
        given.whole(mine - gap, "rating less difference", 0, given.HIGHEST)
    own, others = (int(COUNTED(p, *sides, math.nan)) for sides in ((mine, mine - gap), (mine - gap, mine)))
    low, high = row(own)
    return Expected(
        difference=gap,
        counted=own,
        expected=_hundredths(HUNDREDTHS(own)),
        opponent=_hundredths(HUNDREDTHS(others)),
        d_min=low,
        d_max=high,
        reason=None if RATEABLE(p, mine, mine - gap) else _far(on),
    )


def row(difference: int) -> tuple[int, int | None]:
    """Return the least and the greatest difference of the row of table 8.1.2 that a difference is in, without signs.

    >>> row(-100), row(736)
    ((99, 106), (736, None))
    """
    n = bisect_left(UPPER, abs(difference))
    return UPPER[n - 1] + 1 if n else 0, UPPER[n] if n < len(UPPER) else None


def change(
    rating: Number,
    results: Iterable[tuple[Number | None, Score]],
    k: Number | None = None,
    *,
    games: Number | None = None,
    born: Number | None = None,
    peak: Number | None = None,
    period_games: Number | None = None,
    other_events: Number = 0,
    date: Day = LATEST,
    list: str = "standard",  # noqa: A002  # FIDE's word for it
) -> Change:
    """Return what the games of one event change in a rating (FIDE Rating Regulations 8.3).

    Parameters
    ----------
    rating : of the list in force when the event starts, a whole number from 1 to 4000.
    results : the opponent's rating, None or 0 where there is none, and the score 0, 0.5 or 1, of each game.
    k : K; left out, it is worked out as `k_factor` does.
    games, born, peak : rated games so far, year of birth, highest rating so far; where K is to be worked out.
    period_games : games of the whole rating period, for the 700-point rule; left out, those given that are rated.
    other_events : changes by the other events of the rating period, K times their sums.
    date, list : the rules of that day, the start of the event, for that list.

    Raises
    ------
    InputError : a value that cannot be, or K depends on what is left out.

    >>> found = change(1500, [(1400, 1), (1600, 0.5), (1550, 0)], k=20)
    >>> found.sum, found.change, found.new_rating
    (Decimal('0.07'), Decimal('1.40'), 1501)
    """
    on = given.under(date, list)
    mine = given.own_rating(rating)
    played = _played(on, mine, given.results(results))
    rated = sum(each.reason is None for each in played)
    n = rated if period_games is None else given.whole(period_games, "period_games", 0, 10**5)
    if n < rated:
        raise InputError(str(n), where="period_games", expected=f"at least the {rated} rated games given")
    doubtful: tuple[str, ...] = ()
    if k is None:
        found = k_factor(mine, games=games, born=born, peak=peak, period_games=n, date=date, list=list)
        gain, reason = Decimal(found.k), found.reason
    else:
        gain, reason = given.gain(k), None
        doubtful = doubts(gain, on, n)
    if mine < on.rules.floor:
        doubtful += (f"{mine} is below {on.rules.floor:.0f}, the lowest rating published under these rules",)
    worth = tuple(_worth(each, gain) for each in played)
    total = sum((each.score - each.expected for each in worth if each.expected is not None), Decimal(0))
    others = given.number(other_events, "other_events", "rating points")
    new = mine + int((gain * total + others).to_integral_value(ROUND_HALF_UP))  # which is away from zero
    return Change(
        rating=mine, k=gain, k_reason=reason, games=worth, sum=total, change=gain * total, other_events=others,
        new_rating=new, published=new >= on.rules.floor or not rated, doubts=doubtful,
    )  # fmt: skip


def _hundredths(n: float) -> Decimal:
    return Decimal(int(n)).scaleb(-2)


def _far(on: Under) -> str:
    return f"{on.rules.far:.0f} points or more apart, and one of the two above {on.rules.top:.0f}"


def _played(on: Under, mine: int, results: tuple[Result, ...]) -> tuple[Game, ...]:
    """Return the games of one event without what they change, which K is not yet known for."""
    p = params_of(on.rules)
    rated = [each.opponent is not None and RATEABLE(p, mine, each.opponent) for each in results]
    upgrades = _upgrades(p, mine, results, rated)
    return tuple(_game(on, p, mine, *each) for each in zip(results, rated, upgrades, strict=True))


def _upgrades(p: Params, mine: int, results: tuple[Result, ...], rated: list[bool]) -> list[float]:
    """Return 1 for the one game of an event whose difference is capped from 2022 to 2024, 0 for its others.

    Ties for the greatest difference come out the same, whichever of them it is.
    """
    gaps = [mine - (each.opponent or 0) if counts else 0 for each, counts in zip(results, rated, strict=True)]
    greatest = gaps.index(max(gaps))
    return [float(n == greatest) if p.one_upgrade else math.nan for n in range(len(gaps))]


def _game(on: Under, p: Params, mine: int, result: Result, rated: bool, upgrade: float) -> Game:  # noqa: FBT001  # one of many columns zipped
    score = Decimal(result.halves) / 2
    if result.opponent is None:
        return Game(None, score, None, None, None, None, NO_RATING)
    gap = mine - result.opponent
    if not rated:
        return Game(result.opponent, score, gap, None, None, None, _far(on))
    held = int(COUNTED(p, mine, result.opponent, upgrade))
    return Game(result.opponent, score, gap, held, _hundredths(HUNDREDTHS(held)), None, None)


def _worth(game: Game, k: Decimal) -> Game:
    return game if game.expected is None else replace(game, change=k * (game.score - game.expected))


def performance(results: Iterable[tuple[Number | None, Score]], *, date: Day = LATEST) -> Performance:
    """Return a performance rating, as for title norms (FIDE Title Regulations 1.4.6 to 1.4.9).

    Parameters
    ----------
    results : the opponent's rating and the score of each game; an unrated opponent, None, counts as the floor.
    date : the rules of that day, for the floor.

    Raises
    ------
    InputError : a value that cannot be.

    >>> performance([(1600, 1), (1600, 0.5)]).performance
    1793
    """
    played = given.results(results)
    floor = int(given.under(date, "standard").rules.floor)
    n = len(played)
    halves = sum(each.halves for each in played)
    average = _half_up(Fraction(sum(floor if each.opponent is None else each.opponent for each in played), n))
    share = _half_up(Fraction(50 * halves, n))
    dp = int(DIFFERENCES[share])
    return Performance(average + dp, average, _hundredths(share), dp, n, Decimal(halves) / 2)


def _half_up(x: Fraction) -> int:
    return math.floor(x + Fraction(1, 2))


def one_off(
    rating: Number,
    *,
    date: Day = COMPRESSION,
    list: str = "standard",  # noqa: A002  # FIDE's word for it
    standard: Number | None = None,
) -> int:
    """Return what a rating became on the list of a day on which FIDE changed many at once.

    On 1 March 2024 ratings below 2000 went four tenths of the way up to 2000. On 1 October 2022 rapid and blitz
    ratings more than 100 below the standard one were raised to 100 below it.

    Parameters
    ----------
    rating : before, a whole number from 0 to 4000.
    date : 2024-03-01 or 2022-10-01; list: whose rating; standard: the same player's, for October 2022.

    Raises
    ------
    InputError : a value that cannot be.

    >>> one_off(1500)
    1700
    """
    on = given.under(date, list)
    if on.day not in (COMPRESSION, RAISE):
        raise InputError(f"no change of all ratings on {on.day}", where="date", expected=f"{RAISE} or {COMPRESSION}")
    own = np.array([float(given.rating(rating))])
    other = np.array([math.nan if standard is None else float(given.rating(standard, "standard"))])
    if on.day == RAISE and on.list != "standard" and standard is None:
        raise InputError("left out, and the change depends on it", where="standard", expected="the standard rating")
    day, nobody = day_of(on.day), np.array([], dtype=np.int32)
    opening = Opening(0, day, day - 1, nobody, nobody, np.array([]), nobody, np.empty((1, 0)), [], standard=other)
    one_offs(own, opening, on.list)
    return int(own[0])
