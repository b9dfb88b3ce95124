import polars as pl

from ratesim.importing.events import Events
from ratesim.importing.players import Players


def frame(*rows):
    kinds = {"event": pl.String, "event_start": pl.Float64, "time": pl.Float64}
    return pl.DataFrame(rows, kinds, orient="row")


def test_an_event_begins_with_its_first_game_wherever_that_stands():
    parts = [frame(("Open", None, 5.5), ("Cup", 7.0, 9.0)), frame(("Open", None, 3.25), ("Cup", 7.0, 6.0))]
    events = Events.of(parts)
    assert events.applied(parts[0]).rows() == [("Open", 3.0, 5.5), ("Cup", 6.0, 9.0)]
    assert events.applied(parts[1]).rows() == [("Open", 3.0, 3.25), ("Cup", 6.0, 6.0)]


def test_editions_of_one_name_are_told_apart_by_their_day():
    games = frame(("Open", 0.0, 1.0), ("Open", 365.0, 366.0), ("Open", None, 9.0), (None, None, 2.5))
    assert Events.of([games]).applied(games)["event"].to_list() == [
        "Open 1970-01-01", "Open 1971-01-01", "Open 1970-01-10", "unknown 1970-01-03",
    ]  # fmt: skip


def test_a_long_pause_ends_an_event_that_says_no_start():
    parts = [frame(("Open", None, 0.0), ("Open", None, 181.0)), frame(("Open", None, 90.5), ("League", None, 5.0))]
    events = Events.of(parts)
    assert events.needed
    found = [events.applied(part).select("event", "event_start").rows() for part in parts]
    assert found[0] == [("Open 1970-01-01", 0.0), ("Open 1970-07-01", 181.0)]
    assert found[1] == [("Open 1970-01-01", 0.0), ("League", 5.0)]


def test_games_that_all_say_one_day_need_nothing():
    assert not Events.of([frame(("Open", 1.0, 1.0), ("Open", 1.0, 2.0))]).needed
    assert Events.of([frame(("Open", 1.0, 1.0), ("Open", 2.0, 2.0))]).needed


def test_the_latest_word_on_a_player_counts_whatever_side_and_batch():
    players = Players()
    base = {"first": ["1", "2"], "second": ["2", "3"], "time": [5.0, 6.0]}
    left = players.hear(pl.DataFrame({**base, "name_first": ["Ann", None], "title_second": ["WFM", None]}), None)
    assert left.columns == ["first", "second", "time"]
    players.hear(pl.DataFrame({**base, "name_first": ["Anna", "Bo"], "name_second": [None, "Cy"]}), None)
    found = players.table().sort("player")
    assert found.select("player", "name", "title").rows() == [
        ("1", "Anna", None),
        ("2", "Bo", "WFM"),
        ("3", "Cy", None),
    ]


def test_a_table_that_comes_alone_stays_as_it_is():
    given = pl.DataFrame({"player": ["B", "A"], "born": [1990, None], "sex": ["w", "m"]})
    players = Players()
    players.hear(pl.DataFrame({"first": ["A"], "second": ["B"], "time": [1.0]}), given)
    assert players.table().equals(given)
    players.hear(pl.DataFrame({"first": ["A"], "second": ["B"]}), pl.DataFrame({"player": ["A"], "born": [2001]}))
    assert players.table().rows() == [("B", 1990, "w"), ("A", 2001, "m")]
    assert Players().table() is None
