"""A world whose skills never change: normal skills, random pairs, logistic results with draws."""

import math
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, Self, cast

import numpy as np
import polars as pl
from numpy.typing import NDArray
from pydantic import model_validator

from ..curves import Q, logistic_curve
from ..errors import InputError
from ..jit import kernel, specialise
from ..rng import generator
from ..spec import Duration, quantity
from ..stream import GameStream
from .base import WORLDS, World

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FunctionType

Floats = NDArray[np.float64]
FAR = 1e5  # rating points
LONG = 2_900_000.0  # days: up to the year 9909, for dates end with 9999


@WORLDS.add
class Static(World):
    """Skills that stay as they are, pairs at random, results as the logistic curve has them.

    The expected score of first is *exactly* 1 / (1 + 10^(-gap / 400)), whatever the share of draws; gap is skill of
    first, plus `edge` where first has the advantage, minus that of second. A share d of draws leaves first
    E - d/2 wins. `draw` is the ν of Davidson (J. Am. Stat. Assoc. 65 (1970) 317), whose model gives d once its own
    strengths are set so that the expected score is E; see `draw_share`. With ν = 2 these are the strengths themselves.

    >>> games = Static(players=10, games=100).simulate(seed=1)
    >>> len(games), games.n_players, games.players.columns
    (100, 10, ['player', 'skill'])
    """

    kind: Literal["static"] = "static"
    players: int = quantity(300, "number of players", unit="players", ge=2, le=10_000_000)
    games: int = quantity(20_000, "number of games", unit="games", ge=1, le=200_000_000)
    mean: float = quantity(1500.0, "mean skill", unit="rating points", ge=-FAR, le=FAR)
    sd: float = quantity(200.0, "standard deviation of skills", unit="rating points", ge=0, le=FAR)
    days: Duration = quantity(
        1000.0, "time over which games are spread evenly, from 1970-01-01", unit="days", gt=0, le=LONG
    )
    draw: float = quantity(
        0.0, "Davidson's ν: equals draw ν / (2 + ν) of their games; 0 no draws", unit="ratio", ge=0, le=1e6
    )
    edge: float = quantity(
        0.0, "advantage, of first and of second in turn; 0 nobody's", unit="rating points", ge=-FAR, le=FAR
    )
    activity: float = quantity(
        0.0, "player n plays in proportion to n^-activity; 0 all alike", unit="exponent", ge=0, le=2
    )
    events: Duration = quantity(
        0.0, "length of events: games of each such span are one's; 0 games are in none", unit="days", ge=0, le=LONG
    )
    away: float = quantity(0.0, "share of players, drawn at random, who take a break", unit="share", ge=0, le=0.8)
    stretch: Duration = quantity(365.0, "length of that break, in the middle of the time", unit="days", ge=0, le=LONG)

    @model_validator(mode="after")
    def _two_stay(self) -> Self:
        if self.players - self._absent < 2:
            msg = f"away = {self.away}: of {self.players} players, two at least must stay"
            raise ValueError(msg)
        return self

    @property
    def _absent(self) -> int:
        return int(self.away * self.players)

    def simulate(self, seed: int, replicates: int = 1, first: int = 0) -> GameStream:
        """Return the games of one replicate."""
        if replicates != 1:
            raise InputError(f"replicates = {replicates} of world static", expected="1, or world league")
        # A few deviates owe their last digit to the machine's logarithm; to a millionth of a point all machines agree.
        deviates = generator(seed, first, "skills").standard_normal(self.players)
        skill = np.round(self.mean + self.sd * deviates, 6)
        time = np.arange(self.games) * (self.days / self.games)
        away = np.zeros(self.players, dtype=np.bool_)
        away[generator(seed, first, "breaks").permutation(self.players)[: self._absent]] = True
        paused = np.abs(time - self.days / 2) <= self.stretch / 2
        one, other = self._pairs(generator(seed, first, "pairing"), away, paused)
        edge = np.where(np.arange(self.games) % 2, -1.0, 1.0)
        luck = generator(seed, first, "results").random(self.games)
        truth, score = np.empty(self.games), np.empty(self.games)
        _loop()(skill[one] - skill[other] + self.edge * edge, self.draw, luck, truth, score)
        width = len(str(self.players))
        names = pl.Series("player", [f"P{n:0{width}}" for n in range(1, self.players + 1)])
        known = names.cast(pl.Enum(names))
        return GameStream.of(
            first=known.gather(one),
            second=known.gather(other),
            score=score,
            time=time,
            edge=edge if self.edge else None,
            event=pl.Series(np.floor(time / self.events).astype(np.int64)).cast(pl.String) if self.events else None,
            truth=truth,
            skill_first=skill[one],
            skill_second=skill[other],
            players=pl.DataFrame({"player": names, "skill": skill}),
        )

    def _pairs(
        self, draws: np.random.Generator, away: NDArray[np.bool_], paused: NDArray[np.bool_]
    ) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return both players of each game: two by activity, drawn again until they differ and neither is away."""
        weight = np.round(np.arange(1.0, self.players + 1) ** -self.activity, 12)  # the same on every machine
        total = np.cumsum(weight)

        def some(count: int) -> NDArray[np.intp]:
            drawn: NDArray[np.intp] = np.searchsorted(total, draws.random(count) * total[-1], side="right")
            return drawn

        first, second = some(self.games), some(self.games)
        while len(again := np.flatnonzero((first == second) | (paused & (away[first] | away[second])))):
            first[again], second[again] = some(len(again)), some(len(again))
        return first, second


@kernel
def draw_share(expected: float, nu: float) -> float:
    """Return the probability of a draw of Davidson's model where the expected score is `expected`.

    The model has wins, draws and losses as x : ν : 1/x. Solve (x + ν/2) / (x + ν + 1/x) = E for x and put it into
    ν / (x + ν + 1/x): with v = E (1 - E), the share is 4 ν v / (ν + sqrt(ν² (1 - 4v) + 16 v)), never more than
    2 min(E, 1 - E).
    """
    v = expected * (1.0 - expected)
    return 4.0 * nu * v / (nu + math.sqrt(nu * nu * (1.0 - 4.0 * v) + 16.0 * v))


def play(gap: Floats, nu: float, luck: Floats, truth: Floats, score: Floats) -> None:
    """Write the expected score of first, and the score that luck (uniform in 0..1) makes of it, of each game (G,)."""
    for g in range(len(gap)):
        expected = logistic_curve(Q, gap[g])
        half = 0.5 * draw_share(expected, nu)
        truth[g] = expected
        score[g] = 0.5 * ((luck[g] < expected - half) + (luck[g] < expected + half))


@cache
def _loop() -> "Callable[..., Any]":
    return specialise(cast("FunctionType", play), "the static world")
