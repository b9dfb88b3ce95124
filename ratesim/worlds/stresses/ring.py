"""A closed ring: players who play only each other."""

from typing import Literal, Self

import numpy as np
from pydantic import model_validator

from ...rng import ROUND, Keys, Luck, unit
from ...spec import quantity
from ..base import STRESSES, Chances, Floats, Ints, Memory, Moment, Pairs
from ..compiled import compiled
from .some import Some


@STRESSES.add
class Ring(Some):
    """Some players play only each other, and may let a few of them win.

    Who is paired with one of the ring loses that game: another of the ring who is there takes the place, at random;
    with nobody there, there is no game. Members lose to those who are favoured; other games among them are fair.
    """

    kind: Literal["ring"] = "ring"
    count: int = quantity(4, "players of the ring", unit="players", ge=2, le=10_000_000)
    favoured: int = quantity(0, "those of them to whom all others lose; 0: all games are fair", unit="players", ge=0)

    @model_validator(mode="after")
    def _somebody_loses(self) -> Self:
        if self.favoured >= self.count:
            msg = f"favoured = {self.favoured}, and count = {self.count}: nobody is left to lose to them"
            raise ValueError(msg)
        return self

    @property
    def pairs(self) -> bool:
        """It changes who meets whom."""
        return True

    def pair(self, pairs: Pairs, weight: Floats, memory: Memory, luck: Luck, moment: Moment) -> None:
        """Close the ring."""
        if self.on(moment):
            compiled(close, "a closed ring")(
                memory["place"], self.count, weight, luck.keys("members"), np.uint64(moment.round), *pairs
            )

    def settle(self, pairs: Pairs, score: Floats, chances: Chances, memory: Memory, luck: Luck, moment: Moment) -> None:
        """Let those win who are favoured."""
        if self.favoured and self.on(moment):
            compiled(favour, "results of a ring")(memory["place"], self.count, self.favoured, *pairs, score, *chances)


def close(place: Ints, count: int, weight: Floats, keys: Keys, round_: np.uint64, first: Ints, second: Ints) -> None:
    """Put members (R, M) in the place of whoever meets a member."""
    there = np.empty(count, np.int32)
    for r in range(first.shape[0]):
        row, present = min(r, weight.shape[0] - 1), 0
        for i in range(place.shape[1]):
            if place[r, i] < count and weight[row, i] > 0.0:
                there[present] = i
                present += 1
        for m in range(first.shape[1]):
            i, j = first[r, m], second[r, m]
            if i < 0 or (place[r, i] < count) == (place[r, j] < count):
                continue
            if present < 2:
                first[r, m] = second[r, m] = -1
                continue
            member = i if place[r, i] < count else j
            k = int(unit(keys[r], round_ * ROUND + np.uint64(m)) * (present - 1))
            other = there[k] if there[k] < member else there[k + 1]  # they stand in order of their numbers
            if member == i:
                second[r, m] = other
            else:
                first[r, m] = other


def favour(
    place: Ints, count: int, favoured: int, first: Ints, second: Ints, score: Floats, expected: Floats, draw: Floats
) -> None:
    """Give games (R, M) of a favoured member against another to the favoured one."""
    for r in range(first.shape[0]):
        for m in range(first.shape[1]):
            i, j = first[r, m], second[r, m]
            if i < 0 or max(place[r, i], place[r, j]) >= count:
                continue
            mine, theirs = place[r, i] < favoured, place[r, j] < favoured
            if mine != theirs:
                score[r, m] = expected[r, m] = 1.0 if mine else 0.0
                draw[r, m] = 0.0
