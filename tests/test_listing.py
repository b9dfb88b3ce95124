"""Lists out of tournament reports, by Python and by `ratesim fide list`: an invented federation, sums by hand."""

import json
from datetime import date

import polars as pl
import pytest
from test_fide_list import ONE as HEADER, one

import ratesim as rs

PEOPLE = {  # id: rating, games of the month, K, birth year
    900001: (2412, 0, 10, 1970), 900002: (2000, 0, 20, 1980), 900003: (1450, 0, 20, 1990), 900004: (1990, 0, 40, 2007),
}  # fmt: skip
NEW = 900005
# One event over the turn of a month, one in November; round by round opponent, colour, result of each start rank.
TURN = (
    "Turn",
    "2025/10/31",
    "2025/11/02",
    {
        1: (900001, ["   2 w =", "   3 b 1"]),
        2: (900002, ["   1 b =", "   4 w 0"]),
        3: (900003, ["   4 b 0", "   1 w 0"]),
        4: (900004, ["   3 w 1", "   2 b 1"]),
        5: (NEW, ["0000 - U", "0000 - H"]),
    },
)
NOVEMBER = (
    "November",
    "2025/11/10",
    "2025/11/14",
    {
        1: (NEW, ["   2 w 1", "   3 b =", "   4 w 0", "   5 w 0", "   2 b ="]),
        2: (900001, ["   1 b 0", "   5 w +", "   3 b 1", "0000 - Z", "   1 w ="]),
        3: (900002, ["   4 b =", "   1 w =", "   2 w 0", "0000 - H", "0000 - Z"]),
        4: (900003, ["   3 w =", "0000 - U", "   1 b 1", "0000 - Z", "0000 - Z"]),
        5: (900004, ["0000 - U", "   2 b -", "0000 - Z", "   1 b 1", "0000 - Z"]),
    },
)


def report(name, begins, ends, players):
    lines = [f"012 {name}", f"042 {begins}", f"052 {ends}", "222 5400+30"]
    for number, (who, rounds) in players.items():
        rating = PEOPLE.get(who, (0,))[0]
        line = f"001 {number:>4} m    {f'Player {who}':<33} {rating or '':>4} NOR {who:>11} {'':>10}  0.0 {number:>4}"
        lines.append(line + "".join(f"  {said}" for said in rounds))
    return "\n".join(lines) + "\n"


@pytest.fixture
def folder(tmp_path):
    """Two reports in a folder, and October's list beside it."""
    reports = tmp_path / "reports"
    reports.mkdir()
    for n, event in enumerate((TURN, NOVEMBER)):
        (reports / f"{n}.trf").write_text(report(*event))
    people = [
        one((who, f"Player {who}", "NOR", "M", "", (rating, games, k), (0, 0, 0), (0, 0, 0), born, ""))
        for who, (rating, games, k, born) in PEOPLE.items()
    ]
    (tmp_path / "list.txt").write_text("\n".join([HEADER, *people]) + "\n")
    return tmp_path


# Turn goes by October's list and counts in December's, with November's event; K of 900004, born 2007, is a junior's.
# 900001: .5 - .92 (412 count as 400), 1 - .92; November: -, 1 - .92, -  (games with NEW count for nobody but NEW)
# 900002: .5 - .08, 0 - .51; .5 - .92 (550 count as 400), 0 - .08
# 900003: 0 - .08, 0 - .08; .5 - .08
# 900004: 1 - .92, 1 - .49
DECEMBER = {
    900001: 2412 + round(10 * (-0.42 + 0.08 + 0.08)),
    900002: 2000 + round(20 * (0.42 - 0.51 - 0.42 - 0.08)),
    900003: 1450 + round(20 * (-0.08 - 0.08 + 0.42)),
    900004: 1990 + round(40 * (0.08 + 0.51)),
}
# NEW has 2 of 5 against 2412, 2000, 1450, 1990 and 2412: (10264 + 3600) / 7 = 1980.57, (2 + 1) / 7 = .43: -50.
FIRST = 1931


def lists(folder):
    games = rs.read(folder / "reports")
    run = rs.replay(
        rs.FideElo(rules="as-of"), games, policy=rs.Fide(assume=True), start=rs.read_starts(folder / "list.txt")
    )
    return rs.rating_lists(run)


def test_the_next_lists(folder):
    table = lists(folder)
    assert table["list"].unique().sort().to_list() == [date(2025, 11, 1), date(2025, 12, 1)]
    november, december = table.partition_by("list", maintain_order=True)
    assert dict(zip(november["player"], november["rating"], strict=True)) == {
        str(who): known[0] for who, known in PEOPLE.items()
    }
    assert november["games"].to_list() == [0, 0, 0, 0]
    found = {int(row["player"]): row for row in december.to_dicts()}
    assert {who: row["rating"] for who, row in found.items()} == DECEMBER | {NEW: FIRST}
    assert {who: row["games"] for who, row in found.items()} == {900001: 3, 900002: 4, 900003: 3, 900004: 2, NEW: 5}
    assert {who: row["k"] for who, row in found.items()} == {900001: 10, 900002: 20, 900003: 20, 900004: 40, NEW: 40}
    assert found[900001]["change"] == DECEMBER[900001] - 2412
    assert found[NEW]["change"] is None
    assert december["rating"].to_list() == sorted(december["rating"], reverse=True)


def test_a_player_without_games_for_a_year_is_inactive():
    """A's last game counts on the list of February 2024: inactive on that of February 2025, when a year has none."""
    times = [date(2024, 1, 10), date(2025, 3, 10)]
    games = rs.GameStream.of(first=["A", "B"], second=["B", "C"], score=[0.5, 0.5], time=times)
    start = {who: {"rating": 1800, "games": 50, "peak": 1800, "born": 1980} for who in "ABC"}
    table = rs.rating_lists(rs.replay(rs.FideElo(), games, start=start)).filter(player="A")
    idle = dict(zip(table["list"], table["inactive"], strict=True))
    assert idle[date(2025, 1, 1)] is False
    assert idle[date(2025, 2, 1)] is True
    assert table["rating"].unique().to_list() == [1800]


def test_players_without_a_game_stand_on_the_lists_too():
    """Z has no game: the compression of March 2024 finds the rating all the same; who was inactive is."""
    games = rs.GameStream.of(first=["A"], second=["B"], score=[1], time=[date(2024, 2, 10)], event=["Open"])
    known = {"rating": 1800, "games": 50, "peak": 1800, "born": 1980, "inactive": 0}
    start = {"A": known, "B": known, "Z": {**known, "rating": 1500, "inactive": 1}, "N": {**known, "rating": None}}
    people = rs.with_everybody(games, pl.DataFrame({"player": list(start), "name": ["Al", "Bo", "Zoe", "Nan"]}))
    assert people.players["player"].to_list() == ["A", "B", "Z", "N"]
    table = rs.rating_lists(rs.replay(rs.FideElo(rules="as-of"), people, start=start))
    assert table.select("player", "rating", "games", "inactive").rows() == [
        ("A", 1810 + 76, 1, False), ("B", 1790 + 84, 1, False), ("Z", 1700, 0, True),
    ]  # fmt: skip
    assert table["name"].to_list() == [None, None, "Zoe"]
    alone = rs.rating_lists(rs.replay(rs.FideElo(rules="as-of"), games, start=start))
    assert alone["player"].to_list() == ["A", "B"]


def test_games_of_players_too_far_apart_are_counted_apart(tmp_path, call):
    """Blitz since December 2024: 2700 against 1900 is not rated."""
    people = {900001: (2700, 0, 10, 1970), 900002: (1900, 0, 20, 1980)}
    text = report("Blitz", "2025/01/10", "2025/01/10", {1: (900001, ["   2 w 1"]), 2: (900002, ["   1 b 0"])})
    (tmp_path / "a.trf").write_text(text.replace("222 5400+30", "222 180+2"))
    rows = [one((who, "X", "NOR", "M", "", known[:3], *[(0, 0, 0)] * 2, known[3], "")) for who, known in people.items()]
    (tmp_path / "list.txt").write_text("\n".join([HEADER, *rows]) + "\n")
    code, said, _ = call("fide", "list", str(tmp_path / "a.trf"), "--start", str(tmp_path / "list.txt"))
    assert code == 0
    assert said.splitlines()[:2] == ["blitz, rules as-of: 0 games rated", "not rated: 1 game of players too far apart"]
    assert "list of 2025-02-01: 2 players, 0 new, 0 with games" in said


def test_reports_of_another_list_are_left_out_with_their_forfeits(folder, call):
    text = (folder / "reports/1.trf").read_text().replace("222 5400+30", "222 900+10")
    (folder / "reports/1.trf").write_text(text)
    words = ["fide", "list", str(folder / "reports"), "--start", str(folder / "list.txt"), "--list", "standard"]
    code, said, noted = call(*words, "--assume", "--json")
    assert code == 0
    assert "left out: 7 games of rapid" in noted
    told = json.loads(said)
    assert (told["games"], told["rated"], told["too_far"]) == (4, 4, 0)
    assert "forfeit" not in told["not_rated"]


def test_lists_are_of_fide_alone():
    games = rs.GameStream.of(first=["A"], second=["B"], score=[1], time=[0])
    with pytest.raises(rs.InputError, match="published by system 'fide' with policy 'fide'"):
        rs.rating_lists(rs.replay(rs.Elo(), games))


def test_the_verb_prints_them(folder, call):
    code, said, _ = call("fide", "list", str(folder / "reports"), "--start", str(folder / "list.txt"), "--assume")
    assert code == 0
    lines = said.splitlines()
    assert lines[:2] == ["standard, rules as-of: 6 games rated", "5 games with an unrated player"]
    assert "list of 2025-11-01: 4 players, 0 new, 0 with games" in lines
    assert "list of 2025-12-01: 5 players, 1 new, 5 with games" in lines
    assert any(line.split()[:4] == ["900005", "Player", "900005", str(FIRST)] for line in lines)


def test_the_verb_as_json_and_as_a_file(folder, call):
    words = ["fide", "list", str(folder / "reports"), "--start", str(folder / "list.txt"), "--assume"]
    code, said, _ = call(*words, "--json")
    assert code == 0
    told = json.loads(said)
    assert (told["list"], told["games"], told["rated"], told["with_unrated"]) == ("standard", 11, 6, 5)
    assert told["not_rated"]["forfeit"] == 1
    assert [each["date"] for each in told["lists"]] == ["2025-11-01", "2025-12-01"]
    assert {int(row["player"]): row["rating"] for row in told["lists"][1]["players"]} == DECEMBER | {NEW: FIRST}
    assert call(*words, "-o", str(folder / "lists.csv"))[0] == 0
    written = pl.read_csv(folder / "lists.csv", try_parse_dates=True, schema_overrides={"player": pl.String})
    assert written.select("list", "player", "rating").rows() == lists(folder).select("list", "player", "rating").rows()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--list", "classic"], "--list: 'classic'; expected one of standard, rapid, blitz"),
        (["--list", "rapid", "--assume"], "no games of rapid; expected --list standard"),
        (["--rules", "1960-01-01"], "rules = 1960-01-01: FIDE's ratings began on 1971-01-01"),
        (["--rules", "now"], "now"),
        ([], "K of 900004 depends on games, which the table does not say"),
        (["-o", "lists.txt"], "unknown suffix '.txt'"),
    ],
)
def test_mistakes_are_one_line(options, said, folder, call):
    code, out, noted = call("fide", "list", str(folder / "reports"), "--start", str(folder / "list.txt"), *options)
    assert (code, out) == (2, "")
    assert said in noted.splitlines()[-1]


def test_a_list_that_nothing_tells_is_asked_for(folder, call):
    text = (folder / "reports/0.trf").read_text().replace("222 5400+30\n", "")
    (folder / "reports/0.trf").write_text(text)
    code, _, noted = call("fide", "list", str(folder / "reports"), "--start", str(folder / "list.txt"), "--assume")
    assert code == 2
    assert "not every report tells its list; expected --list standard, rapid or blitz" in noted


def test_one_tournament_in_two_files_is_not_rated_twice(folder, call):
    text = (folder / "reports/0.trf").read_text()
    (folder / "reports/again.trf").write_text(text.replace("012 Turn\n", "012 Turn\n022 Oslo\n"))
    code, said, noted = call("fide", "list", str(folder / "reports"), "--start", str(folder / "list.txt"), "--assume")
    assert (code, said) == (2, "")
    assert "one tournament twice; expected it once" in noted.splitlines()[-1]
