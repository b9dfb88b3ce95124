"""Any small stream against the reference: ties, gaps, weights, edges, draws and newcomers as chance has it."""

import math
from typing import NamedTuple

import numpy as np
from hypothesis import given, settings, strategies as st
from reference import elo, glicko, glicko2
from reference.agree import agree
from reference.digits import number
from reference.play import Career, Played, play

import ratesim as rs

PLAYERS = "ABCDE"
UNIT = 30  # days


class Drawn(NamedTuple):
    """A game as it is drawn; time is told by the gap before it."""

    gap: float  # days
    sides: tuple[str, str]
    score: float
    edge: float
    weight: float


GAPS = st.sampled_from([0.0, 0.0, 0.0, 0.25, 1.0, 6.75, 30.0, 400.0])
PAIRS = st.sampled_from([(a, b) for a in PLAYERS for b in PLAYERS if a != b])
SCORES = st.sampled_from([0.0, 0.5, 1.0]) | st.floats(0, 1)
EDGES = st.sampled_from([-1.0, 0.0, 1.0]) | st.floats(-2, 2)
WEIGHTS = st.sampled_from([0.0, 1.0, 1.0, 2.0]) | st.floats(0.125, 4)
GAMES = st.lists(st.builds(Drawn, GAPS, PAIRS, SCORES, EDGES, WEIGHTS), min_size=1, max_size=24)
RATINGS = st.floats(1000, 2500)
STARTS = st.dictionaries(st.sampled_from(PLAYERS), st.tuples(RATINGS, st.floats(20, 350)), max_size=4)
SHIFTS = st.sampled_from([-30_000.0, -3.0, 0.0, 19_000.5])
CALENDARS = {"weeks": rs.Every(days=7), "per game": rs.PerGame()}
NEWCOMER = (1500.0, 350.0)
some = settings(max_examples=25)
any_stream = given(GAMES, STARTS, SHIFTS, st.sampled_from([*CALENDARS]))


def times(games, shift):
    return (np.cumsum([game.gap for game in games]) + shift).tolist()


def stream(games, shift):
    first, second = zip(*(game.sides for game in games), strict=True)
    return rs.GameStream.of(
        first=first, second=second, time=times(games, shift), score=[g.score for g in games],
        edge=[g.edge for g in games], weight=[g.weight for g in games],
    )  # fmt: skip


def played(games, shift, calendar, unit=UNIT):
    """The games by periods, whose numbers are their openings in units of growth."""
    openings = [(t - 4) // 7 * 7 + 4 if calendar == "weeks" else t for t in times(games, shift)]
    return [Played(number(t) / unit, *g.sides, g.score, g.edge, g.weight) for t, g in zip(openings, games, strict=True)]


def begin(starts, *more):
    return {who: (*map(number, starts.get(who, NEWCOMER)), *more) for who in PLAYERS}


def replay(system, games, starts, shift, calendar, *, names=("rating", "deviation"), policy=None):
    playing = {who for game in games for who in game.sides}
    new = {"games": 0.0, "peak": 0.0, "born": math.nan} if policy else {}
    start = {who: {**new, **dict(zip(names, known, strict=False))} for who, known in starts.items() if who in playing}
    start = start or None
    return rs.replay(system, stream(games, shift), policy=policy, calendar=CALENDARS[calendar], start=start)


@some
@any_stream
def test_elo_with_fides_steps_of_k(games, starts, shift, calendar):
    run = replay(rs.Elo(advantage=50), games, starts, shift, calendar, names=("rating",), policy=rs.Fide(games=5))
    ratings = {who: belief[0] for who, belief in begin(starts).items()}
    careers = {who: Career(25, rating) for who, rating in ratings.items()}  # five to go
    agree(run, play(elo.Elo(advantage=50), played(games, shift, calendar), ratings, elo.fide_k, careers), within=1e-9)


@some
@any_stream
def test_glicko(games, starts, shift, calendar):
    run = replay(rs.Glicko(c=40, per="30d", advantage=50), games, starts, shift, calendar)
    agree(run, play(glicko.Glicko(c=40, advantage=50), played(games, shift, calendar), begin(starts)), within=1e-9)


@some
@any_stream
def test_glicko2(games, starts, shift, calendar):
    games = [game._replace(edge=0.0) for game in games]  # the paper knows none
    run = replay(rs.Glicko2(per="30d"), games, starts, shift, calendar)
    span = number(7) / UNIT if calendar == "weeks" else 0
    system = glicko2.Glicko2(root=glicko2.nearest_root, cap="0.1", ceiling=350, span=span)
    agree(run, play(system, played(games, shift, calendar), begin(starts, number("0.06"))), within=1e-9)
