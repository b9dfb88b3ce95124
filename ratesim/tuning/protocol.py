"""Tuning without looking ahead: settings are chosen by the past, and the one chosen is scored on games that none saw.

What decides is the mean loss over all games that are tuned on: every forecast is made before its game, so that the sum
of losses is itself a score of forecasts (Dawid, J. R. Stat. Soc. A 147 (1984) 278, prequential analysis). The folds say
what choosing by the past is worth on what comes next; the games after them are met by two settings alone, the chosen
one and the usual one, once the choice is made.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from ..keys import Tune
from ..ranges import told
from ..replaying.pairs import Pair
from ..sample import Sample
from ..stream import GameStream
from ..sweep import Swept
from .folds import Ints, Parts, nothing, parts
from .search import check, search
from .space import Impossible, Setting, Space
from .sums import ordered, pick
from .tuning import Tried, Tuning, judged

RUNGS = (4, 2)  # settings are first played over a quarter and a half of what is tuned on
KEPT = 2  # of so many settings one goes on
BAD = 1e9  # what a search hears of a setting that forecasts nothing, or is none

Sweeping = Callable[[Sequence[Pair], Ints, int], Swept]  # of the pairs, by bucket (G,), over so many first games


def tuned(
    space: Space, games: GameStream, how: Tune, *, sign: int, seed: int, many: bool, sweep: Sweeping,
    scored: Sample | None = None, begin: Callable[[int], None] | None = None,
) -> Tuning:  # fmt: skip
    """Search a space, and say what was found.

    Parameters
    ----------
    sign : 1 where less is better, -1 where more is.
    many : whether more than 10,000 settings are meant.
    sweep : what sums the losses of pairs over the first games, by bucket.
    scored : which of the games after those tuned on are judged at all; None: all.
    begin : is told how many games all settings play together, at most.

    Raises
    ------
    InputError : a part of the games is empty or has no forecasts, there are too many settings, or in none of them the
        parameters go together.
    """
    count = check(space.ranges, how, many=many)
    cut = parts(games, train=how.train, folds=how.folds, burn_in=how.burn_in, scored=scored)
    if begin is not None:
        begin(_work(count, cut.split, halving=how.halving) + 2 * len(games))
    tried = _tried(space, cut, how, sign=sign, seed=seed, many=many, sweep=sweep)
    _check(tried.lost, cut, range(cut.folds + 1), how.train)
    best = tried.place[pick(tried.lost, sign, tried.rank)]
    both = sweep([space.pair(tried.settings[best]), (space.system, space.policy)], cut.bucket, len(games))
    _check(both, cut, range(cut.folds + 1, cut.folds + (2 if cut.tested else 1)), how.train)
    return judged(space, games, how, cut, tried, both, sign=sign, seed=seed)


def _tried(space: Space, cut: Parts, how: Tune, *, sign: int, seed: int, many: bool, sweep: Sweeping) -> Tried:
    """Try what the search asks for."""
    searched = search(space.ranges, how, seed, many=many)
    settings: list[Setting] = []
    impossible: list[Impossible] = []
    found: list[Swept] = []
    seen: list[float] = []
    while asked := searched.ask():
        some, pairs, others = space.possible(asked)
        heard = dict.fromkeys(asked, BAD)
        if pairs:
            rank = space.rank(some)
            lost, share = _halved(pairs, rank, cut, sign, sweep) if how.halving else _whole(pairs, cut, sweep)
            mean = sign * lost.mean
            heard |= zip(some, np.where(np.isnan(mean), BAD, mean).tolist(), strict=True)
            found.append(lost)
            seen += share
        searched.tell(list(heard.values()))
        settings += some
        impossible += others
    if not settings:
        which = told(space.names, space.ranges)
        said = f"none of {len(impossible):,} settings of {which} goes together ({impossible[0].why})"
        raise InputError(said, expected="ranges in which some do")
    lost = Swept(*(np.concatenate(each) for each in zip(*found, strict=True)))
    place = np.flatnonzero(np.array(seen) == 1.0)
    return Tried(settings, lost.of(place), place, seen, space.rank([settings[n] for n in place]), impossible)


def _work(settings: int, split: int, *, halving: bool) -> int:
    """Return how many games are played over what is tuned on."""
    played = 0
    for rung in RUNGS if halving else ():
        played += settings * max(1, split // rung)
        settings = -(-settings // KEPT)
    return played + settings * split


def _check(lost: Swept, cut: Parts, blocks: Sequence[int], train: float) -> None:
    """Refuse blocks of games that nothing forecasts: their best setting would be an accident of order."""
    for block in blocks:
        if not lost.games[:, cut.block == block].any():
            raise nothing(block, cut.folds, train=train, of="forecasts")


def _whole(pairs: Sequence[Pair], cut: Parts, sweep: Sweeping) -> tuple[Swept, list[float]]:
    """Return what settings lost, and the share of what is tuned on that each was played over."""
    return _wide(sweep(pairs, cut.bucket, cut.split), cut), [1.0] * len(pairs)


def _halved(
    pairs: Sequence[Pair], rank: NDArray[np.int64], cut: Parts, sign: int, sweep: Sweeping
) -> tuple[Swept, list[float]]:
    """Return the same, zeros for settings that were dropped.

    Successive halving (Jamieson and Talwalkar, AISTATS 2016): one of two settings is dropped after a quarter and after
    a half of the games. What decides is the later half of those played, for ratings that begin to move from nothing
    ask for faster ones than they do later.
    """
    share, left = np.zeros(len(pairs)), np.arange(len(pairs))
    for rung in RUNGS:
        stop = max(1, cut.split // rung)
        later = np.where(np.arange(len(cut.bucket)) < stop // 2, -1, cut.bucket).astype(np.int32)
        if (later[:stop] < 0).all():
            continue  # nothing tells them apart as yet
        some = sweep([pairs[int(n)] for n in left], later, stop)
        share[left] = 1.0 / rung
        mean = np.where(np.isnan(some.mean), np.inf, sign * some.mean)
        left = np.sort(left[ordered(mean, rank[left])[: -(-len(left) // KEPT)]])
    found = _wide(sweep([pairs[int(n)] for n in left], cut.bucket, cut.split), cut)
    total, games = np.zeros((2, len(pairs), len(cut.period)))
    total[left], games[left] = found
    share[left] = 1.0
    return Swept(total, games), share.tolist()


def _wide(lost: Swept, cut: Parts) -> Swept:
    """Return the sums over all buckets, those without a game among them."""
    missing = len(cut.period) - lost.total.shape[1]
    return Swept(*(np.pad(each, ((0, 0), (0, missing))) for each in lost))
