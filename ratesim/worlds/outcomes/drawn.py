"""Draws beside a curve of expected scores: they take from wins and losses alike, so the curve holds exactly."""

import math

from ...jit import kernel
from ...maths import exp
from ...spec import quantity
from ..base import Outcomes

MOST = 1e6  # of ν


class Drawn(Outcomes):
    """Outcomes whose expected score E is a curve's, whatever the share d of draws, which leaves first E - d/2 wins."""

    draw: float = quantity(
        0.0, "Davidson's ν: equals draw ν / (2 + ν) of their games, a fifth where it is 0.5; 0 no draws", unit="ratio",
        ge=0, le=MOST,
    )  # fmt: skip
    draw_growth: float = quantity(
        0.0, "what is added to ln ν for each 400 points that the mean strength of the two is above 1500",
        unit="natural log", ge=-100, le=100,
    )  # fmt: skip


@kernel
def draw_share(expected: float, nu: float) -> float:
    """Return the probability of a draw of Davidson's model where the expected score is `expected`.

    The model has wins, draws and losses as x : ν : 1/x. Solve (x + ν/2) / (x + ν + 1/x) = E for x and put it into
    ν / (x + ν + 1/x): with v = E (1 - E), the share is 4 ν v / (ν + sqrt(ν² (1 - 4v) + 16 v)), never more than
    2 min(E, 1 - E).
    """
    v = expected * (1.0 - expected)
    bottom = nu + math.sqrt(nu * nu * (1.0 - 4.0 * v) + 16.0 * v)
    return 4.0 * nu * v / bottom if bottom > 0.0 else 0.0


@kernel
def ahead(gap: float, level: float, edge: float, growth: float) -> float:
    """Return the gap with the edge in it: `performing.lead` of one game."""
    return gap + edge + growth * ((level - 1500.0) / 400.0)


@kernel
def ratio(nu: float, level: float, growth: float) -> float:
    """Return ν at a level: ln ν = a + b (level - 1500) / 400, as Glickman has it, held to a million."""
    return nu if growth == 0.0 else min(nu * exp(growth * ((level - 1500.0) / 400.0)), MOST)
