"""What the loop can do beyond a plain replay: lists of later months, dated rules, own results, losses in the pass."""

import numpy as np
import pytest

import ratesim as rs
from ratesim.assembly import Plan
from ratesim.jit import kernel
from ratesim.replaying import session
from ratesim.state import Dates, Games, State
from ratesim.systems.base import Start

NONE, NAN, FIRST = np.zeros(1), np.full(1, np.nan), np.zeros(1, np.int32)
RNG = np.random.default_rng(3)
G, N, T = 400, 12, 20
FIRSTS = RNG.integers(0, N, G).astype(np.int32)
SECONDS = ((FIRSTS + RNG.integers(1, N, G)) % N).astype(np.int32)
SCORES = RNG.choice([0.0, 0.5, 1.0], (G, 3))
AT = np.sort(RNG.integers(0, T, G)).astype(np.int32)
ELO, CONSTANT = rs.Elo(), rs.Constant(24)
pytestmark = pytest.mark.interpreted


@kernel
def squared(e, s):
    """Squared error, written for this test."""
    return (e - s) * (e - s)


PLAIN = Plan()


def run(
    *, plan=PLAIN, params=None, lanes=1, scores=SCORES[:, :1], weight=None, into=FIRST, bucket=FIRST, loss=None,
    rule=FIRST,
):  # fmt: skip
    """Forecasts and state after all games; rows of a plain Elo."""
    kernels, gains = ELO.kernels(), CONSTANT.kernels()
    params = np.tile(np.array(ELO.params())[None, :, None], (1, 1, lanes)) if params is None else params
    state = State(
        np.zeros((N, 1 + 2 * plan.depth, lanes)), np.full((N, 4 + plan.depth), np.nan),
        np.zeros((plan.depth, N), np.int32), np.zeros(plan.depth, np.int64), np.zeros(1, np.int64),
        np.zeros((T, 2, lanes)), np.zeros((1, 3, lanes), np.int64),
    )  # fmt: skip
    state.rows[:, 0] = ELO.belief(Start())[0]
    games = Games(
        FIRSTS, SECONDS, np.ascontiguousarray(scores), np.ones((1, 1)) if weight is None else weight,
        NONE, NAN, NAN, AT, into, bucket,
    )  # fmt: skip
    days = np.arange(T + plan.depth) * 30.0
    forecast = np.full((G if plan.keep else 1, lanes), np.nan)
    engine = session.build(kernels, gains, plan, loss, "a test")
    policy = np.tile(np.array(CONSTANT.params())[None, :, None], (len(params), 1, lanes))
    engine(
        params, policy, state, games, Dates(0, days, days, NONE, NONE, NONE, rule), NAN, forecast, T + plan.depth, False
    )
    return forecast, state


def expected(difference):
    return 1 / (1 + 10 ** (-difference / 400))


def by_hand(into=AT, cap=None):
    """The same in plain Python: evidence of a game is absorbed when its period closes."""
    ratings, waiting, forecast = np.full(N, 1500.0), [], []
    for t in range(T + 3):
        waiting_now = [w for w in waiting if w[0] == t - 1]
        for i in range(N):
            ratings[i] += 24 * sum(w[2] for w in waiting_now if w[1] == i)
        for g in np.flatnonzero(t == AT):
            gap = ratings[FIRSTS[g]] - ratings[SECONDS[g]]
            gap = gap if cap is None else np.clip(gap, -cap[t], cap[t])
            forecast.append(expected(gap))
            surplus = SCORES[g, 0] - forecast[-1]
            waiting += [(into[g], FIRSTS[g], surplus), (into[g], SECONDS[g], -surplus)]
    return np.array(forecast), ratings


def test_periods_by_hand():
    forecast, state = run()
    exact, ratings = by_hand()
    assert forecast[:, 0] == pytest.approx(exact, abs=1e-13)
    assert state.rows[:, 0, 0] == pytest.approx(ratings, abs=1e-10)


def test_evidence_can_wait_for_a_later_list_while_older_beliefs_judge():
    into = (AT + RNG.integers(0, 3, G)).astype(np.int32)
    forecast, state = run(plan=Plan(depth=3), into=into)
    exact, ratings = by_hand(into)
    assert forecast[:, 0] == pytest.approx(exact, abs=1e-13)
    assert state.rows[:, 0, 0] == pytest.approx(ratings, abs=1e-10)
    assert np.abs(ratings - by_hand()[1]).max() > 1.0  # waiting does matter


def test_rules_change_on_their_date():
    narrow, wide = rs.Elo(cap=20).params(), rs.Elo(cap=100).params()
    params = np.array([narrow, wide])[:, :, None].copy()
    rule = (np.arange(T + 1) >= T // 2).astype(np.int32)
    forecast, state = run(plan=Plan(rules=True), params=params, rule=rule)
    exact, ratings = by_hand(cap=np.where(np.arange(T + 3) >= T // 2, 100.0, 20.0))
    assert forecast[:, 0] == pytest.approx(exact, abs=1e-13)
    assert state.rows[:, 0, 0] == pytest.approx(ratings, abs=1e-10)


def test_lanes_with_results_of_their_own_are_worlds_apart():
    together, state = run(plan=Plan(own=True), lanes=3, scores=SCORES)
    for lane in range(3):
        alone, then = run(plan=Plan(own=True), scores=SCORES[:, lane : lane + 1])
        assert together[:, lane].tobytes() == alone[:, 0].tobytes()
        assert state.rows[:, 0, lane].tobytes() == then.rows[:, 0, 0].tobytes()


def test_lanes_with_weights_of_their_own_are_bootstraps():
    weights = RNG.poisson(1.0, (G, 3)).astype(float)
    plan = Plan(own_weight=True)
    together, state = run(plan=plan, lanes=3, weight=weights)
    for lane in range(3):
        one = np.ascontiguousarray(weights[:, lane : lane + 1])
        alone, then = run(plan=plan, weight=one)
        assert together[:, lane].tobytes() == alone[:, 0].tobytes()
        shared, there = run(weight=one)
        assert alone.tobytes() == shared.tobytes()
        assert then.rows[:, 0].tobytes() == there.rows[:, 0].tobytes() == state.rows[:, 0, lane : lane + 1].tobytes()


def test_losses_summed_in_the_pass_are_those_of_the_forecasts():
    weight = RNG.choice([0.0, 1.0, 2.5], (G, 1))
    bucket = np.where(AT % 3 == 0, -1, AT).astype(np.int32)
    _, state = run(plan=Plan(keep=False), weight=weight, bucket=bucket, loss=squared)
    forecast, _ = run(weight=weight)
    each = weight[:, 0] * (forecast[:, 0] - SCORES[:, 0]) ** 2
    for t in range(T):
        assert state.losses[t, 0, 0] == pytest.approx(each[bucket == t].sum(), abs=1e-12)
        assert state.losses[t, 1, 0] == weight[bucket == t].sum()


def test_a_careful_system_that_keeps_careers_is_refused():
    with pytest.raises(TypeError, match="learns without K"):
        session.build(rs.Glicko2().kernels(), rs.Fide().kernels(), Plan(), None, "glicko2")
