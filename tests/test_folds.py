"""What tuning does over the parts that it cuts games into: folds, the untouched future, and months within them."""

from datetime import date, timedelta

import numpy as np
import pytest

import ratesim as rs
from ratesim.errors import InputError
from ratesim.keys import Tune
from ratesim.sample import Sample
from ratesim.sweep import Swept
from ratesim.tuning.folds import parts
from ratesim.tuning.protocol import tuned
from ratesim.tuning.space import Space


@pytest.fixture(scope="module")
def games():
    return rs.League(players=16, rounds=200, days=200).simulate(seed=5)


SPACE = Space.of(rs.Elo(), rs.Constant(20), {"k": rs.Range(10, 40, points=4)})


def lost_by_k(known):
    """Return a sweep in which a game costs what K makes it cost, least with 20, of games that are known."""

    def sweep(pairs, bucket, stop):
        there = (bucket[:stop] >= 0) & known[:stop]
        games = np.bincount(bucket[:stop][there], minlength=bucket[:stop].max() + 1).astype(float)
        each = np.array([[1 + abs(policy.k - 20) / 100] for _, policy in pairs])
        return Swept(each * games, np.tile(games, (len(pairs), 1)))

    return sweep


@pytest.mark.parametrize(
    ("block", "said"),
    [
        (0, "no forecasts before fold 1 of 2; expected a larger train, fewer folds"),
        (1, "fold 1 of 2 has no forecasts; expected a larger train, fewer folds"),
        (3, "no forecasts after what is tuned on; expected a smaller train"),
    ],
)
def test_a_part_of_the_games_without_a_forecast_is_refused(games, block, said):
    cut = parts(games, train=0.6, folds=2)
    known = cut.block[cut.bucket] != block
    with pytest.raises(InputError) as error:
        tuned(SPACE, games, Tune(train=0.6, folds=2), sign=1, seed=1, many=False, sweep=lost_by_k(known))
    assert str(error.value).startswith(said)


def test_months_without_a_forecast_are_no_periods(games):
    cut, months = parts(games, train=0.6, folds=2), rs.month_blocks(games.time)
    known = (months > months.min()) & (months < months.max())
    found = tuned(SPACE, games, Tune(train=0.6, folds=2), sign=1, seed=1, many=False, sweep=lost_by_k(known))
    later = np.arange(len(games)) >= cut.split
    assert found.cost.blocks == len(np.unique(months[later & known])) < len(np.unique(months[later]))
    assert found.cost.n == (later & known).sum()
    assert found.train.blocks == len(np.unique(months[~later & known]))
    assert found.settings["low"].null_count() == 0
    assert found.settings["alike"].to_list() == [False, True, False, False]


def test_games_that_are_not_scored_cost_nothing(games):
    day = np.floor(games.time)
    split, last = day[round(0.6 * len(games))], day[-1] - 20
    scored = Sample(until=date(1970, 1, 1) + timedelta(days=int(last)))
    how = {"sign": 1, "seed": 1, "many": False, "sweep": lost_by_k(np.ones(len(games), np.bool_))}
    found = tuned(SPACE, games, Tune(train=0.6, folds=2), scored=scored, **how)
    assert found.cost.n == found.test.n == ((day >= split) & (day <= last)).sum()
    assert found.scored == (found.split, str(scored.until))
    assert found.train.n == (day < split).sum()


def test_games_of_one_day_are_never_parted():
    games = rs.GameStream.of(first=["A"] * 12, second=["B"] * 12, score=[1] * 12, time=[0] * 3 + [1] * 5 + [2] * 4)
    cut = parts(games, train=0.7, folds=1)
    assert (cut.split, cut.first) == (8, (0, 3, 8))
    assert cut.block[cut.bucket].tolist() == [0] * 3 + [1] * 5 + [2] * 4
