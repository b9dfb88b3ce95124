"""What games are read from: files, folders, patterns and standard input, packed or not, one name for each."""

import bz2
import glob
import gzip
import hashlib
import lzma
import shutil
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path, PurePath
from typing import IO, Final

from ..errors import InputError
from ..files import writing

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

PIECE: Final = 2**20  # bytes copied at once
HEAD: Final = 2**16  # bytes that tell what a file is
STDIN: Final = "-"
MAGIC: Final = {b"\x1f\x8b": gzip, b"BZh": bz2, b"\x28\xb5\x2f\xfd": zstd, b"\xfd7zXZ\x00": lzma}
ZIP: Final = b"PK\x03\x04"
PACKED: Final = (".gz", ".bz2", ".zst", ".xz", ".zip")
BROKEN: Final = (EOFError, OSError, zlib.error, zstd.ZstdError, lzma.LZMAError, zipfile.BadZipFile)
JUNK: Final = ("__MACOSX",)


@dataclass(frozen=True)
class Source:
    """A file of games, a member of a zip file, or standard input.

    Attributes
    ----------
    name : as messages and reports call it.
    path : the file on disk; of standard input, where it was put down.
    member : which file of a zip file.
    inside : whether it was found in a folder or a zip file, and not named.
    """

    name: str
    path: Path
    member: str | None = None
    inside: bool = False
    _keep: object = field(default=None, repr=False, compare=False)  # what removes the file of standard input

    @cached_property
    def suffix(self) -> str:
        """The last suffix of the name, in lower case, that says nothing of packing: `.pgn` of `a.PGN.zst`."""
        suffixes = [each.lower() for each in PurePath(self.member or self.name).suffixes]
        return next((each for each in reversed(suffixes) if each not in PACKED), "")

    @cached_property
    def head(self) -> bytes:
        """What it begins with, unpacked.

        Raises
        ------
        InputError : it cannot be read.
        """
        with self.open() as file, self.reading():
            return file.read(HEAD)

    @cached_property
    def packed(self) -> bool:
        """Whether the file on disk is not what it holds."""
        if self.member is not None:
            return True
        with self.reading(), self.path.open("rb") as file:
            return _packer(file.read(8)) is not None

    @property
    def short(self) -> str:
        """The name without folders, so that it says the same on every machine."""
        if self._keep is not None:
            return self.name
        return self.path.name if self.member is None else f"{self.path.name}/{self.member}"

    def digested(self, stopped: Callable[[], bool] = lambda: False) -> str:
        """Return the SHA-256 in hex of the file on disk, or nothing once it is to stop."""
        digest = hashlib.sha256()
        with self.reading(), self.path.open("rb") as file:
            while not stopped() and (piece := file.read(PIECE)):
                digest.update(piece)
        return "" if stopped() else digest.hexdigest()

    def forget(self) -> None:
        """Let go of the head, which is looked at only to know what the source is."""
        self.__dict__.pop("head", None)

    @contextmanager
    def open(self) -> Iterator[IO[bytes]]:
        """Open it for reading, unpacked; what is wrong shows only in reading, see `reading`.

        Raises
        ------
        InputError : there is no such file.
        """
        with ExitStack() as stack:
            with self.reading():
                raw: IO[bytes] = stack.enter_context(self.path.open("rb"))
                if self.member is not None:
                    archive = stack.enter_context(zipfile.ZipFile(raw))
                    raw = stack.enter_context(self._opened(archive, self.member))
                packer = _packer(raw.read(8))
                raw.seek(0)
            yield raw if packer is None else stack.enter_context(packer.open(raw, "rb"))

    def _opened(self, archive: zipfile.ZipFile, member: str) -> IO[bytes]:
        try:
            return archive.open(member)
        except RuntimeError as error:  # encrypted, or packed as zipfile cannot
            raise InputError(f"cannot be read ({error})", where=self.name, expected="it unpacked") from None

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Turn what the system and the packers say into one line about this source."""
        try:
            yield
        except FileNotFoundError:
            raise InputError("no such file", where=self.name, expected="a file of games") from None
        except EOFError:
            raise InputError("is cut off", where=self.name, expected="the whole file: load it again") from None
        except BROKEN as error:
            said = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            raise InputError(f"cannot be read ({said})", where=self.name, expected="a whole file of games") from None

    @contextmanager
    def file(self) -> Iterator[Path]:
        """Yield a path of the unpacked content, for readers that want a file; gone afterwards where it was packed."""
        if not self.packed:
            yield self.path
            return
        with tempfile.NamedTemporaryFile(prefix="ratesim-", suffix=self.suffix) as place:
            with self.open() as file:
                while piece := self._piece(file):
                    with writing(Path(place.name)):
                        place.write(piece)
            with writing(Path(place.name)):
                place.flush()
            yield Path(place.name)

    def _piece(self, file: IO[bytes]) -> bytes:
        with self.reading():
            return file.read(PIECE)


def _packer(start: bytes):  # type: ignore[no-untyped-def]  # noqa: ANN202  # a module, of four alike
    return next((packer for magic, packer in MAGIC.items() if start.startswith(magic)), None)


def expand(given: Iterable[str | Path]) -> list[Source]:
    """Return the files that names, folders, patterns and `-` stand for.

    A folder stands for all files in it, at any depth, hidden ones left out; a pattern, such as `2024-*.pgn`, for what
    it matches; a zip file for its members; a pipe, like `-`, for what comes out of it. Each group is sorted by name,
    and a file that is named twice is there once.

    Raises
    ------
    InputError : nothing is given, a pattern matches nothing, a folder is empty.
    """
    sources: dict[tuple[Path, str | None], Source] = {}
    for each in given:
        for source in _expanded(each):
            sources.setdefault((source.path.resolve(), source.member), source)
    if not sources:
        raise InputError("no files", expected="at least one")
    return list(sources.values())


def _expanded(given: str | Path) -> list[Source]:
    if str(given) == STDIN:
        return [_put_down(sys.stdin.buffer, "standard input")]
    path = Path(given)
    if path.is_dir():
        inside = sorted(each for each in path.rglob("*") if not each.is_dir() and not _hidden(each.relative_to(path)))
        if not inside:
            raise InputError("is an empty folder", where=str(path), expected="files of games in it")
        return [source for each in inside for source in _members(each, inside=True)]
    if path.exists() and not path.is_file():
        with path.open("rb") as pipe:
            return [_put_down(pipe, str(path))]
    if not path.exists() and glob.has_magic(str(given)):
        found = sorted(glob.glob(str(given), recursive=True))  # noqa: PTH207  # Path.glob takes no absolute patterns
        if not found:
            raise InputError("matches no file", where=str(given), expected="at least one")
        if "**" in str(given):  # which matches what is in folders too
            found = [each for each in found if not Path(each).is_dir()]
        return [source for each in found for source in _expanded(each)]
    return _members(path)


def _hidden(path: PurePath) -> bool:
    return any(part.startswith(".") or part in JUNK for part in path.parts)


def _members(path: Path, *, inside: bool = False) -> list[Source]:
    source = Source(str(path), path, inside=inside)
    if not path.is_file():
        return [source]
    with source.reading(), path.open("rb") as file:
        if file.read(4) != ZIP:
            return [source]
        with zipfile.ZipFile(file) as archive:
            names = sorted(
                each for each in archive.namelist() if not each.endswith("/") and not _hidden(PurePath(each))
            )
    return [Source(f"{path}/{name}", path, name, inside=True) for name in sorted(names)]


def _put_down(stream: IO[bytes], name: str) -> Source:
    """Return what comes once, put down as a file: readers look at it twice, to know what it is.

    Raises
    ------
    InputError : there is no room for it.
    """
    keep = tempfile.NamedTemporaryFile(prefix="ratesim-")  # noqa: SIM115  # lives as long as the source
    with writing(Path(keep.name)):
        shutil.copyfileobj(stream, keep, PIECE)
        keep.flush()
    return Source(name, Path(keep.name), _keep=keep)
