"""The runs of an experiment as tasks."""

from dataclasses import replace

import pytest

from ratesim.errors import InputError
from ratesim.provenance import sources
from ratesim.spreading import Task, executor, finish
from ratesim.stream import GameStream
from ratesim.tasks import Job, Over, Reading, play

GAMES = GameStream.of(first=["A", "B", "C"], second=["B", "C", "A"], score=[1, 0.5, 0], time=[0, 1, 40])
READING = Reading.of([0.0, 50.0], ["A"])
OVER = Over(GAMES, readings={READING.key: READING})


def job(name: str = "a", **system) -> Job:
    return Job(
        label=f"run {name}",
        system={"kind": "even", **system},
        policy=None,
        calendar={"kind": "months"},
        sources=sources(),
    )


def test_a_job_is_played():
    outcome = play(job(), OVER)
    assert outcome.forecast.tolist() == [0.5] * 3
    assert outcome.histories.keys() == {READING.key}
    assert outcome.seconds > 0


@pytest.mark.parametrize("name", ["threads", "processes"])
def test_a_mistake_names_its_run(name):
    task = Task("b", "run b", (job("b", kind="published"), OVER))
    with executor(name, 2) as pool, pytest.raises(InputError, match=r"^run b.*no published ratings"):
        list(finish(pool, play, [task]))


def test_a_worker_of_other_sources_is_refused():
    """One that joined late, or that has lived since before an edit: what it made would be kept as what it is not."""
    other = replace(job(), sources="0123456789abcdef")
    with pytest.raises(InputError) as error:
        play(other, OVER)
    assert str(error.value).startswith(f"run a: a worker has other sources, {sources()} (ratesim ")
    assert "expected 0123456789abcdef, of ratesim and plugins where the run began" in str(error.value)


def test_the_address_of_a_reading_is_whose_and_when():
    assert Reading.of([0, 50], iter("A")).key == READING.key
    assert len({READING.key, Reading.of([0, 50], "AB").key, Reading.of([0, 51], "A").key}) == 3
