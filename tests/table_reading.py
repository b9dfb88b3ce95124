"""Tables read in batches of any size, for tests."""

import random

import polars as pl

from ratesim.io import ColumnMap
from ratesim.io.batch import Asked, Batch
from ratesim.io.sources import expand
from ratesim.io.tables import batches

HEADER = "first,second,score,time\n"
SIZES = (1, 3, 7, 10**6)  # rows of a batch


def table(path, size=10**6, *, beside=False, raw=False, **columns) -> list[Batch]:
    return list(batches(expand([path]), Asked(ColumnMap(**columns), beside=beside, raw=raw), size))


def games(path, size=10**6, **columns) -> pl.DataFrame:
    return pl.concat([batch.games for batch in table(path, size, **columns)])


def rejects(path, size=10**6, **columns) -> list[tuple]:
    found = pl.concat([batch.rejects for batch in table(path, size, **columns)]).sort("place")
    return found.select("place", "column", "what", "value").rows()


def cells(frame: pl.DataFrame, *names: str) -> list[tuple]:
    return (
        frame.select(
            pl.col(pl.Categorical).cast(pl.String), pl.col(pl.Enum).cast(pl.String), pl.exclude(pl.Categorical, pl.Enum)
        )
        .select(*names)
        .rows()
    )


def many(count: int) -> list[tuple[str, str, float, int]]:
    draw = random.Random(4)  # noqa: S311
    return [
        (f"player {draw.randrange(30)}", f"player {30 + draw.randrange(30)}", draw.choice((0.0, 0.5, 1.0)), n)
        for n in range(count)
    ]


def lines(rows) -> str:
    return "".join(",".join(map(str, row)) + "\n" for row in rows)
