"""The laws of all pairings, and of those by chance: who meets whom, and how often."""

import math

import numpy as np
import pytest
from pairing_rounds import counts, drawn, fits, rounds_of

from ratesim.errors import InputError
from ratesim.rng import Luck
from ratesim.worlds import League
from ratesim.worlds.base import PAIRINGS, Moment, Pool
from ratesim.worlds.pairings.present import attending


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


def test_a_player_with_all_the_activity_meets_the_others_by_theirs():
    weight = np.array([1e-12, 1, 2e-12, 1e-12])  # to draw again until two differ would take 10^11 draws a game
    chance = np.zeros((4, 4))
    chance[1], chance[:, 1] = weight / 4e-12 / 2, weight / 4e-12 / 2
    chance[1, 1] = 0
    assert fits(counts(drawn("uniform", np.zeros(4), weight, 20_000), 4), chance)
    clubs = {"kind": "clubs", "clubs": 2, "bridges": 0.3}
    weight = np.array([1, 2, 1e-20, 3e-20, 2e-20])  # of clubs 0 2 4 and 1 3; a sum has no room for the small ones
    chance = np.zeros((5, 5))
    chance[0] = 0.7 / 3 * np.array([0, 0, 1 / 3, 0, 2 / 3])
    chance[1] = 0.7 * 2 / 3 * np.array([0, 0, 0, 1, 0])
    chance[0, 1], chance[1, 0] = 0.3 / 3, 0.3 * 2 / 3
    assert fits(counts(drawn(clubs, np.zeros(5), weight, 20_000), 5), (chance + chance.T) / 2)


def test_clubs_need_two_players_each():
    with pytest.raises(InputError, match="10 clubs of 12 players; expected two players a club at least"):
        League(players=12, pairing={"kind": "clubs", "clubs": 10})
