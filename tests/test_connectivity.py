"""How players hang together: against counts by hand, pair by pair."""

from itertools import pairwise

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings, strategies as st

from ratesim.analysis import connectivity
from ratesim.stream import GameStream

GAMES = st.lists(
    st.tuples(st.integers(0, 9), st.integers(0, 9), st.sampled_from([0.0, 0.25, 0.5, 1.0]), st.sampled_from([-1, 0, 1]))
    .filter(lambda game: game[0] != game[1]),
    min_size=1,
    max_size=24,
)  # fmt: skip


def streamed(games, **columns) -> GameStream:
    """A stream of (first, second, score, edge), players called p0, p1, ..."""
    first, second, score, edge = zip(*games, strict=True)
    return GameStream.of(
        first=[f"p{k}" for k in first], second=[f"p{k}" for k in second], score=score, edge=edge,
        time=range(len(games)), **columns,
    )  # fmt: skip


def reached(start, arrows) -> frozenset:
    """Everybody to whom arrows lead."""
    found, new = {start}, [start]
    while new:
        here = new.pop()
        for a, b in arrows:
            if a == here and b not in found:
                found.add(b)
                new.append(b)
    return frozenset(found)


def parts(players, pairs) -> set[frozenset]:
    both = {(a, b) for pair in pairs for a, b in (tuple(pair), tuple(pair)[::-1])}
    return {reached(player, both) for player in players}


def grouped(frame: pl.DataFrame, column: str) -> list[set]:
    """The players of each group, in the order of the numbers of groups."""
    return [set(part["player"]) for part in frame.sort(column).partition_by(column, maintain_order=True)]


@settings(max_examples=150, deadline=None)
@given(GAMES)
def test_parts_and_bridges_are_those_found_by_taking_each_pair_away(games):
    found = connectivity(streamed(games))
    named = [(f"p{a}", f"p{b}", score) for a, b, score, _ in games]
    players = {name for game in named for name in game[:2]}
    pairs = {frozenset(game[:2]) for game in named}
    whole = parts(players, pairs)
    assert {frozenset(part) for part in grouped(found.players, "component")} == whole
    assert found.components["players"].to_list() == sorted(map(len, whole), reverse=True)

    bridges = {}
    for pair in pairs:
        left = parts(players, pairs - {pair})
        if len(left) > len(whole):
            near, far = sorted((part for part in left if part & pair), key=len)[::-1]
            bridges[pair] = (len(far), sum(frozenset(game[:2]) == pair for game in named), len(near) == len(far), far)
    assert {frozenset(row[:2]) for row in found.bridges.rows()} == bridges.keys()
    assert found.bridges["players"].is_sorted(descending=True)
    for near, far, count, beyond in found.bridges.rows():
        size, games_between, alike, side = bridges[frozenset((near, far))]
        assert (beyond, count) == (size, games_between)
        assert alike or far in side

    solid = parts(players, pairs - bridges.keys())
    for part in grouped(found.players, "component"):  # exactly one solid part of each component is left out
        free = set(found.players.filter(pl.col("player").is_in(part) & ~pl.col("bridged"))["player"])
        assert frozenset(free) in solid
        assert len(free) == max(len(each) for each in solid if each <= part)


@settings(max_examples=100, deadline=None)
@given(GAMES)
def test_strong_parts_are_those_in_which_each_has_scored_against_each(games):
    found = connectivity(streamed(games))
    arrows = {(f"p{a}", f"p{b}") for a, b, score, _ in games if score > 0}
    arrows |= {(f"p{b}", f"p{a}") for a, b, score, _ in games if score < 1}
    reach = {name: reached(name, arrows) for name in found.players["player"]}
    parts = {frozenset(b for b in reach if b in reach[a] and a in reach[b]) for a in reach}
    assert {frozenset(part) for part in grouped(found.players, "strong")} == parts
    assert found.strong["players"].to_list() == sorted(map(len, parts), reverse=True)


@settings(max_examples=50, deadline=None)
@given(GAMES)
def test_games_of_each_player_are_counted_by_result_and_edge(games):
    found = connectivity(streamed(games))
    for row in found.players.iter_rows(named=True):
        me = int(row["player"][1:])
        mine = [(s, e) for a, _, s, e in games if a == me] + [(1 - s, -e) for _, b, s, e in games if b == me]
        assert row["games"] == len(mine)
        assert row["wins"] == sum(s == 1 for s, _ in mine)
        assert row["losses"] == sum(s == 0 for s, _ in mine)
        assert row["draws"] == sum(0 < s < 1 for s, _ in mine)
        assert row["as_first"] == sum(a == me for a, *_ in games)
        assert (row["ahead"], row["behind"]) == (sum(e > 0 for _, e in mine), sum(e < 0 for _, e in mine))
    assert found.components["games"].sum() == len(games)


def test_a_long_chain_is_all_bridges_and_no_recursion():
    n = 50_000
    chain = connectivity(
        GameStream.of(first=np.arange(n - 1), second=np.arange(1, n), score=[0.5] * (n - 1), time=range(n - 1))
    )
    assert chain.components.select("players", "games").rows() == [(n, n - 1)]
    assert chain.strong["players"].to_list() == [n]
    assert chain.bridges.height == n - 1
    assert chain.bridges["players"][0] == n // 2
    assert sorted(chain.bridges["players"]) == sorted(min(k, n - k) for k in range(1, n))
    assert chain.players["bridged"].sum() == n - 1


def test_two_circles_joined_by_one_pair_hang_on_it():
    circles = [(f"{c}{a}", f"{c}{b}") for c, n in (("a", 5), ("b", 3)) for a, b in [*pairwise(range(n)), (n - 1, 0)]]
    first, second = zip(*circles, ("b1", "a2"), ("a2", "b1"), strict=True)
    found = connectivity(GameStream.of(first=first, second=second, score=[1] * 10, time=range(10)))
    assert found.bridges.rows() == [("a2", "b1", 2, 3)]
    assert set(found.players.filter("bridged")["player"]) == {"b0", "b1", "b2"}
    assert found.strong["players"].to_list() == [8]
    assert found.components["names"].to_list() == [["a2", "b1", "a0"]]


def test_games_of_weight_0_tie_nobody_together():
    games = [(0, 1, 1.0, 1), (1, 2, 1.0, 1), (2, 3, 1.0, 1)]
    found = connectivity(streamed(games, weight=[1, 0, 2]))
    assert grouped(found.players, "component") == [{"p0", "p1"}, {"p2", "p3"}]
    without = connectivity(streamed(games, weight=[0, 0, 0]))
    assert [frame.height for frame in without] == [0, 0, 0, 0]


def test_players_without_a_game_are_not_there():
    everybody = streamed([(0, 1, 1.0, 1), (2, 3, 0.5, 1)])
    found = connectivity(everybody.take(slice(1, None)))
    assert found.players["player"].to_list() == ["p2", "p3"]
    assert found.components.rows() == [(0, 2, 1, ["p2", "p3"])]


@pytest.mark.parametrize("seed", range(3))
def test_numbers_do_not_depend_on_the_order_of_games(seed):
    random = np.random.default_rng(seed)
    games = [(int(a), int(b), float(s), 1) for a, b, s in random.integers(0, 30, (40, 3)) % [30, 30, 2] if a != b]
    one = connectivity(streamed(games))
    other = connectivity(streamed([games[k] for k in random.permutation(len(games))]))
    for name in ("component", "strong"):
        assert {frozenset(p) for p in grouped(one.players, name)} == {
            frozenset(p) for p in grouped(other.players, name)
        }
    ends = [{frozenset(row[:2]): row[3] for row in each.bridges.rows()} for each in (one, other)]
    assert ends[0] == ends[1]
