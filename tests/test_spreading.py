"""One seam for threads and processes: every call comes back, whoever dies, and what is shared is not copied."""

import multiprocessing
import os
import threading
from concurrent.futures import Executor, Future, ProcessPoolExecutor

import numpy as np
import pytest
from spread import dies, doubled, summed

from ratesim.errors import InputError
from ratesim.spreading import LostError, Task, check, executor, finish, shared, slots


def tasks(*numbers: int, also=()) -> list[Task]:
    return [Task(str(number), f"run {number}", (number, *also)) for number in numbers]


@pytest.fixture(scope="module")
def processes():
    with executor("processes", 2) as pool:
        yield pool


def test_every_task_comes_back_once(processes):
    with executor("threads", 2) as threads:
        for pool in (threads, processes):
            done = {task.id: found for task, found in finish(pool, doubled, tasks(*range(5)))}
            assert done == {"0": 0, "1": 2, "2": 4, "3": 6, "4": 8}
            assert slots(pool) == 2


def test_no_more_is_given_out_than_asked_for():
    class Counting(Executor):
        given = 0

        def submit(self, function, /, *arguments):
            self.given += 1
            return pool.submit(function, *arguments)

    counting = Counting()
    with executor("threads", 1) as pool:
        done = finish(counting, doubled, tasks(*range(5)), 2)
        next(done)
        assert counting.given <= 3
        assert len(list(done)) == 4


def test_threads_end_with_the_pool():
    with executor("threads", 3) as pool:
        list(finish(pool, doubled, tasks(1, 2)))
    for thread in threading.enumerate():
        if thread.name.startswith("ratesim"):
            thread.join(timeout=10)
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("ratesim")]


@pytest.mark.parametrize(
    ("name", "workers", "line"),
    [
        ("threads", 0, "workers = 0; expected a whole number, at least 1"),
        ("threads", "2", "workers = '2'; expected a whole number, at least 1"),
        ("threads", True, "workers = True; expected a whole number, at least 1"),
        ("dask=", 1, "unknown executor 'dask='; did you mean 'dask'?"),
        ("tcp://there:1", 1, "unknown executor 'tcp://there:1'; did you mean 'dask=tcp://there:1'?"),
        ("mpi", 1, "unknown executor 'mpi'; expected one of threads, processes, dask, dask=ADDRESS"),
    ],
)
def test_what_is_no_executor_is_refused(name, workers, line):
    with pytest.raises(InputError) as error:
        check(name, workers)
    assert str(error.value) == line


def test_a_process_that_dies_is_replaced_and_nothing_is_lost(tmp_path):
    with executor("processes", 2) as pool:
        done = [found for _, found in finish(pool, dies, tasks(*range(6), also=(str(tmp_path), 2)), 4)]
    assert sorted(done) == [0, 2, 4, 6, 8, 10]
    assert len(list(tmp_path.iterdir())) == 2


def test_a_task_that_kills_every_process_is_named(tmp_path):
    with executor("processes", 1) as pool, pytest.raises(LostError, match=r"^run 1: the workers .* are lost \(.+\)$"):
        list(finish(pool, dies, tasks(1, also=(str(tmp_path), 99)), 1))
    assert len(list(tmp_path.iterdir())) == 4  # the first and three more


def test_a_pool_that_is_brought_and_breaks_names_the_task(tmp_path):
    spawn = multiprocessing.get_context("spawn")
    named = pytest.raises(LostError, match=r"^run 1: the workers it was given to are lost")
    with ProcessPoolExecutor(1, spawn) as pool, named:
        list(finish(pool, dies, tasks(1, 2, also=(str(tmp_path), 1)), 1))


def test_a_call_that_is_taken_back_is_not_made(processes):
    futures = [processes.submit(doubled, number) for number in range(50)]
    taken = [future for future in reversed(futures) if future.cancel()]
    assert all(future.cancelled() for future in taken)
    assert [future.result() for future in futures if future not in taken] == [
        2 * number for number, future in enumerate(futures) if future not in taken
    ]


def test_processes_map_what_is_shared(processes, tmp_path):
    fixed = np.arange(5.0)
    fixed.flags.writeable = False
    several = [{"score": fixed}, {"score": np.ones(1000)}, {"score": np.empty(0)}]
    with shared(processes, several, tmp_path) as given:
        assert len(list(tmp_path.iterdir())) == 1
        asked = [Task(str(number), "", (number, each)) for number, each in enumerate(given)]
        done = {task.id: found for task, found in finish(processes, summed, asked)}
    assert {name: found[:3] for name, found in done.items()} == {
        "0": (10.0, True, False),
        "1": (1001.0, True, True),
        "2": (2.0, True, True),
    }
    assert os.getpid() not in {found[3] for found in done.values()}
    assert list(tmp_path.iterdir()) == []


def test_threads_see_the_very_same(tmp_path):
    value = {"score": np.ones(3)}
    with executor("threads", 1) as pool, shared(pool, [value], tmp_path) as given:
        assert given[0] is value
    assert list(tmp_path.iterdir()) == []


def test_any_executor_will_do():
    class Here(Executor):
        def submit(self, function, /, *arguments):
            future = Future()
            future.set_result(function(*arguments))
            return future

    with executor(Here(), 1) as pool, shared(pool, [{"score": np.ones(3)}]) as given:
        ((_, found),) = finish(pool, summed, tasks(1, also=given))
    assert found == (4.0, True, True, os.getpid())


def test_a_worker_that_does_not_see_the_folder_says_so(tmp_path):
    with executor("processes", 1) as pool:
        with shared(pool, [{"score": np.ones(3)}], tmp_path) as given:
            pass
        with pytest.raises(InputError, match="a worker does not see this folder; expected one that all workers see"):
            list(finish(pool, summed, tasks(1, also=given)))
