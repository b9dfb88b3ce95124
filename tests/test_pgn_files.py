"""Files of PGN that people have: their games and rejects, counted otherwise than by our reader."""

import io
import re
from pathlib import Path
from typing import NamedTuple

import pytest
from pgn_reading import read_pgn

from ratesim.dates import date_on

PGN = Path(__file__).resolve().parents[2] / "shared/data/pgn"
WOMEN = PGN.parent / "chess_fide_rapid/women_world_rapid_2024.pgn"
pytestmark = pytest.mark.data


class Counted(NamedTuple):
    """What a file holds."""

    games: int
    rejects: int = 0
    unfinished: int = 0


# Files of a chess library's own tests: the games that its parser is made for. Counted by eye: a game is a block of
# tags; one whose tag Result is *, and whose moves end so, is unfinished; the first of empty_body has ? everywhere.
HARD = {
    "backslash_header": Counted(1),
    "basic": Counted(1),
    "comment_before_moves": Counted(1),
    "corrupted": Counted(1),
    "empty_body": Counted(1, rejects=1),
    "fishtest-fastchess": Counted(4),
    "multiple": Counted(4),
    "newline": Counted(1),
    "no_moves": Counted(1),
    "no_moves_but_game_termination_multiple": Counted(2),
    "no_moves_two_games": Counted(0, unfinished=2),
    "no_result": Counted(0, unfinished=1),
    "non_ascii": Counted(1),
    "square_bracket_in_header": Counted(1),
}


def test_every_file_is_counted():
    assert {path.stem for path in PGN.glob("*.pgn")} == set(HARD)


@pytest.mark.parametrize("name", HARD)
def test_hard_files(name):
    found = read_pgn(PGN / f"{name}.pgn")
    assert Counted(len(found.games), len(found.rejects), found.left_out.get("unfinished", 0)) == HARD[name]
    assert set(found.left_out) <= {"unfinished"}


@pytest.mark.parametrize("name", sorted(set(HARD) - {"no_moves_two_games"}))  # which has a game behind a lone ` *`
def test_python_chess_reads_the_same_tags(name):
    chess_pgn = pytest.importorskip("chess.pgn", reason="needs the extra bench")
    text = io.StringIO((PGN / f"{name}.pgn").read_text(encoding="utf-8"))
    theirs = []
    while tags := chess_pgn.read_headers(text):
        if tags["White"] != "?" and (tags["Result"] != "*" or name == "square_bracket_in_header"):
            theirs.append((tags["White"], tags["Black"], tags["Date"].replace(".", "-")))
    ours = [
        (game.get("name_first", game["first"]), game.get("name_second", game["second"]), str(date_on(game["time"])))
        for game in read_pgn(PGN / f"{name}.pgn").games.to_dicts()
    ]
    assert [(re.sub(r"\\(.)", r"\1", white), black, day) for white, black, day in theirs] == ours


def test_quotes_in_hard_files():
    (game,) = read_pgn(PGN / "square_bracket_in_header.pgn").games.to_dicts()
    assert game["event"].endswith("master[!important]")
    assert game["first"] == 'New-cfe8"dsadsa"ce842c'
    assert game["score"] == 0.5  # the tag says *, the moves end with 1/2-1/2


def test_the_womens_world_rapid_championship():
    """605 games of 110 players, as the bare text counts them."""
    text = WOMEN.read_text(encoding="utf-8")
    ids = re.findall(r'^\[(?:White|Black)FideId "(\d+)"\]$', text, re.MULTILINE)
    assert (text.count("[Event "), len(ids), len(set(ids))) == (605, 1210, 110)
    found = read_pgn(WOMEN)
    games = found.games
    assert (len(games), len(found.rejects), found.left_out) == (605, 0, {})
    assert games["first"].append(games["second"]).n_unique() == 110
    assert sorted(ids) == sorted([*games["first"], *games["second"]])
    results = re.findall(r'^\[Result "(.*)"\]$', text, re.MULTILINE)
    assert games["score"].to_list() == [{"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}[result] for result in results]
    assert games["pool"].unique().to_list() == ["rapid"]
