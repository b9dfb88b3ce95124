"""One case for each rule of a FIDE player's life, its numbers worked out by hand with tables 8.1.1 and 8.1.2."""

from datetime import date
from fractions import Fraction

import pytest
from federations import day_of, replayed
from reference.fide import Game, Player

import ratesim as rs

pytestmark = pytest.mark.interpreted
TODAY = date(2025, 10, 1)
HALF = Fraction(1, 2)


def old(rating, **more):
    """An adult with K 20, or with what is said of them."""
    return Player(rating, **{"games": 100, "peak": rating, **more})


def day(text):
    return date.fromisoformat(text)


def event(name, on, *results, **more):
    """Games of one event; a result is (first, second, score)."""
    return [Game(day(on), a, b, Fraction(score), name, **more) for a, b, score in results]


def life(players, *events, rules=TODAY, which="standard"):
    """A function that looks a player up on a list: None where unrated."""
    run = replayed(players, [game for games in events for game in games], which, rules)

    def on(name, listed):
        rating = run.history([day_of(day(listed))], [name])["rating"].item()
        return None if rating != rating else int(rating)  # noqa: PLR0124  # NaN is not itself

    return on


STRONG = {name: old(1800) for name in "ABCDE"}


def three_events(last):
    """Three points of five against 1800s, in events that end with January 2023, January 2024 and a third day."""
    return [
        event("one", "2023-01-10", ("N", "A", 1), ("N", "B", HALF)),
        event("two", "2024-01-10", ("N", "C", HALF)),
        event("three", last, ("N", "D", 1), ("N", "E", 0)),
    ]


def test_a_first_rating_over_three_events_in_25_months():
    # Ra = (5 x 1800 + 2 x 1800) / 7 = 1800; p = (3 + 1) / 7 = .57; dp = 50
    on = life(STRONG, *three_events("2025-02-10"))
    assert on("N", "2025-02-01") is None
    assert on("N", "2025-03-01") == 1850
    assert all(on(name, "2025-03-01") == 1800 for name in STRONG)


def test_no_first_rating_over_27_months():
    assert life(STRONG, *three_events("2025-04-10"))("N", "2025-05-01") is None


def test_a_first_event_without_a_point_is_disregarded():
    lost = event("one", "2025-10-02", ("N", "A", 0), ("N", "B", 0), ("N", "C", 0))
    played = event("two", "2025-11-03", *zip("NNNNN", "ABCDE", (1, 1, 1, 0, 0), strict=True))
    on = life(STRONG, lost, played)
    assert on("N", "2025-11-01") is None
    assert on("N", "2025-12-01") == 1850  # three of five, as above


def test_a_later_event_without_a_point_counts():
    # Ra = (5 x 2200 + 3600) / 7 = 2085.71; p = 1.5 / 7 = .21; dp = -230: 1855.71
    drawn = event("one", "2025-10-02", ("N", "A", HALF))
    lost = event("two", "2025-11-03", *zip("NNNN", "BCDE", (0, 0, 0, 0), strict=True))
    assert life({name: old(2200) for name in "ABCDE"}, drawn, lost)("N", "2025-12-01") == 1856


@pytest.mark.parametrize(("foes", "rating"), [("ABCDE", 1641), ("ABCD", None)])
def test_half_a_point_and_five_games(foes, rating):
    # Ra = (5 x 1900 + 3600) / 7 = 1871.43; p = 1.5 / 7 = .21; dp = -230: 1641.43
    results = [("N", foe, HALF if foe == "A" else 0) for foe in foes]
    assert life({name: old(1900) for name in foes}, event("one", "2025-10-02", *results))("N", "2025-11-01") == rating


def test_below_the_floor_gathering_goes_on():
    # Ra = (5 x 1500 + 3600) / 7 = 1585.71, dp(.21) = -230: 1356, no rating. Then seven games and 2.5 points:
    # Ra = (7 x 1500 + 3600) / 9 = 1566.67; p = 3.5 / 9 = .39; dp = -80: 1486.67
    first = event("one", "2025-10-02", ("N", "A", HALF), *[("N", foe, 0) for foe in "BCDE"])
    second = event("two", "2025-11-03", ("N", "A", 1), ("N", "B", 1))
    on = life({name: old(1500) for name in "ABCDE"}, first, second)
    assert on("N", "2025-11-01") is None
    assert on("N", "2025-12-01") == 1487


def test_a_first_rating_is_at_most_2200():
    assert (
        life({name: old(2500) for name in "ABCDE"}, event("one", "2025-10-02", *[("N", foe, 1) for foe in "ABCDE"]))(
            "N", "2025-11-01"
        )
        == 2200
    )


@pytest.mark.parametrize(
    ("rules", "rating"),
    [("2021-06-01", 1513), ("2022-06-01", 1520), ("2024-06-01", 1636)],
)
def test_a_first_rating_by_the_rules_of_each_date(rules, rating):
    # Three of five at 1500 is one half point above half: 1500 + 12.5, half up; 1500 + 20;
    # (7500 + 3600) / 7 = 1585.71 and dp(.57) = 50
    results = zip("NNNNN", "ABCDE", (1, 1, 1, 0, 0), strict=True)
    on = life({name: old(1500) for name in "ABCDE"}, event("one", "2025-10-02", *results), rules=day(rules))
    assert on("N", "2025-11-01") == rating


def test_who_falls_below_the_floor_is_unrated_and_gathers_anew():
    # 1405 loses to an equal: 1395, below 1400. Five games later, three points: 1586 + 50
    fall = event("one", "2025-10-02", ("A", "B", 0))
    again = event("two", "2025-11-03", *zip("AAAAA", "CDEFG", (1, 1, 1, 0, 0), strict=True))
    on = life({"A": old(1405), "B": old(1405), **{name: old(1500) for name in "CDEFG"}}, fall, again)
    assert (on("A", "2025-11-01"), on("A", "2025-12-01")) == (None, 1636)
    assert on("C", "2025-12-01") == 1500  # nobody's opponent was rated


def test_what_waits_for_a_rated_player_does_not_change_one_who_fell_meanwhile():
    fall = event("one", "2025-10-02", ("A", "B", 0))
    waits = event("two", "2025-10-03", ("A", "C", 1), rated=date(2025, 12, 1))
    on = life({"A": old(1405), "B": old(1405), "C": old(1500)}, fall, waits)
    assert (on("A", "2025-11-01"), on("A", "2025-12-01")) == (None, None)
    assert on("C", "2025-12-01") == 1487  # it was against a rated player: 20 x .63 = 12.6


def test_a_junior_has_40_until_december_of_the_year_of_18_and_20_from_january():
    # Born 2007. A win against an equal is +20 on the January list, +10 on the February list.
    december, january = event("one", "2025-12-02", ("A", "B", 1)), event("two", "2026-01-05", ("A", "C", 1))
    on = life({"A": old(1500, born=2007), "B": old(1500), "C": old(1520)}, december, january)
    assert (on("A", "2026-01-01"), on("A", "2026-02-01")) == (1520, 1530)
    assert (on("B", "2026-01-01"), on("C", "2026-02-01")) == (1490, 1510)


def test_a_junior_once_published_at_2300_keeps_20_below_it():
    # K 40: 2290 -> 2310. K 20: lost twice to equals 2300, 2290; won 2300 and not 2310
    foes = {"B": old(2290), "C": old(2310), "D": old(2300), "E": old(2290)}
    scores = [("2025-10-02", "B", 1), ("2025-11-03", "C", 0), ("2025-12-02", "D", 0), ("2026-01-05", "E", 1)]
    on = life(
        {"A": old(2290, born=2012), **foes}, *[event(begun, begun, ("A", foe, score)) for begun, foe, score in scores]
    )
    lists = ("2025-11-01", "2025-12-01", "2026-01-01", "2026-02-01")
    assert [on("A", listed) for listed in lists] == [2310, 2300, 2290, 2300]


def test_2400_once_is_10_for_ever_however_few_the_games():
    on = life({"A": old(2380, games=10, peak=2400), "B": old(2380)}, event("one", "2025-10-02", ("A", "B", 1)))
    assert (on("A", "2025-11-01"), on("B", "2025-11-01")) == (2385, 2370)


def test_k_is_that_of_the_list_before_for_the_whole_period():
    # 29 games before: K 40 for all five of the period, 20 from the next
    first = event("one", "2025-10-02", *[("A", "B", 1)] * 5)
    on = life(
        {"A": old(1500, games=29), "B": old(1500), "C": old(1600)}, first, event("two", "2025-11-03", ("A", "C", 1))
    )
    assert (on("A", "2025-11-01"), on("A", "2025-12-01")) == (1600, 1610)


def test_an_event_that_straddles_two_lists_is_judged_by_the_first_and_counts_after_the_second():
    # October's list: 1500 against 1500 is +10 in December. November's 1540 would have made it +8.8
    before = event("one", "2025-10-05", *[("A", "B", 1)] * 4)
    across = event("two", "2025-11-02", ("A", "C", 1), start=date(2025, 10, 31))
    before = [game._replace(start=game.day) for game in before]
    on = life({name: old(1500) for name in "ABC"}, before, across)
    assert (on("A", "2025-11-01"), on("A", "2025-12-01")) == (1540, 1550)


def test_an_event_rated_three_lists_late_waits_for_its_list():
    late = event("one", "2025-11-02", ("A", "B", 1), rated=date(2026, 2, 1))
    on = life({"A": old(1500), "B": old(1500)}, late, event("two", "2025-12-20", ("C", "D", 1)))
    assert (on("A", "2026-01-01"), on("A", "2026-02-01")) == (1500, 1510)


def test_four_lists_late_is_refused():
    late = event("one", "2025-11-02", ("A", "B", 1), rated=date(2026, 3, 1))
    with pytest.raises(
        rs.InputError, match=r"^column rated_on: 2026-03-01 is more than 3 lists after the event"
    ) as error:
        life({"A": old(1500), "B": old(1500)}, late)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("which", ["standard", "rapid", "blitz"])
def test_the_compression_of_march_2024(which):
    pairs = {1000: 1400, 1500: 1700, 1600: 1760, 1700: 1820, 2000: 2000, 2100: 2100}
    players = {f"{side}{rating}": old(rating) for rating in pairs for side in "AB"}
    draws = [(f"A{rating}", f"B{rating}", HALF) for rating in pairs]
    on = life(players, event("one", "2024-02-05", *draws), event("two", "2024-03-05", *draws), rules=None, which=which)
    assert {rating: on(f"A{rating}", "2024-03-01") for rating in pairs} == pairs


def test_the_raise_of_rapid_in_october_2022():
    players = {
        "A": old(1800, standard=2000),
        "B": old(1800, standard=1900),
        "C": old(1800),
        "D": old(1800, standard=1950),
    }
    draws = [("A", "B", HALF), ("C", "D", HALF)]
    on = life(
        players, event("one", "2022-09-05", *draws), event("two", "2022-10-20", *draws), rules=None, which="rapid"
    )
    assert [on(name, "2022-10-01") for name in "ABCD"] == [1900, 1800, 1800, 1850]


@pytest.mark.parametrize(
    ("begun", "listed", "gained"), [("2025-09-02", "2025-10-01", 8), ("2025-10-02", "2025-11-01", 7)]
)
def test_from_2650_on_the_true_difference_counts_for_that_side_alone(begun, listed, gained):
    # 413: PD .93 leaves .07 a win. 400, of the other side always: PD .08 is lost with each
    players = {"A": old(2813, peak=2813), "B": old(2400, peak=2400)}
    games = event("one", begun, *[("A", "B", 1)] * 10)
    on = life(players, games, rules=None)
    assert (on("A", listed), on("B", listed)) == (2813 + gained, 2392)


@pytest.mark.parametrize(("rules", "gained"), [("2009-06-01", 7), ("2022-06-01", 4), ("2024-06-01", 6)])
def test_one_stream_under_the_rules_of_other_dates(rules, gained):
    # Two wins over 500 less and two over 600 less. 350, PD .89, K 15: 15 x .44 = 6.6. Then K 20; in 2022 one of the
    # greatest is cut to 400 (.92) beside .96 twice and .98: 20 x .18 = 3.6; in 2024 all are: 20 x .32 = 6.4
    won = [("A", foe, 1) for foe in "BBCC"]
    on = life({"A": old(2390), "B": old(1890), "C": old(1790)}, event("one", "2025-10-02", *won), rules=day(rules))
    assert on("A", "2025-11-01") == 2390 + gained


def test_rapid_games_600_apart_are_not_rated_for_one_above_2600():
    games = event("one", "2025-10-02", ("A", "B", 0), ("C", "B", 0))
    players = {"A": old(2601, peak=2601), "B": old(2001), "C": old(2600, peak=2600)}
    on = life(players, games, which="rapid")
    assert on("A", "2025-11-01") == 2601
    assert on("C", "2025-11-01") == 2591  # 10 x .92, and 20 x .92 to the other
    assert on("B", "2025-11-01") == 2019


def test_the_standard_rating_stands_in_for_one_in_rapid():
    # 7.2.1: rated at 1800, so that the win over an equal counts for both
    on = life(
        {"A": Player(None, 0, 0, None, 1800), "B": old(1800)}, event("one", "2025-10-02", ("A", "B", 1)), which="rapid"
    )
    assert (on("A", "2025-11-01"), on("B", "2025-11-01")) == (1820, 1790)


def test_a_game_of_no_weight_is_only_forecast():
    games = event("one", "2025-10-02", ("A", "B", 1), weight=0) + event("one", "2025-10-03", ("A", "B", HALF))
    run = replayed({"A": old(1700), "B": old(1500)}, games, rules=TODAY)
    assert run.forecast.tolist() == [0.76, 0.76]
    assert run.ratings().rows() == [("A", 1695.0, 101.0), ("B", 1505.0, 101.0)]  # 20 x .26 = 5.2


def test_a_game_of_no_weight_carries_no_upgrade_and_begins_no_career():
    # 2022: the loss to 500 less is cut to 400, 20 x .92 = 18.4, and would be 20 x .96 beside a game against 1000 less
    players = {"A": old(2391), "B": old(1891), "C": old(1391)}
    games = event("one", "2022-06-02", ("A", "C", 1), weight=0) + event("one", "2022-06-03", ("A", "B", 0))
    assert life(players, games, rules=None)("A", "2022-07-01") == 2391 - 18
    first = event("one", "2025-10-02", ("N", "A", 1), weight=0) + event("one", "2025-10-03", ("N", "A", 0))
    more = event("two", "2025-11-03", *zip("NNNNN", "ABCDE", (1, 1, 1, 0, 0), strict=True))
    assert life(STRONG, first, more)("N", "2025-12-01") == 1850  # the loss is disregarded


def test_two_first_events_on_one_day_are_one_whatever_the_order_of_the_file():
    lost = event("lost", "2025-10-02", ("N", "A", 0))
    drawn = event("drawn", "2025-10-02", ("N", "B", HALF), *[("N", foe, 0) for foe in "CDE"])
    one, other = life(STRONG, lost, drawn), life(STRONG, drawn, lost)
    # Half a point of five: Ra = 1800, p = 1.5 / 7 = .21, dp = -230
    assert one("N", "2025-11-01") == other("N", "2025-11-01") == 1570


def test_one_first_rated_while_an_event_waits_is_rated_for_it_game_by_game():
    # First rating 1850 on the November list. Two games of October, rated for December, against 1700 and 2300: by
    # themselves 1 - .70 and .5 - .08 (450 count as 400), K 40; against their average, 2000, it would be 1.5 - 2 x .30
    waits = event("late", "2025-10-20", ("N", "F", 1), ("N", "G", HALF), rated=date(2025, 12, 1))
    first = event("one", "2025-10-02", *zip("NNNNN", "ABCDE", (1, 1, 1, 0, 0), strict=True))
    on = life({**STRONG, "F": old(1700), "G": old(2300)}, first, waits)
    assert (on("N", "2025-11-01"), on("N", "2025-12-01")) == (1850, 1850 + 29)  # 40 x .72 = 28.8
    assert (on("F", "2025-12-01"), on("G", "2025-12-01")) == (1700, 2300)


def test_what_waits_for_a_first_rating_is_kept_by_a_saved_state(tmp_path):
    """The same, cut between the first list and the one that the late event counts on."""
    start = {who: {"rating": 1800, "games": 99, "peak": 1800, "born": 1980} for who in "ABCDEFG"}
    start |= {"F": {**start["F"], "rating": 1700}, "G": {**start["G"], "rating": 2300, "peak": 2300}}
    rows = [
        ("N", foe, score, date(2025, 10, 2), "one", None) for foe, score in zip("ABCDE", (1, 1, 1, 0, 0), strict=True)
    ]
    rows += [("N", foe, score, date(2025, 10, 20), "late", date(2025, 12, 1)) for foe, score in (("F", 1), ("G", 0.5))]
    rows += [("A", "B", 0.5, date(2025, 12, 10), "last", None)]
    names = ("first", "second", "score", "time", "event", "rated_on")

    def stream(rows):
        return rs.GameStream.of(**dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))

    whole = rs.replay(rs.FideElo(), stream(rows), start=start)
    rs.replay(rs.FideElo(), stream(rows[:-1]), start=start).save(tmp_path / "state")
    rest = [row[:5] for row in rows[-1:]]
    last = rs.GameStream.of(**dict(zip(names, map(list, zip(*rest, strict=True)), strict=False)))
    halves = rs.replay(rs.FideElo(), last, start=start, state=rs.load_state(tmp_path / "state"))
    rating = dict(whole.ratings().select("player", "rating").iter_rows())
    assert rating["N"] == 1879
    assert dict(halves.ratings().select("player", "rating").iter_rows()) == rating


def test_a_federation_whose_games_do_not_count_says_so():
    with pytest.raises(rs.InputError, match="nobody is rated when the stream begins") as error:
        life({"A": Player()}, event("one", "2025-10-02", ("A", "B", 1)))
    assert "\n" not in str(error.value)
