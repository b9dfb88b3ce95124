"""A league: rounds of games between players whose skills are known, made of parts that each can be another."""

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple, Self

import numpy as np
from pydantic import Field, model_validator

from ..errors import InputError
from ..rng import Luck
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
    Ints,
    Meeting,
    Memory,
    Moment,
    Pool,
    SomeOutcomes,
    World,
)
from .outcomes.logistic import Logistic
from .pairings.uniform import Uniform
from .play import gaps, results
from .skills.normal import Normal
from .telling import told

LONG = 2_900_000.0  # days: up to the year 9909, for dates end with 9999


class Played(NamedTuple):
    """A round of some replicates, played. Where there is no game, players are -1 and the rest means nothing."""

    moment: Moment
    time: Floats  # (M,) days since 1970-01-01
    first: Ints  # (R, M) players, 0..N-1 in each replicate
    second: Ints
    score: Floats  # (R, M) of first
    truth: Floats  # (R, M) expected score of first
    skill_first: Floats  # (R, M) rating points
    skill_second: Floats
    skill: Floats  # (R, N) of all players in this round
    there: Floats  # (R, N) weight of activity, 0 where away


class Parts(NamedTuple):
    """The memories of all parts, and the luck of each."""

    changes: Sequence[Memory]
    activity: Sequence[Memory]
    pairing: Memory
    outcomes: Memory
    stress: Sequence[Memory]
    luck: Luck

    def of(self, part: str, number: int = 0) -> Luck:
        """Return the luck of one part."""
        return self.luck.under(f"{part} {number}")


@WORLDS.add
class League(World):
    """Skills x pairing x outcomes x activity, round by round.

    Skills change between rounds; within one they stand still. The games of a round are spread evenly over its time.

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

    @model_validator(mode="after")
    def _room(self) -> Self:
        self.pairing.games(self.players, self.per_round)
        return self

    @property
    def games(self) -> int:
        """How many games a round has room for, M."""
        return self.pairing.games(self.players, self.per_round)

    def simulate(self, seed: int, replicates: int = 1, first: int = 0) -> GameStream:
        """Return the games of some replicates, in order of time."""
        return told(self, seed, range(first, first + replicates))

    def play(self, seed: int, replicates: Sequence[int]) -> Iterator[Played]:
        """Yield rounds of some replicates, as they are played."""
        luck = Luck(seed, replicates)
        skill = self.skills.draw(luck.under("skills"), self.players)
        opening = self.moment(0)
        parts = self._begin(skill, luck, opening)
        arrives = next((memory["arrives"] for memory in parts.activity if "arrives" in memory), np.zeros((1, 1)))
        for number in range(self.rounds):
            moment = self.moment(number)
            for n, change in enumerate(self.changes if number else ()):
                change.step(skill, moment.day - arrives, parts.changes[n], parts.of("changes", n), moment)
            yield self._round(skill, parts, moment)

    def moment(self, number: int) -> Moment:
        """Return when a round opens."""
        days = self.days / self.rounds
        return Moment(number, self.rounds, number * days, days if number else 0.0, self.days)

    def times(self, moment: Moment) -> Floats:
        """Return when the games of a round are played, (M,)."""
        time: Floats = moment.day + np.arange(self.games, dtype=np.float64) * (self.days / self.rounds / self.games)
        return time

    def _begin(self, skill: Floats, luck: Luck, moment: Moment) -> Parts:
        """Let every part draw what it has to know beforehand."""
        n, parts = self.players, Parts([], [], {}, {}, [], luck)
        activity = [part.begin(parts.of("activity", k), n, moment) for k, part in enumerate(self.activity)]
        return Parts(
            [part.begin(skill, parts.of("changes", k), moment) for k, part in enumerate(self.changes)],
            activity,
            self.pairing.begin(parts.of("pairing"), n, self.games),
            self.outcomes.begin(parts.of("outcomes"), n),
            [part.begin(parts.of("stress", k), n) for k, part in enumerate(self.stress)],
            luck,
        )

    def _round(self, skill: Floats, parts: Parts, moment: Moment) -> Played:
        weight = self._weight(parts, moment)
        pairs = self.pairing.pair(Pool(weight, skill, None, self.games), parts.pairing, parts.of("pairing"), moment)
        stress = list(zip(self.stress, parts.stress, strict=True))
        for k, (part, memory) in enumerate(stress):
            part.pair(pairs, memory, parts.of("stress", k), moment)
        strength = skill.copy() if stress else skill
        for part, memory in stress:
            part.strengthen(strength, memory, moment)
        gap, level, mine, theirs = gaps(skill, strength, pairs)
        meeting = Meeting(gap, level, pairs.first, pairs.second)
        chances = self.outcomes.chances(meeting, parts.outcomes, parts.of("outcomes"), moment)
        score = results(chances, parts.of("results").keys("score"), moment.round)
        for k, (part, memory) in enumerate(stress):
            part.settle(pairs, score, chances, memory, parts.of("stress", k), moment)
        self.pairing.learn(pairs, score, parts.pairing)
        for part, memory in stress:
            part.learn(pairs, score, memory)
        time = self.times(moment)
        return Played(moment, time, *pairs, score, chances.expected, mine, theirs, skill, weight)

    def _weight(self, parts: Parts, moment: Moment) -> Floats:
        weight: Floats = np.ones((len(parts.luck), self.players))
        for k, (part, memory) in enumerate(zip(self.activity, parts.activity, strict=True)):
            np.multiply(weight, part.weight(memory, parts.of("activity", k), moment), out=weight)
        if not ((weight >= 0) & np.isfinite(weight)).all():
            raise InputError(
                "a negative chance to play", where=f"activity, round {moment.round}", expected="at least 0"
            )
        return weight
