"""T5 and T11: one player against opponents who are rated like him, and against known ones of his own strength."""

from typing import NamedTuple

import numpy as np
import polars as pl

import ratesim as rs
from ratesim import theory
from ratesim.curves import Q
from ratesim.replaying.openings import Variant
from ratesim.replaying.session import Session
from ratesim.rng import Luck
from ratesim.worlds.base import Chances, Meeting, Moment
from ratesim.worlds.outcomes import Logistic
from ratesim.worlds.play import results

from .duels import MANY, patience, settled
from .row import Floats, Row, mean, root

STEP = 10.0  # rating points between known opponents


def outcomes(gap: Floats, luck: Luck, number: int) -> tuple[Floats, Floats]:
    """Return scores of games (M,) and what was to be expected, as a world with logistic outcomes has them."""
    nobody = np.zeros((1, len(gap)), np.int32)
    meeting = Meeting(gap[None], np.zeros((1, len(gap))), nobody, nobody)
    chances: Chances = Logistic().chances(meeting, {}, luck, Moment(number, number + 1, float(number), 1.0, 1.0))
    score, _ = results(chances, luck.keys("score"), number)
    return score[0], chances.expected[0]


def closed(k: float, rounds: int, players: int, seed: int) -> tuple[Floats, Floats]:
    """Let players meet, game by game, opponents who are rated as they are at that moment, and rightly so.

    Returns
    -------
    Errors before each game (T, M), rating points, and score less what was to be expected.
    """
    score = np.empty(rounds * players)
    me = np.arange(players, dtype=np.int32)
    games = rs.GameStream(
        pl.DataFrame({"player": np.arange(2 * players).astype(str)}), np.tile(me, rounds),
        np.tile(me + players, rounds), score[:], np.repeat(np.arange(rounds, dtype=np.float64), players),
    )  # fmt: skip
    session = Session([Variant(rs.Elo(start=1500.0), rs.Constant(k))], games, rs.PerGame())
    rating = session.state.rows[:, 0, 0]
    luck = Luck(seed, [0])
    errors, surprise = np.empty((rounds, players)), np.empty((rounds, players))
    for number in range(rounds):
        rating[players:] = rating[:players]
        errors[number] = rating[:players] - 1500.0
        now = slice(number * players, (number + 1) * players)
        score[now], expected = outcomes(-errors[number], luck, number)
        surprise[number] = score[now] - expected
        session.advance(now.stop)
        session.close(session.schedule.base + number + 1)
    return errors, surprise


def matched(players: int, k: float) -> list[Row]:
    """T5: the standard deviation among opponents who are rated alike and right."""
    burn, expected = patience(k), theory.matched_sd(k)
    _, square, *controls = settled(*closed(k, 4 * burn, players, seed=int(500 + k)), burn)
    return [Row("T5", f"K {k}", "SD, points", expected, *root(mean(square, *controls)))]


class Chase(NamedTuple):
    """Ratings that follow skills, which change between games: arrays (T, M)."""

    before: Floats  # error before the game, rating points
    after: Floats  # after it
    surprise: Floats  # score less what was to be expected
    moved: Floats  # by what skill changes then, less the mean of that


def chase(k: float, rounds: int, players: int, *, walk: float = 0.0, improvement: float = 0.0, seed: int = 1) -> Chase:
    """Let players whose skill changes after each game meet known opponents, the nearest to their skill."""
    luck = Luck(seed, [0])
    moved = walk * luck.normal("walk", 0, rounds * players).reshape(rounds, players)
    skill = 1500.0 + np.concatenate([np.zeros((1, players)), np.cumsum(moved + improvement, axis=0)[:-1]])
    rung = np.round((skill - skill.min()) / STEP).astype(np.int32)
    foe = skill.min() + STEP * np.arange(rung.max() + 1)
    score, expected = outcomes((skill - foe[rung]).ravel(), luck, 1)
    names = np.arange(players + len(foe)).astype(str)
    start = pl.DataFrame(
        {"player": names, "rating": np.concatenate([np.full(players, 1500.0), foe]),
         "games": np.repeat([0, MANY], [players, len(foe)])}
    )  # fmt: skip
    games = rs.GameStream(
        pl.DataFrame({"player": names}), np.tile(np.arange(players, dtype=np.int32), rounds), rung.ravel() + players,
        score, np.repeat(np.arange(rounds, dtype=np.float64), players),
    )  # fmt: skip
    policy = rs.Steps(k=(k, 0.0), at=(float(MANY),))
    forecast = rs.replay(rs.Elo(), games, policy=policy, start=start).forecast.reshape(rounds, players)
    rating = foe[rung] + np.log(forecast / (1.0 - forecast)) / Q
    surprise = score.reshape(rounds, players) - expected.reshape(rounds, players)
    return Chase(*(each[:-1] for each in (rating - skill, np.roll(rating, -1, axis=0) - skill, surprise, moved)))


def walking(players: int, k: float, walk: float, law: str) -> list[Row]:
    """T11: the error behind a skill that walks at random.

    In the law time flows, and games have no before and after: found is the mean of both. The one of leading order
    leaves out what is of order beta, 3 % at K 20; what is linear in the error leaves out 3 % at K 40.
    """
    found = rested(chase(k, 4 * patience(k), players, walk=walk, seed=int(1100 + k)), patience(k))
    square = ((found.before**2 + found.after**2) / 2.0).mean(0)
    noise = (found.surprise, found.before * found.surprise, found.after * found.moved)
    value = mean(square, *(each.mean(0) for each in noise))
    expected = theory.tracking_mse(k, walk) if law == "leading order" else theory.linear_tracking_mse(k, walk)
    said = f"K {k}, walk of {walk} points a game, {law}"
    return [Row("T11", said, "mean squared error, points²", expected, *value, 0.03 * expected)]


def improving(players: int, k: float, improvement: float) -> list[Row]:
    """T11: the lag behind a skill that improves steadily, midway between before and after a game."""
    burn = 2 * patience(k)  # near K / 2 a lag builds up slowly
    found = rested(chase(k, 3 * burn, players, improvement=improvement, seed=int(1200 + k)), burn)
    lag = -((found.before + found.after) / 2.0).mean(0)
    value = mean(lag, found.surprise.mean(0), (found.before * found.surprise).mean(0))
    expected = theory.tracking_lag(k, improvement)
    said = f"K {k}, {improvement} points better a game"
    return [Row("T11", said, "mean lag, points", expected, *value, 0.03 * expected)]


def rested(chase: Chase, burn: int) -> Chase:
    """Return the games after some."""
    return Chase(*(each[burn:] for each in chase))
