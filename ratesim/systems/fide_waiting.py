"""Games of FIDE's that wait for a later list, by which who was unrated may be rated."""

import math
from collections.abc import Callable

import numpy as np

from ..curves import hundredths
from ..jit import plain
from .base import Floats, Kept, Opening
from .fide_first import GAMES, HALVES
from .fide_kernels import counted, rateable
from .fide_openings import Chosen, counts
from .fide_records import Evidence, Params

COUNTED, RATEABLE, HUNDREDTHS = plain(counted), plain(rateable), plain(hundredths)
PLAYED, SURPLUS, TALLY = range(len(Evidence._fields))
WHO, INTO, EVENT, DAY, SCORE, FOE, WEIGHT = range(len(Kept._fields))


def keep_unrated(rating: Floats, opening: Opening, lost: Chosen) -> None:
    """Keep in mind the games of unrated players that wait for a later list: by then they may be rated."""
    later = np.flatnonzero(opening.into > opening.period)
    if len(lost) or opening.weight is not None:
        later = later[counts(opening)[later] & ~np.isin(later, lost)]
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
