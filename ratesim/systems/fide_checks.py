"""What no stream of FIDE's games holds, refused before anything is played."""

import numpy as np

from ..dates import date_on, day_of
from ..errors import InputError
from ..rules import FIRST, LISTS, List
from .base import Floats, Games, Mask

MOST_AT_ONCE = 400  # games in one period of a player without a rating: a tally of four such lists can still be added


def check(games: Games, unrated: Mask) -> None:
    """Refuse scores, weights and crowds of games that no FIDE player has.

    Parameters
    ----------
    unrated : (R,) who has no rating when the stream begins.

    Raises
    ------
    InputError : the first of them, by its day.
    """
    _refuse(games, ~np.isin(games.score, (0.0, 0.5, 1.0)), "score", games.score, "0, 0.5 or 1 in a FIDE game")
    if games.weight is not None:
        expected = "a whole number: how many FIDE games this one stands for"
        _refuse(games, games.weight % 1 != 0, "weight", games.weight, expected)
    for side in (games.first, games.second):
        new = np.flatnonzero(unrated[side])
        since = games.period.astype(np.int64) - int(games.period[0])
        pair = side[new] * (since[-1] + 1) + since[new]
        _, where, counts = np.unique(pair, return_index=True, return_counts=True)
        number = np.zeros(len(side))
        number[new[where]] = counts
        crowd, expected = number > MOST_AT_ONCE, f"at most {MOST_AT_ONCE}: shorter periods, or `start`"
        _refuse(games, crowd, "games of an unrated player in one period:", number, expected)


def check_dates(games: Games) -> None:
    """Refuse games older than the rules.

    Raises
    ------
    InputError : the first game is.
    """
    if games.time.min() < day_of(FIRST):
        raise InputError(
            f"no rules on {date_on(games.time.min())}, the date of the first game", where="system fide, key rules",
            expected=f"games from {FIRST} on, or the rules of a date",
        )  # fmt: skip


def check_list(games: Games, of: List) -> None:
    """Refuse games of other lists than the one whose rules hold.

    Raises
    ------
    InputError : a pool has the name of another.
    """
    others = [name for name in games.pools if name in LISTS and name != of]
    if others:
        raise InputError(
            f"games of {' and '.join(others)} under the rules of {of}", where="system fide, key list",
            expected=f"games of one list, and list = '{others[0]}' for those of it",
        )  # fmt: skip


def check_rated(unrated: Mask) -> None:
    """Refuse a stream in which nobody is or gets rated.

    Raises
    ------
    InputError : nobody (R,) has a rating when it begins, and newcomers earn theirs.
    """
    if unrated.all():
        raise InputError(
            "nobody is rated when the stream begins, so nobody ever will be", where="system fide",
            expected="a start table with ratings, or start = 1500",
        )  # fmt: skip


def _refuse(games: Games, bad: Mask, what: str, values: Floats, expected: str) -> None:
    if bad.any():
        game = int(bad.argmax())
        where = f"system fide, a game on {date_on(games.time[game])}"
        raise InputError(f"{what} {values[game]:g}", where=where, expected=expected)
