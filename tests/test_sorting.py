"""Games come in order of time, those of one time in the order in which they were added, in pieces of any size."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings, strategies as st
from polars.testing import assert_frame_equal
from test_spool import SMALL, some_games, text

from ratesim.importing.sorting import STEP, Times, by_time
from ratesim.importing.spool import Spool

ROOM = 64


def spooled(folder, batches, *, memory=SMALL, room=ROOM, leave_out=None) -> tuple[pl.DataFrame, int]:
    """What comes out, and in how many frames."""
    with Spool(folder / "games.parquet", memory) as spool:
        for batch in batches:
            spool.add(batch)
        frames = list(by_time(spool, leave_out=leave_out, room=room))
        return text(pl.concat(frames)), len(frames)


def by_hand(batches: list[pl.DataFrame], leave_out: np.ndarray | None = None) -> pl.DataFrame:
    """The same by Python's own sort, which is stable."""
    games = pl.concat(batches, how="diagonal")
    time = games["time"].to_list()
    left = set() if leave_out is None else {*leave_out.tolist()}
    return games[sorted((row for row in range(len(games)) if row not in left), key=lambda row: time[row])]


@pytest.mark.parametrize("memory", [2**28, SMALL])
@pytest.mark.parametrize("room", [ROOM, 10**6])
def test_equal_times_keep_their_order(tmp_path, memory, room):
    batches = [some_games(seed) for seed in range(20)]
    leave_out = np.array([0, 5, 700, 701, 1999])
    found, _ = spooled(tmp_path, batches, memory=memory, room=room, leave_out=leave_out)
    assert_frame_equal(found, by_hand(batches, leave_out))


@pytest.mark.parametrize("spread", [1, 2, 1000, 10**9])
def test_any_spread_of_times_is_cut_into_pieces_with_room(tmp_path, spread):
    rng = np.random.default_rng(spread)
    batches = [
        some_games(seed, time=pl.Series(rng.integers(0, spread, 100) / 7 - 10.0)).sort("time", descending=True)
        for seed in range(30)
    ]
    found, frames = spooled(tmp_path, batches)
    assert_frame_equal(found, by_hand(batches))
    assert frames >= (3000 // ROOM if spread > 2 else spread)


def test_one_time_of_nearly_all_games_stands_apart(tmp_path):
    batches = [some_games(seed, time=pl.lit(365.0)) for seed in range(20)]
    batches.append(some_games(20, 5, time=pl.Series([365.0, 1.0, np.nextafter(365, 366), np.nextafter(365, 0), 1e9])))
    batches.append(some_games(21, time=pl.lit(365.0)))
    found, _ = spooled(tmp_path, batches)
    assert_frame_equal(found, by_hand(batches))


def test_games_in_order_pass_as_they_are(tmp_path):
    batches = [some_games(seed, time=seed + pl.col("place") // 25 / 4) for seed in range(10)]
    found, frames = spooled(tmp_path, batches, memory=2**28)
    assert_frame_equal(found, pl.concat(batches))
    assert frames == len(batches)


@pytest.mark.parametrize("room", [ROOM, 10**6])
def test_whole_batches_may_be_left_out(tmp_path, room):
    batches = [some_games(seed) for seed in range(4)]
    leave_out = np.r_[0:250, 300:400]
    found, _ = spooled(tmp_path, batches, room=room, leave_out=leave_out)
    assert_frame_equal(found, by_hand(batches, leave_out))
    with Spool(tmp_path / "games.parquet") as spool:
        for batch in batches:
            spool.add(batch)
        assert sum(map(len, by_time(spool, leave_out=np.arange(400), room=room))) == 0


def test_one_game_before_all_others_is_found(tmp_path):
    batches = [some_games(seed, time=pl.lit(seed + 1.0)) for seed in range(10)] + [some_games(10, 1, time=pl.lit(0.5))]
    found, _ = spooled(tmp_path, batches)
    assert found.row(0) == batches[-1].row(0)
    assert_frame_equal(found, by_hand(batches))


@settings(max_examples=25, deadline=None)
@given(
    times=st.lists(
        st.lists(st.sampled_from([-0.0, 0.0, 1.0, 1.5, 2.0, 1e6]) | st.floats(-1e5, 1e5), max_size=200),
        min_size=1,
        max_size=6,
    ).filter(any)
)
def test_any_times(tmp_path_factory, times):
    batches = [
        some_games(seed, len(some), time=pl.Series(some, dtype=pl.Float64)) for seed, some in enumerate(times) if some
    ]
    found, _ = spooled(tmp_path_factory.mktemp("any"), batches, room=10)
    assert_frame_equal(found, by_hand(batches))


def test_edges_part_a_crowd_from_the_rest():
    times = Times()
    times.hear(np.full(100 * STEP, 7.0))
    assert times.edges(10).tolist() == [7.0, np.nextafter(7.0, 8.0)]
    assert times.in_order


def test_edges_cut_into_pieces_of_half_the_room():
    time = np.random.default_rng(1).permutation(100_000).astype(float)
    times = Times()
    for part in np.split(time, [1, 50, 70_000]):
        times.hear(part)
    counts = np.bincount(np.searchsorted(times.edges(10_000), time, side="right"))
    assert counts.max() < 10_000
    assert counts.sum() == times.rows == 100_000
    assert not times.in_order
