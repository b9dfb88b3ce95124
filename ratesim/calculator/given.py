"""What is given to the calculator, as numbers or as typed, checked: one line each where it is wrong."""

import datetime as dt
from collections.abc import Iterable
from decimal import Decimal, InvalidOperation
from typing import NamedTuple, TypeVar

from ..errors import InputError, nearest
from ..rules import FIRST, LISTS, List, Rules, changes, rules

HIGHEST = 4000  # no rating is higher
MOST_GAIN = 10_000
UNRATED = "unrated"
SIGNS = {"½": 1, "1/2": 1, "=": 1}  # of a draw, in half points

Day = dt.date | str
Number = int | float | Decimal | str
Score = Number
N = TypeVar("N")


class Result(NamedTuple):
    """One game: the opponent's rating, None of an unrated one, and the points scored in half points."""

    opponent: int | None
    halves: int


class Under(NamedTuple):
    """The rules that something is worked out under."""

    day: dt.date  # asked for
    list: List
    since: dt.date  # when they came into force
    rules: Rules


def under(day: Day, of: str) -> Under:
    """Return the rules of a list on a day, with the day that brought them.

    Raises
    ------
    InputError : no such list or day, or no ratings yet.
    """
    if of not in LISTS:
        near = nearest(str(of), LISTS)
        expected = "" if near else f"one of {', '.join(LISTS)}"
        raise InputError(f"unknown list '{of}'", where="list", expected=expected, near=near)
    asked = _day(day)
    try:
        found = rules(asked, of)
    except InputError as error:
        raise error.inside("date") from None
    return Under(asked, of, max((each for each in changes(of) if each <= asked), default=FIRST), found)


def _day(day: Day) -> dt.date:
    if isinstance(day, dt.datetime):
        return day.date()
    if isinstance(day, dt.date):
        return day
    try:
        return dt.date.fromisoformat(str(day))
    except ValueError:
        raise InputError(f"'{day}' is no date", where="date", expected="year-month-day, such as 2025-11-01") from None


def number(value: Number, where: str, expected: str) -> Decimal:
    """Return a number exactly as it is written.

    Raises
    ------
    InputError : it is none, or not finite.
    """
    try:
        found = Decimal(str(value).strip())
    except InvalidOperation:
        raise InputError(f"'{value}' is no number", where=where, expected=expected) from None
    if not found.is_finite():
        raise InputError(f"'{value}' is no number", where=where, expected=expected)
    return found


def whole(value: Number, where: str, least: int, most: int) -> int:
    """Return a whole number between two bounds, both allowed.

    Raises
    ------
    InputError : it is none.
    """
    expected = f"a whole number from {least} to {most}"
    found = number(value, where, expected)
    if found % 1 or not least <= found <= most:
        raise InputError(str(value), where=where, expected=expected)
    return int(found)


def rating(value: Number, where: str = "rating") -> int:
    """Return a FIDE rating, a whole number from 0 to 4000."""
    return whole(value, where, 0, HIGHEST)


def own_rating(value: Number) -> int:
    """Return the rating of a player who has one: 0 stands for none."""
    return whole(value, "rating", 1, HIGHEST)


def gain(k: Number) -> Decimal:
    """Return a K, from 0 to 10,000.

    Raises
    ------
    InputError : it is none.
    """
    expected = f"a number from 0 to {MOST_GAIN}"
    found = number(k, "k", expected)
    if not 0 <= found <= MOST_GAIN:
        raise InputError(str(k), where="k", expected=expected)
    return found


def halves(score: Score, where: str) -> int:
    """Return the score of a FIDE game in half points.

    Raises
    ------
    InputError : it is not 0, 0.5 or 1.
    """
    text = str(score).strip()
    try:
        found = SIGNS[text] if text in SIGNS else 2 * Decimal(text)
    except InvalidOperation:
        found = Decimal("NaN")
    if found not in (0, 1, 2):
        raise InputError(f"score {text}", where=where, expected="0, 0.5 or 1 in a FIDE game")
    return int(found)


def results(games: Iterable[tuple[Number | None, Score]]) -> tuple[Result, ...]:
    """Return games as given: (rating, score) each, the rating None, 0 or 'unrated' where there is none.

    Raises
    ------
    InputError : there are none, or one is wrong; it says which.
    """
    found = tuple(_result(game, f"game {n}") for n, game in enumerate(games, 1))
    if not found:
        raise InputError("no games", expected="at least one opponent with a score")
    return found


def pair(game: tuple[N, Score], where: str) -> tuple[N, Score]:
    """Return the two parts of a game.

    Raises
    ------
    InputError : it has not two.
    """
    try:
        opponent, score = game
    except (TypeError, ValueError):
        raise InputError(f"{game!r}", where=where, expected="(rating, score)") from None
    return opponent, score


def _result(game: tuple[Number | None, Score], where: str) -> Result:
    opponent, score = pair(game, where)
    text = str(opponent).strip().lower()
    if opponent is None or text == UNRATED:
        return Result(None, halves(score, where))
    if near := nearest(text, [UNRATED]):
        raise InputError(f"rating {opponent}", where=where, near=near)
    return Result(rating(opponent, f"{where}, rating") or None, halves(score, where))
