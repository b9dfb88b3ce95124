"""Tournament reports as one batch of games: what one report says can depend on the others."""

import hashlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import polars as pl

from .batch import GAMES, PRECISION, Asked, Batch
from .sources import Source
from .trf import Tournament, decoded, parse
from .trf_games import tournament_games

DIGITS: Final = 16  # of a digest, in hex


def batches(sources: list[Source], asked: Asked) -> Iterator[Batch]:
    """Yield the games of tournament reports, event by event, and why other rounds were none.

    Each game has an id, as those of a match without days may be alike in all else: a digest of what its report says of
    all its games, and its number among them. So two reports that differ on one tournament are never taken for one.

    Raises
    ------
    InputError : a report is wrong, or does not say what is needed and was not asked for; see `tournament_games`.
    """
    stream = tournament_games([_report(source) for source in sources], start=asked.start, list=asked.list)
    missed = {name: counts for name, counts in stream.source["not_rated"].items() if counts}
    total: Counter[str] = Counter()
    for counts in missed.values():
        total.update(counts)
    told = stream.to_frame()
    games = told.with_columns(_ids(told), precision=pl.lit("day", PRECISION))
    return iter(
        [
            Batch(
                source=sources[0].name if len(sources) == 1 else f"{len(sources)} tournament reports",
                games=games.cast({name: GAMES[name] for name in games.columns}),
                left_out=dict(total.most_common()),
                players=stream.players,
                notes=tuple(note for note in stream.notes if not note.startswith("not rated")),
                about={key: stream.source[key] for key in ("not_rated", "twice")},
            )
        ]
    )


def _ids(games: pl.DataFrame) -> pl.Expr:
    """Return ids of games, the same whatever else is read, on which pools and the columns that there are depend."""
    digests = {}
    for event in games.drop("pool", strict=False).fill_nan(None).partition_by("event"):
        said = event.select(each for each in event if each.null_count() < len(event))
        digests[event["event"][0]] = hashlib.sha256(said.write_csv().encode()).hexdigest()[:DIGITS]
    number = pl.int_range(1, pl.len() + 1).over("event")
    return pl.format("{}-{}", pl.col("event").replace_strict(digests, return_dtype=pl.String), number).alias("game_id")


def _report(source: Source) -> Tournament:
    with source.open() as file, source.reading():
        content = file.read()
    return parse(decoded(content), Path(source.name))
