"""T6, T7 and T10: worlds of two players who meet again and again."""

from typing import Literal, NamedTuple

import numpy as np
import polars as pl

import ratesim as rs
from ratesim import theory
from ratesim.curves import Q, logistic_curve
from ratesim.worlds import League
from ratesim.worlds.outcomes import Logistic
from ratesim.worlds.skills import Listed

from .row import Floats, Row, mean, root

BLOCK = 1_000_000  # games at once
MANY = 1_000_000  # games after which a player's K is 0, and with which a known opponent begins
Foe = Literal["known", "rated"]


class Duel(NamedTuple):
    """Two players, in many replicates: arrays (T, R), before each game."""

    error: Floats  # of the rating difference, rating points
    surprise: Floats  # score of the one less what was to be expected of it


def duel(
    k: float, rounds: int, replicates: int, *, gap: float = 0.0, draw: float = 0.0, foe: Foe = "known",
    off: float = 0.0, seed: int = 1,
) -> Duel:  # fmt: skip
    """Let two players meet, whose skills differ by `gap`; one begins `off` points above his.

    A known opponent stays where he is, at his skill: his K is 0.
    """
    skills = Listed(values=(1500.0 + gap, 1500.0))
    world = League(players=2, rounds=rounds, per_round=1, skills=skills, outcomes=Logistic(draw=draw))
    block = max(1, BLOCK // rounds)
    firsts = range(0, replicates, block)
    parts = [met(world, k, seed, first, min(block, replicates - first), foe, off) for first in firsts]
    return Duel(*(np.concatenate(part, axis=1) for part in zip(*parts, strict=True)))


def met(world: League, k: float, seed: int, first: int, replicates: int, foe: Foe, off: float) -> Duel:
    """Return some of the replicates."""
    games = world.simulate(seed, replicates, first)
    gap = float(games.players["skill"][0] - games.players["skill"][1])
    start = games.players.select(
        "player", rating=pl.col("skill") + pl.Series([float(off), 0.0] * replicates),
        games=pl.Series([0, MANY if foe == "known" else 0] * replicates),
    )  # fmt: skip
    policy = rs.Steps(k=(k, 0.0), at=(float(MANY),))
    forecast = rs.replay(rs.Elo(), games, policy=policy, start=start).forecast
    side = np.where(games.first % 2 == 0, 1.0, -1.0)
    error = side * np.log(forecast / (1.0 - forecast)) / Q - gap
    assert games.truth is not None
    shape = (world.rounds, replicates)
    return Duel(error.reshape(shape), (side * (games.score - games.truth)).reshape(shape))


def settled(error: Floats, surprise: Floats, burn: int) -> tuple[Floats, ...]:
    """Return means (R,) over the games after some: error, its square, and three whose mean is 0 in any system.

    Whatever a rating was before a game, the surprise of its result has mean 0.
    """
    x, e = error[burn:], surprise[burn:]
    return x.mean(0), (x * x).mean(0), e.mean(0), (x * e).mean(0), (x * x * e).mean(0)


def patience(k: float, expected: float = 0.5, foe: Foe = "known") -> int:
    """Return the games in which an error is forgotten to a part in 400, its square to one in 160,000."""
    return int(6.0 / (k * Q * expected * (1.0 - expected) * (1.0 if foe == "known" else 2.0)))


def spread(replicates: int, k: float, draw: float = 0.0) -> list[Row]:
    """T6: the standard deviation at rest, among known equals, who draw `draw` / (2 + `draw`) of their games."""
    burn, share = patience(k), draw / (2.0 + draw)
    _, square, *controls = settled(*duel(k, 4 * burn, replicates, draw=draw, seed=int(600 + k + 10 * draw)), burn)
    expected = theory.stationary_sd(k, draw=share)
    said = f"K {k}, {share:.0%} draws" if draw else f"K {k}, no draws"
    return [Row("T6", said, "SD, points", expected, *root(mean(square, *controls)), 0.02 * expected)]


def stretched(replicates: int, k: float, gap: float, foe: Foe) -> list[Row]:
    """T7: by how much a rating difference exceeds the true one."""
    burn = patience(k, logistic_curve(Q, gap), foe)
    one, _, *controls = settled(*duel(k, 4 * burn, replicates, gap=gap, foe=foe, seed=int(700 + k)), burn)
    found = mean(gap + one, *controls)
    said = f"K {k}, gap {gap}, {'opponent known' if foe == 'known' else 'both rated'}"
    expected = gap + theory.stretch(k, gap, foe)
    return [Row("T7", said, "mean gap of ratings, points", expected, *found, 1.0)]


def convergence(replicates: int, k: float, begin: float, end: float) -> list[Row]:
    """T10: the games in which a mean error falls from one value to another, among known equals."""
    expected = theory.convergence_games(k, begin, end)
    played = duel(k, int(expected) + 6, replicates, off=-begin, seed=int(1000 + begin + k))
    return [Row("T10", f"K {k}, {begin} to {end} points", "games", expected, *crossing(played, k, -end), 1.0)]


def crossing(duel: Duel, k: float, level: float) -> tuple[float, float, float]:
    """Return the games after which the mean error rises through a level, between two games linearly.

    What the surprises of results leave in a rating is taken out, as far as it is linear about the path of no noise.
    """
    path, noise = float(duel.error[0, 0]), np.zeros(duel.error.shape[1])
    before = path
    for n, surprise in enumerate(duel.surprise[:-1], start=1):
        expected = logistic_curve(Q, path)
        noise = (1.0 - k * Q * expected * (1.0 - expected)) * noise + k * surprise
        path += k * (0.5 - expected)
        after = mean(duel.error[n], noise)
        if after[0] >= level:
            slope = after[0] - before
            return n - (after[0] - level) / slope, after[1] / slope, after[2]
        before = after[0]
    raise AssertionError(f"the mean error never reached {level}")
