"""What is measured from outside, in fresh processes: memory, and the time until something can be done."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from scoreboard import Bound, Row
from zipf import columns

HERE = Path(__file__).parent
COMMAND = Path(sys.executable).with_name("ratesim")
READY = """
import ratesim as rs
games = rs.GameStream.of(first=["A"], second=["B"], score=[1], time=[0])
rs.replay(rs.Elo(), games)
"""
WITHOUT_US = "polars and one cached kernel of numba, without ratesim"
BARE = """
import numba, numpy, polars
@numba.njit(cache=True)
def add(a):
    for i in range(a.size):
        a[i] += 1.0
add(numpy.zeros(3))
"""
QUICKSTART = HERE.parent / "experiments" / "quickstart.toml"
BYTES_A_GAME, BYTES_A_PLAYER = 80, 200


def memory(games: int, players: int, rounds: int) -> Iterator[Row]:
    """Yield the bytes of whole replays, then those that a game more and a player more cost."""
    sizes = {"base": (games, players), "games": (4 * games, players), "players": (games, players + games // 2)}
    with TemporaryDirectory() as folder:
        for name, size in sizes.items():
            drawn = columns(*size)
            np.savez(Path(folder, name), first=drawn.first, second=drawn.second, score=drawn.score, time=drawn.time)
        for system, mode in (("elo", "per game"), ("glicko2", "100 periods")):
            at = {name: [_footprint(system, Path(folder, f"{name}.npz")) for _ in range(rounds)] for name in sizes}
            most = BYTES_A_GAME + BYTES_A_PLAYER * players / games
            whole = f"{mode}: peak memory with {players:,} players"
            yield Row("memory", system, whole, "bytes/game", [x / games for x in at["base"]], bound=Bound(most=most))
            for name, share, bound in (("games", 3 * games, BYTES_A_GAME), ("players", games // 2, BYTES_A_PLAYER)):
                more = [(b - a) / share for a, b in zip(at["base"], at[name], strict=True)]
                what = f"{mode}: what a {name[:-1]} more takes"
                yield Row("memory", system, what, f"bytes/{name[:-1]}", more, bound=Bound(most=bound))


def _footprint(system: str, path: Path) -> int:
    done = subprocess.run(
        [sys.executable, HERE / "footprint.py", system, path], check=True, capture_output=True, text=True
    )
    return int(done.stdout)


def starting(rounds: int) -> Iterator[Row]:
    """Yield the seconds until help is printed, and until a second process has rated its first game."""
    with TemporaryDirectory() as folder:
        bare = Path(folder, "bare.py")
        bare.write_text(BARE, encoding="utf-8")
        commands = {"help": [COMMAND, "--help"], "ready": [sys.executable, "-c", READY], "bare": [sys.executable, bare]}
        taken = {name: [_seconds(command) for _ in range(rounds + 1)][1:] for name, command in commands.items()}
    second = Bound(most=1.0, strict=True)
    yield Row("start", "", "`ratesim --help`", "s", taken["help"], bound=Bound(most=0.3, strict=True))
    yield Row("start", "", "second process ready to rate", "s", taken["ready"], WITHOUT_US, taken["bare"], second)


def quickstart(rounds: int) -> Iterator[Row]:
    """Yield the seconds of the first run ever, nothing in any cache, and of a later one into a new folder."""
    first, later = [], []
    for _ in range(rounds):
        with _nothing_cached() as (folder, environment):
            run = [COMMAND, "run", QUICKSTART, "--out"]
            first.append(_seconds([*run, folder / "first"], environment))
            later.append(_seconds([*run, folder / "later"], environment))
    for mode, taken, most in (("quickstart, first run ever", first, 60), ("quickstart, a later run", later, 10)):
        yield Row("quickstart", "", mode, "s", taken, bound=Bound(most=most, strict=True))


@contextmanager
def _nothing_cached() -> Iterator[tuple[Path, dict[str, str]]]:
    """Give a folder, and an environment in which kernels and fonts are looked for in it."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        yield folder, {"RATESIM_CACHE": str(folder / "kernels"), "MPLCONFIGDIR": str(folder / "fonts")}


def _seconds(command: list[str | Path], environment: dict[str, str] | None = None) -> float:
    began = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True, env={**os.environ, **(environment or {})})
    return time.perf_counter() - began
