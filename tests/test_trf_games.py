"""Games out of tournament reports: which count, whose, when, on which list; and `ratesim import`."""

import dataclasses
import json
import re
from datetime import date
from pathlib import Path

import numpy as np
import pytest
from tournaments import HEAD, PLAYERS, changed, report, row

import ratesim as rs
from ratesim.errors import InputError
from ratesim.io.trf import parse
from ratesim.io.trf_games import not_rated
from ratesim.io.trf_points import doubtful
from ratesim.io.trf_words import coded_minutes, list_of, told_minutes

SHARED = Path(__file__).resolve().parents[2] / "shared/data/trf"
EPOCH = date(1970, 1, 1)
UNPLACED = ["days of rounds (132) are missing: all games have the event's first day"]
UNLISTED = ["the rate of play (222, 122) tells no list: the pool is unknown"]


def tournament(text, name="a.trf"):
    return parse(text, Path(name))


def games(text, **options):
    return rs.tournament_games(tournament(text), **options)


def test_only_games_that_were_played_are_there():
    got = games(report())
    rows = got.to_frame().select("first", "second", "score", "edge", "published_first", "published_second").rows()
    assert rows[:2] == [("2200001", "Cc, Cy", 1.0, 1.0, 2301.0, pytest.approx(np.nan, nan_ok=True)),
                        ("2200004", "600002", 0.0, 1.0, 1400.0, 1875.0)]  # fmt: skip
    assert [row[:4] for row in rows[2:]] == [("600002", "2200001", 0.5, 1.0), ("Cc, Cy", "2200004", 1.0, 1.0)]
    assert got.time.tolist() == [(date(2024, 1, 31) - EPOCH).days] * 2 + [(date(2024, 2, 1) - EPOCH).days] * 2
    assert (got.events, got.pools, got.event_start.tolist()) == (("Club Open",), ("standard",), [got.time[0]] * 4)
    assert got.notes == ("not rated: 1 forfeit, 1 half-point bye, 1 pairing-allocated bye",)
    assert got.source["not_rated"] == {"Club Open": {"forfeit": 1, "half-point bye": 1, "pairing-allocated bye": 1}}


def test_players_have_attributes():
    table = games(report()).players.sort("player")
    assert table.columns == ["player", "name", "federation", "sex", "title", "born"]
    assert table.rows()[:2] == [
        ("2200001", "Aa, Ada", "ESP", "F", "WGM", 1990),
        ("2200004", "Dd, Di", None, "F", None, None),
    ]
    assert table.rows()[3] == ("Cc, Cy", "Cc, Cy", "ESP", "M", None, None)


@pytest.mark.parametrize(
    ("one", "other", "reason", "count"),
    [
        ("   2 w W", "   1 b L", "unplayed game", 1),
        ("   2 w D", "   1 b D", "unplayed game", 1),
        ("   2 w -", "   1 b -", "forfeit", 1),
        ("   2 - +", "0000 - -", "forfeit", 2),
        ("0000 - +", "0000 - +", "forfeit", 2),
        ("0000 - F", "0000 - F", "full-point bye", 2),
        ("0000 - Z", "0000 - Z", "zero-point bye", 2),
        ("0000 - 1", "0000 - 1", "unopposed result", 2),
        ("   2 w  ", "   1 b  ", "open pairing", 1),
        ("        ", "        ", "absence", 2),
    ],
)
def test_what_is_not_rated_has_a_reason(one, other, reason, count):
    played = [row(3, "C", "   4 w 1", "   4 w 1"), row(4, "D", "   3 b 0", "   3 b 0")]
    got = tournament(report(row(1, "A", "   2 w =", one), row(2, "B", "   1 b =", other), *played))
    assert not_rated(got) == {reason: count}
    assert len(rs.tournament_games(got, start="2024-01-31")) == 3


def test_absences_are_of_rounds_that_were_paired():
    got = tournament(report(row(1, "A", "   2 w =", "0000 - H"), row(2, "B", "   1 b =")))
    assert not_rated(got) == {"half-point bye": 1}


def test_white_is_known_from_either_line_and_nobody_has_the_edge_where_it_is_from_none():
    sides = [("   2 - 1", "   1 b 0"), ("   2 w 1", "   1 - 0"), ("   2 - 1", "   1 - 0"), ("   2 b 1", "   1 - 0")]
    ones, others = zip(*sides, strict=True)
    got = games(report("042 2024/01/31", row(1, "A", *ones), row(2, "B", *others))).to_frame()
    assert got.select("first", "score", "edge").rows() == [("A", 1, 1), ("A", 1, 1), ("A", 1, 0), ("B", 0, 1)]


def test_without_days_of_all_rounds_all_games_have_the_first_day():
    for line in ("", f"132{'24/01/31':>96}"):
        got = games(report(*HEAD[:-1], line, *PLAYERS))
        assert set(got.time) == {(date(2024, 1, 31) - EPOCH).days}
        assert [*got.notes[1:]] == UNPLACED
    got = games(report(*HEAD[:3], *HEAD[4:], *PLAYERS))  # no 042, but 132
    assert got.event_start[0] == got.time[0] == (date(2024, 1, 31) - EPOCH).days


def test_a_first_day_is_asked_for_and_never_guessed():
    text = report(*PLAYERS)
    with pytest.raises(InputError, match=r"^a.trf: no first day \(042\); expected the option start=YYYY-MM-DD"):
        games(text)
    with pytest.raises(InputError, match=r"^a.trf: first day 'soon' \(042\) is no date; expected the option start="):
        games(report("042 soon", *PLAYERS))
    for start in ("2024-01-31", date(2024, 1, 31)):
        assert games(text, start=start).event_start[0] == (date(2024, 1, 31) - EPOCH).days
    with pytest.raises(InputError, match=r"^start = '31.1.2024'; expected a day as YYYY-MM-DD$"):
        games(text, start="31.1.2024")
    told = games(report("042 05/06/2010", *PLAYERS))
    assert "first day '05/06/2010' (042) is read day first" in told.notes
    assert told.event_start[0] == (date(2010, 6, 5) - EPOCH).days


def test_a_round_is_not_before_its_event():
    with pytest.raises(InputError, match=r"^a.trf, round 2: is on 2024-01-30 \(132\); expected the event's first day"):
        games(changed(report(), "24/02/01", "24/01/30"))


@pytest.mark.parametrize(
    ("code", "words", "found"),
    [
        ("5400+30", "", "standard"),  # 120 minutes
        ("40/6000+30:900+30", "", "standard"),
        ("3599", "", "rapid"),
        ("3600", "", "standard"),
        ("600", "", "blitz"),
        ("601", "", "rapid"),
        ("180+2", "", "blitz"),
        ("180", "", None),
        ("W300-B240", "5 min", None),
        ("40/2000", "", None),  # what comes after 40 moves is not said
        ("", "5400+30", "standard"),
        ("", "15 min + 10 sec", "rapid"),
        ("", "15 minutes + 10 seconds per move", "rapid"),
        ("", "15'+10''", "rapid"),
        ("", "90 min/40 moves + 30 min + 30 sec", "standard"),
        ("", "3+2", None),
        ("", "90+30", None),
        ("", "moves/time, increment", None),
        ("", "", None),
    ],
)
def test_a_list_is_known_where_the_rate_of_play_is_sure(code, words, found):
    assert list_of(code, words) == found
    lines = [*([f"222 {code}"] if code else []), f"122 {words}", "042 2024/01/31", *PLAYERS]
    got = games(report(*lines))
    assert got.pools == ((found,) if found else ())
    assert (UNLISTED[0] in got.notes) == (found is None)
    assert games(report(*lines), list="rapid").pools == ("rapid",)


def test_minutes_of_sixty_moves():
    assert coded_minutes("40/6000+30:900+30") == (6000 + 900 + 60 * 30) / 60
    assert coded_minutes("40/5400:20/3600:900+30") == 150
    assert told_minutes("90 min / 40 moves + 30 min + 30 sec per move") == 150


def test_a_list_that_is_none_is_refused():
    with pytest.raises(InputError, match=r"^list = 'rapyd'; expected one of .*; did you mean 'rapid'\?$"):
        games(report(), list="rapyd")


def test_two_of_one_name_need_ids():
    text = report("042 2024/01/31", row(1, "A", "   2 w 1"), row(2, "A", "   1 b 0"))
    with pytest.raises(InputError, match=r"^a.trf, lines 2 and 3: both are 'A'; expected an id, or a name of their"):
        games(text)
    with_id = report("042 2024/01/31", row(1, "A", "   2 w 1"), row(2, "A", "   1 b 0", id=77))
    assert games(with_id).players["player"].to_list() == ["A", "77"]


def test_who_has_no_name_needs_an_id():
    lines = [row(1, "", "   2 w 1", id=7), row(2, "", "   1 b 0", id=8)]
    assert games(report("042 2024/01/31", *lines)).players.select("player", "name").rows() == [("7", None), ("8", None)]
    with pytest.raises(InputError, match=r"^a.trf, line 3: a player without a name and an id; expected one of them$"):
        games(report("042 2024/01/31", lines[0], row(2, "", "   1 b 0")))


def test_points_that_are_not_those_of_the_results_are_doubted():
    got = games(changed(report(), " 2.5 ", " 3.5 "))
    assert got.notes[-1] == "line 13 has 3.5 points, and results that make 2.5"


@pytest.mark.parametrize(
    "record",
    ["162  W 3.0    D 1.0", "XXS W=3.0 D=1.0 HPB=1.0 FW=3.0 PAB=3.0", "XXS WW=3 BW=3.0 WD=1 BD=1 HPB=1 FW=3 PAB=3",
     "BBW  3.0\nBBD  1.0\nBBU  3.0"],
)  # fmt: skip
def test_points_are_counted_as_the_file_says(record):
    text = report(*HEAD, *record.split("\n"), *PLAYERS)
    assert len(doubtful(tournament(text))) == 3
    for old, new in ((" 2.5 ", " 7.0 "), ("600002 1985        2.0", "600002 1985        5.0")):
        text = changed(text, old, new)
    assert [player.number for player, _ in doubtful(tournament(text))] == [3]
    assert doubtful(tournament(changed(text, "00/00/0000  2.0", "00/00/0000  6.0"))) == []


def test_many_tournaments_are_one_stream_whatever_their_order():
    later = report()
    for old, new in (("042 2024/01/31", "042 2024/01/01"), ("Club Open", "Old Open"), ("2301", "2250")):
        later = changed(later, old, new)
    one, other = tournament(report(), "new.trf"), tournament(later.replace("Aa, Ada", "Aa, A. "), "old.trf")
    got = rs.tournament_games([one, other])
    assert got.digest == rs.tournament_games([other, one]).digest
    assert len(got) == 8
    assert got.n_players == 4
    assert got.events == ("Old Open", "Club Open")
    assert got.players.filter(player="2200001")["name"].item() == "Aa, Ada"
    starts = rs.tournament_starts([one, other])
    assert starts.filter(player="2200001").row(0) == ("2200001", 2250.0, 1990.0)
    assert starts.filter(player="Cc, Cy").row(0) == ("Cc, Cy", None, None)
    assert rs.read_starts(starts)["rating"].to_list()[:2] == [2250, 1875]


def test_events_of_one_name_are_told_apart_by_their_files():
    one = tournament(report(), "a.trf")
    other = tournament(report().replace("2024/", "2025/").replace("24/0", "25/0"), "b.trf")
    assert rs.tournament_games([one, other]).events == ("Club Open [a]", "Club Open [b]")
    with pytest.raises(InputError, match=r"^a.trf, c.trf: one tournament twice; expected it once$"):
        rs.tournament_games([one, tournament(report(), "c.trf")])
    with pytest.raises(InputError, match=r"two tournaments are 'Club Open \[a\]'"):
        rs.tournament_games([one, dataclasses.replace(other, path=Path("x/a.trf"))])


def test_one_tournament_in_two_spellings_is_noted():
    one, other = tournament(report(), "a.trf"), tournament(changed(report(), "22 Donostia", "22 Bilbao"), "b.trf")
    both = rs.tournament_games([one, other])
    assert both.events == ("Club Open [a]", "Club Open [b]")
    assert "a.trf and b.trf look like one tournament told twice: both are there" in both.notes
    assert both.source["twice"] == [("a.trf", "b.trf")]
    later = tournament(report().replace("2024/", "2025/").replace("24/0", "25/0"), "c.trf")
    assert rs.tournament_games([one, later]).source["twice"] == []


def test_where_some_lists_are_known_the_others_are_called_unknown():
    other = changed(report(), "122 90 min + 30 sec per move", "122 x").replace("Club Open", "Z")
    got = rs.tournament_games([tournament(report()), tournament(other)])
    assert got.pools == ("standard", "unknown")
    assert got.notes[-1] == f"Z: {UNLISTED[0]}"


def test_no_game_at_all_is_refused():
    with pytest.raises(InputError, match=r"^a.trf: no games; expected at least one played$"):
        games(report("042 2024/01/31", row(1, "A", "0000 - U")))


CELL = re.compile(r"(?:  |^)( *\d+) ([wb-]) ([10=+HUZ-])(?=  |$)")
COUNTS = {  # players, games, and what is no game: forfeits (of both lines), H, U, Z
    "bbp_issue_15.trf": (180, 904, 172, 0, 0, 0),
    "echecs_javafo_sample2.trf": (52, 89, 8, 16, 3, 6),
    "javafo_gros2010.trf": (52, 89, 8, 15, 3, 4),
    "py4swiss_late_entries.trf": (13, 12, 0, 0, 4, 24),
}


@pytest.mark.data
@pytest.mark.parametrize("name", COUNTS)
def test_real_files_whole(name):
    """Against a count by a pattern over the lines, and against the points that the programs gave their players."""
    text = (SHARED / name).read_bytes().decode()
    lines = [line for line in re.split(r"[\r\n]+", text) if line.startswith("001")]
    cells = [CELL.findall(line[89:].rstrip()) for line in lines]
    signs = [sign for each in cells for _, _, sign in each]
    played = sum(sign in "10=" for sign in signs) // 2
    forfeits = sum(sign in "+-" for sign in signs)
    assert COUNTS[name] == (len(lines), played, forfeits, *(signs.count(sign) for sign in "HUZ"))
    got = rs.tournament_games(rs.read_trf(SHARED / name), start="2020-01-01")
    assert (got.n_players, len(got)) == (len(lines), played)
    missed = next(iter(got.source["not_rated"].values()))
    found = [missed.get(each, 0) for each in ("half-point bye", "pairing-allocated bye", "zero-point bye")]
    assert found == [*COUNTS[name][3:]]
    assert missed.get("forfeit", 0) * 2 == COUNTS[name][2]
    made = np.bincount(got.first, got.score, got.n_players) + np.bincount(got.second, 1 - got.score, got.n_players)
    by_name = dict(zip(got.players["name"], made, strict=True))
    given = {"+": 1, "U": 1, "H": 0.5}
    for line, said in zip(lines, cells, strict=True):
        rest = sum(given.get(sign, 0) for _, _, sign in said)
        assert by_name[line[14:47].strip()] + rest == float(line[80:84])


@pytest.fixture
def folder(tmp_path):
    place = tmp_path / "reports"
    (place / "old").mkdir(parents=True)
    (place / "new.trf").write_text(report(), encoding="utf-8")
    (place / "old/no suffix").write_text(report().replace("Club Open", "Old").replace("2024", "2014").replace(
        "24/0", "14/0"), encoding="utf-8")  # fmt: skip
    (place / "readme.txt").write_text("what these are\n", encoding="utf-8")
    return place


def test_read_knows_a_report_by_what_is_in_it(folder):
    assert len(rs.read(folder / "old/no suffix")) == 4
    assert len(rs.read(folder)) == 8
    assert rs.read(folder).digest == rs.read([folder / "old/no suffix", folder / "new.trf"]).digest
    with pytest.raises(InputError, match=r"new.trf: a tournament report \(TRF\) has no columns; expected no map"):
        rs.read(folder / "new.trf", {"first": "x"})


def test_import_writes_what_reads_back_the_same(folder, call, tmp_path):
    out = tmp_path / "out/games.parquet"
    code, said, notes = call("import", folder, "-o", out, "--list", "rapid", "--json")
    assert (code, notes) == (0, f"new folder: {out.parent}\n")
    found = json.loads(said)
    again = rs.read(out)
    assert again.digest == rs.read(folder, list="rapid").digest
    assert again.players["title"].to_list() == ["WGM", None, None, "FM"]
    assert (found["games"], found["players"], found["pools"]) == (8, 4, {"rapid": 8})
    assert found["left_out"] == {"forfeit": 2, "half-point bye": 2, "pairing-allocated bye": 2}
    assert found["not_rated"]["Old"] == dict.fromkeys(found["left_out"], 1)


def test_other_verbs_take_a_report_or_say_how_to(folder, call, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, said, notes = call("inspect", folder / "new.trf", "--json")
    assert (code, notes, json.loads(said)["games"]) == (0, "", 4)
    code, _, notes = call("init", folder / "new.trf")
    assert code == 2
    assert "new.trf: is a tournament report (TRF); expected a table, which `ratesim import " in notes
    assert not (tmp_path / "new.toml").exists()


def test_import_says_what_was_left_out(folder, call, tmp_path):
    code, said, notes = call("import", folder / "new.trf", "-o", tmp_path / "g.parquet")
    assert (code, notes) == (0, "")
    reasons = ("forfeit", "half-point bye", "pairing-allocated bye")
    assert said.splitlines()[2:] == [f"left out: 1 {each}" for each in reasons]


CLUBS = {
    "first": "home_team", "second": "away_team", "points_first": "home_score", "points_second": "away_score",
    "time": "date",
}  # fmt: skip


def test_import_takes_a_table(games, call, tmp_path):
    columns = [f"--map={key}={name}" for key, name in CLUBS.items()]
    code, said, _ = call("import", games, "-o", tmp_path / "g.parquet", *columns, "--json")
    assert code == 0
    assert rs.read(tmp_path / "g.parquet").digest == rs.read(games, CLUBS).digest
    assert json.loads(said)["games"] == 60


def test_a_mistake_is_one_line_and_leaves_nothing(folder, call, tmp_path):
    out = tmp_path / "g.parquet"
    (tmp_path / "bad.trf").write_text(report(*HEAD, *PLAYERS[:-1]), encoding="utf-8")
    (tmp_path / "dayless.trf").write_text(report(*PLAYERS), encoding="utf-8")
    (tmp_path / "t.csv").write_text("first,second,score,time\nA,B,1,1\n", encoding="utf-8")
    for words, wrong in (
        ([tmp_path / "bad.trf"], "bad.trf, line 13, round 3: opponent 4 is not in the file"),
        ([tmp_path / "dayless.trf"], "expected the option start=YYYY-MM-DD (--event-start)"),
        ([folder, "--map", "first=x"], "a tournament report (TRF) has no columns; expected no map of columns"),
        ([tmp_path / "t.csv", "--list", "rapid"], "list is given; expected a column of the table in its place"),
        ([folder, "--list", "bullet"], "list = 'bullet'; expected one of standard, rapid, blitz"),
        ([folder, "--event-start", "May"], "start = 'May'; expected a day as YYYY-MM-DD"),
        ([tmp_path / "none.trf"], "none.trf: no such file"),
    ):
        code, said, notes = call("import", *words, "-o", out)
        assert (code, said, notes.count("\n")) == (2, "", 1)
        assert wrong in notes
        assert not out.exists()
    code, _, notes = call("import", folder / "new.trf", "-o", tmp_path / "g.csv")
    assert (code, "unknown suffix '.csv'" in notes) == (2, True)
