"""Dask's clusters: the same bytes as threads though a worker is killed, and a line for what is no cluster of ours."""

import logging
import os
import signal
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from importlib import metadata
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from small_runs import GAMES, SLOW, contents
from spread import nowhere, summed

import ratesim as rs
from ratesim.spreading import Task, cluster, executor, finish, shared, slots

distributed = pytest.importorskip("distributed", reason="needs ratesim[dask]")

RUNS = """[stream]
games = "games.csv"
[[system]]
kind = "slow"
forecast = [0.1, 0.2, 0.3, 0.4]
[[system]]
kind = "even"
"""


@pytest.fixture(scope="module")
def made():
    """Two workers, each a process."""
    with distributed.LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        memory_limit=None,
        dashboard_address=":0",
        silence_logs=logging.CRITICAL,
    ) as found:
        yield found


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("slow.py").write_text(SLOW)
    Path("games.csv").write_text(GAMES)
    Path("runs.toml").write_text(RUNS)
    return tmp_path


class Killing:
    """A watch that kills a worker, while it has a run in hand, once one is finished."""

    def __init__(self, pids: list[int]) -> None:
        self.pids, self.runs = pids, []

    def note(self, line: str) -> None:
        """Not asked for."""

    def begin(self, runs: int, found: int, games: int) -> None:
        self.begun = (runs, found)

    def done(self, label: str, games: int) -> None:
        self.runs.append(label)
        if len(self.runs) == 1:
            os.kill(self.pids[0], signal.SIGKILL)


def test_a_killed_worker_changes_no_byte(folder, made):
    rs.run("runs.toml", "threads", plugins=["slow.py"])
    before = [worker.pid for worker in made.workers.values()]
    watch = Killing(before)
    with distributed.Client(made) as client, client.get_executor() as pool:
        rs.run("runs.toml", "cluster", plugins=["slow.py"], executor=pool, watch=watch)
    assert (watch.begun, len(watch.runs)) == ((5, 0), 5)
    assert contents(folder / "cluster") == contents(folder / "threads")
    assert {worker.pid for worker in made.workers.values()} != set(before)


def test_a_scheduler_by_its_address(made):
    games = {"score": np.ones(3)}
    with executor(f"dask={made.scheduler_address}", 1) as pool, shared(pool, [games]) as given:
        assert slots(pool) == 2
        done = [found for _, found in finish(pool, summed, [Task(str(n), "", (n, *given)) for n in range(3)])]
    assert sorted(found[0] for found in done) == [3, 4, 5]
    assert all(found[1] for found in done)  # workers of this machine map the file


def test_workers_that_do_not_see_the_disk_are_sent_it_once(made, monkeypatch, tmp_path):
    monkeypatch.setattr("ratesim.spreading.sharing._is_there", nowhere)
    with (
        executor(f"dask={made.scheduler_address}", 1) as pool,
        shared(pool, [{"score": np.ones(3)}], tmp_path) as given,
    ):
        assert list(tmp_path.glob("*/*")) == [tmp_path / next(tmp_path.iterdir()) / ".lock"]
        done = [found for _, found in finish(pool, summed, [Task(str(n), "", (n, *given)) for n in range(3)])]
    assert sorted(found[0] for found in done) == [3, 4, 5]
    assert list(tmp_path.iterdir()) == []


def test_a_cluster_that_does_not_answer_is_given_up_in_time():
    """Something listens there and says nothing, as a machine behind a wall does."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = "tcp://{}:{}".format(*silent.getsockname())
        began = time.monotonic()
        with pytest.raises(rs.InputError) as error, executor(f"dask={address}", 1, patience=0.5):
            pass
    assert time.monotonic() - began < 5
    assert str(error.value).startswith(f"dask={address}: no dask scheduler answers (")
    assert 1.1 * cluster.PATIENCE < 10  # seconds, as promised


@pytest.mark.parametrize("address", ["nonsense", "foo://there:1"])
def test_an_address_of_no_form_is_refused(address):
    with (
        pytest.raises(rs.InputError, match=f"^dask={address}: no dask scheduler answers "),
        executor(f"dask={address}", 1),
    ):
        pass


class Workers:
    """A client of a cluster whose workers say this of their ratesim."""

    scheduler = SimpleNamespace(address="tcp://there:1")

    def __init__(self, found: dict[str, str | Exception]) -> None:
        self.found = found

    def wait_for_workers(self, n_workers, timeout):
        if len(self.found) < n_workers:
            raise TimeoutError

    def run(self, function, name, on_error):
        assert (function, name, on_error) == (metadata.version, "ratesim", "return")
        return self.found


OURS = metadata.version("ratesim")


@pytest.mark.parametrize(
    ("found", "line"),
    [
        ({"a": OURS, "b": "9.9"}, f"worker b has ratesim 9.9; expected ratesim {OURS} as here"),
        ({"a": metadata.PackageNotFoundError("ratesim")}, f"worker a has no ratesim; expected ratesim {OURS} as here"),
        ({"a": OSError("gone")}, f"worker a has no answer (gone); expected ratesim {OURS} as here"),
        ({}, "no worker answers in 9 s; expected dask worker tcp://there:1, started"),
    ],
    ids=["other", "none", "gone", "no worker"],
)
def test_workers_of_another_version_or_none_are_refused(monkeypatch, found, line):
    monkeypatch.setattr(cluster, "client_of", lambda _: Workers(found))
    with pytest.raises(rs.InputError) as error, executor(ThreadPoolExecutor(), 1):
        pass
    assert str(error.value) == f"dask=tcp://there:1: {line}"
