"""Losses summed in the pass are those of the forecasts of replays, bit for bit, in any blocks and on any workers."""

import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from sweeping_mistakes import MISTAKES

import ratesim as rs
from ratesim.errors import InputError
from ratesim.inference import month_blocks
from ratesim.metrics import Accuracy, CappedDeviance
from ratesim.sweep import GRAIN, shares

KS = [(rs.Elo(), rs.Constant(float(k))) for k in (0, 5, 10, 15, 20, 24, 32, 40, 64)]


@pytest.fixture(scope="module")
def games():
    return rs.League(players=30, rounds=40, days=400, outcomes={"kind": "logistic", "draw": 0.4}).simulate(seed=1)


def by_hand(pair, games, metric, bucket, **given):
    """Sums of losses over what a replay forecasts, game by game in order."""
    run = rs.replay(pair[0], games, policy=pair[1], **given)
    loss = metric.each(run.forecast, games.score)
    weight = np.ones(len(games)) if games.weight is None else games.weight
    total, count = np.zeros((2, bucket.max() + 1))
    judged = (bucket >= 0) & ~np.isnan(loss)
    np.add.at(total, bucket[judged], (weight * loss)[judged])
    np.add.at(count, bucket[judged], weight[judged])
    return total, count


def agree(pairs, games, metric=None, bucket=None, **given):
    where = month_blocks(games.time) if bucket is None else bucket
    found = rs.sweep(pairs, games, metric=metric, bucket=bucket, workers=1, **given)
    for pair, total, count in zip(pairs, *found, strict=True):
        expected = by_hand(pair, games, metric or rs.LogLoss(), where, **given)
        assert (total.tobytes(), count.tobytes()) == tuple(each.tobytes() for each in expected)
    return found


def test_a_thousand_constants_are_as_replays_one_by_one(games):
    found = agree(KS, games)
    assert found.total.shape == (9, len(np.unique(month_blocks(games.time))))
    assert (found.games.sum(axis=1) == len(games)).all()
    assert found.mean[0] == pytest.approx(np.log(2), abs=1e-15)  # K 0 learns nothing


@pytest.mark.interpreted
@pytest.mark.parametrize("metric", [rs.Brier(), Accuracy(), CappedDeviance(), rs.LogLoss(clip=0.2)])
def test_any_metric(games, metric):
    agree(KS[2:4], games, metric)


@pytest.mark.parametrize(("n", "most", "workers"), [(256, 48, 2), (250, 100, 1), (9, 3, 2), (7, 1, 4), (1, 64, 8)])
def test_blocks_hold_all_and_leave_no_worker_without(n, most, workers):
    found = shares(n, most, workers)
    assert [place for some in found for place in some] == [*range(n)]
    sizes = [len(some) for some in found]
    assert 0 < min(sizes) <= max(sizes) <= most
    assert len(found) % workers == 0 or max(sizes) <= GRAIN
    assert max(sizes) - min(sizes) <= 2 * GRAIN


def test_buckets_are_what_one_likes_and_games_outside_are_not_judged(games):
    bucket = np.where(games.time < 100, -1, (games.time > 300).astype(np.int32)).astype(np.int32)
    found = agree(KS[:3], games, bucket=bucket)
    assert found.games[0].tolist() == [np.sum((games.time >= 100) & (games.time <= 300)), np.sum(games.time > 300)]


@pytest.mark.interpreted
def test_in_periods_with_growth(games):
    agree([(rs.Glicko(c=c), None) for c in (5.0, 20.0, 60.0)], games, calendar=rs.Months())


def test_weights_and_games_that_do_not_count(games):
    weight = np.tile([1.0, 2.0, 0.0, 0.5], len(games))[: len(games)]
    names = games.players["player"]
    heavy = rs.GameStream.of(
        first=names.gather(games.first), second=names.gather(games.second), score=games.score, time=games.time,
        weight=weight,
    )  # fmt: skip
    agree(KS[3:6], heavy)


@pytest.mark.interpreted
def test_systems_of_several_kinds_and_baselines_stand_in_their_order(games):
    pairs = [(rs.Even(), None), KS[3], (rs.Glicko(c=20.0), None), KS[6], (rs.FirstRate(), None)]
    agree(pairs, games, calendar=rs.Months())


@pytest.mark.interpreted
def test_games_without_a_forecast_are_left_out(games):
    some = {name: {"rating": 1800, "games": 40, "peak": 1800, "born": 1950} for name in games.players["player"][:5]}
    pairs = [(rs.FideElo(rules="2024-03-01"), None)]
    found = agree(pairs, games, calendar=rs.Months(), start=some)
    assert 0 < found.games.sum() < len(games)


def test_blocks_workers_and_executors_do_not_matter(games):
    whole = rs.sweep(KS, games, workers=1)
    with ThreadPoolExecutor(2) as pool:
        others = [
            rs.sweep(KS, games, workers=2, block=4),
            rs.sweep(KS, games, workers=1, block=1),
            rs.sweep(KS, games, executor=pool, block=3),
            rs.sweep(KS, games, executor="processes", workers=2, block=4),
            rs.sweep(KS[::-1], games, block=2)[0][::-1],
        ]
    for other in others:
        total = other.total if isinstance(other, tuple) else other
        assert total.tobytes() == whole.total.tobytes()


def test_who_watches_hears_of_every_setting(games):
    heard = []
    rs.sweep(KS, games, block=4, workers=1, watch=heard.append)
    assert sorted(heard) == [1, 4, 4]  # blocks that are done at one moment come in any order


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"pairs": []}, "no settings to sweep over"),
        ({"bucket": np.zeros(3, np.int32)}, r"\(3,\) buckets of 600 games; expected one a game"),
        ({"bucket": np.full(600, -1)}, "no game is judged"),
        ({"workers": 0}, "workers = 0; expected a whole number, at least 1"),
        ({"block": 0}, "block = 0; expected a whole number, at least 1"),
        ({"pairs": [(rs.Glicko(), rs.Constant(3))]}, "system 'glicko' learns without K"),
        ({"start": {"nobody": {"rating": 1}}}, "none of its 1 players has a game"),
        *MISTAKES,
        ({"bucket": np.zeros(600)}, "buckets of type float64; expected whole numbers"),
        ({"bucket": np.full(600, 2_000_000_000)}, "bucket 2,000,000,000 of 600 games; expected less than 100,000"),
        ({"bucket": [100_000] * 600}, "bucket 100,000 of 600 games; expected less than 100,000"),
    ],
)
def test_mistakes_are_one_line(games, given, said):
    with pytest.raises(InputError, match=said) as error:
        rs.sweep(**{"pairs": KS, "games": games, **given})
    assert "\n" not in str(error.value)


def test_pairs_may_be_made_as_they_are_read(games):
    assert rs.sweep((pair for pair in KS), games, workers=1).total.tobytes() == rs.sweep(KS, games).total.tobytes()


def test_a_plugin_may_stand_alone(games, tmp_path):
    file = tmp_path / "own.py"
    file.write_text("READ = 1\n", encoding="utf-8")
    for alone in (file, str(file)):
        assert rs.sweep(KS[:1], games, plugins=alone).total.shape[0] == 1
    assert any(getattr(module, "__file__", None) == str(file) for module in tuple(sys.modules.values()))
