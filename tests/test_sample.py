"""Samples and strata against counting game by game."""

import datetime as dt
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, strategies as st

from ratesim.errors import InputError
from ratesim.sample import ALL_STRATA, Sample, Seen, days_rested, games_before, least_before, strata
from ratesim.stream import GameStream

pairs = st.lists(st.tuples(st.permutations("ABCD"), st.integers(0, 5)), min_size=1, max_size=30)


def stream(games, **columns) -> GameStream:
    return GameStream.of(
        first=[names[0] for names, _ in games],
        second=[names[1] for names, _ in games],
        score=[1.0] * len(games),
        time=[float(time) for _, time in games],
        **columns,
    )


@given(pairs)
def test_games_before_are_those_of_earlier_stamps(games):
    found = stream(games)
    names = found.players["player"].to_list()
    first, second = games_before(found)
    for g in range(len(found)):
        played = Counter(name for pair, time in games if time < found.time[g] for name in pair[:2])
        assert (first[g], second[g]) == (played[names[found.first[g]]], played[names[found.second[g]]])


@given(pairs, st.lists(st.integers(0, 3), min_size=30, max_size=30))
def test_games_count_by_their_weights(games, weights):
    """As if each stood there so many times; one of weight 0 has not been played, and is not judged."""
    weights = weights[: len(games)]
    games = sorted(games, key=lambda game: game[1])
    found = stream(games, weight=[float(w) for w in weights])
    names = found.players["player"].to_list()
    repeated = [game for game, weight in zip(games, weights, strict=True) for _ in range(weight)]
    for side, before in enumerate(games_before(found)):
        for g in range(len(found)):
            player = names[(found.first, found.second)[side][g]]
            assert before[g] == sum(player in pair[:2] for pair, time in repeated if time < found.time[g])
    assert (Sample().mask(found) == (found.weight > 0)).all()


def test_ten_tenths_of_a_game_are_one():
    games = [("ABCD", time) for time in range(11)]
    assert games_before(stream(games, weight=[0.1] * 11))[0][10] == 1
    assert Sample(burn_in=1).mask(stream(games, weight=[0.1] * 11)).tolist() == [False] * 10 + [True]


@given(pairs, st.integers(0, 6))
def test_burn_in_asks_it_of_both(games, burn_in):
    found = stream(games)
    first, second = games_before(found)
    kept = [a >= burn_in and b >= burn_in for a, b in zip(first, second, strict=True)]
    assert Sample(burn_in=burn_in).mask(found).tolist() == kept


def test_days_are_whole_and_both_ends_count():
    games = stream([("AB", t) for t in range(5)])
    sample = Sample(since=dt.date(1970, 1, 2), until="1970-01-03")
    assert sample.mask(games).tolist() == [False, True, True, False, False]
    late = GameStream.of(first=["A"], second=["B"], score=[1], time=[2.99])
    assert sample.mask(late).tolist() == [True]


def test_everything_is_judged_where_nothing_is_said():
    assert Sample().mask(stream([("AB", 0), ("AB", 1)])).all()


def test_columns_make_strata():
    games = stream([("AB", 0), ("AB", 1), ("AB", 2)], season=["y", "x", "y"], pool=["p", "p", "q"])
    found = strata(games, "season")
    assert [found.names[code] for code in found.code] == ["y", "x", "y"]
    assert strata(games, "pool").names == ("p", "q")


def test_years_are_those_of_the_calendar():
    dates = [dt.date(1872, 11, 30), dt.date(1969, 12, 31), dt.date(1970, 1, 1), dt.date(2024, 2, 29)]
    games = GameStream.of(first=["A"] * 4, second=["B"] * 4, score=[1] * 4, time=dates)
    assert strata(games, "year").names == ("1872", "1969", "1970", "2024")
    assert strata(games, "year").code.tolist() == [0, 1, 2, 3]


def test_edge_tells_neutral_games_apart():
    games = stream([("AB", 0), ("AB", 1), ("AB", 2)], edge=[1.0, 0.0, -0.5])
    assert strata(games, "edge").code.tolist() == [1, 0, 1]
    assert strata(stream([("AB", 0)]), "edge").code.tolist() == [0]


def test_experience_is_that_of_the_less_experienced():
    games = stream([("AB", t) for t in range(320)] + [("AC", 320)])
    found = strata(games, "games")
    names = [found.names[code] for code in found.code]
    assert Counter(names) == {"0-9": 11, "10-29": 20, "30-99": 70, "100-299": 200, "300+": 20}
    assert names[-1] == "0-9"
    assert least_before(games)[-2:].tolist() == [319, 0]


@given(pairs, st.lists(st.integers(0, 1), min_size=30, max_size=30))
def test_rest_is_since_the_last_game_of_an_earlier_stamp(games, weights):
    games = sorted(games, key=lambda game: game[1])
    found = stream(games, weight=[float(w) for w in weights[: len(games)]])
    names = found.players["player"].to_list()
    for side, days in enumerate(days_rested(found)):
        for g in range(len(found)):
            name = names[(found.first, found.second)[side][g]]
            counted = zip(games, weights, strict=False)
            last = [time for (pair, time), w in counted if w and name in pair[:2] and time < found.time[g]]
            assert days[g] == (found.time[g] - max(last)) if last else np.isnan(days[g])


def test_strata_by_rest_go_by_the_one_who_rested_longer():
    found = strata(stream([("AB", 0), ("AB", 7.9), ("AC", 8), ("AC", 9), ("BC", 400), ("AB", 400.5)]), "rest")
    said = ["a first game", "0-7 days", "a first game", "0-7 days", "366+ days", "366+ days"]
    assert [found.names[code] for code in found.code] == said


def test_strata_by_what_a_run_made_of_the_games():
    games = stream([("AB", t) for t in range(5)])
    gaps = np.array([0, 49.9, -50.1, 650, np.nan])
    rating = np.array([[1500, 1600, 1390, -100, np.nan], [1500, 1800, 1400, -101, 1500.0]])
    deviation = np.array([[49, 350, 20, 76, 40], [48, 30, 50, 99.9, 30.0]])
    seen = Seen(1 / (1 + 10 ** (-gaps / 400)), rating, deviation)
    names = {
        "gap": ["0 to 50", "0 to 50", "50 to 100", "600 or more", "no forecast"],
        "rating": ["1400 to 1600", "1600 to 1800", "1200 to 1400", "-200 to 0", "unrated"],
        "deviation": ["0 to 50", "300 or more", "50 to 75", "75 to 100", "0 to 50"],
    }
    for by, expected in names.items():
        found = strata(games, by, seen=seen)
        assert [found.names[code] for code in found.code] == expected
    with pytest.raises(InputError, match="strata by deviation; expected what one run made of the games, a run of a"):
        strata(games, "deviation", seen=seen._replace(deviation=None))


@pytest.mark.parametrize(
    ("by", "said"),
    [
        ("seasn", "unknown strata 'seasn'; did you mean 'season'?"),
        ("colour", f"unknown strata 'colour'; expected one of {', '.join(ALL_STRATA)}"),
        ("gap", "strata by gap; expected what one run made of the games, those that a run forecast"),
        ("season", "no column 'season'; expected one, for strata by it"),
    ],
)
def test_wrong_strata_are_one_line(by, said):
    with pytest.raises(InputError) as error:
        strata(stream([("AB", 0)]), by)
    assert str(error.value) == said


def test_a_sample_names_what_is_wrong():
    with pytest.raises(InputError, match="burn_in = -1; expected a number at least 0"):
        Sample(burn_in=-1)
    with pytest.raises(InputError, match="since"):
        Sample(since="yesterday")
