"""Memory of one replay, in a process of its own: `footprint.py SYSTEM GAMES.npz` prints the bytes it took at its peak.

Counted is all above the process with its imports and its kernels loaded: the arrays read, the stream, the replay.
"""

import gc
import sys
from pathlib import Path

import numpy as np

import ratesim as rs

SYSTEMS = {"elo": (rs.Elo(), rs.PerGame()), "glicko2": (rs.Glicko2(), rs.Every(days=30))}


def status(key: str) -> int:
    """Return a line of this process's status, in bytes: VmRSS is what it has, VmHWM the most it ever had."""
    text = Path("/proc/self/status").read_text(encoding="ascii")
    return int(text.split(f"{key}:")[1].split()[0]) * 1024


def main(name: str, path: str) -> None:
    system, calendar = SYSTEMS[name]
    small = rs.GameStream.of(first=np.array([1, 2]), second=np.array([2, 3]), score=[1, 0], time=[0, 1])
    rs.replay(system, small, calendar=calendar)
    gc.collect()
    bare = status("VmRSS")
    with np.load(path) as file:
        columns = {key: file[key] for key in file.files}
    stream = rs.GameStream.of(**columns)
    run = rs.replay(system, stream, calendar=calendar)
    assert len(run.forecast) == len(columns["score"])
    print(status("VmHWM") - bare)


if __name__ == "__main__":
    main(*sys.argv[1:])
