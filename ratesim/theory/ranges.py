"""Where laws hold: a value beyond its range is a mistake, not a number."""

import math

from ..errors import InputError


def inside(low: float, high: float = math.inf, /, *, closed: bool = False, **values: float) -> None:
    """Raise where a value is no number between two bounds.

    Parameters
    ----------
    low, high : bounds; an infinite one is never reached.
    closed : whether the bounds themselves are within.
    values : by name.

    Raises
    ------
    InputError : one is not.

    >>> inside(0, 1, expected=2)
    Traceback (most recent call last):
    ratesim.errors.InputError: expected = 2; expected a number more than 0 and less than 1
    """
    for name, value in values.items():
        within = low <= value <= high if closed else low < value < high
        if not (within and math.isfinite(value)):
            raise InputError(f"{name} = {value}", expected=f"a number{_between(low, high, closed=closed)}")


def whole(least: int, most: float = math.inf, /, **values: float) -> None:
    """Raise where a value is no whole number from `least` to `most`.

    Raises
    ------
    InputError : one is not.

    >>> whole(0, games=2.5)
    Traceback (most recent call last):
    ratesim.errors.InputError: games = 2.5; expected a whole number at least 0
    """
    for name, value in values.items():
        if not (math.isfinite(value) and least <= value <= most and value == math.floor(value)):
            raise InputError(f"{name} = {value}", expected=f"a whole number{_between(least, most, closed=True)}")


def _between(low: float, high: float, *, closed: bool) -> str:
    more, less = ("at least", "at most") if closed else ("more than", "less than")
    bounds = ((more, low), (less, high))
    said = " and ".join(f"{word} {bound:,.6g}" for word, bound in bounds if math.isfinite(bound))
    return f" {said}" if said else ""
