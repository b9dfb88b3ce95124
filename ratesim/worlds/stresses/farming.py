"""Players who lose on purpose and win in turn, so that a system that looks for erratic players finds some."""

from typing import Literal

import numpy as np

from ...rng import Luck
from ...spec import quantity
from ..base import STRESSES, Chances, Floats, Ints, Memory, Moment, Pairs
from ..compiled import compiled
from .some import Some


@STRESSES.add
class Farming(Some):
    """Some players lose `block` games on purpose, play as many as well as they can, lose again, and so on.

    What they farm is volatility: Glicko-2 takes such results for a change of strength, and its ratings move further in
    the games after `until`. What is lost on purpose has an expected score of 0; where two are about to, first loses.
    """

    kind: Literal["farming"] = "farming"
    block: int = quantity(5, "games lost in a row, and games played for a win", unit="games", ge=1, le=1_000_000)

    def begin(self, luck: Luck, players: int) -> Memory:
        """Return places, and how many games (R, N) each has played since it began."""
        return {**super().begin(luck, players), "games": np.zeros((len(luck), players), np.int32)}

    def settle(self, pairs: Pairs, score: Floats, chances: Chances, memory: Memory, luck: Luck, moment: Moment) -> None:
        """Lose what is to be lost."""
        if self.on(moment):
            compiled(throw, "volatility farming")(
                *pairs, memory["place"], self.count, self.block, memory["games"], score, *chances
            )


def throw(
    first: Ints, second: Ints, place: Ints, count: int, block: int, games: Ints, score: Floats, expected: Floats,
    draw: Floats,
) -> None:  # fmt: skip
    """Go through games (R, M), counting those of farmers and turning what they throw into losses."""
    for r in range(first.shape[0]):
        for m in range(first.shape[1]):
            i, j = first[r, m], second[r, m]
            if i < 0:
                continue
            mine, theirs = place[r, i] < count, place[r, j] < count
            thrown = mine and games[r, i] // block % 2 == 0
            given = theirs and games[r, j] // block % 2 == 0
            games[r, i] += mine
            games[r, j] += theirs
            if thrown or given:
                score[r, m] = expected[r, m] = 0.0 if thrown else 1.0
                draw[r, m] = 0.0
