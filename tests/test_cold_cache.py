"""An empty cache that processes of several threads fill at once: no error, and the right bits."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROUND = """
import hashlib, sys
from concurrent.futures import ThreadPoolExecutor
import ratesim as rs

n = 300
games = rs.GameStream.of(
    first=[f"p{g * 7 % 11}" for g in range(n)], second=[f"q{g * 5 % 13}" for g in range(n)],
    score=[g * 3 % 5 / 4 for g in range(n)], time=[float(g) for g in range(n)],
)
POLICIES = {"constant": rs.Constant(24), "harmonic": rs.Harmonic(k=90)}

def bits(name):
    run = rs.replay(rs.Elo(), games, policy=POLICIES[name], calendar=rs.PerGame())
    return name, hashlib.sha256(run.forecast.tobytes() + run.ratings()["rating"].to_numpy().tobytes()).hexdigest()

sys.stdin.readline()  # until all are ready
with ThreadPoolExecutor(4) as threads:
    for name, found in threads.map(bits, sys.argv[1:]):
        print(name, found)
"""
ALL = ["constant", "harmonic"]


def begin(cache: Path, *names: str, **environment: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-W", "error", "-c", ROUND, *names], text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env={**os.environ, "RATESIM_CACHE": str(cache), **environment},
    )  # fmt: skip


def ended(*processes: subprocess.Popen[str]) -> list[list[tuple[str, ...]]]:
    """What each prints, all set off together."""
    for process in processes:
        process.stdin.write("go\n")
        process.stdin.flush()
    found = []
    for process in processes:
        out, said = process.communicate(timeout=300)
        assert process.returncode == 0, said
        assert "Error" not in said, said
        found.append([tuple(line.split()) for line in out.splitlines()])
    return found


@pytest.fixture(scope="module")
def right(tmp_path_factory):
    """The bits of plain Python, which has no cache."""
    ((*lines,),) = ended(begin(tmp_path_factory.mktemp("none"), *ALL, NUMBA_DISABLE_JIT="1"))
    return dict(lines)


def test_two_processes_of_four_threads_fill_one_empty_cache(tmp_path, right):
    """The same engine in all threads of one, that one and another in the other."""
    assert len(set(right.values())) == len(ALL)
    same = ["constant"] * 4
    mixed = ["harmonic", "constant"] * 2
    both = ended(begin(tmp_path, *same), begin(tmp_path, *mixed))
    assert both == [[(name, right[name]) for name in names] for names in (same, mixed)]
    files = sorted(path.suffix for path in tmp_path.rglob("*") if path.is_file())
    assert not [suffix for suffix in files if "tmp" in suffix], files
    (later,) = ended(begin(tmp_path, *ALL))  # reads what they left
    assert dict(later) == right
    assert sorted(path.suffix for path in tmp_path.rglob("*") if path.is_file()) == files
