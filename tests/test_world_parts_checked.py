"""Parts that others write: what they give that cannot be is refused in one line, which says whose it is."""

import re
from typing import Literal

import numpy as np
import pytest

from ratesim.errors import InputError
from ratesim.jit import kernel
from ratesim.worlds import League
from ratesim.worlds.base import Activity, Chances, Change, Outcomes, Pairing, Pairs, Skills, Stress
from ratesim.worlds.laws import Law
from ratesim.worlds.outcomes.logistic import Logistic
from ratesim.worlds.pairings.round_robin import RoundRobin
from ratesim.worlds.performing import Performances

SIZE = {"players": 6, "rounds": 4, "days": 40}  # M = 3
NAN, INF = float("nan"), float("inf")


class Told(Outcomes):
    kind: Literal["told"] = "told"
    expected: str = "0.5"  # as text: specs take no nan
    share: str = "0"
    since: int = 0

    def chances(self, meeting, memory, luck, moment):
        expected, share = (float(self.expected), float(self.share)) if moment.round >= self.since else (0.5, 0.0)
        return Chances(np.full(meeting.gap.shape, expected), np.full(meeting.gap.shape, share))


class ByLaw(Outcomes):
    kind: Literal["by-law"] = "by-law"
    expected: str = "0.5"  # as text: specs take no nan
    share: str = "0"

    @property
    def law(self):
        return Law(constant, (float(self.expected), float(self.share)), "outcomes of a test")


@kernel
def constant(gap, level, p):
    return p[0], p[1]


class Same(Outcomes):
    """NaN where a player meets themselves, as the place of no game does."""

    kind: Literal["same"] = "same"

    @property
    def law(self):
        return Law(uneven, (), "outcomes of different players")


@kernel
def uneven(gap, level, p):
    return (0.5, 0.0) if gap != 0.0 else (np.nan, 0.0)


def part(family, **methods):
    """Return a part of a kind that is called odd, with such methods."""
    namespace = {"__module__": __name__, "__annotations__": {"kind": Literal["odd"]}, "kind": "odd", **methods}
    return type("Odd", (family,), namespace)()


def refused(line, **parts):
    with pytest.raises(InputError) as caught:
        League(**{**SIZE, **parts}).simulate(seed=1)
    assert str(caught.value) == line
    assert "\n" not in line
    return caught.value


CHANCES = [
    (NAN, 0.0, "expected score nan of first; expected a number from 0 to 1"),
    (1.2, 0.0, "expected score 1.2 of first; expected a number from 0 to 1"),
    (-0.1, 0.0, "expected score -0.1 of first; expected a number from 0 to 1"),
    (INF, 0.0, "expected score inf of first; expected a number from 0 to 1"),
    (0.5, NAN, "probability nan of a draw; expected a number from 0 to 1"),
    (0.9, 0.6, "probabilities of win, draw and loss 0.6, 0.6, -0.2; expected none below 0"),
    (0.1, 0.6, "probabilities of win, draw and loss -0.2, 0.6, 0.6; expected none below 0"),
    (0.5, -0.2, "probabilities of win, draw and loss 0.6, -0.2, 0.6; expected none below 0"),
]


@pytest.mark.parametrize(("expected", "share", "line"), CHANCES)
def test_chances_that_cannot_be(expected, share, line):
    refused(f"outcomes told, round 2: {line}", outcomes=Told(expected=str(expected), share=str(share), since=2))
    refused(f"outcomes by-law, round 0: {line}", outcomes=ByLaw(expected=str(expected), share=str(share)))
    stepwise = ByLaw(expected=str(expected), share=str(share))
    refused(f"outcomes by-law, round 0: {line}", outcomes=stepwise, stress=(part(Stress),))


def test_a_law_is_looked_at_even_where_nobody_asks_for_the_truth():
    with pytest.raises(InputError, match="expected score nan of first"):
        list(League(**SIZE, outcomes=ByLaw(expected="nan")).play(1, [0], truth=False))


@pytest.mark.parametrize("share", [-1e-13, 0.6 + 1e-13])
def test_rounding_is_no_mistake(share):
    for kind in (Told, ByLaw):
        assert len(League(**SIZE, outcomes=kind(expected="0.3", share=str(share))).simulate(seed=1)) == 12


@pytest.mark.parametrize("share", [-1e-11, 0.6 + 1e-11])
def test_more_than_rounding_is_one(share):
    for kind in (Told, ByLaw):
        with pytest.raises(InputError, match="expected none below 0"):
            League(**SIZE, outcomes=kind(expected="0.3", share=str(share))).simulate(seed=1)


def test_chances_mean_nothing_where_there_is_no_game():
    def none_in_places_of_none(self, meeting, memory, luck, moment):
        return Chances(np.where(meeting.first >= 0, 0.5, np.nan), np.zeros(meeting.gap.shape))

    def all_but_one(self, pool, memory, luck, moment):
        first = np.tile(np.array([0, 2, -1], np.int32), (len(luck), 1))
        return Pairs(first, np.where(first >= 0, first + 1, -1).astype(np.int32))

    pairing = part(Pairing, pair=all_but_one)
    for outcomes in (part(Outcomes, chances=none_in_places_of_none), Same()):
        games = League(**SIZE, outcomes=outcomes, pairing=pairing).simulate(seed=1, replicates=2)
        assert len(games) == 2 * 4 * 2
        assert (games.truth == 0.5).all()
    even = part(Skills, draw=giving(np.zeros((2, 6))[:1]))
    refused(
        "outcomes same, round 0: expected score nan of first; expected a number from 0 to 1",
        outcomes=Same(), pairing=pairing, skills=even,
    )  # fmt: skip


@pytest.mark.parametrize("value", [NAN, INF, -INF])
def test_skills_that_are_none(value):
    def drawn(self, luck, players):
        return np.full((len(luck), players), value)

    def stepped(self, skill, age, memory, luck, moment):
        skill[:, 2:4] += value if moment.round == 3 else 1.0

    def begun(self, skill, age, luck, moment):
        skill[0, 0] = value
        return {}

    def strengthened(self, strength, memory, moment):
        strength[:, 1] = value

    said = "rating points, a finite number"
    refused(f"skills odd, round 0: skill {value:g} of 6 of 6 players; expected {said}", skills=part(Skills, draw=drawn))
    line = f"change of skill odd, round 3: skill {value:g} of 2 of 6 players; expected {said}"
    refused(line, changes=(part(Change, step=stepped),))
    line = f"change of skill odd, round 0: skill {value:g} of 1 of 6 players; expected {said}"
    refused(line, changes=(part(Change, begin=begun),))
    line = f"stress odd, round 0: skill {value:g} of 1 of 6 players; expected {said}"
    refused(line, stress=(part(Stress, strengthen=strengthened),))


def test_infinities_that_cancel_are_seen_and_a_sum_that_overflows_is_none():
    def drawn(self, luck, players):
        return np.tile([INF, -INF, 0.0, 0.0, 0.0, 0.0], (len(luck), 1))

    def huge(self, luck, players):
        return np.full((len(luck), players), 1e308)

    line = "skills odd, round 0: skill inf of 2 of 6 players; expected rating points, a finite number"
    refused(line, skills=part(Skills, draw=drawn))
    assert len(League(**SIZE, skills=part(Skills, draw=huge), outcomes=Told()).simulate(seed=1)) == 12


def giving(value):
    return lambda *_: value


SHAPES = [
    ("skills", Skills, "draw", np.zeros(6), "skills odd, round 0: skill is an array (6,); expected an array (1, 6)"),
    ("skills", Skills, "draw", [0.0], "skills odd, round 0: skill is a list; expected an array (1, 6)"),
    (
        "skills",
        Skills,
        "draw",
        np.full((1, 6), "1500"),
        "skills odd, round 0: skill is an array of <U4; expected numbers",
    ),
    (
        "activity",
        Activity,
        "weight",
        np.ones((1, 5)),
        "activity odd, round 0: weight is an array (1, 5); expected an array (1, 6), or 1 for either",
    ),
    (
        "activity",
        Activity,
        "begin",
        {"arrives": np.zeros(6)},
        "activity odd, round 0: arrives is an array (6,); expected an array (1, 6), or 1 for either",
    ),
    (
        "activity",
        Activity,
        "begin",
        {"leaves": np.full((1, 6), NAN)},
        "activity odd, round 0: leaves has nan in it; expected days",
    ),
    (
        "pairing",
        Pairing,
        "pair",
        Pairs(np.zeros((1, 2), np.int32), np.ones((1, 2), np.int32)),
        "pairing odd, round 0: first is an array (1, 2); expected an array (1, 3)",
    ),
    (
        "pairing",
        Pairing,
        "pair",
        Pairs(np.zeros((1, 3)), np.ones((1, 3))),
        "pairing odd, round 0: first is an array of float64; expected whole numbers",
    ),
    ("pairing", Pairing, "pair", None, "pairing odd, round 0: a NoneType; expected Pairs(first, second)"),
    (
        "outcomes",
        Outcomes,
        "chances",
        Chances(np.full((1, 3), 0.5), np.zeros(3)),
        "outcomes odd, round 0: draw is an array (3,); expected an array (1, 3)",
    ),
    (
        "outcomes",
        Outcomes,
        "chances",
        (np.full((1, 3), 0.5),),
        "outcomes odd, round 0: a tuple; expected Chances(expected, draw)",
    ),
    (
        "stress",
        Stress,
        "who",
        np.zeros((6, 1), bool),
        "stress odd, round 0: who is an array (6, 1); expected an array (1, 6)",
    ),
    ("stress", Stress, "begin", None, "stress odd, round 0: begin gives a NoneType; expected a dictionary, such as {}"),
]
ALSO = {"activity": {"weight": giving(np.ones((1, 1)))}}


@pytest.mark.parametrize(("key", "family", "method", "value", "line"), SHAPES)
def test_arrays_of_the_wrong_shape(key, family, method, value, line):
    odd = part(family, **{**ALSO.get(key, {}), method: giving(value)})
    refused(line, **{key: (odd,) if key in ("activity", "stress") else odd})


@pytest.mark.parametrize("chance", [-1.0, NAN, INF])
def test_chances_to_play_that_are_none_are_told_of_the_part_that_gives_them(chance):
    def weight(self, memory, luck, moment):
        return np.full((1, 1), chance if moment.round == 1 else 1.0)

    line = f"activity odd, round 1: a chance of {chance:g} to play; expected a finite number, at least 0"
    refused(line, activity=("zipf", part(Activity, weight=weight)))


def test_performances_of_the_wrong_shape():
    given = giving(Performances(np.zeros((1, 3)), np.zeros((3, 1))))
    line = "outcomes odd, round 0: second is an array (3, 1); expected an array (1, 3)"
    refused(line, outcomes=part(Logistic, performances=given), performances=True)


@pytest.mark.parametrize(("one", "other"), [(0, 6), (-2, 3), (4, 4), (-1, 2), (2**32 + 1, 2)])
def test_players_that_there_are_not(one, other):
    pairs = Pairs(np.array([[0, one, -1]]), np.array([[1, other, -1]]))
    said = f"player {one} meets player {other}; expected two players from 0 to 5, or -1 and -1 for no game"
    refused(f"pairing odd, round 0: {said}", pairing=part(Pairing, pair=giving(pairs)))


def test_foul_play_that_cannot_be():
    def doubled(self, pairs, score, chances, memory, luck, moment):
        score[:] = 2.0

    def unmatched(self, pairs, score, chances, memory, luck, moment):
        chances.expected[:] = 3.0

    def astray(self, pairs, weight, memory, luck, moment):
        pairs.second[:] = 17

    refused("stress odd, round 0: score 2; expected 0, 0.5 or 1", stress=(part(Stress, settle=doubled),))
    line = "stress odd, round 0: expected score 3 of first; expected a number from 0 to 1"
    refused(line, stress=(part(Stress, settle=unmatched),))
    with pytest.raises(InputError, match=r"^stress odd, round 0: player \d meets player 17; expected two players"):
        League(**SIZE, stress=(part(Stress, pair=astray),)).simulate(seed=1)


def fails(self, *args):
    return {}["nothing\nof the kind"]


STRESSED = ("begin", "strengthen", "pair", "settle", "learn", "who")
FAILING = [
    ("skills", Skills, "draw", "skills odd, round 0"),
    ("changes", Change, "begin", "change of skill odd, round 0"),
    ("changes", Change, "step", "change of skill odd, round 1"),
    ("activity", Activity, "begin", "activity odd, round 0"),
    ("activity", Activity, "weight", "activity odd, round 0"),
    ("activity", Activity, "closed", "activity odd, round 0"),
    ("pairing", RoundRobin, "begin", "pairing odd, round 0"),
    ("pairing", RoundRobin, "pair", "pairing odd, round 0"),
    ("pairing", RoundRobin, "learn", "pairing odd, round 0"),
    ("outcomes", Logistic, "begin", "outcomes odd, round 0"),
    ("outcomes", Outcomes, "chances", "outcomes odd, round 0"),
    *(("stress", Stress, name, "stress odd, round 0") for name in STRESSED),
]


@pytest.mark.parametrize(("key", "family", "method", "place"), FAILING)
def test_whatever_a_part_raises_is_said_in_one_line(key, family, method, place):
    odd = part(family, **{**ALSO.get(key, {}), method: fails})
    one = key in ("skills", "pairing", "outcomes")
    error = refused(f"{place}: KeyError: 'nothing\\nof the kind'", **{key: odd if one else (odd,)})
    assert isinstance(error.__cause__, KeyError)


def test_long_and_empty_texts_of_errors():
    def long(self, luck, players):
        raise ValueError("one\ntwo " + "word " * 1000)

    def law(self):
        raise RuntimeError("no law")

    error = refused("outcomes odd, round 0: NotImplementedError", outcomes=part(Outcomes))
    assert isinstance(error.__cause__, NotImplementedError)
    refused("outcomes odd, round 0: RuntimeError: no law", outcomes=part(Outcomes, law=property(law)))
    with pytest.raises(InputError, match=r"^skills odd, round 0: ValueError: one two word [a-z ]*\.\.\.$") as caught:
        League(**SIZE, skills=part(Skills, draw=long)).simulate(seed=1)
    assert len(str(caught.value)) < 340


def test_what_a_part_refuses_itself_stays_as_it_said_it():
    def refuse(self, luck, players):
        raise InputError("too many", where="mine", expected="fewer")

    refused("mine: too many; expected fewer", skills=part(Skills, draw=refuse))


@pytest.mark.parametrize("seed", [1.5, "a", None, True, NAN, -1])
def test_seeds_that_are_none(seed):
    line = f"seed = {seed!r}; expected a whole number, at least 0"
    with pytest.raises(InputError, match=f"^{re.escape(line)}$"):
        League(**SIZE).simulate(seed=seed)


def test_seeds_of_numpy_are_seeds():
    one, other = (League(**SIZE).simulate(seed=seed) for seed in (7, np.int64(7)))
    assert one.score.tobytes() == other.score.tobytes()
