"""Everyone meets everyone."""

from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import StrictBool

from ...errors import InputError
from ...rng import Luck
from ...spec import choice
from ..base import PAIRINGS, Memory, Moment, Pairing, Pairs, Pool
from .present import only_those_there


@PAIRINGS.add
class RoundRobin(Pairing):
    """Everyone meets everyone once in a cycle of as many rounds as there are opponents, then again with other colours.

    Rounds and colours are those of Berger's tables (FIDE Handbook C.05, annex 1, up to the order of rounds): in a cycle
    everybody is first as often as second, or once more or less. Lots are drawn once for the numbers in the table. A
    game of somebody who is away is not played. Of an odd number each round leaves one out.
    """

    blind: ClassVar[bool] = True
    kind: Literal["round-robin"] = "round-robin"
    byes: StrictBool = choice(
        default=False, about="whether an odd number of players may be, one of whom sits out each round"
    )

    def games(self, players: int, per_round: int) -> int:
        """Return how many games a round has: one of every two players.

        Raises
        ------
        InputError : an odd number of players without byes, or another number of games.
        """
        if players % 2 and not self.byes:
            said = f"a round robin of {players} players, an odd number"
            raise InputError(said, expected="an even number, or byes = true")
        if per_round not in {0, players // 2}:
            said = f"per_round = {per_round} in a round robin of {players} players"
            raise InputError(said, expected=f"{players // 2}, or leave it out")
        return players // 2

    def all_play(self, players: int, games: int) -> bool:
        """Return whether all who are there play in a round of so many games, however active they are."""
        return True

    def begin(self, luck: Luck, players: int, games: int) -> Memory:
        """Draw lots."""
        return {"turn": 0, "lots": np.argsort(luck.uniform("lots", 0, players), axis=1, kind="stable").astype(np.int32)}

    def pair(self, pool: Pool, memory: Memory, luck: Luck, moment: Moment) -> Pairs:
        """Return the games of a round."""
        players = pool.weight.shape[1]
        seats = players + players % 2
        cycle, number = divmod(memory["turn"], seats - 1)
        memory["turn"] += 1
        first, second = berger(seats, number)
        real = np.maximum(first, second) < players
        first, second = (side[real] for side in ((first, second) if cycle % 2 == 0 else (second, first)))
        return only_those_there(memory["lots"][:, first], memory["lots"][:, second], pool.weight)


def berger(seats: int, number: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return who is first and second in a round of Berger's tables, (seats / 2,) numbers from 0.

    All but the last meet those with whom their sum is the number of the round, modulo seats - 1; who is left meets the
    last. Of an odd sum the lower number is first, of an even one the higher; the lower half is first against the last.

    >>> [list(map(int, side)) for side in berger(4, 0)], [list(map(int, side)) for side in berger(4, 1)]
    ([[0, 1], [3, 2]], [[3, 0], [2, 1]])
    """
    ring = seats - 1
    middle = number * (seats // 2) % ring  # twice that is the number, modulo an odd one
    away = np.arange(1, seats // 2)
    a, b = (middle + away) % ring, (middle - away) % ring
    low, high = np.minimum(a, b), np.maximum(a, b)
    odd = (low + high) % 2 == 1
    first, second = np.where(odd, low, high), np.where(odd, high, low)
    pair = (middle, ring) if middle < seats // 2 else (ring, middle)
    return np.append(pair[0], first), np.append(pair[1], second)
