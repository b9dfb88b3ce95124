"""What a figure shows, apart from how it is drawn."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from ..errors import InputError

Z95 = 1.959963984540054  # the normal quantile of .975: half the width of a 95 % band, in standard errors


class EmptyFigureError(InputError):
    """A figure would be empty: these games, or these runs, do not have what it shows."""


@dataclass(frozen=True)
class FigureTable:
    """All that a figure shows.

    Attributes
    ----------
    name : of the figure and of the files it is kept in.
    frame : the numbers, a row a point.
    caption : what it shows, of what and how many, in words.
    meta : what the drawing needs besides, as JSON has it; `drawing` says which one draws it.
    """

    name: str
    frame: pl.DataFrame
    caption: str
    meta: dict[str, Any] = field(default_factory=dict)


def meta_of(
    drawing: str, title: str, runs: Collection[str], players: Collection[str] = (), *, days: bool = False
) -> dict[str, Any]:
    """Return what the drawing of a table needs besides its numbers."""
    return {"drawing": drawing, "title": title, "systems": list(runs), "players": list(players), "days": days}


def with_ratings(histories: Mapping[str, pl.DataFrame]) -> dict[str, pl.DataFrame]:
    """Those that keep ratings, without players who are not rated."""
    kept = {label: frame for label, frame in histories.items() if "rating" in frame.columns}
    seen = {label: frame.filter(pl.col("rating").is_not_nan()) for label, frame in kept.items()}
    rated = {label: frame for label, frame in seen.items() if frame.height}
    if not rated:
        raise EmptyFigureError(
            "no run keeps ratings of these players at these times", expected="a system that rates players"
        )
    return rated


def without_ratings(histories: Mapping[str, pl.DataFrame], rated: Collection[str]) -> str:
    """Return the sentence about runs that keep no ratings, if there are any."""
    without = [label for label in histories if label not in rated]
    return f"No ratings are kept by {listed(without)}. " if without else ""


def counted(number: float, noun: str) -> str:
    """Return how many there are of something, in words.

    >>> counted(1, "game"), counted(1200, "game"), counted(0.5, "game")
    ('1 game', '1,200 games', '0.5 games')
    """
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def listed(names: Sequence[str], most: int = 8) -> str:
    """Return names as words, and of many the number that is left.

    >>> listed(["a", "b", "c"]), listed(["a, b", "c"]), listed(list("abcde"), most=3)
    ('a, b and c', 'a, b; and c', 'a, b and 3 more')
    """
    if len(names) > most:
        names = [*names[: most - 1], f"{len(names) - most + 1} more"]
    if any("," in name for name in names):
        return "; and ".join(filter(None, ("; ".join(names[:-1]), names[-1])))
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))
