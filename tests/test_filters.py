import polars as pl
import pytest

from ratesim.errors import InputError
from ratesim.importing.filters import Filters
from ratesim.io.batch import Batch

ROWS = pl.DataFrame(
    {
        "first": ["A", "B", "C", "anonymous", "Robot"],
        "second": ["B", "C", "A", "B", "A"],
        "score": [1.0, 0.5, 0.0, 1.0, 1.0],
        "time": [0.0, 1.0, 2.99, 3.0, 4.0],
        "pool": ["blitz", "rapid", "blitz", None, "blitz"],
        "rated": [True, False, None, True, True],
        "termination": ["Normal", "Normal", "Abandoned", None, "Normal"],
        "title_first": [None, "GM", None, None, "BOT"],
    }
)


@pytest.mark.parametrize(("asked", "kept", "counts"), [
    ({}, "ABCanonymousRobot", {}),
    ({"pools": ("blitz",)}, "ACRobot", {"of another pool": 2}),
    ({"rated": True}, "AanonymousRobot", {"casual": 1, "not said to be rated": 1}),
    ({"since": "1970-01-03"}, "CanonymousRobot", {"before 1970-01-03": 2}),
    ({"until": "1970-01-03"}, "ABC", {"after 1970-01-03": 2}),
    ({"bots": False}, "ABCanonymous", {"of a bot": 1}),
    ({"anonymous": False}, "ABCRobot", {"of somebody anonymous": 1}),
    ({"without": ("Abandoned",)}, "ABanonymousRobot", {"ended by Abandoned": 1}),
    ({"pools": ("rapid",), "rated": True}, "", {"of another pool": 4, "casual": 1}),
])  # fmt: skip
def test_what_is_kept_and_counted(asked, kept, counts):
    filters = Filters(**asked)
    found = filters.kept(Batch("x", ROWS))
    assert "".join(found.games["first"]) == kept
    assert found.left_out == counts
    filters.check()


def test_bots_are_known_by_the_table_of_players_too():
    players = pl.DataFrame({"player": ["B", "C"], "title": ["BOT", None]})
    found = Filters(bots=False).kept(Batch("x", ROWS.drop("title_first"), players=players))
    assert found.left_out == {"of a bot": 3}


def test_what_nobody_says_keeps_no_game():
    bare = Batch("x", ROWS.select("first", "second", "score", "time"), left_out={"aborted": 1})
    assert Filters(rated=True).kept(bare).left_out == {"aborted": 1, "not said to be rated": 5}
    assert Filters(pools=("blitz",)).kept(bare).left_out == {"aborted": 1, "of another pool": 5}
    assert len(Filters(bots=False, anonymous=False, without=("Normal",)).kept(bare).games) == 4


@pytest.mark.parametrize(("asked", "wrong"), [
    ({"pools": ("blits",)}, "--pool: no pool 'blits'; did you mean 'blitz'"),
    ({"without": ("Checkmate",)}, "--without: no termination 'Checkmate'; expected one of Abandoned, Normal"),
])  # fmt: skip
def test_what_was_never_seen_is_refused(asked, wrong):
    filters = Filters(**asked)
    filters.kept(Batch("x", ROWS))
    with pytest.raises(InputError, match=wrong):
        filters.check()


def test_days_are_checked():
    with pytest.raises(InputError, match="since = 'May'; expected a day as YYYY-MM-DD"):
        Filters(since="May")
    with pytest.raises(InputError, match=r"until 2024-01-01; expected 2024-02-01 \(since\) or later"):
        Filters(since="2024-02-01", until="2024-01-01")


def test_the_engine_of_lichess_is_a_bot_and_case_makes_nobody_somebody():
    games = ROWS.head(3).with_columns(first=pl.Series(["Anonymous", "lichess AI level 3", "C"])).drop("title_first")
    found = Filters(bots=False, anonymous=False).kept(Batch("x", games))
    assert found.left_out == {"of a bot": 1, "of somebody anonymous": 1}


def test_bots_are_remembered_over_the_batches_of_a_file():
    filters = Filters(bots=False)
    bare = ROWS.drop("title_first")
    filters.kept(Batch("x", bare, players=pl.DataFrame({"player": ["C"], "title": ["BOT"]})))
    assert filters.kept(Batch("x", bare)).left_out == {"of a bot": 2}


@pytest.mark.parametrize("asked", [{"rated": True}, {"pools": "blitz"}, {"without": "Normal"}, {"bots": False}])
def test_frames_of_several_chunks(asked):
    bare = ROWS.select("first", "second", "score", "time")
    many = pl.concat([bare] * 3, rechunk=False)
    assert many.n_chunks() == 3
    found = Filters(**asked).kept(Batch("x", many))
    assert len(found.games) + sum(found.left_out.values()) == 15
