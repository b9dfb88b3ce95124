"""Games of Lichess as Parquet, in the columns of the sets on Hugging Face (Lichess/standard-chess-games and variants).

A row has the tags of a game of the monthly dumps, in types of its own: dates, times, small numbers; and `movetext`,
nearly all of the file, which is never read.
"""

from collections.abc import Iterator, Mapping
from typing import Final

import polars as pl

from ..errors import InputError
from ..intake import in_days
from .batch import PRECISION, SIZE, Asked, Batch
from .pgn_sites import lichess_ids, occasion
from .sifting import LeftOut, Wrong, filled, sifted
from .sources import Source
from .table import PARQUET, readable

NEEDED: Final[Mapping[str, type[pl.DataType]]] = {
    "Event": pl.String,
    "White": pl.String,
    "Black": pl.String,
    "Result": pl.String,
    "UTCDate": pl.Date,
    "UTCTime": pl.Time,
}
OTHERS: Final[Mapping[str, type[pl.DataType]]] = {
    "Site": pl.String,
    "WhiteElo": pl.Int64,
    "BlackElo": pl.Int64,
    "WhiteRatingDiff": pl.Int64,
    "BlackRatingDiff": pl.Int64,
    "WhiteTitle": pl.String,
    "BlackTitle": pl.String,
    "Termination": pl.String,
}
NAMES: Final = {"first": "White", "second": "Black", "score": "Result", "time": "UTCDate", "pool": "Event"}
SIDES: Final = {"first": "White", "second": "Black"}
SCORES: Final = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}
CODED: Final = (pl.Categorical, pl.Enum)  # text too, of which each is kept once
OCCASION: Final = {"perf": pl.String(), "rated": pl.Boolean(), "alone": pl.Boolean()}
NANOSECONDS: Final = 86_400 * 10**9  # in a day


def is_lichess_table(source: Source) -> bool:
    """Return whether a source is Parquet with the columns of Lichess' tags.

    Raises
    ------
    InputError : it cannot be read.
    """
    if not source.head.startswith(PARQUET):
        return False
    with source.file() as path, readable(path, source.name):
        return NEEDED.keys() <= pl.read_parquet_schema(path).keys()


def batches(sources: list[Source], asked: Asked) -> Iterator[Batch]:
    """Yield the games of files of the set, in the order of each file.

    White is first and has the edge. Names are all that there is of players. The pool is the perf that `Event` names,
    as Lichess' API calls it; games of an arena, a Swiss or a simultaneous display have `Event` as event. Ratings are
    those before the game. The sets hold rated games alone: all are, but for those that `Event` calls casual. Games
    with Result * are left out as unfinished.
    """
    for source in sources:
        with source.file() as path, readable(path, source.name):
            table = pl.scan_parquet(path, glob=False, hive_partitioning=False)
            columns = _typed(table.collect_schema(), source)
            n_games = table.select(pl.len()).collect().item()
            for start in range(0, n_games, SIZE):  # a slice reads its row groups alone
                rows = table.slice(start, SIZE).select(columns).collect()
                yield _batch(source, rows.with_columns(place=pl.int_range(start + 1, start + len(rows) + 1)), asked)


def _typed(schema: pl.Schema, source: Source) -> list[pl.Expr]:
    """Return the columns that are read, those that are missing as nulls.

    Raises
    ------
    InputError : one is needed and missing, or is of another type.
    """
    columns = []
    for name, kind in {**NEEDED, **OTHERS}.items():
        found = schema.get(name)
        if found is None and name in NEEDED:
            raise InputError(f"no column {name}", where=source.name, expected=", ".join(NEEDED))
        if found is None or found == pl.Null:
            columns.append(pl.lit(None, kind).alias(name))
            continue
        if not (found == kind or (kind == pl.Int64 and found.is_integer()) or (kind == pl.String and found in CODED)):
            raise InputError(f"is of {found}", where=f"{source.name}, column {name}", expected=f"{kind.__name__}")
        columns.append(pl.col(name).cast(kind))
    return columns


def _batch(source: Source, rows: pl.DataFrame, asked: Asked) -> Batch:
    if asked.raw:
        rows = rows.with_columns(raw=pl.struct(pl.exclude("place")).struct.json_encode())
    found = sifted(rows, RULES)
    games = found.games.join(_occasions(found.games["Event"]), on="Event", how="left", maintain_order="left")
    games = games.select(
        "place",
        **SIDES,
        score=pl.col("Result").replace_strict(SCORES, return_dtype=pl.Float64),
        time=pl.col("UTCDate").to_physical() + in_days(CLOCK.fill_null(0), NANOSECONDS),
        precision=pl.when(CLOCK.is_null()).then(pl.lit("day", PRECISION)).otherwise(pl.lit("second", PRECISION)),
        edge=pl.lit(1.0),
        event=pl.when(~pl.col("alone")).then("Event"),
        pool="perf",
        **{f"published_{key}": pl.col(f"{side}Elo").cast(pl.Float64) for key, side in SIDES.items()},
        **{f"change_{key}": pl.col(f"{side}RatingDiff").cast(pl.Float64) for key, side in SIDES.items()},
        rated=pl.col("rated").fill_null(value=True),
        termination="Termination",
        game_id=lichess_ids(found.games["Site"]),
        **{f"title_{key}": pl.col(f"{side}Title") for key, side in SIDES.items()},
    )
    return Batch(source.name, filled(games), found.rejects, found.left_out, unit="row", field="column", names=NAMES)


def _occasions(events: pl.Series) -> pl.DataFrame:
    """Return what each event says, see `occasion`."""
    names = events.drop_nulls().unique().sort()
    told = pl.DataFrame([occasion(name) for name in names], OCCASION, orient="row")
    return told.insert_column(0, names)


CLOCK: Final = pl.col("UTCTime").to_physical()
RULES: Final = (
    LeftOut(pl.col("Result") == "*", "unfinished"),
    Wrong(pl.col("White").is_null(), "White", "no player", "a name"),
    Wrong(pl.col("Black").is_null(), "Black", "no player", "a name"),
    Wrong(pl.col("Result").is_null(), "Result", "no result", ", ".join(SCORES)),
    Wrong(~pl.col("Result").is_in(SCORES.keys()), "Result", "'{}'", ", ".join(SCORES), pl.col("Result")),
    Wrong(pl.col("UTCDate").is_null(), "UTCDate", "no date", "a date"),
)
