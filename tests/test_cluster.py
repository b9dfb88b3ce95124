"""Dask's clusters: the same bytes as threads though a worker is killed, and a line for what is no cluster of ours."""

import logging
import os
import re
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
from ratesim.registry import load_plugin
from ratesim.spreading import Task, cluster, executor, finish, shared, slots
from ratesim.systems.base import SYSTEMS

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


@pytest.fixture(scope="module")
def files(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("cluster")
    for name, text in {"slow.py": SLOW, "games.csv": GAMES, "runs.toml": RUNS}.items():
        (folder / name).write_text(text)
    return folder


@pytest.fixture
def folder(files, monkeypatch) -> Path:
    monkeypatch.chdir(files)
    return files


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


@pytest.mark.usefixtures("undrawn")
def test_a_killed_worker_changes_no_byte(folder, made):
    rs.run("runs.toml", "threads", plugins=["slow.py"])
    before = [worker.pid for worker in made.workers.values()]
    watch = Killing(before)
    with distributed.Client(made) as client, client.get_executor() as pool:
        rs.run("runs.toml", "cluster", plugins=["slow.py"], executor=pool, watch=watch)
    assert (watch.begun, len(watch.runs)) == ((5, 0), 5)
    assert contents(folder / "cluster") == contents(folder / "threads")
    assert {worker.pid for worker in made.workers.values()} != set(before)


@pytest.fixture(scope="module")
def games():
    return rs.League(players=30, rounds=40, days=400, outcomes={"kind": "logistic", "draw": 0.4}).simulate(seed=1)


@pytest.mark.slow  # as runs that lose one, above
def test_a_sweep_that_loses_a_worker_is_that_of_threads(folder, made, games):
    """Each slow system is a block, and so are all K of Elo."""
    load_plugin(folder / "slow.py")
    pairs = [(SYSTEMS.build({"kind": "slow", "forecast": each / 10}), None) for each in range(1, 7)]
    pairs += [(rs.Elo(), rs.Constant(float(k))) for k in (10, 20, 40)]
    before = {worker.pid for worker in made.workers.values()}
    done = []

    def watch(settings: int) -> None:
        done.append(settings)
        if len(done) == 1:
            os.kill(min(before), signal.SIGKILL)

    with distributed.Client(made) as client, client.get_executor() as pool:
        found = rs.sweep(pairs, games, plugins=folder / "slow.py", executor=pool, watch=watch)
    assert sorted(done) == [1, 1, 1, 1, 1, 1, 3]
    assert {worker.pid for worker in made.workers.values()} != before
    for ours, theirs in zip(found, rs.sweep(pairs, games, workers=1), strict=True):
        assert ours.tobytes() == theirs.tobytes()


def test_tuning_and_draws_are_those_of_threads(made, games):
    with distributed.Client(made) as client, client.get_executor() as pool:
        tuned, drawn = (
            (
                rs.tune(rs.Elo(), games, {"k": (5, 80)}, draws=100, executor=each),
                rs.bootstrap([(rs.Elo(), None)], games, draws=5, seed=1, executor=each),
            )
            for each in (pool, "threads")
        )
    assert tuned[0].canonical() == drawn[0].canonical()
    assert tuned[1].drawn.tobytes() == drawn[1].drawn.tobytes()


def test_workers_of_other_sources_are_refused_whatever_they_are_asked_for(made, games, monkeypatch):
    """One that has lived since before an edit, or came late from a machine that has another ratesim."""
    monkeypatch.setattr("ratesim.spreading.origin.package_sources", lambda: "edited")
    elo = (rs.Elo(), rs.Constant(20.0))
    with distributed.Client(made) as client, client.get_executor() as pool:
        for asked in (
            lambda: rs.sweep([elo], games, executor=pool),
            lambda: rs.bootstrap([elo], games, draws=2, seed=1, executor=pool),
            lambda: rs.tune(rs.Elo(), games, {"k": (5, 80)}, executor=pool),
        ):
            with pytest.raises(rs.InputError) as error:
                asked()
            said = rf"ratesim {re.escape(OURS)} of sources \w{{8}}"
            line = rf"worker \d+ on \S+: has {said}; expected {said}, as where the work began; start the worker anew"
            assert re.fullmatch(line, str(error.value))


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


def test_what_answers_and_is_no_scheduler_is_told(monkeypatch):
    """A web server's words are read as a length, and so much memory wished for."""

    def client(*_, **__):
        raise MemoryError

    monkeypatch.setattr(distributed, "Client", client)
    with pytest.raises(rs.InputError) as error, executor("dask=tcp://there:80", 1):
        pass
    assert str(error.value) == "dask=tcp://there:80: no dask scheduler answers (what answers is something else)"


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
