"""Periods judged several times, each time by what the time before made of the other side; templates as in `engine`."""

from typing import TYPE_CHECKING, Any

import numpy as np

from .engine import judge, lanes_of, post, seat, tile
from .state import SEATS, Dates, Floats, Games, Ints, State

if TYPE_CHECKING:
    from .slots import *  # noqa: F403  # the capitals: `assembly` binds them


def reconsider(rows: Floats, params: Floats, rule: int, members: Ints, waiting: int, n: int) -> None:
    """Take up what the n-th judging says of everybody, and clear it away."""
    for m in range(waiting):
        i = np.uint32(members[m])
        for lane in range(lanes_of(rows)):
            me, total = BELIEF.load(rows, i, lane), EVIDENCE.load(rows, i, lane, KEPT)
            BELIEF.store(rows, i, lane, BETWEEN(PARAMS.load(params, rule, lane), me, total, float(n)))
            EVIDENCE.clear(rows, i, lane, KEPT)


def judge_again(
    params: Floats, state: State, games: Games, dates: Dates, desk: Floats, ps: Floats, begin: int, end: int
) -> None:
    """Judge the games of the open period, numbers begin to end, as often as is still to be done."""
    rows, members = state.rows, state.members[0]
    rule = dates.rule[state.cursor[0] - dates.base] if RULES else 0
    block = SEATS // lanes_of(rows)
    tile(params, rule, ps, lanes_of(rows))
    for n in range(1, PASSES):
        reconsider(rows, params, rule, members, state.waiting[0], n)
        for g in range(begin, end, block):
            last = min(g + block, end)
            for h in range(g, last):
                take_seat(rows, games, h, desk, h - g)
            judge(desk, ps, (last - g) * lanes_of(rows))
            for h in range(g, last):
                if games.weight[h * (games.weight.shape[0] > 1), 0] != 0.0:
                    post(rows, np.uint32(games.first[h]), np.uint32(games.second[h]), 0, desk, h - g)


def take_seat(rows: Floats, games: Games, h: int, desk: Floats, n: int) -> None:
    """Lay game h and the beliefs of its players side by side with the n before it."""
    edge, margin = games.edge[h * (games.edge.size > 1)], games.margin[h * (games.margin.size > 1)]
    extra, row = games.extra[h * (games.extra.size > 1)], h * (games.weight.shape[0] > 1)
    i, j = np.uint32(games.first[h]), np.uint32(games.second[h])
    seat(rows, games.score, games.weight, h, row, i, j, edge, margin, extra, desk, n)


def judge_alone_again(
    p: Any, me: Any, foe: Any, mine: Any, theirs: Any, mine_said: Any, theirs_said: Any, weight: float
) -> tuple[Any, Any, Any, Any]:
    """Do the same for a game that is a period of its own; return beliefs and evidence of both sides."""
    for n in range(1, PASSES):
        me, foe = BETWEEN(p, me, mine_said, float(n)), BETWEEN(p, foe, theirs_said, float(n))
        e = PREDICT(p, me, foe, mine)
        f = 1.0 - e if COMPLEMENT else PREDICT(p, foe, me, theirs)
        mine_said = EVIDENCE.scale(LEARN(p, me, foe, mine, e), weight)
        theirs_said = EVIDENCE.scale(LEARN(p, foe, me, theirs, f), weight)
    return me, foe, mine_said, theirs_said
