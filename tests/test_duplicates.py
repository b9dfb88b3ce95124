"""Games told twice are found, all of them and none that is not, however the rows are cut up."""

import csv
from itertools import product
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings, strategies as st
from test_spool import SMALL, some_games

from ratesim.importing import duplicates, import_games
from ratesim.importing.duplicates import exact, near
from ratesim.importing.spool import Spool

WAYS = [pytest.param(2**28, 10**6, id="in memory"), pytest.param(SMALL, 32, id="on disk")]


def games(rows: list[tuple], *names: str) -> pl.DataFrame:
    """Games from rows: source, first, second, score, time, then further columns."""
    schema = {"source": pl.UInt32, "first": pl.String, "second": pl.String, "score": pl.Float64, "time": pl.Float64}
    return pl.DataFrame(rows, schema=[*schema.items(), *names], orient="row").with_row_index("place")


def told(found: pl.DataFrame) -> list[tuple[int, int]]:
    return found.select("row", "of").rows()


def found_in(folder, function, batches, memory=2**28, **options):
    with Spool(folder / "games.parquet", memory) as spool:
        for batch in batches:
            spool.add(batch)
        return function(spool, **options)


def by_hand(batches: list[pl.DataFrame]) -> list[tuple[int, int]]:
    """Rows equal in all but place and source, by a dictionary of Python."""
    first: dict[tuple, int] = {}
    rows = pl.concat(batches, how="diagonal").drop("place", "source").rows()
    return [(row, first[game]) for row, game in enumerate(rows) if first.setdefault(game, row) != row]


@pytest.mark.parametrize(("memory", "room"), WAYS)
def test_rows_equal_in_all_but_their_place_are_found(tmp_path, memory, room):
    batches = [some_games(seed, 300, source=seed % 3, place=pl.col("place") + 300 * seed) for seed in (1, 2, 3, 2, 1)]
    batches.insert(2, some_games(9, 50, pool=pl.lit("blitz")))
    found = found_in(tmp_path, exact, batches, memory, room=room)
    assert told(found.pairs) == by_hand(batches)
    assert len(found.pairs) >= 600
    assert found.rows.tolist() == found.pairs["row"].to_list()
    assert not len(found.clashes)


@pytest.mark.parametrize(("memory", "room"), WAYS)
def test_an_id_of_the_same_players_and_result_is_the_same_game_whatever_else_is_said(tmp_path, memory, room):
    rows = [
        (0, "A", "B", 1.0, 1.0, "x"),
        (0, "A", "B", 1.0, 1.0, "y"),
        (1, "A", "B", 1.0, 2.0, "x"),
        (1, "B", "A", 0.0, 1.0, "x"),
        (1, "A", "C", 1.0, 1.0, "x"),
        (2, "A", "C", 1.0, 9.0, "x"),
        (2, "A", "B", 1.0, 1.0, None),
        (2, "A", "B", 1.0, 1.0, None),
        (0, "A", "B", 0.5, 1.0, "x"),
        (1, "B", "A", 1.0, 1.0, "x"),
        (1, "A", "B", 0.0, 1.0, "x"),
        (2, "B", "A", 0.5, 3.0, "x"),
    ]
    found = found_in(tmp_path, exact, [games(rows, "game_id")], memory, room=1 if room == 32 else room)
    assert told(found.pairs) == [(2, 0), (3, 0), (5, 4), (7, 6), (10, 9), (11, 8)]
    assert told(found.clashes) == [(4, 0), (8, 0), (9, 0)]


@pytest.mark.parametrize(("memory", "room"), WAYS)
def test_a_fingerprint_of_the_same_score_and_time_is_the_same_game_whatever_else_is_said(tmp_path, memory, room):
    rows = [
        (0, "A", "B", 1.0, 1.0, None, 7, "blitz"),
        (1, "A", "B", 1.0, 1.0, None, 7, None),
        (1, "A", "B", 1.0, 1.0, None, 8, "blitz"),
        (1, "A", "B", 1.0, 2.0, None, 7, "blitz"),
        (1, "A", "B", 0.5, 1.0, None, 7, "blitz"),
        (1, "A", "C", 1.0, 1.0, None, 7, "blitz"),
        (1, "A", "B", 1.0, 1.0, None, None, "blitz"),
        (1, "A", "B", 1.0, 1.0, "x", None, "blitz"),
        (2, "A", "B", 1.0, 1.0, None, 8, "rapid"),
        (2, "A", "B", 1.0, 1.0, None, None, "blitz"),
    ]
    batch = games(rows, "game_id", "fingerprint", "pool")
    found = found_in(tmp_path, exact, [batch], memory, room=1 if room == 32 else room)
    assert told(found.pairs) == [(1, 0), (8, 2), (9, 6)]
    assert not len(found.clashes)


@pytest.mark.parametrize("name", ["termination", "name_first", "title_second", "published_first", "rated", "precision"])
def test_one_column_that_differs_makes_another_game(tmp_path, name):
    one, other = {"published_first": (1500.0, 1501.0), "rated": (True, False), "precision": ("day", "month")}.get(
        name, ("a", "b")
    )
    rows = [(0, "A", "B", 1.0, 1.0, value) for value in (one, other, None, other, None, one)]
    found = found_in(tmp_path, exact, [games(rows, name)])
    assert told(found.pairs) == [(3, 1), (4, 2), (5, 0)]


def test_a_batch_without_a_column_is_one_that_says_nothing_there(tmp_path):
    rows = [(0, "A", "B", 1.0, 1.0)]
    batches = [games(rows), games([(*rows[0], "blitz")], "pool"), games([(*rows[0], None)], "pool")]
    assert told(found_in(tmp_path, exact, batches).pairs) == [(2, 0)]


def test_equal_hashes_alone_make_no_duplicate(tmp_path, monkeypatch):
    one_hash = lambda frame: pl.Series(np.zeros(len(frame), np.uint64))  # noqa: E731
    monkeypatch.setattr(pl.DataFrame, "hash_rows", one_hash)
    batches = [some_games(1), some_games(2), some_games(1).with_columns(game_id=pl.lit("x")), some_games(2)]
    found = found_in(tmp_path, exact, batches, SMALL, room=32)
    without = by_hand([batches[0], batches[1]])
    assert {*without} < {*told(found.pairs)}
    again = by_hand([batches[0], batches[1], batches[3]])
    assert [(row, of) for row, of in told(found.pairs) if not 200 <= row < 300] == [
        (row + 100 * (row >= 200), of) for row, of in again
    ]
    near_ones = found_in(tmp_path, near, [some_games(1), some_games(2, source=1)], SMALL, room=32, shown=1000)
    assert near_ones.games == len(matched([some_games(1), some_games(2, source=1)]))


def matched(batches: list[pl.DataFrame]) -> list[tuple[int, int]]:
    """Near duplicates by hand: the nth game of a pair, day and result in a source goes with the nth of the others."""
    earliest: dict[tuple, int] = {}
    seen: dict[tuple, int] = {}
    pairs = []
    for row, game in enumerate(pl.concat(batches, how="diagonal").iter_rows(named=True)):
        a, b = game["first"], game["second"]
        met = (min(a, b), max(a, b), game["time"] // 1, game["score"] if a < b else 1 - game["score"])
        nth = seen[met, game["source"]] = seen.get((met, game["source"]), 0) + 1
        if earliest.setdefault((met, nth), row) != row:
            pairs.append((row, earliest[met, nth]))
    return pairs


@pytest.mark.parametrize(("memory", "room"), WAYS)
def test_the_same_pair_day_and_result_in_another_source_is_near(tmp_path, memory, room):
    batches = []
    for seed, source in product((1, 2), (0, 1, 2)):
        some = some_games(10 * seed + source % 2, 200, source=source, time=pl.col("time") + source / 4)
        turned = some.select("source", "place", "time", first="second", second="first", score=1 - pl.col("score"))
        batches.append(turned if source == 1 else some)
    found = found_in(tmp_path, near, batches, memory, room=room, shown=10**6)
    assert told(found.pairs) == matched(batches)
    assert found.games == len(found.pairs) > 200
    few = found_in(tmp_path, near, batches, memory, room=room, shown=3)
    assert (few.games, told(few.pairs)) == (found.games, told(found.pairs)[:3])


def test_what_one_source_says_twice_is_not_near(tmp_path):
    rows = [(0, "A", "B", 1.0, 1.0), (0, "A", "B", 1.0, 1.5), (1, "A", "B", 1.0, 1.75), (1, "A", "B", 0.0, 1.75)]
    assert found_in(tmp_path, near, [games(rows[:2])]).games == 0
    assert told(found_in(tmp_path, near, [games(rows)]).pairs) == [(2, 0)]


def test_exact_ones_are_not_near_too(tmp_path):
    batches = [some_games(1, source=0), some_games(1, source=1), some_games(2, source=2)]
    with Spool(tmp_path / "games.parquet") as spool:
        for batch in batches:
            spool.add(batch)
        again = exact(spool)
        found = near(spool, leave_out=again.rows, shown=10**6)
    rest = pl.concat(batches)[[row for row in range(300) if row not in {*again.rows.tolist()}]]
    assert found.games == len(matched([rest]))
    assert {*found.pairs["row"]}.isdisjoint(again.rows.tolist())


def test_no_games_repeat_nothing(tmp_path):
    batches = [some_games(1), some_games(1, source=1)]
    assert found_in(tmp_path, near, batches, leave_out=np.arange(200)).games == 0
    assert found_in(tmp_path, near, batches, leave_out=np.arange(100)).games == 0
    assert found_in(tmp_path, near, []).games == 0
    assert found_in(tmp_path, exact, []).rows.tolist() == []


def test_few_are_asked_for_by_default():
    assert duplicates.SHOWN == 20


@settings(max_examples=25, deadline=None)
@given(
    cells=st.lists(
        st.tuples(
            st.integers(0, 2),
            st.sampled_from("AB"),
            st.sampled_from("CD"),
            st.sampled_from([0.0, 0.5, 1.0]),
            st.sampled_from([1.0, 1.5, 2.0]),
            st.sampled_from([None, "x"]),
        ),
        min_size=1,
        max_size=80,
    ),
    cut=st.integers(0, 80),
)
def test_any_rows(tmp_path_factory, cells, cut):
    table = games(cells, "pool")
    batches = [part for part in (table[:cut], table[cut:]) if len(part)]
    folder = tmp_path_factory.mktemp("any")
    assert told(found_in(folder, exact, batches, SMALL, room=8).pairs) == by_hand(batches)
    assert told(found_in(folder, near, batches, SMALL, room=8, shown=100).pairs) == matched(batches)


@pytest.mark.data
def test_all_945_ids_that_lichess_players_have_twice_tell_of_one_game(tmp_path):
    path = Path(__file__).resolve().parents[2] / "shared/data/chess_lichess/chess_games.csv"
    columns = {"first": "white_id", "second": "black_id", "score": "winner", "time": "created_at", "time_unit": "ms"}
    columns |= {"scores": {"white": 1, "draw": 0.5, "black": 0}, "id": "id", "themselves": "drop"}
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["white_id"] != row["black_id"]]
    earlier: dict[str, set[tuple]] = {}
    repeats, others = 0, 0
    for row in rows:
        told_of = earlier.setdefault(row["id"], set())
        winner = {"white": row["white_id"], "black": row["black_id"], "draw": None}[row["winner"]]
        game = (*sorted((row["white_id"], row["black_id"])), winner)
        repeats += game in told_of
        others += bool(told_of) and game not in told_of
        told_of.add(game)
    found = import_games(path, tmp_path / "games.parquet", columns).repeated
    assert (found.exact, found.clashes) == (repeats, others) == (945, 0)
