"""`rs.read` of tables beside what polars needs for the same columns: read, and names made codes.

    python benchmarks/reading_tables.py [--games 1000000] [--rounds 7]

Both go by the wall clock, in turn, with all threads that they take. Ours also checks every cell, looks for games that
stand twice, numbers players by first appearance, and takes the file's digest.
"""

import argparse
import statistics
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import polars as pl
from scoreboard import Bound, Row, table
from zipf import columns

import ratesim as rs

GAMES, PLAYERS = 1_000_000, 20_000
RIVAL = "polars, names to codes"
ALLOWED = Bound(ratio=1 / 1.2)
NAMES = ("first", "second")


def games(count: int) -> pl.DataFrame:
    """Return games with names as people have them, and times in seconds."""
    drawn = columns(count, PLAYERS).stream().to_frame()
    named = [pl.format("Player {}", name).alias(name) for name in NAMES]
    seconds = (pl.lit(1_000_000_000) + pl.col("time") * 86_400).cast(pl.Int64)
    return drawn.select(*named, "score", "time", moment=pl.from_epoch(seconds), day=pl.from_epoch(seconds).dt.date())


def files(count: int, folder: Path) -> dict[str, tuple[Path, Callable[[Path], pl.DataFrame]]]:
    """Write the games in each form; return by name the file, and how polars reads it."""
    frame = games(count)
    timed = {
        "numbers": frame.select(*NAMES, "score", "time"),
        "date and time": frame.select(*NAMES, "score", time="moment"),
        "dates": frame.select(*NAMES, "score", time="day"),
    }
    found: dict[str, tuple[Path, Callable[[Path], pl.DataFrame]]] = {}
    for kind, each in timed.items():
        text, parquet = folder / f"{kind}.csv", folder / f"{kind}.parquet"
        each.write_csv(text, datetime_format="%Y-%m-%d %H:%M:%S")
        each.write_parquet(parquet)
        found[f"CSV, {kind}"] = (text, partial(pl.read_csv, try_parse_dates=True))
        found[f"Parquet, {kind}"] = (parquet, pl.read_parquet)
    return found


def by_polars(path: Path, reader: Callable[[Path], pl.DataFrame]) -> pl.DataFrame:
    """Return the table with codes for names."""
    return reader(path).with_columns(pl.col(NAMES).cast(pl.Categorical).to_physical())


def raced(contenders: dict[str, Callable[[], object]], rounds: int, share: int) -> dict[str, list[float]]:
    """Return each contender's nanoseconds a game, round by round, after one that does not count."""
    spent: dict[str, list[float]] = {name: [] for name in contenders}
    for counted in range(rounds + 1):
        for name, run in contenders.items():
            began = time.perf_counter_ns()
            run()
            if counted:
                spent[name].append((time.perf_counter_ns() - began) / share)
    return spent


def rows(rounds: int, folder: Path, count: int = GAMES) -> list[Row]:
    """Return a row of the table for each form of file, which is written to `folder`."""
    found = []
    for name, (path, reader) in files(count, folder).items():
        contenders = {"ours": partial(rs.read, path), RIVAL: partial(by_polars, path, reader)}
        spent = raced(contenders, rounds, count)
        kind, mode = name.split(", ")
        found.append(Row("tables", kind, mode, "ns/game", spent["ours"], RIVAL, spent[RIVAL], ALLOWED))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=GAMES)
    parser.add_argument("--rounds", type=int, default=7)
    given = parser.parse_args()
    with TemporaryDirectory() as folder:
        made = rows(given.rounds, Path(folder), given.games)
    print(table(made))
    print(f"\nmedian of ours / theirs: {statistics.median(1 / row.ratio for row in made if row.ratio):.2f}")


if __name__ == "__main__":
    main()
