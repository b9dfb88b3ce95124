"""A first rating of FIDE's: the tallies of the games towards it, and what comes of them."""

import math

from ..curves import DIFFERENCES
from ..jit import kernel
from ..rules import WINDOW
from .fide_records import Params

HYPOTHETICAL = 1800.0  # rating of the opponents that rules from 2024 on add to a first rating
PLACE = 4096.0  # of one month among the four
GAMES, HALVES = 2.0**39, 2.0**25  # places of games and half points in a tally, above the sum of opponents


@kernel
def games_of(tally: float) -> float:
    """Return the number of games in a tally."""
    return math.floor(tally / GAMES)


@kernel
def halves_of(tally: float) -> float:
    """Return the half points in a tally."""
    return math.floor((tally - GAMES * games_of(tally)) / HALVES)


@kernel
def opponents_of(tally: float) -> float:
    """Return the sum of the opponents' ratings in a tally."""
    return tally - GAMES * games_of(tally) - HALVES * halves_of(tally)


@kernel
def first_share(p: Params, games: float, halves: float) -> float:
    """Return the fractional score of a first rating in hundredths, half up, hypothetical draws included."""
    n = games + p.draws
    return math.floor((100.0 * (halves + p.draws) + n) / (2.0 * n))


@kernel
def first_rating(p: Params, games: float, halves: float, opponents: float) -> float:
    """Return a first rating (8.2), half up, before the floor is asked: Ru = Ra + dp, or Ra + 20 for each half point."""
    n = games + p.draws
    total = opponents + HYPOTHETICAL * p.draws
    if p.bonus > 0.0 and halves >= games:
        return min(math.floor((2.0 * total + n) / (2.0 * n) + p.bonus * (halves - games)), p.highest)
    difference = float(DIFFERENCES[int(first_share(p, games, halves))])
    return min(math.floor((2.0 * total + n) / (2.0 * n)) + difference, p.highest)


@kernel
def still(tally: float, months: float, place: float, now: float) -> float:
    """Return a tally if its month, at that place of `months`, lies in the window that ends now; 0 if not."""
    month = math.floor(months / place) % PLACE
    return tally if (now - month) % PLACE < WINDOW else 0.0
