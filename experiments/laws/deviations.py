"""T12 and T13: what Glicko's deviation is, and what it is worth."""

import math
from datetime import date
from typing import Literal

import numpy as np
import polars as pl

import ratesim as rs
from ratesim import theory
from ratesim.replaying.snapshots import Snapshot, snapshots
from ratesim.rng import Luck
from ratesim.worlds import League
from ratesim.worlds.base import Memory, Moment, Pairing, Pairs, Pool
from ratesim.worlds.skills import Normal

from .row import Floats, Row, mean, root

KNOWN = 1e-9  # deviation of opponents whose rating is known
EPS = 2.0**-53
MONTH = 30.0  # days
MONTHLY = rs.Every(days=MONTH, origin=date(1970, 1, 1))
PRINTED = {  # sd of z and slope after a period, of one simulation that was printed: no formula is known
    (350, 350): {10: (1.30, 0.81), 40: (1.37, 0.89)},
    (200, 350): {40: (1.01, 1.01)},
}


def against_known(games: int, periods: int, c: float = 0.0) -> float:
    """Return the deviation of one who draws some games a period with opponents of his rating, new ones each time."""
    number, period = games * periods, np.repeat(np.arange(periods, dtype=np.float64), games)
    foes = [f"foe {n}" for n in range(number)]
    start = {"me": {"deviation": 350.0}} | {foe: {"deviation": KNOWN} for foe in foes}
    stream = rs.GameStream.of(first=["me"] * number, second=foes, score=[0.5] * number, time=MONTH * period + 0.5)
    table = pl.DataFrame([{"player": name, **row} for name, row in start.items()])
    run = rs.replay(rs.Glicko(c=c, per=MONTH), stream, calendar=MONTHLY, start=table)
    session = run.again()
    session.advance(number)
    session.close(session.schedule.base + periods)  # as it is after the games, before it ages again
    return math.sqrt(float(session.state.rows[stream.first[0], 1, 0]))


class Lots(Pairing):
    """Everybody plays once a round, somebody drawn by lot."""

    kind: Literal["lots"] = "lots"

    def pair(self, pool: Pool, memory: Memory, luck: Luck, moment: Moment) -> Pairs:
        """Return the games of a round: neighbours in an order that is drawn."""
        order = np.argsort(luck.uniform("lots", moment.round, pool.weight.shape[1]), axis=1, kind="stable")
        first, second = (np.ascontiguousarray(order[:, side::2], dtype=np.int32) for side in (0, 1))
        return Pairs(first, second)


def once_known(_: int, games: int) -> list[Row]:
    """T12: the deviation after games against known equals, in one period or in as many.

    Both sides make at most 3 roundings of 2^-53 a period and one a game, of numbers that only grow smaller, and 8 more.
    """
    expected, rows = theory.deviation_after(games), []
    for one, periods in ((games, 1), (1, games)):
        found = against_known(one, periods)
        said = f"{games} games in {'one period' if periods == 1 else f'{periods} periods'}"
        rows.append(
            Row("T12", said, "deviation, points", expected, found, expected * EPS * (8 + 4 * games), exact=True)
        )
    return rows


def steady(_: int, c: float, games: int) -> list[Row]:
    """T12: the deviation at which ageing and games balance.

    A period multiplies what went wrong before by f = (RD^2 / (RD^2 + c^2))^2, 0.92 at the most here, and adds 6 + n
    roundings; f^800 leaves nothing of the start.
    """
    expected = theory.steady_deviation(c, games)
    kept = (expected**2 / (expected**2 + c**2)) ** 2
    bound = expected * EPS * (8 + (6 + games) / (1.0 - kept))
    said = f"c {c:g}, {games} game{'s' * (games > 1)} a period"
    return [Row("T12", said, "deviation at rest, points", expected, against_known(games, 800, c), bound, exact=True)]


def calibration(replicates: int, skill_sd: float, deviation: float) -> list[Row]:
    """T13: sd of z, slope and coverage after periods of five games each, of which the first is known on paper.

    Where a pool lies is nothing that games can tell, so errors are those after the best shift of each pool.
    """
    world = League(players=300, rounds=200, days=40 * MONTH, skills=Normal(sd=skill_sd), pairing=Lots())
    games = world.simulate(int(1300 + skill_sd + deviation), replicates)
    run = rs.replay(rs.Glicko(deviation=deviation, c=0.0), games, calendar=MONTHLY)
    first, printed = theory.first_period(skill_sd, deviation, 5), PRINTED.get((int(skill_sd), int(deviation)), {})
    known = {1: (first.sd_z, first.slope)} | printed
    rows = []
    for seen, period in zip(snapshots(run, [MONTH, 10 * MONTH, 40 * MONTH]), (1, 10, 40), strict=True):
        if period in known:
            said = f"skills {skill_sd:g}, deviation {deviation:g}, period {period}"
            square, slope, covered = judged(seen)
            sure = 0.01 if period == 1 else 0.02  # of 300 players; of what was printed of few worlds
            rows += [
                Row("T13", said, "SD of z", known[period][0], *root(mean(square)), sure),
                Row("T13", said, "slope of ratings on skills", known[period][1], *mean(slope), sure),
            ]
        if period == 1:
            rows.append(Row("T13", said, "skills within 1.96 deviations", first.coverage, *mean(covered), sure))
    return rows


def judged(seen: Snapshot) -> tuple[Floats, Floats, Floats]:
    """Return the mean of z², the slope of ratings on skills and the share of |z| < 1.96 of each replicate, (R,)."""
    assert seen.deviation is not None
    rating, skill = (each - each.mean(axis=1, keepdims=True) for each in (seen.rating, seen.skill))
    z = (rating - skill) / seen.deviation
    slope = (skill * rating).sum(axis=1) / (skill**2).sum(axis=1)
    return (z * z).mean(axis=1), slope, (np.abs(z) < 1.96).mean(axis=1)
