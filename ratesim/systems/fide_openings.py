"""What FIDE does between lists: one-off changes, and marks on games that only a whole event can tell."""

import logging
import math
from collections.abc import Callable
from datetime import date

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..curves import hundredths
from ..dates import date_on, day_of
from ..errors import InputError
from ..jit import plain
from ..rules import COMPRESSED_BELOW, COMPRESSED_BY, COMPRESSION, FIRST, RAISE, RAISED_TO
from .base import Floats, Games, Kept, Mask, Opening
from .fide_kernels import BEGUN, GAMES, HALVES, UNRATED, Evidence, Params, counted, rateable

MOST_AT_ONCE = 400  # games in one period of a player without a rating: a tally of four such lists can still be added
log = logging.getLogger("ratesim")
COUNTED, RATEABLE, HUNDREDTHS = plain(counted), plain(rateable), plain(hundredths)
PLAYED, SURPLUS, TALLY = range(len(Evidence._fields))
WHO, INTO, EVENT, DAY, SCORE, FOE, WEIGHT = range(len(Kept._fields))
Chosen = NDArray[np.int64]
NONE: Chosen = np.zeros(0, np.int64)


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


def _refuse(games: Games, bad: Mask, what: str, values: Floats, expected: str) -> None:
    if bad.any():
        game = int(bad.argmax())
        where = f"system fide, a game on {date_on(games.time[game])}"
        raise InputError(f"{what} {values[game]:g}", where=where, expected=expected)


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


def _counts(opening: Opening) -> Mask:
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
    wide = np.flatnonzero((mine > 0.0) & (theirs > 0.0) & (np.abs(mine - theirs) > cap) & _counts(opening))
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
    counts = np.tile(_counts(opening), 2)
    new = np.flatnonzero((rating[who] == UNRATED) & (rating[foe] > 0.0) & counts)
    game = new % len(opening.first)
    points = np.where(new < len(opening.first), opening.score[game], 1.0 - opening.score[game])
    played = pl.DataFrame(
        {"who": who[new], "game": game, "event": opening.event[game], "time": opening.time[game], "points": points}
    )
    begun = pl.col("time").min()
    first = played.filter(begun.over("who", "event") == begun.over("who"))
    rating[who[new]] = BEGUN
    return first.filter(pl.col("points").sum().over("who") == 0.0)["game"].to_numpy()


def keep_unrated(rating: Floats, opening: Opening, lost: Chosen) -> None:
    """Keep in mind the games of unrated players that wait for a later list: by then they may be rated."""
    later = np.flatnonzero(opening.into > opening.period)
    if len(lost) or opening.weight is not None:
        later = later[_counts(opening)[later] & ~np.isin(later, lost)]
    first, second = opening.first[later], opening.second[later]
    one, other = rating[first], rating[second]
    mine, foe = np.concatenate([one, other]), np.concatenate([other, one])
    new = np.flatnonzero((mine <= 0.0) & (foe > 0.0))
    if not len(new):
        return
    games, is_second = later[new % len(later)], new >= len(later)
    block = np.empty((len(new), len(Kept._fields)))
    block[:, WHO] = np.where(is_second, opening.second[games], opening.first[games])
    block[:, INTO] = opening.into[games]
    block[:, EVENT] = -1 if opening.event is None else opening.event[games]
    block[:, DAY] = opening.day
    block[:, SCORE] = np.where(is_second, 1.0 - opening.score[games], opening.score[games])
    block[:, FOE] = foe[new]
    block[:, WEIGHT] = 1.0 if opening.weight is None else opening.weight[games]
    opening.kept.append(block)


def _widest(game: Kept, games: list[Kept]) -> Kept:
    """Return the game of a player's event against the lowest rated opponent, the earlier among equals."""
    same = [x for x in games if (x.who, x.event, x.day) == (game.who, game.event, game.day)]
    return min(same, key=lambda x: x.foe)


def rate_kept(rating: Floats, opening: Opening, params_at: Callable[[float], Params]) -> None:
    """Judge the games kept in mind, as this list absorbs them, of those who are rated by now: game by game.

    They are rated for themselves, under the rules of the event's start, and were unrated for their opponents.
    """
    if not opening.kept:
        return
    every = np.concatenate(opening.kept)
    opening.kept[:] = [every[every[:, INTO] > opening.period]]
    due = every[every[:, INTO] == opening.period]
    due = due[rating[due[:, WHO].astype(np.int64)] > 0.0]
    games = [Kept(*row) for row in due.tolist()]
    params = {day: params_at(day) for day in {game.day for game in games}}
    for game in games:
        p, mine = params[game.day], float(rating[int(game.who)])
        upgrade = float(game is _widest(game, games)) if p.one_upgrade else math.nan
        said = opening.evidence[int(game.who)]
        said[TALLY] -= game.weight * (GAMES + HALVES * 2.0 * game.score + game.foe)
        if RATEABLE(p, mine, game.foe):
            said[SURPLUS] += game.weight * (100.0 * game.score - HUNDREDTHS(COUNTED(p, mine, game.foe, upgrade)))
        else:
            said[PLAYED] -= game.weight
