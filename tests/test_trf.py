"""Tournament reports: every trap that files in the wild set, and that nothing is lost between reading and writing."""

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from tournaments import HEAD, PLAYERS, changed, report, row

from ratesim.errors import InputError
from ratesim.io.trf import Player, Round, Team, Tournament, parse, read_trf
from ratesim.io.trf_points import doubtful
from ratesim.io.trf_words import day
from ratesim.io.trf_writer import write_trf

SHARED = Path(__file__).resolve().parents[2] / "shared/data/trf"
REAL = ("bbp_issue_15.trf", "echecs_javafo_sample2.trf", "javafo_gros2010.trf", "py4swiss_late_entries.trf")


def read(text):
    return parse(text, Path("a.trf"))


def refusal(text):
    with pytest.raises(InputError) as error:
        read(text)
    assert "\n" not in str(error.value)
    return str(error.value)


def test_a_report_is_read():
    got = read(report())
    assert (got.name, got.city, got.federation, got.arbiter) == ("Club Open", "Donostia", "ESP", "IA A. Arbiter")
    assert got.deputies == ("B. Deputy", "C. Deputy")
    assert got.first_day == date(2024, 1, 31)
    assert got.dates == (date(2024, 1, 31), date(2024, 2, 1), date(2024, 2, 4))
    assert got.players[0] == Player(
        number=1, name="Aa, Ada", sex="w", title="WGM", rating=2301, federation="ESP", id="2200001",
        birth="1990/05/01", points=2.5, rank=1, rounds=(Round(3, "w", "1"), Round(2, "b", "="), Round(4, "w", "+")),
    )  # fmt: skip
    assert [player.born for player in got.players] == [1990, 1985, None, None]
    assert [player.title for player in got.players] == ["WGM", "FM", "", ""]
    assert (got.players[2].rating, got.players[2].id) == (None, None)
    assert got.players[3].rounds[2] == Round(1, "-", "-")
    assert got.players[2].rounds[2] == Round(None, "-", "U")
    assert [player.line for player in got.players] == [13, 14, 15, 16]


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1", "cp1252"])
def test_encodings_and_ends_of_lines(tmp_path, end, encoding):
    place = tmp_path / "a.trf"
    place.write_bytes(report(end=end).encode(encoding))
    assert read_trf(place) == read(report())
    assert read_trf(place).players[1].name == "Bé, Bo"


def test_columns_are_characters_and_no_other_sign_ends_a_line(tmp_path):
    name = "Žć, Œ\x0b\x85\u2028é"
    assert read(report(row(1, name))).players[0].name == name
    place = tmp_path / "a.trf"
    place.write_bytes(report(row(1, "Ž \x8d")).encode("latin-1", "replace"))
    assert read_trf(place).players[0].name == "? \x8d"  # a byte that Windows' Latin 1 does not have


def test_lines_end_after_the_last_round():
    cut = report(*HEAD, *(line.rstrip() for line in PLAYERS))
    assert read(cut) == read(report())
    wide = report(*HEAD, *(line + " " * 25 for line in PLAYERS))
    assert read(wide) == read(report())
    (one,) = read(report(row(1, "A", "        ", "0000 - U", "        "))).players
    assert one.rounds == (Round(), Round(None, "-", "U"))


@pytest.mark.parametrize(
    ("written", "title"),
    [("g", "GM"), ("  g", "GM"), ("g  ", "GM"), ("m", "IM"), ("f", "FM"), ("c", "CM"), ("wg", "WGM"), ("wm ", "WIM"),
     ("WF", "WFM"), ("wc", "WCM"), ("GM", "GM"), ("WIM", "WIM"), ("AGM", "AGM"), ("", "")],
)  # fmt: skip
def test_titles_old_and_new_at_either_side(written, title):
    (one,) = read(report(row(1, "A", title=written))).players
    assert one.title == title


@pytest.mark.parametrize(
    ("written", "year"),
    [("1966/02/06", 1966), ("1966.02.06", 1966), ("1978/00/00", 1978), ("1978", 1978), ("06.02.1966", 1966),
     ("0000/00/00", None), ("", None), ("66", None)],
)  # fmt: skip
def test_births(written, year):
    (one,) = read(report(row(1, "A", birth=written))).players
    assert (one.born, one.birth) == (year, written)


@pytest.mark.parametrize(
    "written",
    ["2020/05/29", "2020-05-29", "2020.5.29", "29/05/2020", "29. 05. 2020", "29.5.2020", "May 29, 2020", "29 May 2020"],
)
def test_first_days(written):
    assert day(written) == date(2020, 5, 29)
    assert read(report(f"042 {written}", row(1, "A"))).first_day == date(2020, 5, 29)


@pytest.mark.parametrize("written", ["", "soon", "2020", "2020/13/01", "29 Mai 2020", "29 May 29, 2020", "20/05/29"])
def test_what_is_no_day_is_not_guessed(written):
    assert day(written) is None


def test_years_of_round_dates():
    got = read(report(f"132{'71/01/31':>96}{'':10}{'69/12/31':>10}", row(1, "A")))
    assert got.dates == (date(1971, 1, 31), None, date(2069, 12, 31))


def test_forfeits_of_every_shape():
    shapes = [("   2 w +", "   1 b -"), ("   2 - +", "   1 - -"), ("   2 w -", "   1 b -"), ("0000 - +", "0000 - -")]
    shapes += [("   2 w +", "0000 - -"), ("     - H", "       H")]
    for one, other in shapes:
        got = read(report(row(1, "A", one), row(2, "B", other)))
        assert [player.rounds[0].result for player in got.players] == [one[-1], other[-1]]


def test_start_ranks_have_gaps_and_any_order():
    got = read(report(row(9, "A", "   4 w 1"), row(4, "B", "   9 b 0")))
    assert [player.number for player in got.players] == [9, 4]


def test_names_may_be_missing():
    got = read(report(row(1, "", id=7), row(2, "")))
    assert [(player.name, player.id) for player in got.players] == [("", "7"), ("", None)]


OTHERS = [
    "142 9", "152 W", "162  W 1.0    D 0.5    A 0.0", "172 IND", "182 ratesim", "192 FIDE_DUTCH_2026", "202 BH",
    "212 SB", "222 5400+30", "240 H   2    2   3", "250 1.0", "260 1 2", "299 a", "300 b", "320 c", "330 d", "352 W",
    "362 e", "801 f", "802 g", "XXR 9", "XXC white1", "XXZ 2 3", "XXS WW=1.0 W=1.0", "XXA    1  1.0", "XXP 1 2",
    "BBW  1.0", "BBD  0.5", "# a remark", "### another", "DDD SSSS sTTT NNNNNNNNNN", "         1         2",
    "ESP    1 w    Aa, Ada                           2290 ESP",
]  # fmt: skip


def test_records_of_others_stand_as_they_are():
    got = read(report(*HEAD, *OTHERS, *PLAYERS))
    assert got.others == tuple(OTHERS)
    assert (got.records("222"), got.records("XXC"), got.records("###")) == (["5400+30"], ["white1"], ["another"])
    assert replace(got, others=()) == read(report())


def test_teams():
    line = f"310   1 {'Reds':32} RED".ljust(73) + "   1    2"
    got = read(report(*PLAYERS, f"013 {'Reds':32}   1    2", f"013 {'Blues':32}   3", line))
    assert [(team.name, team.members) for team in got.teams] == [("Reds", (1, 2)), ("Blues", (3,)), ("Reds", (1, 2))]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (PLAYERS[3], PLAYERS[3][:70], r"a.trf, line 16: too short, 68 columns; expected a player's line, at least 84"),
        (PLAYERS[3], PLAYERS[3][:84] + "  4      2", "line 16, columns 92-99: too short, it ends within round 1"),
        ("   1 b 0", "   9 b 0", r"a.trf, line 15, round 1: opponent 9 is not in the file; expected a player's start"),
        ("   1 b 0", "   1 b =", r"a.trf, lines 13 and 15, round 1: 1 has '3 w 1' and 3 has '1 b ='; expected each as"),
        ("   1 b 0", "   1 b 1", r"a.trf, lines 13 and 15, round 1: .*results that agree$"),
        ("   1 b 0", "   1 w 0", r"a.trf, lines 13 and 15, round 1: 1 has '3 w 1' and 3 has '1 w 0'"),
        ("   1 b 0", "   1 b  ", r"a.trf, lines 13 and 15, round 1: 1 has '3 w 1' and 3 has '1 b  '"),
        ("   1 b 0", "   2 b 0", r"a.trf, lines 13 and 15, round 1: 1 has '3 w 1' and 3 has '2 b 0'"),
        ("   1 b 0", "0000 - U", r"a.trf, lines 13 and 15, round 1: 1 has '3 w 1' and 3 has '0 - U'"),
        ("   1 - -", "   1 - 0", r"a.trf, lines 13 and 16, round 3: 1 has '4 w \+' and 4 has '1 - 0'"),
        ("   1 b 0", "   3 b 0", r"a.trf, lines 13 and 15, round 1:"),
        ("   1 b 0", "   1 b x", r"line 15, columns 92-99: '   1 b x' is no result of round 1; expected an opponent"),
        ("   1 b 0", "  1 b 0 ", r"line 15, columns 92-99: '  1 b 0' is no result of round 1"),
        ("   1 b 0", " 1 1b 0 ", r"is no result of round 1"),
        ("001    4", "001    3", r"a.trf, lines 15 and 16: both have start rank 3; expected each player once"),
        ("001    4", "001    x", r"line 16, columns 5-8: start rank 'x'; expected a whole number"),
        ("001    4", "001    0", r"line 16, columns 5-8: no start rank"),
        (" 2200004", " 2200001", r"a.trf, lines 13 and 16: both have id 2200001; expected each player once"),
        ("1875", "187x", r"line 14, columns 49-52: rating '187x'; expected a whole number"),
        ("1875", "4001", r"line 14, columns 49-52: rating 4001; expected at most 4000"),
        (" 2.5 ", " 2-5 ", r"line 13, columns 81-84: points '2-5'; expected a number such as 4.5"),
        ("24/02/01", "24/02/30", r"a.trf, line 12, columns 102-109: '24/02/30' is no date; expected YY/MM/DD"),
    ],
)
def test_bad_lines_are_one_line_each(old, new, said):
    with pytest.raises(InputError, match=said) as error:
        read(changed(report(), old, new))
    assert "\n" not in str(error.value)


def test_bad_teams_and_files(tmp_path):
    assert "line 5, columns 37-40: member 'x'; expected a start rank" in refusal(report(*PLAYERS, f"013{'x':>37}"))
    assert "line 5: member 9 is not in the file" in refusal(report(*PLAYERS, f"013{'9':>37}"))
    assert refusal("012 Open\n") == "a.trf: no players; expected lines that begin with 001"
    with pytest.raises(InputError, match=r"none.trf: no such file; expected a tournament report \(TRF\)$"):
        read_trf(tmp_path / "none.trf")


def written(tournament, folder):
    """The bytes of a tournament, which stay the same however often it is read and written."""
    write_trf(tournament, folder / "one.trf")
    again = read_trf(folder / "one.trf")
    assert again == tournament
    write_trf(again, folder / "two.trf")
    assert (folder / "one.trf").read_bytes() == (folder / "two.trf").read_bytes()
    return (folder / "one.trf").read_bytes()


def test_what_is_written_is_as_the_format_has_it(tmp_path):
    teams = f"013 {'Reds':32}   1    2"
    lines = written(read(report(*HEAD, *OTHERS, *PLAYERS, teams)), tmp_path).decode().splitlines()
    assert lines[:12] == HEAD
    assert lines[12 : 12 + len(OTHERS)] == OTHERS
    assert lines[-1] == teams
    assert lines[-5] == PLAYERS[0].replace(" wg ", "WGM ")
    assert lines[-4] == PLAYERS[1].replace("  f ", " FM ")
    assert lines[-3] == PLAYERS[2].replace("   0 ESP           0", "     ESP            ")


@pytest.mark.data
@pytest.mark.parametrize("name", REAL)
def test_real_files_come_back(tmp_path, name):
    tournament = read_trf(SHARED / name)
    written(tournament, tmp_path)
    lines = [line for line in (SHARED / name).read_bytes().decode().replace("\r", "\n").split("\n") if line.strip()]
    assert len(tournament.players) == sum(line.startswith("001") for line in lines)
    assert len((tmp_path / "one.trf").read_text().splitlines()) == sum(len(line.strip()) > 3 for line in lines)
    assert doubtful(tournament) == []


@pytest.mark.parametrize(
    "change",
    [{"name": "x" * 34}, {"name": " x"}, {"name": "a\nb"}, {"federation": "SPAIN"}, {"title": "g"}, {"points": 1000.0},
     {"id": "0"}, {"rating": 12345}, {"number": 10_000}, {"rounds": (Round(),)}, {"rounds": (Round(None, "", "?"),)}],
)  # fmt: skip
def test_what_would_be_read_otherwise_is_not_written(tmp_path, change):
    tournament = Tournament(players=(Player(1, "A"), replace(Player(2, "B"), **change)))
    with pytest.raises(InputError) as error:
        write_trf(tournament, tmp_path / "a.trf")
    assert "\n" not in str(error.value)
    assert [*tmp_path.iterdir()] == []


def test_a_header_of_two_lines_is_not_written(tmp_path):
    with pytest.raises(InputError, match=r"a.trf: '012 a\\nb' has an end of line within"):
        write_trf(Tournament(name="a\nb", players=(Player(1, "A"),)), tmp_path / "a.trf")
    assert [*tmp_path.iterdir()] == []


WORDS = st.text(st.characters(exclude_categories=("C", "Z")), min_size=1, max_size=12)
NAMES = st.lists(WORDS, min_size=1, max_size=2).map(" ".join)
PAIRS = st.sampled_from([("1", "0"), ("=", "="), ("0", "1"), ("+", "-"), ("-", "-"), ("W", "L"), ("D", "D"), ("", "")])
ALONE = st.sampled_from([Round(), *(Round(None, "-", result) for result in "HFUZ+-")])


@st.composite
def tournaments(draw):
    numbers = draw(st.lists(st.integers(1, 9999), min_size=1, max_size=7, unique=True))
    rounds = {number: [] for number in numbers}
    for _ in range(draw(st.integers(0, 4))):
        order = draw(st.permutations(numbers))
        paired = draw(st.integers(0, len(numbers) // 2))
        for white, black in zip(order[: 2 * paired : 2], order[1 : 2 * paired : 2], strict=True):
            one, other = draw(PAIRS)
            rounds[white].append(Round(black, "w", one))
            rounds[black].append(Round(white, "b", other))
        for number in order[2 * paired :]:
            rounds[number].append(draw(ALONE))
    for said in rounds.values():
        while said and said[-1] == Round():
            said.pop()
    ids = draw(st.lists(st.integers(1, 10**11 - 1).map(str), min_size=len(numbers), max_size=len(numbers), unique=True))
    players = [
        Player(
            number=number,
            name=draw(NAMES),
            sex=draw(st.sampled_from(["", "m", "w"])),
            title=draw(st.sampled_from(["", "GM", "IM", "WFM", "AGM"])),
            rating=draw(st.none() | st.integers(1, 4000)),
            federation=draw(st.sampled_from(["", "ESP", "FRA"])),
            id=draw(st.sampled_from([None, fide])),
            birth=draw(st.sampled_from(["", "1990", "1990/05/01", "1978/00/00"])),
            points=draw(st.none() | st.integers(0, 199).map(lambda halves: halves / 2)) if said else 0.0,
            rank=draw(st.integers(1, 9999)),
            rounds=tuple(said),
        )
        for (number, said), fide in zip(rounds.items(), ids, strict=True)
    ]
    texts = {
        name: draw(st.just("") | NAMES) for name in ("name", "city", "federation", "start", "type", "time_control")
    }
    days = st.none() | st.dates(date(1970, 1, 1), date(2069, 12, 31))
    dates = [*draw(st.lists(days, max_size=4)), draw(st.dates(date(1971, 1, 1), date(2069, 12, 31)))]
    teams = [Team(draw(WORDS), tuple(draw(st.lists(st.sampled_from(numbers), min_size=1, max_size=4))))]
    return Tournament(
        **texts,
        deputies=tuple(draw(st.lists(NAMES, max_size=2))),
        dates=tuple(draw(st.sampled_from([(), tuple(dates)]))),
        players=tuple(players),
        teams=tuple(draw(st.sampled_from([[], teams]))),
        others=tuple(draw(st.lists(st.sampled_from(OTHERS), max_size=4))),
    )


@given(tournament=tournaments())
def test_any_tournament_comes_back(tournament, tmp_path_factory):
    written(tournament, tmp_path_factory.mktemp("any"))


@given(where=st.integers(0, 10**6), with_=st.sampled_from([*"0123456789wb-+=\r\n é", ""]), length=st.integers(0, 40))
def test_a_damaged_report_is_read_or_refused(where, with_, length):
    text = report(*HEAD, *OTHERS, *PLAYERS, f"013 {'Reds':32}   1    2")
    where %= len(text)
    damaged = text[:where] + with_ + text[where + length :]
    try:
        said = read(damaged).players
    except InputError as error:
        said = "\n" not in str(error)
    assert said
