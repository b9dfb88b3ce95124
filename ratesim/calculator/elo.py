"""Elo's numbers: expected scores and changes, by the logistic curve, the normal one or FIDE's table.

Expected scores of the logistic curve are forty digits, of the normal one the doubles that a replay forecasts; sums and
products of them are exact, and what is shown is the nearest double.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction

from ..curves import LN10, SCALE, hundredths, normal_curve
from ..errors import InputError, nearest
from ..jit import plain
from . import given
from .given import Number, Score

CURVES = ("logistic", "normal", "fide")
NORMAL, HUNDREDTHS = plain(normal_curve), plain(hundredths)
DIGITS = 40
FARTHEST = 10_000  # tens of odds, where nothing is left of the weaker side
FAR = 1_000_000  # rating points
MOST_DIGITS = 9


@dataclass(frozen=True, slots=True)
class Expected:
    """Expected scores of both sides of a game."""

    difference: float
    counted: float  # the difference, held to the cap
    expected: float
    opponent: float  # the other side's

    @property
    def odds(self) -> float:
        """What is expected of one side over what is of the other: of points, not of wins, as draws are half each."""
        return self.expected / self.opponent if self.opponent else math.inf


@dataclass(frozen=True, slots=True)
class Game:
    """What one game is worth."""

    opponent: float
    score: float
    difference: float
    counted: float  # the difference, held to the cap
    expected: float
    change: float  # K (score - expected)


@dataclass(frozen=True, slots=True)
class Change:
    """What games rated together change in a rating."""

    rating: float
    k: float
    games: tuple[Game, ...]
    sum: float  # of score - expected
    change: float  # K times it
    new_rating: float


def _logistic(tens: Fraction) -> Fraction:
    """Return 1 / (1 + 10^-tens) to forty digits: doubles made of it and of 1 less it are the nearest."""
    held = min(max(tens, Fraction(-FARTHEST)), Fraction(FARTHEST))
    with localcontext(prec=DIGITS):
        return Fraction(1 / (1 + Decimal(10) ** -(Decimal(held.numerator) / held.denominator)))


@dataclass(frozen=True, slots=True)
class _Curve:
    """A curve with its cap and its scale."""

    kind: str
    cap: Fraction | None
    scale: Fraction

    def counted(self, difference: Fraction) -> Fraction:
        return difference if self.cap is None else min(max(difference, -self.cap), self.cap)

    def expected(self, difference: Fraction) -> Fraction:
        """Return the expected score: forty digits, the table's hundredths, or of the normal curve a double."""
        counted = self.counted(difference)
        if self.kind == "fide":
            if counted % 1:
                raise InputError(f"{float(counted)}", where="difference", expected="a whole one, as FIDE's table has")
            return Fraction(int(HUNDREDTHS(float(counted))), 100)
        if self.kind == "logistic":
            return _logistic(counted / self.scale)
        return Fraction(NORMAL(LN10 / float(self.scale), float(counted)))


def expected(
    difference: Number, *, curve: str = "logistic", cap: Number | None = None, scale: Number = SCALE
) -> Expected:
    """Return the expected scores of a rating difference.

    Parameters
    ----------
    difference : own rating less the opponent's, rating points.
    curve : logistic (1 / (1 + 10^(-difference / scale))), normal (of standard deviation 2000/7 where the scale is 400)
        or fide (table 8.1.2, for whole differences).
    cap : a larger difference counts as this one; None: never.
    scale : rating points for odds of ten to one.

    Raises
    ------
    InputError : a value that cannot be.

    >>> round(expected(200).expected, 4), round(expected(400).odds, 4)
    (0.7597, 10.0)
    """
    by = _curve(curve, cap, scale)
    gap = _points(difference, "difference")
    own, other = by.expected(gap), by.expected(-gap)
    return Expected(float(gap), float(by.counted(gap)), float(own), float(other))


def change(
    rating: Number,
    results: Iterable[tuple[Number, Score]],
    k: Number,
    *,
    curve: str = "logistic",
    cap: Number | None = None,
    scale: Number = SCALE,
    average: bool = False,
    digits: Number | None = None,
) -> Change:
    """Return what games that are rated together change in a rating: K times the sum of score - expected.

    Parameters
    ----------
    rating : before, rating points.
    results : the opponent's rating and the score, 0 to 1, of each game.
    k : K-factor, rating points a game.
    curve, cap, scale : see `expected`.
    average : take every opponent for their average: K (points - games x E(average)). FIDE's table needs a whole one,
        which is then the nearest, half up.
    digits : decimals of the new rating, half away from zero; None: all of them.

    Raises
    ------
    InputError : a value that cannot be.

    >>> change(1750, [(1810, 1)], 20, digits=1).new_rating
    1761.7
    """
    by = _curve(curve, cap, scale)
    mine, gain = _points(rating, "rating"), Fraction(given.gain(k))
    played = [_played(game, f"game {n}") for n, game in enumerate(results, 1)]
    if not played:
        raise InputError("no games", expected="at least one opponent with a score")
    if average:
        mean = sum((foe for foe, _ in played), Fraction(0)) / len(played)
        mean = Fraction(math.floor(mean + Fraction(1, 2))) if curve == "fide" else mean
        played = [(mean, score) for _, score in played]
    surplus = [score - by.expected(mine - foe) for foe, score in played]
    games = tuple(
        Game(float(foe), float(score), float(mine - foe), float(by.counted(mine - foe)), float(score - over),
             float(gain * over))
        for (foe, score), over in zip(played, surplus, strict=True)
    )  # fmt: skip
    total = sum(surplus, Fraction(0))
    new = _rounded(mine + gain * total, digits)
    return Change(float(mine), float(gain), games, float(total), float(gain * total), float(new))


def _curve(kind: str, cap: Number | None, scale: Number) -> _Curve:
    if kind not in CURVES:
        near = nearest(str(kind), CURVES)
        expected = "" if near else f"one of {', '.join(CURVES)}"
        raise InputError(f"unknown curve '{kind}'", where="curve", expected=expected, near=near)
    held = None if cap is None else _points(cap, "cap", positive=True)
    width = _points(scale, "scale", positive=True)
    if kind == "fide" and width != SCALE:
        raise InputError(str(scale), where="scale", expected="none with FIDE's table, which has its own")
    return _Curve(kind, held, width)


def _points(value: Number, where: str, *, positive: bool = False) -> Fraction:
    expected = f"rating points above 0, at most {FAR}" if positive else f"rating points from -{FAR} to {FAR}"
    found = given.number(value, where, expected)
    if abs(found) > FAR or (positive and found <= 0):
        raise InputError(str(value), where=where, expected=expected)
    return Fraction(found)


def _played(game: tuple[Number, Score], where: str) -> tuple[Fraction, Fraction]:
    opponent, score = given.pair(game, where)
    return _points(opponent, f"{where}, rating"), _score(score, where)


def _score(value: Score, where: str) -> Fraction:
    text = str(value).strip()
    if text in given.SIGNS:
        return Fraction(given.SIGNS[text], 2)
    found = given.number(value, f"{where}, score", "0 to 1")
    if not 0 <= found <= 1:
        raise InputError(text, where=f"{where}, score", expected="0 to 1")
    return Fraction(found)


def _rounded(x: Fraction, digits: Number | None) -> Fraction:
    """Return x to so many decimals, half away from zero."""
    if digits is None:
        return x
    unit = 10 ** given.whole(digits, "digits", 0, MOST_DIGITS)
    size = Fraction(math.floor(abs(x) * unit + Fraction(1, 2)), unit)
    return size if x >= 0 else -size
