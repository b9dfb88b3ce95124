"""The same seed gives the same bytes: a replicate alone is what it is among others, whatever its world is made of."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from ratesim.worlds import League
from ratesim.worlds.base import ACTIVITIES, CHANGES, OUTCOMES, PAIRINGS, SKILLS, STRESSES

SIZE = {"players": 24, "rounds": 14, "days": 700}
FAMILIES = {
    "skills": SKILLS, "changes": CHANGES, "activity": ACTIVITIES, "pairing": PAIRINGS, "outcomes": OUTCOMES,
    "stress": STRESSES,
}  # fmt: skip
MANY = ("changes", "activity", "stress")
NEEDS = {  # what a kind cannot do without
    ("skills", "list"): {"values": [1400.0, 1500.0, 1700.0]},
    ("skills", "listed"): {"values": [1400.0, 1500.0, 1700.0]},
}
ELSEWHERE = {("pairing", "schedule")}  # which needs a file
KINDS = [
    (family, kind)
    for family, registry in FAMILIES.items()
    for kind in registry.kinds()
    if (family, kind) not in ELSEWHERE
]


def world(family, kind, **more):
    part = {"kind": kind, **NEEDS.get((family, kind), {})}
    made = {"outcomes": {"kind": "logistic", "draw": 0.5, "edge": 30}, "changes": [{"kind": "walk"}]}
    return League(**{**SIZE, **made, family: [part] if family in MANY else part, **more})


def of_replicate(games, number):
    """The games of one replicate as bytes, its players counted from 0, and its skills over time."""
    rows = np.flatnonzero(games.players["replicate"].to_numpy() == number)
    mine = games.replicate == number
    columns = {name: column[mine] for name, column in games.columns()}
    for side in ("first", "second"):
        columns[side] = columns[side] - rows[0].astype(np.int32)
    columns["skill"] = games.paths.skill[:, rows]
    return {name: np.ascontiguousarray(column).tobytes() for name, column in columns.items()}


@pytest.mark.parametrize(("family", "kind"), KINDS)
def test_a_replicate_alone_is_the_same_as_in_any_company(family, kind):
    made = world(family, kind)
    whole, alone, pair = made.simulate(7, 5), made.simulate(7, 1, first=3), made.simulate(7, 2, first=2)
    assert of_replicate(alone, 3) == of_replicate(whole, 3) == of_replicate(pair, 3)
    assert of_replicate(whole, 3) != of_replicate(whole, 4)
    assert of_replicate(made.simulate(8, 1, first=3), 3)["score"] != of_replicate(alone, 3)["score"]


def digest():
    """Of worlds with some of everything."""
    size = {"players": 12, "rounds": 5, "days": 300}
    worlds = (
        League(
            **size, skills={"kind": "normal"}, changes=[{"kind": "ornstein-uhlenbeck"}],
            activity=[{"kind": "zipf"}, {"kind": "lognormal"}], outcomes={"kind": "logistic", "draw": 0.5, "edge": 30},
        ),
        League(
            **size, skills="fide", changes=["career", {"kind": "jump", "every": 30.0}], pairing="closeness",
            activity=[{"kind": "turnover", "newcomers": 0.3, "stay": 900.0}], outcomes="heavy-tails", performances=True,
            stress=["boosting", "farming"],
        ),
        League(
            **size, pairing={"kind": "clubs", "clubs": 3}, outcomes={"kind": "normal", "spread": 0.3}, stress=["ring"]
        ),
        League(**size, pairing={"kind": "swiss", "by": "skill"}, outcomes={"kind": "rao-kupper"}, performances=True),
    )  # fmt: skip
    games = [column for made in worlds for _, column in made.simulate(1, 3).columns()]
    return hashlib.sha256(b"".join(column.tobytes() for column in games)).hexdigest()


def test_python_without_a_compiler_makes_the_same_bytes():
    code = "import sys; sys.path.insert(0, sys.argv[1]); import test_world_bits as t; print(t.digest())"
    done = subprocess.run(
        [sys.executable, "-c", code, str(Path(__file__).parent)], env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.strip() == digest()
