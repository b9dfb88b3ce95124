"""Tournament reports with anything done to them: read, or refused in one line."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st
from tournaments import PLAYERS, changed, report

from ratesim.errors import InputError
from ratesim.io.trf import is_trf, read_trf
from ratesim.io.trf_games import tournament_games, tournament_starts

WHOLE = report().encode()
BYTES = (
    b"\x00",
    b"\r",
    b"\n",
    b"\x85",
    b"\xff",
    b"\xe2\x80\xa8",
    b"9",
    b"-1",
    b"\xc2\xb2",
    b" ",
    b"w",
    b"=",
    b"001 ",
    b"013 ",
)
SLOW = 5.0  # seconds, for a report of a few lines


def cut(text: bytes, at: int, n: int, _: bytes) -> bytes:
    return text[:at] + text[at + n :]


def cut_off(text: bytes, at: int, _n: int, _: bytes) -> bytes:
    return text[:at]


def swap(text: bytes, at: int, n: int, _: bytes) -> bytes:
    return text[:at] + text[at + n : at + 2 * n] + text[at : at + n] + text[at + 2 * n :]


def insert(text: bytes, at: int, n: int, what: bytes) -> bytes:
    return text[:at] + what * n + text[at:]


def write_over(text: bytes, at: int, _n: int, what: bytes) -> bytes:
    return text[:at] + what + text[at + len(what) :]


def double_line(text: bytes, at: int, n: int, _: bytes) -> bytes:
    lines = text.split(b"\n")
    at %= len(lines)
    return b"\n".join(lines[:at] + [lines[at]] * n + lines[at:])


def swap_lines(text: bytes, at: int, n: int, _: bytes) -> bytes:
    lines = text.split(b"\n")
    one, other = at % len(lines), (at + n) % len(lines)
    lines[one], lines[other] = lines[other], lines[one]
    return b"\n".join(lines)


def carry_over(text: bytes, at: int, n: int, _: bytes) -> bytes:
    """Write a piece of the report over another."""
    piece = text[at : at + n]
    to = (at * 7 + n * 13) % (len(text) + 1)
    return text[:to] + piece + text[to + n :]


Mutation = tuple[Callable[[bytes, int, int, bytes], bytes], int, int, bytes]
WAYS = (cut, cut_off, swap, insert, write_over, double_line, swap_lines, carry_over)


def mutated(text: bytes, mutations: list[Mutation]) -> bytes:
    for way, at, n, what in mutations:
        text = way(text, at % (len(text) + 1), n, what)
    return text


def check(path: Path, content: bytes) -> str:
    """Read a report, and its games; return what was said of it."""
    path.write_bytes(content)
    is_trf(content)
    began = time.monotonic()
    try:
        tournament = read_trf(path)
        tournament_starts(tournament)
        said = f"{len(tournament_games(tournament, start='2020-01-31'))} games"
    except InputError as error:
        said = str(error)
        assert said.isprintable(), repr(said)
    assert time.monotonic() - began < SLOW
    return said


MUTATIONS = st.lists(
    st.tuples(
        st.sampled_from(WAYS),
        st.integers(0, len(WHOLE)),
        st.integers(1, 30),
        st.sampled_from(BYTES) | st.binary(min_size=1, max_size=8),
    ),
    min_size=1,
    max_size=6,
)


@given(MUTATIONS)
@settings(max_examples=300)
def test_a_changed_report_is_read_or_refused(tmp_path_factory, mutations):
    assert check(tmp_path_factory.getbasetemp() / "changed.trf", mutated(WHOLE, mutations))


@given(st.binary(max_size=300), st.integers(0, 40))
@settings(max_examples=100)
def test_any_bytes_are_read_or_refused(tmp_path_factory, content, n):
    player = b"001    1 mGM  Aa, Ada                            2301 ESP     2200001 1990/05/01  2.5    1"
    place = tmp_path_factory.getbasetemp() / "any.trf"
    assert check(place, content)
    assert check(place, player[: 90 - n] + content)


def test_a_line_as_long_as_a_file(tmp_path):
    first, *others = PLAYERS
    endless = report(first + "  0002 w =" * 200_000, *others * 500).encode()
    assert "line 1: too long, 2,000,119 columns" in check(tmp_path / "long.trf", endless)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("Aa, Ada", "Aa\x07 Ada", "line 13: player 'Aa\\x07 Ada' has a control character"),
        ("Club Open", "Club\tOpen", "a.trf: name 'Club\\tOpen' has a control character"),
    ],
)
def test_control_characters_are_placed(tmp_path, old, new, told):
    assert told in check(tmp_path / "a.trf", changed(report(), old, new).replace("2200001", "      0").encode())
