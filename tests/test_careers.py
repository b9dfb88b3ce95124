"""What a start table says of careers, and what `Fide` makes of it: measured by replays of one game."""

from datetime import date

import pytest

import ratesim as rs

pytestmark = pytest.mark.interpreted
NOVEMBER = date(2025, 11, 10)


def k_of(policy=None, *, system=None, day=NOVEMBER, **known):
    """K of a player who beats an equal: twice the change."""
    rating = known.setdefault("rating", 1900)
    games = rs.GameStream.of(first=["A"], second=["B"], score=[1], time=[day])
    other = dict.fromkeys(known, None) | {"rating": rating, "games": 50, "peak": rating, "born": 1970}
    run = rs.replay(system or rs.FideElo(), games, policy=policy or rs.Fide(), start={"A": known, "B": other})
    return 2 * (run.ratings()["rating"][0] - rating)


@pytest.mark.parametrize(
    ("known", "k"),
    [
        ({"rating": 2380, "games": 500, "peak": 2400, "born": 1980}, 10),
        ({"rating": 2380, "games": 500, "peak": 2399, "born": 1980}, 20),
        ({"rating": 2380, "k": 10, "born": 1980}, 10),
        ({"rating": 2380, "k": 20, "born": 1980}, 20),
        ({"rating": 2200, "k": 20, "born": 2009}, 20),  # a junior with 20 was published at 2300
        ({"rating": 2200, "games": 10, "k": 40, "born": 1980}, 40),
        ({"rating": 2200, "games": 29, "k": 40, "born": 2010}, 40),
    ],
)
def test_games_and_peak_or_the_published_k_say_it(known, k):
    assert k_of(**known) == k


@pytest.mark.parametrize(
    ("known", "said"),
    [
        (
            {"rating": 1900},
            "K of A depends on games and peak, which the table does not say; expected columns games, peak",
        ),
        ({"games": 50, "born": 1980}, "K of A depends on peak"),
        (
            {"k": 40, "born": 1980},
            "K of A depends on games, which the table does not say; expected column games beside",
        ),
        ({"k": 25, "born": 1980}, "start, column k: K 25 of A; expected 40, 20 or 10"),
    ],
)
def test_a_start_that_lacks_what_k_depends_on_is_refused(known, said):
    with pytest.raises(rs.InputError) as error:
        k_of(**known)
    assert said in str(error.value)


def test_birth_years_are_asked_for_though_one_may_be_unknown():
    games = rs.GameStream.of(first=["A"], second=["B"], score=[1], time=[NOVEMBER])
    start = {who: {"rating": 1900, "games": 10, "peak": 1900} for who in "AB"}
    with pytest.raises(rs.InputError, match="K of A depends on born, which the table does not say"):
        rs.replay(rs.FideElo(), games, start=start)
    assert k_of(games=50, peak=1900, born=None) == 20


def test_unless_it_is_to_be_assumed():
    assume = rs.Fide(assume=True)
    assert k_of(assume) == 20
    assert k_of(assume, rating=2400) == 10
    assert k_of(assume, k=40) == 40
    assert k_of(assume, born=2010) == 40


def test_where_everybody_has_one_k_it_says_nothing():
    """Rapid, August 2022: K is 20 for all; from October on it goes by games, and 30 are assumed, not none."""
    system, assume = rs.FideElo(list="rapid", rules="as-of"), rs.Fide(assume=True)
    for known in ({}, {"k": 20}):
        start = {who: {"rating": 1800, **known} for who in "AB"}
        times = [date(2022, 8, 10), date(2022, 10, 10)]
        games = rs.GameStream.of(first=["A", "A"], second=["B", "B"], score=[1, 1], time=times, event=["a", "b"])
        run = rs.replay(system, games, policy=assume, start=start)
        assert run.ratings()["rating"].to_list() == [1820 - 1, 1780 + 1]  # K 20, then K 20 at .47
    with pytest.raises(rs.InputError, match="depends on games and peak"):
        rs.replay(system, games, start={who: {"rating": 1800, "k": 20, "born": 1980} for who in "AB"})


def test_steps_of_ones_own_need_more_than_a_published_k():
    own = rs.Fide(games=50)
    with pytest.raises(rs.InputError, match="depends on games and peak"):
        k_of(own, k=20, born=1980)
    assert k_of(own, games=49, peak=1900, born=1980) == 40
    assert k_of(own, games=50, peak=1900, born=1980) == 20


def test_lanes_read_a_start_each_by_its_own_rules():
    start = {who: {"rating": 1800, "k": 20, "born": 1980} for who in "AB"}
    games = rs.GameStream.of(first=["A"], second=["B"], score=[1], time=[date(2025, 11, 10)])
    system = rs.FideElo(start=1500, floor="none")
    policies = [rs.Fide(rules=day, list="rapid", assume=True) for day in ("2021-01-01", "2023-01-01", "2025-01-01")]
    together = rs.replay_many([(system, policy) for policy in policies], games, start=start)
    for run, policy in zip(together, policies, strict=True):
        alone = rs.replay(system, games, policy=policy, start=start)
        assert run.ratings().rows() == alone.ratings().rows()
    old = rs.Fide(rules="2013-01-01")
    for pairs in ([rs.Fide(), old], [old, rs.Fide()]):
        with pytest.raises(rs.InputError, match="K 20 of A; expected 30, 15 or 10"):
            rs.replay_many([(system, policy) for policy in pairs], games, start=start)


def test_a_standard_rating_is_lent_to_rapid_and_no_peak_there():
    rapid = rs.FideElo(list="rapid")
    known = {"rating": None, "standard": 2450, "games": 0, "born": 1980}
    start = dict.fromkeys("AB", known)
    games = rs.GameStream.of(first=["A"], second=["B"], score=[1], time=[NOVEMBER])
    assert rs.replay(rapid, games, start=start).ratings()["rating"].to_list() == [2470, 2430]  # K 40: new to the list
    zero = {who: {**known, "rating": 0} for who in "AB"}
    assert rs.replay(rapid, games, start=zero).ratings()["rating"].to_list() == [2470, 2430]
    with pytest.raises(rs.InputError, match="nobody is rated"):
        rs.replay(rs.FideElo(), games, start=start)


@pytest.mark.parametrize("rating", [1500.5, -1, 4001])
def test_a_rating_that_none_has_is_named_with_its_player(rating):
    with pytest.raises(rs.InputError) as error:
        k_of(rating=rating, games=50, peak=2000, born=1980)
    assert str(error.value) == f"start, A: rating {rating:g}; expected a whole number from 0 to 4000"
