"""The days on which players have a rating, and the games of each."""

from dataclasses import dataclass, field

import numpy as np

from .base import Floats, Ints
from .paired import Seen
from .whr_kernels import Rows


@dataclass
class Nodes:
    """Days of players and the games of each; what has happened so far is told by `length` and `end`."""

    sides: Ints  # (g, 2) node of each side of each game
    player: Ints  # (K,)
    day: Floats  # (K,)
    start: Ints  # (N,)
    begin: Ints  # (K,)
    rows: Rows
    tie: Floats  # (K,)
    length: Ints = field(init=False)  # (N,)
    end: Ints = field(init=False)  # (K,)

    def __post_init__(self) -> None:
        """Begin before the first game."""
        self.length, self.end = np.zeros_like(self.start), self.begin.copy()

    @classmethod
    def of(cls, games: Seen, drift: float, worth: float) -> "Nodes":
        """Lay out the nodes of a stream, by drift a day and worth of an edge; without drift a player has one."""
        who = np.stack([games.first, games.second], axis=1)
        day = np.floor(games.day) if drift else np.zeros(len(games.day))
        days, code = np.unique(day, return_inverse=True)
        key, sides = np.unique(who.astype(np.int64) * len(days) + code[:, None], return_inverse=True)
        sides = sides.reshape(who.shape).astype(np.int32)
        player, when = (key // len(days)).astype(np.int32), days[key % len(days)]
        players = int(games.met[-1])
        order = np.argsort(sides.ravel(), kind="stable")
        lead = worth * games.edge
        rows = Rows(
            sides[:, ::-1].ravel()[order],
            np.stack([lead, -lead], axis=1).ravel()[order],
            np.stack([games.score, 1.0 - games.score], axis=1).ravel()[order],
            np.repeat(games.weight, 2)[order],
        )
        begin = np.searchsorted(sides.ravel()[order], np.arange(len(key))).astype(np.int32)
        with np.errstate(divide="ignore"):
            tie = 1.0 / (drift * np.append(np.diff(when), 1.0)) if drift else np.ones(len(key))
        start = np.searchsorted(player, np.arange(players)).astype(np.int32)
        return cls(sides, player, when, start, begin, rows, tie)

    def play(self, begin: int, end: int) -> None:
        """Let games begin..end have happened."""
        some = self.sides[begin:end].ravel()
        np.add.at(self.end, some, 1)
        owner = self.player[some]
        np.maximum.at(self.length, owner, some - self.start[owner] + 1)
