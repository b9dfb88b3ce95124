"""Foul play: what it does, to whom, and that all others are left as they are, to the last bit.

Random tests allow 5 standard errors: one run in a million would fail by chance.
"""

import math

import numpy as np
import pytest

from ratesim.errors import InputError
from ratesim.rng import Luck
from ratesim.worlds import League
from ratesim.worlds.base import STRESSES, Moment, Pairs
from ratesim.worlds.chosen import shuffled

SEED, PLAYERS, ROUNDS = 6, 40, 60
SIGMAS = 5
KINDS = ["boosting", "engine", "farming", "ring", "sandbagging"]


def league(*stress, **values):
    given = {"players": PLAYERS, "rounds": ROUNDS, "per_round": 30, "days": 600, "performances": True}
    return League(**{**given, "outcomes": {"kind": "logistic", "draw": 0.6}, "stress": stress, **values})


def place(number=0, replicate=0):
    """Return the place of each player in the random order of a stress."""
    return shuffled(Luck(SEED, [replicate]).under(f"stress {number}"), "who", PLAYERS)[0]


def both(*stress, **values):
    """Return the games with and without stress, of a world whose pairing has no holes."""
    return league(*stress, **values).simulate(SEED), league(**values).simulate(SEED)


def assert_same(one, other, games):
    for name, column in one.columns():
        np.testing.assert_array_equal(column[games], getattr(other, name)[games], err_msg=name)


def during(games, since, until):
    """Return games of rounds that open between two days."""
    opens = np.floor(games.time / 10 + 1e-9) * 10
    return (opens >= since) & (opens < until)


def test_every_kind_is_here():
    assert sorted(STRESSES.kinds()) == KINDS


def test_sandbaggers_play_below_their_skill_and_then_at_it():
    games, fair = both({"kind": "sandbagging", "count": 5, "points": 250.0, "since": 100, "until": 400})
    who = place() < 5
    assert who.sum() == 5
    now = during(games, 100, 400)
    involved = who[games.first] | who[games.second]
    assert (now & involved).sum() > 100
    assert_same(games, fair, ~(now & involved))
    gap = games.skill_first - games.skill_second - 250 * now * (1.0 * who[games.first] - who[games.second])
    np.testing.assert_allclose(games.truth, 1 / (1 + 10 ** (-gap / 400)), rtol=1e-12)
    np.testing.assert_array_equal(games.skill_first, fair.skill_first)
    shown = np.where(who[games.first], games.performance_first - fair.performance_first, 0)
    np.testing.assert_allclose(shown, -250 * (now & who[games.first]), atol=1e-9)
    bag, honest = (now & who[each] for each in (games.first, games.second))
    alone = bag & ~honest
    sd = math.sqrt((games.truth[alone] * (1 - games.truth[alone])).sum())
    assert abs((games.score[alone] - games.truth[alone]).sum()) < SIGMAS * sd


def test_an_engine_plays_for_whoever_is_weaker_than_it():
    games, fair = both({"kind": "engine", "count": 3, "strength": 1700.0, "since": 300})
    who = place() < 3
    now = during(games, 300, math.inf)
    assert_same(games, fair, ~(now & (who[games.first] | who[games.second])))
    strong = [
        np.where(now & who[side], np.maximum(skill, 1700), skill)
        for side, skill in ((games.first, games.skill_first), (games.second, games.skill_second))
    ]
    assert (strong[0] != games.skill_first).sum() > 20
    np.testing.assert_allclose(games.truth, 1 / (1 + 10 ** (-(strong[0] - strong[1]) / 400)), rtol=1e-12)


def test_an_engine_is_used_in_a_share_of_rounds():
    games, fair = both({"kind": "engine", "count": 10, "strength": 5000.0, "share": 0.3}, rounds=300)
    who = place() < 10
    one = who[games.first] != who[games.second]
    used = (games.truth != fair.truth)[one]
    at = np.where(who[games.first], games.first, games.second)[one] * 1000 + np.round(games.time[one] // 2).astype(int)
    rounds, index = np.unique(at, return_index=True)
    for r, k in zip(rounds, index, strict=True):  # all games of a player in a round, or none
        assert (used[at == r] == used[k]).all()
    assert abs(used[index].mean() - 0.3) < SIGMAS * math.sqrt(0.21 / len(index))


@pytest.mark.parametrize("block", [1, 4])
def test_farmers_lose_and_play_in_turn(block):
    games, fair = both({"kind": "farming", "count": 4, "block": block, "since": 100, "until": 500})
    who, now = place() < 4, during(games, 100, 500)
    count, thrown = np.zeros(PLAYERS, int), np.zeros(len(games), bool)
    for g in np.flatnonzero(now):
        i, j = games.first[g], games.second[g]
        down = [who[x] and count[x] // block % 2 == 0 for x in (i, j)]
        count[[i, j]] += who[[i, j]]
        if any(down):
            thrown[g] = True
            assert games.score[g] == games.truth[g] == (0 if down[0] else 1)
            less = np.subtract(games.performance_first[g], fair.performance_first[g])
            assert less <= 0 if down[0] else less >= 0
    assert thrown.sum() > 50
    assert_same(games, fair, ~thrown)
    for name in ("first", "second", "time", "skill_first", "skill_second"):
        np.testing.assert_array_equal(getattr(games, name), getattr(fair, name))


def test_what_is_lost_on_purpose_looks_like_a_lost_game():
    stress = {"kind": "farming", "count": 20, "block": 1000}
    games, fair = both(stress, outcomes={"kind": "logistic"}, rounds=300)
    np.testing.assert_array_equal(games.performance_first > games.performance_second, games.score == 1)
    thrown = (games.truth == 0) | (games.truth == 1)
    lost_anyway = thrown & (games.score == fair.score)
    assert lost_anyway.sum() > 100
    np.testing.assert_array_equal(games.performance_first[lost_anyway], fair.performance_first[lost_anyway])


def test_a_ring_plays_only_itself():
    games, fair = both({"kind": "ring", "count": 5, "since": 200, "until": 500})
    who, now = place() < 5, during(games, 200, 500)
    mine, theirs = who[games.first], who[games.second]
    np.testing.assert_array_equal(mine[now], theirs[now])
    assert (games.first != games.second).all()
    kept = (who[fair.first] == who[fair.second]) | ~now
    np.testing.assert_array_equal(games.time, fair.time)
    assert_same(games, fair, kept)
    changed = ~kept
    assert changed.sum() > 50
    stays = np.where(who[fair.first], fair.first == games.first, fair.second == games.second)
    assert stays[changed].all()
    other = np.where(who[fair.first], games.second, games.first)[changed]
    member = np.where(who[fair.first], games.first, games.second)[changed]
    pairs = np.zeros((PLAYERS, PLAYERS))
    np.add.at(pairs, (member, other), 1)
    expected = pairs.sum(axis=1, keepdims=True) / 4 * (who[None, :] & ~np.eye(PLAYERS, dtype=bool))
    assert (np.abs(pairs - expected) <= SIGMAS * np.sqrt(expected * 0.75) + 1e-9).all()
    np.testing.assert_allclose(
        games.truth, 1 / (1 + 10 ** (-(games.skill_first - games.skill_second) / 400)), rtol=1e-12
    )


def test_a_ring_loses_to_those_it_favours():
    games = league({"kind": "ring", "count": 6, "favoured": 2}).simulate(SEED)
    where = place()
    mine, theirs = where[games.first], where[games.second]
    inside, winner = mine < 6, (mine < 2) != (theirs < 2)
    assert inside.any()
    lost = inside & winner
    np.testing.assert_array_equal(games.score[lost], mine[lost] < 2)
    np.testing.assert_array_equal(games.truth[lost], mine[lost] < 2)
    fair_ones = ~lost
    truth = 1 / (1 + 10 ** (-(games.skill_first - games.skill_second) / 400))
    np.testing.assert_allclose(games.truth[fair_ones], truth[fair_ones], rtol=1e-12)


def test_nobody_who_is_away_is_brought_in():
    ring = STRESSES.build({"kind": "ring", "count": 4})
    luck, moment = Luck(2, [0, 1]), Moment(0, 1, 0.0, 0.0, 10.0)
    memory = ring.begin(luck, 12)
    weight = np.ones((2, 12))
    members = [np.flatnonzero(memory["place"][r] < 4) for r in (0, 1)]
    outsider = [int(np.flatnonzero(memory["place"][r] >= 4)[0]) for r in (0, 1)]
    weight[0, members[0][2:]] = 0
    weight[1, members[1][1:]] = 0
    pairs = Pairs(*(np.array([[x[0]] * 50 for x in side], np.int32) for side in (members, [[o] for o in outsider])))
    ring.pair(pairs, weight, memory, luck, moment)
    assert (pairs.second[0] == members[0][1]).all()
    assert (pairs.first[0] == members[0][0]).all()
    assert (pairs.first[1] == -1).all()
    assert (pairs.second[1] == -1).all()


def test_without_a_helper_there_a_game_stays():
    boosting = STRESSES.build({"kind": "boosting", "helpers": 3, "share": 1.0})
    luck, moment = Luck(2, [0]), Moment(0, 1, 0.0, 0.0, 10.0)
    memory = boosting.begin(luck, 12)
    order = np.argsort(memory["place"][0])
    first, second = np.full((1, 40), order[0], np.int32), np.full((1, 40), order[9], np.int32)
    weight = np.ones((1, 12))
    weight[0, order[1:4]] = 0
    boosting.pair(Pairs(first, second), weight, memory, luck, moment)
    assert (second == order[9]).all()
    weight[0, order[2]] = 1
    boosting.pair(Pairs(first, second), weight, memory, luck, moment)
    assert (second == order[2]).all()


def test_the_boosted_win_against_their_helpers():
    stress = {"kind": "boosting", "count": 2, "helpers": 3, "share": 0.4, "since": 100}
    games, fair = both(stress, rounds=600, days=6000)
    where, now = place(), during(games, 100, math.inf)
    boss = np.where(where < 8, where % 2, -1)
    boosted = where < 2
    mine, theirs = boss[games.first], boss[games.second]
    helped = now & (mine >= 0) & (mine == theirs) & (boosted[games.first] != boosted[games.second])
    np.testing.assert_array_equal(games.score[helped], boosted[games.first][helped])
    np.testing.assert_array_equal(games.truth[helped], boosted[games.first][helped])
    one = now & (boosted[fair.first] | boosted[fair.second])
    moved = (games.first != fair.first) | (games.second != fair.second)
    assert not (moved & ~one).any()
    assert helped[moved].all()
    chance = 0.4 * (1 - 1 / 39)  # the helper who is drawn may have been the opponent anyway
    assert abs(moved[one].mean() - chance) < SIGMAS * math.sqrt(chance * (1 - chance) / one.sum())
    assert_same(games, fair, ~(moved | helped))


@pytest.mark.parametrize("kind", KINDS)
def test_a_replicate_is_the_same_alone_and_cheats_differ(kind):
    world = league({"kind": kind, "count": 3}, rounds=10)
    many, alone = world.simulate(SEED, replicates=3), world.simulate(SEED, first=2)
    part = many.take(many.first // PLAYERS == 2)
    for column, whole in alone.columns():
        shift = 2 * PLAYERS if column in {"first", "second"} else 0
        np.testing.assert_array_equal(getattr(part, column), whole + shift, err_msg=column)
    assert len({tuple(place(replicate=r)[:5]) for r in range(3)}) == 3


def test_two_stresses_draw_their_own_players():
    games, fair = both({"kind": "sandbagging", "count": 4}, {"kind": "sandbagging", "count": 4, "points": 500.0})
    one, other = place(0) < 4, place(1) < 4
    assert (one != other).any()
    off = 300 * one + 500 * other
    gap = games.skill_first - games.skill_second - off[games.first] + off[games.second]
    np.testing.assert_allclose(games.truth, 1 / (1 + 10 ** (-gap / 400)), rtol=1e-12)
    np.testing.assert_array_equal(games.skill_first, fair.skill_first)


@pytest.mark.parametrize(
    ("stress", "said"),
    [
        ({"kind": "sandbaging"}, "unknown stress 'sandbaging'; did you mean 'sandbagging'?"),
        ({"kind": "ring", "count": 41}, "stress ring: 41 players of 40; expected 40 at the most, or more players"),
        ({"kind": "boosting", "count": 10, "helpers": 4}, "stress boosting: 50 players of 40"),
        ({"kind": "engine", "since": 9, "until": 3}, "until = 3, and since = 9: it would end before it begins"),
        ({"kind": "ring", "count": 3, "favoured": 3}, "favoured = 3, and count = 3: nobody is left to lose to them"),
        ({"kind": "ring", "count": 1}, "count = 1; expected a number at least 2"),
        ({"kind": "farming", "block": 0}, "block = 0; expected a number at least 1"),
    ],
)
def test_wrong_stress_is_refused_in_a_line(stress, said):
    with pytest.raises(InputError) as error:
        league(stress)
    assert said in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(("kind", "right"), [("ring", False), ("boosting", False), ("engine", True), ("farming", True)])
def test_who_changes_pairs_cannot_share_a_schedule(kind, right):
    if right:
        games = league({"kind": kind}, shared=True, rounds=3).simulate(1, replicates=2)
        one, two = (games.first[games.first // PLAYERS == r] % PLAYERS for r in (0, 1))
        np.testing.assert_array_equal(one, two)
    else:
        with pytest.raises(InputError, match=f"shared = true, and stress {kind} changes who meets whom"):
            league({"kind": kind}, shared=True)
