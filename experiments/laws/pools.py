"""T3, T8 and T9: pools of players who are paired at random."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

import ratesim as rs
from ratesim import theory
from ratesim.curves import Q
from ratesim.replaying.snapshots import snapshots
from ratesim.worlds import League
from ratesim.worlds.skills import Listed, Normal

from .row import Floats, Row, mean

SIX = (1200.0, 1400.0, 1480.0, 1550.0, 1650.0, 1720.0)


class Pool(NamedTuple):
    """A pool, rated by Elo in many replicates."""

    games: rs.GameStream
    run: rs.Run
    players: int
    rounds: int

    @property
    def truth(self) -> Floats:
        """The true expected score of each game."""
        assert self.games.truth is not None
        return self.games.truth

    def by_game(self, column: NDArray[Any]) -> NDArray[Any]:
        """Return a column as an array (T, R), game and replicate."""
        return column.reshape(self.rounds, -1)

    def ratings(self, rounds: list[int]) -> tuple[Floats, Floats]:
        """Return ratings and skills (T, R, N), less the means of their pools, before some of the games."""
        days = self.by_game(self.games.time)[:, 0]
        seen = list(snapshots(self.run, [days[r - 1] if r else -1.0 for r in rounds]))
        both = (np.array([each.rating for each in seen]), np.array([each.skill for each in seen]))
        rating, skill = (each - each.mean(axis=2, keepdims=True) for each in both)
        return rating, skill


def pool(world: League, k: float, replicates: int, seed: int, *, at_skill: bool) -> Pool:
    """Play a pool, one game a round; ratings begin at the skills, or all alike."""
    games = world.simulate(seed, replicates)
    start = games.players.select("player", rating="skill") if at_skill else None
    run = rs.replay(rs.Elo(), games, policy=rs.Constant(k), start=start)
    return Pool(games, run, world.players, world.rounds)


def stationary(replicates: int, beta: float) -> list[Row]:
    """T3: at rest nobody's mean surplus is other than 0, and E[D (E - p)] = K E[(S - E)²]."""
    burn, said = int(200 / beta), f"β {beta}, 6 players"
    world = League(players=6, rounds=4 * burn, per_round=1, skills=Listed(values=SIX))
    found = pool(world, beta / Q, replicates, seed=int(300 + 10 * beta), at_skill=True)
    games, forecast, late = found.games, found.run.forecast, slice(burn, None)
    surplus = found.by_game(forecast - found.truth)[late]
    first, second = (found.by_game(side)[late] % 6 for side in (games.first, games.second))
    each = [mean((surplus * ((first == i) * 1.0 - (second == i))).mean(0)) for i in range(6)]
    worst = max(each, key=lambda value: abs(value[0] / value[1]))
    gap = np.log(forecast / (1.0 - forecast))
    left = found.by_game(gap * (forecast - found.truth))[late].mean(0)
    right = beta * found.by_game((games.score - forecast) ** 2)[late].mean(0)
    return [
        Row("T3", said, "mean of E − p, of the player furthest from 0", 0.0, *worst),
        Row("T3", said, "mean of D (E − p) / s", float(right.mean()), float(left.mean()), *mean(left - right)[1:]),
    ]


def at_rest(replicates: int, players: int, v: float, beta: float) -> list[Row]:
    """T8: squared error and loss at rest."""
    law, said = theory.RandomPool(players, float(np.sqrt(v)) / Q, beta / Q), f"{players} players, v {v:g}, β {beta}"
    burn = int(3 * (players - 1) / (2 * beta * law.h1))
    world = League(players=players, rounds=4 * burn, per_round=1, skills=Normal(sd=law.skill_sd))
    found = pool(world, law.k, replicates, seed=800 + players, at_skill=True)
    rating, skill = found.ratings([*range(burn, 4 * burn, max(1, burn // 10))])
    square = mean(((rating - skill) ** 2).mean(axis=(0, 2)))
    truth, forecast = found.truth, found.run.forecast
    loss = truth * np.log(truth / forecast) + (1 - truth) * np.log((1 - truth) / (1 - forecast))
    value = mean(found.by_game(loss)[burn:].mean(0))
    return [
        Row("T8", said, "mean squared error, points²", law.rest, *square, 0.08 * law.rest),
        Row("T8", said, "excess log loss, nats a game", law.loss, *value, 0.08 * law.loss),
    ]


def approach(replicates: int) -> list[Row]:
    """T9: the slope of ratings on skills, while they come from all alike; beside it what T8 says of it."""
    rows, players, k = [], 10, 0.1 / Q
    skill = ndtri((np.arange(players) + 0.5) / players) / Q
    moments = [100, 250, 500, 1000]
    world = League(players=players, rounds=moments[-1] + 1, per_round=1, skills=Listed(values=tuple(1500.0 + skill)))
    rating, _ = pool(world, k, replicates, seed=90, at_skill=False).ratings(moments)
    meetings = (1.0 - np.eye(players)) * 2.0 / (players * (players - 1))
    ratings = theory.mean_field(skill, meetings, k, moments)
    linear = theory.RandomPool(players, float(np.sqrt((skill**2).mean())), k)
    for n, mine, theirs in zip(moments, rating, ratings, strict=True):
        value, square = mean((mine * skill).sum(1) / (skill**2).sum()), float((skill**2).sum())
        said, measured = f"{players} players, β 0.1, game {n}", "slope of ratings on skills"
        rows += [
            Row("T8", said, measured, linear.reached(n), *value, 0.15 * linear.reached(n)),
            Row("T9", said, measured, float((theirs * skill).sum()) / square, *value, 0.02),
        ]
    return rows
