"""FIDE's system beside Elo on the same monthly lists, in turn: what whole lives, events and rules by date cost a game.

    python benchmarks/fide.py [--rounds 7]

Bound: at most 3 times Elo with one K, which keeps no careers. Clocks are those of the thread.
"""

import argparse
import statistics
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import polars as pl
from race import race

import ratesim as rs
from ratesim.replaying.openings import Variant
from ratesim.replaying.order import arranged
from ratesim.replaying.session import Session
from ratesim.systems.base import System

GAMES, PLAYERS, DAYS = 1_000_000, 20_000, 3650
BEGAN = 16_071.0  # 1 January 2014
EVENT = 9  # days; some forty are on at a time
BOUND = 3.0
ELO = "Elo, K 20"


class Federation(NamedTuple):
    """A decade of games between rated players, and what is known of them."""

    games: rs.GameStream
    start: pl.DataFrame


def federation() -> Federation:
    """Draw players from 1400 to 2800, all rated, and their games."""
    rng = np.random.default_rng(1)
    first = rng.integers(0, PLAYERS, GAMES)
    second = (first + rng.integers(1, PLAYERS, GAMES)) % PLAYERS
    days = np.sort(rng.uniform(0, DAYS, GAMES))
    skill = rng.normal(1900, 250, PLAYERS).round().clip(1400, 2800)
    won = rng.random(GAMES) < 1 / (1 + 10 ** ((skill[second] - skill[first]) / 400))
    score = np.where(rng.random(GAMES) < 0.3, 0.5, won.astype(float))
    names = np.arange(PLAYERS).astype(str)
    label = pl.Series((days // EVENT).astype(int) * 40 + rng.integers(0, 40, GAMES)).cast(pl.String)
    games = rs.GameStream.of(first=names[first], second=names[second], score=score, time=BEGAN + days, event=label)
    start = pl.DataFrame(
        {
            "player": names, "rating": skill, "games": rng.integers(0, 300, PLAYERS).astype(float), "peak": skill,
            "born": rng.integers(1950, 2015, PLAYERS).astype(float),
        }
    )  # fmt: skip
    return Federation(games, start)


def contender(system: System, policy: rs.Policy, world: Federation) -> Callable[[], Callable[[], object]]:
    """Return what makes a fresh session that plays all games when it is called."""
    games, calendar = arranged(world.games, rs.Lists()).stream, rs.Lists()

    def set_up() -> Callable[[], object]:
        session = Session([Variant(system, system.learning(policy))], games, calendar, start=world.start)
        return lambda: session.advance(len(games))

    return set_up


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=7)
    rounds = parser.parse_args().rounds
    world = federation()
    contenders = {
        ELO: contender(rs.Elo(), rs.Constant(20.0), world),
        "Elo, FIDE's K": contender(rs.Elo(), rs.Fide(), world),
        "FIDE, nobody comes or falls off the list": contender(rs.FideElo(start=1500, floor="none"), rs.Fide(), world),
        "FIDE": contender(rs.FideElo(), rs.Fide(), world),
        "FIDE, rules as of each date": contender(rs.FideElo(rules="as-of"), rs.Fide(), world),
    }
    found = race({name: (each, GAMES) for name, each in contenders.items()}, rounds)
    print(f"{GAMES:,} games, {PLAYERS:,} players, {DAYS // 365} years of monthly lists; medians of {rounds} rounds")
    for name, spent in found.items():
        ratio = statistics.median(a / b for a, b in zip(spent, found[ELO], strict=True))
        met = "" if not name.startswith("FIDE") else "  met" if ratio <= BOUND else "  NOT MET"
        print(f"{name:<45} {statistics.median(spent):6.0f} ns a game  {ratio:5.2f} x Elo{met}")
    print(f"bound: {BOUND:g} x Elo")


if __name__ == "__main__":
    main()
