"""Swiss tournaments."""

from typing import Literal

import numpy as np

from ...errors import InputError
from ...jit import kernel
from ...rng import Luck
from ...spec import quantity
from ..base import PAIRINGS, Floats, Ints, Mask, Memory, Moment, Pairs, Pool
from ..compiled import compiled
from .colours import takes_first
from .matching import augment, has_met
from .strength import ByStrength


@PAIRINGS.add
class Swiss(ByStrength):
    """Swiss tournaments, one after the other: equals by points meet, and nobody twice while that can be avoided.

    All who are there play. They are ranked by points, then by strength as the tournament began. From the top down, each
    meets the one of their score group who is half the group further down, or else the next one, or one further up, or
    the first of the groups below, whom they have not met in this tournament (the way of FIDE's Dutch system, C.04.3,
    without its finer criteria). Who is left over then has met all others left: pairs are changed from the bottom until
    nobody is (`matching`), and two meet again only if there are fewer new pairs than games. Of an odd number the lowest
    without a bye has one, for a point. First is who was it less often, then who was second last, then whom a coin says.
    """

    kind: Literal["swiss"] = "swiss"
    length: int = quantity(9, "rounds of one tournament", unit="rounds", ge=1, le=1000)

    def games(self, players: int, per_round: int) -> int:
        """Return how many games a round has: one of every two players.

        Raises
        ------
        InputError : another number of games.
        """
        if per_round not in {0, players // 2}:
            raise InputError(
                f"per_round = {per_round} in a Swiss tournament of {players} players",
                expected=f"{players // 2}, or leave it out",
            )
        return players // 2

    def all_play(self, players: int, games: int) -> bool:
        """Return whether all who are there play in a round of so many games, however active they are."""
        return True

    def begin(self, luck: Luck, players: int, games: int) -> Memory:
        """Make room for what a tournament remembers."""
        shape = (len(luck), players)
        return {
            "turn": 0, "points": np.empty(shape), "met": np.empty((*shape, self.length), np.int32),
            "bye": np.empty(shape, np.bool_), "balance": np.empty(shape, np.int32), "was": np.empty(shape, np.int32),
        }  # fmt: skip

    def pair(self, pool: Pool, memory: Memory, luck: Luck, moment: Moment) -> Pairs:
        """Return the games of a round."""
        if memory["turn"] % self.length == 0:
            self._open(pool, memory, luck, moment)
        memory["turn"] += 1
        shape = (len(luck), pool.games)
        absent = pool.weight == 0
        line = np.lexsort((memory["rank"], -memory["points"], absent), axis=1).astype(np.int32)
        pairs = Pairs(np.full(shape, -1, np.int32), np.full(shape, -1, np.int32))
        compiled(pair_groups, "Swiss pairings")(
            line, np.count_nonzero(pool.weight, axis=1), memory["points"], memory["met"], memory["bye"],
            memory["balance"], memory["was"], luck.uniform("colour", moment.round, pool.games), *pairs,
        )  # fmt: skip
        return pairs

    def learn(self, pairs: Pairs, score: Floats, memory: Memory) -> None:
        """Give points, and note opponents and colours."""
        compiled(enter_results, "results of Swiss tournaments")(
            *pairs, score, memory["points"], memory["met"], memory["balance"], memory["was"]
        )

    def _open(self, pool: Pool, memory: Memory, luck: Luck, moment: Moment) -> None:
        """Begin a tournament: rank all by strength, equals by lot."""
        lots = luck.uniform("lots", moment.round, pool.weight.shape[1])
        order = np.lexsort((lots, -self.strength(pool)), axis=1)
        memory["rank"] = np.argsort(order, axis=1, kind="stable")
        memory["met"][:] = -1
        for name in ("points", "bye", "balance", "was"):
            memory[name][:] = 0


def pair_groups(
    ranked: Ints, count: Ints, points: Floats, met: Ints, byes: Mask, balance: Ints, was: Ints, coin: Floats,
    first: Ints, second: Ints,
) -> None:  # fmt: skip
    """Write the games (R, M) of a round, of players in the order of their ranks (R, N), and give byes."""
    partner, near = np.empty(ranked.shape[1], np.int32), np.empty(ranked.shape[1], np.int32)
    for r in range(first.shape[0]):
        line, n = ranked[r], count[r]
        if n % 2 == 1:
            give_bye(line, n, points, byes, r)
            n -= 1
        match(line, n, points, met, r, partner, near)
        m = 0
        for a in range(n):
            if partner[a] > a:
                i, j = line[a], line[partner[a]]
                ahead = takes_first(balance, was, r, i, j, coin[r, m])
                first[r, m], second[r, m] = (i, j) if ahead else (j, i)
                m += 1


@kernel
def match(line: Ints, n: int, points: Floats, met: Ints, r: int, partner: Ints, near: Ints) -> None:
    """Give each of n players, an even number, a partner: both are places in the line."""
    partner[:] = -1
    for a in range(n):
        if partner[a] < 0:
            b = wanted(line, n, points, met, r, partner, near, a)
            if b >= 0:
                partner[a], partner[b] = b, a
    for a in range(n):
        if partner[a] < 0:
            augment(met, r, line, n, partner, a)
    left = -1  # of those who must meet somebody again
    for a in range(n):
        if partner[a] < 0:
            if left < 0:
                left = a
            else:
                partner[a], partner[left] = left, a
                left = -1


@kernel
def give_bye(line: Ints, n: int, points: Floats, byes: Mask, r: int) -> None:
    """Give a point to the lowest without a bye, or to the lowest, and move them out of the line."""
    at = n - 1
    while at > 0 and byes[r, line[at]]:
        at -= 1
    if byes[r, line[at]]:
        at = n - 1
    who = line[at]
    byes[r, who] = True
    points[r, who] += 1.0
    for k in range(at, n - 1):
        line[k] = line[k + 1]
    line[n - 1] = who


@kernel
def wanted(line: Ints, n: int, points: Floats, met: Ints, r: int, partner: Ints, near: Ints, a: int) -> int:
    """Return whom the player at place a of the line is to meet, -1 if they have met all who are free."""
    own, size, b = points[r, line[a]], 0, a + 1
    while b < n and points[r, line[b]] == own:
        if partner[b] < 0:
            near[size] = b
            size += 1
        b += 1
    half = (size + 1) // 2
    for k in range(size):  # from the middle down, then up
        at = half - 1 + k if half + k <= size else size - 1 - k
        if not has_met(met, r, line[a], line[near[at]]):
            return int(near[at])
    while b < n:
        if partner[b] < 0 and not has_met(met, r, line[a], line[b]):
            return b
        b += 1
    return -1


def enter_results(
    first: Ints, second: Ints, score: Floats, points: Floats, met: Ints, balance: Ints, was: Ints
) -> None:  # fmt: skip
    """Note the results of a round."""
    for r in range(first.shape[0]):
        for m in range(first.shape[1]):
            i, j = first[r, m], second[r, m]
            if i >= 0:
                points[r, i] += score[r, m]
                points[r, j] += 1.0 - score[r, m]
                remember(met, r, i, j)
                remember(met, r, j, i)
                balance[r, i] += 1
                balance[r, j] -= 1
                was[r, i], was[r, j] = 1, -1


@kernel
def remember(met: Ints, r: int, i: int, j: int) -> None:
    """Add j to the opponents of i, if there is room: foul play may give somebody more games than a round has."""
    for k in range(met.shape[2]):
        if met[r, i, k] < 0:
            met[r, i, k] = j
            return
