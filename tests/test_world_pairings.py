"""The laws of each pairing: who meets whom, and how often."""

import math

import numpy as np
import pytest

from ratesim.errors import InputError
from ratesim.rng import Luck
from ratesim.worlds import League
from ratesim.worlds.base import PAIRINGS, Moment, Pool
from ratesim.worlds.pairings.matching import augment
from ratesim.worlds.pairings.present import attending


def rounds_of(pairing, players=12, rounds=20, replicates=range(2), seed=3, **world):
    return list(League(players=players, rounds=rounds, pairing=pairing, **world).play(seed, replicates))


def drawn(pairing, skill, weight, games, number=0, replicates=(0,), rating=None):
    """Return one round (R, M) of a pairing that remembers nothing, for skills and weights of all replicates alike."""

    def all_of(values):
        return np.tile(np.asarray(values, dtype=float), (len(replicates), 1))

    luck = Luck(11, replicates)
    pool = Pool(all_of(weight), all_of(skill), rating, games)
    return PAIRINGS.build(pairing).pair(pool, {}, luck, Moment(number, 100, 0.0, 0.0, 1.0))


def counts(pairs, n):
    met = np.zeros((n, n))
    np.add.at(met, (pairs.first.ravel(), pairs.second.ravel()), 1)
    return met


def fits(met, chance):
    """Whether counts are those of the chances: chi square within 5 standard deviations of its mean."""
    expected = met.sum() * chance
    inside = expected > 0
    assert (met[~inside] == 0).all()
    degrees = inside.sum() - 1
    square = ((met[inside] - expected[inside]) ** 2 / expected[inside]).sum()
    return abs(square - degrees) < 5 * math.sqrt(2 * degrees)


@pytest.mark.parametrize("width", [5.0, 60.0, 5000.0])
@pytest.mark.parametrize("weight", [[1, 1, 1, 1, 1, 1], [3, 0, 1, 2, 1, 0.5]])
def test_closeness_meets_by_activity_and_kernel(width, weight):
    skill, weight = np.array([1500.0, 1510, 1540, 1600, 1700, 1500]), np.array(weight)
    met = counts(drawn({"kind": "closeness", "width": width, "by": "skill"}, skill, weight, 60_000), 6)
    gap = skill[:, None] - skill
    share = np.where(weight > 0, weight * np.exp((nearest(gap, weight) - gap**2) / (2 * width**2)), 0)
    np.fill_diagonal(share, 0)
    law = (weight / weight.sum())[:, None] * share / share.sum(axis=1, keepdims=True)
    assert fits(met, (law + law.T) / 2)


def nearest(gap, weight):
    """Return the least square gap to another who is there, (N, 1), so that no kernel vanishes."""
    square = gap**2 + np.where(weight > 0, 0, np.inf)
    np.fill_diagonal(square, np.inf)
    return square.min(axis=1, keepdims=True)


def test_gaps_shrink_with_the_width_as_stated():
    rng, sd = np.random.default_rng(1), 200.0
    skill, ones = 1500 + sd * rng.standard_normal(4000), np.ones(4000)
    found = []
    for width in (20.0, 50, 100, 200, 1000, 1e5):
        pairs = drawn({"kind": "closeness", "width": width, "by": "skill"}, skill, ones, 40_000)
        gap = skill[pairs.first] - skill[pairs.second]
        stated = sd**2 * width**2 * (sd**2 + 2 * width**2) / (sd**2 + width**2) ** 2
        assert (gap**2).mean() == pytest.approx(stated, rel=0.06)
        found.append((gap**2).mean())
    assert found == sorted(found)


def test_closeness_goes_by_ratings_where_it_is_told_to():
    rating = np.array([[1000.0, 2000, 1000, 2000]])
    pairs = drawn({"kind": "closeness", "width": 10.0}, [1, 1, 9, 9], np.ones(4), 1000, rating=rating)
    assert (pairs.first % 2 == pairs.second % 2).all()
    assert (pairs.first != pairs.second).all()


@pytest.mark.parametrize("kind", ["uniform", "closeness"])
def test_chance_pairings_need_two_players(kind):
    with pytest.raises(InputError, match=f"pairing {kind}, round 7: fewer than two players are there"):
        drawn({"kind": kind, **({} if kind == "uniform" else {"by": "skill"})}, [1, 2, 3], [0, 1, 0], 5, number=7)


def laid(played, n):
    """Return the games of one replicate of some rounds: (round, first, second, score of first) each."""
    return [
        (each.moment.round, int(i), int(j), float(s))
        for each in played
        for i, j, s in zip(each.first[0], each.second[0], each.score[0], strict=True)
        if i >= 0
    ]


def all_play_once(played):
    for each in played:
        for first, second in zip(each.first, each.second, strict=True):
            there = np.concatenate([first[first >= 0], second[second >= 0]])
            assert len(np.unique(there)) == len(there)
            assert ((first < 0) == (second < 0)).all()


ONCE = ["nearest", "round-robin", "swiss", "arena", "ladder"]
KINDS = ["uniform", "closeness", "clubs", *ONCE]


@pytest.mark.parametrize("kind", ONCE)
@pytest.mark.parametrize("players", [2, 9, 12])
def test_nobody_plays_twice_a_round(kind, players):
    pairing = {"kind": kind, "byes": True} if kind == "round-robin" else kind
    played = rounds_of(pairing, players=players)
    all_play_once(played)
    games = np.array([(each.first >= 0).sum(axis=1) for each in played])
    room = players // 2
    assert games.max() == room
    if kind not in {"arena", "ladder"}:
        assert (games == room).all()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("half", [False, True])
def test_a_replicate_is_paired_alike_alone_and_in_company(kind, half):
    activity = [{"kind": "breaks", "share": 0.4, "length": 500}] if half else []
    world = League(players=12, rounds=25, pairing=pairing_of(kind), activity=activity)
    for one, all_ in zip(world.play(5, [2]), world.play(5, range(4)), strict=True):
        for name in ("first", "second", "score"):
            assert getattr(one, name)[0].tobytes() == getattr(all_, name)[2].tobytes()


def pairing_of(kind, **keys):
    return {"kind": kind, **({"clubs": 3} if kind == "clubs" else {}), **keys}


@pytest.mark.parametrize("kind", KINDS)
def test_who_is_away_does_not_play(kind):
    weight = np.array([1.0, 0, 1, 1, 0, 1, 1, 1, 1])
    rows = 3
    part = PAIRINGS.build(pairing_of(kind, **({"byes": True} if kind == "round-robin" else {})))
    luck, memory = Luck(2, range(rows)), None
    games = part.games(9, 0)
    memory = part.begin(luck, 9, games)
    seen = set()
    for number in range(30):
        pool = Pool(np.tile(weight, (rows, 1)), np.tile(np.arange(9.0) * 50, (rows, 1)), np.zeros((rows, 9)), games)
        pairs = part.pair(pool, memory, luck, Moment(number, 30, 0.0, 0.0, 1.0))
        part.learn(pairs, np.full(pairs.first.shape, 0.5), memory)
        assert ((pairs.first >= 0) == (pairs.second >= 0)).all()
        seen |= {*pairs.first.ravel().tolist(), *pairs.second.ravel().tolist()}
    assert seen - {-1} == set(np.flatnonzero(weight).tolist())


@pytest.mark.parametrize("kind", ONCE)
def test_more_games_than_pairs_are_refused(kind):
    with pytest.raises(InputError, match="per_round = 7") as error:
        League(players=12, per_round=7, pairing=kind)
    assert "6" in str(error.value)


def test_those_who_play_are_drawn_by_activity_where_there_is_less_room():
    weight = np.array([4.0, 2, 1, 1, 1, 1])
    who, count = attending(np.tile(weight, (20_000, 1)), Luck(3, range(20_000)), 0, 2)
    share = weight / weight.sum()
    chance = share[:, None] * share / (1 - share[:, None])
    np.fill_diagonal(chance, 0)
    met = np.zeros((6, 6))
    np.add.at(met, (who[:, 0], who[:, 1]), 1)
    assert fits(met, chance)
    assert (count == 2).all()


@pytest.mark.parametrize("kind", ["nearest", "ladder", "arena"])
def test_no_more_games_than_there_is_room_for(kind):
    played = rounds_of(kind, players=12, per_round=2, rounds=10)
    assert max(int((each.first >= 0).sum(axis=1).max()) for each in played) == 2


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
    place = playing._pairing["place"]
    ranks = [np.corrcoef(np.argsort(np.argsort(-s)), p)[0, 1] for s, p in zip(playing.skill, place, strict=True)]
    assert np.mean(ranks) > 0.85


@pytest.mark.parametrize("across", ["any", "next"])
@pytest.mark.parametrize("bridges", [0.0, 0.02, 0.5, 1.0])
def test_clubs_have_their_share_of_bridges(across, bridges):
    n, games = 23, 40_000
    pairs = drawn({"kind": "clubs", "clubs": 5, "bridges": bridges, "across": across}, np.zeros(n), np.ones(n), games)
    a, b = pairs.first[0] % 5, pairs.second[0] % 5
    assert (pairs.first != pairs.second).all()
    between = (a != b).sum()
    assert abs(between - bridges * games) <= 4.5 * math.sqrt(games * bridges * (1 - bridges))
    if across == "next":
        assert set(((a - b) % 5).tolist()) <= {0, 1, 4}
    elif bridges:
        assert set(((a - b) % 5).tolist()) == ({0, 1, 2, 3, 4} if bridges < 1 else {1, 2, 3, 4})


def test_clubs_meet_by_activity():
    weight, clubs = np.array([1.0, 2, 0.5, 3, 1, 0, 1]), np.arange(7) % 2
    met = counts(drawn({"kind": "clubs", "clubs": 2, "bridges": 0.3}, np.zeros(7), weight, 60_000), 7)
    same = clubs[:, None] == clubs
    np.fill_diagonal(same, val=False)
    within, between = same * weight, (clubs[:, None] != clubs) * weight
    law = 0.7 * within / within.sum(axis=1, keepdims=True) + 0.3 * between / between.sum(axis=1, keepdims=True)
    law *= (weight / weight.sum())[:, None]
    assert fits(met, (law + law.T) / 2)


def test_a_club_with_one_player_there_meets_others():
    weight = np.array([1.0, 1, 0, 1, 0, 1])  # clubs of 0 2 4 and 1 3 5
    pairs = drawn({"kind": "clubs", "clubs": 2, "bridges": 0.0}, np.zeros(6), weight, 3000)
    lone = (pairs.first == 0) | (pairs.second == 0)
    assert lone.sum() == pytest.approx(750, abs=5 * math.sqrt(750))
    weight[0] = 0
    pairs = drawn({"kind": "clubs", "clubs": 2, "bridges": 1.0}, np.zeros(6), weight, 300)
    assert set(pairs.first.ravel().tolist()) == {1, 3, 5}


def test_clubs_need_two_players_each():
    with pytest.raises(InputError, match="10 clubs of 12 players; expected two players a club at least"):
        League(players=12, pairing={"kind": "clubs", "clubs": 10})


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "games.csv"
    rows = ["A,B,1,0", "C,A,0,1", "B,C,0.5,1", "D,A,1,7", "B,D,0,8", "C,D,1,9", "A,B,1,10"]
    path.write_text("first,second,score,time\n" + "\n".join(rows) + "\n", encoding="utf-8")
    return str(path)


WHO = [(0, 1), (2, 0), (1, 2), (3, 0), (1, 3), (2, 3), (0, 1)]


def test_a_schedule_is_that_of_its_file(file):
    played = rounds_of({"kind": "schedule", "file": file}, players=4, rounds=4, replicates=range(2))
    assert [(r, i, j) for r, i, j, _ in laid(played, 4)] == [(k // 2, *pair) for k, pair in enumerate(WHO)]
    assert (played[1].first[0] == played[1].first[1]).all()
    by_time = rounds_of({"kind": "schedule", "file": file, "by": "time"}, players=4, rounds=4, per_round=3)
    assert [(r, i, j) for r, i, j, _ in laid(by_time, 4)] == [
        (r, *pair) for r, pair in zip((0, 0, 0, 2, 3, 3, 3), WHO, strict=True)
    ]


def test_a_schedule_takes_a_column_map_and_can_be_shared(file):
    pairing = {"kind": "schedule", "file": file, "columns": {"first": "second", "second": "first"}}
    stream = League(players=6, rounds=4, pairing=pairing, shared=True).simulate(1, replicates=2)
    assert len(stream) == 14
    pairs = list(zip(stream.first[::2].tolist(), stream.second[::2].tolist(), strict=True))
    assert pairs == [(0, 1), (1, 2), (2, 0), (1, 3), (3, 0), (3, 2), (0, 1)]  # numbered B, A, C, D


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"players": 3}, "players = 3; expected at least the 4"),
        ({"players": 4, "rounds": 2}, "2 rounds of 2 games have no room for the 7"),
        ({"players": 4, "rounds": 2, "by": "time"}, "a round with 4 of the games"),
        ({"players": 4, "columns": {"frist": "x"}}, "did you mean 'first'"),
        ({"players": 4, "file": "nowhere.csv"}, "nowhere.csv"),
    ],
)
def test_schedules_without_room_are_refused_in_one_line(file, keys, said):
    pairing = {"kind": "schedule", "file": file, **{k: v for k, v in keys.items() if k in {"by", "columns", "file"}}}
    with pytest.raises(InputError, match=said) as error:
        rounds_of(pairing, **{k: v for k, v in keys.items() if k in {"players", "rounds"}})
    assert "\n" not in str(error.value)
