"""Many replicates: the same bits whatever the workers and blocks, and the same as a replay of what is simulated."""

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import ratesim as rs
from ratesim.analysis.truth import losses_by_replicate, truth_tables
from ratesim.errors import InputError
from ratesim.montecarlo.driver import block_size
from ratesim.replaying.snapshots import snapshots
from ratesim.worlds import League

WORLD = League(
    players=30, rounds=12, per_round=20, days=300, changes=[{"kind": "walk", "sd": 20, "per": "30d"}],
    activity=[{"kind": "zipf", "exponent": 0.5}], outcomes={"kind": "logistic", "draw": 0.5, "edge": 20},
)  # fmt: skip
SHARED = WORLD.model_copy(update={"shared": True})
RUNS = {
    "elo 10": (rs.Elo(), rs.Constant(10)),
    "glicko2": rs.Glicko2(),
    "elo 40": (rs.Elo(), rs.Constant(40)),
    "even": rs.Even(),
}
MONTHS = rs.Every(days=30)
WORLDS = {"apart": WORLD, "shared": SHARED}


def study(world=WORLD, replicates=6, **how):
    return rs.monte_carlo(world, RUNS, seed=5, replicates=replicates, calendar=MONTHS, **how)


def same(a, b):
    assert a.tables.keys() == b.tables.keys()
    for name, table in a.tables.items():
        assert_frame_equal(table, b.tables[name], check_exact=True)
    assert_frame_equal(a.losses, b.losses, check_exact=True)
    return True


def of_one(whole, replicate):
    """The rows of one replicate."""
    kept = {name: table.filter(pl.col("replicate") == replicate) for name, table in whole.tables.items()}
    return rs.Study(kept, whole.losses.filter(pl.col("replicate") == replicate))


@pytest.fixture(scope="module", params=WORLDS)
def world(request):
    return WORLDS[request.param]


@pytest.mark.parametrize(
    "ways", [((3, 4),), pytest.param(((2, 1), (1, 4), (3, 2), (2, 6)), marks=pytest.mark.slow)], ids=str
)
def test_bits_depend_on_neither_workers_nor_blocks(world, ways):
    whole = study(world, workers=1)
    assert whole.losses.height == 6 * len(RUNS) * 2
    for workers, block in ways:
        assert same(study(world, workers=workers, block=block), whole)


def test_a_replicate_alone_is_the_same_as_among_others(world):
    whole = study(world)
    for replicate in (0, 4):
        assert same(
            rs.monte_carlo(world, RUNS, seed=5, replicates=1, first=replicate, calendar=MONTHS),
            of_one(whole, replicate),
        )


def test_replicate_731_of_1000_is_replicate_731():
    world = League(players=6, rounds=4, days=60)
    whole = rs.monte_carlo(world, {"elo": rs.Elo()}, seed=2, replicates=1000)
    assert same(rs.monte_carlo(world, {"elo": rs.Elo()}, seed=2, replicates=1, first=731), of_one(whole, 731))
    assert whole.losses["mean"].n_unique() > 500


def test_it_is_a_replay_of_what_is_simulated(world):
    games, found = world.simulate(5, 6), study(world, block=3)
    for label, run in RUNS.items():
        system, policy = run if isinstance(run, tuple) else (run, None)
        replayed = rs.replay(system, games, policy=policy, calendar=MONTHS)
        losses = losses_by_replicate(games, replayed.forecast)
        assert_frame_equal(found.losses.filter(pl.col("system") == label).drop("system"), losses, check_exact=True)
        tables = truth_tables(snapshots(replayed))
        assert bool(tables) == (label != "even")
        for name, table in tables.items():
            mine = found.tables[name].filter(pl.col("system") == label).drop("system")
            assert_frame_equal(mine, table.select(mine.columns), check_exact=True)


def test_it_is_a_replay_game_by_game_too(world):
    games = world.simulate(5, 4)
    found = rs.monte_carlo(world, {"elo": rs.Elo()}, seed=5, replicates=4, block=2)
    losses = losses_by_replicate(games, rs.replay(rs.Elo(), games).forecast)
    assert_frame_equal(found.losses.drop("system"), losses, check_exact=True)


def test_who_plays_foul_is_known_in_rows_and_in_lanes():
    foul = {"stress": [{"kind": "sandbagging"}]}
    for shared in (False, True):
        world = League(players=30, rounds=12, shared=shared, **foul)
        assert same(study(world, replicates=3, block=3), study(world, replicates=3, block=1))


def test_pools_are_rated_apart():
    world = League(players=20, rounds=20, pools={"names": ["a", "b"], "spread": 50, "bridges": 0.5})
    how = {"seed": 1, "replicates": 3, "by_pool": True}
    found = rs.monte_carlo(world, {"elo": rs.Elo()}, **how)
    assert same(found, rs.monte_carlo(world, {"elo": rs.Elo()}, block=3, workers=1, **how))
    replayed = rs.replay(rs.Elo(), world.simulate(1, 3), by_pool=True)
    *_, last = snapshots(replayed)
    assert last.rating.shape == last.skill.shape == (3, 40)
    assert 0 < np.isnan(last.skill).sum() < 3 * 20  # who are in one pool only


def test_averages_have_a_row_a_system_and_key():
    errors = study().averaged("errors")
    assert errors["system"].unique(maintain_order=True).to_list() == ["elo 10", "glicko2", "elo 40"]
    assert (errors["rmse_low"] <= errors["rmse"]).all()
    assert set(errors["replicates"]) == {6}


def test_nothing_but_losses_or_nothing_at_all():
    assert study(truth=False).tables == {}
    assert study(truth=False, metrics={}).losses.is_empty()


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ({"replicates": 0}, "replicates = 0; expected a whole number, at least 1"),
        ({"replicates": "a"}, "replicates = 'a'; expected a whole number, at least 1"),
        ({"workers": 0}, "workers = 0; expected a whole number, at least 1"),
        ({"block": -1}, "block = -1; expected a whole number, at least 1"),
        ({"first": -1}, "replicate = -1; expected a whole number, at least 0"),
        ({"first": 1.5}, "replicate = 1.5; expected a whole number, at least 0"),
    ],
)
def test_what_cannot_be_is_refused(how, said):
    with pytest.raises(InputError) as error:
        rs.monte_carlo(WORLD, RUNS, seed=1, **how)
    assert str(error.value) == said


@pytest.mark.parametrize(
    ("world", "runs", "said"),
    [
        (WORLD, {}, "runs = {}; expected systems by label, such as"),
        (WORLD, rs.Elo(), "runs = Elo(kind='elo'"),
        (WORLD, {"elo": (rs.Elo(),)}, "runs['elo'] = (Elo(kind='elo'"),
        (WORLD, {"elo": 20}, "20 is no rater; expected a system such as rs.Elo()"),
        ("league", RUNS, "world = 'league'; expected a league, such as ratesim.worlds.League()"),
    ],
)
def test_what_is_no_world_or_no_runs_is_refused(world, runs, said):
    with pytest.raises(InputError) as error:
        rs.monte_carlo(world, runs)
    assert str(error.value).startswith(said)
    assert "\n" not in str(error.value)


def test_a_study_says_what_it_is_of():
    elo = {"elo": rs.Elo(), "even": rs.Even()}
    found = rs.monte_carlo(League(players=6, rounds=3), elo, seed=1, replicates=2)
    assert repr(found).startswith("<Study: 2 replicates of league by elo, even; tables errors, games, settling, ")
    assert repr(found).endswith(", losses>")
    bare = rs.monte_carlo(League(players=6, rounds=3), elo, seed=1, replicates=1, truth=False)
    assert repr(bare) == "<Study: 1 replicate of league by elo, even; tables losses>"


def test_blocks_stay_near_the_processor_and_give_all_workers_something_to_do():
    assert block_size(League(players=20_000, rounds=10), 100, 2) == 1
    assert block_size(League(players=100, rounds=10), 1000, 2) == 200
    assert block_size(League(players=100, rounds=10), 8, 4) == 2
    assert block_size(League(players=100, rounds=10, shared=True), 1000, 2) == 32
    assert block_size(League(players=100, rounds=100_000), 1000, 2) == 1


def test_blocks_of_a_shared_schedule_have_no_more_replicates_than_lanes():
    world = League(players=6, rounds=3, shared=True)
    elo = {"elo": rs.Elo()}
    whole = rs.monte_carlo(world, elo, seed=1, replicates=300, block=300)
    assert same(whole, rs.monte_carlo(world, elo, seed=1, replicates=300, block=40))


@pytest.mark.parametrize(("first", "replicates"), [(2**31 - 1, 1), (2**31 - 3, 5)])
def test_replicates_have_numbers_that_tables_can_hold(first, replicates):
    with pytest.raises(InputError, match=r"^replicate = 214748364[0-9]; expected at most 2,147,483,646$"):
        rs.monte_carlo(League(), {"elo": rs.Elo()}, replicates=replicates, first=first)
