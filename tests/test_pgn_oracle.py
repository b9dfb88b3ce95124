"""PGN written by a generator that knows its games: all of them are found, each with its players and its score.

What it writes is legal import format (Edwards, PGN Specification, chapters 3 to 8): tags in any order, comments of both
kinds anywhere, escaped lines, variations, glyphs, moves parted into lines anywhere, all line ends, games of tags alone.
Only the first tag is always of the roster, which every game has in full, and behind a blank line Event is the first:
how else is a game of tags alone to end?
"""

import random
from collections import Counter
from typing import NamedTuple

import pytest
from pgn_reading import read_pgn

NAMES = (
    "Ask, Bo",
    'Dal "the rook" Eva',
    "Øye {x}",
    "Ерёмин; [И]",
    "back\\slash",
    "%",
    "[Event",
    "1-0",
    "*1",
    "x" * 300,
)
SCORES = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}
NOISE = (
    "", "1-0", "*", "[%clk 0:01:00]", "[%csl Ga1", "{", '[White "x"]', "(", ")", "; 0-1", "%", "é" * 80, "a" * 200,
    '[Event "x', "12. e4", "$3",
)  # fmt: skip
EXTRAS = (
    '[WhiteElo "2000"]', '[ECO "C20"]', '[Annotator "said [x] {y} ; z"]', '[Unknown "1"]', '[BlackTitle "GM"]',
    '[WhiteTeam "a \\"b\\" c"]', '[PlyCount "3"]', '[ Opening   "x" ]', '[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]',
)  # fmt: skip


class Known(NamedTuple):
    """A game as it is written, and what is to be found of it."""

    text: str
    players: tuple[str, str]
    score: float | None  # none: it is left out, or wrong
    why: str = ""


def comment(rng):
    said = [rng.choice(NOISE) for _ in range(rng.randint(0, 3))]
    if rng.random() < 0.3:
        return f"; {' '.join(said)} }} {{\n"
    return "{" + rng.choice(" \n").join(said) + "}"


def moves(rng, result):
    """Movetext: what stands between blanks can be parted into lines."""
    found = [comment(rng)] if rng.random() < 0.2 else []
    for number in range(1, rng.randint(1, 12)):
        found.append(f"{number}. e4")
        kind = rng.random()
        if kind < 0.3:
            found += [comment(rng), f"{number}... e5"]
        elif kind < 0.4:
            found += ["(1. d4", comment(rng), "(1. c4 0-1)", "d5 1-0)"]
        elif kind < 0.5:
            found.append(rng.choice(("$1", "$139", "e5!?", "O-O", "e8=Q#")))
        elif kind < 0.55:
            found.append("\n% { escaped 1-0\n")
    found.append(result)
    found += rng.choice(((), ("$1",), (comment(rng),), ("{a}", "{b}"), (" " * 200,)))
    text = ""
    for each in found:
        gap = rng.choice((" ", "\n", " " * rng.randint(1, 70)))
        text += each if not text or text.endswith("\n") or each.startswith("\n") else gap + each
    return text.rstrip("\n")


def tag(name, value):
    value = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name} "{value}"]'


def game(rng, number):
    """Return one game; its first name is its own."""
    players = f"{number} {rng.choice(NAMES)}", rng.choice(NAMES)
    ending = rng.choice((*SCORES, *SCORES, "*"))
    wrong = rng.random() < 0.1
    played = rng.random() < 0.8
    told = "2-0" if wrong else rng.choice((ending, ending, ending, "*", "?")) if played else rng.choice((ending, "0-0"))
    tags = [
        tag("Event", rng.choice(("Open", 'The "Big" Open', "?"))), tag("Site", "Ås"), tag("Date", "2024.05.01"),
        tag("Round", str(number)), tag("White", players[0]), tag("Black", players[1]), tag("Result", told),
    ]  # fmt: skip
    if rng.random() < 0.5:
        rng.shuffle(tags)
    for extra in rng.sample(EXTRAS, rng.randint(0, 4)):
        tags.insert(rng.randint(1, len(tags)), extra)
    between = {0: f"{comment(rng)}\n", 1: "% escaped {\n", 2: "\n", 3: "[Broken x]\n", 4: '[Annotator "x]\n'}
    head = "".join(f"{each}\n{between.get(rng.randrange(40), '')}" for each in tags).replace("\n\n[Event ", "\n[Event ")
    text = f"{head}\n{moves(rng, ending)}\n\n" if played else head + "\n" * rng.randint(0, 2)
    if wrong:
        return Known(text, players, None, "wrong")
    if told == "0-0":
        return Known(text, players, None, "forfeit")
    return Known(text, players, SCORES.get(ending), "" if ending in SCORES else "unfinished")


@pytest.mark.parametrize("seed", range(40))
def test_every_game_that_is_written_is_found(seed):
    rng = random.Random(seed)  # noqa: S311  # no secret
    written = [game(rng, number) for number in range(rng.randint(1, 12))]
    text = "".join(each.text for each in written).replace("\n", rng.choice(("\n", "\r\n", "\r")))
    found = read_pgn(text, size=rng.choice((1, 2, 1000)), chunk=rng.choice((5, 64, 1000, 10**5)))
    reasons = Counter(each.why for each in written)
    assert len(found.games) + len(found.rejects) + sum(found.left_out.values()) == len(written)
    assert len(found.rejects) == reasons["wrong"]
    assert found.left_out == {why: count for why, count in reasons.items() if why in ("unfinished", "forfeit")}
    good = [(*each.players, each.score) for each in written if each.score is not None]
    assert found.games.select("first", "second", "score").rows() == good
