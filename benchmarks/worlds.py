"""Simulated worlds, rated as they are made, beside the straightforward way: one table, in one run.

    python benchmarks/worlds.py [--only open closed] [--cpu] [--json]

Times are by the wall clock, since all cores are to be used. Those who are compared run in turn, and the ratio is the
median over rounds; figures are nanoseconds a game. On a machine that is busy with other things, `--cpu` takes the time
of processors, ours shared out among the cores: what the wall clock would say if nothing else ran and no core waited.
"""

import os
import platform
import sys
import time
from collections.abc import Iterator
from functools import partial

import numpy as np
import polars as pl
from race import Contender, race
from scoreboard import Bound, Row, asked, show

import ratesim as rs
from ratesim.worlds import League

REPLICATES, PLAYERS, ROUNDS, GAMES = 100, 20_000, 10, 100_000
NU, EDGE, SD = 0.5, 30.0, 200.0
OPEN = League(
    players=PLAYERS, rounds=ROUNDS, per_round=GAMES // ROUNDS, skills={"kind": "normal", "sd": SD},
    outcomes={"kind": "logistic", "draw": NU, "edge": EDGE},
)  # fmt: skip
WORLDS, PLAYED, AT_ONCE = 64, 300, 100  # of the closed loop
CLOSED = League(
    players=2 * AT_ONCE, rounds=PLAYED, per_round=AT_ONCE, pairing={"kind": "closeness", "by": "rating"},
    outcomes={"kind": "logistic", "draw": NU},
)  # fmt: skip
NS = "ns/game"


def straightforward(replicates: int) -> None:
    """Simulate world after world in NumPy, as one would, and rate each by the engine."""
    names = pl.DataFrame({"player": np.arange(PLAYERS).astype(str)})
    time = np.arange(GAMES) * (1000 / GAMES)
    for replicate in range(replicates):
        rng = np.random.default_rng([1, replicate])
        skill = rng.normal(1500, SD, PLAYERS)
        first = rng.integers(0, PLAYERS, GAMES)
        second = (first + rng.integers(1, PLAYERS, GAMES)) % PLAYERS
        expected = 1 / (1 + 10 ** (-(skill[first] - skill[second] + EDGE) / 400))
        v = expected * (1 - expected)
        draw = 4 * NU * v / (NU + np.sqrt(NU * NU * (1 - 4 * v) + 16 * v))
        luck = rng.random(GAMES)
        score = ((luck < expected - draw / 2) + (luck < expected + draw / 2).astype(np.float64)) / 2
        games = rs.GameStream(
            names, first.astype(np.int32), second.astype(np.int32), score, time, edge=np.ones(GAMES), truth=expected,
            skill_first=skill[first], skill_second=skill[second],
        )  # fmt: skip
        rs.replay(rs.Elo(), games)


def whole(world: League, replicates: int) -> object:
    """Simulate replicates of a world and rate them, both on all cores."""
    return rs.monte_carlo(world, {"elo": rs.Elo()}, seed=1, replicates=replicates, truth=False, metrics={})


def raced(groups: set[str], rounds: int, *, cpu: bool) -> Iterator[Row]:
    """Yield the rows of the race."""
    clock, cores = (time.process_time_ns, os.cpu_count() or 1) if cpu else (time.perf_counter_ns, 1)
    if "open" in groups:
        few = max(1, REPLICATES // 10)  # of the slower
        contenders: dict[str, tuple[Contender, float]] = {
            "ours": (lambda: partial(whole, OPEN, REPLICATES), REPLICATES * GAMES * cores),
            "theirs": (lambda: partial(straightforward, few), few * GAMES),
        }
        found = race(contenders, rounds, clock)
        mode = f"{REPLICATES} worlds x {GAMES:,} games x {PLAYERS:,} players, simulated and rated"
        yield Row("open", "Elo", mode, NS, found["ours"], "NumPy, world by world", found["theirs"], Bound(ratio=5))
        yield Row("open", "Elo", mode, NS, found["ours"], bound=Bound(most=50))
    if "closed" in groups:
        games = WORLDS * PLAYED * AT_ONCE * cores
        found = race({"ours": (lambda: partial(whole, CLOSED, WORLDS), games)}, rounds, clock)
        mode = f"{WORLDS} worlds x {PLAYED} rounds x {AT_ONCE} games, paired by rating"
        yield Row("closed", "Elo", mode, NS, found["ours"], bound=Bound(most=200))


def about(rounds: int) -> str:
    """Return what the figures depend on, in one paragraph."""
    return (
        f"Medians of {rounds} rounds, then least to greatest. {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at "
        f"the end, Python {platform.python_version()}, ratesim {rs.__version__}, numpy {np.__version__}."
    )


def main() -> None:
    groups = ("open", "closed")
    parser = asked(__doc__, groups, 7)
    parser.add_argument("--cpu", action="store_true", help="time of processors, for a busy machine")
    given = parser.parse_args()
    rows = list(raced(set(given.only), given.rounds, cpu=given.cpu))
    show(rows, about(given.rounds), as_json=given.json)


if __name__ == "__main__":
    sys.exit(main())
