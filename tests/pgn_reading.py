"""PGN read from text, for tests: all batches of it as one."""

import tempfile
from pathlib import Path
from typing import NamedTuple

import polars as pl

from ratesim.io.batch import Asked, Batch
from ratesim.io.pgn import batches
from ratesim.io.sources import Source


class Read(NamedTuple):
    """What was read."""

    games: pl.DataFrame
    rejects: pl.DataFrame
    left_out: dict[str, int]
    notes: tuple[str, ...]


HEAD = '[White "A"]\n[Black "B"]\n[Result "1-0"]\n[Date "2024.05.01"]\n'
PLAINLY = Asked(beside=True)


def read_pgn(*contents: str | bytes | Path, asked: Asked = PLAINLY, **sizes: int) -> Read:
    """Read texts, or files, one after the other."""
    with tempfile.TemporaryDirectory() as folder:
        sources = [_source(Path(folder), n, content) for n, content in enumerate(contents)]
        return joined(list(batches(sources, asked, **sizes)))


def _source(folder: Path, n: int, content: str | bytes | Path) -> Source:
    if isinstance(content, Path):
        return Source(content.name, content)
    path = folder / f"{n}.pgn"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return Source(path.name, path)


def joined(found: list[Batch]) -> Read:
    """Return batches as one."""
    left_out: dict[str, int] = {}
    for batch in found:
        for why, count in batch.left_out.items():
            left_out[why] = left_out.get(why, 0) + count
    return Read(
        pl.concat([batch.games for batch in found], how="diagonal"),
        pl.concat([batch.rejects for batch in found]),
        left_out,
        tuple(note for batch in found for note in batch.notes),
    )


def columns(text: str | bytes, *names: str, **given: int) -> list[tuple[object, ...]]:
    """Return some columns of a text's games, row by row."""
    return read_pgn(text, **given).games.select(names).rows()
