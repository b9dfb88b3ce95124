"""The games of a real stream, played again."""

from functools import cached_property
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from ...errors import InputError
from ...importing import read
from ...io import ColumnMap
from ...rng import Luck
from ...spec import choice
from ...stream import GameStream
from ..base import PAIRINGS, Memory, Moment, Pairing, Pairs, Pool
from .present import only_those_there


@PAIRINGS.add
class Schedule(Pairing):
    """Who meets whom as in a file of games, in every replicate alike; its results and dates are not used otherwise.

    Players are numbered in order of their first game. Games are laid into the rounds in their order, `per_round` at a
    time, or by their time: a round has those of as long a part of the file's time as it is of the world's. A game of
    somebody who is away is not played.
    """

    blind: ClassVar[bool] = True
    kind: Literal["schedule"] = "schedule"
    file: str = choice(..., "games of any form that can be imported")
    columns: ColumnMap = Field(ColumnMap(), description="of a table, which column holds what, as in [stream]")
    by: Literal["order", "time"] = choice("order", "how games are laid into rounds: in their order, or by their time")

    @cached_property
    def stream(self) -> GameStream:
        """The games of the file."""
        return read(self.file, self.columns)

    def games(self, players: int, per_round: int) -> int:
        """Return how many games a round has room for.

        Raises
        ------
        InputError : the file has more players.
        """
        found = self.stream.n_players
        if found > players:
            raise InputError(f"players = {players}", expected=f"at least the {found:,} of {self.file}")
        return per_round or max(1, players // 2)

    def all_play(self, players: int, games: int) -> bool:
        """Return whether all who are there play in a round of so many games, however active they are."""
        return True

    def pair(self, pool: Pool, memory: Memory, luck: Luck, moment: Moment) -> Pairs:
        """Return the games of a round.

        Raises
        ------
        InputError : the rounds of the world have too little room.
        """
        if "begins" not in memory:
            memory["begins"] = self._laid(moment.rounds, pool.games)
        begin, end = memory["begins"][moment.round : moment.round + 2]
        sides = np.full((2, len(luck), pool.games), -1, np.int32)
        for side, players in zip(sides, (self.stream.first, self.stream.second), strict=True):
            side[:, : end - begin] = players[begin:end]
        return only_those_there(sides[0], sides[1], pool.weight)

    def _laid(self, rounds: int, games: int) -> NDArray[np.int64]:
        """Return the first game of each round, and the end of them all, (T + 1,)."""
        time, count = self.stream.time, len(self.stream)
        if self.by == "order":
            begins = np.minimum(np.arange(rounds + 1) * games, count)
        else:
            edges = time[0] + (time[-1] - time[0]) * (np.arange(rounds) / rounds)
            begins = np.append(np.searchsorted(time, edges), count)
        most = int(np.diff(begins).max())
        if begins[-1] < count:
            said = f"{rounds:,} rounds of {games:,} games have no room for the {count:,} of {self.file}"
            raise InputError(said, expected="more rounds, or a larger per_round")
        if most > games:
            said = f"a round with {most:,} of the games of {self.file}, and room for {games:,}"
            raise InputError(said, expected="more rounds, or a larger per_round")
        return begins
