"""Every system against other people's numbers (tests/oracles), through the public API."""

import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ratesim as rs
from ratesim.calendars import CALENDARS
from ratesim.policies import POLICIES
from ratesim.systems.base import SYSTEMS

ORACLES = Path(__file__).parent / "oracles"
COMPILED = {"glicko2", "readings"}  # an engine serves a few games: those of all others are tried in Python
COLUMNS = ("edge", "margin", "stage", "published_first", "published_second", "performance_first", "performance_second")


def vectors():
    """Each vector of each file, with the kind of the system it speaks of."""
    for path in sorted(ORACLES.glob("*.toml")):
        table = tomllib.loads(path.read_text(encoding="utf-8"))
        marks = () if table["kind"] in COMPILED else pytest.mark.interpreted
        for vector in table["vector"]:
            yield pytest.param(table["kind"], vector, marks=marks, id=f"{table['kind']}: {vector['name']}")


def stream(vector: dict[str, Any]) -> rs.GameStream:
    """The games of a vector: first, second, score and, where it matters, the day."""
    rows = [(*row, 0.0)[:4] for row in vector["games"]] * vector.get("repeat", 1)
    first, second, score, day = zip(*rows, strict=True)
    published = {name: vector[name] for name in COLUMNS if name in vector}
    return rs.GameStream.of(first=first, second=second, score=score, time=[float(t) for t in day], **published)


def replayed(kind: str, vector: dict[str, Any], games: rs.GameStream) -> rs.Run:
    return rs.replay(
        SYSTEMS.build({"kind": kind, **vector.get("parameters", {})}),
        games,
        policy=POLICIES.build(vector["policy"]) if "policy" in vector else None,
        calendar=CALENDARS.build(vector.get("calendar", "whole")),
        start=vector.get("start"),
    )


def same_ratings(
    run: rs.Run, expected: dict[str, dict[str, float]], tolerance: float, tolerances: dict[str, float]
) -> None:
    """Hold ratings to a vector's, each column or player to a tolerance of its own where the vector says one."""
    found = {row["player"]: row for row in run.ratings().to_dicts()}
    wrong = {
        (who, column): (found[who][column], value)
        for who, columns in expected.items()
        for column, value in columns.items()
        if not abs(found[who][column] - value) <= tolerances.get(who, tolerances.get(column, tolerance))
    }
    assert not wrong, f"found and expected to {tolerance:g}, {tolerances}: {wrong}"


@pytest.mark.parametrize(("kind", "vector"), list(vectors()))
def test_oracle(kind, vector):
    assert vector["source"]
    games = stream(vector)
    run = replayed(kind, vector, games)
    if "forecasts" in vector:
        assert run.forecast == pytest.approx(np.array(vector["forecasts"]), abs=vector["tolerance"])
    if "draws" in vector:
        assert run.draws() == pytest.approx(np.array(vector["draws"]), abs=vector["tolerance"])
    by_column = vector.get("tolerances", {})
    same_ratings(run, vector.get("ratings", {}), vector["tolerance"], by_column)
    for step in vector.get("after", []):
        earlier = replayed(kind, vector, games.take(slice(step["games"])))
        same_ratings(earlier, step["ratings"], step.get("tolerance", vector["tolerance"]), by_column)
    raised = [diagnostic.name for diagnostic in run.diagnostics if diagnostic.player == "A"]
    assert raised == vector.get("diagnostics", raised)


def test_every_system_has_an_oracle():
    ours = {kind for kind, cls in SYSTEMS.kinds().items() if cls.__module__.startswith("ratesim.")}
    assert {path.stem for path in ORACLES.glob("*.toml")} >= ours


def coin_flips(games: int) -> rs.GameStream:
    """Two equal players, one game a day."""
    score = np.random.default_rng(1).integers(2, size=games)
    return rs.GameStream.of(first=["A"] * games, second=["B"] * games, score=score, time=np.arange(float(games)))


@pytest.mark.parametrize(
    ("games", "volatility", "spread"),
    [(50_000, 0.0655, 0.0002), (100_000, 0.0735, 0.0002), (150_000, 0.0877, 0.0004), (200_000, 0.1274, 0.0012)],
)
def test_without_a_cap_volatility_creeps_up(games, volatility, spread):
    """kenany/glicko2-lite issue 208: two equal players, one game a period, tau .5.

    Its flips are not ours; the spread is that of a plain loop with the paper's procedure over eight other seeds.
    """
    run = rs.replay(rs.Glicko2(volatility_cap=None), coin_flips(games), calendar=rs.Every(days=1))
    assert run.ratings()["volatility"].to_numpy() == pytest.approx(np.full(2, volatility), abs=spread)


def test_with_a_cap_volatility_survives_two_million_periods():
    run = rs.replay(rs.Glicko2(), coin_flips(2_000_000), calendar=rs.Every(days=1))
    ratings = run.ratings()
    assert ratings["volatility"].max() <= 0.1 + 1e-15  # the kernel keeps its logarithm
    assert ratings["rating"].to_numpy() == pytest.approx([1500, 1500], abs=500)
    assert ratings["deviation"].max() < 100
    assert [d.name for d in run.diagnostics] == ["volatility capped"]
