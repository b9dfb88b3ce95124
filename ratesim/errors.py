"""What a user did wrong, in one line."""

import difflib
import re
from collections.abc import Iterable


class RatesimError(Exception):
    """Anything ratesim raises on purpose."""


class InputError(RatesimError, ValueError):
    """A mistake in what the user gave: one line that says what, where, what was expected and the nearest right name.

    Parameters
    ----------
    what : what is wrong, in a few words.
    where : file, row, key or column, outermost first ("results.csv, row 17, column score").
    expected : what would have been right, with its unit.
    near : the nearest right name, if one is near.

    >>> print(InputError("unknown system 'glico'", where="a.toml, system 1", near="glicko"))
    a.toml, system 1: unknown system 'glico'; did you mean 'glicko'?
    """

    def __init__(self, what: str, *, where: str = "", expected: str = "", near: str | None = None) -> None:
        self.what, self.where, self.expected, self.near = what, where, expected, near
        super().__init__(
            (f"{where}: " if where else "")
            + what
            + (f"; expected {expected}" if expected else "")
            + (f"; did you mean '{near}'?" if near else "")
        )

    def inside(self, where: str) -> "InputError":
        """Return the same mistake, placed in an outer `where` (the file around a key)."""
        place = ", ".join(filter(None, (where, self.where)))
        return type(self)(self.what, where=place, expected=self.expected, near=self.near)


class TogetherError(InputError):
    """Values each of which may be, but not one beside the other: a least K above the greatest, thresholds that fall."""


class ManyError(InputError):
    """More is asked for than is tried unless it is said to be meant."""


def shown(value: object, most: int = 80) -> str:
    """Return how a value is written in Python, on one line and cut off where it is long.

    >>> print(shown("brier"), shown("x" * 100, 8))
    'brier' 'xxxx...
    """
    line = " ".join(repr(value).split())
    return line if len(line) <= most else f"{line[: most - 3]}..."


def nearest(name: str, names: Iterable[str]) -> str | None:
    """Return the one of `names` a person who wrote `name` most likely meant, or None where none is near.

    >>> nearest("advantge", ["scale", "advantage"])
    'advantage'
    >>> nearest("random-walk", ["career", "walk"])
    'walk'
    """
    names = list(names)
    found = difflib.get_close_matches(name.lower(), {n.lower(): n for n in names}, n=1, cutoff=0.6)
    meant = found or [word for word in re.split(r"[\W_]+", name.lower()) if word]  # or it is a word of what they wrote
    return next((n for n in names if n.lower() in meant), None)
