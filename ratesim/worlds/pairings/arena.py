"""Waves of an arena, such as those of Lichess."""

from typing import Literal

import numpy as np

from ...jit import kernel
from ...rng import Luck
from ...spec import quantity
from ..base import PAIRINGS, Floats, Ints, Mask, Memory, Moment, Pairs, Pool
from ..compiled import compiled
from .colours import takes_first
from .present import attending, once
from .strength import ByStrength

STREAK = 3  # games at most that somebody is first, or second, in a row
LOW, HIGH = 300.0, 2000.0  # rating points that a rank is worth at the bottom and at the top


@PAIRINGS.add
class Arena(ByStrength):
    """Waves of an arena: everybody plays somebody of about their rank and strength, each wave anew.

    Ranks go by points (2 for a win, 1 for a draw; no double points for streaks), then by strength, and by lot in the
    first wave. From the top down, each meets the one of those left for whom |difference of ranks| × f + |gap| is least,
    f falling from 2000 points at the top to 300 at the bottom by the better rank of the two, as in Lichess's arenas
    (lila, `arena/PairingSystem`; there the sum over all pairs is least). Nobody meets their last opponent again, unless
    these two are alone, and nobody is first, or second, more than three times in a row; for whom nobody is left, they
    wait for the next wave.
    """

    kind: Literal["arena"] = "arena"
    length: int = quantity(
        20, "rounds of one arena, after which all points are back to 0", unit="rounds", ge=1, le=10**6
    )

    def games(self, players: int, per_round: int) -> int:
        """Return how many games a round has room for, at most one of every two players."""
        return once(self.kind, players, per_round)

    def all_play(self, players: int, games: int) -> bool:
        """Return whether all who are there play in a round of so many games, however active they are."""
        return 2 * games + 1 >= players

    def begin(self, luck: Luck, players: int, games: int) -> Memory:
        """Begin with no points, no opponents and no colours."""
        shape = (len(luck), players)
        return {
            "turn": 0, "points": np.zeros(shape), "last": np.full(shape, -1, np.int32),
            "streak": np.zeros(shape, np.int32), "balance": np.zeros(shape, np.int32),
        }  # fmt: skip

    def pair(self, pool: Pool, memory: Memory, luck: Luck, moment: Moment) -> Pairs:
        """Return the games of a round."""
        fresh, shape = memory["turn"] % self.length == 0, (len(luck), pool.games)
        memory["turn"] += 1
        if fresh:
            memory["points"][:] = 0.0
        who, count = attending(pool.weight, luck, moment.round, 2 * pool.games + 1)
        strength = np.zeros(pool.weight.shape) if fresh else self.strength(pool)
        points, mine = (np.take_along_axis(each, who, axis=1) for each in (memory["points"], strength))
        absent = np.arange(who.shape[1]) >= count[:, None]
        ranked = np.take_along_axis(who, np.lexsort((-mine, -points, absent), axis=1), axis=1).astype(np.int32)
        pairs = Pairs(np.full(shape, -1, np.int32), np.full(shape, -1, np.int32))
        compiled(wave, "waves of an arena")(
            ranked, count, np.count_nonzero(pool.weight, axis=1) == 2, strength, memory["last"], memory["streak"],
            memory["balance"], luck.uniform("colour", moment.round, pool.games), *pairs,
        )  # fmt: skip
        return pairs

    def learn(self, pairs: Pairs, score: Floats, memory: Memory) -> None:
        """Give points, and note opponents and colours."""
        compiled(note, "points of an arena")(
            *pairs, score, memory["points"], memory["last"], memory["streak"], memory["balance"]
        )


def wave(
    ranked: Ints, count: Ints, alone: Mask, strength: Floats, last: Ints, streak: Ints, balance: Ints, coin: Floats,
    first: Ints, second: Ints,
) -> None:  # fmt: skip
    """Write the games (R, M) of ranked players (R, 2 M + 1 at most)."""
    free = np.empty(ranked.shape[1], np.bool_)
    for r in range(first.shape[0]):
        free[:] = True
        m, n = 0, count[r]
        for a in range(n):
            if not free[a]:
                continue
            i, best, cost = ranked[r, a], -1, np.inf
            factor = LOW + (HIGH - LOW) * (n - 1 - a) / max(n - 1, 1)
            for b in range(a + 1, n):
                if (b - a) * factor >= cost:
                    break
                j = ranked[r, b]
                if free[b] and may_meet(last, streak, r, i, j, alone[r]):
                    mine = (b - a) * factor + abs(strength[r, i] - strength[r, j])
                    if mine < cost:
                        best, cost = b, mine
            if best >= 0:
                free[a] = free[best] = False
                j = ranked[r, best]
                ahead = takes_first(streak, balance, r, i, j, coin[r, m])
                first[r, m], second[r, m] = (i, j) if ahead else (j, i)
                m += 1


@kernel
def may_meet(last: Ints, streak: Ints, r: int, i: int, j: int, alone: bool) -> bool:  # noqa: FBT001  # a kernel's flag
    """Whether two have not just met, or are alone, and one of them can be first and the other second."""
    blocked = abs(streak[r, i]) >= STREAK and streak[r, i] == streak[r, j]
    return bool((alone or (last[r, i] != j and last[r, j] != i)) and not blocked)


def note(
    first: Ints, second: Ints, score: Floats, points: Floats, last: Ints, streak: Ints, balance: Ints
) -> None:  # fmt: skip
    """Note the results of a wave; a streak is positive of games as first, negative of games as second."""
    for r in range(first.shape[0]):
        for m in range(first.shape[1]):
            i, j = first[r, m], second[r, m]
            if i >= 0:
                points[r, i] += 2.0 * score[r, m]
                points[r, j] += 2.0 - 2.0 * score[r, m]
                last[r, i], last[r, j] = j, i
                streak[r, i], streak[r, j] = max(streak[r, i], 0) + 1, min(streak[r, j], 0) - 1
                balance[r, i] += 1
                balance[r, j] -= 1
