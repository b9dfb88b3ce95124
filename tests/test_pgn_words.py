"""What single tags of PGN mean: results, ratings, ids, days, clocks, rates of play."""

from datetime import date

import pytest
from pgn_reading import HEAD, columns, read_pgn

from ratesim.io.pgn_words import list_of


@pytest.mark.parametrize(
    ("result", "moves", "score"),
    [
        ("1-0", "1. e4 1-0", 1.0),
        (" 1-0 ", "1. e4", 1.0),
        ("1/2", "1. e4 1/2-1/2", 0.5),
        ("1-0", "1. e4 *", 1.0),  # an asterisk says nothing
        ("*", "1. e4 0-1", 0.0),
        ("", "1. e4 1/2-1/2", 0.5),
        ("", "1. e4 1-0 {White wins}", 1.0),
        ("", "1. e4 1-0 {White wins}  {and so on} \n  {and on}", 1.0),
        ("1-0", "1. e4 ( 1. d4 0-1 ) e5 {0-1} 1-0 ; 0-1", 1.0),
        ("0-1", "1. e4 0-1 (1. d4 1-0)", 0.0),  # of a variation, not of the game
        ("1-0", "", 1.0),
        ("?", "1. e4 1-0", 1.0),
        ("*", "1. e4 1-0 $1", 1.0),
        ("*", "1. e4 1-0 $1 $14 {a} $2", 1.0),
        ("*", "1. e4 1-0 {" + "a" * 200 + "} $1", 1.0),
        ("*", "1. e4 1-0" + " " * 1000, 1.0),
        ("*", "1. e4 1-0" + " " * 1000 + "{a}" + " " * 1000 + "{b}" + "\t" * 100 + "; c", 1.0),
        ("*", "1. e4 1-0\n" + " " * 1000 + "\n", 1.0),
    ],
)
@pytest.mark.parametrize("chunk", [1, 7, 64, 100_000])
def test_results(result, moves, score, chunk):
    assert columns(HEAD.replace("1-0", result) + f"\n{moves}\n", "score", chunk=chunk) == [(score,)]


@pytest.mark.parametrize(
    ("result", "moves", "why"),
    [("*", "1. e4 *", "unfinished"), (" * ", "", "unfinished"), ("", "1. e4 *", "unfinished"), ("0-0", "", "forfeit"),
     ("+/-", "1-0", "forfeit")],
)  # fmt: skip
def test_games_that_the_source_says_are_none(result, moves, why):
    found = read_pgn(HEAD.replace("1-0", result) + f"\n{moves}\n")
    assert len(found.games) == len(found.rejects) == 0
    assert found.left_out == {why: 1}


@pytest.mark.parametrize("result", ["", '[Result "?"]\n', '[Result ""]\n'])
def test_nothing_says_how_it_ended(result):
    assert read_pgn(HEAD.replace('[Result "1-0"]\n', result)).rejects["what"].to_list() == ["no result"]


def test_a_false_date_stands_for_no_other():
    tags = '[Date "2024.31.05"]\n[EventDate "2024.05.01"]\n'
    rejects = read_pgn(HEAD.replace('[Date "2024.05.01"]\n', tags)).rejects
    assert rejects.select("column", "value").rows() == [("Date", "2024.31.05")]
    assert columns(HEAD + '[UTCDate "2024.31.05"]\n', "time") == [(19844,)]  # a good one stands beside it


@pytest.mark.parametrize("rating", ["----", "-", "unr", "UNR", "unrated", "0", "", "?"])
def test_ratings_that_say_nothing(rating):
    assert "published_first" not in read_pgn(HEAD + f'[WhiteElo "{rating}"]\n').games.columns


@pytest.mark.parametrize(
    "tag",
    [
        '[GameId "?"]', '[GameId ""]', '[LichessId " - "]', '[FICSGamesDBGameNo ""]', '[Link ""]', '[Link "?"]',
        '[Link "https://example.org/open2024"]', '[Link "https://www.chess.com/game/live/"]',
        '[Link "https://lichess.org/broadcast/a/b/AbCdEfGh"]',  # of a round
        '[GameURL "https://www.chess.com/member/bob123"]', '[Site "https://lichess.org/analysis"]',
        '[Site "https://lichess.org/training"]', '[Site "https://lichess.org/@/foobar"]',
        '[Site "https://lichess.org/@/Foobar"]', '[Site "https://lichess.org/tournament/AbCd1234"]',
    ],
)  # fmt: skip
def test_what_is_no_id_tells_no_games_apart(tag):
    games = [f"{HEAD}{tag}\n\n{moves} 1-0\n\n" for moves in ("1. e4", "1. d4", "1. d4")]
    found = read_pgn("".join(games)).games
    assert "game_id" not in found.columns
    prints = found["fingerprint"].to_list()
    assert prints[0] != prints[1] == prints[2] is not None
    named = read_pgn("".join(games) + HEAD + '[Site "https://lichess.org/AbCd1234"]\n').games
    assert named["game_id"].to_list() == [None, None, None, "AbCd1234"]
    assert named["fingerprint"].to_list() == [*prints, None]


@pytest.mark.parametrize(
    ("tag", "name"),
    [
        ('[Link "https://www.chess.com/game/live/1234567"]', "1234567"),
        ('[Link "https://www.chess.com/game/daily/1234567?move=0"]', "1234567"),
        ('[GameURL "http://chess.com/live/game/1234567"]', "1234567"),
        ('[Link "https://lichess.org/AbCd1234#12"]', "AbCd1234"),
        ('[Site "http://lichess.org/AbCd1234"]', "AbCd1234"),
        ('[Site "https://lichess.org/abcdefgh"]', "abcdefgh"),
        ('[Site "https://lichess.org/AbCd1234efgh/black"]', "AbCd1234"),
        ('[Site " https://lichess.org/AbCd1234 "]', "AbCd1234"),
        ('[GameId "?"]\n[Site "https://lichess.org/AbCd1234"]', "AbCd1234"),
    ],
)
def test_ids(tag, name):
    plain, other = f"{HEAD}{tag}\n\n", f'{HEAD}[Site "https://lichess.org/XyZw9876"]\n\n'
    for text in (plain, plain + other, plain + HEAD):
        assert read_pgn(text).games["game_id"][0] == name


@pytest.mark.parametrize(
    ("clock", "time"),
    [
        ("18:00:36+02:00", 19844 + 57636 / 86400),
        ("01:00:00+0200", 19843 + 82800 / 86400),
        ("23:00:00-02:00", 19845 + 3600 / 86400),
        ("18:00:36Z", 19844 + 64836 / 86400),
        ("18:00:36.9", 19844 + 64836 / 86400),
        ("6:00:00", 19844.25),
    ],
)
@pytest.mark.parametrize("tag", ["Time", "UTCTime"])
def test_clocks(clock, time, tag):
    text = HEAD.replace("[Date", f'[{tag} "{clock}"]\n[{"UTC" * (tag == "UTCTime")}Date')
    assert columns(text, "time", "precision") == [(time, "second")]


@pytest.mark.parametrize(
    "clock", ["18", "1800", "noon", "24:00:00", "12:60", "12:00:60", "12:00:00 CET", "180036", "-5:00"]
)
def test_clocks_that_cannot_be_read_leave_the_day(clock):
    assert columns(HEAD + f'[Time "{clock}"]\n', "time", "precision") == [(19844, "day")]


@pytest.mark.parametrize(
    ("tags", "time", "precision"),
    [
        ('[GameStartTime "2024-05-01T12:15:58.767 UTC"]', 19844 + 44158 / 86400, "second"),
        ('[GameStartTime "2024-05-01T12:15:58Z"]', 19844 + 44158 / 86400, "second"),
        ('[GameStartTime "2024-05-01T12:15:58.767"]', 19844 + 44158 / 86400, "second"),
        ('[GameStartTime "2024-05-01T12:15:58.767 Central European Summer Time"]', 19844 + 44158 / 86400, "second"),
        ('[GameStartTime "2024-05-01 12:15:58 +0200"]', 19844 + 36958 / 86400, "second"),
        ('[GameStartTime "2024-04-30T23:00:00 UTC"]', 19843 + 82800 / 86400, "second"),  # Date is that of the place
        ('[GameStartTime "2024-05-07T12:15:58.767 UTC"]', 19844, "day"),
        ('[GameStartTime "noon"]', 19844, "day"),
        ('[GameStartTime "2024-05-01T12:15:58.767 UTC"]\n[Time "06:00:00"]', 19844.25, "second"),
    ],
)
def test_engines_write_when_games_start(tags, time, precision):
    assert columns(HEAD + tags + "\n", "time", "precision") == [(time, precision)]


def test_a_start_counts_without_a_date():
    text = HEAD.replace('[Date "2024.05.01"]', '[GameStartTime "2024-05-01T12:00:00 UTC"]')
    assert columns(text, "time", "precision") == [(19844.5, "second")]


@pytest.mark.parametrize(
    ("tags", "day", "precision"),
    [
        ('[Date "1951.??.??"]', "1951-12-31", "year"),
        ('[Date "1951"]', "1951-12-31", "year"),
        ('[Date "1951.02.??"]', "1951-02-28", "month"),
        ('[Date "1952.02.??"]', "1952-02-29", "month"),
        ('[Date "1951-03-04"]', "1951-03-04", "day"),
        ('[Date "?"]\n[EventDate "1951.03.04"]', "1951-03-04", "event"),
        ('[EventDate "1951.03.??"]', "1951-03-31", "month"),
        ('[Date "1951.??.??"]\n[UTCDate "1951.03.04"]', "1951-03-04", "day"),
        ('[Date "1951.03.04"]\n[UTCDate "????.??.??"]\n[UTCTime "12:00:00"]', "1951-03-04", "day"),
        ('[Date "1951.03.04"]\n[UTCDate "1951.03.05"]', "1951-03-05", "day"),
    ],
)
def test_days_known_in_part_stand_on_the_last_that_they_can_mean(tags, day, precision):
    (found,) = columns(HEAD.replace('[Date "2024.05.01"]', tags), "time", "precision")
    assert found == ((date.fromisoformat(day) - date(1970, 1, 1)).days, precision)


def test_universal_time_comes_first():
    tags = '[Date "2024.05.01"]\n[UTCDate "2024.04.30"]\n[UTCTime "18:00:36"]\n'
    assert columns(HEAD.replace('[Date "2024.05.01"]\n', tags), "time") == [(19843.75 + 36 / 86400,)]
    assert columns(HEAD + '[UTCDate "2024.04.30"]\n', "time") == [(19843,)]
    assert columns(HEAD + '[UTCTime "18:00:00"]\n', "time") == [(19844,)]  # of an unknown day
    assert columns(HEAD + '[Time "06:00:00"]\n', "time", "precision") == [(19844.25, "second")]


@pytest.mark.parametrize(
    ("rate", "of"),
    [
        ("900+10", "rapid"),
        ("5400+30", "standard"),
        ("40/7200:3600", "standard"),
        ("3000+10", "standard"),  # 50 minutes and 60 times 10 seconds are an hour
        ("600", "blitz"),
        ("180+2", "blitz"),
        ("180", None),  # not more than 3 minutes
        ("60+1", None),
        ("90+30", None),  # seconds, or minutes that should have been
        ("15 min. + 10 s. per move", "rapid"),
        ("15 minutes + 10 seconds increment per move, starting from move 1", "rapid"),
        ("90 min + 30 sec/move", "standard"),
        ("*180", None),
        ("1/86400", None),
        ("", None),
        ("9" * 5000, None),
    ],
)
def test_the_list_of_a_rate_of_play(rate, of):
    assert list_of(rate) == of
