"""One seam for threads, processes and clusters."""

import threading

import numpy as np
import pytest

from ratesim.errors import InputError
from ratesim.stream import GameStream
from ratesim.tasks import Job, Reading, check, executor, finish, play

GAMES = GameStream.of(first=["A", "B", "C"], second=["B", "C", "A"], score=[1, 0.5, 0], time=[0, 1, 40])
READING = Reading.of([0.0, 50.0], ["A"])


def job(name: str = "a", **system) -> Job:
    return Job(
        id=name,
        label=f"run {name}",
        system={"kind": "even", **system},
        policy=None,
        calendar={"kind": "months"},
        stream=GAMES,
        start=None,
        by_pool=False,
        plugins=(),
        readings={READING.key: READING},
    )


def test_a_job_is_played():
    outcome = play(job())
    assert outcome.forecast.tolist() == [0.5] * 3
    assert outcome.histories.keys() == {READING.key}
    assert outcome.seconds > 0


@pytest.mark.parametrize("name", ["threads", "processes"])
def test_every_job_comes_back_once(name):
    jobs = [job(str(n)) for n in range(5)]
    with executor(name, 2) as pool:
        done = {each.id: outcome for each, outcome in finish(pool, jobs, 2)}
    assert done.keys() == {"0", "1", "2", "3", "4"}
    assert all(np.array_equal(outcome.forecast, [0.5] * 3) for outcome in done.values())


@pytest.mark.parametrize("name", ["threads", "processes"])
def test_a_mistake_names_its_run(name):
    with executor(name, 2) as pool, pytest.raises(InputError, match=r"^run b.*no published ratings"):
        list(finish(pool, [job("b", kind="published")], 2))


def test_no_more_is_given_out_than_asked_for():
    class Pool:
        given = 0

        def submit(self, function, each):
            self.given += 1
            return pool.submit(function, each)

    counting = Pool()
    with executor("threads", 1) as pool:
        done = finish(counting, [job(str(n)) for n in range(5)], 2)
        next(done)
        assert counting.given <= 3
        assert len(list(done)) == 4


def test_threads_end_with_the_pool():
    with executor("threads", 3) as pool:
        list(finish(pool, [job("a"), job("b")], 6))
    for thread in threading.enumerate():
        if thread.name.startswith("ratesim"):
            thread.join(timeout=10)
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("ratesim")]


def test_the_address_of_a_reading_is_whose_and_when():
    assert Reading.of([0, 50], iter("A")).key == READING.key
    assert len({READING.key, Reading.of([0, 50], "AB").key, Reading.of([0, 51], "A").key}) == 3


@pytest.mark.parametrize(
    ("name", "workers", "line"),
    [
        ("threads", 0, "workers = 0; expected at least 1"),
        ("dask=", 1, "unknown executor 'dask='; expected one of threads, processes, dask=ADDRESS"),
        ("mpi", 1, "unknown executor 'mpi'; expected one of threads, processes, dask=ADDRESS"),
    ],
)
def test_what_is_no_executor_is_refused(name, workers, line):
    with pytest.raises(InputError) as error:
        check(name, workers)
    assert str(error.value) == line


def test_a_cluster_plays_too():
    distributed = pytest.importorskip("distributed", reason="needs ratesim[dask]")
    with (
        distributed.LocalCluster(n_workers=1, processes=False, protocol="tcp", dashboard_address=None) as cluster,
        executor(f"dask={cluster.scheduler_address}", 2) as pool,
    ):
        done = {each.id: outcome.forecast.tolist() for each, outcome in finish(pool, [job("a"), job("b")], 2)}
    assert done == {"a": [0.5] * 3, "b": [0.5] * 3}
