"""What the race of readers of PGN compares is the same games."""

import pytest

pytest.importorskip("chess.pgn", reason="needs the extra bench")

import pgn_files
import reading


def test_all_read_the_same_games(tmp_path):
    plain, packed, games = pgn_files.write(tmp_path, 1)
    assert 400 < games < 600
    assert 5 < plain.stat().st_size / packed.stat().st_size < 9  # dumps of Lichess: 7.1
    assert reading.ours(plain) == reading.ours(packed) == games
    assert reading.by_pattern(plain, reading.pattern()) == games
    assert reading.by_headers(plain, games + 1) == games
    assert reading.unpack(packed) == plain.stat().st_size
    assert reading.ours(plain, reading.IMPORT) == games
    for path, wrong in ((plain, b"stale"), (packed, b"stale"), (packed, packed.read_bytes()[:1000])):
        path.write_bytes(wrong)
        assert pgn_files.write(tmp_path, 1) == (plain, packed, games)
        assert reading.unpack(packed) == plain.stat().st_size
    plain.unlink()
    assert pgn_files.write(tmp_path, 1) == (plain, packed, games)
    (tmp_path / "again").mkdir()
    assert pgn_files.write(tmp_path / "again", 1)[0].read_bytes() == plain.read_bytes()
