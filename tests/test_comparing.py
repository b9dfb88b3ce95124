"""Comparison of systems: each number against somebody else's, or against its definition worked out the slow way."""

import math

import numpy as np
import polars as pl
import pytest
from scipy.fft import dct

import ratesim as rs
from ratesim.comparing import Asked, by_players, compare, compare_sums, diebold_mariano, games_needed, holm, resolvable
from ratesim.errors import InputError
from ratesim.inference import Sums, block_sums, mean, paired
from ratesim.rng import generator

LEAGUES = 200
TWO = {"a": [1.0], "b": [2.0]}


def some(games=600, players=12, seed=3):
    luck = np.random.default_rng(seed)
    first = luck.integers(players, size=games)
    second = (first + luck.integers(1, players, size=games)) % players
    own = luck.normal(size=players)
    return own[first] + own[second] + luck.normal(size=games), first, second, np.sort(luck.integers(20, size=games))


def test_holm_is_as_published():
    # R's help of p.adjust, method "holm", on these eight
    p = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344]
    assert holm(p) == pytest.approx([0.0008, 0.0028, 0.0114, 0.0475, 0.0804, 0.0834, 0.0834, 0.0834])
    assert holm([0.9, 0.8]).tolist() == [1.0, 1.0]
    shuffled = [5, 0, 7, 2, 4, 1, 6, 3]
    assert holm([p[n] for n in shuffled]) == pytest.approx(holm(p)[shuffled])


def test_error_of_a_series_is_of_its_lowest_cosines():
    luck = np.random.default_rng(8)
    sums = Sums(luck.normal(size=40).cumsum(), luck.integers(1, 9, size=40).astype(float))
    left = sums.total - sums.total.sum() / sums.games.sum() * sums.games
    terms = dct(left, type=2, norm="ortho")[1:12]  # scipy's, of which 40^(2/3) = 11.7
    found = diebold_mariano(sums)
    assert found.degrees == 11
    assert found.se == pytest.approx(math.sqrt(40 * np.square(terms).mean()) / sums.games.sum())
    assert found.statistic == pytest.approx(sums.total.sum() / math.sqrt(40 * np.square(terms).mean()))
    assert diebold_mariano(Sums(np.ones(27), np.ones(27))).degrees == 9  # a cube root that is whole


def test_independent_blocks_have_the_error_of_the_mean():
    gap, *_, block = some()
    found = diebold_mariano(block_sums(gap, block), independent=True)
    assert found.se == pytest.approx(mean(gap, block).se, rel=1e-15)
    assert found.degrees == mean(gap, block).blocks - 1


@pytest.mark.parametrize("blocks", [5, 24])
def test_few_blocks_are_no_surer_than_they_say(blocks):
    """Sizes at 5 % and in the tail that fifteen comparisons ask for, of independent blocks: exact."""
    luck = np.random.default_rng(blocks)
    p = np.array([diebold_mariano(Sums(luck.normal(size=blocks), np.ones(blocks))).p for _ in range(2500)])
    assert (p < 0.05).mean() == pytest.approx(0.05, abs=0.0131)  # three standard errors
    assert (p < 0.05 / 15).mean() < 0.0078


def test_blocks_that_hang_together_are_believed_less():
    """Of a series whose neighbours correlate by .3: called different too often by independent blocks, less so here."""
    luck, found = np.random.default_rng(3), {True: [], False: []}
    for _ in range(700):
        series = luck.normal(size=101)
        for t in range(1, 101):
            series[t] += 0.3 * series[t - 1]
        for independent, each in found.items():
            each.append(diebold_mariano(Sums(series[1:], np.ones(100)), independent=independent).p < 0.05)
    assert np.mean(found[True]) > 0.1
    assert np.mean(found[False]) < 0.09


def test_two_that_never_differ_are_alike_for_sure():
    found = compare(
        {"one": [0.1, 0.7, 0.4], "two": [0.1, 0.7, 0.4]}, [0, 1, 2], seed=1, first=[0, 1, 2], second=[1, 2, 0]
    )
    row = found.pairs.row(0, named=True)
    assert (row["difference"], row["low"], row["high"], row["p"], row["verdict"]) == (0, 0, 0, 1, "tie")
    assert (row["players_low"], row["players_high"], row["needed"]) == (0, 0, math.inf)
    assert found.table["best"].to_list() == [0.5, 0.5]
    assert found.table.select("rank", "rank_low", "rank_high").rows() == [(1, 1, 1), (1, 1, 1)]


def test_error_by_players_is_the_sum_over_games_that_share_one():
    gap, first, second, _ = some(games=90, players=7)
    left = gap - gap.mean()
    share = [
        [bool({a, b} & {c, d}) for c, d in zip(first, second, strict=True)] for a, b in zip(first, second, strict=True)
    ]
    variance = left @ np.array(share) @ left * 7 / 6
    found = by_players(gap, first, second)
    assert found.se == pytest.approx(math.sqrt(variance) / 90)
    assert found.high - found.low == pytest.approx(2 * 2.446911848791681 * found.se)  # Student's t of 6 degrees, .975


def test_games_that_share_no_player_have_the_plain_error():
    gap = np.random.default_rng(1).normal(size=50)
    found = by_players(gap, np.arange(50), np.arange(50, 100))
    assert found.se == pytest.approx(gap.std() / math.sqrt(50) * math.sqrt(100 / 99))


def test_weights_are_games_told_so_often():
    gap, first, second, block = some(games=80)
    times = np.random.default_rng(2).integers(0, 4, size=80)
    again = [np.repeat(each, times) for each in (gap, first, second)]
    for method in ("dyadic", "bootstrap"):
        weighted = by_players(gap, first, second, times, method=method, seed=5, draws=32)
        told = by_players(*again, method=method, seed=5, draws=32)
        assert weighted == pytest.approx(told)
    by_weight = compare({"a": gap, "b": gap[::-1]}, block, weight=times, seed=1)
    assert by_weight.pairs["n"][0] == times.sum()


def test_a_draw_of_players_counts_games_by_both():
    gap, first, second, _ = some(games=200, players=9)
    found = by_players(gap, first, second, method="bootstrap", seed=4, draws=40)
    random, means = generator(4, 0, "bootstrap of players"), []
    for _ in range(40):
        times = np.bincount(random.integers(9, size=9), minlength=9)
        count = times[first] * times[second]
        means.append((count * gap).sum() / count.sum())
    assert found.se == pytest.approx(np.std(means, ddof=1))
    assert (found.low, found.high) == pytest.approx(tuple(np.quantile(means, [0.025, 0.975])))


def test_pairs_are_what_paired_says():
    luck = np.random.default_rng(6)
    block = np.sort(luck.integers(30, size=500))
    losses = {name: luck.exponential(size=500) for name in ("a", "b", "c")}
    losses["b"][:50] = np.nan
    found = compare(losses, block, seed=9, level=0.9, draws=300)
    for row in found.pairs.iter_rows(named=True):
        same = paired(losses[row["system"]], losses[row["against"]], block, seed=9, level=0.9, draws=300)
        assert {key: row[key] for key in same._asdict() if key != "level"} == {
            key: value for key, value in same._asdict().items() if key != "level"
        }
    assert set(found.table["n"]) == {450}
    assert found.table["mean"].is_sorted()


def test_rounding_is_no_difference():
    loss = np.random.default_rng(4).exponential(size=200)
    found = compare({"one": loss, "two": loss * (1 + 2.3e-16)}, np.arange(200) // 10, seed=1)
    assert found.pairs.select("difference", "p", "verdict").row(0) == (0.0, 1.0, "tie")
    assert paired(loss, loss * (1 + 2.3e-16), np.arange(200) // 10, seed=1).difference == 0.0


def test_order_and_verdicts_turn_with_the_metric():
    luck = np.random.default_rng(7)
    block = np.repeat(np.arange(40), 10)
    base = luck.normal(size=400)
    values = {"small": base, "large": base + 1 + 0.1 * luck.normal(size=400)}
    loss = compare(values, block, seed=1)
    gain = compare(values, block, seed=1, lower_is_better=False)
    assert loss.table["system"].to_list() == ["small", "large"]
    assert gain.table["system"].to_list() == ["large", "small"]
    assert loss.matrix().rows() == [("small", "", "better"), ("large", "worse", "")]
    assert gain.matrix().rows() == [("large", "", "better"), ("small", "worse", "")]
    assert loss.tied() == ["small"]
    assert loss.table["best"].to_list() == [1.0, 0.0]


def noisy(league, seed, spreads):
    """Losses (systems, games) of forecasts that are the truth with normal noise of these widths on their logit."""
    luck = np.random.default_rng(seed)
    logit = np.log(league.truth / (1 - league.truth))
    heard = [1 / (1 + np.exp(-(logit + spread * luck.normal(size=len(league))))) for spread in spreads]
    return [rs.log_loss(forecast, league.score) for forecast in heard]


@pytest.fixture(scope="module")
def leagues():
    """200 leagues of 20 players and 1,000 games, as one stream."""
    return rs.League(players=20, rounds=100).simulate(seed=11, replicates=LEAGUES)


def verdicts(leagues, losses, games=1000):
    """What is said of the first forecast over the second in each league's first games."""
    found = []
    for n in range(LEAGUES):
        here = np.flatnonzero(leagues.replicate == n)[:games]
        two = {name: loss[here] for name, loss in zip("ab", losses, strict=True)}
        block = np.arange(len(here)) // 10
        matrix = compare(two, block, seed=1, draws=50).matrix()
        found.append(matrix.filter(pl.col("system") == "a")["b"][0])
    return found


def test_equal_forecasts_are_called_different_in_one_of_twenty(leagues):
    found = verdicts(leagues, noisy(leagues, 12, (0.5, 0.5)))
    assert 0.02 <= 1 - found.count("tie") / LEAGUES <= 0.08


def test_a_better_forecast_is_found_as_often_as_promised(leagues):
    losses = noisy(leagues, 12, (0.5, 1.0))
    gap = losses[0] - losses[1]  # over 200,000 games
    needed = games_needed(gap.mean(), gap.std() / math.sqrt(len(gap)), len(gap), degrees=16)
    assert 300 < needed < 1000  # leagues have that many
    found = verdicts(leagues, losses, int(needed))
    assert found.count("better") / LEAGUES == pytest.approx(0.8, abs=0.07)  # two and a half standard errors
    assert found.count("worse") <= 1


def test_the_planner_undoes_itself():
    se = 0.004
    needed = games_needed(0.002, se, 1000)
    assert resolvable(se * math.sqrt(1000 / needed)) == pytest.approx(0.002, rel=1e-3)
    assert resolvable(se, degrees=9) > resolvable(se, degrees=99) > resolvable(se)
    assert games_needed(0.0, se, 1000) == games_needed(1e-200, se, 1000) == math.inf
    assert math.isnan(games_needed(math.nan, se, 1000))


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: compare({"a": [1.0]}, [0], seed=1), "1 systems; expected two or more"),
        (lambda: compare({"a": [1.0], "b": [1.0, 2.0]}, [0], seed=1), "expected the same games"),
        (lambda: compare(TWO, [0, 1], seed=1), r"blocks \(2,\)"),
        (lambda: compare(TWO, [0], seed=1, first=[0]), "expected first and second"),
        (lambda: compare(TWO, [0], seed=1, first=[0], second=[1, 2]), r"second \(2,\)"),
        (lambda: compare(TWO, [0], seed=1, weight=[-1.0]), "weight = -1.0"),
        (lambda: compare(TWO, [0], seed=1, level=1.0), "level = 1.0"),
        (lambda: compare(TWO, [0], seed=1, level=1.5), "level = 1.5"),
        (lambda: compare(TWO, [0], seed=1, draws=0), "draws = 0"),
        (lambda: compare(TWO, [0], seed=1, interval="studnt"), "did you mean 'student'"),
        (lambda: compare({"a": [1.0], "b": [math.nan]}, [0], seed=1), "b has no loss"),
        (lambda: compare({"a": [1.0], "b": [math.inf]}, [0], seed=1), "game 0: loss = inf of b"),
        (lambda: compare({"a": [1.0, math.nan], "b": [math.nan, 1.0]}, [0, 0], seed=1), "no game that all of them"),
        (lambda: compare_sums({}, Asked(1)), "0 systems"),
        (lambda: resolvable(0.1, power=0.01), "power = 0.01"),
        (lambda: by_players([1.0, 2.0], [0], [1]), "two players"),
        (lambda: by_players([1.0], [0], [1], [math.nan]), "weight = nan"),
        (lambda: by_players([1.0], [0], [1], method="dyad"), "dyadic or bootstrap"),
        (lambda: by_players([1.0], [0], [1], level=-1), "level = -1"),
    ],
)
def test_mistakes_are_said(call, said):
    with pytest.raises(InputError, match=said):
        call()


def test_one_block_tells_nothing():
    found = compare({"a": [0.1, 0.2], "b": [0.3, 0.2]}, [5, 5], seed=1)
    assert found.pairs["verdict"].to_list() == ["tie"]
    assert found.table["rank_low"].to_list() == [None, None]
    assert all(math.isnan(found.pairs[name][0]) for name in ("se", "low", "dm", "p", "holm", "resolvable"))
    assert found.tied() == ["a", "b"]
