"""Any small federation, list by list, against the plain reference; and what holds of all of them."""

import math
from datetime import date, timedelta
from fractions import Fraction
from itertools import groupby

import numpy as np
import polars as pl
import pytest
from federations import LONG, day_of, federations, playing, replayed, stream_of
from hypothesis import assume, given, settings, strategies as st
from reference.fide import Federation, Game, Player, first_of, k_of, month

import ratesim as rs


def reference(players, games, which, rules):
    everybody = {name: Player() for game in games for name in (game.first, game.second)}
    return Federation(everybody | playing(players, games), which, rules).play(games)


def same(found, wanted):
    return math.isnan(found) if wanted is None else found == wanted


def agree(run, found, which, rules):
    """Every list, its K and games, the last of all and the forecasts, to the last digit."""
    months = sorted(found.lists)[1:]
    assert months
    for row in run.history([day_of(first_of(listed)) for listed in months]).iter_rows(named=True):
        listed = month(date(1970, 1, 1) + timedelta(days=row["time"]))
        player = found.lists[listed][row["player"]]
        assert same(row["rating"], player.rating), (first_of(listed), row, player)
    published = {(month(row["list"]), row["player"]): row for row in rs.rating_lists(run).iter_rows(named=True)}
    for listed in months:
        for name, player in found.lists[listed].items():
            row = published.pop((listed, name), None)
            assert (row is None) == (player.rating is None)
            if row:
                k = k_of(player, first_of(listed), rules or first_of(listed), which)
                assert (row["rating"], row["k"]) == (player.rating, k), (row, player)
    assert not published
    for row in run.ratings().iter_rows(named=True):
        player = found.lists[months[-1]][row["player"]]
        assert same(row["rating"], player.rating), (row, player)
        assert row["games"] == player.games, (row, player)
    for game, (forecast, exact) in enumerate(zip(run.forecast.tolist(), found.forecasts, strict=True)):
        assert same(forecast, None if exact is None else float(exact)), (game, forecast, exact)


def held(players, games, which, rules):
    assume(playing(players, games))
    found = reference(players, games, which, rules)
    assume(not found.crowded)  # the engine keeps four lists apart, as its Departures say
    agree(replayed(players, games, which, rules), found, which, rules)


@settings(max_examples=80)
@given(federations())
def test_any_federation(drawn):
    held(*drawn)


@pytest.mark.slow
@settings(max_examples=1000)
@given(federations())
def test_very_many_federations(drawn):
    held(*drawn)


# The rules of these dates need no events: a list is then one event of each player.
without_events = st.sampled_from([date(2008, 1, 1), date(2014, 7, 1), date(2024, 3, 1), date(2025, 10, 1)])


@settings(max_examples=20)
@given(federations(), without_events)
def test_federations_without_events(drawn, rules):
    held(drawn.players, [game._replace(event=None, start=None, rated=None) for game in drawn.games], drawn.which, rules)


def table(frame):
    """Rows that can be compared, in an order of their own."""
    return frame.with_columns(pl.col("rating").cast(pl.Float64).fill_nan(None)).sort(pl.all()).rows()


def turned(game):
    return game._replace(first=game.second, second=game.first, score=1 - game.score)


def same_lists(one, other):
    """Two runs publish the same."""
    for a, b in ((one.ratings(), other.ratings()), (rs.rating_lists(one), rs.rating_lists(other))):
        assert table(a) == table(b)


@settings(max_examples=30)
@given(federations(), st.randoms(use_true_random=False))
def test_the_order_of_the_file_and_who_stands_first_do_not_matter(drawn, chance):
    players, games, which, rules = drawn
    assume(playing(players, games))
    shuffled = [turned(game) if chance.random() < 0.5 else game for game in games]
    chance.shuffle(shuffled)
    same_lists(replayed(players, games, which, rules), replayed(players, shuffled, which, rules))


def redated(games, chance):
    """The same games of each event on each other's days."""
    new = []
    for _, together in groupby(sorted(games, key=lambda game: game.event), key=lambda game: game.event):
        event = list(together)
        days = [game.day for game in event]
        if (max(days) - min(days)).days <= LONG:
            chance.shuffle(days)
        new += [game._replace(day=day) for game, day in zip(event, days, strict=True)]
    return new


@settings(max_examples=30)
@given(federations(newcomers=False), st.randoms(use_true_random=False))
def test_the_order_of_an_events_games_does_not_matter(drawn, chance):
    players, games, which, rules = drawn
    assume(all((game.day - (game.start or game.day)).days <= LONG for game in games))
    same_lists(replayed(players, games, which, rules), replayed(players, redated(games, chance), which, rules))


@settings(max_examples=30)
@given(federations(newcomers=False), st.data())
def test_a_game_against_an_unrated_player_changes_nobodys_rating(drawn, data):
    players, games, which, rules = drawn
    hosts = data.draw(st.lists(st.sampled_from(sorted({game.first for game in games})), min_size=1, max_size=6))
    scores = data.draw(st.lists(st.sampled_from([0, 1, 2]), min_size=6, max_size=6))
    more = [
        games[-1]._replace(first=host, second=f"guest {n}", score=Fraction(scores[n], 2))
        for n, host in enumerate(hosts)
    ]  # fmt: skip
    alone, beside = replayed(players, games, which, rules), replayed(players, [*games, *more], which, rules)
    guests = pl.col("player").str.starts_with("guest")
    ratings = beside.ratings()
    assert table(ratings.filter(~guests)) == table(alone.ratings())
    assert ratings.filter(guests)["rating"].is_nan().all()
    assert all(math.isnan(forecast) for forecast in beside.forecast[-len(more) :])


@settings(max_examples=30)
@given(federations())
def test_every_list_is_of_whole_numbers(drawn):
    players, games, which, rules = drawn
    assume(playing(players, games))
    run = replayed(players, games, which, rules)
    last = max(game.day for game in games)
    ratings = run.history([day_of(last + timedelta(days=30 * n)) for n in range(6)])["rating"].drop_nans()
    assert all(rating == int(rating) and 0 < rating <= 4000 for rating in ratings.to_list())


@settings(max_examples=20)
@given(federations(apart=True), st.floats(0, 1))
def test_two_halves_are_one(tmp_path_factory, drawn, part):
    players, games, which, rules = drawn
    events = sorted({game.event for game in games})
    assume(len(events) > 1)
    halves = [[], []]
    for game in games:
        halves[events.index(game.event) > part * (len(events) - 2)].append(game)
    players = playing(players, halves[0])  # the start table is read once
    assume(players)
    whole = replayed(players, games, which, rules)
    path = tmp_path_factory.mktemp("halves") / "state.npz"
    first = replayed(players, halves[0], which, rules)
    first.save(path)
    second = rs.replay(first.system, stream_of(halves[1]), calendar=rs.Lists(), state=rs.load_state(path))
    np.testing.assert_array_equal([*first.forecast, *second.forecast], whole.forecast)
    assert table(second.ratings()) == table(whole.ratings())


@settings(max_examples=30)
@given(st.integers(1, 90), st.sampled_from([(40, 0, 1500), (20, 30, 1500), (10, 30, 2400)]))
def test_k_times_games_is_at_most_700_and_no_less_than_it_can_be(games, career):
    k, before, peak = career
    players = {"A": Player(1500, before, peak), "B": Player(1500, 30, 1500)}
    won = [Game(date(2025, 11, 3), "A", "B", Fraction(1), "match") for _ in range(2 * games)]  # half a point each
    gained = replayed(players, won, rules=date(2025, 10, 1)).ratings().rows_by_key("player", unique=True)["A"][0] - 1500
    used = Fraction(int(gained), games)
    assert used == int(used)
    assert used * len(won) <= 700
    assert used == k or (used + 1) * len(won) > 700
