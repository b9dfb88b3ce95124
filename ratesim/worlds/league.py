"""A league: rounds of games between players whose skills are known, made of parts that each can be another."""

from collections.abc import Sequence
from functools import cached_property
from typing import Literal, Self

import numpy as np
from pydantic import Field, StrictBool, model_validator

from ..errors import InputError
from ..rng import check_counts, check_seed
from ..spec import Duration, quantity
from ..stream import GameStream
from .base import (
    WORLDS,
    AChange,
    AnActivity,
    APairing,
    ASkills,
    AStress,
    Floats,
    Moment,
    SomeOutcomes,
    World,
)
from .bounds import LONG
from .outcomes.logistic import Logistic
from .pairings.uniform import Uniform
from .pools import Pools
from .rounds import Playing
from .skills.normal import Normal
from .telling import told


@WORLDS.add
class League(World):
    """Skills x pairing x outcomes x activity, round by round.

    Skills change between rounds; within one they stand still. The games of a round are spread evenly over its time,
    none at its very opening or close: what is believed on the day a round opens is of the rounds before, whole.

    >>> games = League(players=10, rounds=20).simulate(seed=1)
    >>> len(games), games.n_players, games.players.columns
    (100, 10, ['player', 'replicate', 'skill'])
    """

    kind: Literal["league"] = "league"
    players: int = quantity(300, "number of players", unit="players", ge=2, le=10_000_000)
    rounds: int = quantity(100, "number of rounds", unit="rounds", ge=1, le=1_000_000)
    per_round: int = quantity(
        0, "games in a round; 0: half as many as players, or as many as the pairing makes", unit="games", ge=0,
        le=100_000_000,
    )  # fmt: skip
    days: Duration = quantity(1000.0, "time over which rounds are spread, from 1970-01-01", unit="days", gt=0, le=LONG)
    skills: ASkills = Field(Normal(), description="how skills lie when the world begins (`ratesim worlds`)")
    changes: tuple[AChange, ...] = Field((), description="how skills change from round to round; several add up")
    activity: tuple[AnActivity, ...] = Field((), description="who plays, and how much; several multiply")
    pairing: APairing = Field(Uniform(), description="who meets whom")
    outcomes: SomeOutcomes = Field(Logistic(), description="what comes of games")
    stress: tuple[AStress, ...] = Field((), description="foul play and other trouble")
    pools: Pools | None = Field(
        None, description="pools with skills of their own, that rounds take turns in",
        examples=[{"names": ["rapid", "blitz"], "spread": 50.0}],
    )  # fmt: skip
    shared: StrictBool = Field(
        default=False,
        description="whether all replicates have one schedule, so that their errors are over skills and results alone",
    )
    events: Duration = quantity(
        0.0, "length of events: games of each such span are one's; 0 games are in none", unit="days", ge=0, le=LONG
    )
    performances: StrictBool = Field(
        default=False, description="whether to keep the strength that both show in each game"
    )

    @model_validator(mode="after")
    def _room(self) -> Self:
        self.pairing.games(self.players, self.per_round)
        if self.shared and not self.pairing.blind:
            said = f"shared = true, and pairing {self.pairing.kind} looks at skills or results"
            raise InputError(said, expected="a pairing that does not, such as uniform")
        for change in self.changes:
            change.check(self.days)
        for stress in self.stress:
            stress.check(self.players, self.days)
            if self.shared and stress.pairs:
                said = f"shared = true, and stress {stress.kind} changes who meets whom"
                raise InputError(said, expected="shared = false")
        return self

    @property
    def games(self) -> int:
        """How many games a round has room for, M."""
        return self.pairing.games(self.players, self.per_round)

    @property
    def most(self) -> int:
        """How many games a replicate has at the most."""
        return self.rounds * self.games

    def simulate(self, seed: int, replicates: int = 1, first: int = 0) -> GameStream:
        """Return the games of some replicates, in order of time: see `World.simulate`."""
        check_counts(replicates=replicates)
        check_seed(seed, first)
        return told(self, seed, range(first, first + replicates))

    def play(self, seed: int, replicates: Sequence[int], *, truth: bool = True) -> Playing:
        """Return some replicates to be played: iterating over it yields their rounds, with the truth of their games."""
        return Playing(self, seed, replicates, truth=truth)

    def moment(self, number: int) -> Moment:
        """Return when a round opens; the one after the last opens as the world ends."""
        days = self.days / self.rounds
        return Moment(number, self.rounds, number * days, days if number else 0.0, self.days)

    def times(self, moment: Moment) -> Floats:
        """Return when the games of a round are played, (M,)."""
        time: Floats = moment.day + self.spread
        return time

    @cached_property
    def spread(self) -> Floats:
        """When the games of a round are played, (M,) days after it opens: all before the next does."""
        return np.arange(0.5, self.games) * (self.days / self.rounds / self.games)
