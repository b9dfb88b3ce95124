"""Games as a maximum of likelihood sees them: players and pairs in order of first appearance, results counted.

Numbered so, answers hang on no names; what has been met by any moment is a beginning of every array.
"""

from typing import NamedTuple

import numpy as np

from .base import Floats, Games, Ints


class Seen(NamedTuple):
    """Games that count, by players in order of first appearance; arrays of games are (g,)."""

    rank: Ints  # (N,) place of each player, -1 without a game
    first: Ints
    second: Ints
    score: Floats
    weight: Floats
    edge: Floats
    day: Floats  # days since 1970-01-01 UTC
    upto: Ints  # (G + 1,) how many of these the first games of the stream hold
    met: Ints  # (g + 1,) how many players they have


def seen(games: Games) -> Seen:
    """Return the games whose weight is above 0."""
    weight = np.ones(len(games.score)) if games.weight is None else games.weight
    counts = weight > 0
    sides = np.stack([games.first[counts], games.second[counts]], axis=1)
    rank, order = np.full(games.players, -1, np.int32), first_seen(sides.ravel())
    rank[order] = np.arange(len(order), dtype=np.int32)
    sides = rank[sides]
    met = np.maximum.accumulate(np.append(-1, sides.max(axis=1, initial=-1))) + 1
    upto = np.append(0, np.cumsum(counts)).astype(np.int32)
    edge = np.zeros(len(weight)) if games.edge is None else games.edge
    first, second = np.ascontiguousarray(sides.T)
    return Seen(
        rank, first, second, games.score[counts], weight[counts], edge[counts], games.time[counts], upto,
        met.astype(np.int32),
    )  # fmt: skip


def first_seen(codes: Ints) -> Ints:
    """Return the different codes in order of first appearance."""
    found, at = np.unique(codes, return_index=True)
    return found[np.argsort(at)].astype(np.int32)


class Pairs(NamedTuple):
    """Pairs of players at one edge, in order of first appearance; arrays (P,) unless said."""

    first: Ints
    second: Ints
    edge: Floats
    at: Ints  # (g,) pair of each game
    results: Floats  # (3, g) of each game: the win, draw and loss of `first`, times the weight
    met: Ints  # (g + 1,) how many pairs the first games hold

    def counts(self, begin: int, end: int, so_far: Floats) -> None:
        """Add the results of games begin..end to those so far (3, P), in place."""
        for kind, result in zip(so_far, self.results, strict=True):
            np.add.at(kind, self.at[begin:end], result[begin:end])


def pairs(games: Seen, *, edges: bool) -> Pairs:
    """Return who met whom, at which edge if `edges`.

    A score s between is a draw as far as it can be, 2 min(s, 1 - s) of one, and else a win or a loss.
    """
    turned = games.first > games.second
    low, high = np.minimum(games.first, games.second), np.maximum(games.first, games.second)
    score = np.where(turned, 1.0 - games.score, games.score)
    edge = np.where(turned, -games.edge, games.edge) if edges else np.zeros(len(score))
    kinds, code = np.unique(edge + 0.0, return_inverse=True)
    players = int(games.met[-1])
    key = (low.astype(np.int64) * players + high) * len(kinds) + code
    found, where, at = np.unique(key, return_index=True, return_inverse=True)
    order = np.argsort(where)
    place = np.empty(len(found), np.int32)
    place[order] = np.arange(len(found), dtype=np.int32)
    at, where = place[at], where[order]
    drawn = 2.0 * np.minimum(score, 1.0 - score)
    won = score - 0.5 * drawn
    met = np.maximum.accumulate(np.append(-1, at)) + 1
    results = games.weight * np.stack([won, drawn, 1.0 - won - drawn])
    return Pairs(low[where], high[where], edge[where], at, results, met.astype(np.int32))
