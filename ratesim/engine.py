"""The one loop: beliefs meet games period by period, in lanes.

State is array[player, field, lane]; a lane is an independent world with its own parameters, results or weights. The
templates below name kernels and numbers (PREDICT, WIDTH, ...) that `assembly` binds for one system and policy. Games
of a period, and then its players, are laid side by side with their lanes on a desk, array[0, field, seat]: the loops
over seats hold nothing but kernels, so the compiler turns them into vector instructions. Only what is a loop over
seats or one call per player and period is a function of its own; arrays are unpacked first, since an array passed
costs seven words.
"""

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from .jit import prefetch
from .records import Career, Clock, Game
from .state import (
    AHEAD,
    COUNT,
    DAY,
    LINE,
    NOBODY,
    SEASON,
    SEATS,
    SPAN,
    TARGET,
    UNITS,
    WHEN,
    WHO,
    Dates,
    Floats,
    Games,
    Index,
    Ints,
    Past,
    State,
)  # fmt: skip

if TYPE_CHECKING:
    from .passes import judge_again  # noqa: TC004  # `assembly` binds it
    from .slots import *  # noqa: F403  # the capitals: `assembly` binds them


def lanes_of(rows: Floats) -> int:
    """Return how many lanes there are; where there is one, the compiler knows, and makes no loop of it."""
    return 1 if ALONE else rows.shape[2]


def fetch(rows: Floats, i: Index, fields: int) -> None:
    """Ask for a row before it is needed: few of many players lie near the processor."""
    for lane in range(0, lanes_of(rows) * fields, LINE):
        prefetch(rows, np.intp(i), 0, lane)


def judge(desk: Floats, ps: Floats, n: int) -> None:
    """Forecast n seated games and write down what they say about both sides."""
    for x in range(n):
        p = PARAMS.load(ps, 0, x)
        me = BELIEF.load(desk, 0, x)
        foe = BELIEF.load(desk, 0, x, FOE)
        mine = GAME.load(desk, 0, x, SEATED_GAME)
        theirs = Game(1.0 - mine.score, -mine.edge, -mine.margin, mine.extra)
        weight = desk[0, WEIGHT, x]
        e = PREDICT(p, me, foe, mine)
        f = 1.0 - e if COMPLEMENT else PREDICT(p, foe, me, theirs)
        desk[0, EXPECTED, x] = TELL(p, me, foe, mine, e)
        EVIDENCE.store(desk, 0, x, EVIDENCE.scale(LEARN(p, me, foe, mine, e), weight), SEATED_EVIDENCE)
        EVIDENCE.store(desk, 0, x, EVIDENCE.scale(LEARN(p, foe, me, theirs, f), weight), SEATED_EVIDENCE + WIDTH)


def gain_of(desk: Floats, qs: Floats, born: Floats, now: float, year: float, x: int) -> float:
    """Return K of the player at seat x."""
    q = POLICY.load(qs, 0, x)
    rating = desk[0, 0, x]
    if not CAREER:
        return GAIN(q, rating, NOBODY)
    past = PAST.load(desk, 0, x, FIELDS)
    idle = now - past.last if past.games > 0.0 else 0.0
    return GAIN(q, rating, Career(past.games, desk[0, KEPT, x], past.peak, idle, born[x], year))


def played(desk: Floats, x: int) -> bool:
    """Return whether a game of the period counted in the lane of seat x; in some lane one did."""
    return not OWN_WEIGHT or desk[0, KEPT, x] > 0.0


def settle(desk: Floats, ps: Floats, qs: Floats, born: Floats, clock: Clock, year: float, n: int) -> None:
    """Absorb the evidence of n seated players."""
    for x in range(n):
        k, p = gain_of(desk, qs, born, clock.now, year, x), PARAMS.load(ps, 0, x)
        me, total = BELIEF.load(desk, 0, x), EVIDENCE.load(desk, 0, x, KEPT)
        if played(desk, x):
            BELIEF.store(desk, 0, x, ABSORB(p, me, total, k, clock), AFTER)
        else:
            BELIEF.store(desk, 0, x, me, AFTER)
    if HAS_CAREFUL:
        for x in range(n):
            if desk[0, AFTER + FLAG, x] >= OPEN:
                me = BELIEF.load(desk, 0, x)
                sure = CAREFUL(PARAMS.load(ps, 0, x), me, EVIDENCE.load(desk, 0, x, KEPT), clock)
                BELIEF.store(desk, 0, x, sure, AFTER)
    if CAREER:
        for x in range(n):
            past = PAST.load(desk, 0, x, FIELDS)
            longer = lengthen(past, desk[0, KEPT, x], desk[0, AFTER, x], clock.now)
            PAST.store(desk, 0, x, longer if played(desk, x) else past, FIELDS)


def lengthen(past: Past, fresh: float, rating: float, now: float) -> Past:
    """Return a career with a period more."""
    return Past(past.games + fresh, max(past.peak, rating), now if fresh > 0.0 else past.last)


def tile(params: Floats, rule: int, out: Floats, lanes: int) -> None:
    """Repeat the lanes of one row of params for every seat."""
    for k in range(params.shape[1]):
        for x in range(SEATS // lanes * lanes):
            out[0, k, x] = params[rule, k, x % lanes]


def since(marks: Floats, i: Index, day: float, units: float, season: float) -> Clock:
    """Return the time since player i's belief was last brought up to date, none where that was later."""
    if marks[i, DAY] != marks[i, DAY]:
        return Clock(day, 0.0, 0.0, 0.0, 0.0)
    passed = max(units - marks[i, UNITS], 0.0)
    span = min(marks[i, SPAN], passed)
    return Clock(day, max(day - marks[i, DAY], 0.0), passed - span, span, season - marks[i, SEASON])


def mark(marks: Floats, i: Index, day: float, units: float, span: float, season: float) -> None:
    """Note the period that player i's belief was brought to, and the span of it that drift has yet to see."""
    marks[i, DAY] = day
    marks[i, UNITS] = units
    marks[i, SPAN] = span
    marks[i, SEASON] = season


def drift(rows: Floats, params: Floats, rule: int, i: Index, lane: int, clock: Clock) -> None:
    """Let time pass for what one lane believes of a player.

    A lane with weights of its own has debuts and last spans of its own, in the last column of the row.
    """
    me, p = BELIEF.load(rows, i, lane), PARAMS.load(params, rule, lane)
    if OWN_WEIGHT:
        last = rows[i, rows.shape[1] - 1, lane]
        if last >= 0.0:  # else there was no debut
            span = min(last, clock.idle)
            own = Clock(clock.now, clock.days, clock.idle - span, span, clock.seasons)
            BELIEF.store(rows, i, lane, DRIFT(p, me, own))
            rows[i, rows.shape[1] - 1, lane] = 0.0
    else:
        BELIEF.store(rows, i, lane, DRIFT(p, me, clock))


def bring(
    rows: Floats, marks: Floats, params: Floats, rule: int, i: Index, day: float, units: float, season: float
) -> None:
    """Bring one player's belief to the opening of a period; a debut only starts the clock."""
    clock = since(marks, i, day, units, season)
    if marks[i, DAY] == marks[i, DAY]:
        for lane in range(lanes_of(rows)):
            drift(rows, params, rule, i, lane, clock)
    mark(marks, i, day, units, 0.0, season)


def raise_flags(flags: Floats, raised: float, i: Index, day: float, lane: int) -> None:
    """Count the diagnostics of one player and period."""
    for bit in range(flags.shape[0]):
        if int(raised) >> bit & 1:
            if flags[bit, COUNT, lane] == 0:
                flags[bit, WHO, lane] = i
                flags[bit, WHEN, lane] = day
            flags[bit, COUNT, lane] += 1


def close(
    params: Floats, policy: Floats, state: State, dates: Dates, born: Floats, desk: Floats, ps: Floats, qs: Floats,
    birth: Floats,
) -> None:  # fmt: skip
    """Absorb what goes into the open period, and open the next one."""
    rows, marks, members, flags = state.rows, state.marks, state.members, state.flags
    lanes = lanes_of(rows)
    u = state.cursor[0]
    t = u - dates.base
    day, rule = dates.day[t], dates.rule[t] if RULES else 0
    span = dates.span[t] if dates.span.size > 1 else dates.span[0]
    season = dates.season[t * (dates.season.size > 1)]
    year = dates.year[t] if dates.year.size > 1 else dates.year[0]
    d = u % DEPTH
    waiting = state.waiting[d]
    if waiting > 0 and RULES:
        tile(params, rule, ps, lanes)
        tile(policy, rule, qs, lanes)
    block = SEATS // lanes
    for begin in range(0, waiting, block):
        n = min(block, waiting - begin)
        for m in range(n):
            i = np.uint32(members[d, begin + m])
            if begin + m + AHEAD < waiting:
                fetch(rows, members[d, begin + m + AHEAD], KEPT + WIDTH)
            if AGES and DEPTH > 1 and marks[i, UNITS] != dates.units[t]:
                bring(rows, marks, params, rule, i, day, dates.units[t], season)
            for lane in range(lanes):
                x = m * lanes + lane
                for k in range(KEPT):
                    desk[0, k, x] = rows[i, k, lane]
                for k in range(WIDTH):
                    desk[0, KEPT + k, x] = rows[i, KEPT + d * WIDTH + k, lane]
                if CAREER:
                    birth[x] = born[i]
        settle(desk, ps, qs, birth, Clock(day, 0.0, 0.0, span, 0.0), year, n * lanes)
        for m in range(n):
            i = np.uint32(members[d, begin + m])
            if AGES and not OWN_WEIGHT:
                marks[i, SPAN] = span
            for lane in range(lanes):
                x = m * lanes + lane
                if AGES and OWN_WEIGHT and played(desk, x):
                    rows[i, rows.shape[1] - 1, lane] = span
                for k in range(FIELDS):
                    rows[i, k, lane] = desk[0, AFTER + k, x]
                for k in range(FIELDS, KEPT):
                    rows[i, k, lane] = desk[0, k, x]
                if FLAGGED and desk[0, AFTER + FLAG, x] > 0.0 and played(desk, x):
                    raise_flags(flags, desk[0, AFTER + FLAG, x], i, day, lane)
    state.waiting[d] = 0
    state.cursor[0] += 1


def join(rows: Floats, marks: Floats, members: Ints, waiting: Any, i: Index, u: int) -> None:
    """Enter a player among those whose evidence waits for period u."""
    d = u % DEPTH
    marks[i, TARGET + d] = u
    members[d, waiting[d]] = i
    waiting[d] += 1
    for lane in range(lanes_of(rows)):
        EVIDENCE.clear(rows, i, lane, KEPT + d * WIDTH)


def meet(
    params: Floats, rows: Floats, marks: Floats, members: Ints, waiting: Any, rule: int, i: Index,
    day: float, units: float, season: float, into: int, counts: bool,
) -> None:  # fmt: skip
    """Bring a player to the opening of the period and enter them where their evidence will go."""
    if AGES and marks[i, UNITS] != units and (counts or marks[i, DAY] == marks[i, DAY]):
        bring(rows, marks, params, rule, i, day, units, season)
    if counts and marks[i, TARGET + into % DEPTH] != into:
        join(rows, marks, members, waiting, i, into)


def seat(
    rows: Floats, scores: Floats, weights: Floats, h: int, row: int, i: Index, j: Index,
    edge: float, margin: float, extra: float, desk: Floats, n: int,
) -> None:  # fmt: skip
    """Lay game h and the beliefs of its players side by side with the n before it."""
    for lane in range(lanes_of(rows)):
        x = n * lanes_of(rows) + lane
        SEEN.store(desk, 0, x, SEEN.load(rows, i, lane))
        SEEN.store(desk, 0, x, SEEN.load(rows, j, lane), FOE)
        GAME.store(desk, 0, x, Game(scores[h, lane * OWN], edge, margin, extra), SEATED_GAME)
        desk[0, WEIGHT, x] = weights[row, lane * OWN_WEIGHT]


def post(rows: Floats, i: Index, j: Index, into: int, desk: Floats, m: int) -> None:
    """Carry what the m-th seated game said of its players to where it waits."""
    at = KEPT + into % DEPTH * WIDTH
    for lane in range(lanes_of(rows)):
        x = m * lanes_of(rows) + lane
        EVIDENCE.add(rows, i, lane, EVIDENCE.load(desk, 0, x, SEATED_EVIDENCE), at)
        EVIDENCE.add(rows, j, lane, EVIDENCE.load(desk, 0, x, SEATED_EVIDENCE + WIDTH), at)


def charge(
    losses: Floats, bucket: int, forecast: Floats, f: int, score: float, scores: Floats, weights: Floats, g: int
) -> None:
    """Add what game g costs each lane, unless it has no forecast."""
    row = g * (weights.shape[0] > 1)
    for lane in range(lanes_of(losses)):
        e, w = forecast[f, lane], weights[row, lane * OWN_WEIGHT]
        s = scores[g, lane] if OWN else score
        lost, there = w * LOSS(e, s), not math.isnan(e)
        losses[bucket, 0, lane] += lost if there else 0.0
        losses[bucket, 1, lane] += w if there else 0.0


def lose(losses: Floats, bucket: int, forecast: Floats, f: int, scores: Floats, weights: Floats, g: int) -> None:
    """Do so with a score that the compiler knows, where it is a plain one: a factor 0 then saves what it multiplies."""
    if OWN or ALONE:
        charge(losses, bucket, forecast, f, scores[g, 0], scores, weights, g)
    elif scores[g, 0] == 1.0:
        charge(losses, bucket, forecast, f, 1.0, scores, weights, g)
    elif scores[g, 0] == 0.0:
        charge(losses, bucket, forecast, f, 0.0, scores, weights, g)
    else:
        charge(losses, bucket, forecast, f, scores[g, 0], scores, weights, g)


def report(
    forecast: Floats, losses: Floats, buckets: Ints, h: int, desk: Floats, m: int, scores: Floats, weights: Floats
) -> None:
    """Write down the forecast of the m-th seated game, and its loss."""
    lanes = lanes_of(losses)
    for lane in range(lanes):
        forecast[h * KEEP, lane] = desk[0, EXPECTED, m * lanes + lane]
    if LOSSES and buckets[h] >= 0:
        lose(losses, buckets[h], forecast, h * KEEP, scores, weights, h)


def summon(
    params: Floats, rows: Floats, marks: Floats, members: Ints, waiting: Any, dates: Dates, u: int
) -> None:  # fmt: skip
    """Enter all who have played before among the members of period u with no evidence of their own."""
    t = u - dates.base
    rule = dates.rule[t] if RULES else 0
    season = dates.season[t * (dates.season.size > 1)]
    for i in range(rows.shape[0]):
        if marks[i, DAY] == marks[i, DAY] and marks[i, TARGET + u % DEPTH] != u:
            bring(rows, marks, params, rule, i, dates.day[t], dates.units[t], season)
            join(rows, marks, members, waiting, i, u)


def play(
    params: Floats, policy: Floats, state: State, games: Games, dates: Dates, born: Floats, forecast: Floats,
    until: int, last: bool,
) -> None:  # fmt: skip
    """Play a chunk of games, then close all periods before `until`, the last with all who have played before."""
    rows, marks, members, waiting, cursor, losses, _ = state
    firsts, seconds, scores, weights, edges, margins, extras, ats, intos, buckets, before = games
    days, units, seasons, rules = dates.day, dates.units, dates.season, dates.rule
    lanes = lanes_of(rows)
    has_edge, has_margin, has_extra = edges.size > 1, margins.size > 1, extras.size > 1
    has_weight = weights.shape[0] > 1
    block = SEATS // lanes
    desk, table, birth = np.zeros((1, DESK, SEATS)), np.zeros((1, AFTER + FIELDS, SEATS)), np.zeros(SEATS)
    ps, pc = np.zeros((1, params.shape[1], SEATS)), np.zeros((1, params.shape[1], SEATS))
    qs = np.zeros((1, policy.shape[1], SEATS))
    tile(params, 0, ps, lanes)
    tile(params, 0, pc, lanes)
    tile(policy, 0, qs, lanes)
    held = opened = 0
    g = before
    while g < firsts.size:
        u = ats[g]
        if PASSES > 1 and cursor[0] < u:
            judge_again(params, state, games, dates, desk, ps, opened, g)
            held, opened = -1, g
        while cursor[0] < u:
            close(params, policy, state, dates, born, table, pc, qs, birth)
        t = u - dates.base
        rule = rules[t] if RULES else 0
        season = seasons[t * (seasons.size > 1)]
        if rule != held:
            tile(params, rule, ps, lanes)
            held = rule
        n = 0
        while n < block and g + n < firsts.size and ats[g + n] == u:
            h = g + n
            i, j = np.uint32(firsts[h]), np.uint32(seconds[h])
            if h + AHEAD < firsts.size:
                fetch(rows, firsts[h + AHEAD], KEPT + WIDTH)
                fetch(rows, seconds[h + AHEAD], KEPT + WIDTH)
            into = intos[h] if DEPTH > 1 else u
            counts = OWN_WEIGHT > 0 or weights[h * has_weight, 0] != 0.0
            meet(params, rows, marks, members, waiting, rule, i, days[t], units[t], season, into, counts)
            meet(params, rows, marks, members, waiting, rule, j, days[t], units[t], season, into, counts)
            edge, margin, extra = edges[h * has_edge], margins[h * has_margin], extras[h * has_extra]
            seat(rows, scores, weights, h, h * has_weight, i, j, edge, margin, extra, desk, n)
            n += 1
        judge(desk, ps, n * lanes)
        for m in range(n):
            h = g + m
            if OWN_WEIGHT > 0 or weights[h * has_weight, 0] != 0.0:
                post(rows, np.uint32(firsts[h]), np.uint32(seconds[h]), intos[h] if DEPTH > 1 else u, desk, m)
            report(forecast, losses, buckets, h, desk, m, scores, weights)
        g += n
    if PASSES > 1 and cursor[0] < until:
        judge_again(params, state, games, dates, desk, ps, opened, g)
    if last and AGES:
        summon(params, rows, marks, members, waiting, dates, until - 1)
    while cursor[0] < until:
        close(params, policy, state, dates, born, table, pc, qs, birth)


def age(params: Floats, rows: Floats, marks: Floats, rule: int, day: float, units: float, season: float) -> None:
    """Bring all who have played to one moment."""
    for i in range(rows.shape[0]):
        if marks[i, DAY] == marks[i, DAY]:
            bring(rows, marks, params, rule, i, day, units, season)
