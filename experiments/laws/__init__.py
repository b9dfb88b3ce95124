"""Simulations that hold the engine and the worlds to laws of ratings: rows of theory beside what was found."""

from collections.abc import Callable
from typing import Any, NamedTuple

import ratesim as rs

from . import deviations, duels, matched, pools, sums
from .row import RATE as RATE, Row as Row


class Law(NamedTuple):
    """One simulation of several settings."""

    rows: Callable[..., list[Row]]  # of a size and a setting
    settings: tuple[tuple[Any, ...], ...]
    few: int  # that many settings, the first, make do where time is short
    reduced: int  # size where time is short: replicates, players or games
    whole: int


LAWS = (
    Law(sums.conserved, ((rs.PerGame(),), (rs.Every(days=7),)), 2, 20_000, 200_000),
    Law(sums.unequal, ((),), 1, 5_000, 50_000),
    Law(sums.energy, ((),), 1, 2_000, 20_000),
    Law(pools.stationary, ((0.3,), (0.1,), (0.6,)), 1, 100, 400),
    Law(matched.matched, ((20,), (40,), (10,), (16,), (32,), (64,)), 2, 200, 2_000),
    Law(duels.spread, ((20,), (20, 2), (40,), (10,), (32,), (20, 0.5)), 2, 100, 1_000),
    Law(
        duels.stretched,
        ((40, 400, "rated"), (20, 200, "rated"), (10, 400, "rated"), (40, 400, "known")),
        1, 200, 2_000,
    ),
    Law(pools.at_rest, ((10, 1.0, 0.1), (20, 0.5, 0.1), (20, 0.5, 0.2)), 1, 150, 1_000),
    Law(pools.approach, ((),), 1, 200, 2_000),
    Law(
        duels.convergence,
        tuple((k, *way) for k in (40, 20, 10) for way in ((400, 50), (400, 100), (200, 50), (800, 50))),
        4, 300, 4_000,
    ),
    Law(
        matched.walking,
        ((10, 5, "leading order"), (20, 5, "linear"), (10, 5, "linear"), (4, 2, "leading order")),
        2, 100, 1_000,
    ),
    Law(matched.improving, ((20, 2), (40, 2), (10, 2)), 2, 200, 1_000),
    Law(deviations.once_known, tuple((n,) for n in (1, 2, 5, 10, 20, 30, 50, 100)), 8, 1, 1),
    Law(deviations.steady, tuple((c, n) for c in (15.0, 34.64, 63.2) for n in (1, 5)), 2, 1, 1),
    Law(deviations.calibration, ((350.0, 350.0), (200.0, 200.0), (200.0, 350.0)), 3, 12, 60),
)  # fmt: skip


def rows(law: Law, *, whole: bool) -> list[Row]:
    """Return the rows of one law, of all its settings or of a few in small."""
    settings = law.settings if whole else law.settings[: law.few]
    size = law.whole if whole else law.reduced
    return [row for setting in settings for row in law.rows(size, *setting)]
