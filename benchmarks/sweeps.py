"""Sweeps over settings, their losses summed in the pass, beside single runs that sum the same losses: one table.

    python benchmarks/sweeps.py [--only elo glicko glicko2 threads memory] [--cpu] [--rounds N] [--json]

A sweep uses all cores; single runs, one lane each, follow one another as they would in a loop, and a few stand for all.
Figures are nanoseconds a game and setting; those who are compared run in turn, and the ratio is the median over rounds.
On a machine that is busy with other things, `--cpu` takes the time of processors, ours shared out among the cores.
Memory is the peak of a process of its own, above that with the games read, by twice as many settings.
"""

import argparse
import os
import platform
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np
import zipf
from race import race
from scoreboard import Bound, Row, asked, show

import ratesim as rs
from ratesim.replaying.pairs import Pair

GAMES, PLAYERS = 1_000_000, 20_000
FEW = 10  # single runs that stand for all
NS = "ns/game/setting"
Pairs = list[Pair]


def constants(settings: int) -> Pairs:
    """Return Elo with so many K."""
    return [(rs.Elo(), rs.Constant(float(k))) for k in np.linspace(2, 80, settings)]


def glickos(settings: int) -> Pairs:
    """Return Glicko with so many growths and first deviations."""
    side = int(settings**0.5)
    return [
        (rs.Glicko(c=float(c), deviation=float(rd)), None)
        for c in np.linspace(5, 80, side) for rd in np.linspace(100, 350, side)
    ]  # fmt: skip


def glicko2s(settings: int) -> Pairs:
    """Return Glicko-2 with so many tau and first deviations."""
    side = int(settings**0.5)
    return [
        (rs.Glicko2(tau=float(tau), deviation=float(rd)), None)
        for tau in np.linspace(0.2, 1.2, side) for rd in np.linspace(100, 350, side)
    ]  # fmt: skip


# What is swept, by name: settings, how many, the calendar, and the ratio that is asked.
SWEEPS = {
    "elo": ("Elo", constants, 1000, rs.PerGame(), 5.0),
    "glicko": ("Glicko", glickos, 64, rs.Every(days=30), 2.0),
    "glicko2": ("Glicko-2", glicko2s, 64, rs.Every(days=30), 1.5),
}


def swept(games: rs.GameStream, pairs: Pairs, calendar: rs.Calendar, workers: int | None = None) -> None:
    rs.sweep(pairs, games, calendar=calendar, workers=workers)


def singly(games: rs.GameStream, pairs: Pairs, calendar: rs.Calendar) -> None:
    for pair in pairs:
        rs.sweep([pair], games, calendar=calendar, workers=1)


def raced(groups: set[str], rounds: int, *, cpu: bool) -> Iterator[Row]:
    """Yield the rows of the race."""
    clock, cores = (time.process_time_ns, os.cpu_count() or 1) if cpu else (time.perf_counter_ns, 1)
    games = zipf.columns(GAMES, PLAYERS).stream()
    for name, (system, settings, many, calendar, ratio) in SWEEPS.items():
        if name not in groups:
            continue
        pairs = settings(many)
        some = pairs[:: len(pairs) // FEW][:FEW]
        found = race(
            {
                "ours": (lambda p=pairs, c=calendar: partial(swept, games, p, c), GAMES * len(pairs) * cores),
                "theirs": (lambda p=some, c=calendar: partial(singly, games, p, c), GAMES * len(some)),
            },
            rounds, clock,
        )  # fmt: skip
        mode = f"{len(pairs):,} settings, {'per game' if calendar.kind == 'per-game' else '100 periods'}"
        yield Row(name, system, mode, NS, found["ours"], "one by one", found["theirs"], Bound(ratio=ratio))
    if "threads" in groups and not cpu:
        pairs = constants(256)
        found = race(
            {
                str(n): (lambda n=n: partial(swept, games, pairs, rs.PerGame(), n), GAMES * len(pairs))
                for n in (1, 2)
            },
            rounds, clock,
        )  # fmt: skip
        mode = f"{len(pairs)} settings, per game, two threads"
        yield Row("threads", "Elo", mode, NS, found["2"], "one thread", found["1"], Bound(ratio=1.8))
    if "memory" in groups:
        few, many = ([peak(n) for _ in range(min(rounds, 3))] for n in (256, 512))
        yield Row("memory", "Elo", "512 settings, peak above the games", "MB", many, "256 settings", few)


def peak(settings: int) -> float:
    """Return the peak memory of a sweep in a process of its own, MB above that with the games read."""
    command = [sys.executable, __file__, "--peak", str(settings)]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def measure(settings: int) -> None:
    """Print what a sweep takes at its peak, above the games and all kernels."""
    from footprint import status

    small = zipf.columns(1000, 50).stream()
    swept(small, constants(64), rs.PerGame(), 2)
    games = zipf.columns(GAMES, PLAYERS).stream()
    bare = status("VmRSS")
    swept(games, constants(settings), rs.PerGame(), 2)
    print((status("VmHWM") - bare) / 1e6)


def about(rounds: int) -> str:
    """Return what the figures depend on, in one paragraph."""
    return (
        f"{GAMES:,} games of {PLAYERS:,} players. Medians of {rounds} rounds, then least to greatest. {os.cpu_count()} "
        f"cores, load {os.getloadavg()[0]:.1f} at the end, Python {platform.python_version()}, ratesim "
        f"{rs.__version__}, numpy {np.__version__}."
    )


def main(arguments: Sequence[str] | None = None) -> None:
    groups = (*SWEEPS, "threads", "memory")
    parser = asked(__doc__, groups, 5)
    parser.add_argument("--cpu", action="store_true", help="time of processors, for a busy machine")
    parser.add_argument("--peak", type=int, help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if given.peak:
        measure(given.peak)
        return
    rows = list(raced(set(given.only), given.rounds, cpu=given.cpu))
    show(rows, about(given.rounds), as_json=given.json)


if __name__ == "__main__":
    main()
