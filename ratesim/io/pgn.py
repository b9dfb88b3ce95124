"""Games out of PGN by their tags alone: moves are passed over (Edwards, PGN Specification, 12 March 1994)."""

import re
from collections.abc import Iterator
from typing import Final

import numpy as np

from .batch import SIZE, Asked, Batch
from .pgn_feed import CHUNK, Feed
from .pgn_games import Found, Raw, batch_of
from .pgn_scan import DONE, FOUND, FULL, OPEN, finish, new_scan, scanner, start
from .pgn_store import MOST, is_full
from .pgn_table import Table
from .pgn_values import new_values, start_over, taker
from .sources import Source

BOM: Final = b"\xef\xbb\xbf"
LINE_ENDS: Final = re.compile(rb"\r\n|\r|\n")  # no others: they may be parts of letters
TAG_LINE: Final = re.compile(rb'\s*\[\s*[\w\x80-\xff]+\s*".*"\s*\]\s*(?:;.*|\{.*\}\s*)?', re.DOTALL)

MEANWHILE: Final = SIZE // 4  # games of a batch whose meaning is worked out while the next are unpacked


def batches(sources: list[Source], asked: Asked, *, size: int = SIZE, chunk: int = CHUNK) -> Iterator[Batch]:
    """Yield the games of PGN files, see `batch.Read`.

    White is first and has the edge. A player is called by FIDE id, or else by name. Time is `UTCDate` and `UTCTime`,
    or else `Date` and `Time` as they stand, whatever zone they are of; `EventDate` where neither says anything.
    `WhiteElo` and `BlackElo` are published ratings, unless of chess.com, which writes those after the game.

    Parameters
    ----------
    size : games of a batch, at most.
    chunk : bytes read at a time. Memory is bounded by these two, by no length of a line, a game or a file.
    """
    reader = Reader(asked, size, chunk)
    for source in sources:
        yield from reader.batches(source)


def is_pgn(head: bytes) -> bool:
    r"""Return whether a file that begins so is of PGN: its first line is a tag.

    >>> is_pgn(b'[Event "Open"]\r\n[Site "?"]'), is_pgn(b"first,second,score,time\n")
    (True, False)
    """
    lines = LINE_ENDS.split(head.removeprefix(BOM))
    first = next((line for line in lines if line.strip() and line[0] not in b"%;"), b"")
    return TAG_LINE.fullmatch(first) is not None


class Reader:
    """What goes from source to source: room for text, values and games, and what works on them."""

    def __init__(self, asked: Asked, size: int, chunk: int) -> None:
        self.asked, self.size = asked, size
        self.scan_text, self.take = scanner(), taker()
        self.feed = Feed(chunk)
        self.values = new_values(size, 2 * len(self.feed.text), raw=asked.raw)
        self.scan = new_scan(size, raw=asked.raw, prints=asked.beside)

    def batches(self, source: Source) -> Iterator[Batch]:
        """Yield the games of a source; one batch at least."""
        size = min(self.size, MEANWHILE) if source.packed else self.size
        start(self.scan, size)
        some = False
        for _ in self.feed.pieces(source):
            while self._fills():
                if self.scan.state[DONE]:
                    yield self._batch(source)
                    some = True
                self._start_over()
        finish(self.scan)
        if self.scan.state[DONE] or not some:
            yield self._batch(source)
        self._start_over()

    def _fills(self) -> bool:
        """Use up what the feed has; return whether there is no room for more before then."""
        feed, state = self.feed, self.scan.state
        while True:
            feed.at = self.scan_text(self.scan, feed.text, feed.at, feed.end)
            count = int(state[FOUND])
            self.take(self.values, self.scan.found, count, feed.text)
            state[FOUND] = 0
            if state[FULL] or is_full(self.values.store):
                return True
            if count < MOST:
                return False

    def _batch(self, source: Source) -> Batch:
        scan, values = self.scan, self.values
        done = int(scan.state[DONE])
        table = Table(values.rows[:, :done], values.store)
        raw = Raw(values.raw, np.maximum.accumulate(values.raws[:done])) if self.asked.raw else None
        found = Found(table, *(each[:done].copy() for each in (scan.lines, scan.endings, scan.prints)))
        return batch_of(source.name, found, self.asked, raw)

    def _start_over(self) -> None:
        scan, state = self.scan, self.scan.state
        opened = bool(state[OPEN])
        start_over(self.values, int(state[DONE]), opened=opened)
        if opened:
            scan.lines[0] = scan.lines[state[DONE]]
        state[DONE] = state[FULL] = 0
