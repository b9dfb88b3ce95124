"""Whole replays of drawn games: each draw is the replay of a stream with those weights, and intervals cover."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
from sweeping_mistakes import MISTAKES

import ratesim as rs
from ratesim.bootstrap import Drawing
from ratesim.errors import InputError
from ratesim.inference import month_blocks

KS = [(rs.Elo(), rs.Constant(float(k))) for k in (5, 15, 40)]
LATE = {name: {"rating": 1700.0, "deviation": 60.0, "since": 80.0} for name in ("p0", "p1", "p2")}
SOME = {"p1": {"rating": 1600.0, "last": -50.0, "deviation": 90.0}, "p2": {"rating": 1650.0}}
DRAWS = 2


def stream(players, games, seed, days=160.0):
    """Games of players who come and go, with seasons, margins, edges and weights; some are tied in time."""
    rng = np.random.default_rng(seed)
    time = np.sort(np.floor(rng.uniform(0, days, games) * 2) / 2)
    moment = time / days * 0.5  # newcomers all along
    sides = np.array(
        [rng.choice(np.flatnonzero(np.arange(players) / players <= 0.4 + t), 2, replace=False) for t in moment]
    )
    score = rng.choice([0.0, 0.5, 1.0], games)
    return rs.GameStream.of(
        first=[f"p{i}" for i in sides[:, 0]], second=[f"p{i}" for i in sides[:, 1]], score=score, time=time,
        margin=(score - 0.5) * rng.integers(1, 30, games), edge=rng.choice([-1.0, 0.0, 1.0], games),
        weight=rng.choice([0.0, 1.0, 1.0, 2.0], games), season=np.where(time < 0.6 * days, "one", "two"),
    )  # fmt: skip


@pytest.fixture(scope="module")
def few():
    return stream(8, 60, seed=4)


def weighted(games, draw, blocks=None, seed=3):
    """The stream in which each block counts as often as a draw has it."""
    _, where = np.unique(month_blocks(games.time) if blocks is None else blocks, return_inverse=True)
    times = Drawing(seed, int(where.max()) + 1).times(range(draw, draw + 1))[:, 0]
    return replace(games, weight=times[where] * (1.0 if games.weight is None else games.weight))


def by_hand(pair, games, **given):
    """The mean loss of a replay, summed game by game."""
    run = rs.replay(pair[0], games, policy=pair[1], **given)
    loss = rs.LogLoss().each(run.forecast, games.score)
    weight, there = np.ones(len(games)) if games.weight is None else games.weight, ~np.isnan(loss)
    total = count = 0.0
    for each, w in zip(loss[there], weight[there], strict=True):
        total, count = total + w * each, count + w
    return total / count


def agree(pairs, games, draws=DRAWS, **given):
    """Every draw of every setting is the replay of its stream, to the last bit."""
    found = rs.bootstrap(pairs, games, draws=draws, seed=3, workers=1, **given)
    together = np.column_stack([found.mean, found.drawn])
    alone = [[by_hand(pair, weighted(games, draw), **given) for draw in range(draws + 1)] for pair in pairs]
    assert together.tobytes() == np.array(alone).tobytes()
    assert found.drawn.std(axis=1).min() > 0
    return found


WEEKS, YOUNG = rs.Every(days=7), {"deviation": 80.0, "c": 40.0}  # who are better known than deviations can grow
CASES = {
    "elo": (KS, {}),
    "elo, in periods": (KS[1:2], {"calendar": rs.Months()}),
    "a floor": ([(rs.Elo(floor=1490.0), rs.Constant(40))], {}),
    "margins and seasons": ([(rs.Elo(margin="538", reversion=0.4, reversion_to=1300.0), rs.Constant(20))], {}),
    "careers": ([(rs.Elo(), rs.FiveThirtyEight())], {}),
    "careers, in periods": ([(rs.Elo(), rs.Fide(assume=True))], {"calendar": rs.Every(days=40)}),
    "careers and seasons": ([(rs.Elo(reversion=0.4, reversion_to=1700.0), rs.Fide(assume=True))], {"calendar": WEEKS}),
    "glicko": ([(rs.Glicko(**YOUNG), None), (rs.Glicko(c=5.0), None)], {"calendar": rs.Months()}),
    "glicko by days": ([(rs.Glicko(**YOUNG, per="30d"), None)], {"calendar": WEEKS}),
    "glicko by games": ([(rs.Glicko(**YOUNG, per="30d"), None)], {"calendar": rs.PerGame()}),
    "glicko, some known": ([(rs.Glicko(**YOUNG), None)], {"calendar": WEEKS, "start": SOME}),
    "glicko, one told later": ([(rs.Glicko(**YOUNG), None)], {"calendar": rs.Months(), "start": LATE}),
    "glicko in lists": ([(rs.Glicko(**YOUNG), None)], {"calendar": rs.Lists()}),
    "glicko2": ([(rs.Glicko2(deviation=100.0, volatility=0.09), None)], {"calendar": WEEKS, "start": SOME}),
    "glicko2 by games": ([(rs.Glicko2(deviation=100.0, per="30d"), None)], {"calendar": rs.PerGame()}),
    "fide": ([(rs.FideElo(start=1500, floor="none", rules="2020-01-01"), None)], {"calendar": rs.Lists()}),
    "baselines": ([(rs.FirstRate(), None)], {}),
}


FAST = ("elo", "careers and seasons", "glicko, some known", "glicko, one told later", "glicko in lists", "baselines")


@pytest.mark.interpreted
@pytest.mark.parametrize(
    "name", [name if name in FAST else pytest.param(name, marks=pytest.mark.slow) for name in CASES]
)
def test_a_draw_is_the_replay_of_a_weighted_stream(few, name):
    pairs, given = CASES[name]
    agree(pairs, few, **given)


@pytest.mark.interpreted
def test_draws_do_not_depend_on_passes_workers_or_how_many_there_are(few):
    whole = rs.bootstrap(KS, few, draws=5, seed=3, workers=1)
    with ThreadPoolExecutor(2) as pool:
        other = rs.bootstrap(iter(KS), few, draws=3, seed=3, executor=pool, block=2)
    assert other.mean.tobytes() == whole.mean.tobytes()
    assert other.drawn.tobytes() == whole.drawn[:, :3].tobytes()
    assert (rs.bootstrap(KS[:1], few, draws=3, seed=4).drawn != whole.drawn[:1, :3]).all()


def test_every_draw_has_as_many_blocks_as_there_are():
    times = Drawing(7, 12).times(range(400))
    assert (times[:, 0] == 1).all()
    assert (times.sum(axis=0) == 12).all()
    assert times[:, 1:].mean(axis=1) == pytest.approx(1, abs=5 * np.sqrt(1 / 400))


@pytest.mark.interpreted
def test_where_nothing_is_learned_it_is_the_bootstrap_of_losses(few):
    pairs = [(rs.Elo(advantage=a), rs.Constant(0)) for a in (0.0, 100.0)]
    found = rs.bootstrap(pairs, few, draws=3, seed=3)
    loss = rs.log_loss(1 / (1 + 10 ** (-few.edge / 4)), few.score)
    expected = [np.average(loss, weights=weighted(few, draw).weight) for draw in range(4)]
    assert [found.mean[1], *found.drawn[1]] == pytest.approx(expected, abs=1e-14)
    assert found.difference == pytest.approx([0, expected[0] - np.log(2)], abs=1e-14)
    assert found.shift == pytest.approx([0, np.mean(expected[1:]) - expected[0]], abs=1e-14)
    assert found.difference_interval[0] == pytest.approx([0, 0], abs=0)


@pytest.mark.interpreted
def test_judged_games_alone_are_counted_and_the_best_is_found(few):
    late = few.time > 60
    found = rs.bootstrap(KS, few, draws=2, seed=3, judged=late, against="best", level=0.5)
    assert found.against == found.mean.argmin()
    run = rs.replay(*KS[1][:1], few, policy=KS[1][1])
    expected = np.average(rs.log_loss(run.forecast, few.score)[late], weights=few.weight[late])
    assert found.mean[1] == pytest.approx(expected, abs=1e-14)
    table = found.table()
    assert (table["low"] <= table["high"]).all()
    assert table["difference"].min() == 0


MANY = rs.League(players=4, rounds=9, days=90)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"pairs": []}, "no settings to draw games for; expected at least one pair"),
        ({"draws": 0}, "draws = 0; expected a whole number, at least 2"),
        ({"draws": 1}, "draws = 1; expected a whole number, at least 2"),
        ({"draws": None}, "draws = None; expected a whole number, at least 2"),
        ({"seed": -1}, "seed = -1; expected a whole number"),
        ({"level": 1.0}, "level = 1.0; expected a number more than 0 and less than 1"),
        ({"against": 3}, "against = 3; expected best, or the place of a pair, 0 to 2"),
        ({"against": "first"}, "against = 'first'; expected best"),
        ({"blocks": [1, 2]}, r"\(2,\) blocks of 60 games; expected a whole number for each"),
        ({"judged": [True]}, r"judged \(1,\) of 60 games; expected true or false for each"),
        ({"blocks": np.zeros(60, int)}, "bootstrap: fewer than two blocks have a game that is judged"),
        (
            {"games": MANY.simulate(seed=1, replicates=2)},
            "bootstrap: games of several replicates; expected those of one",
        ),
        ({"workers": 0}, "workers = 0; expected"),
        ({"block": 0}, "block = 0; expected"),
        ({"against": True}, "against = True; expected best, or the place of a pair, 0 to 2"),
        ({"level": "0.9"}, "level = '0.9'; expected a number more than 0 and less than 1"),
        *MISTAKES,
    ],
)
def test_mistakes_are_one_line(few, given, said):
    with pytest.raises(InputError, match=said) as error:
        rs.bootstrap(**{"pairs": KS, "games": few, "seed": 1, **given})
    assert "\n" not in str(error.value)


@pytest.mark.slow
def test_intervals_cover_what_the_same_players_would_do_with_other_luck():
    world = rs.League(players=40, rounds=150, days=1200).simulate(seed=1)
    judged, pairs = world.time > 400, [(rs.Elo(), rs.Constant(k)) for k in (10, 20)]
    found, widths = [], []
    for luck in range(40):
        score = (np.random.default_rng(luck).random(len(world)) < world.truth).astype(np.float64)
        games = replace(world, score=score)
        found.append(rs.bootstrap(pairs, games, draws=100, seed=1, judged=judged))
        runs = rs.replay_many(pairs, games)
        losses = [rs.log_loss(run.forecast, score)[judged] for run in runs]
        paired = rs.paired(losses[1], losses[0], month_blocks(games.time[judged]), seed=1)
        widths.append(np.ptp(found[-1].difference_interval[1]) / (paired.high - paired.low))
    for middles, intervals in (
        ([each.mean[1] for each in found], [each.interval[1] for each in found]),
        ([each.difference[1] for each in found], [each.difference_interval[1] for each in found]),
    ):
        low, high = np.array(intervals).T
        assert np.mean((low <= np.mean(middles)) & (np.mean(middles) <= high)) >= 0.9
    assert 1.0 < np.mean(widths) < 1.5  # what was learned varies as well, which is not most of it
