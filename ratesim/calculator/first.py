"""First ratings of FIDE's rules."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from ..curves import DIFFERENCES
from ..errors import InputError
from ..jit import plain
from ..rules import ENOUGH, LATEST
from ..systems.fide_first import HYPOTHETICAL, first_rating, first_share
from ..systems.fide_records import params_of
from . import given
from .given import Day, Number, Under

SHARE, RATING = plain(first_share), plain(first_rating)
MOST = 1000  # games


@dataclass(frozen=True, slots=True)
class Initial:
    """A first rating, and how it comes about."""

    rating: int  # what the formula gives; on the list only where `published`
    published: bool
    games: int  # real ones
    points: Fraction
    average: Fraction  # of the opponents, Ra; from March 2024 with the two drawn against 1800
    p: Fraction  # fractional score in whole hundredths; from March 2024 with the two draws
    dp: int | None  # table 8.1.1 of it; None where half points above half the games are counted instead
    bonus: Fraction | None  # for those, the rules before March 2024
    raw: Fraction  # average + dp or bonus, before rounding and the highest first rating
    reason: str | None  # why it is not published


def initial(
    opponents: Iterable[Number] = (),
    points: Number = 0,
    *,
    average: Number | None = None,
    games: Number | None = None,
    first_event: bool = True,
    date: Day = LATEST,
    list: str = "standard",  # noqa: A002  # FIDE's word for it
) -> Initial:
    """Return a first rating (FIDE Rating Regulations 8.2).

    Parameters
    ----------
    opponents : ratings of the rated opponents, of all events within 26 months; others do not count.
    points : scored against them.
    average, games : what the opponents' ratings average and how many they are, where single ones are not known.
    first_event : whether the games are the player's first event, of which a zero score is disregarded, or hold it.
    date, list : the rules of that day for that list; of those before 2022 the half points and the floor are readings.

    Raises
    ------
    InputError : a value that cannot be.

    >>> initial([1902, 1877, 1884, 2012, 1832], 3).rating
    1922
    """
    on = given.under(date, list)
    n, total = _opponents(tuple(opponents), average, games)
    halves = _halves(points, n)
    p = params_of(on.rules)
    share = int(SHARE(p, n, halves))
    draws = int(on.rules.draws)
    mean = (total + int(HYPOTHETICAL) * draws) / (n + draws)
    above = halves - n if on.rules.bonus and halves >= n else None
    bonus = None if above is None else above * Fraction(on.rules.bonus)
    dp = int(DIFFERENCES[share]) if bonus is None else None
    rating = int(RATING(p, float(n), float(halves), float(total)))
    reason = _unpublished(on, n, rating, nothing=halves == 0 and first_event)
    return Initial(
        rating=rating, published=reason is None, games=n, points=Fraction(halves, 2), average=mean,
        p=Fraction(share, 100), dp=dp, bonus=bonus, raw=mean + (dp or 0) + (bonus or 0), reason=reason,
    )  # fmt: skip


def _opponents(opponents: tuple[Number, ...], average: Number | None, games: Number | None) -> tuple[int, Fraction]:
    """Return their number and the sum of their ratings."""
    if opponents and (average is not None or games is not None):
        raise InputError("given beside opponents", where="average", expected="opponents, or average and games")
    if opponents:
        ratings = [given.rating(each, f"opponent {n}") for n, each in enumerate(opponents, 1)]
        return len(ratings), Fraction(sum(ratings))
    if average is None or games is None:
        missing = "games" if average is not None else "average" if games is not None else "opponents"
        raise InputError("left out", where=missing, expected="the opponents' ratings, or their average and games")
    n = given.whole(games, "games", 1, MOST)
    mean = given.number(average, "average", "rating points")
    if not 0 <= mean <= given.HIGHEST:
        raise InputError(str(average), where="average", expected=f"0 to {given.HIGHEST} rating points")
    return n, n * Fraction(mean)


def _halves(points: Number, n: int) -> int:
    expected = f"whole or half points from 0 to {n}, the number of opponents"
    halves = 2 * given.number(str(points).replace("½", ".5"), "points", expected)
    if halves % 1 or not 0 <= halves <= 2 * n:
        raise InputError(str(points), where="points", expected=expected)
    return int(halves)


def _unpublished(on: Under, n: int, rating: int, *, nothing: bool) -> str | None:
    """Say why a first rating is not published, if it is not."""
    if nothing:
        return "no point in the first event, which is then disregarded"
    if n < ENOUGH:
        return f"{n} game{'s' * (n != 1)} against rated opponents, and {ENOUGH} are needed"
    if rating < on.rules.floor:
        return f"below the floor of {on.rules.floor:.0f}"
    return None
