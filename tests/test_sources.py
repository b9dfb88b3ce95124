import bz2
import gzip
import io
import lzma
import os
import subprocess
import sys
import threading
import zipfile

import pytest

from ratesim.errors import InputError
from ratesim.io.sources import HEAD, expand, zstd

TEXT = b"one\ntwo\n" * 20_000
PACKERS = {"plain": bytes, "gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress, "zst": zstd.compress}


def put(folder, name, content=TEXT):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def zipped(**files):
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return memory.getvalue()


@pytest.mark.parametrize("packer", PACKERS)
def test_packed_files_are_told_by_their_content(tmp_path, packer):
    (source,) = expand([put(tmp_path, "a.dat", PACKERS[packer](TEXT))])
    assert source.packed == (packer != "plain")
    assert source.head == TEXT[:HEAD]
    with source.open() as file, source.reading():
        assert file.read() == TEXT
    with source.file() as path:
        assert path.read_bytes() == TEXT
    assert path.exists() == (packer == "plain")


def test_frames_of_zstd_follow_each_other(tmp_path):
    (source,) = expand([put(tmp_path, "a.zst", zstd.compress(TEXT) + zstd.compress(b"three\n"))])
    with source.open() as file:
        assert file.read() == TEXT + b"three\n"


@pytest.mark.parametrize("packer", ["gz", "bz2", "xz", "zst"])
def test_half_a_file_is_said_to_be(tmp_path, packer):
    content = PACKERS[packer](bytes(range(256)) * 4000)
    (source,) = expand([put(tmp_path, f"a.{packer}", content[: len(content) // 2])])
    said = pytest.raises(InputError, match=rf"a\.{packer}: is cut off; expected the whole file")
    with source.open() as file, said, source.reading():
        file.read()


def test_half_a_zip_file_is_said_to_be(tmp_path):
    content = zipped(a=TEXT)
    path = put(tmp_path, "a.zip", content[: len(content) // 2])
    with pytest.raises(InputError, match=r"a\.zip: cannot be read \(File is not a zip file\)"):
        expand([path])


def test_damage_is_said_in_one_line(tmp_path):
    content = bytearray(zstd.compress(bytes(i * i % 251 for i in range(100_000))))
    content[len(content) // 2 :] = bytes(len(content) - len(content) // 2)
    (source,) = expand([put(tmp_path, "a.zst", bytes(content))])
    said = pytest.raises(InputError, match=r"a\.zst: (cannot be read|is cut off)")
    with source.open() as file, said as caught, source.reading():
        file.read()
    assert "\n" not in str(caught.value)


def test_members_of_a_zip_file_are_sources_packed_or_not(tmp_path):
    content = zipped(**{"b/two.pgn": b"2", "a.pgn.gz": gzip.compress(b"1"), "__MACOSX/x.pgn": b"-", "c/": b""})
    sources = expand([put(tmp_path, "games.zip", content)])
    assert [source.name for source in sources] == [f"{tmp_path}/games.zip/{name}" for name in ("a.pgn.gz", "b/two.pgn")]
    assert [source.head for source in sources] == [b"1", b"2"]
    assert [source.suffix for source in sources] == [".pgn", ".pgn"]
    assert all(source.packed and source.inside for source in sources)


def test_a_folder_stands_for_all_in_it_by_name(tmp_path):
    for name in ("b.pgn", "a/z.csv", ".hidden/x.pgn", "a/.y"):
        put(tmp_path, name)
    sources = expand([tmp_path])
    assert [source.name for source in sources] == [str(tmp_path / "a/z.csv"), str(tmp_path / "b.pgn")]
    assert all(source.inside for source in sources)
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="is an empty folder"):
        expand([tmp_path / "empty"])


def test_a_pattern_stands_for_what_it_matches(tmp_path):
    for name in ("2.pgn", "1.pgn", "x.csv"):
        put(tmp_path, name)
    assert [source.path.name for source in expand([f"{tmp_path}/*.pgn"])] == ["1.pgn", "2.pgn"]
    put(tmp_path, "odd[1].pgn", b"odd")
    assert [source.head for source in expand([tmp_path / "odd[1].pgn"])] == [b"odd"]
    with pytest.raises(InputError, match=r"\*\.trf: matches no file"):
        expand([f"{tmp_path}/*.trf"])


def test_what_is_not_there(tmp_path):
    (source,) = expand([tmp_path / "none.pgn"])
    with pytest.raises(InputError, match=r"none\.pgn: no such file"):
        assert source.head
    with pytest.raises(InputError, match="no files"):
        expand([])


def test_standard_input_is_read_once_and_looked_at_twice():
    code = (
        "from ratesim.io.sources import expand\n"
        "source, = expand(['-'])\n"
        "head = source.head\n"
        "with source.open() as file: print(source.name, len(head), len(file.read()))\n"
    )
    found = subprocess.run([sys.executable, "-c", code], input=gzip.compress(TEXT), capture_output=True, check=True)
    assert found.stdout.decode().split() == ["standard", "input", str(HEAD), str(len(TEXT))]


def test_a_digest_is_of_the_file_on_disk(tmp_path):
    (source,) = expand([put(tmp_path, "a.gz", b"")])
    assert source.digested() == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"  # SHA-256 of nothing


def test_the_suffix_says_nothing_of_packing(tmp_path):
    names = {"a.PGN.zst": ".pgn", "b.csv": ".csv", "c.2024.tsv.gz": ".tsv", "d": "", "e.zip": ""}
    assert {name: expand([tmp_path / name])[0].suffix for name in names} == names


def test_a_file_that_is_named_twice_is_read_once(tmp_path):
    put(tmp_path, "in/a.pgn")
    again = [tmp_path / "in", f"{tmp_path}/in/*", f"{tmp_path}/**", tmp_path / "in/../in/a.pgn"]
    assert len(expand(again)) == 1
    assert len(expand([f"{tmp_path}/**"])) == 1


def test_a_broken_link_in_a_folder_is_said(tmp_path):
    (tmp_path / "a.pgn").symlink_to(tmp_path / "gone.pgn")
    (source,) = expand([tmp_path])
    with pytest.raises(InputError, match=r"a\.pgn: no such file"):
        assert source.head


def test_an_encrypted_member_is_said(tmp_path):
    content = bytearray(zipped(a=TEXT))
    for mark in (b"PK\x03\x04", b"PK\x01\x02"):
        at = content.index(mark) + (6 if mark == b"PK\x03\x04" else 8)
        content[at] |= 1  # the flag of encryption
    (source,) = expand([put(tmp_path, "a.zip", bytes(content))])
    with pytest.raises(InputError, match=r"a\.zip/a: cannot be read \(File 'a' is encrypted"):
        assert source.head


def test_a_pipe_is_read_once_and_looked_at_twice(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(TEXT,))
    writer.start()
    (source,) = expand([pipe])
    writer.join()
    with source.open() as file:
        assert (source.name, file.read()) == (str(pipe), TEXT)
