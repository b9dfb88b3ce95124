import pickle
from datetime import UTC, date, datetime, timedelta, timezone

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings, strategies as st

from ratesim.errors import InputError
from ratesim.intake import PIECE, appearance
from ratesim.stream import GameStream

NAMES = ["Ada", "Bo", "Cy", "Déa", "E e"]
GAME = st.tuples(
    st.permutations(NAMES).map(lambda names: tuple(names[:2])),
    st.sampled_from([0.0, 0.5, 1.0, 0.25]),
    st.integers(-3, 3),
    st.sampled_from([-1.0, 0.0, 1.0]),
    st.sampled_from(["1999/00", "2000/01"]),
)
GAMES = st.lists(GAME, min_size=1, max_size=30)


def table(games):
    sides, score, time, edge, season = zip(*games, strict=True)
    first, second = zip(*sides, strict=True)
    return {"first": first, "second": second, "score": score, "time": time, "edge": edge, "season": season}


def rows(stream):
    return stream.to_frame().rows()


def small(**columns):
    return {"first": ["A", "C"], "second": ["B", "A"], "score": [1, 0.5], "time": [1, 2]} | columns


@settings(max_examples=40)
@given(GAMES)
def test_games_are_sorted_by_time_and_ties_keep_their_order(games):
    stream = GameStream.of(**table(games))
    expected = sorted(games, key=lambda game: game[2])
    assert rows(stream) == [(*sides, score, float(time), edge, season) for sides, score, time, edge, season in expected]


@settings(max_examples=40)
@given(GAMES)
def test_players_and_seasons_stand_in_order_of_first_appearance(games):
    stream = GameStream.of(**table(games))
    in_order = sorted(games, key=lambda game: game[2])
    assert stream.players["player"].to_list() == list(dict.fromkeys(name for game in in_order for name in game[0]))
    assert list(stream.seasons) == list(dict.fromkeys(game[4] for game in in_order))


@settings(max_examples=40)
@given(GAMES)
def test_a_stream_comes_back_from_its_table(games):
    stream = GameStream.of(**table(games))
    again = GameStream.of(**stream.to_frame().to_dict())
    assert again.digest == stream.digest
    assert again.to_frame().equals(stream.to_frame())


@settings(max_examples=40)
@given(GAMES, st.permutations(range(30)))
def test_the_order_of_games_of_different_times_does_not_matter(games, order):
    games = [(*game[:2], time, *game[3:]) for time, game in enumerate(games)]
    shuffled = [games[i] for i in order if i < len(games)]
    assert GameStream.of(**table(shuffled)).digest == GameStream.of(**table(games)).digest


@settings(max_examples=40)
@given(GAMES)
def test_renaming_players_changes_names_and_nothing_else(games):
    stream = GameStream.of(**table(games))
    new = {name: f"player {len(name)} {name[::-1]}" for name in NAMES}
    renamed = GameStream.of(**table([(tuple(new[name] for name in game[0]), *game[1:]) for game in games]))
    assert renamed.players["player"].to_list() == [new[name] for name in stream.players["player"]]
    assert renamed.digest != stream.digest
    for (_, column), (_, other) in zip(stream.columns(), renamed.columns(), strict=True):
        np.testing.assert_array_equal(column, other)


@settings(max_examples=40)
@given(GAMES, st.data())
def test_the_digest_changes_with_any_cell(games, data):
    columns = {name: list(column) for name, column in table(games).items()}
    before = GameStream.of(**columns).digest
    name = data.draw(st.sampled_from(sorted(columns)))
    game = data.draw(st.integers(0, len(games) - 1))
    value = columns[name][game]
    columns[name][game] = f"not {value}" if isinstance(value, str) else (0.75 if name == "score" else value + 0.5)
    assert GameStream.of(**columns).digest != before


def test_the_digest_tells_columns_and_names_apart():
    a = GameStream.of(**small(season=["1", "2"]))
    streams = [
        a,
        GameStream.of(**small(pool=["1", "2"])),
        GameStream.of(**small()),
        GameStream.of(**small(season=["12", "2"])),
        GameStream.of(**small(edge=[0, 0])),
        GameStream.of(**small(margin=[0, 0])),
        GameStream.of(**small(margin=[0, None])),
        GameStream.of(**small(), players=pl.DataFrame({"player": ["A"], "born": [1990]})),
        GameStream.of(**small(), players=pl.DataFrame({"player": ["A"], "born": [1991]})),
        GameStream.of(**small(), players=pl.DataFrame({"player": ["A"], "born": ["1991"]})),
    ]
    assert len({stream.digest for stream in streams}) == len(streams)


def test_the_digest_is_that_of_the_content_alone():
    stream = GameStream.of(**small(score=[1, 0.0], margin=[0.0, np.nan]))
    same = GameStream.of(**small(score=np.array([1, -0.0]), margin=[-0.0, None], id=["x", "y"]))
    assert same.digest == stream.digest
    assert GameStream.of(**small(time=[2, 1])).notes
    assert GameStream.of(**small(time=[date(1970, 1, 2), date(1970, 1, 3)])).digest == GameStream.of(**small()).digest


def test_arrays_are_canonical():
    stream = GameStream.of(**small(edge=[1, 0], season=[2000, 2001], published_first=[1500, None]))
    columns = dict(stream.columns())
    assert set(columns) == {"first", "second", "score", "time", "edge", "season", "published_first"}
    for name, column in columns.items():
        assert column.dtype == (np.int32 if name in {"first", "second", "season"} else np.float64)
        assert column.flags.c_contiguous
        assert not column.flags.writeable
    assert np.isnan(stream.published_first[1])
    assert stream.seasons == ("2000", "2001")
    assert len(stream) == 2
    assert stream.n_players == 3


def test_the_caller_keeps_his_arrays():
    score = np.array([1, 0.5])
    time = np.array([1.0, 2.0])
    stream = GameStream.of(**small(score=score, time=time))
    score[0], time[0] = 0, 0
    assert stream.score.tolist() == [1, 0.5]
    assert stream.time.tolist() == [1, 2]


def test_a_stream_comes_back_read_only_from_another_process():
    stream = GameStream.of(**small(edge=[1, 0]))
    again = pickle.loads(pickle.dumps(stream))  # noqa: S301  # our own bytes
    assert again.digest == stream.digest
    assert not any(column.flags.writeable for _, column in again.columns())


def test_some_games_are_taken_with_all_players():
    stream = GameStream.of(**table([((NAMES[i % 4], NAMES[i % 4 + 1]), 1.0, i, 0.0, str(i)) for i in range(8)]))
    part = stream.take(stream.time >= 5)
    assert rows(part) == rows(stream)[5:]
    assert part.n_players == stream.n_players
    assert part.digest != stream.digest
    assert rows(stream.take(slice(1, 8, 3))) == rows(stream)[1:8:3]
    assert all(c.flags.c_contiguous and not c.flags.writeable for _, c in stream.take(slice(0, 8, 2)).columns())
    for wrong in (np.array([1, 0]), np.ones(3, bool), slice(None, None, -1)):
        with pytest.raises(InputError, match="mask or a slice"):
            stream.take(wrong)


def test_times_are_days_since_1970():
    east = timezone(timedelta(hours=2))
    times = [date(1872, 11, 30), date(1970, 1, 1)]
    assert GameStream.of(**small(time=times)).time.tolist() == [-35460, 0]
    times = [datetime(1970, 1, 1, 6), datetime(1970, 1, 2, 12)]  # noqa: DTZ001  # without a zone it is UTC
    assert GameStream.of(**small(time=times)).time.tolist() == [0.25, 1.5]
    times = [datetime(1970, 1, 1, 8, tzinfo=east), datetime(1970, 1, 2, 12, tzinfo=UTC)]
    assert GameStream.of(**small(time=times)).time.tolist() == [0.25, 1.5]
    times = np.array(["1970-01-01T06", "1970-01-02T12"], "M8[ns]")
    assert GameStream.of(**small(time=times)).time.tolist() == [0.25, 1.5]


def test_sorting_is_said():
    assert GameStream.of(**small(time=[2, 1])).notes == ("1 game stood after a later one: sorted by time",)
    assert GameStream.of(**small(time=[1, 1])).notes == ()


def test_duplicates_are_counted_and_said():
    twice = {"first": ["A", "A", "A", "A"], "second": ["B"] * 4, "score": [1, 1, 0, 1], "time": [5, 5, 5, 6]}
    kept = GameStream.of(**twice)
    assert kept.notes == ("1 game repeats an earlier row: kept",)
    assert len(kept) == 4
    dropped = GameStream.of(**twice, duplicates="drop")
    assert dropped.notes == ("1 game repeats an earlier row: dropped",)
    assert dropped.score.tolist() == [1, 0, 1]
    unlike = GameStream.of(**twice, margin=[1, np.nan, np.nan, 1])
    assert unlike.notes == ()
    alike = GameStream.of(**twice, margin=[np.nan, None, 1, 1])
    assert len(alike.notes) == 1
    by_id = GameStream.of(**twice, id=["x", "y", "x", "x"], duplicates="drop")
    assert by_id.notes == ("1 game has the id of another game: kept", "1 game repeats an earlier id: dropped")
    assert by_id.score.tolist() == [1, 1, 0]
    others = GameStream.of(**{**twice, "second": ["B", "B", "C", "B"]}, id=["x"] * 4, duplicates="drop")
    assert (others.score.tolist(), len(others.notes)) == ([1, 0], 2)


def test_of_duplicates_the_first_in_time_is_kept():
    games = {"first": ["A", "B"], "second": ["B", "A"], "score": [1, 0], "time": [9, 3], "id": [7, 7]}
    assert GameStream.of(**games, duplicates="drop").time.tolist() == [3]


def test_players_keep_their_attributes():
    known = pl.DataFrame({"player": ["Z", "A", "B"], "skill": [1.0, 2.0, 3.0]})
    stream = GameStream.of(**small(), players=known)
    assert stream.players.rows() == [("A", 2.0), ("B", 3.0), ("C", None), ("Z", 1.0)]


@pytest.mark.parametrize(
    ("players", "said"),
    [
        ({"name": ["A"]}, "no column 'player'"),
        ({"player": ["A", "A"]}, "A in the table of players"),
        ({"player": ["A", None]}, "a player without a name"),
    ],
)
def test_a_table_of_players_is_checked(players, said):
    with pytest.raises(InputError, match=said):
        GameStream.of(**small(), players=pl.DataFrame(players))


WRONG = [
    ({"score": [1, 2]}, "row 2, column score: score 2.0; expected a number from 0 to 1"),
    ({"score": [-1, 2]}, "row 1, column score: score -1.0 (and 1 more row); expected a number from 0 to 1"),
    ({"score": [1, None]}, "row 2, column score: no score; expected a number from 0 to 1"),
    ({"score": [np.nan, 1]}, "row 1, column score: no score; expected a number from 0 to 1"),
    ({"score": ["1", "x"]}, "row 1, column score: '1' is not a number (and 1 more row); expected a number from 0 to 1"),
    ({"score": [1]}, "column score: 1 values; expected 2, as in first"),
    ({"score": [1, "x"]}, "column score: not one sequence of values of one kind; expected all numbers, or all texts"),
    ({"time": [np.inf, 1]}, "row 1, column time: time inf; expected a date, or days since 1970-01-01"),
    ({"time": [0, np.nan]}, "row 2, column time: no time; expected a date, or days since 1970-01-01"),
    ({"time": [0, None]}, "row 2, column time: no time; expected a date, or days since 1970-01-01"),
    ({"time": [0, 1.7e12]}, "row 2, column time: time 1700000000000.0; expected a date, or days since 1970-01-01"),
    (
        {"second": ["A", "A"]},
        "row 1, column second: A plays against themselves; expected another player, or themselves = 'drop'",
    ),
    ({"second": ["B", ""]}, "row 2, column second: no player; expected a name"),
    ({"first": [None, "C"]}, "row 1, column first: no player; expected a name"),
    ({"weight": [1, -1]}, "row 2, column weight: weight -1.0; expected a number, at least 0"),
    ({"margin": [1, np.inf]}, "row 2, column margin: margin inf; expected a number, positive where first was ahead"),
    ({"edge": [1, None]}, "row 2, column edge: no edge; expected a number: 1 where first has the advantage"),
    ({"truth": [1.5, 1]}, "row 1, column truth: truth 1.5; expected an expected score from 0 to 1"),
    ({"season": [2000, None]}, "row 2, column season: no season; expected a name"),
    ({"event_start": [0, 0]}, "column event_start: a start of events without events; expected event too"),
    (
        {"event": ["x", "y"], "event_start": [0, 5]},
        "row 2, column event_start: event starts on 1970-01-06, after this game; expected the time of the game or",
    ),
    (
        {"event": ["x", "x"], "event_start": [0, 1]},
        "row 1, column event_start: event starts on 1970-01-01 and on another day; expected one start",
    ),
    ({"wieght": [1, 1]}, "unknown column 'wieght'; did you mean 'weight'?"),
    ({"first": [], "second": [], "score": [], "time": []}, "no games; expected at least one"),
    ({"second": ["B", "two\nlines"]}, r"row 2, column second: player 'two\nlines' has a control character"),
    ({"first": ["A\0", "C"]}, r"row 1, column first: player 'A\x00' has a control character; expected a plain name"),
    ({"season": ["1", "a\u2028b"]}, r"row 2, column season: season 'a\u2028b' has a control character"),
    ({"first": [" \t", "C"]}, "row 1, column first: no player; expected a name"),
    ({"season": ["1", " "]}, "row 2, column season: no season; expected a name"),
    ({"time": [20240131, 20240201]}, "column time: 20240131 looks like a date, and is read as days since 1970-01-01"),
    ({"event": ["x", "y"], "event_start": [19990101, 20240201]}, "column event_start: 19990101 looks like a date"),
]


@pytest.mark.parametrize(("columns", "said"), WRONG)
def test_a_mistake_is_one_line(columns, said):
    with pytest.raises(InputError) as error:
        GameStream.of(**small(**columns))
    assert str(error.value).startswith(said)
    assert "\n" not in str(error.value)


@settings(max_examples=40)
@given(GAMES, st.data())
def test_a_wrong_score_anywhere_is_found(games, data):
    columns = table(games)
    game = data.draw(st.integers(0, len(games) - 1))
    bad = data.draw(st.sampled_from([None, np.nan, 1.0001, -1e-9, np.inf, -np.inf]))
    score = [*columns["score"]]
    score[game] = bad
    with pytest.raises(InputError, match=f"^row {game + 1}, column score: "):
        GameStream.of(**columns | {"score": score})


@pytest.mark.parametrize(
    ("time", "note"),
    [
        ([2021, 1999], ("time looks like years, 1999 to 2021: read as days since 1970-01-01",)),
        ([1000.0, 2100.0], ("time looks like years, 1000 to 2100: read as days since 1970-01-01",)),
        ([999, 2000], ()),
        ([1999.5, 2000], ()),
        ([date(1974, 1, 1), date(1974, 1, 2)], ()),
        ([20240131, 20240200], ()),
    ],
)
def test_times_that_look_like_years_are_said(time, note):
    said = tuple(line for line in GameStream.of(**small(time=time)).notes if "sorted" not in line)
    assert said == note


def test_blanks_at_the_ends_of_names_are_said_and_kept():
    stream = GameStream.of(**small(first=["A ", "C"]))
    assert stream.players["player"].to_list() == ["A ", "B", "C", "A"]
    assert stream.notes == ("1 name of a player has blanks at an end, kept as written",)
    several = GameStream.of(**small(first=["A ", "C"], second=["B", " A"])).notes
    assert several == ("2 names of players have blanks at an end, kept as written",)


@settings(max_examples=40)
@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.integers(4, 6), st.sampled_from([0.0, 1.0]), st.integers(0, 2)), min_size=1
    )
)
def test_games_seen_before_are_those_that_a_set_knows(games):
    first, second, score, time = zip(*games, strict=True)
    dropped = GameStream.of(first=first, second=second, score=score, time=time, duplicates="drop")
    once = sorted(dict.fromkeys(games), key=lambda game: game[3])
    assert rows(dropped) == [(str(a), str(b), points, float(when)) for a, b, points, when in once]


@pytest.mark.parametrize("names", [3, 5000])
def test_many_names_stand_in_order_of_first_appearance(names):
    draw = np.random.default_rng(names).integers(0, names, (2, 3 * PIECE))
    (first, second), order = appearance(draw[0].astype(np.uint32), draw[1].astype(np.uint32), size=names)
    expected = list(dict.fromkeys(draw.T.ravel().tolist()))
    assert order.tolist() == expected
    assert (order[first] == draw[0]).all()
    assert (order[second] == draw[1]).all()


def test_a_time_does_not_depend_on_how_many_stand_beside_it():
    seconds = np.arange(0, 86_400, 7)
    stamps = (np.datetime64("2024-01-05") + seconds.astype("timedelta64[s]")).astype("datetime64[us]")
    pairs = {"first": ["A"] * len(stamps), "second": ["B"] * len(stamps), "score": [1.0] * len(stamps)}
    found = GameStream.of(**pairs, time=stamps).time
    assert found.tolist() == [(19_727 * 86_400 + int(each)) / 86_400 for each in seconds]
    for n in (1, 500, 9_999):
        alone = GameStream.of(first=["A"], second=["B"], score=[1.0], time=stamps[n : n + 1])
        assert alone.time[0] == found[n]
