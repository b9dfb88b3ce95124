"""Small federations as chance has them: players on a list, and events that wait, overlap and straddle lists."""

import math
from datetime import date, timedelta
from fractions import Fraction
from random import Random
from typing import NamedTuple

from hypothesis import strategies as st
from reference.fide import Game, Player, first_of, month

import ratesim as rs

NAMES = [*"ABCDEFGHIJKL"]
LISTS = ["standard", "rapid", "blitz"]
EPOCH = date(1970, 1, 1)
LONG = 30  # days; longer events are judged game by game
CHANGES = [
    date(2009, 7, 1), date(2011, 7, 1), date(2014, 7, 1), date(2022, 1, 1), date(2022, 10, 1), date(2024, 3, 1),
    date(2024, 12, 1), date(2025, 10, 1),
]  # fmt: skip
# None: as of each event. The last rules have most exceptions, so that they are drawn most.
RULES = [None, None, None, None, None, date(2008, 1, 1), *CHANGES, CHANGES[-1], CHANGES[-1]]
# Ratings anywhere, and near what the rules turn on.
RATINGS = [
    *[(1000, 2800)] * 6, (990, 1030), (1390, 1430), (1980, 2005), (2270, 2310), (2390, 2410), (2590, 2660),
    (2590, 2830),
]  # fmt: skip


class Drawn(NamedTuple):
    """A federation under the rules of a date (None: of each event)."""

    players: dict[str, Player]
    games: list[Game]
    which: str
    rules: date | None


def federations(*, newcomers=True, apart=False):
    """Any federation, told by a seed: chance of our own finds more kinds of them than one choice after the other.

    newcomers : whether some players are on no list yet. apart : whether an event begins after the one before has ended.
    """

    def federation(seed):
        chance = Random(seed)  # noqa: S311  # games, not secrets
        rules = chance.choice(RULES)
        return Drawn(some_players(chance, newcomers), some_events(chance, apart), chance.choice(LISTS), rules)

    return st.integers(0, 2**32).map(federation)


def some_players(chance, newcomers):
    """What the first list says; who is not on it is a newcomer."""
    players = {}
    for name in NAMES:
        if newcomers and chance.randrange(4) == 0:
            continue
        rating = chance.randint(*chance.choice(RATINGS))
        peak = rating + chance.choice([0, 0, 0, 15, 150])
        born = chance.choice([None, chance.randint(1985, 2008)])
        standard = chance.choice([None, chance.randint(rating - 50, rating + 300)])
        players[name] = Player(rating, chance.randint(0, 45), peak, born, standard)
    return players


def one_event(chance, name, begins):
    """Up to 14 games of a few players who meet anybody, reported late at times."""
    length = chance.choice([0, 2, 8, 29, 30, 31, 40])
    late = chance.choice([0, 0, 1, 2, 3]) if length <= LONG else 0
    heroes = chance.sample(NAMES, chance.randint(1, 3))
    games = []
    for _ in range(chance.randint(1, 14)):
        one = chance.choice(heroes)
        other = chance.choice([name for name in NAMES if name != one])
        sides = (one, other) if chance.random() < 0.5 else (other, one)
        day = begins + timedelta(days=chance.randint(0, length))
        score = Fraction(chance.choice([0, 1, 1, 2]), 2)
        games.append(Game(day, *sides, score, name, begins, weight=chance.choice([1] * 9 + [0])))
    return reported(games, late) if late else games


def reported(games, late):
    """An event rated for a list up to three after its end, if that is no more than four after its start."""
    ends = max(month(game.day) for game in games)
    told = first_of(min(ends + late, month(games[0].start) + 4))
    return [game._replace(rated=told) for game in games]


def some_events(chance, apart):
    """Games in order of time; events may overlap unless they are to be apart, and may say when they began."""
    begins = chance.choice([*CHANGES, *CHANGES[-4:]]) - timedelta(days=chance.randint(0, 120))
    games = []
    for number in range(chance.randint(1, 9)):
        begins += timedelta(days=chance.choice([0, 1, 5, 20, 33, 60, 250]))
        event = one_event(chance, f"event {number}", begins)
        games += event
        begins = max(game.day for game in event) + timedelta(days=1) if apart else begins
    games.sort(key=lambda game: game.day)
    if chance.random() < 0.5:
        games = [game._replace(start=None) for game in games]
    return games


def day_of(day):
    return None if day is None else float((day - EPOCH).days)


def stream_of(games):
    """Games as a stream, without the columns that no game has."""
    columns = {
        "event": [game.event for game in games], "event_start": [day_of(game.start) for game in games],
        "rated_on": [day_of(game.rated) for game in games], "weight": [float(game.weight) for game in games],
    }  # fmt: skip
    return rs.GameStream.of(
        first=[game.first for game in games], second=[game.second for game in games],
        score=[float(game.score) for game in games], time=[day_of(game.day) for game in games],
        **{name: values for name, values in columns.items() if any(value is not None for value in values)},
    )  # fmt: skip


def playing(players, games):
    """Those on the list who have a game."""
    sides = {name for game in games for name in (game.first, game.second)}
    return {name: player for name, player in players.items() if name in sides}


def starts_of(players, games):
    """A start table that leaves nothing to assume."""
    unknown = math.nan
    return {
        name: {
            "rating": unknown if player.rating is None else float(player.rating), "games": float(player.games),
            "peak": float(max(player.peak, player.rating or 0)),
            "born": unknown if player.born is None else float(player.born),
            "standard": unknown if player.standard is None else float(player.standard),
        }
        for name, player in playing(players, games).items()
    }  # fmt: skip


def replayed(players, games, which="standard", rules=None):
    """A replay with lists every month, as the reference has them."""
    system, start = rs.FideElo(list=which, rules=rules or "as-of"), starts_of(players, games) or None
    return rs.replay(system, stream_of(games), calendar=rs.Lists(), start=start)
