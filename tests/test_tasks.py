"""The runs of an experiment as tasks."""

import re
import shutil
import subprocess
import sys
from dataclasses import replace

import pytest

import ratesim as rs
from ratesim import digests
from ratesim.errors import InputError
from ratesim.spreading import Origin, Task, executor, finish
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
        origin=Origin.of(()),
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
    ours = job().origin
    for other, expected in (
        (ours._replace(package="0123456789"), f"ratesim {rs.__version__} of sources 01234567"),
        (ours._replace(version="9.9"), f"ratesim 9.9 of sources {ours.package[:8]}"),
        (ours._replace(others="0123456789"), f"{ours.said} and plugins of sources 01234567"),
    ):
        with pytest.raises(InputError) as error:
            play(replace(job(), origin=other), OVER)
        assert re.fullmatch(
            rf"run a, worker \d+ on \S+: has {re.escape(ours.said)}; "
            rf"expected {re.escape(expected)}, as where the work began; start the worker anew", str(error.value)
        )  # fmt: skip


@pytest.mark.parametrize("place", ["analysis/truth/errors", "inference", "metrics"])
def test_a_worker_that_judges_otherwise_is_another(place, tmp_path, monkeypatch):
    """Of a copy of the package, one file of which is edited."""
    shutil.copytree(digests.HERE, tmp_path / "ratesim", ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(digests, "HERE", tmp_path / "ratesim")
    seen = []
    for text in ("", "# edited"):
        with (tmp_path / f"ratesim/{place}.py").open("a") as file:
            file.write(text)
        for each in (digests.package_sources, digests.sources_of):
            each.cache_clear()
        seen.append(Origin.of(()))
    for each in (digests.package_sources, digests.sources_of):
        each.cache_clear()
    assert seen[0].package != seen[1].package


def test_sources_are_those_of_the_moment_of_loading():
    """What a worker is made of is told before its first call, that an edit may precede."""
    code = "from ratesim import digests; import ratesim.tasks; print(digests.package_sources.cache_info().currsize)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "1\n"


def test_the_address_of_a_reading_is_whose_and_when():
    assert Reading.of([0, 50], iter("A")).key == READING.key
    assert len({READING.key, Reading.of([0, 50], "AB").key, Reading.of([0, 51], "A").key}) == 3
