"""Games by the tags of PGN, of players who are invented; and hard files that people have."""

import math
from pathlib import Path

import pytest

import ratesim as rs
from ratesim.experiment import read
from ratesim.io.pgn import games, is_pgn, list_of
from ratesim.plan import load

SHARED = Path(__file__).resolve().parents[2] / "shared"
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


@pytest.fixture
def put(tmp_path):
    def written(text: str, encoding="utf-8"):
        (tmp_path / "games.pgn").write_bytes(text.encode(encoding))
        return tmp_path / "games.pgn"

    return written


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1"])
def test_every_column(put, end, encoding):
    stream = rs.read(put(f"{OPEN}\n1. e4 1-0\n\n{SECOND}\n".replace("\n", end), encoding))
    assert stream.players.rows() == [
        ("900002", "Dal, Eva", "WFM", "SWE"),
        ("Fell", "Fell", None, None),
        ("900001", "Ask, Bo", "GM", None),
    ]
    assert stream.players.columns == ["player", "name", "title", "federation"]
    frame = stream.to_frame()
    assert frame["first"].to_list() == ["900002", "900001"]
    assert frame["second"].to_list() == ["Fell", "900002"]
    assert frame["score"].to_list() == [0.5, 1.0]
    assert frame["time"].to_list() == [19844, 19845]  # 2024-05-01 is day 19844
    assert frame["edge"].to_list() == [1, 1]
    assert frame["published_first"].to_list() == [1987, 2412]
    assert frame["published_second"].fill_nan(None).to_list() == [None, 1987]
    assert frame["event"].to_list() == ["Ås Open", "Ås Open"]
    assert frame["event_start"].to_list() == [19844, 19844]
    assert frame["pool"].to_list() == ["unknown", "rapid"]
    assert stream.notes == ("1 game stood after a later one: sorted by time",)


def test_only_what_tags_say_is_there(put):
    stream = rs.read(put('[White "A"]\n[Black "B"]\n[Result "0-1"]\n[Date "2024.05.01"]\n[Event "?"]\n'))
    assert [name for name, _ in stream.columns()] == ["first", "second", "score", "time", "edge"]
    assert stream.players.rows() == [("A", "A"), ("B", "B")]


HEAD = '[White "A"]\n[Black "B"]\n[Result "1-0"]\n[Date "2024.05.01"]\n'


@pytest.mark.parametrize(
    "between",
    [
        "\n",
        "\n\n1. e4 e5 2. Nf3 *\n\n",
        "1. e4 e5\n",
        '\n1. e4 {a brace over\n[Event "not a tag"]\n\nlines} 1-0\n\n',
        "\n1. e4 ; a comment { of one line\n1-0\n\n",
        "\n1. e4 { with a ; and [%clk 0:01:00] } e5 1-0\n\n",
        "\n% { an escape\n1. e4 1-0\n\n",
        "\n%{\n",
        "\n1. e4 {} e5 {} {two} 1-0\n\n",
        "\n[%emt 0:01] 1. e4 1-0\n\n",
    ],
)
def test_moves_are_passed_over(between):
    text = HEAD + between + HEAD.replace('"A"', '"C"')
    found = [(game.tags["White"], game.tags["Result"], game.place) for game in games(text.splitlines(True), "a.pgn")]
    line = 1 + HEAD.count("\n") + between.count("\n")
    assert found == [("A", "1-0", "a.pgn, line 1"), ("C", "1-0", f"a.pgn, line {line}")]


def test_a_brace_that_nobody_closed_costs_no_other_game():
    texts = [f'[Event "E"]\n[White "{name}"]\n\n1. e4 {{ and so on\n1-0\n\n' for name in "ABC"]
    assert [game.tags["White"] for game in games("".join(texts).splitlines(True))] == ["A", "B", "C"]


def test_games_of_tags_alone_need_no_blank_line():
    texts = [f'[Event "E"]\n[White "{name}"]\n' for name in "ABC"]
    assert [game.tags["White"] for game in games("".join(texts).splitlines(True))] == ["A", "B", "C"]


@pytest.mark.parametrize(
    ("tag", "value"),
    [
        (r'[White "a \"quoted\" name"]', 'a "quoted" name'),
        (r'[White "back\\slash"]', r"back\slash"),
        ('[White "Tournament \\"]', "Tournament \\"),
        ('[White "an "unescaped" name"]', 'an "unescaped" name'),
        ('[White "brackets ] and [ [Black"]', "brackets ] and [ [Black"),
        ('  [ White   "blanks" ] ', "blanks"),
        ('[Black "x"] [White "two of a line"]', "two of a line"),
        ('[White ""]', ""),
    ],
)
def test_what_a_tag_can_hold(tag, value):
    (game,) = games([tag + "\n"])
    assert game.tags["White"] == value
    assert is_pgn(tag.encode())


@pytest.mark.parametrize(
    ("head", "there"),
    [
        (b'\xef\xbb\xbf\r\n% escape\r\n; comment\r\n[Event "E"]\r\n', True),
        (b"first,second,score,time\n", False),
        (b"[1, 2]\n", False),
        (b'[stream]\nname = "x"\n', False),
        (b"", False),
    ],
)  # fmt: skip
def test_what_is_pgn(head, there):
    assert is_pgn(head) == there


def test_games_that_lack_something_are_counted(put):
    odd = [HEAD.replace("1-0", result) for result in ("*", "?", "*")]
    odd += [HEAD.replace("2024.05.01", day) for day in ("????.??.??", "2024.05.??", "2024.02.30", "")]
    odd += [HEAD.replace('"A"', '"?"')]
    stream = rs.read(put("\n".join([*odd, HEAD])))
    assert len(stream) == 1
    assert set(stream.notes) == {
        "3 games without a result left out",
        "4 games without a day left out",
        "1 game without players left out",
    }
    assert stream.source["left_out"] == {"a result": 3, "a day": 4, "players": 1}
    with pytest.raises(rs.InputError, match=r"games.pgn: no game of 8 has players, a result and a day; expected at le"):
        rs.read(put("\n".join(odd)))


def test_universal_time_comes_first(put):
    tags = '[Date "2024.05.01"]\n[UTCDate "2024.04.30"]\n[UTCTime "18:00:36"]\n'
    assert rs.read(put(HEAD.replace('[Date "2024.05.01"]\n', tags))).time[0] == 19843.75 + 36 / 86400
    assert rs.read(put(HEAD + '[UTCDate "2024.04.30"]\n')).time[0] == 19843
    assert rs.read(put(HEAD + '[UTCTime "18:00:00"]\n')).time[0] == 19844  # of an unknown day


def test_events(put):
    def game(event, day, start):
        return HEAD.replace("2024.05.01", day) + f'[Event "{event}"]\n[EventDate "{start}"]\n'

    stream = rs.read(
        put(
            "\n".join(
                [
                    game("Yearly", "2023.05.03", "2023.05.01"),
                    game("Yearly", "2024.05.03", "2024.05.02"),
                    game("Late", "2024.05.04", "2024.05.06"),  # the tag says a later day than the game
                    game("Plain", "2024.05.09", "2024.??.??"),
                    game("Plain", "2024.05.08", "?"),
                    game("?", "2024.05.10", "2020.01.01"),
                ]
            )
        )
    )
    frame = stream.to_frame().select("event", "event_start", "time")
    assert frame.rows() == [
        ("Yearly 2023-05-01", 19478, 19480),
        ("Yearly 2024-05-02", 19845, 19846),
        ("Late", 19847, 19847),
        ("Plain", 19851, 19851),
        ("Plain", 19851, 19852),
        ("unknown", 19853, 19853),
    ]


def test_several_files_are_one_stream(put, tmp_path):
    first = put(OPEN)
    (tmp_path / "more.pgn").write_text(SECOND)
    stream = rs.read([first, tmp_path / "more.pgn"], list="blitz")
    assert len(stream) == 2
    assert stream.pools == ("blitz",)
    assert stream.source["paths"] == ["games.pgn", "more.pgn"]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"1-0"', '"1:0"', r"games\.pgn, line 1, tag Result: '1:0'; expected 1-0, 0-1, 1/2-1/2 or \*$"),
        ('"2412"', '"24l2"', r"games\.pgn, line 1, tag WhiteElo: '24l2'; expected a rating below 6,000$"),
        ('"2412"', '"nan"', r"games\.pgn, line 1, tag WhiteElo: 'nan'; expected a rating below 6,000$"),
        ('"900002"', '"0900001"', r"line 1, tag Black: 'Dal, Eva' plays against themselves; expected another player$"),
    ],
)
def test_a_wrong_tag_is_named(put, old, new, said):
    with pytest.raises(rs.InputError, match=said):
        rs.read(put(OPEN.replace(old, new)))


def test_a_map_of_columns_has_no_use(put):
    with pytest.raises(rs.InputError, match=r"games\.pgn: a file of PGN has no columns; expected no map of columns$"):
        rs.read(put(OPEN), {"first": "White"})
    with pytest.raises(rs.InputError, match=r"games\.pgn: start is given; expected it with tournament reports alone$"):
        rs.read(put(OPEN), start="2024-01-01")


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
    ],
)
def test_the_list_of_a_rate_of_play(rate, of):
    assert list_of(rate) == of


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


def test_an_experiment_starts_as_published(put, tmp_path):
    put(OPEN)
    table = '[stream]\ngames = "games.pgn"\nstart = "published"\n[[system]]\nkind = "elo"\n'
    (tmp_path / "a.toml").write_text(table)
    (loaded,) = load(read(tmp_path / "a.toml"))
    assert loaded.start.rows() == [("900001", 2412.0), ("900002", 1987.0)]
    put(HEAD)
    with pytest.raises(rs.InputError, match=r"a\.toml, stream, start: the stream has no published ratings"):
        load(read(tmp_path / "a.toml"))


# Files of a chess library's own tests: the games that its parser is made for. Counted by eye.
HARD = {
    "backslash_header": 1,
    "basic": 1,
    "comment_before_moves": 1,
    "corrupted": 1,
    "empty_body": 1,  # and one of nobody
    "multiple": 4,
    "newline": 1,
    "no_moves": 1,
    "no_moves_but_game_termination_multiple": 2,
    "non_ascii": 1,
}


@pytest.mark.data
@pytest.mark.parametrize("name", HARD)
def test_hard_files(name):
    assert len(rs.read(SHARED / f"data/pgn/{name}.pgn")) == HARD[name]


@pytest.mark.data
def test_quotes_in_hard_files():
    with (SHARED / "data/pgn/square_bracket_in_header.pgn").open() as file:
        (game,) = games(file)
    assert game.tags["Event"].endswith("master[!important]")
    assert game.tags["White"] == 'New-cfe8"dsadsa"ce842c'
    assert game.tags["Variation"] == "closing ] opening"
