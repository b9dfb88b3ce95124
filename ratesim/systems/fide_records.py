"""What the kernels of FIDE's Elo read, remember and gather."""

from typing import NamedTuple

from ..rules import Rules

UNRATED, BEGUN = 0.0, -1.0  # in place of a rating: no event yet that counted, and some


class Params(NamedTuple):
    """What the kernels read; one row for each rule set in force. Rating points."""

    cap: float
    exempt: float
    one_upgrade: float
    far: float
    top: float
    floor: float
    draws: float
    bonus: float
    highest: float


class Belief(NamedTuple):
    """The whole-number rating of the list in force, or what is gathered towards a first one.

    A tally is what the games of one list say: their number, half points and the sum of the opponents' ratings, as the
    digits of one number, so that tallies add. `months` holds the lists' months alike, that of tally1 lowest.
    """

    rating: float  # UNRATED or BEGUN before the first list
    months: float
    tally1: float  # newest
    tally2: float
    tally3: float
    tally4: float  # all that is older


class Evidence(NamedTuple):
    """Score above expectation of a rated player, or the tally of an unrated one."""

    games: float
    surplus: float  # hundredths of a point
    tally: float


CAP, FLOOR = Params._fields.index("cap"), Params._fields.index("floor")


def params_of(found: Rules) -> Params:
    """Return what the kernels read of a rule set."""
    return Params(*(float(getattr(found, name)) for name in Params._fields))
