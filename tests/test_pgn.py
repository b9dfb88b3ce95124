"""Games by the tags of PGN, of players who are invented: what the tags mean."""

import math

import pytest
from pgn_reading import HEAD, columns, read_pgn

import ratesim as rs
from ratesim.experiment import read
from ratesim.io.batch import Asked
from ratesim.plan import load

OPEN = """\
[Event "Ås Open"]
[Date "2024.05.02"]
[White "Ask, Bo"]
[Black "Dal, Eva"]
[Result "1-0"]
[WhiteFideId "900001"]
[BlackFideId "900002"]
[WhiteElo "2412"]
[BlackElo "1987"]
[WhiteTitle "GM"]
[BlackTitle "wf"]
[BlackFed "SWE"]
[TimeControl "900+10"]
"""
SECOND = """\
[Event "Ås Open"]
[Date "2024.05.01"]
[White "Dal, Eva"]
[Black "Fell"]
[Result "1/2-1/2"]
[WhiteFideId "900002"]
[WhiteElo "1987"]
[BlackElo "-"]
[TimeControl "?"]
"""
LICHESS = """\
[Event "Rated Blitz game"]
[Site "https://lichess.org/AbCd1234"]
[Date "2024.03.01"]
[Round "-"]
[White "ann"]
[Black "bob"]
[Result "0-1"]
[UTCDate "2024.03.01"]
[UTCTime "12:34:56"]
[WhiteElo "1500"]
[BlackElo "1622"]
[WhiteRatingDiff "-5"]
[BlackRatingDiff "+4"]
[BlackTitle "BOT"]
[ECO "C20"]
[Opening "King's Pawn Game"]
[TimeControl "180+2"]
[Termination "Time forfeit"]

1. e4 { [%eval 0.3] [%clk 0:03:00] } 1... e5 { [%eval 0.25] [%clk 0:03:00] } 0-1

"""
CHESS_COM = """\
[Event "Live Chess"]
[Site "Chess.com"]
[Date "2024.03.01"]
[Round "-"]
[White "Ann"]
[Black "Bob"]
[Result "1-0"]
[CurrentPosition "8/8/8/8/8/8/8/8 w - -"]
[Timezone "UTC"]
[UTCDate "2024.03.01"]
[UTCTime "23:59:59"]
[WhiteElo "1508"]
[BlackElo "1614"]
[TimeControl "600"]
[Termination "Ann won by resignation"]
[StartTime "23:59:59"]
[EndDate "2024.03.02"]
[Link "https://www.chess.com/game/live/1234567"]

1. e4 1-0
"""
FICS = """\
[Event "FICS rated standard game"]
[Site "FICS freechess.org"]
[FICSGamesDBGameNo "447000001"]
[White "ann"]
[Black "bob"]
[WhiteElo "1650"]
[BlackElo "1700"]
[WhiteRD "30.1"]
[TimeControl "900+5"]
[Date "2019.01.31"]
[Time "22:10:00"]
[WhiteClock "0:15:00.000"]
[Result "1/2-1/2"]

1. e4 {Game drawn by agreement} 1/2-1/2
"""


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1"])
def test_every_column(end, encoding):
    text = f"{OPEN}\n1. e4 1-0\n\n{SECOND}\n".replace("\n", end)
    assert read_pgn(text.encode(encoding)).games.drop("fingerprint").to_dict(as_series=False) == {
        "place": [1, 17],
        "first": ["900001", "900002"],
        "second": ["900002", "Fell"],
        "score": [1.0, 0.5],
        "time": [19845.0, 19844.0],  # 2024-05-01 is day 19844
        "precision": ["day", "day"],
        "edge": [1.0, 1.0],
        "published_first": [2412.0, 1987.0],
        "published_second": [1987.0, None],
        "event": ["Ås Open", "Ås Open"],
        "event_start": [None, None],
        "pool": ["rapid", None],
        "name_first": ["Ask, Bo", "Dal, Eva"],
        "title_first": ["GM", None],
        "name_second": ["Dal, Eva", None],
        "title_second": ["WFM", None],
        "federation_second": ["SWE", None],
    }


def test_only_what_tags_say_is_there():
    games = read_pgn('[White "A"]\n[Black "B"]\n[Result "0-1"]\n[Date "2024.05.01"]\n[Round "?"]\n').games
    assert games.columns == ["place", "first", "second", "score", "time", "precision", "edge", "fingerprint"]


def test_a_game_of_lichess():
    assert read_pgn(LICHESS).games.to_dicts() == [
        {
            "place": 1, "first": "ann", "second": "bob", "score": 0.0, "time": 19783 + 45296 / 86400,
            "precision": "second", "edge": 1.0, "published_first": 1500.0, "change_first": -5.0,
            "published_second": 1622.0, "change_second": 4.0, "pool": "blitz", "rated": True,
            "termination": "Time forfeit", "game_id": "AbCd1234", "title_second": "BOT",
        }
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new", "name", "value"),
    [
        ("Rated Blitz game", "Casual Blitz game", "rated", False),
        ("Rated Blitz game", "Blitz swiss https://lichess.org/swiss/x", "rated", True),  # by the change
        ("Rated Blitz game", "casual bullet game", "pool", "bullet"),
        ("Rated Blitz game", "Daily Rapid Arena", "pool", "blitz"),  # by the clock: a name says nothing
        ("Rated Blitz game", "Rated Classical game", "pool", "classical"),  # before there was rapid
        ("Rated Blitz game", "Rated Correspondence game", "pool", "correspondence"),
        ("Rated Blitz game", "Daily Rapid Arena", "event", "Daily Rapid Arena"),
        ("Rated Blitz game", "Rated Blitz tournament https://lichess.org/tournament/x", "event",
         "Rated Blitz tournament https://lichess.org/tournament/x"),
        ('[ECO "C20"]', '[Variant "King of the Hill"]', "pool", "kingOfTheHill"),
        ('[ECO "C20"]', '[Variant "From Position"]', "pool", "blitz"),
        ('[ECO "C20"]', '[Variant "Standard"]', "pool", "blitz"),
        ('[ECO "C20"]', '[Variant "Bughouse"]', "pool", "bughouse"),
        ("AbCd1234", "AbCd1234/black", "game_id", "AbCd1234"),
        ("AbCd1234", "AbCd1234efgh", "game_id", "AbCd1234"),
        ('[ECO "C20"]', '[GameId "XyZw9876"]', "game_id", "XyZw9876"),
        ('"1500"', '"?"', "published_first", None),
        ('[UTCTime "12:34:56"]', '[UTCTime "12:34"]', "time", 19783 + 45240 / 86400),
        ('[UTCTime "12:34:56"]', '[UTCTime "24:34:56"]', "precision", "day"),
    ],
)  # fmt: skip
def test_tags_of_lichess(old, new, name, value):
    assert read_pgn(LICHESS.replace(old, new)).games.to_dicts()[0].get(name) == value


def test_ratings_of_chess_com_are_those_after_the_game():
    found = read_pgn(CHESS_COM)
    assert found.games.to_dicts() == [
        {
            "place": 1, "first": "Ann", "second": "Bob", "score": 1.0, "time": 19783 + 86399 / 86400,
            "precision": "second", "edge": 1.0, "pool": "rapid", "termination": "Ann won by resignation",
            "game_id": "1234567",
        }
    ]  # fmt: skip
    assert found.notes == ("ratings in PGN of chess.com are those after the game: not read as published",)
    chess960 = CHESS_COM.replace('[Round "-"]', '[Variant "Chess960"]').replace('"600"', '"1/86400"')
    assert columns(chess960, "pool") == [("chess960 daily",)]
    assert columns(chess960.replace("Chess960", "Bughouse"), "pool") == [("bughouse daily",)]
    assert columns(chess960.replace("Chess960", "King of the Hill"), "pool") == [("kingOfTheHill daily",)]
    assert columns(chess960.replace('[TimeControl "1/86400"]\n', ""), "pool") == [("chess960",)]
    assert columns(CHESS_COM.replace('"1508"', '"15o8"'), "first") == [("Ann",)]  # ratings that nobody reads


def test_a_game_of_fics():
    assert read_pgn(FICS).games.to_dicts() == [
        {
            "place": 1, "first": "ann", "second": "bob", "score": 0.5, "time": 17927 + 79800 / 86400,
            "precision": "second", "edge": 1.0, "published_first": 1650.0, "published_second": 1700.0,
            "pool": "standard", "rated": True, "game_id": "447000001",
        }
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "pool"),
    [("blitz", "blitz"), ("suicide", "suicide"), ("wild/fr", "chess960"), ("losers", "losers"), ("untimed", "untimed")],
)
def test_pools_of_fics(name, pool):
    assert columns(FICS.replace("standard", name), "pool", "rated") == [(pool, True)]


def test_a_broadcast():
    text = OPEN.replace(
        "\n", "\n" + '[BroadcastName "Ås 2024"]\n[GameURL "https://lichess.org/broadcast/a/b/c/AbCdEfGh"]\n', 1
    )
    assert columns(text, "event", "game_id", "pool") == [("Ås 2024", "AbCdEfGh", "rapid")]
    unplayed = text.replace("1-0", "*") + '[Termination "Unplayed"]\n'
    assert read_pgn(unplayed).left_out == {"unplayed": 1}


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"1-0"', '"1:0"', ("Result", "'{}' is no result", "1:0", "1-0, 0-1, 1/2-1/2 or *")),
        ('"1-0"', '"1-?"', ("Result", "'{}' is no result", "1-?", "1-0, 0-1, 1/2-1/2 or *")),
        ('"2412"', '"1_500"', ("WhiteElo", "'{}' is no rating", "1_500", "a rating below 6,000")),
        ('"2412"', '"٢٤"', ("WhiteElo", "'{}' is no rating", "٢٤", "a rating below 6,000")),
        ('"1-0"', '"0-1"', ("Result", "result '{}' contradicts the moves", "0-1", "1-0, as the moves end")),
        ('"2412"', '"24l2"', ("WhiteElo", "'{}' is no rating", "24l2", "a rating below 6,000")),
        ('"2412"', '"nan"', ("WhiteElo", "'{}' is no rating", "nan", "a rating below 6,000")),
        ('"2412"', '"6000"', ("WhiteElo", "'{}' is no rating", "6000", "a rating below 6,000")),
        (
            'Ask, Bo"]\n[Black "Dal, Eva"]\n[Result "1-0"]\n[WhiteFideId "900001',
            '?"]\n[Black "Dal, Eva"]\n[Result "1-0"]\n[WhiteFideId "0',
            ("White", "no player", "?", "a name or a FIDE id"),
        ),
        ("2024.05.02", "????.??.??", ("Date", "no date", "????.??.??", "a date, YYYY.MM.DD")),
        ("2024.05.02", "2024.02.30", ("Date", "'{}' is no date", "2024.02.30", "a date, YYYY.MM.DD")),
        ("2024.05.02", "", ("Date", "no date", "", "a date, YYYY.MM.DD")),
        ("2024.05.02", "2024.31.05", ("Date", "'{}' is no date", "2024.31.05", "a date, YYYY.MM.DD")),
        (
            '[Date "2024.05.02"]',
            '[UTCDate "2024.31.05"]',
            ("UTCDate", "'{}' is no date", "2024.31.05", "a date, YYYY.MM.DD"),
        ),
        (
            '[Date "2024.05.02"]',
            '[EventDate "2024.31.05"]',
            ("EventDate", "'{}' is no date", "2024.31.05", "a date, YYYY.MM.DD"),
        ),
    ],
)
def test_a_wrong_tag_costs_its_game_alone(old, new, said):
    found = read_pgn(
        SECOND + "\n" + OPEN.replace(old, new) + "\n1. e4 1-0\n\n" + SECOND, asked=Asked(raw=True, beside=True)
    )
    assert found.games["place"].to_list() == [1, 27]
    assert found.rejects.rows() == [(11, *said, OPEN.replace(old, new))]
    assert read_pgn(OPEN.replace(old, new) + "\n1. e4 1-0\n").rejects["raw"].to_list() == [None]


@pytest.mark.parametrize("code", ["utf-8", "latin-1"])
def test_rejects_stand_as_they_are(code):
    text = '[White "Müller"]\n' + HEAD.replace('[White "A"]\n', "").replace("1-0", "1:0")
    mixed = text.encode(code) + b"\n" + '[White "Ås"]\n[Black "Ås"]\n'.encode()
    assert read_pgn(mixed, asked=Asked(raw=True)).rejects["raw"].to_list() == [text, '[White "Ås"]\n[Black "Ås"]\n']


def test_events_of_a_stream(tmp_path):
    """Editions of one name are told apart by their day; none starts behind its first game."""

    def game(event, day, start):
        return HEAD.replace("2024.05.01", day) + f'[Event "{event}"]\n[EventDate "{start}"]\n'

    games = [
        game("Yearly", "2023.05.03", "2023.05.01"),
        game("Yearly", "2024.05.03", "2024.05.02"),
        game("Late", "2024.05.04", "2024.05.06"),  # the tag says a later day than the game
        game("Plain", "2024.05.09", "2024.??.??"),
        game("Plain", "2024.05.08", "?"),
        game("?", "2024.05.10", "2020.01.01"),
    ]
    named = [("Yearly", 19478), ("Yearly", 19845), ("Late", 19849), ("Plain", None), ("Plain", None), (None, None)]
    assert columns("\n".join(games), "event", "event_start") == named
    (tmp_path / "games.pgn").write_text("\n".join(games))
    frame = rs.read(tmp_path / "games.pgn").to_frame().select("event", "event_start", "time")
    assert frame.rows() == [
        ("Yearly 2023-05-01", 19478, 19480),
        ("Yearly 2024-05-02", 19845, 19846),
        ("Late", 19847, 19847),
        ("Plain", 19851, 19851),
        ("Plain", 19851, 19852),
        ("unknown 2024-05-10", 19853, 19853),
    ]


def test_several_files_and_a_list_that_is_given():
    found = read_pgn(OPEN, SECOND, asked=Asked(list="blitz", beside=True))
    assert found.games["pool"].to_list() == ["blitz", "blitz"]
    assert found.games["place"].to_list() == [1, 1]


def test_published_starts_are_the_first_that_a_stream_publishes():
    nan = math.nan
    stream = rs.GameStream.of(
        first=["A", "C", "B", "A"],
        second=["B", "A", "D", "D"],
        score=[1, 0, 1, 1],
        time=[0, 1, 2, 3],
        published_first=[nan, 1700, 1500, 1650],
        published_second=[1480, 1600, nan, nan],
        players=rs.read_starts({"A": {"born": 1990}, "D": {"born": 2000}}),
    )
    starts = stream.published_starts()
    assert starts.columns == ["player", "rating", "born"]
    assert starts.fill_nan(None).rows() == [("A", 1600, 1990), ("B", 1480, None), ("C", 1700, None)]
    assert rs.read_starts(starts).fill_nan(None).rows() == starts.fill_nan(None).rows()


def test_nothing_published():
    stream = rs.GameStream.of(first=["A"], second=["B"], score=[1], time=[0])
    with pytest.raises(rs.InputError, match="start: the stream has no published ratings; expected columns published_f"):
        stream.published_starts()


def test_an_experiment_starts_as_published(tmp_path):
    (tmp_path / "games.pgn").write_text(OPEN, encoding="utf-8")
    table = '[stream]\ngames = "games.pgn"\nstart = "published"\n[[system]]\nkind = "elo"\n'
    (tmp_path / "a.toml").write_text(table)
    (loaded,) = load(read(tmp_path / "a.toml"))
    assert loaded.start.rows() == [("900001", 2412.0), ("900002", 1987.0)]
    (tmp_path / "games.pgn").write_text(HEAD)
    with pytest.raises(rs.InputError, match=r"a\.toml, stream, start: the stream has no published ratings"):
        load(read(tmp_path / "a.toml"))
