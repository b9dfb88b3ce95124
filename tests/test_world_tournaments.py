"""The laws of tournaments, arenas, ladders and neighbours: who meets whom."""

import math

import numpy as np
import pytest
from pairing_rounds import laid, rounds_of

from ratesim.errors import InputError
from ratesim.rng import Luck
from ratesim.worlds import League
from ratesim.worlds.base import PAIRINGS, Moment, Pool
from ratesim.worlds.pairings.matching import augment
from ratesim.worlds.pairings.round_robin import berger


@pytest.mark.parametrize("players", [2, 6, 7, 14])
def test_a_round_robin_is_one(players):
    seats = players + players % 2
    played = rounds_of({"kind": "round-robin", "byes": True}, players=players, rounds=2 * (seats - 1))
    for half in (played[: seats - 1], played[seats - 1 :]):
        met = np.zeros((players, players), int)
        for _, i, j, _ in laid(half, players):
            met[i, j] += 1
        assert (met + met.T == 1 - np.eye(players, dtype=int)).all()
        balance = met.sum(axis=1) - met.sum(axis=0)
        assert np.abs(balance).max() <= 1
        if players % 2:
            assert (balance == 0).all()
    games = laid(played, players)
    once, again = games[: len(games) // 2], games[len(games) // 2 :]
    assert {(i, j) for _, i, j, _ in once} == {(j, i) for _, i, j, _ in again}


def test_rounds_and_colours_are_those_of_bergers_table_for_six():
    table = ["1-6 2-5 3-4", "6-4 5-3 1-2", "2-6 3-1 4-5", "6-5 1-4 2-3", "3-6 4-2 5-1"]  # FIDE Handbook C.05, annex 1
    for number, games in enumerate(table):
        first, second = berger(6, number)
        assert {f"{i + 1}-{j + 1}" for i, j in zip(first, second, strict=True)} == {*games.split()}


def test_each_pool_has_a_cycle_of_its_own():
    pools = {"names": ["slow", "fast"]}
    stream = League(players=6, rounds=10, pairing="round-robin", pools=pools).simulate(1)
    for pool in (0, 1):
        mine = stream.pool == pool
        pairs = {
            frozenset(pair) for pair in zip(stream.first[mine].tolist(), stream.second[mine].tolist(), strict=True)
        }
        assert len(pairs) == mine.sum() == 15


def test_round_robins_have_lots():
    played = rounds_of("round-robin", players=8, rounds=1, replicates=range(20))[0]
    assert len({tuple(row) for row in played.first.tolist()}) > 15


def test_a_round_robin_of_an_odd_number_needs_byes():
    with pytest.raises(InputError, match="a round robin of 7 players, an odd number; expected an even number, or byes"):
        League(players=7, pairing="round-robin")


def tournaments(players, rounds, length, **world):
    played = rounds_of({"kind": "swiss", "length": length, "by": "skill"}, players, rounds, range(1), **world)
    return played, [played[begin : begin + length] for begin in range(0, rounds, length)]


@pytest.mark.parametrize(("players", "length"), [(6, 5), (8, 7), (12, 9), (20, 9), (5, 5)])
def test_nobody_meets_twice_in_a_swiss_while_that_can_be_avoided(players, length):
    for games in tournaments(players, 6 * length, length)[1]:
        met = set()
        for each in games:
            pairs = [(int(i), int(j)) for i, j in zip(each.first[0], each.second[0], strict=True) if i >= 0]
            again = sum(frozenset(pair) in met for pair in pairs)
            playing = [i for pair in pairs for i in pair]
            assert again == len(pairs) - most_new_pairs(playing, met)
            met |= {frozenset(pair) for pair in pairs}


def most_new_pairs(players, met):
    """Return how many pairs of players who have not met there can be at once, by trying all."""
    if len(players) < 2:
        return 0
    first, rest = players[0], players[1:]
    best, bound = 0, len(players) // 2
    for k, other in enumerate(rest):
        if frozenset((first, other)) not in met:
            best = max(best, 1 + most_new_pairs(rest[:k] + rest[k + 1 :], met))
            if best == bound:
                return best
    return max(best, most_new_pairs(rest, met)) if best < bound else best


@pytest.mark.parametrize("edges", [0.3, 0.5, 0.8])
def test_matchings_are_greatest(edges):
    rng = np.random.default_rng(int(edges * 10))
    for _ in range(60):
        n = int(rng.integers(2, 11))
        apart = rng.random((n, n)) < edges
        apart &= apart.T
        met = np.full((1, n, n), -1, np.int32)
        for i in range(n):
            others = [j for j in range(n) if j == i or not apart[i, j]]
            met[0, i, : len(others)] = others
        partner, line = np.full(n, -1, np.int32), np.arange(n, dtype=np.int32)
        for root in range(n):
            if partner[root] < 0:
                augment(met, 0, line, n, partner, root)
        paired = np.flatnonzero(partner >= 0)
        assert (partner[partner[paired]] == paired).all()
        assert all(apart[i, partner[i]] for i in paired)
        never = {frozenset((i, j)) for i in range(n) for j in range(n) if not apart[i, j]}
        assert len(paired) // 2 == most_new_pairs(list(range(n)), never)


def test_equals_meet_in_a_swiss():
    for games in tournaments(64, 24, 6)[1]:
        points = np.zeros(64)
        for number, each in enumerate(games):
            gap = np.abs(points[each.first[0]] - points[each.second[0]])
            assert gap.max() <= (0 if number < 3 else 1)
            assert gap.mean() < 0.1
            points[each.first[0]] += each.score[0]
            points[each.second[0]] += 1 - each.score[0]


def test_a_swiss_opens_with_the_upper_half_against_the_lower():
    opening = tournaments(16, 1, 9)[0][0]
    order = np.argsort(-opening.skill[0])
    place = np.argsort(order)
    pairs = np.sort(np.stack([place[opening.first[0]], place[opening.second[0]]]), axis=0)
    assert sorted(map(tuple, pairs.T.tolist())) == [(k, k + 8) for k in range(8)]


def test_byes_of_a_swiss_go_round_and_count_a_point():
    world = League(players=7, rounds=7, pairing={"kind": "swiss", "length": 7, "by": "skill"})
    out = [set(range(7)) - {*each.first[0].tolist(), *each.second[0].tolist()} for each in world.play(1, [0])]
    assert sorted(who for each in out for who in each) == list(range(7))


def test_colours_of_a_swiss_stay_close():
    for games in tournaments(30, 18, 9)[1]:
        balance = np.zeros(30)
        for each in games:
            balance[each.first[0]] += 1
            balance[each.second[0]] -= 1
        assert np.abs(balance).max() <= 3
        assert np.abs(balance).mean() < 1.2


def test_neighbours_meet():
    played = rounds_of({"kind": "nearest", "by": "skill", "noise": 0.0}, players=14, replicates=[0])
    for each in played:
        place = np.argsort(np.argsort(each.skill[0]))
        low = np.minimum(place[each.first[0]], place[each.second[0]])
        assert (np.abs(place[each.first[0]] - place[each.second[0]]) == 1).all()
        assert sorted(low.tolist()) == list(range(0, 14, 2))


def test_noise_widens_the_gaps_of_neighbours():
    gaps = []
    for noise in (0.0, 50, 200, 5000):
        played = rounds_of({"kind": "nearest", "by": "skill", "noise": noise}, players=200, rounds=5)
        gaps.append(np.mean([np.abs(each.skill_first - each.skill_second).mean() for each in played]))
    assert gaps == sorted(gaps)
    assert gaps[0] < 10
    assert gaps[3] == pytest.approx(2 * 200 / math.sqrt(math.pi), rel=0.1)  # as of pairs at random


@pytest.mark.parametrize("players", [3, 4, 10, 41])
def test_an_arena_has_no_rematch_at_once_and_no_long_runs_of_a_colour(players):
    for replicate in range(3):
        played = rounds_of({"kind": "arena", "length": 12}, players, 60, [replicate])
        last, streak, waits = {}, dict.fromkeys(range(players), 0), 0
        for each in played:
            pairs = [(int(i), int(j)) for i, j in zip(each.first[0], each.second[0], strict=True) if i >= 0]
            waits += players // 2 - len(pairs)
            for i, j in pairs:
                assert last.get(i) != j
                assert last.get(j) != i
                last[i], last[j] = j, i
                streak[i], streak[j] = max(streak[i], 0) + 1, min(streak[j], 0) - 1
                assert max(abs(streak[i]), abs(streak[j])) <= 3
        assert waits < 60 * (players // 2) / 3


def test_two_alone_in_an_arena_play_on():
    assert len(laid(rounds_of("arena", players=2, rounds=9), 2)) == 9


def test_an_arena_pairs_by_rank_and_strength():
    played = rounds_of({"kind": "arena", "length": 10, "by": "skill"}, players=100, rounds=40, replicates=[0])
    points = np.zeros(100)
    gaps = {True: [], False: []}
    for number, each in enumerate(played):
        if number % 10 == 0:
            points[:] = 0
        first, second = each.first[0][each.first[0] >= 0], each.second[0][each.first[0] >= 0]
        rank = np.argsort(np.lexsort((-each.skill[0], -points)))
        gaps[number % 10 == 0].extend(np.abs(rank[first] - rank[second]))
        points[first] += 2 * each.score[0][each.first[0] >= 0]
        points[second] += 2 - 2 * each.score[0][each.first[0] >= 0]
    assert np.mean(gaps[True]) == pytest.approx(101 / 3, rel=0.15)  # the first wave is at random
    assert np.mean(gaps[False]) < 2


def test_challenges_are_within_reach_and_who_wins_climbs():
    players, reach = 15, 4
    part = PAIRINGS.build({"kind": "ladder", "reach": reach})
    luck = Luck(1, [0])
    memory = part.begin(luck, players, 7)
    rng = np.random.default_rng(1)
    skill = np.zeros((1, players))
    for number in range(200):
        place = memory["place"].copy()
        assert sorted(place[0].tolist()) == list(range(players))
        pool = Pool(np.ones((1, players)), skill, None, 7)
        pairs = part.pair(pool, memory, luck, Moment(number, 200, 0.0, 0.0, 1.0))
        score = rng.choice([0, 0.5, 1], size=pairs.first.shape)
        part.learn(pairs, score, memory)
        for i, j, s in zip(pairs.first[0], pairs.second[0], score[0], strict=True):
            if i < 0:
                continue
            low, high = (i, j) if place[0, i] > place[0, j] else (j, i)
            assert 1 <= place[0, low] - place[0, high] <= reach
            won = s == (1.0 if low == i else 0.0)
            after = (place[0, high], place[0, low]) if won else (place[0, low], place[0, high])
            assert (memory["place"][0, low], memory["place"][0, high]) == after
        assert (pairs.first >= 0).sum() >= 4


def test_a_ladder_comes_to_stand_by_skill():
    world = League(players=30, rounds=600, pairing="ladder")
    playing = world.play(1, range(8))
    for _ in playing:
        pass
    place = playing._pairing[0]["place"]
    ranks = [np.corrcoef(np.argsort(np.argsort(-s)), p)[0, 1] for s, p in zip(playing.skill, place, strict=True)]
    assert np.mean(ranks) > 0.85
