"""Games bigger than memory: made, imported, replayed from disk; each step in a process of its own.

`disk.py` does 10 million games of 500,000 players; `disk.py --games 100 --players 5` (millions) is for an afternoon.
Printed are seconds, games a second and the most memory that each step had.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl
from polars.io.plugins import register_io_source

import ratesim as rs

MILLION = 1_000_000
EXPONENT = 0.7  # the n-th player's share of the games goes with n**-0.7
DAYS, BEGINS = 3652, 16436  # ten years from 2015 on
SECONDS = 86_400  # in a day: games are stamped by the second, so that some share a stamp
SKILL = 300.0  # standard deviation of the players' skills
BOUND = 4.0  # GiB, of any step
COMMAND = Path(sys.executable).with_name("ratesim")
REPLAYS = {"elo": (rs.Elo(), rs.PerGame()), "glicko2": (rs.Glicko2(), rs.Months())}


class Step(NamedTuple):
    """What one step took."""

    name: str
    seconds: float
    gigabytes: float


def drawn(games: int, players: int, *, shuffled: bool) -> Iterator[pl.DataFrame]:
    """Draw games, a million at a time: both sides by activity, results by skill, a tenth of the games drawn."""
    rng = np.random.default_rng(7)
    share = np.cumsum(np.arange(1, players + 1) ** -EXPONENT)
    share /= share[-1]
    names, skill = pl.Series(rng.permutation(players)).cast(pl.String), rng.normal(0, SKILL, players)
    blocks = np.arange(0, games, MILLION)
    for begin in rng.permutation(blocks) if shuffled else blocks:
        count = min(MILLION, games - int(begin))
        first, second = (np.searchsorted(share, rng.random(count)) for _ in range(2))
        second = np.where(second == first, (first + 1) % players, second)
        expected = 1 / (1 + 10 ** ((skill[second] - skill[first]) / 400))
        luck = rng.random(count)
        score = np.where(luck < 0.9 * expected, 1.0, np.where(luck < 0.9, 0.0, 0.5))
        moment = begin + np.sort(rng.random(count)) * count  # in games since the first
        stamp = BEGINS + np.floor(moment / games * DAYS * SECONDS) / SECONDS
        order = rng.permutation(count) if shuffled else np.arange(count)
        frame = {"first": names.gather(first), "second": names.gather(second), "score": score, "time": stamp[order]}
        yield pl.DataFrame(frame)


def make(path: Path, games: int, players: int, *, shuffled: bool) -> None:
    """Write them."""
    schema = {"first": pl.String, "second": pl.String, "score": pl.Float64, "time": pl.Float64}

    def source(*_: object) -> Iterator[pl.DataFrame]:
        yield from drawn(games, players, shuffled=shuffled)

    register_io_source(source, schema=schema).sink_parquet(path, row_group_size=MILLION)


def replay(path: Path, system: str) -> None:
    """Play them, and say how well it forecast."""
    rater, calendar = REPLAYS[system]
    run = rs.replay(rater, rs.scan(path), calendar=calendar, forecasts="losses")
    print(f"{system}: log loss {run.mean('log_loss').mean:.5f}, {len(run.ratings()):,} players")


def measured(name: str, *command: object) -> Step:
    """Run a command, and see what it took."""
    began = time.perf_counter()
    process = subprocess.Popen(list(map(str, command)))
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{name} failed")
    return Step(name, time.perf_counter() - began, used.ru_maxrss / 2**20)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=float, default=10, help="millions")
    parser.add_argument("--players", type=float, default=0.5, help="millions")
    parser.add_argument("--sorted", action="store_true", help="make them in order of time, and import nothing")
    parser.add_argument("--folder", type=Path, help="where the files go; elsewhere, and away, if left out")
    parser.add_argument("--step", choices=["make", *REPLAYS], help="do this alone, for `--folder`")
    asked = parser.parse_args()
    games, players = int(asked.games * MILLION), int(asked.players * MILLION)
    if asked.step:
        raw, imported = asked.folder / "raw.parquet", asked.folder / "games.parquet"
        if asked.step == "make":
            make(imported if asked.sorted else raw, games, players, shuffled=not asked.sorted)
        else:
            replay(imported, asked.step)
        return
    with tempfile.TemporaryDirectory(dir=asked.folder) as name:
        report(Path(name), games, players, in_order=asked.sorted)


def report(folder: Path, games: int, players: int, *, in_order: bool) -> None:
    """Do all steps, and print a line for each."""
    own = (sys.executable, __file__, "--games", games / MILLION, "--players", players / MILLION, "--folder", folder)
    own = (*own, "--sorted") if in_order else own
    steps = [measured("make", *own, "--step", "make")]
    if not in_order:
        raw, imported = folder / "raw.parquet", folder / "games.parquet"
        steps.append(measured("import", COMMAND, "import", raw, "-o", imported))
    steps += [measured(f"replay by {system}", *own, "--step", system) for system in REPLAYS]
    print(f"{games:,} games, {players:,} players; {os.cpu_count()} cores; bound of memory {BOUND:g} GiB")
    for name, seconds, gigabytes in steps:
        late = "" if gigabytes <= BOUND else "  over the bound"
        print(f"{name:<20} {seconds:8.1f} s  {games / seconds:12,.0f} games/s  {gigabytes:6.2f} GiB{late}")


if __name__ == "__main__":
    main()
