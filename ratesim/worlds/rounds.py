"""A league in play: round after round of some replicates at once."""

from collections.abc import Iterator, Sequence
from functools import reduce
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..rng import Luck
from .base import Chances, Floats, Ints, Mask, Meeting, Memory, Moment, Pairs, Pool
from .checked import array, ask, begun, both, fair, finite, known, likely, meetable, settled
from .laws import Decided, decided
from .organiser import Organiser
from .performing import Performances
from .play import fates, gaps, results

if TYPE_CHECKING:
    from .league import League


class Played(NamedTuple):
    """A round of some replicates, played. Where there is no game, players are -1 and the rest means nothing."""

    moment: Moment
    first: Ints  # (R, M) players, 0..N-1 in each replicate
    second: Ints
    score: Floats  # (R, M) of first
    truth: Floats  # (R, M) expected score of first; it and both skills may be empty where nobody asks for the truth
    skill_first: Floats  # (R, M) rating points
    skill_second: Floats
    skill: Floats  # (R, N) of all players in this round; it changes with the next
    shown: Performances | None  # where the world keeps them


class Playing:
    """Some replicates of a league, to be iterated over once.

    Parameters
    ----------
    league : the world.
    seed : at least 0.
    replicates : (R,) their numbers.
    truth : whether games are asked for their truth.

    Attributes
    ----------
    skill, there : (R, N) now, whatever the pool, and who has arrived and not left; once all is played, at the end.
    offset, member : (R, N, P) what is added in each pool, and who plays there; None where there is one pool.
    organiser : who rates the games, where pairing goes by ratings.
    """

    def __init__(self, league: "League", seed: int, replicates: Sequence[int], *, truth: bool = True) -> None:
        self.league, self.luck, self.truth = league, Luck(seed, replicates), truth
        self._schedule = Luck(seed, [0]) if league.shared else self.luck  # what decides who meets whom
        n, opening = league.players, league.moment(0)
        self.skill = self._drawn(league)
        self._activity = [
            known(part, begun(part, part.begin, luck, n, opening), (len(luck), n))
            for part, luck in zip(league.activity, self._lucks("activity"), strict=True)
        ]
        self.offset: Floats | None = None
        self.member: Mask | None = None
        self._turns = np.zeros(league.rounds, np.int64)
        if league.pools is not None:
            luck, schedule = self.luck.under("pools"), self._schedule.under("pools")
            home = league.pools.homes(schedule, n)
            self.member, self.offset = league.pools.members(schedule, home), league.pools.offsets(luck, home)
            self._turns = league.pools.turns(league.rounds)
        self._arrives, self._leaves = self._known("arrives", 0.0, np.maximum), self._known("leaves", np.inf, np.minimum)
        age = opening.day - self._arrives
        self.there = self._present(opening)
        self._changes: list[Memory] = []
        for part, luck in zip(league.changes, self._lucks("changes"), strict=True):
            self._changes.append(begun(part, part.begin, self.skill, age, luck, opening))
            finite(part, 0, self.skill)
        self._everybody: Floats = np.ones((len(self._schedule), n))
        self._pairing = self._paired(league)
        loop = league.pairing.loop
        self.organiser = None if loop is None else Organiser(league, loop, replicates, self.skill)
        outcomes = league.outcomes
        self._outcomes = begun(outcomes, outcomes.begin, self.luck.under("outcomes"), n)
        by_law = not (league.stress or league.performances)
        self._law = ask(outcomes, 0, lambda: outcomes.law) if by_law else None
        self._stress = [
            begun(part, part.begin, luck, n) for part, luck in zip(league.stress, self._lucks("stress"), strict=True)
        ]

    @property
    def still(self) -> bool:
        """Whether skills never change, and nobody comes or goes."""
        return not self.league.changes and not any({"arrives", "leaves"} & memory.keys() for memory in self._activity)

    @property
    def foul(self) -> Mask | None:
        """Who plays foul, (R, N), early or late; None where nobody does."""
        found = [(part, ask(part, 0, part.who, m)) for part, m in zip(self.league.stress, self._stress, strict=True)]
        told = [array(part, 0, who, self.skill.shape, "who", "b") for part, who in found if who is not None]
        return np.logical_or.reduce(told) if told else None

    def __iter__(self) -> Iterator[Played]:
        """Yield the rounds as they are played; after the last, skills change once more, to what they are at the end."""
        league = self.league
        lucks = self._lucks("changes")
        for number in range(league.rounds + 1):
            moment = league.moment(number)
            for part, memory, luck in zip(league.changes, self._changes, lucks, strict=True) if number else ():
                ask(part, number, part.step, self.skill, moment.day - self._arrives, memory, luck, moment)
                finite(part, number, self.skill)
            if not self.still:
                self.there = self._present(moment)
            if number < league.rounds:
                yield self._round(moment._replace(pool=int(self._turns[number])))

    def _present(self, moment: Moment) -> Mask:
        there = (self._arrives <= moment.day) & (moment.day < self._leaves)
        return np.broadcast_to(there, self.skill.shape)

    def _lucks(self, family: str) -> list[Luck]:
        """Return the luck of each part of a family; activity, like pairing, is of the schedule."""
        luck = self._schedule if family == "activity" else self.luck
        return [luck.under(f"{family} {k}") for k in range(len(getattr(self.league, family)))]

    def _drawn(self, league: "League") -> Floats:
        """Return the skills (R, N) that the world begins with, to be changed in place."""
        part, shape = league.skills, (len(self.luck), league.players)
        skill = array(part, 0, ask(part, 0, part.draw, self.luck.under("skills"), league.players), shape, "skill")
        finite(part, 0, skill)
        return np.require(skill, np.float64, "W")

    def _paired(self, league: "League") -> list[Memory]:
        """Return what pairing remembers of each pool: each has tournaments and ladders of its own."""
        luck = self._schedule.under("pairing")
        count = len(league.pools.names) if league.pools is not None else 1
        lucks = [luck, *(luck.under(f"pool {number}") for number in range(1, count))]
        part = league.pairing
        return [begun(part, part.begin, luck, league.players, league.games) for luck in lucks]

    def _known(self, name: str, default: float, narrower: np.ufunc) -> Floats:
        """Return days (R or 1, N or 1) that activities know of; of several, those when a player is there by all."""
        found: Floats = reduce(narrower, (m[name] for m in self._activity if name in m), np.full((1, 1), default))
        return found

    def _round(self, moment: Moment) -> Played:
        league = self.league
        skill = self.skill if self.offset is None else self.skill + self.offset[:, :, moment.pool]
        weight = self._weight(moment)
        pairs = self._pairs(skill, weight, moment)
        found, shown = self._by_law(pairs, skill, moment), None
        if found is None:
            found, shown = self._step_by_step(pairs, skill, weight, moment)
        pairing = league.pairing
        ask(pairing, moment.round, pairing.learn, pairs, found.score, self._pairing[moment.pool])
        if self.organiser is not None:
            self.organiser.hear(pairs, found.score)
        return Played(moment, *pairs, *found, self.skill, shown)

    def _by_law(self, pairs: Pairs, skill: Floats, moment: Moment) -> Decided | None:
        """Return what comes of games by the law; None where there is none, or it has to be looked at step by step."""
        if self._law is None:
            return None
        keys, number = self.luck.under("results").keys("score"), moment.round
        return ask(
            self.league.outcomes, number, decided, self._law, skill, *pairs, keys, number, truth=self.truth
        )  # fmt: skip

    def _step_by_step(
        self, pairs: Pairs, skill: Floats, weight: Floats, moment: Moment
    ) -> tuple[Decided, Performances | None]:
        """Return what comes of games, and performances where they are kept: more than a law has a say in it."""
        league, outcomes, number = self.league, self.league.outcomes, moment.round
        stress = list(zip(league.stress, self._stress, self._lucks("stress"), strict=True))
        for part, memory, luck in stress:
            ask(part, number, part.pair, pairs, weight, memory, luck, moment)
            meetable(part, number, pairs, league.players)
        strength = skill.copy() if stress else skill
        for part, memory, _ in stress:
            ask(part, number, part.strengthen, strength, memory, moment)
            finite(part, number, strength)
        gap, level, mine, theirs = gaps(skill, strength, pairs)
        meeting = Meeting(gap, level, *pairs)
        said = ask(outcomes, number, outcomes.chances, meeting, self._outcomes, self.luck.under("outcomes"), moment)
        chances = both(outcomes, number, said, Chances, gap.shape)
        score, sound = results(chances, self.luck.under("results").keys("score"), number)
        if not sound:
            fair(outcomes, number, chances, pairs.first)
        before = Chances(*(each.copy() for each in chances)) if stress and league.performances else chances
        for part, memory, luck in stress:
            ask(part, number, part.settle, pairs, score, chances, memory, luck, moment)
            settled(part, number, pairs, score, chances)
        for part, memory, _ in stress:
            ask(part, number, part.learn, pairs, score, memory)
        shown = self._shown(meeting, before, score, moment) if league.performances else None
        return Decided(score, chances.expected, mine, theirs), shown

    def _shown(self, meeting: Meeting, before: Chances, score: Floats, moment: Moment) -> Performances:
        """Return performances by the luck that decided results; where foul play did, by such luck as might have."""
        part, number = self.league.outcomes, moment.round
        fate = fates(before, score, self.luck.under("results").keys("score"), number)
        luck = self.luck.under("outcomes")
        found = ask(part, number, part.performances, meeting, fate, self._outcomes, luck, moment)
        return both(part, number, found, Performances, fate.shape)

    def _pairs(self, skill: Floats, weight: Floats, moment: Moment) -> Pairs:
        """Return who meets whom, in every replicate the same where they share one schedule."""
        if any(ask(part, moment.round, part.closed, moment) for part in self.league.activity):
            return Pairs(*(np.full((len(self.luck), self.league.games), -1, np.int32) for _ in range(2)))
        rating = None if self.organiser is None else self.organiser.ratings()
        pool = Pool(weight, skill, rating, self.league.games, weight is self._everybody)
        memory, luck = self._pairing[moment.pool], self._schedule.under("pairing")
        part, number = self.league.pairing, moment.round
        found = ask(part, number, part.pair, pool, memory, luck, moment)
        given = both(part, number, found, Pairs, (len(self._schedule), self.league.games))
        pairs = meetable(part, number, given, self.league.players)
        if self.league.shared:
            return Pairs(*(np.repeat(side, len(self.luck), axis=0) for side in pairs))
        return Pairs(*(side.copy() for side in pairs)) if self.league.stress else pairs

    def _weight(self, moment: Moment) -> Floats:
        league = self.league
        if self.member is None and not league.activity:
            return self._everybody
        weight: Floats = np.ones((len(self._schedule), league.players))
        if self.member is not None:
            weight *= self.member[: len(weight), :, moment.pool]
        for part, memory, luck in zip(league.activity, self._activity, self._lucks("activity"), strict=True):
            found = ask(part, moment.round, part.weight, memory, luck, moment)
            weight *= likely(part, moment.round, array(part, moment.round, found, weight.shape, "weight", spread=True))
        return weight
