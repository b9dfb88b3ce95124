"""Tuning, held to the same arithmetic done by hand, to `paired`, and to theory's best K."""

import numpy as np
import polars as pl
import pytest

import ratesim as rs
from ratesim import spreading
from ratesim.errors import InputError
from ratesim.keys import Tune
from ratesim.rng import generator
from ratesim.sweep import Swept
from ratesim.theory import best_k_walking
from ratesim.tuning.search import search
from ratesim.tuning.sums import pick, resampled

K = (4.0, 16.0, 64.0)
HOW = {"train": 0.6, "folds": 3, "burn_in": 3}


def world(walk: float, **law) -> rs.League:
    """One in which skills walk so many points between two games of a player."""
    changes = [{"kind": "walk", "sd": walk, "per": "1d"}]
    return rs.League(skills={"kind": "normal", "sd": 1}, changes=changes, days=law["rounds"], **law)


@pytest.fixture(scope="module")
def games():
    return world(16, players=16, rounds=200).simulate(seed=5)


@pytest.fixture(scope="module")
def found(games):
    return rs.tune(rs.Elo(), games, {"k": rs.Range(4, 64, scale="log", points=3)}, seed=7, **HOW)


@pytest.fixture(scope="module")
def losses(games):
    """The loss of each game, by K."""
    runs = {k: rs.replay(rs.Elo(), games, policy=rs.Constant(k)) for k in (*K, 20.0)}
    return {k: rs.log_loss(run.forecast, games.score) for k, run in runs.items()}


def judged(games) -> np.ndarray:
    """Whether both had three games before: counted one by one; all games of a round share a time."""
    had, kept, day = np.zeros(games.n_players), [], None
    for first, second, time in zip(games.first, games.second, games.time, strict=True):
        if time != day:
            day, before = time, had.copy()
        kept.append(min(before[first], before[second]) >= 3)
        had[[first, second]] += 1
    return np.array(kept)


def test_folds_are_what_arithmetic_by_hand_makes_of_them(games, found, losses):
    kept, day = judged(games), np.floor(games.time)
    split = day[round(0.6 * len(games))]
    tuned = np.flatnonzero(kept & (day < split))
    cuts = [day[tuned[len(tuned) * n // 4]] for n in (1, 2, 3)]
    assert found.split == str(np.datetime64(int(split), "D"))
    for n, fold in enumerate(found.folds):
        end = [*cuts, split][n + 1]
        past, here = kept & (day < cuts[n]), kept & (day >= cuts[n]) & (day < end)
        best = min(K, key=lambda k: losses[k][past].mean())
        assert fold.best == {"k": best}
        assert fold.games == here.sum()
        assert fold.loss == pytest.approx(losses[best][here].mean(), rel=1e-12)
        assert fold.usual == pytest.approx(losses[20.0][here].mean(), rel=1e-12)
        assert fold.least == pytest.approx(min(losses[k][here].mean() for k in K), rel=1e-12)


def test_the_best_is_that_of_all_games_tuned_on_and_meets_those_after_alone(games, found, losses):
    kept, day = judged(games), np.floor(games.time)
    before = day < day[round(0.6 * len(games))]
    best = min(K, key=lambda k: losses[k][kept & before].mean())
    assert (found.policy, found.best) == (rs.Constant(best), {"k": best})
    assert found.settings["k"].to_list() == list(K)
    assert found.settings["loss"].to_list() == pytest.approx([losses[k][kept & before].mean() for k in K], rel=1e-12)
    months = rs.month_blocks(games.time)
    after = kept & ~before
    cost = rs.paired(losses[20.0][after], losses[best][after], months[after], seed=7)
    assert found.cost == pytest.approx(cost, rel=1e-9, abs=1e-15)
    assert found.optimism == pytest.approx(losses[best][after].mean() - losses[best][kept & before].mean(), rel=1e-9)


def test_intervals_are_those_of_paired_and_the_winner_is_chosen_anew_in_each_resample(games, found, losses):
    kept, day = judged(games), np.floor(games.time)
    here = kept & (day < day[round(0.6 * len(games))])
    months = rs.month_blocks(games.time)[here]
    for k, row in zip(K, found.settings.iter_rows(named=True), strict=True):
        pair = rs.paired(losses[k][here], losses[found.best["k"]][here], months, seed=7)
        assert (row["difference"], row["low"], row["high"]) == pytest.approx(pair[:1] + pair[2:4], rel=1e-9, abs=1e-15)
        assert row["alike"] == (pair.low <= 0)
        assert row["se"] == pytest.approx(rs.mean(losses[k][here], months).se, rel=1e-9)
    names, drawn = np.unique(months), []
    for some in generator(7, 0, "block bootstrap").integers(len(names), size=(2000, len(names))):
        total = [sum(losses[k][here][months == names[m]].sum() for m in some) for k in K]
        drawn.append(int(np.argmin(total)))
    assert found.settings["wins"].to_list() == pytest.approx(np.bincount(drawn, minlength=3) / 2000)
    least, most = (int(np.quantile(drawn, q, method=m)) for q, m in ((0.025, "lower"), (0.975, "higher")))
    ends = np.sqrt(np.array([4, 4 * 16, 16 * 64, 64 * 64], dtype=float))  # halfway to the next K, along its logarithm
    ends[[0, -1]] = 4, 64
    assert found.parameters[0].interval == pytest.approx((ends[least], ends[most + 1]))


def test_the_best_k_of_a_world_is_that_of_theory():
    """T11: twice the walk between two games, among equals."""
    games = world(10, players=50, rounds=250).simulate(seed=1, replicates=6)
    span = rs.Range(5, 80, scale="log", points=25)
    found = rs.tune(rs.Elo(), games, {"k": span}, train=0.9, folds=1, burn_in=30)
    (k,) = found.parameters
    assert found.period == "replicate"
    assert k.interval[0] <= best_k_walking(10) <= k.interval[1]
    assert k.interval[1] / k.interval[0] < 2
    assert k.edge is None


@pytest.mark.slow
def test_intervals_cover_the_best_k():
    """Of 40 worlds, nine in ten at least; the best is that of 40 others together."""
    span = {"k": rs.Range(5, 80, scale="log", points=25)}
    how = {"train": 0.9, "folds": 1, "burn_in": 30}
    law = world(10, players=50, rounds=250)
    best = rs.tune(rs.Elo(), law.simulate(seed=1, replicates=40), span, **how).best["k"]
    each = [rs.tune(rs.Elo(), law.simulate(seed=n, replicates=8), span, **how) for n in range(2, 42)]
    inside = [low <= best <= high for low, high in (found.parameters[0].interval for found in each)]
    assert np.mean(inside) >= 0.9


@pytest.mark.parametrize(("low", "high", "edge"), [(2, 8, "high"), (60, 300, "low")])
def test_a_best_at_the_end_of_its_range_is_told(games, low, high, edge):
    found = rs.tune(rs.Elo(), games, {"k": rs.Range(low, high, points=4)}, train=0.6, folds=2)
    assert found.parameters[0].edge == edge
    assert any(f"lies at the {edge} end of its range" in note for note in found.notes)


@pytest.mark.parametrize("metric", [rs.LogLoss(), rs.Accuracy()])
@pytest.mark.parametrize(("usual", "best"), [(20.0, 20.0), (33.0, -40.0)])
def test_a_parameter_that_changes_nothing_stays_what_it_was(games, metric, usual, best):
    """Nobody has an edge in these games; 33 is not among the values that are tried, of which -40 is the first."""
    assert games.edge is None
    ranges = {"advantage": rs.Range(-40, 40, points=5), "k": rs.Range(4, 64, scale="log", points=3)}
    found = rs.tune(rs.Elo(advantage=usual), games, ranges, metric=metric, train=0.6, folds=2)
    alone = rs.tune(rs.Elo(), games, {"k": ranges["k"]}, metric=metric, train=0.6, folds=2)
    advantage, k = found.parameters
    assert (advantage.best, advantage.interval, advantage.edge, advantage.idle) == (best, (-40, 40), None, True)
    assert (advantage.alike, advantage.reaches) == ((-40, 40), ())
    assert k == alone.parameters[0]
    assert "advantage changes nothing here" in found.notes
    assert not any("changes nothing" in note for note in alone.notes)
    assert {fold.best["advantage"] for fold in found.folds} == {best}
    assert found.settings.filter(pl.col("wins") > 0)["advantage"].unique().to_list() == [best]


def test_halving_keeps_the_usual_value_of_a_parameter_that_changes_nothing(games):
    span = {"advantage": rs.Range(-40, 40, points=9)}
    found = rs.tune(rs.Elo(advantage=30), games, span, train=0.6, folds=2, halving=True)
    (advantage,) = found.parameters
    assert (advantage.best, advantage.interval, advantage.idle) == (30, (-40, 40), True)


def test_losses_equal_within_rounding_are_ties_in_every_resample():
    """2 ** -46 of a loss is what an order of adding may change; 2 ** -33 is a difference."""
    total = np.array([[4.0, 8.0], [4.0, 8.0], [4.0, 8.0]]) * np.array([[1], [1 + 2**-46], [1 + 2**-33]])
    lost, rank = Swept(total, np.full((3, 2), 10.0)), np.array([2, 1, 0])
    assert pick(lost, 1, rank) == 1
    assert pick(lost, -1, rank) == 2
    again = resampled(lost, 1, sign=1, rank=rank, seed=1, draws=200, level=0.95, kind="month")
    assert set(again.winner.tolist()) == {1}


def test_an_interval_that_reaches_the_end_of_its_range_is_told(games):
    wide, how = rs.Range(2, 1000, scale="log", points=60), {"train": 0.6, "folds": 2}
    (k,) = rs.tune(rs.Elo(), games, {"k": wide}, **how).parameters
    assert k.reaches == ()
    narrow = rs.Range((k.interval[0] * k.best) ** 0.5, k.interval[1] * 3, scale="log", points=60)
    cut = rs.tune(rs.Elo(), games, {"k": narrow}, **how)
    (k,) = cut.parameters
    assert (k.interval[0], k.reaches, k.edge) == (pytest.approx(narrow.low), ("low",), None)
    assert "k: the interval reaches the low end of the range" in cut.notes


def test_whole_numbers_logarithms_and_two_families_at_once(games):
    ranges = {"advantage": rs.Range(-40, 40, points=3, whole=True), "k": rs.Range(8, 32, scale="log", points=3)}
    found = rs.tune(rs.Elo(), games, ranges, train=0.6, folds=2)
    assert found.settings["k"].unique().to_list() == [8, 16, 32]
    assert found.settings["advantage"].dtype == pl.Int64
    assert found.system.advantage == found.best["advantage"]
    assert found.policy.k == found.best["k"]


def test_more_is_better_where_it_is(games):
    found = rs.tune(rs.Elo(), games, {"k": rs.Range(4, 64, points=3)}, metric=rs.Accuracy(), train=0.6, folds=2)
    assert found.train.mean == pytest.approx(found.settings["loss"].max())
    assert (found.settings["difference"] <= 0).all()
    assert found.settings.filter(pl.col("k") == found.best["k"])["alike"].item()
    runs = [rs.replay(rs.Elo(), games, policy=policy) for policy in (found.policy, rs.Constant(20))]
    best, usual = (rs.accuracy(run.forecast, games.score) for run in runs)
    later = games.time >= np.floor(games.time[round(0.6 * len(games))])
    assert found.cost.difference == pytest.approx(best[later].mean() - usual[later].mean())
    assert found.gain == pytest.approx([best[part].mean() - usual[part].mean() for part in (~later, later)])
    assert found.optimism == pytest.approx(best[~later].mean() - best[later].mean())


def test_halving_drops_settings_and_finds_the_best_of_those_that_stay(games):
    span = {"k": rs.Range(2, 128, scale="log", points=16)}
    whole, halved = (rs.tune(rs.Elo(), games, span, train=0.8, folds=2, halving=h) for h in (False, True))
    assert sorted(halved.settings["seen"].to_list()) == [0.25] * 8 + [0.5] * 4 + [1.0] * 4
    stayed = halved.settings.filter(pl.col("seen") == 1)
    same = whole.settings.filter(pl.col("k").is_in(stayed["k"].implode()))
    assert stayed["loss"].to_list() == same["loss"].to_list()
    assert halved.best["k"] == same.sort("loss")["k"][0]
    assert same["difference"].min() < 0.002  # it may drop the best, which settings beside it are close to
    assert halved.settings.filter(pl.col("seen") < 1)["loss"].null_count() == 12
    assert any(note.startswith("folds choose among settings that later games helped to find") for note in halved.notes)
    assert not any(note.startswith("folds choose") for note in whole.notes)
    (k,), ratio = halved.parameters, 64 ** (1 / 15)  # between one value that was tried and the next
    assert k.interval[1] <= stayed["k"].max() * ratio**0.5 * (1 + 1e-9)
    assert k.interval[0] >= stayed["k"].min() / ratio**0.5 * (1 - 1e-9)


def test_one_executor_serves_all_sweeps_of_a_tuning_and_one_that_is_brought_stays_open(games, found, monkeypatch):
    opened, inner = [], spreading.executors.ThreadPoolExecutor
    monkeypatch.setattr(spreading.executors, "ThreadPoolExecutor", lambda *a: opened.append(a) or inner(*a))
    span = {"k": rs.Range(4, 64, scale="log", points=3)}
    again = rs.tune(rs.Elo(), games, span, seed=7, **HOW, workers=2)
    assert opened == [(2, "ratesim")]
    with inner(1) as pool:
        brought = rs.tune(rs.Elo(), games, span, seed=7, **HOW, executor=pool)
        assert pool.submit(int).result() == 0
    assert again.settings.equals(found.settings)
    assert brought.settings.equals(found.settings)


def test_the_best_differs_from_itself_by_nothing_over_replicates():
    games = world(10, players=6, rounds=60).simulate(seed=2, replicates=3)
    found = rs.tune(rs.Elo(), games, {"k": rs.Range(4, 64, points=4)}, train=0.8, folds=1)
    (best,) = found.settings.filter(k=found.best["k"]).iter_rows(named=True)
    assert (best["difference"], best["low"], best["high"]) == (0, 0, 0)


def test_random_settings_are_those_of_the_seed_each_once():
    ranges = [rs.Range(1, 100, scale="log"), rs.Range(0, 3, whole=True)]
    first, again, other = (search(ranges, Tune(method="random", budget=40), seed).ask() for seed in (1, 1, 2))
    assert first == again != other
    assert len(set(first)) == len(first)
    assert all(1 <= x <= 100 and y in {0, 1, 2, 3} for x, y in first)


def test_optuna_asks_in_batches_comes_near_and_does_the_same_again():
    pytest.importorskip("optuna")
    ranges = [rs.Range(1, 1000, scale="log"), rs.Range(-1, 1)]

    def tried() -> list[tuple[float, ...]]:
        searched, all_of_it = search(ranges, Tune(method="optuna", budget=80), 3), []
        while asked := searched.ask():
            assert len(asked) <= 16
            searched.tell([(np.log(x) - 3) ** 2 + (y - 0.3) ** 2 for x, y in asked])
            all_of_it += asked
        return all_of_it

    first = tried()
    assert first == tried()
    assert min((np.log(x) - 3) ** 2 + (y - 0.3) ** 2 for x, y in first) < 0.05


def test_optuna_does_not_try_a_whole_number_twice():
    pytest.importorskip("optuna")
    searched, tried = search([rs.Range(1, 3, whole=True)], Tune(method="optuna", budget=60), 1), []
    while asked := searched.ask():
        tried += asked
        searched.tell([float(k) for (k,) in asked])
    assert sorted(tried) == [(1,), (2,), (3,)]


@pytest.mark.parametrize(
    ("ranges", "how", "said"),
    [
        ({"kk": (5, 80)}, {}, "ranges: elo and constant: no number is called 'kk'; did you mean 'k'?"),
        ({"system.k": (5, 80)}, {}, "elo: no number is called 'k'"),
        ({"curve": (5, 80)}, {}, "no number is called 'curve'"),
        ({"k": (80, 5)}, {}, "low = 80, high = 5; expected low less than high"),
        ({"k": (-5, 80)}, {}, "constant, k: low = -5; expected a number at least 0"),
        ({}, {}, "tune: no range; expected one at least"),
        ({"k": 5}, {}, "ranges: k = 5; expected two numbers, such as (5, 80), or a rs.Range"),
        ({"k": (5, 80, 4)}, {}, "ranges: k = (5, 80, 4); expected two numbers"),
        ({"k": (5, 80), "policy.k": (6, 7)}, {}, "ranges: parameter 'policy.k' has two ranges; expected one"),
        ({"k": rs.Range(1, 80, points=10_001)}, {}, "tune: 10,001 settings; expected at most 10,000, or many = True"),
        ({"k": rs.Range(1, 80, points=1001), "advantage": rs.Range(0, 9, points=1000)}, {"many": True},
         "tune: 1,001,000 settings; expected at most 1,000,000"),
        ([("k", (5, 80))], {}, 'tune: ranges: a list; expected ranges by name, such as {"k": (5, 80)}'),
        ({"k": (5, 80)}, {"train": 1.0, "burn_in": 10_000}, "before fold 1 of 4; expected fewer folds, or more days"),
        ({"k": (5, 80)}, {"folds": 100}, "no games before fold 1 of 100; expected a larger train, fewer folds, or"),
        ({"k": (5, 80)}, {"burn_in": 10_000}, "no games before fold 1 of 4; expected a larger train, fewer folds"),
        ({"k": (5, 80)}, {"train": 0.0001}, "train = 0.0001: no game before"),
        ({"k": (5, 80)}, {"method": "optua"}, "method = 'optua'; did you mean 'optuna'?"),
        ({"k": (5, 80)}, {"budget": 5}, "key 'budget'; expected it with method random or optuna"),
        ({"k": (5, 80)}, {"method": "optuna", "halving": True}, "halving = true; expected method grid or random"),
        ({"k": (5, 80)}, {"metric": "brier"}, "tune: metric = 'brier'; expected a metric such as rs.Brier()"),
    ],
)  # fmt: skip
def test_mistakes_are_said_in_one_line(games, ranges, how, said):
    with pytest.raises(InputError) as caught:
        rs.tune(rs.Elo(), games, ranges, **{"train": 0.1, **how})
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_what_has_seen_the_games_to_come_is_not_tuned(games):
    with pytest.raises(InputError, match="in hindsight is fitted to what comes after too; expected false where"):
        rs.tune(rs.BradleyTerry(hindsight=True), games, {"virtual_draws": (0.1, 10)})


@pytest.mark.parametrize("games", [None, [("A", "B", 1)], "games.csv", pl.DataFrame({"first": ["A"]})])
def test_games_that_are_no_stream_are_refused(games):
    with pytest.raises(
        InputError, match=r"^tune: games = .*; expected games in memory, such as rs.read\('games.csv'\)$"
    ):
        rs.tune(rs.Elo(), games, {"k": (5, 80)})


def test_optuna_that_is_not_installed_is_said_in_one_line(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "optuna", None)
    with pytest.raises(
        InputError, match=r"tune, method: optuna is not installed; expected pip install 'ratesim\[tune\]'"
    ):
        search([rs.Range(1, 2)], Tune(method="optuna"), 1)


def test_without_games_after_there_is_no_cost(games):
    found = rs.tune(rs.Elo(), games, {"k": (5, 80)}, train=1.0, folds=2)
    assert (found.split, found.test, found.cost, found.optimism) == (None, None, None, None)
    assert found.train.n == len(games)
