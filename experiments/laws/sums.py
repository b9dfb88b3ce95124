"""T1 and T2: sums that a run keeps exactly, up to rounding."""

import math

import numpy as np

import ratesim as rs
from ratesim import theory
from ratesim.worlds import League
from ratesim.worlds.outcomes import Logistic

from .row import Row

HALF_ULP = 2.0**-53  # relative error of a rounding
MOST = 1500.0  # no rating of these worlds goes beyond it: they begin at 0

Calendar = rs.PerGame | rs.Every


def league(games: int, edge: float = 0.0) -> rs.GameStream:
    """Return games of 50 players with draws, 25 a day."""
    outcomes = Logistic(draw=0.5, edge=edge)
    return League(players=50, rounds=games // 25, days=games / 25, outcomes=outcomes).simulate(seed=11)


def sum_of(run: rs.Run) -> float:
    """Return the sum of all ratings, exactly rounded."""
    rating = run.ratings()["rating"].to_numpy()
    assert np.abs(rating).max() < MOST
    return math.fsum(rating)


def conserved(games: int, calendar: Calendar) -> list[Row]:
    """T1: with one K the sum of ratings never changes.

    A game rounds S - E, 1 - E, K (S - E) and the new rating, of both sides: at most 3.5 K + 2 max |R| half units in the
    last place of 1. A period of n games of a player adds up n surpluses first: n K more a game.
    """
    stream, k = league(games), 20.0
    run = rs.replay(rs.Elo(start=0.0), stream, policy=rs.Constant(k), calendar=calendar)
    sides = np.tile(run.period.astype(np.int64) * stream.n_players, 2) + np.concatenate([stream.first, stream.second])
    _, most = np.unique(sides, return_counts=True)  # games of a player in a period
    bound = games * HALF_ULP * (2.0 * MOST + (3.5 + 2.0 * most.max()) * k)
    said = f"{games:,} games, K {k:g}, {'game by game' if isinstance(calendar, rs.PerGame) else 'weekly periods'}"
    return [Row("T1", said, "change of the sum of ratings", 0.0, sum_of(run), bound, exact=True)]


def unequal(games: int) -> list[Row]:
    """T1: with K 40 for newcomers and 20 for others it changes by (K_a - K_b)(S - E) a game; rounded as `conserved`."""
    stream, policy = league(games), rs.Steps(k=(40.0, 20.0), at=(30.0,))
    run = rs.replay(rs.Elo(start=0.0), stream, policy=policy)
    played, changes = np.zeros(stream.n_players), []
    for a, b, score, expected in zip(stream.first, stream.second, stream.score, run.forecast, strict=True):
        k_first, k_second = (40.0 if played[i] < 30 else 20.0 for i in (a, b))
        changes.append(theory.sum_change(k_first, k_second, float(score), float(expected)))
        played[[a, b]] += 1
    bound = games * HALF_ULP * (2.0 * MOST + (3.5 + 3.0) * 40.0)
    said = f"{games:,} games, K 40 for 30 games, then 20"
    return [Row("T1", said, "change of the sum of ratings", math.fsum(changes), sum_of(run), bound, exact=True)]


def energy(games: int) -> list[Row]:
    """T2: the sum of squared ratings changes by 2 K D (S - E) + 2 K² (S - E)² a game.

    A new rating is off by max |R| + 2.5 K half units at most, its square by 2 max |R| times that, for both sides; the
    law's own terms by 26 K max |R| + 6 K² a game; the sum of squares by one a player.
    """
    stream, k = league(games, edge=30.0), 20.0
    run = rs.replay(rs.Elo(start=0.0, advantage=30.0), stream, policy=rs.Constant(k))
    session, changes, most = run.again(), [], 0.0
    rating = session.state.rows[:, 0, 0]
    for game, (a, b, score) in enumerate(zip(stream.first, stream.second, stream.score, strict=True)):
        difference = float(rating[a] - rating[b])
        (expected,) = session.advance(game + 1)[:, 0]
        changes.append(theory.energy_change(k, difference, float(score), float(expected)))
        most = max(most, abs(rating[a]), abs(rating[b]))
    bound = HALF_ULP * (games * (4.0 * most**2 + 36.0 * k * most + 6.0 * k * k) + stream.n_players * most**2)
    found = math.fsum(run.ratings()["rating"].to_numpy() ** 2)
    said = f"{games:,} games, K {k:g}"
    return [Row("T2", said, "sum of squared ratings", math.fsum(changes), found, bound, exact=True)]
