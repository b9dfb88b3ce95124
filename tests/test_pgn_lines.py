"""What is a game of a file of PGN, line by line; whatever the pieces in which the bytes come."""

import bz2
import gzip
import lzma
import sys
import threading
import tracemalloc
import zipfile

import numpy as np
import pytest
from hypothesis import example, given, settings, strategies as st
from pgn_reading import HEAD, read_pgn

import ratesim as rs
from ratesim import jit
from ratesim.io import pgn_feed, pgn_scan, pgn_store, pgn_values
from ratesim.io.batch import Asked
from ratesim.io.pgn import is_pgn
from ratesim.io.sources import expand

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

REST = '[Black "B"]\n[Result "1-0"]\n[Date "2024.05.01"]\n'


def whites(text, **sizes):
    return read_pgn(text, **sizes).games["first"].to_list()


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
        "\n1. e4 {a {brace} in braces} 1-0\n\n",
        "\n1. e4 (1. d4 (1. c4) d5) 1-0\n\n",
        "\n[%emt 0:01] 1. e4 1-0\n\n",
        "\n1. e4 1-0 {a}  {b} \n {c}\n\n",
        "\n1. e4 1-0\n\n0-1 and so on, garbage\n0-1\n",
        "\n1. e4 1-0\n\n{a comment behind the result\n\n2. Nf3 in it}\n",
    ],
)
def test_moves_are_passed_over(between):
    games = read_pgn(HEAD + between + HEAD.replace('"A"', '"C"')).games
    line = 1 + HEAD.count("\n") + between.count("\n")
    assert games.select("first", "place").rows() == [("A", 1), ("C", line)]


def test_a_brace_that_nobody_closed_costs_no_other_game():
    texts = [f'[Event "E"]\n[White "{name}"]\n{REST}\n1. e4 {{ and so on\n1-0\n\n' for name in "ABC"]
    assert whites("".join(texts)) == ["A", "B", "C"]
    assert whites("".join(texts).replace('[Event "E"]\n', "")) == ["A", "B", "C"]
    assert whites("".join(texts).replace('[Event "E"]', '[Site "s"]\n[Event "E"]')) == ["A", "B", "C"]
    assert whites("".join(texts).replace("1. e4 {", "{")) == ["A", "B", "C"]


def test_games_of_tags_alone_need_no_blank_line():
    texts = [f'[Event "E"]\n[White "{name}"]\n{REST}' for name in "ABC"]
    assert whites("".join(texts)) == ["A", "B", "C"]


@pytest.mark.parametrize("event", ["E", r"The \"Big\" Open"])
def test_a_second_event_begins_a_game(event):
    texts = [f'[Event "{event}"]\n[White "{name}"]\n{REST}' for name in "ABCD"]
    assert whites("".join(texts)) == [*"ABCD"]


@pytest.mark.parametrize("between", ["", "\n", "\n\n{none}\n\n", "; none\n", "%\n"])
def test_a_second_tag_of_the_roster_begins_a_game(between):
    texts = [HEAD.replace('"A"', f'"{name}"') + f'[Round "{name}"]\n' for name in "ABCD"]
    assert whites(between.join(texts)) == [*"ABCD"]


def test_a_second_tag_begins_a_game_only_behind_a_blank_line():
    tags = [f'[WhiteElo "{elo}"]\n' for elo in (2000, 2100)]
    assert read_pgn(HEAD + "".join(tags)).games["published_first"].to_list() == [2100]
    texts = [tag + HEAD.replace('"A"', f'"{name}"') for tag, name in zip(tags, "AB", strict=True)]
    assert read_pgn("\n".join(texts)).games.select("first", "published_first").rows() == [("A", 2000), ("B", 2100)]


@pytest.mark.parametrize(
    "between",
    [
        "% escaped\n", "; said\n", "{ said }\n", "{ said \n\n over lines }\n", "  ; said\n", '[Annotator "x]\n',
        "[Anno-tator]\n", "\n", "\n\n", "\n{ said }\n", '[Annotator "{]\n', f'[Annotator "{"x" * 2**17}"]\n',
        '[Annotator "x"] ; said\n', '[Annotator "x"] { said }\n', "\r\n", " \t\n",
    ],
)  # fmt: skip
def test_what_parts_no_tags(between):
    found = read_pgn(
        f'[Event "E"]\n[White "A"]\n{between}{REST}{between}[WhiteElo "2000"]\n\n1. e4 {{a}} 1-0\n\n{HEAD}'
    )
    assert found.games.select("first", "published_first").rows() == [("A", 2000), ("A", None)]
    assert len(found.rejects) == 0


def test_a_tag_before_a_comment_is_one():
    text = '[White "A"] ; the first\n[Black "B"] {the second}\n[Result "1-0"]; won\n[Date "2024.05.01"]{a } b} [x]\n'
    assert read_pgn(text.replace("a } b} [x]", "c}")).games.select("first", "second").rows() == [("A", "B")]
    assert read_pgn(text).rejects["what"].to_list() == ["no date"]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_games_without_tags_are_games_of_nobody(end):
    text = f"1. e4 e5\n2. Nf3 1-0\n\n1. d4 {{1-0}} *\n\n{HEAD}\n1. c4 1-0\n\n1. b4 0-1\n\n(1. b3)\n".replace("\n", end)
    found = read_pgn(text)
    assert found.games["place"].to_list() == [6]
    assert found.rejects.select("place", "what").rows() == [(1, "no player"), (13, "no player")]
    assert found.left_out == {"unfinished": 1}


@pytest.mark.parametrize(
    ("tag", "value"),
    [
        (r'[White "a \"quoted\" name"]', 'a "quoted" name'),
        (r'[White "back\\slash"]', r"back\slash"),
        ('[White "Tournament \\"]', "Tournament \\"),
        ('[White "an "unescaped" name"]', 'an "unescaped" name'),
        ('[White "brackets ] and [ [Black"]', "brackets ] and [ [Black"),
        ('  [ White   "blanks" ] ', "blanks"),
        ('[Round "x"] [White "two of a line"]', "two of a line"),
        ('[Round "x"][White "of a line"]', "of a line"),
        ('[White"no blank"]', "no blank"),
        ('[White " blanks in it "]', "blanks in it"),
        (f'[White "{"long " * 40}name"]', f"{'long ' * 40}name"),
    ],
)
def test_what_a_tag_can_hold(tag, value):
    assert whites(tag + "\n" + REST) == [value]
    assert is_pgn(tag.encode())


@pytest.mark.parametrize("line", ['[White "A]', '[White A"]', '[White "A"] e4', "[White]", '[Wh-te "A"]', '["A"]'])
def test_what_is_no_tag(line):
    found = read_pgn(f"{line}\n{REST}")
    assert found.rejects.select("place", "what").rows() == [(2, "no player")]


@pytest.mark.parametrize(
    ("head", "there"),
    [
        (b'\xef\xbb\xbf\r\n% escape\r\n; comment\r\n[Event "E"]\r\n', True),
        ('[Event "Ås Open"]\n'.encode(), True),
        ('[Événement "x"]\r'.encode(), True),
        (b'[White "A"] ; a comment\n', True),
        (b'[White "A"] e4\n', False),
        (b"first,second,score,time\n", False),
        (b"[1, 2]\n", False),
        (b'[stream]\nname = "x"\n', False),
        (b"", False),
    ],
)  # fmt: skip
def test_what_is_pgn(head, there):
    assert is_pgn(head) == there


def test_names_in_utf_8_and_latin_1_come_right_in_one_file():
    text = b"".join(
        (f'[White "{name}"]\n' + REST + "\n").encode(code) for name, code in
        (("Владимир", "utf-8"), ("Müller", "latin-1"), ("Müller", "utf-8"), ("José", "latin-1"))
    )  # fmt: skip
    assert whites(b"\xef\xbb\xbf" + text) == ["Владимир", "Müller", "Müller", "José"]


@pytest.mark.parametrize("text", [b"", b"\n", b"\xef\xbb\xbf", b"\r", b"\x00" * 100, b"no chess"])
def test_nothing_to_read(text):
    found = read_pgn(text)
    assert (len(found.games), len(found.rejects), found.left_out) == (0, 0, {})


@pytest.mark.parametrize("cut", range(len(HEAD) - 3))
def test_a_last_game_that_is_cut_off_costs_no_other(cut):
    found = read_pgn(HEAD + "\n" + HEAD.replace('"A"', '"C"')[:cut])
    assert found.games["first"].to_list() == ["A"]
    assert len(found.rejects) == (cut >= len('[White "C"]'))


def packed(folder, text, kind):
    path = folder / f"games.pgn{kind}"
    if kind == ".zip":
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("games.pgn", text)
    else:
        pack = {".gz": gzip, ".bz2": bz2, ".xz": lzma, ".zst": zstd}[kind].compress
        path.write_bytes(pack(text))
    return path


def feeders():
    """The threads that unpack; tests before may have left others."""
    return [thread for thread in threading.enumerate() if isinstance(thread, pgn_feed.Unpacker)]


@pytest.mark.parametrize("kind", [".gz", ".bz2", ".xz", ".zst", ".zip"])
def test_packed(tmp_path, kind):
    text = "".join(HEAD.replace('"A"', f'"p{n}"') + "\n1. e4 1-0\n\n" for n in range(5000))
    (source,) = expand([packed(tmp_path, text.encode(), kind)])
    found = list(rs.io.pgn.batches([source], Asked(), chunk=1000, size=3000))
    assert [len(batch.games) for batch in found] == [3000, 2000]
    assert found[1].games["first"][-1] == "p4999"
    assert feeders() == []


@pytest.mark.parametrize("kind", [".gz", ".bz2", ".xz", ".zst"])
def test_half_of_a_packed_file_is_refused(tmp_path, kind):
    rng = np.random.default_rng(1)
    text = "".join(HEAD.replace('"A"', f'"p{n}"') for n in rng.integers(0, 10**9, 3000))
    path = packed(tmp_path, text.encode(), kind)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with pytest.raises(rs.InputError, match=rf"games\.pgn\{kind}: (is cut off|cannot be read)"):
        list(rs.io.pgn.batches(expand([path]), Asked()))
    assert feeders() == []


def test_a_reader_that_is_given_up_leaves_no_thread(tmp_path):
    source = expand([packed(tmp_path, (HEAD + "\n").encode() * 20_000, ".gz")])
    reading = rs.io.pgn.batches(source, Asked(), chunk=1000, size=100)
    assert len(next(reading).games) == 100
    reading.close()
    assert feeders() == []


@pytest.mark.parametrize("line", ["1. e4 ", " ", "{a ", "[", '[White "', ";", "%", "\\", '"', '[A "\\"', "1-0 "])
def test_a_line_longer_than_any_buffer_costs_no_memory(tmp_path, line):
    size = 8 * 2**20
    peaks = []
    for times in (1, size // len(line)):
        (tmp_path / "long.pgn").write_text(f"{HEAD}\n{line * times}}}\n\n{HEAD}")
        sources = expand([tmp_path / "long.pgn"])
        tracemalloc.start()
        found = list(rs.io.pgn.batches(sources, Asked(raw=True, beside=True)))
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        assert [len(batch.games) for batch in found] == [2]
    assert peaks[1] - peaks[0] < size / 8


def test_values_without_end_cost_no_memory_and_no_game(monkeypatch):
    monkeypatch.setattr(pgn_store, "BYTES", 2**14)
    monkeypatch.setattr(pgn_store, "WORDS", 2**10)
    monkeypatch.setattr(pgn_values, "BYTES", 2**14)
    many = "".join(f'[Termination "{n}{"x" * 500}"]\n' for n in range(200))
    text = "".join(f'{many}[White "p{n}"]\n[UTCTime "noon {n}"]\n{REST}\n' for n in range(5))
    assert whites(text, chunk=4096) == [f"p{n}" for n in range(5)]
    assert len(read_pgn(text, chunk=4096, asked=Asked(raw=True, beside=True)).games) == 5


PIECES = [
    *HEAD.splitlines(keepends=True), '[Event "E"]\n', '[Event "E', '[UTCTime "12:00:00"]', "1. e4 ", "1-0", "*", "0-1",
    "1/2-1/2", "{", "}", ";", "%", "(", ")", "[", "]", '"', "\\", "\n", "\n\n", "\r\n", "\r", " ", "\t", "é", "\0",
    "\ufeff", "x" * 70, " " * 70, '[White "é\\"\\\\"]\n', '[Result "0-1"]', "12.", "$1", "\x1a",
]  # fmt: skip
TEXTS = st.lists(st.sampled_from(PIECES), max_size=60).map("".join)


def scanned(text: bytes, scan_text, take, chunk: int = 1000):
    """All that a scan of bytes finds, as plain lists."""
    scan, feed = pgn_scan.new_scan(len(text) + 1, prints=True), pgn_feed.Feed(chunk)
    values = pgn_values.new_values(len(text) + 1, 2 * len(feed.text), raw=False)
    data = np.frombuffer(text, np.uint8)
    pieces = [data[at : at + chunk] for at in range(0, len(data), chunk)] + [np.frombuffer(b"\n", np.uint8)]
    for piece in pieces:
        room = feed._room()
        room[: len(piece)] = piece
        feed.end += len(piece)
        feed.at = scan_text(scan, feed.text, feed.at, feed.end)
        take(values, scan.found, scan.state[pgn_scan.FOUND], feed.text)
        scan.state[pgn_scan.FOUND] = 0
    pgn_scan.finish(scan)
    done = scan.state[pgn_scan.DONE]
    filled = values.store.filled[0]
    return (
        scan.state.tolist(), *(each[:done].tolist() for each in (scan.lines, scan.endings, scan.prints)),
        values.rows[:, :done].tolist(),
        values.store.text[:filled].tobytes(),
    )  # fmt: skip


def test_fingerprints_tell_of_tags_and_moves():
    one = HEAD + '[Round "1"]\n\n1. e4 e5\n2. Nf3 1-0\n\n'
    like = [one.replace("\n", "\r\n"), one.replace("e5\n2.", "e5 2."), one + "\n\n", one]
    unlike = [one.replace('"1"', '"2"'), one.replace("Nf3", "Nc3"), one.replace("2. Nf3 ", "")]
    prints = [read_pgn(text).games["fingerprint"].to_list() for text in (one, *like, *unlike)]
    assert prints[1:5] == [prints[0]] * 4
    assert len({each[0] for each in prints[4:]}) == 4
    named = one + one.replace("[White", '[Site "https://lichess.org/AbCd1234"]\n[White')
    assert read_pgn(named).games["fingerprint"].is_null().to_list() == [False, True]


@pytest.fixture(scope="module")
def kernels():
    """The compiled ones and the plain ones, with small stores to fill."""
    patch = pytest.MonkeyPatch()
    patch.setattr(pgn_store, "BYTES", 2**17)
    patch.setattr(pgn_store, "VALUES", 2**12)
    compiled = pgn_scan.scanner(), pgn_values.taker()
    yield compiled, tuple(map(jit.plain, compiled))
    patch.undo()


@given(text=TEXTS)
@example(text=HEAD + "\n1. e4 { [%clk 0:01:00] } 1-0\n\n" + HEAD)
@settings(max_examples=60)
def test_compiled_and_plain_find_the_same(kernels, text):
    compiled, plain = kernels
    with np.errstate(over="ignore"):  # of hashes
        assert scanned(text.encode(), *compiled) == scanned(text.encode(), *plain)


@given(text=TEXTS, chunk=st.sampled_from([1, 2, 3, 7, 64, 100]))
@example(text="1. {1} x\x00\n", chunk=3)  # a byte that was taken for the edge of the text
@settings(max_examples=200)
def test_pieces_of_any_size_give_the_same(kernels, text, chunk):
    assert scanned(text.encode(), *kernels[0], chunk) == scanned(text.encode(), *kernels[0])


@given(junk=st.one_of(TEXTS, st.binary(max_size=200).map(lambda b: b.decode("latin-1"))))
@settings(max_examples=60)
def test_a_good_game_next_to_garbage_survives(junk):
    """Whatever stands between, a tag Event after a blank line begins a game."""
    before, behind = (f'\n\n[Event "E"]\n[White "{name}"]\n{REST}\n1. e4 1-0\n\n' for name in ("first one", "last one"))
    found = read_pgn((before + junk + behind).encode("utf-8", "replace"), size=300)
    assert found.games["first"][0] == "first one"
    assert found.games["first"][-1] == "last one"
