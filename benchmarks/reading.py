"""Games read from files beside other readers: one table, in one run.

    python benchmarks/reading.py [--only pgn packed tables] [--mb 300] [--rounds 7] [--json]

Needs `pip install -e '.[bench]'`. The file of PGN is made on the way, like a dump of Lichess with clocks and
evaluations, and kept in the folder for temporary files. All that run side by side run in turn, and the ratio is the
median over rounds. All go by the wall clock, with all threads that they take: a busy machine shows most in .zst, where
unpacking and reading want a core each.
"""

import os
import platform
import re
import tempfile
import time
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory

import chess.pgn
import pgn_files
import reading_tables
from race import race
from scoreboard import Bound, Row, asked, show

from ratesim.io.batch import Asked
from ratesim.io.pgn import batches
from ratesim.io.pgn_feed import CHUNK
from ratesim.io.sources import Source

SLICE = 50  # python-chess reads one game of so many
STREAM, IMPORT = Asked(), Asked(beside=True)  # what `read` and what `import` want of a file
HEADERS, PATTERN, ALONE = "python-chess, read_headers", "one regular expression", "unpacking alone"
FORTYFOLD, FOR_IMPORT, TWICE, FOUR_FIFTHS = Bound(ratio=40), Bound(ratio=25), Bound(ratio=2), Bound(ratio=0.8)
TAGS = (
    "Event-", "Site-", "Date?", "Round?", "White", "Black", "Result", "UTCDate", "UTCTime", "WhiteElo", "BlackElo",
)  # fmt: skip  # in Lichess' order; ? may be missing, and is passed over, as is -
SCORES = {b"1-0": 1.0, b"0-1": 0.0, b"1/2-1/2": 0.5}


def ours(path: Path, asked: Asked = STREAM) -> int:
    """Read all columns of a stream, or all that are asked for, and count the games."""
    return sum(len(batch.games) for batch in batches([Source(str(path), path)], asked))


def by_headers(path: Path, games: int) -> int:
    """Read the tags of the first games by python-chess."""
    with path.open(encoding="utf-8") as file:
        return sum(chess.pgn.read_headers(file) is not None for _ in range(games))


def by_pattern(path: Path, pattern: re.Pattern[bytes]) -> int:
    """Read who played, how it ended and when by one pattern of tags in their order; players are numbered."""
    numbers: dict[bytes, int] = {}
    first, second, score, rest = [], [], [], []
    for white, black, result, *others in pattern.findall(path.read_bytes()):
        first.append(numbers.setdefault(white, len(numbers)))
        second.append(numbers.setdefault(black, len(numbers)))
        score.append(SCORES.get(result))
        rest.append(others)
    return len(first)


def pattern() -> re.Pattern[bytes]:
    """Return the pattern of the tags of a game."""
    value = r'"[^"\n]*"'
    passed = [rf"(?:\[{tag[:-1]} {value}\]\n){tag[-1].replace('-', '')}" for tag in TAGS if tag[-1] in "-?"]
    wanted = [rf'\[{tag} "([^"\n]*)"\]\n' for tag in TAGS if tag[-1] not in "-?"]
    return re.compile("".join(passed + wanted).encode())


def unpack(path: Path) -> int:
    """Unpack a file, piece by piece, and look at nothing."""
    with pgn_files.zstd.open(path) as file:
        return sum(len(piece) for piece in iter(lambda: file.read(CHUNK), b""))


def plain(path: Path, games: int, rounds: int) -> Iterator[Row]:
    """Yield the rows of plain PGN."""
    few, of_tags = max(1, games // SLICE), pattern()
    assert ours(path) == by_pattern(path, of_tags) == games
    found = race(
        {
            "ours": (lambda: lambda: ours(path), games),
            "import": (lambda: lambda: ours(path, IMPORT), games),
            HEADERS: (lambda: lambda: by_headers(path, few), few),
            PATTERN: (lambda: lambda: by_pattern(path, of_tags), games),
        },
        rounds,
        time.perf_counter_ns,
    )
    for rival, bound, imported in ((HEADERS, FORTYFOLD, FOR_IMPORT), (PATTERN, TWICE, TWICE)):
        yield Row("pgn", "PGN", "plain", "ns/game", found["ours"], rival, found[rival], bound)
        yield Row("pgn", "PGN", "plain, for import", "ns/game", found["import"], rival, found[rival], imported)


def packed(path: Path, games: int, rounds: int) -> Iterator[Row]:
    """Yield the row of packed PGN."""
    contenders = {"ours": lambda: ours(path), ALONE: lambda: unpack(path)}
    found = race({name: (_ready(run), games) for name, run in contenders.items()}, rounds, time.perf_counter_ns)
    yield Row("packed", "PGN", ".zst", "ns/game", found["ours"], ALONE, found[ALONE], FOUR_FIFTHS)


def _ready(run: Callable[[], object]) -> Callable[[], Callable[[], object]]:
    return lambda: run


def rows(groups: set[str], megabytes: int, rounds: int) -> Iterator[Row]:
    """Yield all rows, those of tables from `reading_tables.rows(rounds, folder)`."""
    folder = Path(tempfile.gettempdir(), "ratesim-reading")
    folder.mkdir(exist_ok=True)
    if groups & {"pgn", "packed"}:
        path, zst, games = pgn_files.write(folder, megabytes)
        yield from plain(path, games, rounds) if "pgn" in groups else ()
        yield from packed(zst, games, rounds) if "packed" in groups else ()
    if "tables" in groups:
        with TemporaryDirectory() as other:
            yield from reading_tables.rows(rounds, Path(other))


def about(megabytes: int, rounds: int) -> str:
    """Return what the figures depend on, in one paragraph."""
    versions = ", ".join(f"{name} {version(name)}" for name in ("ratesim", "numba", "polars", "chess"))
    return (
        f"{megabytes} MB of PGN with clocks and evaluations; python-chess reads one game of {SLICE}. Medians of"
        f" {rounds} rounds, then least to greatest. {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the end,"
        f" Python {platform.python_version()}, {versions}."
    )


def main() -> None:
    groups = ("pgn", "packed", "tables")
    parser = asked(__doc__, groups, 7)
    parser.add_argument("--mb", type=int, default=300, help="size of the file of PGN")
    given = parser.parse_args()
    made = list(rows(set(given.only), given.mb, given.rounds))
    show(made, about(given.mb, given.rounds), as_json=given.json)


if __name__ == "__main__":
    main()
