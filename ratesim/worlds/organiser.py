"""The closed loop: games are rated as they are played, and the ratings decide who meets whom next."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from ..calendars import Calendar, PerGame
from ..policies import Policy
from ..replaying.openings import Variant
from ..replaying.pairs import usual
from ..replaying.session import Session
from ..stream import GameStream
from ..systems.base import System
from .base import Floats, Ints, Pairs
from .compiled import compiled
from .telling import roster

if TYPE_CHECKING:
    from .league import League

NOBODIES = pl.DataFrame({"player": ["nobody", "nobody else"]})  # who stand where there is no game


class Organiser:
    """A replay of a world's games that goes on as they are played.

    Rounds have room for as many games each, so when each would be played is known beforehand: one session over all of
    them is made at once, and each round's players and results are written into it before it goes on. A place without a
    game has weight 0 and two nobodies. A replay of the simulated stream by the same system does the same arithmetic in
    the same order, so its forecasts are these to the last bit.

    Parameters
    ----------
    league : the world.
    loop : the system that rates, under its usual calendar, and its policy.
    replicates : (R,) their numbers; one session rates them all.
    skill : (R, N) as the world begins.
    """

    def __init__(
        self, league: "League", loop: tuple[System, Policy], replicates: Sequence[int], skill: Floats
    ) -> None:  # fmt: skip
        self._shape, self._games = skill.shape, league.games * len(skill)
        rounds = [league.times(league.moment(number)) for number in range(league.rounds)]
        time = np.repeat(np.concatenate(rounds), len(skill))
        self._first = np.full(len(time), skill.size, np.int32)
        self._second = self._first + np.int32(1)
        self._score, self._weight = np.zeros(len(time)), np.zeros(len(time))
        players = pl.concat([roster(league.players, replicates, skill), NOBODIES], how="diagonal")
        stream = GameStream(
            players=players, time=time, first=self._first[:], second=self._second[:], score=self._score[:],
            weight=self._weight[:], edge=np.ones(len(time)) if league.outcomes.edged else None,
        )  # fmt: skip
        self.session = Session([Variant(*loop)], stream, _calendar(loop[0]))

    def ratings(self) -> Floats:
        """Return the ratings (R, N) as the next round opens, of all periods that are over."""
        session = self.session
        if not session.schedule.singly:
            session.close(int(session.schedule.at[session.played]))
        beliefs = session.state.rows[:-2, : session.fields, 0]
        return np.ascontiguousarray(session.system.columns(beliefs)["rating"]).reshape(self._shape)

    def hear(self, pairs: Pairs, score: Floats) -> Floats:
        """Rate a round with results (R, M); return the forecasts (M R,), game by game, replicate by replicate."""
        begin = self.session.played
        games = slice(begin, begin + self._games)
        enter = compiled(enter_round, "the games of a closed loop")
        enter(
            *pairs, score, self._shape[1], self._first[games], self._second[games], self._score[games],
            self._weight[games],
        )  # fmt: skip
        return self.session.advance(games.stop)[:, 0]


def _calendar(system: System) -> Calendar:
    """Return the usual calendar of a system; games of one moment are of as many replicates, so each stands alone."""
    calendar = usual(system)
    return PerGame(ties="file") if isinstance(calendar, PerGame) else calendar


def enter_round(
    first: Ints, second: Ints, score: Floats, players: int, firsts: Ints, seconds: Ints, scores: Floats, weights: Floats
) -> None:
    """Write the games of a round (R, M) into columns (M R,), players numbered across replicates."""
    g = 0
    for m in range(first.shape[1]):
        for r in range(first.shape[0]):
            if first[r, m] >= 0:
                firsts[g], seconds[g] = first[r, m] + r * players, second[r, m] + r * players
                scores[g], weights[g] = score[r, m], 1.0
            g += 1
