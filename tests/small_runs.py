"""A small experiment and a slow one, and commands that run them."""

import os
import subprocess
import sys
import time
from pathlib import Path

GAMES = """first,second,score,time
A,B,1,2020-01-01
B,C,0.5,2020-01-01
C,A,0,2020-02-03
A,B,1,2020-02-05
B,C,1,2020-03-01
C,A,0.5,2020-03-02
"""
EXPERIMENT = """title = "small"
[stream]
games = "games.csv"
[[system]]
kind = "even"
[[system]]
kind = "first-rate"
prior = [1, 2]
tuned_on = "nothing much"
[[calendar]]
kind = "per-game"
[[calendar]]
kind = "months"
"""
SLOW = """
import time
from typing import Literal
import numpy as np
from ratesim.systems.base import SYSTEMS, Found, WholeStream

@SYSTEMS.add
class Slow(WholeStream):
    kind: Literal["slow"] = "slow"
    forecast: float = 0.5

    def whole(self, games):
        time.sleep(0.3)
        return Found(np.full(len(games.first), self.forecast))
"""
GRID = """seed = 7
[world]
players = 20
rounds = 40
days = 400
[[system]]
kind = "slow"
forecast = [0.1, 0.2, 0.3, 0.4]
[[system]]
kind = "elo"
[[policy]]
kind = "constant"
k = [10, 20, 40]
[[calendar]]
kind = "months"
"""
MAIN = "from ratesim.cli import main; raise SystemExit(main())"
UNDRAWN = f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r}); import undrawn; undrawn.leave(); "


def set_up(folder: Path) -> None:
    """Write the experiments, the games of the small one and the plugin of the slow one."""
    for name, text in {"games.csv": GAMES, "small.toml": EXPERIMENT, "slow.py": SLOW, "grid.toml": GRID}.items():
        (folder / name).write_text(text, encoding="utf-8")


def contents(folder: Path) -> dict[str, bytes]:
    """Every file but timings.json, hidden ones too."""
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file() and path.name != "timings.json"]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def start(*words: str, drawn: bool = False, **environment: str) -> "subprocess.Popen[str]":
    """Run an experiment in a process of its own; figures are left empty unless `drawn`."""
    return subprocess.Popen(
        [sys.executable, "-c", MAIN if drawn else UNDRAWN + MAIN, "run", *words],
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )


def ended(process: "subprocess.Popen[str]") -> tuple[int, str]:
    _, said = process.communicate(timeout=300)
    return process.returncode, said


def wait_for(process: "subprocess.Popen[str]", folder: Path, pattern: str) -> None:
    while not list(folder.glob(pattern)):
        assert process.poll() is None, process.communicate()
        time.sleep(0.02)
