"""Clubs with few bridges."""

from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError
from ...jit import kernel
from ...rng import ROUND, Keys, Luck, unit
from ...spec import choice, quantity
from ..base import PAIRINGS, Floats, Ints, Memory, Moment, Pairing, Pairs, Pool
from ..compiled import compiled
from .drawing import TRIES, apart
from .present import two_at_least


@PAIRINGS.add
class Clubs(Pairing):
    """Players meet within their club, but for a share of games that are bridges to another.

    Player n is of club n modulo the number of clubs. One player is drawn in proportion to activity, whoever is there;
    then it is drawn whether the game is a bridge, and the opponent, in proportion to activity too. Where nobody else of
    the club is there the game is a bridge, where nobody of other clubs is, it is none; where both clubs beside it in a
    ring are away, bridges lead to any. A coin says who is first.
    """

    blind: ClassVar[bool] = True
    kind: Literal["clubs"] = "clubs"
    clubs: int = quantity(10, "number of clubs", unit="clubs", ge=2, le=5_000_000)
    bridges: float = quantity(0.02, "share of games between two clubs", unit="share", ge=0, le=1)
    across: Literal["any", "next"] = choice(
        "any", "where bridges lead: to any other club, or to the next one of a ring of them all"
    )

    def games(self, players: int, per_round: int) -> int:
        """Return how many games a round has room for.

        Raises
        ------
        InputError : fewer than two players a club.
        """
        if players < 2 * self.clubs:
            raise InputError(f"{self.clubs} clubs of {players} players", expected="two players a club at least")
        return per_round or players // 2

    def pair(self, pool: Pool, memory: Memory, luck: Luck, moment: Moment) -> Pairs:
        """Return the games of a round.

        Raises
        ------
        InputError : fewer than two players are there.
        """
        two_at_least(pool, self.kind, moment)
        shape = (len(luck), pool.games)
        pairs = Pairs(np.empty(shape, np.int32), np.empty(shape, np.int32))
        order, begins = members(pool.weight.shape[1], self.clubs)
        compiled(draw_clubs, "pairs within clubs")(
            luck.keys("pairs"), np.uint64(moment.round), pool.weight, np.cumsum(pool.weight[:, order], axis=1), order,
            begins, self.bridges, self.across == "next", *pairs, np.empty(self.clubs, np.int32),
        )  # fmt: skip
        return pairs


def members(players: int, clubs: int) -> tuple[Ints, NDArray[np.int64]]:
    """Return players (N,) in order of their clubs, and where each club begins, and the last one ends (C + 1,)."""
    club = np.arange(players) % clubs
    order = np.argsort(club, kind="stable")
    return order.astype(np.int32), np.searchsorted(club[order], np.arange(clubs + 1))


def draw_clubs(
    keys: Keys, round_: np.uint64, weight: Floats, total: Floats, order: Ints, begins: Ints, bridges: float,
    ring: bool, first: Ints, second: Ints, there: Ints,  # noqa: FBT001  # a kernel's flag
) -> None:  # fmt: skip
    """Draw games (R, M) by cumulative weights (R, N) of players in order of their clubs; `there` (C,) is room."""
    n, clubs = total.shape[1], len(begins) - 1
    for r in range(first.shape[0]):
        key, counter = keys[r], round_ * ROUND
        present = count_clubs(weight, r, there)
        for m in range(first.shape[1]):
            a = within(total, r, 0, n, unit(key, counter))
            c = order[a] % clubs
            bridge = unit(key, counter + np.uint64(1)) < bridges
            coin = unit(key, counter + np.uint64(2)) < 0.5
            bridge = (bridge or there[c] < 2) and present > there[c]
            low, high = (0, n) if bridge else (begins[c], begins[c + 1])
            if bridge and ring:
                d = toward(there, c, unit(key, counter + np.uint64(3)) < 0.5)
                low, high = (begins[d], begins[d + 1]) if there[d] > 0 else (0, n)
            counter += np.uint64(4)
            b = within(total, r, low, high, unit(key, counter))
            tries = 1
            while b == a or (order[b] % clubs == c) == bridge:
                counter += np.uint64(1)
                tries += 1
                if tries > TRIES:
                    b = one_of(weight, r, order, low, high, clubs, c, bridge, a, unit(key, counter))
                else:
                    b = within(total, r, low, high, unit(key, counter))
            counter += np.uint64(1)
            first[r, m], second[r, m] = (order[a], order[b]) if coin else (order[b], order[a])


@kernel
def count_clubs(weight: Floats, r: int, there: Ints) -> int:
    """Count who is there of each club; return how many that are."""
    present = 0
    there[:] = 0
    for i in range(weight.shape[1]):
        there[i % len(there)] += weight[r, i] > 0.0
        present += weight[r, i] > 0.0
    return present


@kernel
def toward(there: Ints, c: int, up: bool) -> int:  # noqa: FBT001  # a kernel's flag
    """Return the club beside club c in a ring, on one side, or on the other if nobody is there."""
    above, below = (c + 1) % len(there), (c - 1) % len(there)
    if up:
        return above if there[above] > 0 else below
    return below if there[below] > 0 else above


@kernel
def within(total: Floats, r: int, low: int, high: int, u: float) -> int:
    """Return the player from low to before high whose share of what these add to a cumulative total u falls into."""
    base = total[r, low - 1] if low > 0 else 0.0
    wanted, high = base + u * (total[r, high - 1] - base), high - 1
    while low < high:
        middle = (low + high) // 2
        if total[r, middle] > wanted:
            high = middle
        else:
            low = middle + 1
    return low


@apart
def one_of(
    weight: Floats, r: int, order: Ints, low: int, high: int, clubs: int, c: int, bridge: bool, a: int, u: float,  # noqa: FBT001  # a kernel's flag
) -> int:  # fmt: skip
    """Return an opponent of player a from low to before high, in club c or out of it, by going through all there."""
    total = 0.0
    for b in range(low, high):
        if b != a and (order[b] % clubs == c) != bridge:
            total += weight[r, order[b]]
    passed, last = 0.0, low
    for b in range(low, high):
        if b != a and (order[b] % clubs == c) != bridge and weight[r, order[b]] > 0.0:
            last = b
            passed += weight[r, order[b]]
            if passed > u * total:
                break
    return last
