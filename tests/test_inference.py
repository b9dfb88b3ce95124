"""Block errors and the paired bootstrap against scipy, and against worlds whose truth is known."""

import datetime as dt
import math

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy import stats

from ratesim.errors import InputError
from ratesim.inference import mean, month_blocks, paired, time_blocks


def test_months_are_those_of_the_calendar():
    days = np.arange(-40_000, 40_000, 7) + 0.75
    first = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
    dates = [first + dt.timedelta(days=float(day)) for day in days]
    assert month_blocks(days).tolist() == [12 * (date.year - 1970) + date.month - 1 for date in dates]


@pytest.mark.parametrize(("by", "key"), [("week", lambda day: day.isocalendar()[:2]), ("year", lambda day: day.year)])
def test_weeks_and_years_are_those_of_the_calendar(by, key):
    first = dt.date(1970, 1, 1)
    keys = [key(first + dt.timedelta(days=day)) for day in range(-4000, 4000)]
    blocks = time_blocks(np.arange(-4000, 4000) + 0.75, by)
    order = {each: number for number, each in enumerate(dict.fromkeys(keys))}
    assert (blocks - blocks[0]).tolist() == [order[each] for each in keys]
    assert blocks[4000] == 0


def test_a_month_ends_at_midnight():
    assert month_blocks([30.999999, 31.0, 58.999999, 59.0]).tolist() == [0, 1, 1, 2]


@pytest.fixture
def games():
    """Losses of 400 games in 23 uneven blocks that each have a level of their own."""
    random = np.random.default_rng(5)
    blocks = np.sort(random.choice(np.arange(100, 160)[::2], size=400, p=random.dirichlet(np.full(30, 0.7))))
    level = random.normal(0, 0.3, size=200)
    return 0.6 + level[blocks] + random.normal(0, 0.2, 400), blocks


def by_hand(values: np.ndarray, blocks: np.ndarray) -> tuple[float, float]:
    """Mean and error, block by block."""
    there = [(v, b) for v, b in zip(values, blocks, strict=True) if not math.isnan(v)]
    middle = sum(v for v, _ in there) / len(there)
    names = {b for _, b in there}
    residuals = [sum(v - middle for v, b in there if b == name) for name in names]
    variance = len(names) / (len(names) - 1) * sum(r * r for r in residuals) / len(there) ** 2
    return middle, math.sqrt(variance)


def test_mean_and_error_are_those_by_hand(games):
    values, blocks = games
    values[::9] = np.nan
    middle, se = by_hand(values, blocks)
    found = mean(values, blocks)
    assert (found.mean, found.se) == (pytest.approx(middle, rel=1e-13), pytest.approx(se, rel=1e-12))
    assert (found.n, found.left_out) == (400 - 45, 45)
    assert found.blocks == len(np.unique(blocks[~np.isnan(values)]))


@given(st.lists(st.floats(-5, 5), min_size=2, max_size=40))
def test_blocks_of_one_game_give_the_ordinary_error(values):
    assert mean(values, range(len(values))).se == pytest.approx(stats.sem(values), rel=1e-9, abs=1e-12)


def test_blocks_may_come_in_any_order(games):
    values, blocks = games
    shuffled = np.random.default_rng(0).permutation(len(values))
    assert mean(values[shuffled], blocks[shuffled]) == pytest.approx(mean(values, blocks), rel=1e-12)


def test_doubling_every_game_inside_its_block_leaves_the_error(games):
    values, blocks = games
    once, twice = mean(values, blocks), mean(np.tile(values, 2), np.tile(blocks, 2))
    assert twice.se == pytest.approx(once.se, rel=1e-12)


def test_a_game_of_weight_k_is_k_games_and_of_weight_0_none(games):
    values, blocks = games
    values[::9] = np.nan
    weight = np.random.default_rng(2).integers(0, 4, 400)
    weight[blocks == blocks[0]] = 0  # a block without games is no block
    repeated, blocks_of = np.repeat(values, weight), np.repeat(blocks, weight)
    assert mean(values, blocks, weight) == pytest.approx(mean(repeated, blocks_of), rel=1e-12)
    other = np.sin(np.arange(400.0))
    pair, twice = (
        paired(values, other, blocks, weight, seed=3),
        paired(repeated, np.repeat(other, weight), blocks_of, seed=3),
    )
    assert pair == pytest.approx(twice, rel=1e-12)
    assert (type(pair.n), pair.left_out > 0) == (int, True)


def test_fractions_of_games_add_up(games):
    values, blocks = games
    tenths = mean(np.tile(values, 10), np.tile(blocks, 10), np.full(4000, 0.1))
    assert tenths == pytest.approx(mean(values, blocks), rel=1e-12)
    assert mean([1.0, 2.0], [0, 1], [0.5, 0.25]).n == 0.75


def test_weights_of_1_change_no_bit(games):
    values, blocks = games
    assert mean(values, blocks, np.ones(400)) == mean(values, blocks)
    assert paired(values, blocks, blocks, np.ones(400), seed=1) == paired(values, blocks, blocks, seed=1)


@pytest.mark.parametrize(("values", "n", "blocks"), [([], 0, 0), ([np.nan], 0, 0), ([1.0, 2.0], 2, 1)])
def test_what_cannot_be_known_is_nan(values, n, blocks):
    found = mean(values, [7] * len(values))
    assert (found.n, found.blocks, math.isnan(found.se)) == (n, blocks, True)
    assert math.isnan(paired(values, values, [7] * len(values), seed=1, interval="student").high)
    assert math.isnan(found.mean) == (n == 0)
    pair = paired(values, values, [7] * len(values), seed=1)
    assert (pair.n, math.isnan(pair.low), math.isnan(pair.high)) == (n, True, True)


def test_paired_is_the_bootstrap_of_scipy(games):
    a, blocks = games
    b = a + np.random.default_rng(3).normal(0.01, 0.1, 400) + 0.05 * np.sin(blocks)
    found = paired(a, b, blocks, seed=1, draws=20_000)
    totals = np.array([(a - b)[blocks == block].sum() for block in np.unique(blocks)])
    counts = np.array([(blocks == block).sum() for block in np.unique(blocks)])
    other = stats.bootstrap(
        (totals, counts),
        lambda total, count, axis: total.sum(axis=axis) / count.sum(axis=axis),
        paired=True,
        method="percentile",
        n_resamples=20_000,
        rng=np.random.default_rng(9),
    )
    width = other.confidence_interval.high - other.confidence_interval.low
    assert found.difference == pytest.approx((a - b).mean(), rel=1e-12)
    assert found.low == pytest.approx(other.confidence_interval.low, abs=0.03 * width)
    assert found.high == pytest.approx(other.confidence_interval.high, abs=0.03 * width)
    assert found.se == pytest.approx(by_hand(a - b, blocks)[1], rel=1e-12)
    assert found.se == pytest.approx(other.standard_error, rel=0.1)


def test_students_interval_is_that_of_scipy_over_means_of_blocks_alike():
    """Ten replicates of 50 games each: their means are ten independent numbers."""
    blocks = np.tile(np.arange(10), 50)
    a, b = np.random.default_rng(6).normal(size=(2, 500))
    means = [(a - b)[blocks == block].mean() for block in range(10)]
    found = paired(a, b, blocks, seed=1, level=0.9, interval="student")
    expected = stats.ttest_1samp(means, 0).confidence_interval(0.9)
    assert (found.low, found.high) == (pytest.approx(expected.low, rel=1e-9), pytest.approx(expected.high, rel=1e-9))
    assert (found.difference, found.se) == (pytest.approx(np.mean(means)), pytest.approx(stats.sem(means)))
    assert found.blocks == 10


@pytest.mark.parametrize("replicates", [2, 3, 8])
def test_students_interval_covers_with_few_replicates(replicates):
    """Of 600 worlds' intervals .95 hold the truth, with standard error .009: within four of them."""
    random = np.random.default_rng(replicates)
    held = 0
    for _ in range(600):
        blocks = np.repeat(np.arange(replicates), 20)
        difference = 0.03 + random.normal(0, 0.1, replicates)[blocks] + random.normal(0, 0.3, len(blocks))
        found = paired(difference, np.zeros(len(blocks)), blocks, seed=1, interval="student")
        held += found.low <= 0.03 <= found.high
    assert abs(held / 600 - 0.95) < 0.036


def test_paired_counts_games_that_both_forecast():
    a, b = [1, np.nan, 3, np.nan, 5], [0, 0, np.nan, np.nan, 1]
    found = paired(a, b, [0, 0, 1, 1, 2], seed=1)
    assert (found.difference, found.n, found.left_out, found.blocks) == (2.5, 2, 3, 2)


def test_a_system_does_not_differ_from_itself(games):
    found = paired(games[0], games[0], games[1], seed=1)
    assert (found.difference, found.se, found.low, found.high) == (0, 0, 0, 0)


def test_swapping_the_two_turns_the_sign(games):
    a, blocks = games
    one, other = paired(a, a[::-1], blocks, seed=1), paired(a[::-1], a, blocks, seed=1)
    assert (one.difference, one.se) == (-other.difference, other.se)
    assert (one.low, one.high) == (pytest.approx(-other.high), pytest.approx(-other.low))


def test_same_seed_same_numbers_whatever_is_done_at_a_time(games):
    a, blocks = games
    one = paired(a, a[::-1], blocks, seed=4)
    assert paired(a, a[::-1], blocks, seed=4) == one
    assert paired(a, a[::-1], blocks, seed=5).low != one.low


def test_a_wider_level_is_a_wider_interval(games):
    narrow, wide = (paired(games[0], games[0][::-1], games[1], seed=1, level=level) for level in (0.5, 0.99))
    assert wide.low < narrow.low < narrow.high < wide.high


def coverage(worlds: int, draws: int) -> float:
    """Share of worlds whose interval holds the true difference, .03: 60 uneven months, correlated inside."""
    random = np.random.default_rng(11)
    held = 0
    for world in range(worlds):
        sizes = random.integers(5, 40, size=60)
        blocks = np.repeat(np.arange(60), sizes)
        difference = 0.03 + random.normal(0, 0.1, 60)[blocks] + random.normal(0, 0.3, len(blocks))
        found = paired(difference, np.zeros(len(blocks)), blocks, seed=world, draws=draws)
        held += found.low <= 0.03 <= found.high
    return held / worlds


def test_the_interval_covers():
    assert 0.90 <= coverage(worlds=300, draws=500) <= 0.98  # .93 expected, 2 sd are .03


@pytest.mark.slow
def test_the_interval_covers_closely():
    assert 0.925 <= coverage(worlds=3000, draws=2000) <= 0.96


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"level": 1}, "level = 1; expected a number more than 0 and less than 1"),
        ({"draws": 0}, "draws = 0; expected at least 1"),
        ({"b": [1]}, r"losses of \(2,\) and \(1,\) games; expected the same games"),
        ({"weight": [1]}, r"\(1,\) weights of 2 games; expected one a game"),
        ({"weight": [1, -2]}, r"game 1: weight = -2\.0; expected a number at least 0"),
        ({"weight": [math.nan, 1]}, r"game 0: weight = nan; expected a number at least 0"),
        ({"blocks": [1]}, r"\(2,\) values, \(1,\) blocks; expected one block a value"),
    ],
)
def test_bad_requests_are_one_line(change, said):
    request = {"a": [0, 1], "b": [1, 0], "blocks": [0, 1], "seed": 1} | change
    with pytest.raises(InputError, match=said):
        paired(**request)


def test_a_weight_without_end_is_refused():
    with pytest.raises(InputError, match="game 1: weight = inf; expected a number at least 0"):
        mean([1.0, 0.0], [0, 0], [1.0, np.inf])
