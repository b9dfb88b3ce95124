"""Short ways to the same bits: games by law in one pass, pairs of all who are alike."""

import numpy as np
import pytest

from ratesim.worlds import League
from ratesim.worlds.base import OUTCOMES

SIZE = {"players": 40, "rounds": 6, "per_round": 300}  # more games than are decided together
LAWS = [
    {"kind": "logistic", "draw": 0.5, "edge": 30},
    {"kind": "logistic", "draw": 0.5, "edge": 30, "edge_growth": 10, "draw_growth": 0.3},
    {"kind": "davidson", "draw": 0.7, "edge": -20, "draw_growth": 0.2},
    {"kind": "rao-kupper", "theta": 1.8, "edge": 30},
    {"kind": "upsets", "draw": 0.4, "edge": 30},
    {"kind": "heavy-tails", "draw": 0.4, "edge": 30},
]
TOLD = ("first", "second", "score", "truth", "skill_first", "skill_second")


def test_every_kind_with_a_law_is_tried():
    lawful = {kind for kind in OUTCOMES.kinds() if OUTCOMES.build(kind).law is not None}
    assert lawful == {law["kind"] for law in LAWS}


@pytest.mark.parametrize("outcomes", LAWS, ids=lambda law: f"{law['kind']} {len(law)}")
def test_games_in_one_pass_are_those_of_step_by_step(outcomes):
    at_once = League(**SIZE, outcomes=outcomes).simulate(3, 2)
    by_step = League(**SIZE, outcomes=outcomes, performances=True).simulate(3, 2)
    for name in TOLD:
        assert np.array_equal(getattr(at_once, name), getattr(by_step, name)), name


def test_pairs_of_all_are_those_of_as_active_players():
    of_all, counted = League(**SIZE), League(**SIZE, activity=[{"kind": "zipf", "exponent": 0.0}])
    one, other = of_all.simulate(5, 3), counted.simulate(5, 3)
    assert one.digest == other.digest
    assert len(np.unique(one.first)) > 100
