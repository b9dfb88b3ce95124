"""What a world is made of: skills, how they change, who plays, who meets whom, what comes of it, and foul play.

Each part is a spec with one or two methods on arrays (R, N), replicate and player, or (R, M), replicate and game of a
round. A part keeps nothing between calls: what it has to remember is the `Memory` that its `begin` returns.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray
from pydantic import BeforeValidator, SerializeAsAny

from ..registry import Registry
from ..rng import Luck
from ..spec import Spec, quantity
from ..stream import GameStream
from .laws import Law, judged
from .performing import Performances, gumbels, lead

if TYPE_CHECKING:
    from ..policies import Policy
    from ..systems.base import System

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]
Mask = NDArray[np.bool_]
Memory = dict[str, Any]  # arrays by name
S = TypeVar("S", bound=Spec)


class Moment(NamedTuple):
    """The opening of a round."""

    round: int  # 0 is the first
    rounds: int  # of the world
    day: float  # since 1970-01-01
    days: float  # since the round before; 0 in the first
    span: float  # of the whole world, days
    pool: int = 0  # that the round's games are of


class Pool(NamedTuple):
    """What a pairing may look at."""

    weight: Floats  # (R, N) relative chance of each player to play in this round, 0 is away
    skill: Floats  # (R, N) rating points
    rating: Floats | None  # (R, N) by the organiser's system, where the pairing asks for it
    games: int  # M, that the round has room for
    alike: bool = False  # whether all are known to be there, and as likely to play


class Pairs(NamedTuple):
    """The games of a round, (R, M); -1 on both sides where there is none."""

    first: Ints
    second: Ints


class Meeting(NamedTuple):
    """What an outcome may look at, (R, M); where there is no game, values mean nothing."""

    gap: Floats  # strength of first less that of second, rating points, no edge in it
    level: Floats  # mean strength
    first: Ints
    second: Ints


class Chances(NamedTuple):
    """What can come of games, (R, M)."""

    expected: Floats  # score of first
    draw: Floats  # probability of a draw, at most 2 min(expected, 1 - expected)


class Skills(Spec):
    """How skills lie when the world begins."""

    def draw(self, luck: Luck, players: int) -> Floats:
        """Return skills (R, N), rating points."""
        raise NotImplementedError


class Change(Spec):
    """How skills change from round to round; several add up."""

    def check(self, days: float) -> None:
        """Refuse a world of so few days.

        Raises
        ------
        InputError : it would begin after the end.
        """

    def begin(self, skill: Floats, age: Floats, luck: Luck, moment: Moment) -> Memory:
        """Return what is to be remembered; skills (R, N) of the first round may be changed in place.

        Parameters
        ----------
        age : (R, N), (1, N) or (1, 1) days since each player's arrival, negative before it.
        """
        return {}

    def step(self, skill: Floats, age: Floats, memory: Memory, luck: Luck, moment: Moment) -> None:
        """Change skills (R, N) in place, by what happens since the round before; never called for the first.

        Parameters
        ----------
        age : as of `begin`, now.
        """
        raise NotImplementedError


class Activity(Spec):
    """Who plays, and how much; several multiply."""

    graded: ClassVar[bool] = False  # it says how much each plays, and keeps nobody away

    def begin(self, luck: Luck, players: int, moment: Moment) -> Memory:
        """Return what is to be remembered; `arrives` and `leaves` (R, N), days, if it has such, are known to others."""
        return {}

    def weight(self, memory: Memory, luck: Luck, moment: Moment) -> Floats:
        """Return relative chances (R, N) to play in this round, or (R or 1, N or 1); 0 is away."""
        raise NotImplementedError

    def closed(self, moment: Moment) -> bool:
        """Return whether a round has no games in any replicate."""
        return False


class Pairing(Spec):
    """Who meets whom."""

    blind: ClassVar[bool] = False  # it looks at nothing but who is there, so that replicates can share a schedule

    @property
    def loop(self) -> "tuple[System, Policy] | None":
        """The system and policy by whose ratings it pairs: a closed loop; None where it looks at none."""
        return None

    def games(self, players: int, per_round: int) -> int:
        """Return how many games a round has room for, M, `per_round` being 0 where the user says nothing.

        Raises
        ------
        InputError : there cannot be so many, or not with so many players.
        """
        return per_round or max(1, players // 2)

    def all_play(self, players: int, games: int) -> bool:
        """Return whether all who are there play in a round of so many games, however active they are."""
        return False

    def begin(self, luck: Luck, players: int, games: int) -> Memory:
        """Return what is to be remembered."""
        return {}

    def pair(self, pool: Pool, memory: Memory, luck: Luck, moment: Moment) -> Pairs:
        """Return the games of a round."""
        raise NotImplementedError

    def learn(self, pairs: Pairs, score: Floats, memory: Memory) -> None:
        """Hear the results (R, M) of a round, those of first."""


class Outcomes(Spec):
    """What comes of games."""

    edge: float = quantity(0.0, "advantage of first", unit="rating points", ge=-1e5, le=1e5)
    edge_growth: float = quantity(
        0.0, "what is added to it for each 400 points that the mean strength of the two is above 1500",
        unit="rating points", ge=-1e5, le=1e5,
    )  # fmt: skip

    @property
    def edged(self) -> bool:
        """Whether first has an advantage, so that the stream says who is first."""
        return bool(self.edge or self.edge_growth)

    def begin(self, luck: Luck, players: int) -> Memory:
        """Return what is to be remembered."""
        return {}

    @property
    def law(self) -> Law | None:
        """What can come of any game, where gap and level are all that matters; None where `chances` says more."""
        return None

    def chances(self, meeting: Meeting, memory: Memory, luck: Luck, moment: Moment) -> Chances:
        """Return what can come of the games of a round: by the law, where there is one."""
        if self.law is None:
            raise NotImplementedError
        return Chances(*judged(self.law, meeting.gap, meeting.level))

    def performances(self, meeting: Meeting, fate: Floats, memory: Memory, luck: Luck, moment: Moment) -> Performances:
        """Return the strength that both show in each game of a round.

        Parameters
        ----------
        fate : (R, M) uniform in (0, 1), what the result hangs on: first wins below E - d/2 and loses above E + d/2. The
            performance of first less that of second falls as it rises.
        """
        ahead = lead(meeting.gap, meeting.level, self.edge, self.edge_growth)
        return gumbels(ahead, meeting.level, fate, luck, moment.round)


class Stress(Spec):
    """Foul play and other trouble: whatever of it a kind does not touch is left as it is."""

    @property
    def pairs(self) -> bool:
        """Whether it changes who meets whom, so that replicates cannot share a schedule."""
        return False

    def check(self, players: int, days: float) -> None:
        """Refuse a world of so few players, or of so few days.

        Raises
        ------
        InputError : more are at it than there are, or it would begin after the end.
        """

    def begin(self, luck: Luck, players: int) -> Memory:
        """Return what is to be remembered, such as who is at it, `who` (R, K)."""
        return {}

    def who(self, memory: Memory) -> "Mask | None":
        """Return who is at it (R, N), to their own gain; None where that cannot be said."""
        return None

    def strengthen(self, strength: Floats, memory: Memory, moment: Moment) -> None:
        """Change in place the strength (R, N) at which players play; their skill stays what it is."""

    def pair(self, pairs: Pairs, weight: Floats, memory: Memory, luck: Luck, moment: Moment) -> None:
        """Change in place who meets whom; weight (R or 1, N) is 0 of those who are away."""

    def settle(self, pairs: Pairs, score: Floats, chances: Chances, memory: Memory, luck: Luck, moment: Moment) -> None:
        """Change in place the results (R, M) and, to match, what was to be expected of them."""

    def learn(self, pairs: Pairs, score: Floats, memory: Memory) -> None:
        """Hear the results (R, M) of a round, as they are at last."""


SKILLS: Registry[Skills] = Registry("skills", "ratesim.worlds.skills")
CHANGES: Registry[Change] = Registry("change of skill", "ratesim.worlds.changes")
ACTIVITIES: Registry[Activity] = Registry("activity", "ratesim.worlds.activities")
PAIRINGS: Registry[Pairing] = Registry("pairing", "ratesim.worlds.pairings")
OUTCOMES: Registry[Outcomes] = Registry("outcomes", "ratesim.worlds.outcomes")
STRESSES: Registry[Stress] = Registry("stress", "ratesim.worlds.stresses")


def built(registry: Registry[S]) -> BeforeValidator:
    """Return what makes a part of what an experiment file says of it: a name, or a table with a kind."""

    def build(value: object) -> object:
        return registry.build(value) if isinstance(value, str | Mapping) else value

    return BeforeValidator(build, json_schema_input_type=str | dict[str, Any])


# The registry stands beside what builds from it, for who unfolds axes and for the schema: see `ratesim.grid.part`.
ASkills = Annotated[SerializeAsAny[Skills], built(SKILLS), SKILLS]
AChange = Annotated[SerializeAsAny[Change], built(CHANGES), CHANGES]
AnActivity = Annotated[SerializeAsAny[Activity], built(ACTIVITIES), ACTIVITIES]
APairing = Annotated[SerializeAsAny[Pairing], built(PAIRINGS), PAIRINGS]
SomeOutcomes = Annotated[SerializeAsAny[Outcomes], built(OUTCOMES), OUTCOMES]
AStress = Annotated[SerializeAsAny[Stress], built(STRESSES), STRESSES]


class World(Spec):
    """A way to simulate games whose truth is known."""

    @property
    def most(self) -> int:
        """How many games a replicate has at the most; 0 where that is not known beforehand."""
        return 0

    def simulate(self, seed: int, replicates: int = 1, first: int = 0) -> GameStream:
        """Return games with their truth: `truth`, `skill_first`, `skill_second`, `paths`; players have a `replicate`.

        Parameters
        ----------
        seed, first : at least 0; `first` is the number of the first replicate.
        replicates : at least 1. The players of each are players of their own, games of all stand in order of time.

        The same parameters, seed and replicate give the same bytes, on any machine, in any order and company.

        Raises
        ------
        InputError : a negative seed or replicate.
        """
        raise NotImplementedError


WORLDS: Registry[World] = Registry("world", "ratesim.worlds")
