"""What kernels say of some players or games, written down without a change of anything: templates as in `engine`."""

import math
from typing import TYPE_CHECKING

import numpy as np

from .engine import gain_of, lanes_of, tile
from .records import Game
from .state import SEATS, Floats

if TYPE_CHECKING:
    from .slots import *  # noqa: F403  # the capitals: `assembly` binds them


def gains(
    rows: Floats, policy: Floats, rule: int, born: Floats, now: Floats, year: Floats, fresh: Floats, out: Floats
) -> None:
    """Write down K of some players (N, L), for a period that opens now and has so many games of each."""
    lanes = lanes_of(rows)
    desk, birth = np.zeros((1, KEPT + 1, SEATS)), np.zeros(SEATS)
    qs = np.zeros((1, policy.shape[1], SEATS))
    tile(policy, rule, qs, lanes)
    for i in range(rows.shape[0]):
        for lane in range(lanes):
            for k in range(KEPT):
                desk[0, k, lane] = rows[i, k, lane]
            desk[0, KEPT, lane] = fresh[i]
            birth[lane] = born[i]
            out[i, lane] = gain_of(desk, qs, birth, now[i], year[i], lane)


def evidences(rows: Floats, params: Floats, rule: int, games: tuple[Floats, ...], out: Floats) -> None:
    """Write down what games say of both sides (2 G, evidence, 1), whose beliefs before are rows 2 g and 2 g + 1."""
    scores, edges, margins, extras, forecast = games
    for g in range(scores.size):
        p = PARAMS.load(params, rule, 0)
        me, foe = BELIEF.load(rows, 2 * g, 0), BELIEF.load(rows, 2 * g + 1, 0)
        edge, margin = edges[g * (edges.size > 1)], margins[g * (margins.size > 1)]
        extra = extras[g * (extras.size > 1)]
        mine, theirs = Game(scores[g], edge, margin, extra), Game(1.0 - scores[g], -edge, -margin, extra)
        other = 1.0 - forecast[g] if COMPLEMENT else PREDICT(p, foe, me, theirs)
        EVIDENCE.store(out, 2 * g, 0, LEARN(p, me, foe, mine, forecast[g]))
        EVIDENCE.store(out, 2 * g + 1, 0, LEARN(p, foe, me, theirs, other))


def forecasts(rows: Floats, params: Floats, edges: Floats, out: Floats) -> None:
    """Write down what is expected of games to come (n, 0) and their chance of a draw (n, 1).

    Beliefs of both sides are rows 2 g and 2 g + 1.
    """
    for g in range(edges.size):
        p = PARAMS.load(params, 0, 0)
        me, foe = BELIEF.load(rows, 2 * g, 0), BELIEF.load(rows, 2 * g + 1, 0)
        game = Game(math.nan, edges[g], math.nan, math.nan)
        out[g, 0] = PREDICT(p, me, foe, game)
        out[g, 1] = TELL(p, me, foe, game, out[g, 0])
