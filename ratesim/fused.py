"""The loop for games that are periods of their own, fused: no desk, nothing waits.

It is here for speed alone; a test holds it to `engine` bit for bit. Templates as there.
"""

from typing import TYPE_CHECKING, Any

import numpy as np

from .engine import fetch, lanes_of, lengthen, lose, mark, raise_flags, since
from .records import Career, Clock, Game
from .state import AHEAD, DAY, NOBODY, Dates, Floats, Games, Index, State

if TYPE_CHECKING:
    from .passes import judge_alone_again  # noqa: TC004  # `assembly` binds it
    from .slots import *  # noqa: F403  # the capitals: `assembly` binds them


def learn(
    rows: Floats, i: Index, lane: int, p: Any, q: Any, me: Any, total: Any, counts: bool, now: Clock, born: float,
    year: float,
) -> None:  # fmt: skip
    """Absorb one game at once, if it counts, and store the belief."""
    if CAREER:
        past = PAST.load(rows, i, lane, FIELDS)
        idle = now.now - past.last if past.games > 0.0 else 0.0
        k = GAIN(q, me.rating, Career(past.games, total.games, past.peak, idle, born, year))
        after = ABSORB(p, me, total, k, now) if counts else me
        PAST.store(rows, i, lane, lengthen(past, total.games, after.rating, now.now) if counts else past, FIELDS)
    else:
        after = ABSORB(p, me, total, GAIN(q, me.rating, NOBODY), now) if counts else me
    BELIEF.store(rows, i, lane, after)


def review(
    rows: Floats, flags: Floats, i: Index, spare: Floats, mine: int, theirs: int, params: Floats, rule: int,
    score: Floats, edge: float, margin: float, extra: float, weight: Floats, my: Clock, its: Clock, now: Clock,
) -> None:  # fmt: skip
    """Absorb again with care where a side of one game asks for it, and count the flags it raises."""
    for lane in range(lanes_of(rows)):
        if HAS_CAREFUL and rows[i, FLAG, lane] >= OPEN:
            p = PARAMS.load(params, rule, lane)
            me = DRIFT(p, BELIEF.load(spare, 0, lane, mine), my)
            foe = DRIFT(p, BELIEF.load(spare, 0, lane, theirs), its)
            game = Game(score[lane * OWN], edge, margin, extra)
            said = LEARN(p, me, foe, game, PREDICT(p, me, foe, game))
            BELIEF.store(rows, i, lane, CAREFUL(p, me, EVIDENCE.scale(said, weight[lane * OWN_WEIGHT]), now))
        if rows[i, FLAG, lane] > 0.0 and (not OWN_WEIGHT or weight[lane] != 0.0):
            raise_flags(flags, rows[i, FLAG, lane], i, now.now, lane)


def play_singly(
    params: Floats, policy: Floats, state: State, games: Games, dates: Dates, born: Floats, forecast: Floats,
    until: int, last: bool,
) -> None:  # fmt: skip
    """Do the same where every game is a period of its own, fused: game g is period g of the dates.

    Nothing waits; the cursor stands at the last period played.
    """
    rows, marks, _, _, cursor, losses, flags = state
    firsts, seconds, scores, weights, edges, margins, extras, _, _, buckets, _ = games
    _, days, units, spans, seasons, years, rules = dates
    lanes = lanes_of(rows)
    spare = np.zeros((1, 2 * FIELDS, lanes))
    for g in range(firsts.size):
        i, j = np.uint32(firsts[g]), np.uint32(seconds[g])
        if g + AHEAD < firsts.size:
            fetch(rows, firsts[g + AHEAD], FIELDS)
            fetch(rows, seconds[g + AHEAD], FIELDS)
        rule = rules[g] if RULES else 0
        edge, margin = edges[g * (edges.size > 1)], margins[g * (margins.size > 1)]
        extra = extras[g * (extras.size > 1)]
        row = g * (weights.shape[0] > 1)
        counts = OWN_WEIGHT > 0 or weights[row, 0] != 0.0
        season = seasons[g * (seasons.size > 1)] if AGES else 0.0
        span = spans[g * (spans.size > 1)] if AGES else 0.0
        year = years[g * (years.size > 1)] if CAREER else 0.0
        born_i, born_j = (born[i], born[j]) if CAREER else (0.0, 0.0)
        now = my = its = Clock(days[g], 0.0, 0.0, span, 0.0)
        if AGES:
            my, its = since(marks, i, days[g], units[g], season), since(marks, j, days[g], units[g], season)
            if counts or marks[i, DAY] == marks[i, DAY]:
                mark(marks, i, days[g], units[g], span * counts, season)
            if counts or marks[j, DAY] == marks[j, DAY]:
                mark(marks, j, days[g], units[g], span * counts, season)
        if FLAGGED:
            for k in range(FIELDS):
                for lane in range(lanes):
                    spare[0, k, lane], spare[0, FOE + k, lane] = rows[i, k, lane], rows[j, k, lane]
        for lane in range(lanes):
            p, q = PARAMS.load(params, rule, lane), POLICY.load(policy, rule, lane)
            me, foe = BELIEF.load(rows, i, lane), BELIEF.load(rows, j, lane)
            if AGES:
                me, foe = DRIFT(p, me, my), DRIFT(p, foe, its)
            s, w = scores[g, lane * OWN], weights[row, lane * OWN_WEIGHT]
            mine, theirs = Game(s, edge, margin, extra), Game(1.0 - s, -edge, -margin, extra)
            e = PREDICT(p, me, foe, mine)
            f = 1.0 - e if COMPLEMENT else PREDICT(p, foe, me, theirs)
            forecast[g * KEEP, lane] = TELL(p, me, foe, mine, e)
            a = EVIDENCE.scale(LEARN(p, me, foe, mine, e), w)
            b = EVIDENCE.scale(LEARN(p, foe, me, theirs, f), w)
            here = counts and (not OWN_WEIGHT or w != 0.0)
            if PASSES > 1 and here:
                me, foe, a, b = judge_alone_again(p, me, foe, mine, theirs, a, b, w)
            learn(rows, i, lane, p, q, me, a, here, now, born_i, year)
            learn(rows, j, lane, p, q, foe, b, here, now, born_j, year)
        if LOSSES and buckets[g] >= 0:
            lose(losses, buckets[g], forecast, g * KEEP, scores, weights, g)
        if FLAGGED and counts:
            s, w = scores[g], weights[row]
            review(rows, flags, i, spare, 0, FOE, params, rule, s, edge, margin, extra, w, my, its, now)
            review(rows, flags, j, spare, FOE, 0, params, rule, 1.0 - s, -edge, -margin, extra, w, its, my, now)
    cursor[0] += firsts.size
