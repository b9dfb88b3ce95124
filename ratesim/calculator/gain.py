"""K of FIDE's rules, with the rule that gave it."""

import itertools
import math
from dataclasses import dataclass
from decimal import Decimal

from ..careers import k_params
from ..errors import InputError
from ..jit import plain
from ..policies import fide_base, fide_gain
from ..records import Career
from ..rules import LATEST, Rules
from . import given
from .given import Day, Number, Under

BORN = 1800  # nobody with a rating was born earlier
MOST_GAMES = 100_000
WHAT = {"games": "the number of rated games so far", "born": "the year of birth", "peak": "the highest rating so far"}
BASE, GAIN = plain(fide_base), plain(fide_gain)


@dataclass(frozen=True, slots=True)
class KFactor:
    """K of one rating period."""

    k: int
    base: int  # as published: before the 700-point rule
    reason: str  # the rule that gave it


def k_factor(
    rating: Number,
    *,
    games: Number | None = None,
    born: Number | None = None,
    peak: Number | None = None,
    period_games: Number = 0,
    date: Day = LATEST,
    list: str = "standard",  # noqa: A002  # FIDE's word for it
) -> KFactor:
    """Return K of a rated player (FIDE Rating Regulations 8.3.3, in the order of precedence of `rs.Fide`).

    What K does not depend on need not be given: not even the peak of a player who is rated 2400.

    Parameters
    ----------
    rating : published rating, a whole number from 1 to 4000.
    games : rated games before the period.
    born : year of birth.
    peak : highest rating published so far.
    period_games : games of the rating period; K times them is at most 700. 0: not known.
    date, list : the rules of that day for that list. A junior is one to the end of the year of the 18th birthday.

    Raises
    ------
    InputError : a value that cannot be, or one is left out that K depends on.

    >>> k_factor(1500, games=40, born=2010, peak=1500, period_games=20).k
    35
    """
    on = given.under(date, list)
    mine = given.own_rating(rating)
    known = (
        None if games is None else given.whole(games, "games", 0, MOST_GAMES),
        None if born is None else given.whole(born, "born", BORN, on.day.year),
        None if peak is None else given.rating(peak, "peak"),
    )
    n = given.whole(period_games, "period_games", 0, MOST_GAMES)
    if known[2] is not None and known[2] < mine:
        raise InputError(f"{known[2]} is below the rating, {mine}", where="peak", expected="the highest rating so far")
    career = _career(on, mine, n, known)
    q = k_params(on.rules)
    base, k = int(BASE(q, career)), int(GAIN(q, mine, career))
    reason = _reason(on.rules, career)
    if k < base:
        reason += f"; K {base} x {n} games is more than {on.rules.k_limit:.0f}: K {k}"
    return KFactor(k, base, reason)


def _career(on: Under, rating: int, n: int, known: tuple[int | None, ...]) -> Career:
    """Return what K depends on; what it does not depend on, anyhow.

    Raises
    ------
    InputError : K would be another one with another value of what is left out.
    """
    q = k_params(on.rules)
    peaks = (float(rating), *(each for each in (on.rules.k_junior_below, on.rules.k_ratchet) if each > rating))
    extremes = {"games": (0.0, math.inf), "born": (float(on.day.year), math.nan), "peak": peaks}
    left_out = {name: extremes[name] for name, each in zip(extremes, known, strict=True) if each is None}
    certain = {name: float(each) for name, each in zip(extremes, known, strict=True) if each is not None}
    blank = Career(games=0.0, fresh=float(n), peak=float(rating), idle=0.0, born=math.nan, year=float(on.day.year))
    careers = [
        blank._replace(**certain, **dict(zip(left_out, values, strict=True)))
        for values in itertools.product(*left_out.values())
    ]
    names = [
        name
        for name, values in left_out.items()
        if any(BASE(q, each._replace(**{name: value})) != BASE(q, each) for each in careers for value in values)
    ]
    if names:
        raise InputError(
            f"left out, and K depends on {'it' if len(names) == 1 else 'them'}", where=", ".join(names),
            expected=f"{' and '.join(WHAT[name] for name in names)}, or K itself",
        )  # fmt: skip
    return careers[-1]


def _reason(found: Rules, career: Career) -> str:
    """Say which step gave K, in the order of `policies.fide_base`."""
    if found.k_new == found.k_most == found.k_top:
        return "the same K for everybody"
    if career.peak >= found.k_ratchet:
        return f"once rated {found.k_ratchet:.0f} or more"
    if career.year - career.born <= found.k_age and career.peak < found.k_junior_below:
        return f"junior to the end of {career.born + found.k_age:.0f}, never rated {found.k_junior_below:.0f}"
    if career.games < found.k_games:
        return f"fewer than {found.k_games:.0f} games so far"
    return f"{found.k_games:.0f} games or more, never rated {found.k_ratchet:.0f}"


def doubts(k: Decimal, on: Under, n: int) -> tuple[str, ...]:
    """Return what the rules say against a K that was given, for n games of a period."""
    rules = on.rules
    steps = sorted({rules.k_new, rules.k_most, rules.k_top})
    held = {math.floor(rules.k_limit / n) for n in range(1, int(rules.k_limit) + 1)}
    if k not in steps and not (k in held and k < steps[-1]):
        known = ", ".join(f"{each:.0f}" for each in steps)
        return (f"K {k} is outside the rules of {on.since} for the {on.list} list, which know {known}",)
    if k * n > rules.k_limit:
        return (f"K {k} x {n} games is more than {rules.k_limit:.0f}: by the rules K is {rules.k_limit // n:.0f}",)
    return ()
