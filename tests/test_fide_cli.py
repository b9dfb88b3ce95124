"""`ratesim fide` and `ratesim elo` as people call them: what they print, their JSON, their mistakes."""

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
THREE = ["1400:1", "1600:0.5", "1550:0"]
FIVE = ["1902", "1877", "1884", "2012", "1832"]


@pytest.fixture
def ask(call):
    """The JSON document of a call that ends well and notes nothing."""

    def asked(words, *games):
        code, said, noted = call(*words.split(), *games, "--json")
        assert (code, noted) == (0, "")
        return json.loads(said)

    return asked


@pytest.fixture
def lines(call):
    """What a person sees of a call that ends well."""

    def said(words, *games):
        code, text, _ = call(*words.split(), *games)
        assert code == 0
        return text.splitlines()

    return said


def test_json_of_a_change(ask):
    told = ask("fide change --rating 1500 --k 20 --date 2025-11-01", *THREE)
    assert told.pop("games") == [
        {"opponent": 1400, "score": 1, "difference": 100, "counted": 100, "expected": 0.64, "change": 7.2},
        {"opponent": 1600, "score": 0.5, "difference": -100, "counted": -100, "expected": 0.36, "change": 2.8},
        {"opponent": 1550, "score": 0, "difference": -50, "counted": -50, "expected": 0.43, "change": -8.6},
    ]
    assert told == {
        "rating": 1500, "k": 20, "k_reason": None, "sum": 0.07, "change": 1.4, "other_events": 0, "new_rating": 1501,
        "published": True, "list": "standard", "rules": "2025-10-01",
    }  # fmt: skip


def test_json_of_a_game_that_is_not_rated_says_why(ask):
    (game, _) = ask("fide change --rating 2605 --k 10 --list rapid", "1900:1", "2500:1")["games"]
    assert game.pop("reason") == "600 points or more apart, and one of the two above 2600"
    nothing = {"counted": None, "expected": None, "change": None}
    assert game == {"opponent": 1900, "score": 1, "difference": 705, **nothing}


def test_json_of_a_change_by_formula(ask):
    told = ask("elo change --rating 1500 --k 20 --cap 400", "1000:1")
    expected = 1 / (1 + 10**-1)
    (game,) = told.pop("games")
    assert game.pop("expected") == pytest.approx(expected, rel=1e-15)
    assert game.pop("change") == pytest.approx(20 * (1 - expected), rel=1e-13)
    assert game == {"opponent": 1000, "score": 1, "difference": 500, "counted": 400}
    assert told.pop("new_rating") == pytest.approx(1500 + 20 * (1 - expected), rel=1e-15)
    assert told.pop("sum") == pytest.approx(1 - expected, rel=1e-13)
    assert told.pop("change") == pytest.approx(20 * (1 - expected), rel=1e-13)
    assert told == {"rating": 1500, "k": 20}


def test_json_of_a_first_rating(ask):
    told = ask("fide initial --date 2025-12-01 --points 3", *FIVE)
    assert {key: told[key] for key in ("rating", "published", "p", "dp", "reason")} == {
        "rating": 1922, "published": True, "p": 0.57, "dp": 50, "reason": None,
    }  # fmt: skip
    assert told["average"] == 13107 / 7
    assert told["raw"] == 13457 / 7


def test_json_of_a_performance(ask):
    told = ask("fide performance", "1600:1", "1600:0.5")
    assert {key: told[key] for key in ("performance", "average", "p", "dp")} == {
        "performance": 1793, "average": 1600, "p": 0.75, "dp": 193,
    }  # fmt: skip


def test_json_of_k(ask):
    told = ask("fide k --rating 1500 --games 40 --born 2010 --peak 1500 --date 2025-11-01 --period-games 20")
    assert (told["k"], told["base"]) == (35, 40)
    assert told["reason"] == "junior to the end of 2028, never rated 2300; K 40 x 20 games is more than 700: K 35"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("fide expected 100", {"counted": 100, "expected": 0.64, "opponent": 0.36, "d_min": 99, "d_max": 106}),
        ("fide expected -50", {"counted": -50, "expected": 0.43, "opponent": 0.57, "d_min": 47, "d_max": 53}),
        ("fide expected --list blitz -500", {"counted": -400, "expected": 0.08, "opponent": 0.92, "list": "blitz"}),
        ("fide expected 413 --rating 2813", {"counted": 413, "expected": 0.93, "opponent": 0.08}),
        ("elo expected 0", {"difference": 0, "counted": 0, "expected": 0.5, "opponent": 0.5}),
        ("elo expected -50 --curve fide", {"difference": -50, "expected": 0.43, "opponent": 0.57}),
        ("elo expected -.5 --scale 200", {"difference": -0.5, "counted": -0.5}),
    ],
)
def test_json_of_what_is_expected(words, told, ask):
    found = ask(words)
    assert {key: found[key] for key in told} == told


def test_numbers_in_json_are_the_shortest_decimals(call):
    """.1 + .2 is not .30000000000000004 here: sums of hundredths times K, in all their digits."""
    games = [f"{1500 + 17 * n}:{(0, 1, 0.5)[n % 3]}" for n in range(60)]
    for k in ("10", "20", "17", "0.3", "12.5"):
        said = call("fide", "change", "--rating", "1500", "--k", k, "--json", *games)[1]
        assert max(len(each) for each in re.findall(r"\d+\.(\d+)", said)) <= 3


def test_a_table_to_check_by_hand(lines):
    assert lines("fide change --rating 1500 --games 50 --born 1980 --peak 1500", *THREE, "1000:1", "unrated:1") == [
        "standard, rules of 2025-10-01",
        "opponent  score S  difference  counted  row of 8.1.2  expected E  S - E  20 (S - E)",
        "    1400        1         100      100        99-106        0.64  +0.36        +7.2",
        "    1600      0.5        -100     -100        99-106        0.36  +0.14        +2.8",
        "    1550        0         -50      -50         47-53        0.43  -0.43        -8.6",
        "    1000        1         500    400 *       392-411        0.92  +0.08        +1.6",
        " unrated        1           -        -             -           -      -           -",
        "not rated   unrated opponent",
        "sum         +0.15",
        "K           20: 30 games or more, never rated 2400",
        "change      20 x 0.15 = +3",
        "new rating  1500 + 3 = 1503",
        "* a difference of more than 400 counts as 400",
    ]


def test_readme_shows_what_is_printed(call):
    page = (ROOT / "README.md").read_text(encoding="utf-8").partition("## A calculator")[2]
    command = shlex.split(
        next(line for line in page.splitlines() if line.startswith("ratesim fide change")), comments=True
    )
    shown = page.split("```\n")[2]
    assert call(*command[1:])[1] == shown


def test_other_events_of_a_period_are_rounded_with_this_one(lines):
    assert lines("fide change --rating 2789 --k 10 --other-events -2.6", "2789:1")[-3:] == [
        "change      10 x 0.50 = +5",
        "together    +5 and -2.6 of other events = +2.4",
        "new rating  2789 + 2 = 2791",
    ]


def test_one_upgrade_is_said(lines):
    said = lines("fide change --rating 2000 --k 20 --date 2022-10-15", "1063:1", "1299:1")
    assert said[0] == "standard, rules of 2022-01-01"
    assert [("*" in line) for line in said[2:4]] == [True, False]
    assert said[-1] == "* a difference of more than 400 counts as 400, of the higher rated player only one in an event"


def test_a_first_rating_step_by_step(lines):
    assert lines("fide initial --points 3", *FIVE)[1:] == [
        "average     1872.43 of 5 opponents and 2 hypothetical ones of 1800",
        "points      3 of 5, with 2 draws 4 of 7: p 0.57",
        "dp          +50 by table 8.1.1",
        "sum         1872.43 + 50 = 1922.43",
        "rating      1922",
    ]
    assert lines("fide initial --points 3½ --average 2000 --games 5 --date 2022-05-05")[2:] == [
        "points      3.5 of 5: p 0.70",
        "above half  2 half points x 20 = +40",
        "sum         2000.00 + 40 = 2040.00",
        "rating      2040",
    ]
    assert lines("fide initial --points 5 2500 2500 2500 2500 2500")[-1] == "rating      2200, the highest first rating"
    assert lines("fide initial --points 1 1500 1500")[-1].endswith("2 games against rated opponents, and 5 are needed")


def test_a_performance_and_k_for_people(lines):
    assert lines("fide performance", "1600:1", "1600:½")[-1] == "performance 1600 + 193 = 1793"
    assert lines("fide k --rating 2400")[-1] == "K           10: once rated 2400 or more"
    assert lines("fide one-off 1500") == ["standard, 2024-03-01: 1500 + 200 = 1700"]


def test_what_is_expected_for_people(lines):
    assert lines("fide expected -500") == [
        "standard, rules of 2025-10-01",
        "difference  -500, counted as -400 *, row 392-411 of table 8.1.2",
        "expected    0.08, opponent 0.92",
        "* a difference of more than 400 counts as 400",
    ]
    assert lines("fide expected 736 --rating 2700")[1] == "difference  736, row over 735 of table 8.1.2"
    assert lines("fide expected 700 --rating 2700 --list rapid")[-1].startswith("not rated   600 points or more apart")
    assert lines("elo expected 500 --cap 400") == [
        "difference  500, counted as 400",
        "expected    0.9091, opponent 0.0909",
    ]


def test_elo_for_people(lines):
    assert lines("elo change --rating 1750 --k 20 --digits 1 --average", "1800:1", "1820:0.5") == [
        "opponent  score S  difference  counted  expected E    S - E  20 (S - E)",
        "    1810        1         -60      -60      0.4145  +0.5855      +11.71",
        "    1810      0.5         -60      -60      0.4145  +0.0855       +1.71",
        "sum         +0.6710",
        "change      20 x 0.6710 = +13.42",
        "new rating  1750 + 13.42 = 1763.4",
        "every opponent is taken for their average, 1810",
    ]


def test_a_k_outside_the_rules_is_a_warning_beside_the_document(call):
    code, said, noted = call("fide", "change", "--rating=1500", "--k=32", "--json", "1500:1")
    assert (code, json.loads(said)["change"]) == (0, 16)
    assert noted == "K 32 is outside the rules of 2025-10-01 for the standard list, which know 10, 20, 40\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("fide change --rating 1500 1400:1", "--games, --born, --peak: left out, and K depends on them; expected"),
        ("fide change --rating 1500 --games 50 --born 1980 1400:1", "--peak: left out, and K depends on it; expected"),
        ("fide change --rating 1500 --k 20 --period-games 0 1400:1", "--period-games: 0; expected at least the 1"),
        ("fide change --rating 15OO --k 20 1400:1", "--rating: '15OO' is no number; expected a whole number from 1"),
        ("fide change --rating 1500 --k 20 1400", "game 1: '1400'; expected RATING:SCORE, such as 1600:0.5"),
        ("fide change --rating 1500 --k 20 1400:1 1500:", "game 2: '1500:'; expected RATING:SCORE"),
        ("fide change --rating 1500 --k 20 1400:2", "game 1: score 2; expected 0, 0.5 or 1"),
        ("fide change --rating 1500 --k 20 1400.5:1", "game 1, rating: 1400.5; expected a whole number"),
        ("fide change --rating 1500 --k 20 1400:1 --date 1970-12-31", "--date: no rules on 1970-12-31; expected"),
        ("fide change --rating 1500 --k 20 1400:1 --date yesterday", "--date: 'yesterday' is no date; expected"),
        ("fide change --rating 1500 --k 20 1400:1 --list rpid", "--list: unknown list 'rpid'; did you mean 'rapid'?"),
        ("fide change --rating 1500 --k 20", "Missing argument"),
        ("fide change --k 20 1400:1", "Missing option '--rating'"),
        ("fide k --rating 1500 --gmaes 3", "did you mean '--games'?"),
        ("fide k --rating 1500 --games 3 --peak 1400", "--peak: 1400 is below the rating, 1500"),
        ("fide initial --points 6 1500 1500 1500 1500 1500", "--points: 6; expected whole or half points from 0 to 5"),
        ("fide initial --points 1", "opponents: left out"),
        ("fide expcted 100", "expected"),
        ("fide expected abc", "difference: 'abc' is no number; expected a whole number from -4000 to 4000"),
        ("fide expected -9999", "difference: -9999; expected a whole number from -4000 to 4000"),
        ("fide expected -50 -60", "unexpected extra argument"),
        ("elo expected 100 --curve fidi", "--curve: unknown curve 'fidi'; did you mean 'fide'?"),
        ("elo change --rating 1500 1400:1", "Missing option '--k'"),
        ("elo change --rating 1500 --k 20 --digits -1 1400:1", "--digits: -1; expected a whole number from 0 to 9"),
    ],
)
def test_a_mistake_is_one_line_and_exit_code_2(words, said, call):
    code, out, noted = call(*words.split())
    assert (code, out, noted.count("\n")) == (2, "", 1)
    assert said in noted


@pytest.mark.parametrize("family", ["fide", "elo"])
def test_a_family_without_a_verb_shows_its_help(family, call):
    code, said, noted = call(family)
    assert (code, noted) == (0, "")
    assert said == call(family, "--help")[1]
    assert all(verb in said for verb in ("expected", "change"))


def test_nothing_is_compiled():
    """A calculator answers at once: kernels run as the Python they are written in."""
    code = """
from ratesim.cli import main
from numba.core import event
compiled = []
class Listener(event.Listener):
    def on_start(self, event): compiled.append(event)
    def on_end(self, event): pass
event.register("numba:compile", Listener())
main(["fide", "change", "--rating", "1500", "--games", "3", "--peak", "1500", "1400:1"])
main(["fide", "initial", "--points", "3", "1500", "1500", "1500", "1500", "1500"])
main(["elo", "change", "--rating", "1500", "--k", "20", "--curve", "normal", "1400:1"])
assert not compiled
from ratesim.curves import hundredths
hundredths(100.0)
assert compiled
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
