"""What FIDE does between lists: one-off changes, and marks on games that only a whole event can tell."""

import logging
from datetime import date

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..dates import day_of
from ..errors import InputError
from ..rules import COMPRESSED_BELOW, COMPRESSED_BY, COMPRESSION, RAISE, RAISED_TO
from .base import Floats, Mask, Opening
from .fide_records import BEGUN, UNRATED

log = logging.getLogger("ratesim")
Chosen = NDArray[np.int64]
NONE: Chosen = np.zeros(0, np.int64)


def one_offs(rating: Floats, opening: Opening, of: str) -> None:
    """Change ratings (R,) in place where this list is the first since the day of a one-off change."""
    if _crosses(opening, COMPRESSION):
        low = (rating > 0.0) & (rating < COMPRESSED_BELOW)
        rating[low] += np.floor(COMPRESSED_BY * (COMPRESSED_BELOW - rating[low]) + 0.5)
    if of != "standard" and opening.standard is not None and _crosses(opening, RAISE):
        if np.isnan(opening.standard).all():
            log.info("system fide: no standard ratings are known, so nobody is raised to them on %s", RAISE)
        low = (rating > 0.0) & (rating < opening.standard + RAISED_TO)
        rating[low] = opening.standard[low] + RAISED_TO
        if opening.peak is not None:
            opening.peak[low] = np.maximum(opening.peak[low], rating[low])


def counts(opening: Opening) -> Mask:
    """Return which games do more than be forecast."""
    return np.ones(len(opening.first), np.bool_) if opening.weight is None else opening.weight > 0.0


def _crosses(opening: Opening, day: date) -> bool:
    return opening.before < day_of(day) <= opening.day


def spare_upgrades(rating: Floats, opening: Opening, cap: float) -> Chosen:
    """Return the games whose higher rated side has a wider difference in the event (rules of 2022 to 2024).

    Raises
    ------
    InputError : the stream does not name its events.
    """
    if opening.event is None:
        raise InputError(
            "the 400-point rule of 2022 to February 2024 goes by event, and the stream names none",
            where="system fide", expected="a column event, or the rules of another date",
        )  # fmt: skip
    mine, theirs = rating[opening.first], rating[opening.second]
    wide = np.flatnonzero((mine > 0.0) & (theirs > 0.0) & (np.abs(mine - theirs) > cap) & counts(opening))
    who, event = np.where(mine > theirs, opening.first, opening.second)[wide], opening.event[wide]
    widest = -np.abs(mine - theirs)[wide]  # first of each event, the earlier among equals
    order = np.lexsort((widest, event, who))
    again = (np.diff(who[order]) == 0) & (np.diff(event[order]) == 0)
    return np.asarray(wide[order[1:][again]])


def lost_first_events(rating: Floats, opening: Opening) -> Chosen:
    """Return the games of unrated players whose first event brought no point; from then on they have begun.

    Only games against rated opponents are looked at: no others count. Two events begun at one time are one first event.
    Where the stream names no events there are none: `absorb` then takes a period for one.
    """
    if opening.event is None or opening.time is None or not opening.blank:
        return NONE
    who = np.concatenate([opening.first, opening.second])
    foe = np.concatenate([opening.second, opening.first])
    plays = np.tile(counts(opening), 2)
    new = np.flatnonzero((rating[who] == UNRATED) & (rating[foe] > 0.0) & plays)
    game = new % len(opening.first)
    points = np.where(new < len(opening.first), opening.score[game], 1.0 - opening.score[game])
    played = pl.DataFrame(
        {"who": who[new], "game": game, "event": opening.event[game], "time": opening.time[game], "points": points}
    )
    begun = pl.col("time").min()
    first = played.filter(begun.over("who", "event") == begun.over("who"))
    rating[who[new]] = BEGUN
    return first.filter(pl.col("points").sum().over("who") == 0.0)["game"].to_numpy()
