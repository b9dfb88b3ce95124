"""Text of a source in one buffer, piece by piece: what has been read but not used stands before what comes next."""

import queue
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import IO, TYPE_CHECKING, Final, cast

import numpy as np

from .pgn_lines import BLOCK
from .pgn_store import LINE_FEED, LONGEST
from .sources import Source

if TYPE_CHECKING:
    import io

    from numpy.typing import NDArray

CHUNK: Final = 2**19  # bytes read at a time: they stay in the caches until they are used
AHEAD: Final = 16  # pieces unpacked before they are asked for
WAIT: Final = 0.01  # seconds
BEFORE: Final = BLOCK  # bytes of what has been used that stay


class Feed:
    """A buffer of text that moves along a source.

    Attributes
    ----------
    text : the buffer.
    at, end : what of it has yet to be used; the bytes before `at` are those that came before, or line feeds.
    """

    def __init__(self, chunk: int = CHUNK) -> None:
        self.chunk = chunk
        self.text: NDArray[np.uint8] = np.zeros(BEFORE + LONGEST + chunk + 2 + BLOCK, np.uint8)
        self.text[:BEFORE] = LINE_FEED
        self.at = self.end = BEFORE

    def pieces(self, source: Source) -> Iterator[bool]:
        """Read on, again and again, until nothing is left; yield whether there is more to come.

        The last piece ends a line, whether the source does or not.

        Raises
        ------
        InputError : the source cannot be read, or ends before it should.
        """
        self.text[:BEFORE] = LINE_FEED
        self.at = self.end = BEFORE
        with source.open() as file, source.reading(), _read_ahead(file, self.chunk, ahead=source.packed) as more:
            while size := more(self._room()):
                self.end += size
                yield True
        self._room()
        self.text[self.end] = LINE_FEED
        self.end += 1
        yield False

    def _room(self) -> memoryview:
        """Move what is left to the front; return the room behind it."""
        left = self.text[self.at - BEFORE : self.end].copy()
        self.text[: len(left)] = left
        self.at, self.end = BEFORE, len(left)
        return self.text.data[self.end : self.end + self.chunk]


@contextmanager
def _read_ahead(file: IO[bytes], chunk: int, *, ahead: bool) -> Iterator[Callable[[memoryview], int]]:
    """Yield what fills room with bytes and says how many; where unpacking takes its time, in a thread of its own."""
    if not ahead:
        yield cast("io.RawIOBase", file).readinto  # never None: it blocks
        return
    unpacker = Unpacker(file, chunk)
    unpacker.start()
    try:
        yield unpacker.fill
    finally:
        unpacker.stop()


class Unpacker(threading.Thread):
    """Reads a file in pieces, a few of them ahead of who asks."""

    def __init__(self, file: IO[bytes], chunk: int) -> None:
        super().__init__(daemon=True)
        self.file, self.chunk = file, chunk
        self.ready: queue.Queue[bytes | BaseException] = queue.Queue(AHEAD)
        self.stopped = False

    def run(self) -> None:
        """Read until the end, or until nobody asks any more."""
        piece: bytes | BaseException = b"first"
        while piece and not isinstance(piece, BaseException) and not self.stopped:
            try:
                piece = self.file.read(self.chunk)
            except BaseException as error:  # noqa: BLE001  # raised where it is waited for
                piece = error
            self.ready.put(piece)

    def fill(self, room: memoryview) -> int:
        """Put the next piece into room; return its size."""
        piece = self.ready.get()
        if isinstance(piece, BaseException):
            raise piece
        room[: len(piece)] = piece
        return len(piece)

    def stop(self) -> None:
        """Wait for the thread, whatever it has read."""
        self.stopped = True
        while self.is_alive():
            with suppress(queue.Empty):
                self.ready.get(timeout=WAIT)
