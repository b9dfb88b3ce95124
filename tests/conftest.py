from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import settings

SHARED = Path(__file__).resolve().parents[2] / "shared"

# Compiling a kernel takes seconds, once, so no deadline; and the same examples every time, on every machine.
settings.register_profile("ratesim", deadline=None, derandomize=True)
settings.load_profile("ratesim")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--compiled", action="store_true", help="compile the engines of tests marked `interpreted` too")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if SHARED.is_dir():
        return
    for item in items:
        if "data" in item.keywords:
            item.add_marker(pytest.mark.skip(reason="needs the games in ../shared, which is not there"))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item):
    """Run what is marked `interpreted`, its fixtures with it, by engines in the Python that they are written in."""
    with pytest.MonkeyPatch.context() as patch:
        if item.get_closest_marker("interpreted") and not item.config.getoption("compiled"):
            from ratesim.jit import plain  # not needed by other tests
            from ratesim.replaying import gains, moves, predicting, session

            for module, name in (
                (session, "build"), (session, "ageing"), (gains, "gaining"), (moves, "saying"), (moves, "_number"),
                (predicting, "foretelling"),
            ):  # fmt: skip
                made = getattr(module, name)
                patch.setattr(module, name, lambda *a, made=made, **how: plain(made(*a, **how)))
        return (yield)


@pytest.fixture
def games(tmp_path):
    """Sixty games of four clubs, with names of columns that are not ours."""
    rng = np.random.default_rng(3)
    clubs = np.array(["Ajax", "Bayern", "Celta", "Dinamo"])
    sides = np.array([rng.choice(4, 2, replace=False) for _ in range(60)])
    days = np.sort(rng.integers(0, 300, 60)).astype("timedelta64[D]")
    frame = pl.DataFrame(
        {
            "date": (np.datetime64("2023-01-01") + days).astype(str),
            "home_team": clubs[sides[:, 0]],
            "away_team": clubs[sides[:, 1]],
            "home_score": rng.poisson(1.6, 60),
            "away_score": rng.poisson(1.1, 60),
        }
    )
    frame.write_csv(tmp_path / "games.csv")
    return tmp_path / "games.csv"


@pytest.fixture
def file(tmp_path):
    """Return a function that writes a file, of text or bytes."""

    def write(text, name="games.csv"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


@pytest.fixture
def call(capsys):
    """Call a verb in this process; return its exit code and what it wrote to stdout and stderr."""
    from ratesim.cli import main  # not needed by other tests

    def called(*words):
        code = main([str(word) for word in words])
        said = capsys.readouterr()
        return code, said.out, said.err

    return called


@pytest.fixture
def undrawn(monkeypatch):
    """Leave the figures of a run empty, whose tables are written."""
    from undrawn import leave  # not needed by other tests

    leave(monkeypatch.setattr)
